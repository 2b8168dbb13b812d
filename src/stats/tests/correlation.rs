//! Correlations against textbooks, and where there is none.

#![expect(clippy::float_cmp, reason = "these numbers are exact")]

use super::close;
use crate::stats::correlation::{
    Coefficient, KENDALL_MOST_FOR_EXACT, Row, kendall, kendall_interval, levels, pairwise, pearson,
    pearson_interval, r_p, spearman, spearman_exact_p, spearman_interval,
};
use crate::stats::measure::{Cell, Code, Data, Given, Line, Role, Settings, named};
use crate::stats::{StatsError, Tail, t_p};

/// The line of a measure over columns of numbers; NaN stands for an absent cell.
fn line(measure: &str, columns: &[(Role, &[f64])], settings: &Settings) -> Line {
    let cells = |values: &[f64]| {
        let cell = |&value: &f64| {
            if value.is_nan() {
                Cell::Absent
            } else {
                Cell::Number(value)
            }
        };
        values.iter().map(cell).collect()
    };
    let data = columns
        .iter()
        .fold(Data::of(columns[0].1.len()), |data, (role, values)| {
            data.with(*role, cells(values))
        });
    (named(measure).unwrap().compute)(&data, settings)
        .unwrap()
        .remove(0)
}

fn code(line: &Line, column: &str) -> Code {
    match line.values.get(column) {
        Some(Given::Nothing(why)) => why.code,
        None => line.why.as_ref().unwrap().code,
        other => panic!("{column} is {other:?}"),
    }
}

#[test]
fn spearman_is_that_of_the_textbook_example_of_ten_pairs() {
    // Hours of television and intelligence, a common example: rho is −29/165 exactly.
    let iq = [
        106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0,
    ];
    let hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
    let rho = spearman(&iq, &hours).unwrap();
    close(rho, -29.0 / 165.0, 1e-14, "rho");
    close(r_p(rho, 10).unwrap(), 0.627_188_345, 1e-8, "p");
    // 45 pairs, of which 20 agree.
    let kendall = kendall(&iq, &hours);
    assert_eq!((kendall.concordant, kendall.discordant), (20, 25));
    close(kendall.tau.unwrap(), -5.0 / 45.0, 1e-14, "tau");
}

#[test]
fn small_cases_are_what_counting_on_paper_gives() {
    let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0]);
    close(pearson(&x, &y).unwrap(), 0.8, 1e-15, "r");
    // t = 0.8·√2/0.6 with 2 degrees of freedom: p = 1 − t/√(2 + t²) = 0.2.
    close(r_p(0.8, 4).unwrap(), 0.2, 1e-14, "p");
    // Of 24 pairings, 2 have |rho| = 1 and 6 have 0.8.
    close(
        spearman_exact_p(&x, &y).unwrap(),
        8.0 / 24.0,
        1e-15,
        "exact p",
    );
    // One inversion: (1 + 3)/24, doubled.
    close(
        kendall(&x, &y).p_exact.unwrap(),
        8.0 / 24.0,
        1e-15,
        "exact p of tau",
    );
    let (low, high) = pearson_interval(0.5, 28, 0.95).unwrap();
    // Fisher's z of 0.5 is ln(3)/2; ± 1.959964/5.
    close(
        low,
        (3_f64.ln() / 2.0 - 1.959_963_984_540_054 / 5.0).tanh(),
        1e-12,
        "low",
    );
    close(
        high,
        (3_f64.ln() / 2.0 + 1.959_963_984_540_054 / 5.0).tanh(),
        1e-12,
        "high",
    );
}

#[test]
fn intervals_of_ranks_are_as_wide_as_their_variance_says() {
    // On Fisher's scale the halves are z·√(1.125/25) and z·√(0.437/24).
    let half = |(low, high): (f64, f64)| (high.atanh() - low.atanh()) / 2.0;
    let z = 1.959_963_984_540_054;
    let (rho, tau) = (
        spearman_interval(0.5, 28, 0.95),
        kendall_interval(0.5, 28, 0.95),
    );
    close(
        half(rho.unwrap()),
        z * (1.125_f64 / 25.0).sqrt(),
        1e-12,
        "rho",
    );
    close(
        half(tau.unwrap()),
        z * (0.437_f64 / 24.0).sqrt(),
        1e-12,
        "tau",
    );
    assert_eq!(
        kendall_interval(0.5, 4, 0.95).unwrap_err().code,
        Code::TooFew
    );
}

