//! What experiments came to, in a line of numbers: how many there are, what was scored, what came out as printed.

use serde_json::Value;

use super::facts::scored;
use super::findings::Findings;
use crate::base::wording::thousands;

/// Numbers as they are shown, and what they count.
pub fn outcome(records: &[Value], findings: &[Findings]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut push = |n: String, one: bool, what: &str, many: &str| {
        all.push((n, if one { what } else { many }.to_owned()));
    };
    let several = findings.len();
    if several > 1 {
        push(several.to_string(), false, "experiment", "experiments");
    }
    let compared = || findings.iter().flat_map(|found| &found.compared);
    let cells: usize = compared().map(|one| one.cells).sum();
    let agree: usize = compared().map(|one| one.agree).sum();
    let open: usize = compared().map(|one| one.open).sum();
    if cells > 0 {
        let of = format!("{} of {}", thousands(agree as u64), thousands(cells as u64));
        push(of, cells == 1, "cell as published", "cells as published");
        let explained = cells - agree - open;
        if explained > 0 {
            let n = thousands(explained as u64);
            push(
                n,
                explained == 1,
                "difference explained",
                "differences explained",
            );
        }
        let n = thousands(open as u64);
        push(
            n,
            open == 1,
            "difference not explained",
            "differences not explained",
        );
    }
    let (scored, unscored) = scored(records);
    if scored + unscored > 0 {
        push(thousands(scored), scored == 1, "score", "scores");
        push(thousands(unscored), true, "unscored", "unscored");
    }
    all
}
