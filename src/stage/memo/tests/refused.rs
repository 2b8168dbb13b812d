//! What no memory is made of, and what is told of gaps.

use super::*;

#[test]
fn a_section_that_is_judged_twice_is_refused() {
    let rows = judge(&[row("a", 1, "fluency", 3.0), row("a", 1, "fluency", 4.0)]);
    insta::assert_snapshot!(failure(&memo(1), &[&rows]), @r#"
    section 1 of `a` has two rows for `fluency` in `judge.sections-1`
    hint: name the columns that tell documents apart, as in `key = ["doc_id", "task"]`, or select fewer rows
    "#);
    let one = judge(&[row("a", 1, "fluency", 3.0)]);
    insta::assert_snapshot!(failure(&memo(2), &[&one, &one]), @r"
    section 1 of `a` is scored for `fluency` by both `judge.sections-1` and `judge.sections-2`
    hint: let each metric be scored by one judge
    ");
}

#[test]
fn a_score_of_no_section_is_refused() {
    let rows = judge(&[Row {
        section: None,
        ..row("a", 1, "fluency", 3.0)
    }]);
    insta::assert_snapshot!(failure(&memo(1), &[&rows]), @r"
    `a` is scored in `judge.sections-1` without the number of a section
    hint: let the judge read a `split` stage, or name the column with the numbers with `section`
    ");
}

#[test]
fn documents_none_of_which_was_judged_are_refused() {
    let docs = documents(&[("c", Some("one"))]);
    let rows = judge(&[row("a", 1, "fluency", 3.0)]);
    insta::assert_snapshot!(failure(&beside(1), &[&rows, &docs]), @r"
    none of 1 document has sections among the judgements of `judge.sections-1`
    hint: they are matched on `doc_id`; name other columns with `key`
    ");
    let twice = documents(&[("a", Some("one")), ("a", Some("two"))]);
    insta::assert_snapshot!(failure(&beside(1), &[&rows, &twice]), @r#"
    two documents are called `a`
    hint: name the columns that distinguish them: `key = ["doc_id", "..."]`
    "#);
}

#[test]
fn judges_of_different_sections_are_refused() {
    let fluency = judge(&[row("a", 1, "fluency", 3.0)]);
    let coherence = judge(&[row("a", 1, "coherence", 3.0)])
        .with_column("start", ColumnData::Int(vec![Some(11)]))
        .unwrap();
    insta::assert_snapshot!(failure(&memo(2), &[&fluency, &coherence]), @r"
    the judgements of section 1 of `a` differ in `start`
    hint: let all judges of a memo read the same sections
    ");
}

#[test]
fn numbers_that_are_none_are_refused_and_texts_and_floats_are_read() {
    let rows = judge(&[row("a", 1, "fluency", 3.0)]);
    let of = |data: ColumnData| rows.clone().with_column("section", data).unwrap();
    for (data, shown) in [
        (ColumnData::text(["first"]), "first"),
        (ColumnData::Float(vec![Some(1.5)]), "1.5"),
        (ColumnData::Int(vec![Some(-1)]), "-1"),
    ] {
        let said = failure(&memo(1), &[&of(data)]);
        assert!(
            said.contains(&format!("`{shown}` in the column `section`")),
            "{said}"
        );
    }
    for data in [ColumnData::text(["01"]), ColumnData::Float(vec![Some(1.0)])] {
        assert!(report_of(&memo(1), &[&of(data)]).contains("Section 1 "));
    }
}

#[test]
fn columns_that_a_memo_adds_are_refused() {
    let rows = judge(&[row("a", 1, "fluency", 3.0)])
        .with_column("report", ColumnData::text(["mine"]))
        .unwrap();
    insta::assert_snapshot!(failure(&memo(1), &[&rows]), @r"
    `judge.sections-1` has a column `report`, which `memo` adds
    hint: rename it, or leave it out with `columns`
    ");
}

#[test]
fn a_metric_none_of_whose_sections_was_judged_is_told_of_each() {
    let fluency = judge(&[row("a", 1, "fluency", 3.0), row("a", 2, "fluency", 4.0)]);
    let coherence = judge(&[]);
    let memo = Memo {
        metrics: vec!["fluency".to_owned(), "coherence".to_owned()],
        ..memo(2)
    };
    let output = memo.put_together(&[&fluency, &coherence]).unwrap();
    let report = cell(&output.frame, "report", 0).unwrap();
    let told = "- coherence: could not be scored (no judge was asked for it)\n";
    assert_eq!(report.matches(told).count(), 2, "{report}");
    assert_eq!(cell(&output.frame, "sections_unscored", 0).unwrap(), "2");
}

#[test]
fn documents_that_only_a_missing_column_tells_apart_are_refused() {
    let rows = |ids: &[(&str, i64)], tasks: &[&str]| {
        let rows: Vec<Row<'_>> = ids
            .iter()
            .map(|(id, n)| row(id, *n, "fluency", 3.0))
            .collect();
        judge(&rows)
            .with_column("task", ColumnData::text(tasks.iter().copied()))
            .unwrap()
    };
    let docs = documents(&[("a", Some("one")), ("b", Some("two"))]);
    let by_task = |key_given| Memo {
        key: vec!["doc_id".to_owned(), "task".to_owned()],
        key_given,
        ..beside(1)
    };
    let mixed = rows(&[("b", 1), ("a", 1), ("a", 2)], &["gold", "gold", "typos"]);
    insta::assert_snapshot!(failure(&by_task(false), &[&mixed, &docs]), @r"
    the sections of `a` are of several `task` (`gold`, `typos`) in `judge.sections-1`, and `source.docs` has no column `task`
    hint: `task` identifies documents: keep the column in the table that lacks it, select the rows of one `task`, or name the columns that identify documents with `key`
    ");
    let told = failure(&by_task(true), &[&mixed, &docs]);
    assert!(told.contains("no column `task`"), "{told}");
    // One value for each document tells nothing apart.
    let one_each = rows(&[("b", 1), ("a", 1), ("a", 2)], &["gold", "typos", "typos"]);
    assert!(report_of(&by_task(false), &[&one_each, &docs]).contains("2 judged sections"));
}

#[test]
fn an_end_that_was_not_judged_is_told() {
    // The section ends at character 19.
    let rows = judge(&[row("a", 1, "fluency", 3.0), row("b", 1, "fluency", 3.0)]);
    let whole = format!("{}\n \n", "é".repeat(19));
    let longer = "é".repeat(30);
    let docs = documents(&[("a", Some(&longer)), ("b", Some(&whole))]);
    let output = beside(1).put_together(&[&rows, &docs]).unwrap();
    let report = |row| cell(&output.frame, "report", row).unwrap();
    let told = "\nThe end of the text was not judged: characters 19 to 30\n";
    assert!(report(0).contains(told), "{}", report(0));
    assert!(!report(1).contains("not judged"), "{}", report(1));
    assert!(
        cell(&output.frame, "memory", 0)
            .unwrap()
            .contains(r#""rest":[19,30]"#)
    );
    assert_eq!(
        output.warnings,
        ["the end of 1 document was not judged: `a` (characters 19 to 30)"]
    );
    let memo = Memo {
        offsets: false,
        ..beside(1)
    };
    assert!(report_of(&memo, &[&rows, &docs]).contains("\nThe end of the text was not judged\n"));
}
