//! The same work for every row, on as many processors as the run may use.

use rayon::prelude::*;

/// Does `work` for the rows 0 to `rows` and hands the results back in the order of the rows, whatever
/// the order in which they came about.
pub(super) fn each<T: Send>(rows: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..rows).into_par_iter().map(work).collect()
}
