//! Which judgements there are, and what tells them apart.

use super::opened::Opened;
use super::{View, judgements};
use crate::corpus::jsonl;
use crate::lab::{ANY_SCORE, Lab, SMALL};
use crate::memo;

#[test]
fn there_is_a_row_for_every_score_that_was_asked_for() {
    let lab = Lab::small();
    let ran = lab.run(&["--json"]).ok();
    let opened = judgements(&lab);
    let counted = &ran.record["counts"];
    assert_eq!(counted["scored"], opened.rows());
    assert_eq!(
        opened.names(),
        [
            "judge", "model", "doc_id", "metric", "score", "unscored", "issues", "finish"
        ],
        "what says nothing is left out"
    );
    assert_eq!(opened.cell("judge", 0), "grades");
    assert_eq!(opened.cell("model", 0), "fake");
}

#[test]
fn axes_and_ablations_are_columns_and_rows_stand_in_the_order_of_the_plan() {
    let lab = Lab::small();
    lab.append(
        "[axes]\ncut = { set = \"truncate.short.tokens\", values = [\"full\", 4] }\n\
         [truncate.short]\nfrom = \"docs\"\ntokens = \"full\"\n\
         [[ablation]]\nname = \"whole\"\nset = { \"judge.grades.scale.step\" = 0 }",
    );
    lab.change(
        "[judge.grades]\nfrom = \"docs\"",
        "[judge.grades]\nfrom = \"short\"",
    );
    lab.change(
        "rows = [\"metric\"]",
        "rows = [\"metric\"]\ncolumns = [\"cut\"]",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let cells = |name: &str| -> Vec<String> {
        let cells = (0..opened.rows()).map(|row| opened.cell(name, row));
        cells
            .map(|cell| cell.as_str().unwrap_or("–").to_owned())
            .collect()
    };
    assert_eq!(
        cells("cut"),
        ["full", "full", "4", "4", "full", "full", "4", "4"]
    );
    let ablations = ["–", "–", "–", "–", "whole", "whole", "whole", "whole"];
    assert_eq!(cells("ablation"), ablations);
    assert_eq!(cells("doc_id"), ["a", "b", "a", "b", "a", "b", "a", "b"]);
}

#[test]
fn an_axis_that_is_called_as_a_column_of_ours_keeps_apart_from_it() {
    let lab = Lab::small();
    lab.append(
        "[axes]\njudge = { set = \"judge.grades.prompt\", values = [\"grade\", \"other\"] }",
    );
    lab.write("templates/other.j2", "Score fluency.\n\n{{ text }}\n");
    lab.change(
        "rows = [\"metric\"]",
        "rows = [\"metric\"]\ncolumns = [\"judge\"]",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert_eq!(opened.cell("judge", 3), "grades");
    assert_eq!(opened.cell("axis judge", 3), "other");
}

#[test]
fn what_several_experiments_share_is_there_once_and_says_in_which_it_is() {
    let lab = Lab::small()
        .file("experiments/one.toml", SMALL)
        .file(
            "experiments/two.toml",
            SMALL.replace("[\"fluency\"]", "[\"coherence\"]"),
        )
        .file(
            "experiments/three.toml",
            SMALL.replace("title = \"Small\"", "title = \"Again\""),
        );
    for name in ["one", "two", "three"] {
        let spec = format!("experiments/{name}.toml");
        lab.edit(&spec, "docs/*.txt", "../docs/*.txt");
        lab.edit(&spec, "script.toml", "../script.toml");
    }
    let folder = ["experiments"];
    assert!(
        lab.exactly(&["run", "-q", folder[0]])
            .status()
            .unwrap()
            .success()
    );
    let view = View::start(&mut lab.exactly(&["view", folder[0]]));
    let opened = Opened::of(&view);
    let row = |metric: &str| opened.row(&[("metric", metric)]);
    assert_eq!(opened.rows(), 4);
    assert_eq!(opened.cell("in", row("fluency")), "one, three");
    assert_eq!(opened.cell("in", row("coherence")), "two");
}

#[test]
fn sections_have_their_number_and_a_judge_of_reports_read_the_report() {
    let lab = memo::method();
    lab.change(
        "variables = [\"report\", \"text\"]",
        "variables = \"report\"",
    );
    lab.edit("templates/whole.j2", "{{ text }}", "");
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let section = opened.row(&[("judge", "parts"), ("doc_id", "a")]);
    assert_eq!(opened.cell("section", section), 1);
    assert_eq!(opened.document(section)["label"], "a · section 1");
    assert_eq!(
        opened.text(opened.document(section)).unwrap(),
        "The ferry left at noon.\n\n"
    );
    let whole = opened.row(&[("judge", "whole"), ("doc_id", "a")]);
    assert_eq!(opened.document(whole)["label"], "a · report");
    let report = opened.text(opened.document(whole)).unwrap();
    assert!(report.contains("a verb is missing"), "{report}");
    let sent: String = opened.prompt(whole).remove(0).1;
    assert!(sent.contains(&report), "{sent}");
}

#[test]
fn a_judge_of_texts_that_a_model_wrote_read_those() {
    let lab = Lab::small().template("sum", "Sum up: {{ text }}").script(
        "[[reply]]\ncontains = [\"Sum up\"]\ntext = \"A summary.\"\n\n[[reply]]\ntext = \"FINAL Fluency Score: 4\"",
    );
    lab.append(
        "[generate.sums]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"sum\"\ninto = \"text\"",
    );
    lab.change(
        "[judge.grades]\nfrom = \"docs\"",
        "[judge.grades]\nfrom = \"sums\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert_eq!(opened.rows(), 2, "a row per judgement, and none per text");
    assert_eq!(
        opened.text(opened.document(0)).as_deref(),
        Some("A summary.")
    );
}

#[test]
fn the_built_in_judge_and_recorded_ones_say_why_there_is_no_prompt() {
    let lab = Lab::new()
        .spec(
            "[models.old]\nprovider = \"recorded\"\nfiles = \"old.jsonl\"\ntext = \"said\"\nmatch = { doc_id = \"doc_id\" }\n\
             [source.docs]\nfiles = \"docs.jsonl\"\n\
             [judge.built-in]\nfrom = \"docs\"\nmodel = \"heuristic\"\nmetrics = [\"fluency\"]\n\
             [judge.recorded]\nfrom = \"docs\"\nmodel = \"old\"\nmetrics = [\"fluency\"]\n\
             [stats.one]\nfrom = \"built-in\"\n[stats.other]\nfrom = \"recorded\"\n\
             [table.one]\nfrom = \"one\"\nrows = [\"metric\"]\n[table.other]\nfrom = \"other\"\nrows = [\"metric\"]\n",
        )
        .file("docs.jsonl", jsonl(&[("a", "The ferry left at noon. It came back."), ("b", "The mill stood still.")]))
        .file("old.jsonl", "{\"doc_id\": \"a\", \"said\": \"FINAL Fluency Score: 3\"}\n")
        .script(ANY_SCORE);
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let reply =
        |judge: &str, id: &str| opened.reply(opened.row(&[("judge", judge), ("doc_id", id)]));
    let built_in = reply("built-in", "a").unwrap();
    assert_eq!(
        built_in["prompt_note"],
        "the built-in judge reads the document itself: nothing is sent"
    );
    let recorded = reply("recorded", "a").unwrap();
    assert_eq!(
        recorded["prompt_note"],
        "recorded elsewhere: the prompt is not known"
    );
    assert!(recorded["prompt"].is_null());
    assert_eq!(recorded["reply"], "FINAL Fluency Score: 3");
    assert!(reply("recorded", "b").is_none());
    let row = opened.row(&[("judge", "recorded"), ("doc_id", "b")]);
    assert_eq!(opened.cell("unscored", row), "not-recorded");
    assert_eq!(
        opened.text(opened.document(row)).as_deref(),
        Some("The mill stood still.")
    );
}
