//! Whether a server read the whole prompt.
//!
//! Some servers cut a prompt that is longer than their context and answer as if nothing had happened (Ollama's default
//! context is 4,096 tokens). What gives them away is the number of prompt tokens they report. Nothing here counts
//! tokens itself; whoever does is asked only in doubt, for counting takes about a millisecond for 13 KB.

use crate::model::CallError;

/// So many replies are counted before any is believed.
const FIRST: u32 = 8;

/// How much more text per token than any reply that was counted is still believed.
const MARGIN: f64 = 1.02;

/// The least share of the counted tokens that a server reports for a whole prompt. Templates only add; a little is
/// lost where they trim white space, or where the file of a tokenizer is not quite the server's.
const EXACT: f64 = 0.95;

/// The same where the tokens were estimated.
const ESTIMATED: f64 = 0.7;

/// So few missing tokens are no cut, however short the prompt.
const FEW: u64 = 32;

/// How many tokens a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number.
    pub tokens: u64,
    /// Whether it was counted by the model's own tokenizer.
    pub exact: bool,
}

/// What the counted replies of one server have shown. A few numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Watch {
    counted: u32,
    bytes_per_token: f64,
    tokens: u64,
}

impl Watch {
    /// Whether a prompt of so many bytes, of which the server reports so many tokens, needs no counting.
    ///
    /// It needs none when its text is no denser than that of some counted reply, and when the server is known to read
    /// as many tokens as these: a cut prompt has as many tokens as the server can read, which is more than any whole
    /// one had. So after the first few, those are counted that are the longest or densest so far: of a hundred
    /// thousand in random order about two dozen.
    pub fn trusts(&self, bytes: u64, reported: u64) -> bool {
        self.counted >= FIRST
            && reported <= self.tokens
            && ratio(bytes, reported) <= self.bytes_per_token * MARGIN
    }

    /// Remembers a prompt that was counted and is whole.
    pub fn counted(&mut self, bytes: u64, reported: u64) {
        self.counted = self.counted.saturating_add(1);
        self.bytes_per_token = self.bytes_per_token.max(ratio(bytes, reported));
        self.tokens = self.tokens.max(reported);
    }
}

/// Accepts the number of tokens that a server reports for a text.
///
/// # Errors
/// [`CallError::Fatal`] when so many are missing that the prompt was cut.
pub fn check(counted: Counted, reported: u64) -> Result<(), CallError> {
    let share = if counted.exact { EXACT } else { ESTIMATED };
    let missing = counted.tokens.saturating_sub(reported);
    if reported as f64 >= counted.tokens as f64 * share || missing <= FEW {
        return Ok(());
    }
    let about = if counted.exact { "" } else { "about " };
    Err(CallError::Fatal(format!(
        "the server read {} of {about}{} tokens of the prompt: it cut it without saying so; give it a longer context, or cut documents by a `truncate` stage",
        grouped(reported),
        grouped(counted.tokens),
    )))
}

fn ratio(bytes: u64, tokens: u64) -> f64 {
    bytes as f64 / tokens.max(1) as f64
}

/// A number with commas between thousands.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(tokens: u64) -> Counted {
        Counted {
            tokens,
            exact: true,
        }
    }

    fn estimated(tokens: u64) -> Counted {
        Counted {
            tokens,
            exact: false,
        }
    }

    #[test]
    fn a_cut_prompt_stops_the_run() {
        let said = check(estimated(9113), 2048).unwrap_err();
        assert_eq!(
            said,
            CallError::Fatal(
                "the server read 2,048 of about 9,113 tokens of the prompt: it cut it without saying so; give it a longer context, or cut documents by a `truncate` stage"
                    .to_owned()
            )
        );
        let said = check(exact(1_234_567), 999).unwrap_err().to_string();
        assert!(
            said.starts_with("the server read 999 of 1,234,567 tokens"),
            "{said}"
        );
    }

    #[test]
    fn a_whole_prompt_may_be_a_little_shorter_than_counted() {
        for (counted, reported, whole) in [
            (exact(1000), 1012, true),
            (exact(1000), 950, true),
            (exact(1000), 949, false),
            (exact(20), 4, true),
            (estimated(1000), 700, true),
            (estimated(1000), 699, false),
            (exact(0), 0, true),
            (exact(u64::MAX), u64::MAX, true),
        ] {
            assert_eq!(
                check(counted, reported).is_ok(),
                whole,
                "{counted:?} {reported}"
            );
        }
    }

    #[test]
    fn replies_are_believed_after_some_were_counted() {
        let mut watch = Watch::default();
        for n in 0..FIRST {
            assert!(!watch.trusts(4000, 1000), "{n}");
            watch.counted(4000, 1000);
        }
        assert!(watch.trusts(4000, 1000));
        assert!(watch.trusts(4080, 1000));
        assert!(!watch.trusts(4081, 1000), "denser than any");
        assert!(!watch.trusts(4004, 1001), "longer than any");
    }

    #[test]
    fn a_cut_is_doubted_among_many_whole_prompts() {
        // A server that reads 2048 tokens, texts of four to five bytes per token, the longest too long.
        let mut watch = Watch::default();
        for n in 0..1000_u64 {
            let tokens = 500 + n;
            watch.counted(tokens * (400 + n % 100) / 100, tokens);
        }
        assert!(!watch.trusts(2200 * 4, 2048));
        assert!(!watch.trusts(9113 * 4, 2048));
    }

    #[test]
    fn few_of_many_prompts_are_counted() {
        let mut watch = Watch::default();
        let mut asked = 0;
        // A fixed disorder of lengths.
        for n in 0..10_000_u64 {
            let tokens = 1000 + (n * 7919) % 10_007;
            let bytes = tokens * (400 + (n * 104_729) % 97) / 100;
            if !watch.trusts(bytes, tokens) {
                asked += 1;
                watch.counted(bytes, tokens);
            }
        }
        assert!(asked <= 40, "{asked}");
    }

    proptest! {
        #[test]
        fn numbers_are_grouped_by_three(n in any::<u64>()) {
            let shown = grouped(n);
            prop_assert_eq!(shown.replace(',', ""), n.to_string());
            prop_assert!(shown.split(',').skip(1).all(|group| group.len() == 3));
        }
    }
}
