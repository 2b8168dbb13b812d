//! What is written for people is what the command accepts: the JSON schema, the README, `init`.

use std::path::Path;
use std::process::{Command, Output};

use fs_err as fs;

use crate::corpus::{column, result};
use crate::lab::Lab;
use tribunal::frame::Frame;
use tribunal::models::dialect::Dialect;
use tribunal::models::local::LocalKind;
use tribunal::models::parse::Parser;
use tribunal::stats::statistic::{Role, STATISTICS, Statistic};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command, run in a folder without variables of its own.
fn tribunal(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TRIBUNAL_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .unwrap()
}

fn passes(folder: &Path, spec: &str) {
    let output = tribunal(folder, &["lint", "--strict", spec]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{spec}:\n{told}");
}

#[test]
fn the_schema_in_the_repository_is_what_the_command_prints() {
    let output = tribunal(root(), &["schema"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let there = fs::read_to_string(root().join("tribunal.schema.json")).unwrap();
    assert!(
        printed == there,
        "run `tribunal schema > tribunal.schema.json`"
    );
}

#[test]
fn the_docs_have_every_statistic_as_the_list_has_it() {
    let page = root().join("docs/report.md");
    let text = fs::read_to_string(&page).unwrap();
    let head = "| statistic | of | what |\n|---|---|---|\n";
    let (before, rest) = text.split_once(head).unwrap();
    let (there, after) = rest.split_once("\n\n").unwrap();
    let of = |one: &Statistic| {
        let of = [
            (one.of_group.is_some(), "scores, statistics"),
            (one.of_answers.is_some(), "`unscored`"),
            (one.of_test.is_some(), "tests"),
            (one.of_family, "tests with `correct`"),
        ];
        let of = of.iter().filter(|(given, _)| *given);
        of.map(|(_, of)| *of).collect::<Vec<_>>().join(", ")
    };
    let lines = STATISTICS.iter().map(|one| {
        let marks = match one.role {
            Role::Tested => "; carries marks in tests",
            Role::Plain | Role::PValue => "",
        };
        format!("| `{}` | {} | {}{marks} |", one.name, of(one), one.about)
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&page, format!("{before}{head}{lines}\n\n{after}")).unwrap();
        return;
    }
    assert!(there == lines, "run `INSTA_UPDATE=always cargo test docs`");
}

#[test]
fn the_docs_name_every_provider_and_every_parser() {
    let page = fs::read_to_string(root().join("docs/models.md")).unwrap();
    let served = Dialect::ALL.iter().map(|dialect| dialect.name());
    let providers = served.chain(LocalKind::ALL.iter().map(|kind| kind.name()));
    let parsers = Parser::ALL.iter().map(|parser| parser.name());
    let rows = providers.map(|name| format!("\n| `{name}` |"));
    let missing: Vec<String> = rows
        .chain(parsers.map(|name| format!("`{name}` ")))
        .filter(|words| !page.contains(words))
        .collect();
    assert!(missing.is_empty(), "not in docs/models.md: {missing:?}");
}

#[test]
fn the_readme_shows_the_table_that_its_first_command_prints() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let start = readme.find("Change of the score by damage\n").unwrap();
    let (shown, _) = readme[start..].split_once("\nsummed over").unwrap();
    let lab = Lab::quickstart();
    let run = lab
        .exactly(&["run", "experiments/quickstart.toml"])
        .output();
    let printed = String::from_utf8(run.unwrap().stdout).unwrap();
    // How far apart the columns are, and where notes break, is the terminal's affair.
    let words = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(['─', '═']));
        let words = lines.flat_map(str::split_whitespace);
        words.map(str::to_owned).collect()
    };
    let (shown, printed) = (words(shown), words(&printed));
    assert!(
        shown.iter().any(|word| word == "‡")
            && printed.windows(shown.len()).any(|words| words == shown),
        "the README shows\n{shown:#?}\nand the command prints\n{printed:#?}"
    );
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 900, "{words} words");
}

#[test]
fn the_specs_in_the_readme_and_on_the_page_of_specs_pass_the_check() {
    let blocks = [blocks("README.md"), blocks("docs/spec.md")].concat();
    assert_eq!(blocks.len(), 2);
    let vanilla = fs::read_to_string(root().join("templates/vanilla.j2")).unwrap();
    // What the example builds on has only what the example does not say itself.
    let project = Lab::new()
        .template("vanilla", &vanilla)
        .file("experiments/answers.csv", "doc_id,text,human\na,One.,3\nb,Two.,4\n")
        .file("experiments/gold/one.txt", "One.")
        .file("experiments/gold.csv", "doc_id,year\none,1931\n")
        .file(
            "experiments/expected/effects.csv",
            "length,metric,model,printed\n2000,fluency,qwen3-32b,-1.0\n",
        )
        .file("experiments/expected/effects.notes.toml", "")
        .file("experiments/corpus.toml", "")
        .file(
            "experiments/models.toml",
            "[models.qwen3-32b]\nprovider = \"recorded\"\nfiles = \"{outputs}/qwen.parquet\"\n\
             text = \"raw_text\"\nmatch = { doc_id = \"doc_id\", length = \"length\", task = \"task\" }\n",
        );
    for (number, block) in blocks.into_iter().enumerate() {
        let name = format!("experiments/readme-{number}.toml");
        project.write(&name, block);
        passes(&project.path(""), &name);
    }
}

