//! The memory judge put together: documents cut into sections, sections summarised and judged, the
//! judgements made into a report, and the report judged.

mod previous;
mod specs;

use tribunal::frame::Frame;

use crate::corpus::{cell, column, jsonl, result};
use crate::lab::{Lab, Ran};

/// The whole method over two documents of paragraphs.
const METHOD: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[split.parts]
from = "docs"
into = "paragraphs"

[generate.sums]
from = "parts"
model = "fake"
prompt = "sum"
into = "summary"

[judge.parts]
max-unscored = 1
from = "sums"
model = "fake"
prompt = "part"
variables = ["text", "summary"]

[memo.notes]
from = "judge.parts"
documents = "docs"
summaries = "summary"

[judge.whole]
max-unscored = 1
from = "notes"
model = "fake"
prompt = "whole"
variables = ["report", "text"]

[stats.scores]
from = "whole"

[table.scores]
from = "scores"
rows = ["metric"]
"#;

/// What the model says: of sections by what they tell, of reports by what stands in them.
const REPLIES: &str = r#"
[[reply]]
contains = ["Sum up", "ferry"]
text = "A ferry goes."

[[reply]]
contains = ["Sum up"]
text = "Something else happens."

[[reply]]
contains = ["Report on"]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 3"

[[reply]]
contains = ["mill"]
text = "I would rather not say."

[[reply]]
text = """
1) Fluency Issues:
- [GRAMMAR] a verb is missing
2) Coherence Issues:
- [LOGIC] the rain comes from nowhere
3) FINAL Coherence Score: 3.5
4) FINAL Fluency Score: 4
"""
"#;

pub(super) const DOCUMENTS: [(&str, &str); 2] = [
    (
        "a",
        "The ferry left at noon.\n\nThe mill stood still.\n\nIt came back at night.",
    ),
    ("b", "Nobody knew why the garden was wet.\n\nIt had rained."),
];

pub(crate) fn method() -> Lab {
    Lab::new()
        .spec(METHOD)
        .file("docs.jsonl", jsonl(&DOCUMENTS))
        .template("sum", "Sum up: {{ text }}")
        .template(
            "part",
            "Grade {{ metrics | join(' and ') }}.\n{{ summary }}\n{{ text }}",
        )
        .template(
            "whole",
            "Grade {{ metrics | join(' and ') }} by what was found.\n{{ report }}\n{{ text }}",
        )
        .script(REPLIES)
}

/// The rows of a stage.
fn rows(lab: &Lab, ran: &Ran, node: &str) -> Frame {
    result(lab, ran, node)
}

#[test]
fn sections_are_judged_and_the_report_on_them_is_what_the_final_judge_reads() {
    let lab = method();
    let ran = lab.run(&["--json"]).ok();
    // A summary and a judgement of each section, and a judgement of each report.
    assert_eq!(ran.asked, 5 + 5 + 2);
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(column(&notes, "doc_id"), ["a", "b"]);
    assert_eq!(cell(&notes, "text", 0).unwrap(), DOCUMENTS[0].1);
    insta::assert_snapshot!("report", cell(&notes, "report", 0).unwrap());
    assert_eq!(column(&notes, "sections"), ["3", "2"]);
    assert_eq!(column(&notes, "sections_unscored"), ["1", "0"]);
    let whole = rows(&lab, &ran, "judge.whole");
    assert_eq!(column(&whole, "score"), ["2", "3", "2", "3"]);
    assert_eq!(lab.again().ok().asked, 0);
}

