use std::collections::BTreeMap;

use super::*;
use crate::output::page::findings::Refused;

/// Grade, subject and text of each, a line each.
fn told(findings: &[Findings]) -> Vec<String> {
    let lines = warnings(findings).into_iter();
    lines
        .map(|warning| {
            format!(
                "{:?} | {} | {}",
                warning.grade, warning.subject, warning.text
            )
        })
        .collect()
}

fn asked(there: u64, missing: &[(&str, u64)]) -> Asked {
    Asked {
        stage: "judge.vanilla".to_owned(),
        model: "m".to_owned(),
        there,
        missing: missing
            .iter()
            .map(|(why, n)| ((*why).to_owned(), *n))
            .collect(),
        ..Asked::default()
    }
}

fn of_asked(asked: Asked) -> String {
    let found = Findings {
        asked: vec![asked],
        ..Findings::default()
    };
    told(&[found]).join("\n")
}

#[test]
fn nothing_found_is_nothing_said() {
    assert!(warnings(&[Findings::default(), Findings::default()]).is_empty());
    assert_eq!(of_asked(asked(12, &[("no-score-found", 0)])), "");
}

#[test]
fn unscored_replies_are_counted_by_reason_with_their_share() {
    let shown = [
        of_asked(asked(1_500, &[("no-score-found", 2), ("cut-by-length", 8)])),
        of_asked(asked(0, &[("no-score-found", 840)])),
        of_asked(asked(0, &[("not-recorded", 840)])),
        of_asked(asked(1_000_000, &[("failed", 1)])),
        of_asked(asked(1, &[("failed", 1_000_000)])),
        of_asked(Asked {
            contradicted: 1,
            ..asked(5, &[])
        }),
        of_asked(Asked {
            writes: true,
            ..asked(1, &[("failed", 1)])
        }),
    ];
    insta::assert_snapshot!(shown.join("\n"), @r"
    Warning | judge.vanilla | m: 10 of 1,510 scores unscored, 0.7 %: cut by length 8, no score found 2
    Error | judge.vanilla | m: all 840 scores unscored: no score found 840
    Warning | judge.vanilla | m: all 840 scores unscored: not recorded 840
    Warning | judge.vanilla | m: 1 of 1,000,001 scores unscored, under 0.1 %: failed 1
    Warning | judge.vanilla | m: 1,000,000 of 1,000,001 scores unscored, over 99.9 %: failed 1,000,000
    Warning | judge.vanilla | m: 1 of 5 scores is from a reply that gives several for one metric
    Warning | judge.vanilla | m: 1 of 2 texts not written, 50.0 %: failed 1
    ");
}

#[test]
fn that_a_run_is_not_complete_comes_first() {
    let found = Findings {
        failed: vec![(
            "judge.a[model=x]".to_owned(),
            "the server is down".to_owned(),
        )],
        skipped: vec!["stats.b".to_owned(), "table.c".to_owned()],
        dirty: Some("abc".to_owned()),
        asked: vec![asked(0, &[("failed", 3)])],
        left_out: 1,
        ..Findings::default()
    };
    let stopped = Findings {
        stopped: Some("interrupted".to_owned()),
        skipped: vec!["table.c".to_owned()],
        ..Findings::default()
    };
    let shown = [told(&[found]), told(&[stopped])].concat();
    insta::assert_snapshot!(shown.join("\n"), @r"
    Error |  | the run is not complete: 1 stage failed, 2 instances of stages were not run (`stats.b` and `table.c`); tables may be missing rows
    Error | judge.a | judge.a[model=x] failed: the server is down
    Error | judge.vanilla | m: all 3 scores unscored: failed 3
    Note |  | files differed from commit abc when results were computed: the commit alone does not identify what ran
    Note |  | 1 result was left out of the bundle that this came in: numbers made from its rows are included, the rows are not
    Error |  | the run is not complete (interrupted): 1 instance of a stage was not run (`table.c`); tables may be missing rows
    ");
}

#[test]
fn losses_of_tables_and_values_that_are_not_reproduced_are_told() {
    let found = Findings {
        tables: vec![TableLoss {
            table: "effect".to_owned(),
            cells: 30,
            valueless: BTreeMap::from([
                ("a".to_owned(), 1),
                ("b".to_owned(), 4),
                ("c".to_owned(), 2),
                ("d".to_owned(), 1),
            ]),
            incomplete: 3,
            partial: 1,
            undefined: BTreeMap::from([("all differences are −2".to_owned(), 2)]),
            dropped: 780,
            ..TableLoss::default()
        }],
        compared: vec![
            Compared {
                table: "effect".to_owned(),
                cells: 67,
                agree: 60,
                open: 2,
                unread: None,
            },
            Compared {
                table: "other".to_owned(),
                unread: Some("there is no file `x`".to_owned()),
                ..Compared::default()
            },
        ],
        ..Findings::default()
    };
    insta::assert_snapshot!(told(&[found]).join("\n"), @r"
    Error | effect | 2 of 67 published values are not reproduced and not explained
    Error | other | was not compared with published values: there is no file `x`
    Warning | effect | 8 of 30 cells without a value: b (4); c (2); a (1); 1 other reason; 3 of 30 cells average fewer parts than expected; 1 of 30 cells made of fewer parts than others (†); 780 incomplete pairs dropped because one side is missing, summed over 30 cells
    Note | effect | 2 of 30 cells with a test that is not defined (‡): all differences are −2 (2)
    ");
}

#[test]
fn what_instances_of_a_stage_say_alike_is_said_once() {
    let says = |node: &str, text: &str| Told {
        stage: "split.parts".to_owned(),
        node: node.to_owned(),
        text: text.to_owned(),
    };
    let found = Findings {
        told: vec![
            says("split.parts[length=1]", "cut short"),
            says("split.parts[length=2]", "cut short"),
            says("split.parts[length=2]", "empty"),
            says("split.parts", "plain"),
            says("split.parts", "no recorded reply for any of 5 rows"),
        ],
        refused: vec![Refused {
            stage: "manipulate.damaged".to_owned(),
            manipulation: "typos".to_owned(),
            reason: "no word is long enough".to_owned(),
            documents: 3,
            of: 24,
        }],
        ..Findings::default()
    };
    insta::assert_snapshot!(told(&[found]).join("\n"), @r"
    Warning | manipulate.damaged | `typos` does not fit 3 of 24 documents: no word is long enough
    Warning | split.parts | cut short (2 instances, such as `split.parts[length=1]`)
    Warning | split.parts | empty (`split.parts[length=2]`)
    Warning | split.parts | plain
    ");
}

#[test]
fn what_experiments_share_is_said_once_with_their_names() {
    let one = |name: &str, n: u64| Findings {
        experiment: name.to_owned(),
        asked: vec![asked(10, &[("failed", n)])],
        tables: vec![TableLoss {
            table: "t".to_owned(),
            cells: 4,
            dropped: 1,
            ..TableLoss::default()
        }],
        ..Findings::default()
    };
    let shown = told(&[one("a", 1), one("b", 1), one("c", 2)]);
    insta::assert_snapshot!(shown.join("\n"), @r"
    Warning | a, b: judge.vanilla | m: 1 of 11 scores unscored, 9.1 %: failed 1
    Warning | all experiments/t | 1 incomplete pair dropped because one side is missing, summed over 4 cells
    Warning | c: judge.vanilla | m: 2 of 12 scores unscored, 16.7 %: failed 2
    ");
}
