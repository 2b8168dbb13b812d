//! Statistics against values computed independently (`tests/data/stats`) and against their laws.

mod agreement;
mod cases;
mod contract;
mod correlation;
mod differences;
mod judging;
mod laws;
mod reference;
mod refusals;
mod textbook;

/// Asserts that `ours` is `theirs` to a relative tolerance; zero must be met exactly.
#[track_caller]
fn close(ours: f64, theirs: f64, tolerance: f64, what: &str) {
    let gap = (ours - theirs).abs();
    assert!(
        gap <= tolerance * theirs.abs(),
        "{what}: {ours:e} against {theirs:e}, relative {:e}",
        gap / theirs.abs()
    );
}
