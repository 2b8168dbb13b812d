//! `tribunal init` and `tribunal new`: whatever they write is without a mistake and runs.

use crate::lab::Lab;

/// What a command said, and whether it went well.
fn typed(lab: &Lab, words: &[&str]) -> Result<String, String> {
    let output = lab.exactly(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(said + &String::from_utf8_lossy(&output.stdout))
    } else {
        Err(said)
    }
}

fn well(lab: &Lab, words: &[&str]) -> String {
    typed(lab, words).unwrap_or_else(|said| panic!("tribunal {}\n{said}", words.join(" ")))
}

/// The words of every project that can be asked for without data of one's own.
fn combinations() -> Vec<Vec<&'static str>> {
    let mut all = Vec::new();
    for form in ["csv", "jsonl", "folder"] {
        for pairs in [false, true] {
            for ratings in [false, true] {
                for server in [false, true] {
                    let mut words = vec!["--data", form];
                    words.extend(pairs.then_some("--pairs"));
                    words.extend(ratings.then_some("--ratings"));
                    if server {
                        words.extend(["--server", "http://127.0.0.1:9/v1", "--model", "m"]);
                    }
                    if form != "folder" || !pairs {
                        all.push(words);
                    }
                }
            }
        }
    }
    all
}

#[test]
fn every_project_that_init_writes_has_no_mistake_and_runs() {
    let lab = Lab::new();
    let all = combinations();
    assert_eq!(all.len(), 20);
    for (index, words) in all.iter().enumerate() {
        let folder = format!("p{index}");
        well(&lab, &[&["init", &folder], &words[..]].concat());
        let spec = format!("{folder}/experiments/first.toml");
        well(&lab, &["lint", "--strict", &spec]);
        if words.contains(&"--server") {
            // Nobody is there to be asked; all up to the first call is done.
            well(&lab, &["plan", &spec]);
            continue;
        }
        well(&lab, &["run", "-q", &spec]);
        assert!(lab.read(&format!("{folder}/.gitignore")).contains("cache/"));
        assert!(lab.path(&format!("{folder}/tribunal.local.toml")).exists());
    }
}

#[test]
fn what_new_adds_has_no_mistake_and_runs() {
    let lab = Lab::new();
    for pairs in [&[][..], &["--pairs"]] {
        let folder = format!("p{}", pairs.len());
        well(&lab, &[&["init", &folder, "--data", "csv"], pairs].concat());
        let spec = format!("{folder}/experiments/first.toml");
        for what in ["judge", "table", "figure"] {
            well(&lab, &["new", what, &spec, &format!("new-{what}")]);
            well(&lab, &["lint", "--strict", &spec]);
        }
        well(&lab, &["run", "-q", &spec]);
        let drawn = lab.path(&format!("{folder}/reports/first/new-figure.svg"));
        assert!(drawn.exists(), "{}", drawn.display());
    }
}

#[test]
fn a_name_that_is_taken_changes_no_spec() {
    let lab = Lab::new();
    well(&lab, &["init", "."]);
    let before = lab.read("experiments/first.toml");
    let spec = "experiments/first.toml";
    let said = typed(&lab, &["new", "table", spec, "scores"]).unwrap_err();
    assert!(
        said.contains("the spec has `table.scores` already"),
        "{said}"
    );
    assert_eq!(lab.read(spec), before);
}

#[test]
fn init_reads_off_a_table_what_its_columns_are() {
    let lab = Lab::new();
    for (name, text, means) in [
        (
            "essays.csv",
            "id,essay text,score,genre\n1,\"The cat sat, and slept.\",3,a\n2,The dog run.,2,a\n3,,1,b\n4,A fine long tale.,5,b\n",
            ["`essay text` is judged", "`score` is what people say"],
        ),
        (
            "chosen.jsonl",
            "{\"id\":\"x\",\"prompt\":\"q\",\"chosen\":\"yes\",\"rejected\":\"no\"}\n{\"id\":\"y\",\"prompt\":\"r\",\"chosen\":\"up\",\"rejected\":\"down\"}\n",
            [
                "`chosen` is compared with `rejected`",
                "no column with ratings was taken",
            ],
        ),
        (
            "numbered.csv",
            "uid,output_1,output_2,winner\nx,a b,c d,1\ny,e f,g,2\nz,g,h,0\n",
            [
                "`output_1` is compared with `output_2`",
                "`winner` is what people say",
            ],
        ),
        (
            "named.csv",
            "id,prompt,gpt,llama,winner\n1,q,a b,c d,gpt\n2,r,e f,g,tie\n3,s,g,h,llama\n",
            [
                "`gpt` is compared with `llama`",
                "`winner` is what people say",
            ],
        ),
        (
            "rated.csv",
            "id,text,rater_1,rater 2\n1,\"The cat sat, and slept.\",3,4\n2,The dog run.,2,2\n3,A long tale.,1,2\n4,A fine tale.,5,4\n",
            [
                "`text` is judged",
                "`rater_1` and `rater 2` are what people say",
            ],
        ),
        (
            "right.csv",
            "id,question,reference,answer,model,ann\n1,q,r,The cat sat.,a,2\n2,q,r,The dog run.,b,3\n3,t,u,A tale.,a,1\n4,t,u,A fine tale.,b,4\n",
            [
                "`question` and `reference` are shown too, scores are told apart by `model`",
                "no column with ratings was taken, `--ratings=ann` would be one",
            ],
        ),
    ] {
        lab.write(name, text);
        let folder = format!("of-{name}");
        let said = well(&lab, &["init", &folder, "--from", name]);
        assert!(means.iter().all(|means| said.contains(means)), "{said}");
        let spec = format!("{folder}/experiments/first.toml");
        well(&lab, &["lint", "--strict", &spec]);
        well(&lab, &["run", "-q", &spec]);
    }
}

