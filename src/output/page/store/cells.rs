//! Cells of many rows as few bytes, as the script reads them: a byte that says what they are, then the cells, the least
//! byte of each first. Of cells that are all the same there is one.
//!
//! | first byte | cells |
//! |---|---|
//! | 0 | one code of four bytes, which all rows have |
//! | 1, 2, 4 | codes of so many bytes |
//! | 10 | one number of eight bytes, which all rows have |
//! | 12 | whole numbers of two bytes, the least of which is none |
//! | 18 | numbers of eight bytes |
//! | 24 | the steps of four bytes from each code to the next, from 0 to the first |

/// What stands for no number among short ones.
const NONE: i16 = i16::MIN;

/// Packs codes, which count from 1, in as many bytes as the largest takes.
pub(super) fn codes(codes: &[u32], to: &mut Vec<u8>) {
    if all_the_same(codes) {
        to.push(0);
        to.extend_from_slice(&codes.first().copied().unwrap_or(0).to_le_bytes());
        return;
    }
    let most = codes.iter().copied().max().unwrap_or(0);
    let width = match most {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    to.push(width);
    for code in codes {
        to.extend_from_slice(&code.to_le_bytes()[..usize::from(width)]);
    }
}

/// Packs positions, which count from 1: mostly each is one more than the one before, and steps that are alike take no room.
pub(super) fn positions(positions: &[u32], to: &mut Vec<u8>) {
    if all_the_same(positions) {
        return codes(positions, to);
    }
    to.push(24);
    let mut before = 0;
    for &position in positions {
        to.extend_from_slice(&position.wrapping_sub(before).to_le_bytes());
        before = position;
    }
}

/// So many positions as they were [packed](positions); nothing, where these are none.
pub(super) fn read_positions(packed: &[u8], many: usize) -> Option<Vec<u32>> {
    let (kind, cells) = packed.split_first()?;
    let (numbers, rest) = cells.as_chunks::<4>();
    let mut numbers = numbers.iter().copied().map(u32::from_le_bytes);
    match kind {
        0 if numbers.len() == 1 && rest.is_empty() => Some(vec![numbers.next()?; many]),
        24 if numbers.len() == many && rest.is_empty() => {
            let step = |before: &mut u32, step: u32| {
                *before = before.wrapping_add(step);
                Some(*before)
            };
            Some(numbers.scan(0, step).collect())
        }
        _ => None,
    }
}

/// Packs numbers; what is not a number is none.
pub(super) fn numbers(numbers: &[f64], to: &mut Vec<u8>) {
    let first = numbers.first().copied().unwrap_or(f64::NAN);
    let bytes = plain(first).to_le_bytes();
    if numbers
        .iter()
        .all(|number| plain(*number).to_le_bytes() == bytes)
    {
        to.push(10);
        to.extend_from_slice(&bytes);
        return;
    }
    let short = |number: &f64| {
        number.is_nan() || number.fract() == 0.0 && number.abs() < f64::from(i16::MAX)
    };
    if numbers.iter().all(short) {
        to.push(12);
        for number in numbers {
            let short = if number.is_nan() {
                NONE
            } else {
                *number as i16
            };
            to.extend_from_slice(&short.to_le_bytes());
        }
        return;
    }
    to.push(18);
    for &number in numbers {
        to.extend_from_slice(&plain(number).to_le_bytes());
    }
}

/// The same number, in the same bytes wherever it came from.
fn plain(number: f64) -> f64 {
    if number.is_nan() {
        f64::NAN
    } else {
        number + 0.0
    }
}

fn all_the_same(codes: &[u32]) -> bool {
    codes.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed<T>(pack: impl Fn(&[T], &mut Vec<u8>), cells: &[T]) -> Vec<u8> {
        let mut bytes = Vec::new();
        pack(cells, &mut bytes);
        bytes
    }

    #[test]
    fn cells_are_as_wide_as_the_widest_and_one_where_all_are_the_same() {
        assert_eq!(packed(codes, &[7, 7, 7]), [0, 7, 0, 0, 0]);
        assert_eq!(packed(codes, &[]), [0, 0, 0, 0, 0]);
        assert_eq!(packed(codes, &[1, 255]), [1, 1, 255]);
        assert_eq!(packed(codes, &[1, 256]), [2, 1, 0, 0, 1]);
        assert_eq!(packed(codes, &[0, 1 << 16]).len(), 9);
    }

    #[test]
    fn positions_are_steps_also_backwards_and_to_none() {
        let bytes = packed(positions, &[5, 6, 0, 6]);
        assert_eq!(bytes[..9], [24, 5, 0, 0, 0, 1, 0, 0, 0]);
        let steps = bytes[1..].chunks_exact(4);
        let mut at = 0_u32;
        let back: Vec<u32> = steps
            .map(|step| {
                at = at.wrapping_add(u32::from_le_bytes(step.try_into().unwrap()));
                at
            })
            .collect();
        assert_eq!(back, [5, 6, 0, 6]);
    }

    #[test]
    fn positions_are_read_as_they_were_packed_and_nothing_else_is() {
        for list in [&[5, 6, 0, 6][..], &[3, 3, 3], &[1], &[0, u32::MAX]] {
            let bytes = packed(positions, list);
            assert_eq!(read_positions(&bytes, list.len()).unwrap(), list);
            assert!(read_positions(&bytes[..bytes.len() - 1], list.len()).is_none());
        }
        assert!(read_positions(&packed(positions, &[1, 2]), 3).is_none());
        assert!(read_positions(&packed(codes, &[1, 2]), 2).is_none());
        assert!(read_positions(&[], 0).is_none());
    }

    #[test]
    fn numbers_are_short_where_all_of_them_are() {
        assert_eq!(packed(numbers, &[3.0, f64::NAN]), [12, 3, 0, 0, 0x80]);
        assert_eq!(packed(numbers, &[3.0, 4.5]).len(), 17);
        assert_eq!(packed(numbers, &[3.0, 32_767.0]).len(), 17);
        assert_eq!(packed(numbers, &[f64::NAN, -f64::NAN]).len(), 9);
        assert_eq!(packed(numbers, &[0.0, -0.0, 0.0]).len(), 9);
        assert_eq!(packed(numbers, &[-0.0]), packed(numbers, &[0.0]));
    }
}