#[test]
fn williams_and_steiger_are_those_of_the_correlations_they_are_made_of() {
    let a = [2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0];
    let b = [1.0, 3.0, 2.0, 7.0, 4.0, 6.0, 5.0];
    let human = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let columns: [(Role, &[f64]); 3] = [
        (Role::Value, &a),
        (Role::Rival, &b),
        (Role::Reference, &human),
    ];
    let line = line("correlation-difference", &columns, &Settings::default());
    let number = |name: &str| match line.values[name] {
        Given::Number(number) => number,
        ref other => panic!("{name}: {other:?}"),
    };
    let (r1, r2, r12) = (number("r_value"), number("r_rival"), number("r_between"));
    let determinant = 1.0 + 2.0 * r1 * r2 * r12 - r1 * r1 - r2 * r2 - r12 * r12;
    let below = 2.0 * 6.0 / 4.0 * determinant + f64::midpoint(r1, r2).powi(2) * (1.0 - r12).powi(3);
    let t = (r1 - r2) * (6.0 * (1.0 + r12) / below).sqrt();
    close(number("t"), t, 1e-12, "t");
    close(
        number("p"),
        t_p(t, 4.0, Tail::TwoSided).unwrap(),
        1e-12,
        "p",
    );
    let settings = Settings {
        method: Some("kendall".to_owned()),
        ..Settings::default()
    };
    let data = Data::of(1);
    let refused = (named("correlation-difference").unwrap().compute)(&data, &settings);
    assert!(matches!(
        refused,
        Err(StatsError::Choice {
            setting: "method",
            ..
        })
    ));
}

#[test]
fn what_does_not_vary_has_no_correlation_even_if_rounding_varies_it() {
    let shaken = [0.1 + 0.2, 0.3, 0.3, 0.3];
    assert!(shaken[0] != shaken[1]);
    let x = [1.0, 2.0, 3.0, 4.0];
    let settings = Settings::default();
    let found = line(
        "correlation",
        &[(Role::Value, &x), (Role::Reference, &shaken)],
        &settings,
    );
    for column in [
        "pearson",
        "p",
        "ci_low",
        "spearman",
        "spearman_p_exact",
        "kendall",
        "kendall_p",
    ] {
        assert_eq!(code(&found, column), Code::Constant, "{column}");
    }
}

#[test]
fn too_few_pairs_have_no_correlation_and_are_counted() {
    let none = f64::NAN;
    let settings = Settings::default();
    let of = |x: &[f64], y: &[f64]| {
        line(
            "correlation",
            &[(Role::Value, x), (Role::Reference, y)],
            &settings,
        )
    };
    let found = of(&[], &[]);
    assert_eq!(
        (found.n, found.dropped, code(&found, "pearson")),
        (0, 0, Code::TooFew)
    );
    let found = of(&[1.0, none, 3.0, 4.0], &[none, 2.0, 5.0, 1.0]);
    assert_eq!(
        (found.n, found.dropped, code(&found, "pearson")),
        (2, 2, Code::TooFew)
    );
    assert_eq!(code(&found, "kendall_p_asymptotic"), Code::TooFew);
    // Of two pairs one of both orders is as far from chance as the other.
    assert_eq!(found.values["kendall_p"], Given::Number(1.0));
    let found = of(&[1.0, 2.0, 4.0], &[2.0, 1.0, 5.0]);
    assert_eq!(code(&found, "ci_low"), Code::TooFew);
    let found = of(&[1.0, 2.0, 3.0, 4.0], &[3.0, 5.0, 7.0, 9.0]);
    assert_eq!(code(&found, "ci_low"), Code::PerfectCorrelation);
    assert_eq!(found.values["pearson"], Given::Number(1.0));
    assert_eq!(found.values["p"], Given::Number(0.0));
}