#[test]
fn rows_that_answer_the_same_question_are_compared_between_models() {
    let lab = Lab::new();
    lab.write(
        "long.csv",
        "id,question,model,answer\n1,q,a,The cat sat.\n2,q,b,The dog run.\n3,t,a,A tale.\n4,t,b,\n",
    );
    let said = well(&lab, &["init", "p", "--from", "long.csv", "--pairs"]);
    assert!(
        said.contains("`answer` is compared between the values of `model`"),
        "{said}"
    );
    let spec = "p/experiments/first.toml";
    well(&lab, &["lint", "--strict", spec]);
    let ran = well(&lab, &["run", spec]);
    assert!(ran.contains("2 scores, 2 unscored"), "{ran}");
    let said = typed(&lab, &["init", "o", "--from", "long.csv", "--pairs=a,b"]).unwrap_err();
    assert!(
        said.contains("rows of `model` are compared with each other by `--pairs` alone"),
        "{said}"
    );
}

#[test]
fn the_ratings_of_several_people_are_averaged_and_held_against_each_other() {
    let lab = Lab::new();
    lab.write(
        "rated.csv",
        "id,text,ann,ben\n1,One two.,1,2\n2,The dog run.,2,2\n3,A tale.,4,3\n4,Tale.,5,4\n",
    );
    let words = ["init", "p", "--from", "rated.csv", "--ratings=ann,ben"];
    well(&lab, &words);
    let spec = "p/experiments/first.toml";
    well(&lab, &["lint", "--strict", spec]);
    well(&lab, &["run", "-q", spec]);
    let people = lab.read("p/reports/first/people.csv");
    // By hand: the mid-ranks are 1, 2, 3, 4 and 1.5, 1.5, 3, 4.
    assert!(people.contains("0.948"), "{people}");
}

#[test]
fn columns_with_names_of_the_house_are_called_otherwise() {
    let lab = Lab::new();
    lab.write(
        "odd.csv",
        "key,first,second,score\nx,a b,c d,1\ny,e f,g,2\nz,g,h,0\n",
    );
    let words = ["init", "p", "--from", "odd.csv", "--ratings=score"];
    well(&lab, &words);
    well(&lab, &["lint", "--strict", "p/experiments/first.toml"]);
    well(&lab, &["run", "-q", "p/experiments/first.toml"]);
}

#[test]
fn a_folder_of_texts_is_judged_where_it_lies() {
    let lab = Lab::new();
    lab.write("mine/one.txt", "The mill stood still.");
    lab.write("mine/two.md", "The ferry go.");
    lab.write("mine/rated.csv", "doc_id,grade\none,5\ntwo,2\n");
    well(&lab, &["init", "p", "--from", "mine", "--ratings"]);
    assert!(
        lab.read("p/tribunal.local.toml")
            .contains("[paths]\ndata = ")
    );
    well(&lab, &["lint", "--strict", "p/experiments/first.toml"]);
    well(&lab, &["run", "-q", "p/experiments/first.toml"]);
}

#[test]
fn init_says_what_it_cannot_understand() {
    let lab = Lab::new();
    lab.write("twice.csv", "id,text\na,x\na,y\n");
    lab.write(
        "said.csv",
        "id,answer_a,answer_b,winner\na,x,y,left\nb,x,y,A\n",
    );
    lab.write("words.csv", "id,text,rating\na,x,good\nb,y,bad\n");
    lab.write("none/read.me", "");
    for (words, why) in [
        (
            &["--from", "no.csv"][..],
            "there is no file or folder `no.csv`",
        ),
        (
            &["--from", "twice.csv", "--id", "id"],
            "`id` does not name the rows",
        ),
        (
            &["--from", "said.csv", "--ratings"],
            "`winner` holds `left`, which names neither text and no tie",
        ),
        (
            &["--from", "words.csv", "--ratings=rating"],
            "`rating` does not hold numbers alone",
        ),
        (
            &["--from", "words.csv", "--text", "txt"],
            "the data has no column `txt`",
        ),
        (&["--from", "none"], "holds no `.txt` and no `.md`"),
        (
            &["--data", "folder", "--pairs"],
            "pairs are two columns of a table",
        ),
    ] {
        let said = typed(&lab, &[&["init", "p"], words].concat()).unwrap_err();
        assert!(said.contains(why), "{words:?}\n{said}");
        assert!(!lab.path("p").exists());
    }
}
