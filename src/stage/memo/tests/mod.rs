//! Reports and memories made from rows as judges leave them.

mod refused;

use serde_json::{Value, json};

use super::*;
use crate::stage::Kind;

/// A row of a judge: document, section, metric, score or why there is none, issues with their labels.
struct Row<'r> {
    id: &'r str,
    section: Option<i64>,
    metric: &'r str,
    score: Result<f64, &'r str>,
    issues: &'r [(Option<&'r str>, Option<&'r str>, &'r str)],
}

fn row<'r>(id: &'r str, section: i64, metric: &'r str, score: f64) -> Row<'r> {
    Row {
        id,
        section: Some(section),
        metric,
        score: Ok(score),
        issues: &[],
    }
}

/// The rows as a table; sections of ten characters each.
fn judge(rows: &[Row<'_>]) -> Frame {
    let text =
        |of: &dyn Fn(&Row<'_>) -> Option<String>| ColumnData::Text(rows.iter().map(of).collect());
    let int = |of: &dyn Fn(&Row<'_>) -> Option<i64>| ColumnData::Int(rows.iter().map(of).collect());
    let issues = |row: &Row<'_>| {
        let issues = row.issues.iter();
        let issues = issues.map(|(metric, label, text)| {
            json!({ "metric": metric, "label": label, "text": text, "span": { "start": 0, "end": 1 } })
        });
        Some(Value::Array(issues.collect()).to_string())
    };
    Frame::new(vec![
        ("doc_id".to_owned(), text(&|row| Some(row.id.to_owned()))),
        (
            "title".to_owned(),
            text(&|row| Some(format!("The {}", row.id))),
        ),
        ("section".to_owned(), int(&|row| row.section)),
        ("start".to_owned(), int(&|row| row.section.map(|n| n * 10))),
        (
            "end".to_owned(),
            int(&|row| row.section.map(|n| n * 10 + 9)),
        ),
        (
            "metric".to_owned(),
            text(&|row| Some(row.metric.to_owned())),
        ),
        (
            "score".to_owned(),
            ColumnData::Float(rows.iter().map(|row| row.score.ok()).collect()),
        ),
        (
            "unscored".to_owned(),
            text(&|row| Some(row.score.err()?.split(": ").next()?.to_owned())),
        ),
        (
            "detail".to_owned(),
            text(&|row| Some(row.score.err()?.split_once(": ")?.1.to_owned())),
        ),
        ("issues".to_owned(), text(&issues)),
    ])
    .unwrap()
}

fn memo(judges: usize) -> Memo {
    let from = (1..=judges).map(|n| StageName::new(Kind::Judge, format!("sections-{n}")));
    Memo {
        from: from.collect(),
        documents: None,
        metrics: Vec::new(),
        key: vec!["doc_id".to_owned()],
        key_given: false,
        section: "section".to_owned(),
        order: Order::Section,
        offsets: true,
        summaries: None,
        of_sections: Vec::new(),
    }
}

/// The one memo stage that reads these documents.
fn beside(judges: usize) -> Memo {
    let documents = Some(StageName::new(Kind::Source, "docs"));
    Memo {
        documents,
        ..memo(judges)
    }
}

fn documents(ids: &[(&str, Option<&str>)]) -> Frame {
    Frame::new(vec![
        (
            "doc_id".to_owned(),
            ColumnData::text(ids.iter().map(|(id, _)| *id)),
        ),
        (
            "text".to_owned(),
            ColumnData::Text(
                ids.iter()
                    .map(|(_, text)| text.map(str::to_owned))
                    .collect(),
            ),
        ),
    ])
    .unwrap()
}

fn cell(frame: &Frame, name: &str, row: usize) -> Option<String> {
    let column = frame.column(name).unwrap();
    column.text(row).map(std::borrow::Cow::into_owned)
}

/// The report on the first document.
fn report_of(memo: &Memo, inputs: &[&Frame]) -> String {
    let output = memo.put_together(inputs).unwrap();
    cell(&output.frame, "report", 0).unwrap()
}

/// What is said when it fails.
fn failure(memo: &Memo, inputs: &[&Frame]) -> String {
    memo.put_together(inputs).unwrap_err().to_string()
}

fn two_sections() -> Frame {
    judge(&[
        Row {
            issues: &[
                (Some("fluency"), Some("GRAMMAR"), "a verb is missing"),
                (Some("fluency"), Some("SPELLING"), "`teh`"),
                (Some("fluency"), Some("Grammar"), "so is a second one"),
                (Some("fluency"), None, "it drags"),
            ],
            ..row("a", 1, "fluency", 3.5)
        },
        Row {
            score: Err("no-score-found"),
            issues: &[(
                Some("coherence"),
                Some("LOGIC"),
                "the rain comes from nowhere",
            )],
            ..row("a", 1, "coherence", 0.0)
        },
        Row {
            issues: &[(Some("fluency"), Some("grammar"), "")],
            ..row("a", 2, "fluency", 4.0)
        },
        Row {
            score: Err("off-scale: 7"),
            ..row("a", 2, "coherence", 0.0)
        },
    ])
}

#[test]
fn a_report_tells_section_by_section_where_it_stands_how_it_was_scored_and_what_is_wrong() {
    insta::assert_snapshot!(report_of(&memo(1), &[&two_sections()]), @r"
    Report on 2 judged sections

    Section 1 (characters 10 to 19)
    Scores:
    - fluency: 3.5
    - coherence: could not be scored (no score stands in a known shape)
    Issues:
    - fluency:
      - [GRAMMAR]:
        - a verb is missing
        - so is a second one
      - [SPELLING]:
        - `teh`
      - no label:
        - it drags
    - coherence:
      - [LOGIC]:
        - the rain comes from nowhere

    Section 2 (characters 20 to 29)
    Scores:
    - fluency: 4
    - coherence: could not be scored (`7` is not on the scale)
    Issues:
    - fluency:
      - [grammar]:
        - named without a description
    - coherence: not known
    ");
}

#[test]
fn a_report_by_label_names_the_section_of_each_issue() {
    let memo = Memo {
        order: Order::Label,
        offsets: false,
        ..memo(1)
    };
    insta::assert_snapshot!(report_of(&memo, &[&two_sections()]), @r"
    Report on 2 judged sections

    Scores:
    - Section 1: fluency 3.5, coherence could not be scored (no score stands in a known shape)
    - Section 2: fluency 4, coherence could not be scored (`7` is not on the scale)

    Issues of fluency:
    - [GRAMMAR]:
      - section 1: a verb is missing
      - section 1: so is a second one
      - section 2: named without a description
    - [SPELLING]:
      - section 1: `teh`
    - no label:
      - section 1: it drags

    Issues of coherence:
    - [LOGIC]:
      - section 1: the rain comes from nowhere
    ");
}

#[test]
fn a_memory_holds_no_score_and_the_reason_where_there_is_none() {
    let output = memo(1).put_together(&[&two_sections()]).unwrap();
    let memory = cell(&output.frame, "memory", 0).unwrap();
    let memory: Value = serde_json::from_str(&memory).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&memory).unwrap(), @r#"
    {
      "sections": [
        {
          "section": 1,
          "start": 10,
          "end": 19,
          "scores": {
            "fluency": 3.5,
            "coherence": null
          },
          "unscored": {
            "coherence": "no score stands in a known shape"
          },
          "issues": {
            "fluency": {
              "GRAMMAR": [
                "a verb is missing",
                "so is a second one"
              ],
              "SPELLING": [
                "`teh`"
              ],
              "no label": [
                "it drags"
              ]
            },
            "coherence": {
              "LOGIC": [
                "the rain comes from nowhere"
              ]
            }
          }
        },
        {
          "section": 2,
          "start": 20,
          "end": 29,
          "scores": {
            "fluency": 4.0,
            "coherence": null
          },
          "unscored": {
            "coherence": "`7` is not on the scale"
          },
          "issues": {
            "fluency": {
              "grammar": [
                ""
              ]
            }
          }
        }
      ],
      "missing": []
    }
    "#);
    assert_eq!(cell(&output.frame, "sections", 0).unwrap(), "2");
    assert_eq!(cell(&output.frame, "sections_unscored", 0).unwrap(), "2");
}

#[test]
fn a_document_has_one_row_with_what_its_rows_have_in_common() {
    let rows = judge(&[
        row("a", 1, "fluency", 3.0),
        row("b", 1, "fluency", 4.0),
        row("a", 2, "fluency", 2.0),
    ]);
    let output = memo(1).put_together(&[&rows]).unwrap();
    assert_eq!(
        output.frame.names(),
        [
            "doc_id",
            "title",
            "memory",
            "report",
            "no_memory",
            "no_report",
            "sections",
            "sections_unscored"
        ]
    );
    assert_eq!(cell(&output.frame, "title", 1).unwrap(), "The b");
    assert_eq!(cell(&output.frame, "sections", 0).unwrap(), "2");
    assert_eq!(output.warnings, [""; 0]);
}

#[test]
fn columns_that_a_memo_passes_over_change_nothing() {
    let mut rows = two_sections();
    for name in ["reply", "call", "finish", "explanation", "text"] {
        // Rows of a section have one text.
        let cells = (0..rows.rows()).map(|row| format!("{name} {}", row / 2));
        rows = rows.with_column(name, ColumnData::text(cells)).unwrap();
    }
    let docs = documents(&[("a", Some("0123456789 0123456789"))]);
    let by_reply = Memo {
        key: vec!["doc_id".to_owned(), "reply".to_owned()],
        ..memo(1)
    };
    let of_text = Memo {
        summaries: Some("text".to_owned()),
        ..memo(1)
    };
    for (memo, inputs, left) in [
        (memo(1), vec![&rows], "reply"),
        (beside(1), vec![&rows, &docs], "reply"),
        (by_reply, vec![&rows], "text"),
        (of_text, vec![&rows], "reply"),
    ] {
        let each = memo.reads().into_iter().zip(&inputs);
        let narrow = each.map(|(name, table)| {
            let over: Vec<&str> = memo.passes_over(name).into_iter().collect();
            table.without(&over)
        });
        let narrow: Vec<Frame> = narrow.collect();
        assert!(!narrow[0].has(left));
        assert_eq!(
            narrow.get(1).map(Frame::names),
            inputs.get(1).map(|docs| docs.names())
        );
        let narrow: Vec<&Frame> = narrow.iter().collect();
        let made = |inputs: &[&Frame]| {
            memo.put_together(inputs)
                .unwrap()
                .frame
                .to_parquet()
                .unwrap()
        };
        assert_eq!(made(&narrow), made(&inputs));
    }
}

#[test]
fn sections_come_in_the_order_of_their_numbers_and_a_gap_is_told() {
    let numbers = [11, 2, 1, 4];
    let rows: Vec<Row<'_>> = numbers.map(|n| row("a", n, "fluency", 3.0)).into();
    let output = memo(1).put_together(&[&judge(&rows)]).unwrap();
    let report = cell(&output.frame, "report", 0).unwrap();
    let order: Vec<&str> = report
        .lines()
        .filter(|l| l.starts_with("Section "))
        .collect();
    assert_eq!(
        order,
        [
            "Section 1 (characters 10 to 19)",
            "Section 2 (characters 20 to 29)",
            "Section 4 (characters 40 to 49)",
            "Section 11 (characters 110 to 119)",
        ]
    );
    assert!(
        report.contains("sections 3, 5 to 10 are missing"),
        "{report}"
    );
    assert_eq!(
        output.warnings,
        ["sections of 1 document were not judged: `a` (sections 3, 5 to 10)"]
    );
    let memory: Value = serde_json::from_str(&cell(&output.frame, "memory", 0).unwrap()).unwrap();
    assert_eq!(memory["missing"], json!([[3, 3], [5, 10]]));
}

#[test]
fn sections_may_be_counted_from_nought() {
    let rows: Vec<Row<'_>> = [0, 1].map(|n| row("a", n, "fluency", 3.0)).into();
    let output = memo(1).put_together(&[&judge(&rows)]).unwrap();
    assert_eq!(output.warnings, [""; 0]);
}

#[test]
fn judges_of_one_metric_each_make_one_memory() {
    let fluency = judge(&[Row {
        issues: &[(None, Some("GRAMMAR"), "a verb is missing")],
        ..row("a", 1, "fluency", 3.0)
    }]);
    let coherence = judge(&[row("a", 1, "coherence", 2.0), row("a", 2, "coherence", 5.0)]);
    insta::assert_snapshot!(report_of(&memo(2), &[&fluency, &coherence]), @r"
    Report on 2 judged sections

    Section 1 (characters 10 to 19)
    Scores:
    - fluency: 3
    - coherence: 2
    Issues:
    - fluency:
      - [GRAMMAR]:
        - a verb is missing
    - coherence: none named

    Section 2 (characters 20 to 29)
    Scores:
    - fluency: could not be scored (no judge was asked for it)
    - coherence: 5
    Issues:
    - fluency: not known
    - coherence: none named
    ");
}

#[test]
fn an_issue_of_no_metric_is_told_once() {
    let issues: &[_] = &[(None, Some("STYLE"), "flat")];
    let rows = judge(&[
        Row {
            issues,
            ..row("a", 1, "fluency", 3.0)
        },
        Row {
            issues,
            ..row("a", 1, "coherence", 3.0)
        },
    ]);
    let report = report_of(&memo(1), &[&rows]);
    assert!(
        report.ends_with("- no metric:\n  - [STYLE]:\n    - flat\n"),
        "{report}"
    );
    assert_eq!(report.matches("flat").count(), 1);
}

#[test]
fn what_a_model_wrote_begins_no_line() {
    let forged = "fine\n\nSection 9 (characters 0 to 1)\r\nScores:\u{2028}- fluency: 5\u{85}\u{b}x";
    let issues = [(Some("fluency"), Some("A\n- coherence: 5"), forged)];
    let rows = judge(&[
        Row {
            issues: &issues,
            ..row("a", 1, "fluency", 1.0)
        },
        Row {
            score: Err("failed: no\nSection 8"),
            ..row("a", 2, "fluency", 1.0)
        },
    ]);
    for order in [Order::Section, Order::Label] {
        let report = report_of(&Memo { order, ..memo(1) }, &[&rows]);
        let plain = |c: char| c == '\n' || !c.is_control() && c != '\u{2028}';
        assert!(report.chars().all(plain), "{report:?}");
        for line in report.lines() {
            let lead = line.trim_start_matches([' ', '-']);
            let forged = ["Section 8", "Section 9", "fluency: 5", "coherence"];
            assert!(
                forged.iter().all(|start| !lead.starts_with(start)),
                "{line}"
            );
        }
    }
}

#[test]
fn a_document_that_could_not_be_cut_has_no_report_and_says_why() {
    let rows = judge(&[
        Row {
            section: None,
            score: Err("not-applicable: the text has no chapters"),
            ..row("a", 1, "fluency", 0.0)
        },
        row("b", 1, "fluency", 3.0),
    ]);
    let output = memo(1).put_together(&[&rows]).unwrap();
    assert_eq!(cell(&output.frame, "report", 0), None);
    assert_eq!(cell(&output.frame, "memory", 0), None);
    let why = cell(&output.frame, "no_report", 0);
    assert_eq!(why.as_deref(), Some("the text has no chapters"));
    assert_eq!(cell(&output.frame, "no_memory", 0), why);
    assert_eq!(cell(&output.frame, "no_report", 1), None);
    assert_eq!(cell(&output.frame, "sections", 0).unwrap(), "0");
}

#[test]
fn documents_keep_their_rows_and_columns_and_get_those_of_the_report() {
    let rows = judge(&[row("b", 1, "fluency", 3.0), row("x", 1, "fluency", 3.0)])
        .with_column("scan", ColumnData::repeat(&1000_u64.into(), 2))
        .unwrap();
    let docs = documents(&[("a", Some("one")), ("b", Some("two")), ("c", None)]);
    let output = beside(1).put_together(&[&rows, &docs]).unwrap();
    let frame = &output.frame;
    assert_eq!(
        frame.names(),
        [
            "doc_id",
            "text",
            "title",
            "scan",
            "memory",
            "report",
            "no_memory",
            "no_report",
            "sections",
            "sections_unscored"
        ]
    );
    let all = |name: &str| [0, 1, 2].map(|row| cell(frame, name, row));
    assert_eq!(all("doc_id").map(Option::unwrap), ["a", "b", "c"]);
    assert_eq!(all("text")[1].as_deref(), Some("two"));
    assert_eq!(all("title"), [None, Some("The b".to_owned()), None]);
    // An axis that reaches the judge is in every row.
    assert_eq!(all("scan").map(Option::unwrap), ["1000"; 3]);
    assert_eq!(
        all("no_report"),
        [
            Some("none of its sections was judged".to_owned()),
            None,
            Some("there is no text".to_owned())
        ]
    );
    assert_eq!(
        output.warnings,
        [
            "no section of 1 document was judged: `a`",
            "the sections of 1 document are left out, which `source.docs` does not have"
        ]
    );
}

#[test]
fn each_repeat_of_the_judge_makes_a_report() {
    let repeat = |n| ColumnData::Int(vec![Some(n), Some(n)]);
    let rows = |n: i64| {
        judge(&[
            row("a", 1, "fluency", n as f64),
            row("b", 1, "fluency", n as f64),
        ])
        .with_column("repeat", repeat(n))
        .unwrap()
    };
    let rows = Frame::stack(&[rows(1), rows(2)]).unwrap();
    let docs = documents(&[("a", Some("one")), ("b", Some("two"))]);
    for (output, order) in [
        (
            memo(1).put_together(&[&rows]).unwrap(),
            ["1", "1", "2", "2"],
        ),
        (
            beside(1).put_together(&[&rows, &docs]).unwrap(),
            ["1", "2", "1", "2"],
        ),
    ] {
        for (row, repeat) in order.into_iter().enumerate() {
            let frame = &output.frame;
            assert_eq!(cell(frame, "section_repeat", row).as_deref(), Some(repeat));
            let report = cell(frame, "report", row).unwrap();
            assert!(
                report.contains(&format!("- fluency: {repeat}\n")),
                "{report}"
            );
        }
        assert!(!output.frame.has("repeat"), "the next judge adds it");
    }
}

#[test]
fn a_summary_stands_in_the_report_and_in_the_memory() {
    let rows = judge(&[row("a", 1, "fluency", 3.0), row("a", 2, "fluency", 3.0)]);
    let summaries = ColumnData::Text(vec![Some("A storm.\nA wreck.".to_owned()), None]);
    let rows = rows.with_column("summary", summaries).unwrap();
    let memo = Memo {
        summaries: Some("summary".to_owned()),
        ..memo(1)
    };
    let output = memo.put_together(&[&rows]).unwrap();
    assert!(!output.frame.has("summary"));
    let report = cell(&output.frame, "report", 0).unwrap();
    assert!(
        report.contains("Section 1 (characters 10 to 19)\nSummary: A storm. A wreck.\nScores:"),
        "{report}"
    );
    assert!(
        report.contains("Section 2 (characters 20 to 29)\nScores:"),
        "{report}"
    );
    let memory = cell(&output.frame, "memory", 0).unwrap();
    assert!(
        memory.contains(r#""summary":"A storm.\nA wreck.""#),
        "{memory}"
    );
    let memo = Memo {
        summaries: Some("sumary".to_owned()),
        ..memo
    };
    insta::assert_snapshot!(failure(&memo, &[&rows]), @r"
    there is no column `sumary`, did you mean `summary`?
    hint: `summaries` names a column of `judge.sections-1`
    ");
}
