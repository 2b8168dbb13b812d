//! Jitter without dice: a share drawn from bytes and a number, the same for the same ones.

/// A share from 0.5 up to 1, spread evenly over the keys and numbers.
pub(super) fn half_to_one(key: &[u8], number: u64) -> f64 {
    // FNV-1a over the bytes, then the finalizer of SplitMix64, whose high bits are good.
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in key {
        state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    state = state.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^= state >> 31;
    0.5 + (state >> 11) as f64 / (1_u64 << 54) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_fill_the_upper_half_evenly() {
        let mut tenths = [0_u32; 10];
        for key in 0..1_000_u32 {
            for number in 0..10 {
                let share = half_to_one(&key.to_le_bytes(), number);
                assert!((0.5..1.0).contains(&share));
                tenths[((share - 0.5) * 20.0) as usize] += 1;
            }
        }
        assert!(
            tenths.iter().all(|n| (900..1_100).contains(n)),
            "{tenths:?}"
        );
    }

    #[test]
    fn the_same_key_and_number_draw_the_same() {
        assert!((half_to_one(b"a", 1) - half_to_one(b"a", 1)).abs() < f64::EPSILON);
        assert!((half_to_one(b"a", 1) - half_to_one(b"a", 2)).abs() > 1e-6);
        assert!((half_to_one(b"a", 1) - half_to_one(b"b", 1)).abs() > 1e-6);
    }
}
