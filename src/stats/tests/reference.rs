//! Comparison with the checked-in reference values.

use serde_json::Value;

use super::close;
use crate::stats::{
    Correction, Ddof, Sides, TOptions, Tail, adjust, describe, normal_critical, one_sample_t,
    paired_t, t_critical, t_p, wilson,
};

fn load(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

macro_rules! reference {
    ($name:literal) => {
        load(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/data/stats/",
            $name
        )))
    };
}

fn number(case: &Value, key: &str) -> f64 {
    case[key]
        .as_f64()
        .unwrap_or_else(|| panic!("`{key}` in {case}"))
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_f64().unwrap())
        .collect()
}

fn options(numbers: &Value) -> Vec<Option<f64>> {
    numbers
        .as_array()
        .unwrap()
        .iter()
        .map(Value::as_f64)
        .collect()
}

#[test]
fn p_values_agree_to_twelve_digits_down_to_1e_300() {
    let data = reference!("student.json");
    let mut smallest = 1.0_f64;
    for case in data["p"].as_array().unwrap() {
        let (t, df, p) = (number(case, "t"), number(case, "df"), number(case, "p"));
        close(
            t_p(t, df, Tail::TwoSided).unwrap(),
            p,
            1e-12,
            &format!("p at t {t}, df {df}"),
        );
        close(
            t_p(t, df, Tail::Greater).unwrap(),
            p / 2.0,
            1e-12,
            "upper tail",
        );
        close(
            t_p(-t, df, Tail::Less).unwrap(),
            p / 2.0,
            1e-12,
            "lower tail",
        );
        close(
            t_p(t, df, Tail::Less).unwrap(),
            1.0 - p / 2.0,
            1e-15,
            "the rest",
        );
        smallest = smallest.min(p);
    }
    assert!(smallest < 1e-298);
}

#[test]
fn critical_values_agree_to_twelve_digits() {
    let data = reference!("student.json");
    for case in data["critical"].as_array().unwrap() {
        let (level, df) = (number(case, "level"), number(case, "df"));
        let sides = if case["sides"] == "one" {
            Sides::One
        } else {
            Sides::Two
        };
        let what = format!("critical value at level {level}, df {df}, {sides:?}");
        close(
            t_critical(level, df, sides).unwrap(),
            number(case, "value"),
            1e-12,
            &what,
        );
    }
    for case in data["normal"].as_array().unwrap() {
        let level = number(case, "level");
        let z = normal_critical(level, Sides::Two).unwrap();
        close(
            z,
            number(case, "value"),
            1e-13,
            &format!("normal at {level}"),
        );
    }
}

#[test]
fn the_thesis_critical_value_is_the_one_sided_one() {
    let c = t_critical(0.95, 64.0, Sides::One).unwrap();
    assert_eq!(format!("{c:.3}"), "1.669");
}

#[test]
fn the_thesis_stdev_over_models_divides_by_n() {
    // Table A.13, rows [43] and [17]: t of the five models, then the printed "Avg." and "Stdev".
    for (t, mean, stdev) in [
        ([-1.219, 0.280, 1.723, -1.176, -2.600], "-0.598", "1.476"),
        ([5.726, 7.520, 7.000, 11.155, -13.700], "3.540", "8.807"),
    ] {
        let about = describe(&t, Ddof::Population).unwrap();
        assert_eq!(format!("{:.3}", about.mean.unwrap()), mean);
        assert_eq!(format!("{:.3}", about.sd.unwrap()), stdev);
    }
}

#[test]
fn samples_agree_in_every_number() {
    let data = reference!("samples.json");
    for case in data["samples"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let values = numbers(&case["values"]);
        let sample = describe(&values, Ddof::Sample).unwrap();
        let population = describe(&values, Ddof::Population).unwrap();
        let test = one_sample_t(
            &values,
            &TOptions {
                level: 0.9,
                ..TOptions::default()
            },
        )
        .unwrap();
        let interval = test.interval.unwrap();
        let ends = numbers(&case["interval90"]);
        assert_eq!(sample.n as u64, case["n"].as_u64().unwrap(), "{name}");
        for (what, ours, theirs) in [
            ("mean", sample.mean, number(case, "mean")),
            ("sd with ddof 1", sample.sd, number(case, "sd1")),
            ("sd with ddof 0", population.sd, number(case, "sd0")),
            ("se", sample.se, number(case, "se")),
            ("min", sample.min, number(case, "min")),
            ("max", sample.max, number(case, "max")),
            ("median", sample.median, number(case, "median")),
            ("t", test.t.ok(), number(case, "t")),
            ("p", test.p, number(case, "p")),
            ("dz", test.dz, number(case, "dz")),
        ] {
            close(ours.unwrap(), theirs, 1e-11, &format!("{what} of {name}"));
        }
        let width = ends[1] - ends[0];
        for (ours, theirs) in [(interval.low, ends[0]), (interval.high, ends[1])] {
            assert!(
                (ours - theirs).abs() <= 1e-10 * width.max(theirs.abs()),
                "interval of {name}"
            );
        }
    }
}

#[test]
fn a_paired_test_agrees_with_scipy() {
    let data = reference!("samples.json");
    let case = &data["paired"];
    let pairs: Vec<(f64, f64)> = numbers(&case["left"])
        .into_iter()
        .zip(numbers(&case["right"]))
        .collect();
    let test = paired_t(&pairs, &TOptions::default()).unwrap();
    let t = test.t.unwrap();
    let df = test.df.unwrap();
    let interval = test.interval.unwrap();
    let ends = numbers(&case["interval95"]);
    for (what, ours, theirs) in [
        ("df", df, number(case, "df")),
        ("t", t, number(case, "t")),
        ("p", test.p.unwrap(), number(case, "p")),
        (
            "p less",
            t_p(t, df, Tail::Less).unwrap(),
            number(case, "less"),
        ),
        (
            "p greater",
            t_p(t, df, Tail::Greater).unwrap(),
            number(case, "greater"),
        ),
        ("low", interval.low, ends[0]),
        ("high", interval.high, ends[1]),
    ] {
        close(ours, theirs, 1e-10, what);
    }
}

#[test]
fn corrections_agree_with_their_definitions() {
    let data = reference!("corrections.json");
    for case in data.as_array().unwrap() {
        let raw = options(&case["raw"]);
        for (name, method) in [
            ("bonferroni", Correction::Bonferroni),
            ("holm", Correction::Holm),
            ("benjamini-hochberg", Correction::BenjaminiHochberg),
        ] {
            let ours = adjust(&raw, method).unwrap();
            let theirs = options(&case[name]);
            assert_eq!(ours.len(), theirs.len());
            for (ours, theirs) in ours.into_iter().zip(theirs) {
                match (ours, theirs) {
                    (Some(ours), Some(theirs)) => close(ours, theirs, 1e-15, name),
                    other => assert_eq!(other, (None, None), "{name} of {raw:?}"),
                }
            }
        }
    }
}

#[test]
fn wilson_intervals_agree_to_twelve_digits() {
    let data = reference!("shares.json");
    for case in data.as_array().unwrap() {
        let (hits, n) = (case["hits"].as_u64().unwrap(), case["n"].as_u64().unwrap());
        let interval = wilson(hits, n, number(case, "level")).unwrap();
        close(
            interval.low,
            number(case, "low"),
            1e-12,
            &format!("low of {hits}/{n}"),
        );
        close(
            interval.high,
            number(case, "high"),
            1e-12,
            &format!("high of {hits}/{n}"),
        );
    }
}
