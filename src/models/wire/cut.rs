//! Whether a server read the whole prompt.
//!
//! Some servers cut a prompt that is longer than their context and answer as if nothing had happened (Ollama's default
//! context is 4,096 tokens). What gives them away is the number of prompt tokens they report. Nothing here counts
//! tokens itself; whoever does is asked only in doubt, for counting takes about a millisecond for 13 KB.

use crate::models::ask::CallError;

/// So many replies are counted before any is believed.
const FIRST: u32 = 8;

/// How much more text per token than any reply that was counted is still believed.
const MARGIN: f64 = 1.02;

/// The least share of the counted tokens that a server reports for a whole prompt. Templates only add; a little is
/// lost where they trim white space, or where the file of a tokenizer is not quite the server's.
const EXACT: f64 = 0.95;

/// The same where the tokens of a text in Latin letters were estimated with `o200k_base`. Of English prose the tokenizers
/// of Llama 3, Qwen 2, DeepSeek V3 and Mistral make within 3 % as many, that of `SmolLM2` 5 % more; French is 0.89 with
/// Mistral, Turkish and Vietnamese 0.89 to 0.90 with Llama 3 (of a paragraph each). So a cut of less than 15 % goes unnoticed
/// unless the model's own tokenizer is named.
const ESTIMATED_LATIN: f64 = 0.85;

/// The same of other scripts. Of Chinese prose the tokenizers of Qwen 2 and DeepSeek V3 make 0.68 to 0.82 as many.
const ESTIMATED_OTHER: f64 = 0.65;

/// The share of Latin letters from which on a text counts as written in them.
const LATIN: f64 = 0.9;

/// What is added where the estimate may be to blame.
const DOUBT: &str = "; if it read all of it, name its tokenizer: `tokenizer = \"deepseek_v3\"`, `qwen2`, `llama3` or a `tokenizer.json`";

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

/// What letters a text is written in, as far as tokenizers differ in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Nine letters of ten are Latin.
    Latin,
    /// Fewer are, or there are no letters at all.
    Other,
}

impl Script {
    /// The script of texts, taken together. A pass over their characters, much faster than counting tokens.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let (mut latin, mut letters) = (0_u64, 0_u64);
        for letter in texts.into_iter().flat_map(str::chars) {
            if letter.is_alphabetic() {
                letters += 1;
                latin += u64::from(is_latin(letter));
            }
        }
        if letters > 0 && latin as f64 >= letters as f64 * LATIN {
            Self::Latin
        } else {
            Self::Other
        }
    }
}

/// Whether a letter is one of those in which European languages, Turkish and Vietnamese are written.
fn is_latin(letter: char) -> bool {
    matches!(letter, 'a'..='z' | 'A'..='Z' | 'ª' | 'º' | 'À'..='ɏ' | 'Ḁ'..='ỿ')
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

/// Accepts the number of tokens that a server reports for a text in a script.
///
/// Where tokens are estimated, a cut that takes less than the tokenizers differ goes unnoticed.
///
/// # Errors
/// [`CallError::Fatal`] when so many are missing that the prompt was cut.
pub fn check(counted: Counted, script: Script, reported: u64) -> Result<(), CallError> {
    let (share, about, doubt) = match (counted.exact, script) {
        (true, _) => (EXACT, "", ""),
        (false, Script::Latin) => (ESTIMATED_LATIN, "about ", DOUBT),
        (false, Script::Other) => (ESTIMATED_OTHER, "about ", DOUBT),
    };
    let missing = counted.tokens.saturating_sub(reported);
    if reported as f64 >= counted.tokens as f64 * share || missing <= FEW {
        return Ok(());
    }
    Err(CallError::Fatal(format!(
        "the server read {} of {about}{} tokens of the prompt: it cut it without saying so; give it a longer context, or cut documents by a `truncate` stage{doubt}",
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
        let said = check(estimated(9113), Script::Latin, 2048).unwrap_err();
        assert_eq!(
            said,
            CallError::Fatal(
                "the server read 2,048 of about 9,113 tokens of the prompt: it cut it without saying so; give it a longer context, or cut documents by a `truncate` stage; if it read all of it, name its tokenizer: `tokenizer = \"deepseek_v3\"`, `qwen2`, `llama3` or a `tokenizer.json`"
                    .to_owned()
            )
        );
        let said = check(exact(1_234_567), Script::Latin, 999).unwrap_err();
        assert_eq!(
            said.to_string(),
            "the server read 999 of 1,234,567 tokens of the prompt: it cut it without saying so; give it a longer context, or cut documents by a `truncate` stage"
        );
    }

    #[test]
    fn a_whole_prompt_may_be_a_little_shorter_than_counted() {
        use Script::{Latin, Other};
        for (counted, script, reported, whole) in [
            (exact(1000), Latin, 1012, true),
            (exact(1000), Latin, 950, true),
            (exact(1000), Latin, 949, false),
            (exact(1000), Other, 949, false),
            (exact(20), Latin, 4, true),
            (estimated(1000), Latin, 1050, true),
            (estimated(1000), Latin, 850, true),
            (estimated(1000), Latin, 849, false),
            (estimated(1000), Other, 684, true),
            (estimated(1000), Other, 650, true),
            (estimated(1000), Other, 649, false),
            (estimated(32), Latin, 0, true),
            (exact(0), Other, 0, true),
            (exact(u64::MAX), Latin, u64::MAX, true),
        ] {
            assert_eq!(
                check(counted, script, reported).is_ok(),
                whole,
                "{counted:?} {script:?} {reported}"
            );
        }
    }

    #[test]
    fn a_text_is_in_the_script_of_nine_letters_of_ten() {
        use Script::{Latin, Other};
        for (texts, script) in [
            (&["It was a cold evening."][..], Latin),
            (
                &["Đó là một buổi chiều lạnh lẽo, à l'été, ağaç, Straße"],
                Latin,
            ),
            (&["那是十一月的一个寒冷的傍晚"], Other),
            (&["Был холодный вечер"], Other),
            (&["Ἦν δὲ ψυχρὰ ἡ ἑσπέρα"], Other),
            (&["ＷＩＤＥ ｌｅｔｔｅｒｓ"], Other),
            (&["abcdefghi傍"], Latin),
            (&["abcdefgh傍"], Other),
            // Only letters count, and all messages together.
            (&["abcdefghi傍", "。。。！！！ 12345 😀😀"], Latin),
            (&["Grade this:", "那是十一月的一个寒冷的傍晚"], Other),
            (&["1843, 27.50 + 3 = ?"], Other),
            (&[""], Other),
            (&[], Other),
        ] {
            assert_eq!(Script::of(texts.iter().copied()), script, "{texts:?}");
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
