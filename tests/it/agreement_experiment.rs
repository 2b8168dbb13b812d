//! The experiment on judge and people, verified as a reader would: `experiments/agreement`.

use crate::relations::verify;

#[test]
fn what_was_worked_out_elsewhere_of_judge_and_people_is_what_specs_say() {
    for (name, cells) in [
        ("humans", &["9 cells: 9 agree", "3 cells: 3 agree"][..]),
        ("ceiling", &["8 cells: 8 agree"]),
        ("icc", &["18 cells: 18 agree"]),
        ("correlation", &["9 cells: 9 agree"]),
        ("bland-altman", &["5 cells: 5 agree"]),
        ("classification", &["4 cells: 4 agree", "9 cells: 9 agree"]),
        ("repeats", &["3 cells: 3 agree", "12 cells: 12 agree"]),
        ("wide", &["2 cells: 2 agree"]),
        ("corrected", &["12 cells: 12 agree"]),
    ] {
        let (code, said, _folder) = verify(&format!("experiments/agreement/{name}.toml"), &[]);
        assert_eq!(code, Some(0), "{name}: {said}");
        for cells in cells {
            assert!(said.contains(cells), "{name}: {said}");
        }
    }
}
