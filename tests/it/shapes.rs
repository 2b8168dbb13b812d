//! The experiments whose numbers are known beforehand: `experiments/shapes` on made-up scores, and `experiments/monocle` on printed
//! correlations.

use crate::relations::{find, verify};

#[test]
fn distances_poles_and_correlations_of_made_up_scores_are_the_known_ones() {
    for (name, cells) in [
        // p-values of tied scores are not those of a library that takes them for different ones.
        ("distances", "15 cells: 13 agree, 2 differ (2 explained)"),
        ("bipolarization", "8 cells: 8 agree"),
        ("correlation", "10 cells: 10 agree"),
    ] {
        let (code, said, folder) = verify(&format!("experiments/shapes/{name}.toml"), &[]);
        assert!(said.contains(cells), "{said}");
        assert_eq!(code, Some(0), "{said}");
        if name == "correlation" {
            let table = fs_err::read_to_string(find(folder.path(), "together.md")).unwrap();
            let why = "not defined: a column is 3 throughout";
            assert!(table.contains(why), "{table}");
        }
    }
}

#[test]
fn printed_p_values_fit_correlations_whose_digits_are_cut_off() {
    // 17 pairs: 8 fit if rho is rounded, 16 if it is truncated. With two digits more each rho gives its p.
    let (code, said, _folder) = verify("experiments/monocle/printed.toml", &[]);
    for cells in ["3 cells: 3 agree", "8 cells: 8 agree"] {
        assert!(said.contains(cells), "{said}");
    }
    assert_eq!(code, Some(0), "{said}");
}
