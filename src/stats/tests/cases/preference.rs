//! The cases of `preference`.

use super::{Answers, Case, Got, Statistic, answers, got, hold, line, lines, statistic, text};
use crate::stats::measure::{Cell, Data, Role, Settings};

/// What the cases of this family are computed by.
pub(super) const STATISTICS: &[Statistic] = &[
    statistic("preference", "win_rate", win_rate),
    statistic("preference", "position_swap", position),
    statistic("preference", "bradley_terry", bradley_terry),
    statistic("preference", "davidson", davidson),
    statistic("preference", "transitivity", transitivity),
    statistic(
        "preference",
        "length_controlled_win_rate",
        length_controlled,
    ),
];

#[test]
fn preferences_are_those_of_the_cases() {
    hold(STATISTICS);
}

/// The share of the win that is of the side called `won`.
fn share(winner: Option<&serde_json::Value>, won: &str) -> Cell {
    match text(winner).as_deref() {
        None => Cell::Absent,
        Some("tie") => Cell::Number(0.5),
        Some(winner) => Cell::Number(f64::from(u8::from(winner == won))),
    }
}

/// Comparisons of `model_a` with `model_b`, and the lengths where there are some.
fn comparisons(case: &Case) -> Data {
    let fields = [
        (Role::Item, "doc_id"),
        (Role::Contender, "model_a"),
        (Role::Opponent, "model_b"),
        (Role::Length, "len_a"),
        (Role::OpponentLength, "len_b"),
    ];
    let shares = case.rows.iter().map(|row| share(row.get("winner"), "a"));
    case.data(&fields).with(Role::Value, shares.collect())
}

fn win_rate(case: &Case) -> Answers {
    let line = line("win-rate", &comparisons(case), &case.settings());
    answers(
        "win-rate",
        &line,
        &[
            ("n", "n"),
            ("wins_a", "wins"),
            ("wins_b", "losses"),
            ("ties", "ties"),
            ("n_missing", "dropped"),
            ("win_rate", "win_rate"),
            ("se", "se"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
            ("win_rate_no_ties", "decided_rate"),
            ("wilson_low", "decided_low"),
            ("wilson_high", "decided_high"),
            ("p_sign", "p"),
        ],
    )
}

/// The contender of all comparisons is the model that sorts first, so that the order says who was shown first.
fn position(case: &Case) -> Answers {
    let name = |row: &serde_json::Map<_, _>, field: &str| text(row.get(field)).expect("a model");
    let turned = |row: &serde_json::Map<_, _>| name(row, "second") < name(row, "first");
    let sided = |row: &serde_json::Map<_, _>, side: [&str; 2]| {
        Cell::Text(name(row, side[usize::from(turned(row))]))
    };
    let column = |of: &dyn Fn(&serde_json::Map<String, serde_json::Value>) -> Cell| {
        case.rows.iter().map(of).collect()
    };
    let order = |swapped: bool| Cell::Text(if swapped { "swapped" } else { "given" }.to_owned());
    let winner = |row: &serde_json::Map<String, serde_json::Value>| {
        share(
            row.get("winner"),
            if turned(row) { "second" } else { "first" },
        )
    };
    let data = case
        .data(&[(Role::Item, "doc_id")])
        .with(
            Role::Contender,
            column(&|row| sided(row, ["first", "second"])),
        )
        .with(
            Role::Opponent,
            column(&|row| sided(row, ["second", "first"])),
        )
        .with(Role::Order, column(&|row| order(turned(row))))
        .with(Role::Value, column(&winner));
    let line = line("position", &data, &case.settings());
    answers(
        "position",
        &line,
        &[
            ("n_pairs", "pairs"),
            ("n_docs_dropped", "unpaired"),
            ("consistent", "consistent"),
            ("flip", "flips"),
            ("partial", "one_tie"),
            ("first_both", "first_both"),
            ("second_both", "second_both"),
            ("consistent_rate", "consistent_rate"),
            ("flip_rate", "flip_rate"),
            ("partial_rate", "partial_rate"),
            ("first", "first"),
            ("second", "second"),
            ("ties", "ties"),
            ("first_share", "first_share"),
            ("first_ci_low", "ci_low"),
            ("first_ci_high", "ci_high"),
            ("first_p", "p"),
            ("first_share_ties_half", "first_rate"),
        ],
    )
}

/// Columns of all contenders under `key.model`, and under `key` alone for where there are none.
fn by_model(case: &Case, measure: &str, keys: &[(&str, &str)]) -> Answers {
    let data = comparisons(case);
    let settings = Settings {
        base: case.text("reference"),
        resamples: 50,
        ..case.settings()
    };
    let lines = lines(measure, &data, &settings);
    let mut found = Answers::new();
    let names = lines.iter().map(|line| Got::Text(line.keys[0].clone()));
    found.insert("models".to_owned(), Got::List(names.collect()));
    let games: usize = lines.iter().map(|line| line.n).sum();
    found.insert("n".to_owned(), (games / 2).into());
    found.insert("n_missing".to_owned(), lines[0].dropped.into());
    for (key, column) in keys {
        for line in &lines {
            let value = got(measure, line, column);
            found.insert(format!("{key}.{}", line.keys[0]), value.clone());
            found.insert((*key).to_owned(), value);
        }
    }
    found
}

fn bradley_terry(case: &Case) -> Answers {
    assert_eq!(
        case.number("elo_base"),
        Some(1000.0),
        "the base of Elo's scale"
    );
    by_model(
        case,
        "bradley-terry",
        &[
            ("log_strength", "strength"),
            ("se", "se"),
            ("elo", "elo"),
            ("elo_se", "elo_se"),
            ("diff_to_reference", "difference"),
            ("se_diff_to_reference", "difference_se"),
        ],
    )
}

fn davidson(case: &Case) -> Answers {
    by_model(
        case,
        "davidson",
        &[
            ("ties", "ties"),
            ("log_strength", "strength"),
            ("nu", "nu"),
            ("log_nu", "log_nu"),
            ("se_log_nu", "log_nu_se"),
            ("diff_to_reference", "difference"),
            ("se_diff_to_reference", "difference_se"),
        ],
    )
}

fn transitivity(case: &Case) -> Answers {
    let line = line("transitivity", &comparisons(case), &case.settings());
    answers(
        "transitivity",
        &line,
        &[
            ("models", "models"),
            ("triads_decided", "triads"),
            ("triads_excluded", "undecided"),
            ("cyclic", "cyclic"),
            ("zeta", "zeta"),
            ("cyclic_share", "cyclic_share"),
        ],
    )
}

fn length_controlled(case: &Case) -> Answers {
    let line = line("length-controlled", &comparisons(case), &case.settings());
    answers(
        "length-controlled",
        &line,
        &[
            ("n", "n"),
            ("n_dropped", "dropped"),
            ("win_rate", "win_rate"),
            ("intercept", "intercept"),
            ("slope", "slope"),
            ("lc_win_rate", "length_controlled"),
            ("se_intercept", "se"),
        ],
    )
}
