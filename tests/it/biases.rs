//! Biases of judges: in `experiments/biases` each is planted in a scripted judge and found at its size, and not found in a
//! judge without it.

use crate::relations::{find, verify};

/// The rows of a table of an experiment: what its first columns say, and the numbers of the others.
fn rows(experiment: &str, table: &str, keys: usize) -> Vec<(String, Vec<f64>)> {
    let (code, said, folder) = verify(&format!("experiments/biases/{experiment}.toml"), &[]);
    assert_eq!(code, Some(0), "{said}");
    let file = find(folder.path(), &format!("{table}.md"));
    let table = fs_err::read_to_string(file).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let number = |cell: &&str| cell.replace('−', "-").parse().unwrap();
        let numbers = cells[keys..].iter().map(number).collect();
        (cells[..keys].join(" "), numbers)
    };
    let lines = table.lines().filter(|line| line.starts_with('|'));
    lines.skip(2).map(row).collect()
}

/// Whether a size lies in the interval that a row has behind its own.
fn holds(row: &[f64], size: f64) -> bool {
    assert!(row[1] < row[0] && row[0] < row[2], "{row:?}");
    row[1] < size && size < row[2]
}

#[test]
fn a_planted_bias_is_found_at_its_size_and_none_where_there_is_none() {
    for (experiment, table, planted) in [
        ("position", "position", -0.4),
        ("verbosity", "verbosity", 1.0),
        ("self-preference", "own", 1.0),
        ("anchoring", "anchor", 1.0),
    ] {
        let rows = rows(experiment, table, 1);
        let [(biased, with), (fair, without)] = &rows[..] else {
            panic!("{experiment}: {rows:?}");
        };
        assert_eq!([biased, fair], ["biased", "fair"], "{experiment}");
        assert!(holds(with, planted) && !holds(with, 0.0), "{experiment}");
        assert!(
            holds(without, 0.0) && !holds(without, planted),
            "{experiment}"
        );
    }
}

#[test]
fn better_authors_and_milder_judges_are_no_self_preference() {
    let rows = rows("self-preference", "families", 2);
    let of = |name: &str| &rows.iter().find(|(row, _)| row == name).unwrap().1;
    // Both fair judges rate the texts by `ash` higher, and `birch` rates all higher than `ash` does.
    let (ash, birch) = (of("fair ash"), of("fair birch"));
    assert!(ash[0] > ash[1] && birch[0] > birch[1], "{rows:?}");
    assert!(birch[0] > ash[0] && birch[1] > ash[1], "{rows:?}");
}
