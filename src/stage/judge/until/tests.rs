use super::*;
use crate::frame::ColumnData;
use crate::stage::relation::Ended;

fn rule(align: bool) -> Until {
    Until {
        by: vec!["group".to_owned()],
        least: 100,
        window: 10,
        within: 1.0,
        most: None,
        align,
        order: Order::Given,
    }
}

/// What the n-th answer of a group says, counted from 1.
type Says = fn(usize) -> Option<f64>;

const CASES: [(Says, u64); 7] = [
    (|_| Some(77.0), 100),
    (|n| Some(100.0 * (n % 2) as f64), 100),
    (|n| Some(if n <= 95 { 100.0 } else { 0.0 }), 314),
    (|n| Some(if n <= 90 { 100.0 } else { 0.0 }), 306),
    (|n| Some(if n <= 100 { 100.0 } else { 0.0 }), 100),
    (|n| Some(if n <= 89 { 80.0 } else { 60.0 }), 139),
    (|n| Some(100.0 * ((n - 1) / 20 % 2) as f64), 285),
];

/// Where groups of so many rows end when so many are asked at a time, and the rows that are asked in all.
fn run(
    until: &Until,
    says: &[Says],
    rows: usize,
    at_once: usize,
) -> (Vec<Ended>, Vec<(usize, usize)>, usize) {
    let groups = says.len();
    // The rows of the groups lie between each other.
    let groups = (0..groups).map(|at| Group {
        key: vec![Some(at.to_string())],
        name: at.to_string(),
        rows: (0..rows.min(until.most.unwrap_or(rows)))
            .map(|n| n * groups + at)
            .collect(),
    });
    let mut stopping = Stopping::new(until, groups.collect(), rows * says.len(), 1);
    let mut asked = 0;
    loop {
        let next = stopping.next(at_once);
        if next.is_empty() {
            break;
        }
        asked += next.len();
        // The last first: the order in which answers come does not matter.
        for row in next.into_iter().rev() {
            stopping.said(row, vec![says[row % says.len()](row / says.len() + 1)]);
        }
    }
    (stopping.ended(), stopping.kept(), asked)
}

#[test]
fn groups_end_where_the_mean_has_settled_however_many_are_asked_at_a_time() {
    let says = CASES.map(|(says, _)| says);
    let kept: Vec<_> = [1, 7, 64, 1000]
        .into_iter()
        .map(|at_once| {
            let (ended, kept, asked) = run(&rule(false), &says, 400, at_once);
            for (ended, (_, expected)) in ended.iter().zip(CASES) {
                assert!(ended.settled);
                assert_eq!(
                    (ended.asked, ended.counted),
                    (expected, expected),
                    "{at_once}"
                );
            }
            assert!(at_once > 1 || asked == kept.len(), "{asked}");
            kept
        })
        .collect();
    assert!(kept.iter().all(|one| *one == kept[0]));
}

#[test]
fn aligned_groups_are_as_long_as_the_longest() {
    let says = CASES.map(|(says, _)| says);
    for at_once in [1, 64] {
        let (ended, kept, _) = run(&rule(true), &says, 400, at_once);
        assert!(
            ended
                .iter()
                .all(|ended| ended.asked == 314 && ended.settled)
        );
        assert_eq!(kept.len(), 7 * 314);
        assert_eq!(kept.last(), Some(&(7 * 314 - 1, 314)));
    }
}

#[test]
fn answers_without_a_score_do_not_count() {
    let says: [Says; 2] = [|n| (n % 2 == 0).then_some(5.0), |_| Some(5.0)];
    for at_once in [1, 64] {
        let (ended, ..) = run(&rule(false), &says, 400, at_once);
        let counts: Vec<_> = ended.iter().map(|one| (one.asked, one.counted)).collect();
        assert_eq!(counts, [(200, 100), (100, 100)]);
        // Aligned is the number of those that count.
        let (ended, ..) = run(&rule(true), &says, 400, at_once);
        let aligned: Vec<_> = ended.iter().map(|one| (one.asked, one.counted)).collect();
        assert_eq!(aligned, counts);
    }
}

#[test]
fn what_never_settles_ends_with_its_rows_or_the_most() {
    let says: [Says; 2] = [|n| Some(if n < 2 { 1.0 } else { n as f64 }), |_| None];
    for most in [None, Some(120)] {
        let until = Until {
            most,
            ..rule(false)
        };
        let (ended, ..) = run(&until, &says, 150, 16);
        let expected = most.unwrap_or(150) as u64;
        assert!(
            ended
                .iter()
                .all(|one| one.asked == expected && !one.settled),
            "{ended:?}"
        );
    }
}

fn table() -> Frame {
    let names = (0..12).map(|n| format!("d{}", n % 6));
    let groups = (0..12).map(|n| if n < 6 { "a" } else { "b" });
    let columns = [
        ("doc_id", ColumnData::text(names)),
        ("group", ColumnData::text(groups)),
    ];
    Frame::new(columns.map(|(name, data)| (name.to_owned(), data)).into()).unwrap()
}

#[test]
fn the_drawn_order_is_that_of_documents_and_the_same_in_every_group() {
    let until = Until {
        order: Order::Drawn,
        ..rule(false)
    };
    let order = |seed| {
        let groups = until.groups(&table(), seed).unwrap();
        let names = groups.iter().map(|group| group.name.clone());
        assert_eq!(names.collect::<Vec<_>>(), ["group=a", "group=b"]);
        let rows: Vec<usize> = groups[0].rows.clone();
        let others: Vec<usize> = groups[1].rows.iter().map(|row| row - 6).collect();
        assert_eq!(rows, others);
        rows
    };
    assert_eq!(order(1), order(1));
    assert!((2..9).any(|seed| order(seed) != order(1)));
    let given = until.groups(&table(), 1).unwrap();
    let given_order = Until {
        order: Order::Given,
        ..until
    }
    .groups(&table(), 1)
    .unwrap();
    assert_eq!(given_order[1].rows, (6..12).collect::<Vec<_>>());
    assert_eq!(given.len(), given_order.len());
}

#[test]
fn the_rows_of_a_result_are_found_again() {
    let until = Until {
        order: Order::Drawn,
        most: Some(4),
        ..rule(false)
    };
    let groups = until.groups(&table(), 3).unwrap();
    assert_eq!(until.at_least(&groups).count(), 8);
    let kept: Vec<(usize, usize)> = {
        let rows = groups.iter().zip([2, 4]).flat_map(|(group, end)| {
            let numbered = group.rows.iter().take(end).enumerate();
            numbered.map(|(at, &row)| (row, at + 1)).collect::<Vec<_>>()
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable();
        rows
    };
    let result = numbered(&table(), &kept).unwrap();
    let found = until.kept(&table(), 3, &result).unwrap();
    assert_eq!(found, kept.iter().map(|(row, _)| *row).collect::<Vec<_>>());
}
