//! A verb form turned into the other tense where it stands: contractions and compounds looked at.

use super::flip::{Subject, flip, like};
use super::subject::subject;
use crate::language::text::{Tag, Word};

/// Modals before `n't`, present and past, as `can't` and `couldn't` are parted.
const BEFORE_NOT: [(&str, &str); 3] = [("ca", "could"), ("wo", "would"), ("sha", "should")];

/// How many words before a `were` an `if` is looked for.
const REACH: usize = 12;

/// What a subjunctive stands after.
const CONDITIONAL: [&str; 8] = [
    "if", "though", "although", "wish", "wished", "wishes", "lest", "unless",
];

/// What takes the place of the word at `at` when its tense is changed, or none where it has no tense,
/// or none that could be changed alone.
///
/// Contractions: `'m` and `'re` become ` was` and ` were`, `'ve` and `'ll` become `'d`; `'s` (is or
/// has) and `'d` (had or would) are left alone, and so are parts of a hyphenated compound, `gotta`,
/// `ain't` and forms that `n't` does not go with (`amn't`, `mayn't`). So are a subjunctive `were` (`if he
/// were`), `used to`, which has no present, and `need not` and `dare not`, which have no past. A participle
/// that the tagger takes for a past (`hamlets studded along the road`) is not told apart.
pub fn flip_at(text: &str, words: &[Word], at: usize) -> Option<String> {
    let word = words.get(at)?;
    if !matches!(word.tag, Tag::Vbd | Tag::Vbz | Tag::Vbp | Tag::Md) {
        return None;
    }
    let written = word.span.of(text);
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let next = words
        .get(at + 1)
        .filter(|next| next.span.start == word.span.end)
        .map(|next| next.span.of(text));
    let after_hyphen = before
        .is_some_and(|before| before.span.end == word.span.start && before.span.of(text) == "-");
    if after_hyphen || next == Some("-") {
        return None;
    }
    if written.starts_with(['\'', '’']) {
        return contraction(written, before.map(|word| word.tag));
    }
    let following = words.get(at + 1).map_or("", |next| next.span.of(text));
    if is_without_other_tense(written, following) {
        return None;
    }
    let flipped = || {
        let subject = subject(text, words, at);
        if written.eq_ignore_ascii_case("were") && is_subjunctive(text, words, at, subject) {
            return None;
        }
        flip(written, word.tag, subject)
    };
    match next {
        Some(next) if is_not(next) => before_not(written, flipped),
        // `cannot` has no past of its own.
        Some(next) if next.eq_ignore_ascii_case("not") => flipped().map(|form| form + " "),
        Some(next) if next.starts_with(char::is_alphanumeric) => None,
        _ => flipped(),
    }
}

/// `used to`; `need` and `dare` before a negation.
fn is_without_other_tense(written: &str, following: &str) -> bool {
    match written.to_lowercase().as_str() {
        "used" => following.eq_ignore_ascii_case("to"),
        "need" | "needs" | "needed" | "dare" | "dares" | "dared" => {
            following.eq_ignore_ascii_case("not") || is_not(following)
        }
        _ => false,
    }
}

/// Whether a `were` is no past: beside `I`, `he`, `she` or `it`, on either side, or after `if`, `though` and
/// the like in its clause where its subject is not several.
fn is_subjunctive(text: &str, words: &[Word], at: usize, subject: Subject) -> bool {
    const ONE: [&str; 4] = ["i", "he", "she", "it"];
    let is = |at: usize, known: &[&str]| {
        words.get(at).is_some_and(|word: &Word| {
            let written = word.span.of(text);
            known.iter().any(|form| written.eq_ignore_ascii_case(form))
        })
    };
    if is(at + 1, &ONE) && !is(at + 2, &["and"]) {
        return true;
    }
    // Backwards through the clause; `he and she were` are several.
    let mut near = at;
    while let Some(before) = near.checked_sub(1)
        && words[before].tag == Tag::Rb
    {
        near = before;
    }
    if let Some(before) = near.checked_sub(1)
        && is(before, &ONE)
    {
        return !before
            .checked_sub(1)
            .is_some_and(|and| is(and, &["and", "&"]));
    }
    let conditional = (at.saturating_sub(REACH)..at)
        .rev()
        .take_while(|&before| words[before].tag != Tag::Punctuation)
        .any(|before| is(before, &CONDITIONAL));
    conditional && subject != Subject::Other
}

fn is_not(word: &str) -> bool {
    word.eq_ignore_ascii_case("n't") || word.eq_ignore_ascii_case("n’t")
}

/// A contraction of its own, with what stands before it.
fn contraction(written: &str, before: Option<Tag>) -> Option<String> {
    let mark = written.chars().next()?;
    let ending = &written[mark.len_utf8()..];
    // `would've` holds an infinitive, and after anything but a subject it would be guesswork.
    let subject = matches!(
        before?,
        Tag::Prp | Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps | Tag::Wh | Tag::Ex | Tag::Dt
    );
    let flipped = match ending.to_lowercase().as_str() {
        "m" => " was".to_owned(),
        "re" => " were".to_owned(),
        "ve" | "ll" => format!("{mark}d"),
        _ => return None,
    };
    subject.then(|| {
        if ending.chars().all(char::is_uppercase) {
            flipped.to_uppercase()
        } else {
            flipped
        }
    })
}

/// A form in front of `n't`.
fn before_not(written: &str, flipped: impl Fn() -> Option<String>) -> Option<String> {
    let form = written.to_lowercase();
    for (present, past) in BEFORE_NOT {
        if form == present {
            return Some(like(written, past));
        }
        if form == past {
            return Some(like(written, present));
        }
    }
    match form.as_str() {
        "is" | "was" | "are" | "were" | "has" | "have" | "had" | "does" | "do" | "did" => {
            flipped().filter(|form| !form.eq_ignore_ascii_case("am"))
        }
        _ => None,
    }
}
