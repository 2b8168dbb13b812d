//! Spelling: words that are not English, weighted by how much they look like slips.
//!
//! Measure: for every lower-case or oddly capitalised word that neither the list nor regular inflection
//! knows, a weight: 1 if one edit (insertion, deletion, substitution, neighbours exchanged) or a lost
//! blank leads to a usual word, 0.25 otherwise (jargon, dialect, foreign words), 0.1 beside another
//! such word (a foreign phrase), 0 for a word used three times or more (the writer means it), 0.15 if it
//! is so used yet looks like a slip. The rate is the sum of the weights per 1,000 words.
//! Weak: slips that give another English word are not seen; capitalised words are taken for names;
//! clipped dialect (`goin'`) and anything glued like code is forgiven.

use super::finding::Signal;
use super::text::{Case, Document, Kind, Type, is_word};
use super::words;
use crate::language::text::lexicon::lexicon;

/// Types examined for near misses in one document; above it an even sample stands for the rest, so that
/// a text of millions of unknown words stays cheap.
const EXAMINED: usize = 3000;

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Fine,
    Slip,
    Joined,
    Strange,
}

/// Scores the spelling of a document; the rate is per 1,000 words.
pub(super) fn spelling(document: &Document<'_>) -> Signal {
    let verdicts = verdicts(document);
    let unknown = |at: usize| {
        document
            .word_at(at)
            .is_some_and(|_| verdicts[document.tokens[at].word as usize] != Verdict::Fine)
    };
    let mut signal = Signal::default();
    for (at, token) in document.tokens.iter().enumerate() {
        let Some(word) = document.word_at(at) else {
            continue;
        };
        let verdict = verdicts[token.word as usize];
        if verdict == Verdict::Fine
            || matches!(token.case, Case::Title | Case::Upper)
            || is_clipped(document, at)
            || is_code(document, at)
        {
            continue;
        }
        let beside = at > 0 && unknown(at - 1) || unknown(at + 1);
        let (weight, note) = match (verdict, word.count) {
            (Verdict::Joined, 1 | 2) => (1.0, "looks like two words run together"),
            (Verdict::Slip, 1 | 2) => (1.0, "is not a word, but one letter away from one"),
            (Verdict::Slip | Verdict::Joined, _) => (0.15, "is not in the word list"),
            (_, 1 | 2) if beside => (0.1, "is not in the word list"),
            (_, 1 | 2) => (0.25, "is not in the word list"),
            _ => continue,
        };
        signal.add("SPELLING", at..at + 1, note, weight);
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

/// One verdict per type.
fn verdicts(document: &Document<'_>) -> Vec<Verdict> {
    let suspect = |t: &Type| !t.known && (t.lower > 0 || t.count > t.named) && !t.is_name();
    let suspects = document.types.iter().filter(|t| suspect(t)).count();
    let step = suspects.div_ceil(EXAMINED).max(1);
    let mut seen = 0;
    let mut last = Verdict::Strange;
    let judged = |t: &Type| {
        if !suspect(t) {
            return Verdict::Fine;
        }
        if seen % step == 0 {
            last = verdict(t.text.as_bytes());
        }
        seen += 1;
        last
    };
    document.types.iter().map(judged).collect()
}

fn verdict(word: &[u8]) -> Verdict {
    if word.len() > 24 || word.len() < 2 {
        return Verdict::Strange;
    }
    if is_near(word) {
        Verdict::Slip
    } else if is_joined(word) {
        Verdict::Joined
    } else {
        Verdict::Strange
    }
}

/// Usual enough to be what the writer meant: rare words and, for short slips, unusual ones are not.
fn is_usual(word: &[u8], limit: u8) -> bool {
    lexicon().get(word).is_some_and(|e| e.rarity <= limit)
}

/// Whether one edit gives a usual word (an everyday word of two letters or more for short slips).
fn is_near(word: &[u8]) -> bool {
    let limit = 2 + u8::from(word.len() > 4);
    let mut trial: Vec<u8> = word.to_vec();
    for at in 0..word.len() {
        let letter = trial[at];
        for other in b'a'..=b'z' {
            trial[at] = other;
            if is_usual(&trial, limit) {
                return true;
            }
        }
        trial[at] = letter;
        if at + 1 < word.len() {
            trial.swap(at, at + 1);
            if is_usual(&trial, limit) {
                return true;
            }
            trial.swap(at, at + 1);
        }
    }
    if word.len() < 4 {
        return false;
    }
    for at in 0..=word.len() {
        for other in b'a'..=b'z' {
            trial.insert(at, other);
            if is_usual(&trial, limit) {
                return true;
            }
            trial.remove(at);
        }
        if at < word.len() {
            let letter = trial.remove(at);
            if is_usual(&trial, limit) {
                return true;
            }
            trial.insert(at, letter);
        }
    }
    false
}

/// Whether the word is two everyday words with nothing or one letter in place of the blank.
fn is_joined(word: &[u8]) -> bool {
    let whole = |w: &[u8]| matches!(w, b"a" | b"i") || (w.len() > 1 && is_usual(w, 2));
    (1..word.len()).any(|cut| {
        let head = &word[..cut];
        whole(head)
            && (whole(&word[cut..]) && cut > 1 || cut + 1 < word.len() && whole(&word[cut + 1..]))
    })
}

/// `goin'`, `'em`, `'twas`: an apostrophe stands for the missing letters.
fn is_clipped(document: &Document<'_>, at: usize) -> bool {
    let quote = |at: usize| document.kind_at(at) == Kind::Quote && document.slice(at) != "\"";
    let after = quote(at + 1) && !document.spaced(at + 1);
    let before = at > 0 && quote(at - 1) && !document.spaced(at);
    let grown =
        |word: &str| words::is_known(&format!("{word}g")) || words::is_known(&format!("{word}d"));
    after && (grown(document.slice(at)) || document.slice(at).len() < 5)
        || before && document.slice(at).len() < 6
}

/// `table.md`, `x=y`, `v2`, a word in backticks: glued to marks that prose does not glue to words.
fn is_code(document: &Document<'_>, at: usize) -> bool {
    let odd = |at: usize| match document.kind_at(at) {
        Kind::Other | Kind::Number => true,
        Kind::Quote => document.slice(at) == "`",
        _ => false,
    };
    let stop = |at: usize| document.kind_at(at) == Kind::Stop && document.slice(at) == ".";
    let last = document.tokens.len() - 1;
    let glued_before = at > 0 && !document.spaced(at);
    let glued_after = at < last && !document.spaced(at + 1);
    let address = at + 1 < last && stop(at + 1) && !document.spaced(at + 2);
    glued_before && (odd(at - 1) || stop(at - 1))
        || glued_after && (odd(at + 1) || address && is_word(document.kind_at(at + 2)))
}

#[cfg(test)]
mod tests {
    use super::{Document, spelling};

    fn quoted(text: &str) -> Vec<(String, f64)> {
        let document = Document::read(text);
        let found = spelling(&document).findings;
        found
            .into_iter()
            .map(|f| (document.span(f.tokens).to_owned(), f.weight))
            .collect()
    }

    #[test]
    fn a_slip_counts_fully_and_a_strange_word_a_quarter() {
        let found = quoted("He saw verh little of the zanthorax there.");
        assert_eq!(
            found,
            [("verh".to_owned(), 1.0), ("zanthorax".to_owned(), 0.25)]
        );
    }

    #[test]
    fn a_lost_blank_is_a_slip() {
        assert_eq!(
            quoted("It was ofthe best and themovertures were fine.").len(),
            2
        );
    }

    #[test]
    fn names_clipped_words_and_old_spellings_are_left_alone() {
        let text =
            "Lord Zanthor was goin' to shew 'em the colour o' Zanthor's to-day, o'clock or no.";
        assert_eq!(quoted(text), []);
    }

    #[test]
    fn file_names_and_code_are_not_prose() {
        assert_eq!(
            quoted("Open plzn.txt or `frobn` with a=brnd and 12mqx, says n."),
            [("n".to_owned(), 0.25)]
        );
    }

    #[test]
    fn a_word_the_writer_means_is_not_a_mistake() {
        assert_eq!(
            quoted("A zanthorax met a zanthorax and another zanthorax."),
            []
        );
    }

    #[test]
    fn more_slips_give_a_higher_rate_and_length_alone_does_not() {
        let clean = "The old house stood at the end of the road. ";
        let slip = "The old houze stood at the ebd of the road. ";
        let rate = |text: &str| spelling(&Document::read(text)).rate;
        assert!(rate(clean) < 1e-9);
        assert!(
            rate(&format!("{}{slip}", clean.repeat(50)))
                > rate(&format!("{}{slip}", clean.repeat(90)))
        );
    }
}
