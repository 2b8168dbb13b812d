//! The experiment on recorded log-probabilities, verified as a reader would: `experiments/alpacaeval`, on its own sample, and
//! on the stored verdicts where they are.

use crate::relations::{stored, verify};

#[test]
fn made_up_log_probabilities_give_the_expectations_worked_out_by_hand() {
    let (code, said, _folder) = verify("experiments/alpacaeval/sample.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("9 cells: 9 agree"), "{said}");
    // Its data is its own, wherever that of the other specs is said to be.
    let elsewhere = ["--set", "paths.alpacaeval=/nowhere"];
    let (code, said, _folder) = verify("experiments/alpacaeval/sample.toml", &elsewhere);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("9 cells: 9 agree"), "{said}");
}

#[test]
fn stored_log_probabilities_give_the_published_preferences_and_win_rates() {
    let Some(data) = stored("ALPACAEVAL_DATA", "alpacaeval", "preferences.parquet") else {
        return;
    };
    let paths = format!("paths.alpacaeval={}", data.display());
    for (name, cells) in [
        // Every row of known order, to 1e-6.
        ("expectation", "48 cells: 48 agree"),
        ("win-rates", "96 cells: 96 agree"),
        ("position", "7 cells: 7 agree"),
        ("length", "4 cells: 4 agree"),
    ] {
        let spec = format!("experiments/alpacaeval/{name}.toml");
        let (code, said, _folder) = verify(&spec, &["--set", &paths]);
        assert!(said.contains(cells), "{said}");
        assert_eq!(code, Some(0), "{said}");
        if name == "length" {
            let equal = "24 cells: 12 agree, 12 differ (12 explained)";
            assert!(said.contains(equal), "{said}");
        }
    }
}