#[test]
fn the_experiments_and_the_first_one_pass_the_check() {
    for spec in [
        "experiments/quickstart.toml",
        "experiments/judgememo/table-a-12.toml",
        "experiments/judgememo/table-a-13.toml",
        "experiments/judgememo/table-5-1.toml",
        "experiments/judgememo/table-3-1.toml",
        "experiments/judgememo/table-3-5.toml",
        "experiments/judgememo/cofluevallc.toml",
        "experiments/judgememo/section-memory.toml",
        "experiments/judgememo/significance.toml",
        "experiments/judgememo/method.toml",
        "experiments/judgememo/next/more-models.toml",
        "experiments/judgememo/next/longer-documents.toml",
        "experiments/judgememo/next/other-domains.toml",
        "experiments/judgememo/next/repeats.toml",
        "experiments/live/judgememo.toml",
        "experiments/agreement",
        "experiments/biases",
        "experiments/shapes",
        "experiments/faithfulness-live",
        "experiments/needles/stories.toml",
        "experiments/hamlet/planted.toml",
        "experiments/hamlet/stories.toml",
        "experiments/monocle",
        "experiments/live",
        "tools/compare_coflueval.toml",
    ] {
        passes(root(), spec);
    }
    let project = Lab::new();
    let output = tribunal(&project.path(""), &["init", "."]);
    assert!(output.status.success());
    passes(&project.path(""), "experiments/first.toml");
}

/// Every block of a page that is marked as TOML, those of parts of a spec (`toml part`) left out.
fn blocks(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let blocks = text.split("```toml\n").skip(1);
    blocks
        .filter_map(|block| block.split_once("```"))
        .map(|(block, _)| block.to_owned())
        .collect()
}

/// What the blocks of the corpus page read without saying it, stage by stage.
const READ: [&str; 5] = [
    "[source.books]\nfiles = [\"tale.txt\"]\nmetadata = \"tale.csv\"\n",
    "[source.articles]\nfiles = [\"tale.txt\"]\n",
    "[clean.gold]\nfrom = \"books\"\n",
    "[truncate.cut]\nfrom = \"books\"\ntokens = \"full\"\n",
    "[manipulate.damaged]\nfrom = \"cut\"\napply = \"typos\"\n",
];

const TALE: &str = "Anna walked to Paris, and the rain did not stop. She said that Thomas or Clara had slept. \
                    They went home before it was dark, and nobody asked where they had been. ";

/// A project with what the blocks of the corpus page read, and with each block as a spec.
fn corpus_project(blocks: &[String]) -> Lab {
    let tale = [3, 5, 4, 8].map(|times| TALE.repeat(times)).join("\n\n");
    let more = format!("name,body\nfour,\"{}\"\n", tale.replace('"', ""));
    let project = Lab::new()
        .file("experiments/tale.txt", &tale)
        .file("experiments/texts/one.txt", &tale)
        .file("experiments/texts/more/two.txt", &tale)
        .file("experiments/books/three.txt", &tale)
        .file(
            "experiments/tale.csv",
            "doc_id,title,year\ntale,A tale,1931\n",
        )
        .file(
            "experiments/books.csv",
            "name,year\nthree,1931\nfour,1932\n",
        )
        .file("experiments/more.csv", more);
    for (number, block) in blocks.iter().enumerate() {
        let said = |stage: &&&str| !block.contains(stage.lines().next().unwrap_or_default());
        let mut base: String = READ.iter().filter(said).copied().collect();
        if block.contains("\"task\"") && !block.contains("[axes]") {
            base.push_str(
                "[axes]\ntask = { set = \"manipulate.damaged.apply\", values = [\"none\", 41] }\n",
            );
        }
        project.write(&format!("experiments/base-{number}.toml"), base);
        let spec = format!("extends = [\"base-{number}.toml\"]\n{block}");
        project.write(&format!("experiments/corpus-{number}.toml"), spec);
    }
    project
}