#[test]
fn a_document_whose_sections_are_not_there_is_unscored_with_the_reason() {
    let lab = method();
    lab.change("into = \"paragraphs\"", "into = \"chapters\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 0);
    let whole = rows(&lab, &ran, "judge.whole");
    assert_eq!(column(&whole, "unscored"), ["not-applicable"; 4]);
    let detail = cell(&whole, "detail", 0).unwrap();
    assert!(detail.starts_with("there is no `report`: "), "{detail}");
    assert!(detail.contains("chapter"), "{detail}");
}

#[test]
fn a_judge_of_the_memory_alone_counts_a_document_without_one_as_unscored() {
    let lab = method();
    lab.change("into = \"paragraphs\"", "into = \"chapters\"");
    lab.change(
        "variables = [\"report\", \"text\"]",
        "variables = [\"memory\"]",
    );
    lab.write(
        "templates/whole.j2",
        "Grade {{ metrics | join(' and ') }}.\n{{ memory }}",
    );
    let ran = lab.run(&["--json"]).ok();
    let whole = rows(&lab, &ran, "judge.whole");
    assert_eq!(column(&whole, "unscored"), ["not-applicable"; 4]);
    let detail = cell(&whole, "detail", 0).unwrap();
    assert!(detail.starts_with("there is no `memory`: "), "{detail}");
}

#[test]
fn a_metric_whose_judge_reads_nothing_is_told_of_each_section() {
    let lab = method();
    lab.change(
        "variables = [\"text\", \"summary\"]",
        "variables = [\"text\", \"summary\"]\nmetrics = \"fluency\"\n\n[select.nothing]\nfrom = \"sums\"\nwhere = \"section > 9\"\n\n[judge.coherence]\nmax-unscored = 1\nfrom = \"nothing\"\nmodel = \"fake\"\nprompt = \"part\"\nvariables = [\"text\", \"summary\"]\nmetrics = \"coherence\"",
    );
    lab.change(
        "from = \"judge.parts\"",
        "from = [\"judge.parts\", \"coherence\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(column(&notes, "sections_unscored"), ["3", "2"]);
    let report = cell(&notes, "report", 0).unwrap();
    let told = "- coherence: could not be scored (no judge was asked for it)";
    assert_eq!(report.matches(told).count(), 3, "{report}");
}

#[test]
fn sections_left_out_at_the_end_are_told() {
    let lab = method();
    lab.append("[select.first]\nfrom = \"generate.sums\"\nwhere = \"section == 1\"\n");
    lab.change("from = \"sums\"\nmodel", "from = \"first\"\nmodel");
    let ran = lab.run(&["--json"]).ok();
    let notes = rows(&lab, &ran, "memo.notes");
    let report = cell(&notes, "report", 0).unwrap();
    assert!(
        report.contains("The end of the text was not judged: characters "),
        "{report}"
    );
}

#[test]
fn an_axis_that_sets_the_sections_reaches_report_and_final_judge() {
    let lab = method();
    lab.append(
        "[axes]\ncut = { set = \"split.parts.into\", values = [\"paragraphs\", \"chapters\"] }\norder = { set = \"memo.notes.order\", values = [\"section\", \"label\"] }",
    );
    lab.change(
        "rows = [\"metric\"]",
        "rows = [\"metric\"]\ncolumns = [\"cut\", \"order\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    // The sections are judged once, the reports differ.
    assert_eq!(ran.asked, 5 + 5 + 2 * 2);
    let notes = rows(&lab, &ran, "memo.notes[cut=paragraphs, order=label]");
    assert_eq!(column(&notes, "cut"), ["paragraphs"; 2]);
    assert_eq!(column(&notes, "order"), ["label"; 2]);
    assert!(
        cell(&notes, "report", 0)
            .unwrap()
            .contains("Issues of fluency:")
    );
    insta::assert_snapshot!("table", ran.tables["scores.md"]);
}

#[test]
fn without_documents_the_final_judge_reads_the_report_alone() {
    let lab = method();
    lab.change("documents = \"docs\"\n", "order = \"label\"\n");
    lab.change(
        "variables = [\"report\", \"text\"]",
        "variables = [\"report\", \"memory\"]",
    );
    lab.edit("templates/whole.j2", "{{ text }}", "{{ memory }}");
    let ran = lab.run(&["--json"]).ok();
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(
        notes.names(),
        [
            "doc_id",
            "memory",
            "report",
            "no_memory",
            "no_report",
            "sections",
            "sections_unscored"
        ]
    );
    assert_eq!(ran.summary()["counts"]["scored"], 2 * (5 + 2) - 2);
}

#[test]
fn one_judge_for_each_metric_makes_one_report() {
    let lab = method();
    lab.change(
        "from = \"sums\"\nmodel = \"fake\"\nprompt = \"part\"\nvariables = [\"text\", \"summary\"]",
        "from = \"sums\"\nmodel = \"fake\"\nprompt = \"part\"\nvariables = [\"text\", \"summary\"]\nmetrics = \"fluency\"\n\n[judge.coherence]\nmax-unscored = 1\nfrom = \"sums\"\nmodel = \"fake\"\nprompt = \"part\"\nvariables = [\"text\", \"summary\"]\nmetrics = \"coherence\"",
    );
    lab.edit(
        "script.toml",
        "[[reply]]\ntext = \"\"\"\n1)",
        "[[reply]]\ncontains = [\"Grade fluency.\"]\ntext = \"1) Fluency Issues:\\n- [GRAMMAR] a verb is missing\\nFINAL Fluency Score: 4\"\n\n[[reply]]\ncontains = [\"Grade coherence.\"]\ntext = \"Issues:\\n- [LOGIC] the rain comes from nowhere\\nFINAL Coherence Score: 3.5\"\n\n[[reply]]\ntext = \"\"\"\n1)",
    );
    let other = method();
    let both = rows(&other, &other.run(&["--json"]).ok(), "memo.notes");
    lab.change(
        "from = \"judge.parts\"",
        "from = [\"judge.parts\", \"coherence\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 5 + 2 * 5 + 2);
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(column(&notes, "report"), column(&both, "report"));
}

#[test]
fn repeats_of_the_section_judge_make_a_report_each() {
    let lab = method();
    lab.change(
        "variables = [\"text\", \"summary\"]",
        "variables = [\"text\", \"summary\"]\nrepeats = 2",
    );
    lab.change(
        "from = \"whole\"",
        "from = \"whole\"\nover = [\"doc_id\", \"section_repeat\"]",
    );
    let ran = lab.run(&["--json"]).ok();
    let notes = rows(&lab, &ran, "memo.notes");
    assert_eq!(column(&notes, "doc_id"), ["a", "a", "b", "b"]);
    assert_eq!(column(&notes, "section_repeat"), ["1", "2", "1", "2"]);
    assert!(
        ran.tables["scores.csv"].contains(",4,"),
        "{}",
        ran.tables["scores.csv"]
    );
}
