//! Requests into batches: in order, each batch as full as the limits allow.

use std::ops::Range;

/// Divides requests of `sizes` bytes into runs of at most `most` requests and `bytes` bytes together.
///
/// A request that is larger than `bytes` stands alone; whoever minds keeps it out. A limit of 0 counts as 1.
pub(super) fn chunks(sizes: &[usize], most: usize, bytes: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut filled) = (0, 0_usize);
    for (at, size) in sizes.iter().enumerate() {
        let full = at - start >= most.max(1) || filled.saturating_add(*size) > bytes;
        if full && at > start {
            chunks.push(start..at);
            (start, filled) = (at, 0);
        }
        filled = filled.saturating_add(*size);
    }
    if start < sizes.len() {
        chunks.push(start..sizes.len());
    }
    chunks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_batch_ends_at_either_limit() {
        assert!(chunks(&[], 2, 10).is_empty());
        assert_eq!(chunks(&[1, 1, 1], 2, 10), [0..2, 2..3]);
        assert_eq!(chunks(&[4, 6, 1], 9, 10), [0..2, 2..3]);
        assert_eq!(chunks(&[4, 7, 1], 9, 10), [0..1, 1..3]);
        assert_eq!(chunks(&[1, 11, 1], 9, 10), [0..1, 1..2, 2..3]);
        assert_eq!(chunks(&[usize::MAX, usize::MAX], 9, 10), [0..1, 1..2]);
        assert_eq!(chunks(&[1, 1], 0, 0), [0..1, 1..2]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_request_is_in_one_batch_and_no_batch_could_take_the_next(
            sizes in prop::collection::vec(0_usize..20, 0..60),
            most in 1_usize..10,
            bytes in 20_usize..60,
        ) {
            let chunks = chunks(&sizes, most, bytes);
            let sum = |range: Range<usize>| sizes[range].iter().sum::<usize>();
            let mut next = 0;
            for chunk in &chunks {
                prop_assert_eq!(chunk.start, next);
                prop_assert!(!chunk.is_empty() && chunk.len() <= most && sum(chunk.clone()) <= bytes);
                next = chunk.end;
                if next < sizes.len() {
                    prop_assert!(chunk.len() == most || sum(chunk.start..next + 1) > bytes);
                }
            }
            prop_assert_eq!(next, sizes.len());
        }
    }
}