#[test]
fn exact_values_stop_where_counting_would_not_end() {
    let many: Vec<f64> = (0..=KENDALL_MOST_FOR_EXACT).map(|it| it as f64).collect();
    let turned: Vec<f64> = many.iter().map(|x| (x * 37.0) % 173.0).collect();
    assert_eq!(
        kendall(&many, &turned).p_exact.unwrap_err().code,
        Code::TooMany
    );
    assert_eq!(
        spearman_exact_p(&many, &turned).unwrap_err().code,
        Code::TooMany
    );
    let (fewer, other) = (&many[1..], &turned[1..]);
    let (exact, normal) = (
        kendall(fewer, other).p_exact.unwrap(),
        kendall(fewer, other).p.unwrap(),
    );
    assert!((exact - normal).abs() < 0.01, "{exact} {normal}");
}

#[test]
fn the_largest_numbers_do_not_break_it() {
    let x = [1e308, -1e308, 5e307, 0.0, 1e-308];
    let y = [5e-324, 1e308, -1e308, 3.0, 4.0];
    assert!(pearson(&x, &y).unwrap().abs() <= 1.0);
    let found = pairwise(&[x.iter().copied().zip(y).collect()]);
    assert!(found.epsilon.unwrap().is_finite());
    let many: Vec<(f64, f64)> = (0..200_000)
        .map(|it| (f64::from(it), f64::from(it % 7)))
        .collect();
    let found = pairwise(&[many]);
    assert!(found.accuracy.is_ok());
    assert_eq!(found.epsilon.unwrap_err().code, Code::TooMany);
}

#[test]
fn differences_that_only_rounding_tells_apart_are_one_threshold() {
    // As floats 4.3 - 4.1 is above and 3.3 - 3.1 below 0.2, so that a threshold between them would be found.
    let tied = vec![(3.3, 1.0), (3.1, 1.0)];
    let apart = vec![(4.3, 2.0), (4.1, 1.0)];
    let found = pairwise(&[tied, apart]);
    assert_eq!(found.accuracy.unwrap(), 0.5);
    assert_eq!((found.epsilon.unwrap(), found.best.unwrap()), (0.0, 0.5));
    let found = pairwise(&[vec![(4.3, 1.0), (4.1, 1.0)]]);
    assert_eq!((found.epsilon.unwrap(), found.best.unwrap()), (0.2, 1.0));
}

#[test]
fn a_text_among_numbers_is_the_specs_mistake() {
    let data = Data::of(2)
        .with(
            Role::Value,
            vec![Cell::Number(1.0), Cell::Text("good".into())],
        )
        .with(Role::Reference, vec![Cell::Number(1.0); 2]);
    let refused = (named("correlation").unwrap().compute)(&data, &Settings::default());
    assert_eq!(
        refused,
        Err(StatsError::Text {
            column: "value",
            row: 1
        })
    );
}

#[test]
fn items_without_a_correlation_are_left_out_and_counted() {
    let row = |item, system, value, reference| Row {
        item,
        system,
        value,
        reference,
    };
    let rows = [
        row("a", "s", 1.0, 1.0),
        row("a", "t", 2.0, 2.0),
        row("a", "u", 3.0, 4.0),
        row("b", "s", 1.0, 3.0),
        row("b", "t", 2.0, 3.0),
        row("b", "u", 5.0, 3.0),
        row("c", "s", 4.0, 1.0),
    ];
    let found = levels(Coefficient::Spearman, &rows, 3);
    assert_eq!((found.items_used, found.items_skipped), (1, 2));
    assert_eq!(found.instance, Ok(1.0));
    assert_eq!((found.systems, found.systems_used), (3, 1));
    // Means of s, t and u: values 2, 2 and 4 against 5/3, 5/2 and 7/2.
    close(found.system.unwrap(), 0.75_f64.sqrt(), 1e-14, "systems");
}
