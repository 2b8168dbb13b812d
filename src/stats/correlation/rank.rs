//! Ranks.

/// The rank of each value from 1, ties sharing the mean of their places.
///
/// Equality is exact; zero has no sign.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let key = |index: usize| values[index] + 0.0;
    order.sort_unstable_by(|&left, &right| key(left).total_cmp(&key(right)));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&left, &right| key(left).total_cmp(&key(right)).is_eq()) {
        let rank = before as f64 + f64::midpoint(tied.len() as f64, 1.0);
        for &index in tied {
            ranks[index] = rank;
        }
        before += tied.len();
    }
    ranks
}
