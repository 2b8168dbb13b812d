//! The refusal of a text that has too little of what a manipulation needs, and the sentence for it.

use super::edit::NotApplicable;
use crate::base::wording::count;

/// Refuses a text with fewer of the things than there are to be operations; both are named in the singular.
///
/// # Errors
/// When there are too few.
pub(super) fn enough(
    operations: usize,
    operation: &str,
    have: usize,
    thing: &str,
) -> Result<(), NotApplicable> {
    if have < operations {
        return Err(shortage(operations, operation, operations, thing, have));
    }
    Ok(())
}

/// Such as `3 swaps need 6 eligible units, and there are 4`; `operation` and `thing` in the singular.
pub(super) fn shortage(
    operations: usize,
    operation: &str,
    needed: usize,
    thing: &str,
    have: usize,
) -> NotApplicable {
    NotApplicable(format!(
        "{} {} {}, and there {}",
        count(operations, operation),
        if operations == 1 { "needs" } else { "need" },
        count(needed, thing),
        match have {
            0 => "is none".to_owned(),
            1 => "is only 1".to_owned(),
            _ => format!("are {have}"),
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_agrees_in_number() {
        let sentences = [
            (
                shortage(3, "swap", 6, "eligible unit", 4).0,
                "3 swaps need 6 eligible units, and there are 4",
            ),
            (
                shortage(1, "swap", 2, "eligible unit", 1).0,
                "1 swap needs 2 eligible units, and there is only 1",
            ),
            (
                shortage(1, "typo", 1, "letter", 0).0,
                "1 typo needs 1 letter, and there is none",
            ),
        ];
        for (sentence, expected) in sentences {
            assert_eq!(sentence, expected);
        }
    }
}