#[test]
fn the_blocks_of_the_corpus_page_pass_the_check_and_run() {
    let blocks = blocks("docs/corpus.md");
    assert!(blocks.len() > 6, "{blocks:?}");
    let project = corpus_project(&blocks);
    for (number, block) in blocks.iter().enumerate() {
        let spec = format!("experiments/corpus-{number}.toml");
        // Books are not fetched and spaCy is not started; samples are larger than one tale.
        let only_checked = ["gutenberg", "annotators", "sample"];
        let verb = if only_checked.iter().any(|word| block.contains(word)) {
            "lint"
        } else {
            "run"
        };
        let output = tribunal(&project.path(""), &[verb, &spec]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{verb}\n{block}\n{told}");
    }
}

/// Sees that a page names every setting of these tables.
fn names_every_setting(page: &str, tables: &[&str]) {
    let schema = tribunal(root(), &["schema"]).stdout;
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    let text = fs::read_to_string(root().join(page)).unwrap();
    // What stands in backticks, or in a block.
    let inline = text.split('`').skip(1).step_by(2);
    let fenced = text.split("```").skip(1).step_by(2);
    let said: std::collections::BTreeSet<&str> = inline
        .chain(fenced)
        .flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)))
        .collect();
    let definitions = schema["definitions"].as_object().unwrap();
    for name in tables {
        let settings = definitions[*name]["properties"].as_object();
        for setting in settings.unwrap_or_else(|| panic!("{name}")).keys() {
            // What every table may say is told once, of the spec.
            assert!(
                setting == "like" || said.contains(setting.as_str()),
                "{page} does not say what `{setting}` of {name} is"
            );
        }
    }
}

#[test]
fn every_setting_of_stages_of_documents_stands_on_the_corpus_page() {
    names_every_setting(
        "docs/corpus.md",
        &[
            "RawSource",
            "RawClean",
            "RawSelect",
            "RawKeywords",
            "RawTop",
            "RawTruncate",
            "RawSplit",
            "RawManipulate",
            "RawContent",
            "RawRepeat",
            "RawTemporal",
            "RawEntities",
            "RawSwapEntities",
            "RawTerm",
            "RawLetters",
            "RawWordOrder",
            "RawPunctuation",
            "RawNeedle",
            "RawMeasure",
            "RawExport",
            "RawAnnotator",
        ],
    );
}

#[test]
fn every_setting_of_scorers_stands_on_the_page_of_programs() {
    names_every_setting("docs/programs.md", &["RawScorer"]);
}

#[test]
fn every_setting_of_relations_stands_on_their_page() {
    names_every_setting(
        "docs/relations.md",
        &[
            "RawDerive",
            "RawNumber",
            "RawConcat",
            "RawExplode",
            "RawTree",
            "RawGroup",
            "RawJoin",
        ],
    );
}

/// The blocks of a page: what stands behind the marks at their beginning, and their lines.
fn fences(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced
        .map(|block| block.split_once('\n').unwrap_or((block, "")))
        .collect()
}

/// A table as pages print it; what is absent as `–`. What is behind values is too wide for that.
fn printed(table: &Frame) -> String {
    let names = table.names().into_iter().filter(|name| *name != "behind");
    let columns = names.map(|name| {
        let cells = column(table, name).into_iter();
        let cells: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
        let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap();
        (cells, width)
    });
    let columns: Vec<(Vec<String>, usize)> = columns.collect();
    let line = |row: usize| {
        let cells = columns
            .iter()
            .map(|(cells, width)| format!("{:width$}", cells[row]));
        let cells: Vec<String> = cells.collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    (0..=table.rows()).map(line).collect()
}

/// Every example is completed with the page's own files, run, and its table compared with the one in the page.
#[test]
fn the_examples_of_the_page_of_relations_print_what_it_shows() {
    let page = root().join("docs/relations.md");
    let mut text = fs::read_to_string(&page).unwrap();
    let before = text.clone();
    let blocks = fences(&before);
    let files = blocks
        .iter()
        .filter_map(|(head, lines)| Some((head.split_once(' ')?.1, *lines)));
    let (sources, files): (Vec<_>, Vec<_>) = files.partition(|(name, _)| *name == "sources");
    let [(_, sources)] = sources.as_slice() else {
        panic!("{sources:?}");
    };
    let mut kinds = std::collections::BTreeSet::new();
    for pair in blocks.windows(2) {
        let [("toml", example), ("text", shown)] = pair else {
            continue;
        };
        let stage = example
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix('['));
        let stage = stage.and_then(|line| line.strip_suffix(']')).unwrap();
        kinds.extend(stage.split_once('.').map(|(kind, _)| kind));
        let mut lab = Lab::new().spec(&format!("{sources}\n\n{example}"));
        for (file, lines) in &files {
            lab = lab.file(file, lines);
        }
        let ran = lab.run(&["--json"]).ok();
        let table = printed(&result(&lab, &ran, stage));
        let block = format!("```toml\n{example}\n```\n\n```text\n");
        text = text.replace(
            &format!("{block}{shown}"),
            &format!("{block}{}", table.trim_end()),
        );
    }
    let all = [
        "concat", "derive", "explode", "group", "join", "select", "split",
    ];
    assert!(kinds.iter().eq(&all), "{kinds:?}");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&page, text).unwrap();
        return;
    }
    let (now, then) = (text.lines(), before.lines());
    let differing = now.zip(then).find(|(now, then)| now != then);
    assert!(
        text == before,
        "run `INSTA_UPDATE=always cargo test docs`: {differing:?}"
    );
}
