//! Recorded outputs whose settings stand in one text, each setting an axis; and columns that are added for templates.

use crate::keys::{wide, wide_known};
use crate::lab::Lab;

const SPEC: &str = r#"
title = "Replayed"

[axes]
overlap = { set = "models.replay.where.overlap", values = [0.0, 0.1, 0.2], names = ["hard", "stride", "half"] }
shown   = { set = "models.replay.where.report", values = ["report_only"] }

[models.replay]
provider = "recorded"
files    = "replies.csv"
text     = "reply"
match    = { doc_id = "doc_id" }
parts    = { settings = "sr-{scan}_sor-{overlap}_rm-{report}" }
where    = { scan = 2000 }

[source.docs]
files = "docs/*.txt"

[judge.grades]
from    = "docs"
model   = "replay"
prompt  = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"

[table.scores]
from    = "scores"
rows    = ["metric"]
columns = ["overlap"]
"#;

const REPLIES: &str = "doc_id,settings,reply
a,sr-2000_sor-0.0_rm-report_only,FINAL Fluency Score: 1
b,sr-2000_sor-0.0_rm-report_only,FINAL Fluency Score: 2
a,sr-2000_sor-0.1_rm-report_only,FINAL Fluency Score: 3
b,sr-2000_sor-0.1_rm-report_only,FINAL Fluency Score: 4
a,sr-1000_sor-0.1_rm-report_only,FINAL Fluency Score: 5
b,sr-2000_sor-0.1_rm-report_summary,FINAL Fluency Score: 5
a,plain,FINAL Fluency Score: 5
";

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .template("grade", "Grade fluency: {{ text }}")
        .file("docs/a.txt", "One.")
        .file("docs/b.txt", "Two.")
        .file("replies.csv", REPLIES)
}

/// The mean and the unscored of each column of the table.
fn cells(table: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|it| it == name).unwrap();
    let (value, unscored) = (at("value"), at("unscored"));
    let records = reader.records().map(|record| {
        let record = record.unwrap();
        (record[value].to_owned(), record[unscored].to_owned())
    });
    records.collect()
}

#[test]
fn each_setting_in_a_recorded_text_can_be_an_axis() {
    let lab = lab();
    // An axis of one value needs no place in the table.
    lab.cmd(&["lint", "--strict"]).ok();
    let ran = lab.run(&["--json"]).ok();
    let wanted = [("1.5", "0"), ("3.5", "0"), ("", "2")];
    let wanted = wanted.map(|(value, unscored)| (value.to_owned(), unscored.to_owned()));
    assert_eq!(cells(&ran.tables["scores.csv"]), wanted);
    // Another pattern takes the texts apart otherwise, and is another question.
    lab.change("sor-{overlap}_rm", "sor-{overlap}.0_rm");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(cells(&ran.tables["scores.csv"])[1].1, "2");
}

#[test]
fn settings_that_nobody_recorded_are_cells_without_a_value_and_no_failure() {
    let lab = lab();
    lab.change("scan = 2000", "scan = 1500");
    let ran = lab.run(&["--json"]).ok();
    for (value, unscored) in cells(&ran.tables["scores.csv"]) {
        assert_eq!((&*value, &*unscored), ("", "2"));
    }
}

#[test]
fn a_column_that_is_added_is_given_to_templates_and_can_be_an_axis() {
    let lab = wide_known();
    lab.change(
        "where = \"year >= 1900\"\n",
        "where = \"year >= 1900\"\nadd = { notice = \"shown\" }\n",
    );
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.stages().contains(&"select.some".to_owned()));
    assert_eq!(ran.asked, 0, "no prompt looks at it");
    lab.change("notice = \"shown\"", "notice = \"hidden\"");
    let said = lab.cmd(&["why", "select.some"]).ok().out;
    assert!(said.contains("parameters.add.notice"), "{said}");
    let lab = wide();
    lab.change(
        "where = \"year >= 1900\"\n",
        "where = \"year >= 1900\"\nadd = { genre = \"any\" }\n",
    );
    let ran = lab.run(&[]).exit(3);
    assert!(
        ran.err.contains("already has a column `genre`"),
        "{}",
        ran.err
    );
}
