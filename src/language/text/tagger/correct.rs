//! Tags put right after the model, where the word or its governor leaves no choice.
//!
//! How often, in 65 texts of 1900 to 2005 (902,607 words; samples of 40 were read, the errors among
//! them in brackets):
//!
//! 1. An `-s` form of a word that is nothing but a verb is a third person, not a plural: `implies`,
//!    `consists`; `lives` and `shelves` are left alone. 303 times (0).
//! 2. A word that is nothing but a past form is one: `clung`, `underwent`. 118 times (1).
//! 3. After a form of `have` or `be`, adverbs aside, stands no past tense but a participle. 126 times (1).
//! 4. After `had I`, `had he` and the like, adverbs aside, stands a participle too: `had he lived`.
//! 5. A word with a capital within a sentence is a name and no modal where a past or a participle follows: `Will bought`.
//! 6. After a modal or `to`, adverbs aside, stands no present but an infinitive. 19 times (all read, 1).

use crate::language::text::inflect::{bases_of_s, is_participle_only};
use crate::language::text::lexicon::{Entry, lexicon};
use crate::language::text::{Tag, Word};

/// Forms after which a past participle stands.
const HAVE_AND_BE: [&str; 15] = [
    "have", "has", "had", "having", "’ve", "'ve", "am", "is", "are", "was", "were", "be", "been",
    "being", "hath",
];

/// Puts right the tags of one sentence.
pub(super) fn correct(text: &str, sentence: &mut [Word]) {
    for at in 0..sentence.len() {
        let word = sentence[at];
        let written = word.span.of(text);
        let small = written.starts_with(|letter: char| letter.is_lowercase());
        let tag = by_form(written, word.tag, small);
        if tag == Tag::Md && written.starts_with(char::is_uppercase) && is_name(text, sentence, at)
        {
            sentence[at].tag = Tag::Nnp;
            continue;
        }
        sentence[at].tag = by_governor(text, sentence, at, tag);
    }
}

/// Whether a word that is taken for a modal stands in front of a past and not at the beginning.
fn is_name(text: &str, sentence: &[Word], at: usize) -> bool {
    let begins = at
        .checked_sub(1)
        .is_none_or(|before| sentence[before].tag == Tag::Punctuation);
    let past = |next: &Word| {
        let tag = by_form(next.span.of(text), next.tag, true);
        matches!(tag, Tag::Vbd | Tag::Vbn)
    };
    !begins && sentence.get(at + 1).is_some_and(past)
}

/// What the word alone demands.
fn by_form(written: &str, tag: Tag, small: bool) -> Tag {
    if !small || tag.is_verb() && !matches!(tag, Tag::Vb | Tag::Vbp) {
        return tag;
    }
    if tag != Tag::Jj
        && lexicon()
            .get(written.as_bytes())
            .is_some_and(Entry::only_past)
    {
        return if is_participle_only(written) {
            Tag::Vbn
        } else {
            Tag::Vbd
        };
    }
    if is_third_person_only(written) {
        return Tag::Vbz;
    }
    tag
}

/// Whether a word can only be the third person singular of a verb.
fn is_third_person_only(written: &str) -> bool {
    let Some(stem) = written.strip_suffix('s') else {
        return false;
    };
    let is_plural = |ending: &str, singular: &str| {
        stem.strip_suffix(ending).is_some_and(|stem| {
            lexicon()
                .get(format!("{stem}{singular}").as_bytes())
                .is_some()
        })
    };
    lexicon()
        .get(written.as_bytes())
        .is_none_or(|entry| !entry.is_noun() && !entry.ever_noun())
        && bases_of_s(written)
            .iter()
            .any(|base| lexicon().get(base.as_bytes()).is_some_and(Entry::only_base))
        && !is_plural("ve", "f")
        && !is_plural("ve", "fe")
}

/// What the word before demands, adverbs aside.
fn by_governor(text: &str, sentence: &[Word], at: usize, tag: Tag) -> Tag {
    if !matches!(tag, Tag::Vbd | Tag::Vbp) {
        return tag;
    }
    let governor = (at.saturating_sub(4)..at)
        .rev()
        .find(|&before| sentence[before].tag != Tag::Rb);
    let Some(before) = governor else {
        return tag;
    };
    let governor = sentence[before];
    let before = turned_round(text, sentence, before).unwrap_or(governor.span.of(text));
    let written = sentence[at].span.of(text);
    match tag {
        Tag::Vbd if matches!(written, "was" | "were" | "did") => tag,
        Tag::Vbd if is_one_of(before, &HAVE_AND_BE) || is_one_of(before, &["'d", "’d"]) => {
            Tag::Vbn
        }
        Tag::Vbp if matches!(governor.tag, Tag::Md | Tag::To) => Tag::Vb,
        _ => tag,
    }
}

/// The form of `have` in front of the pronoun at `at` where that is its subject: `Had he`, but not `we
/// had it`.
fn turned_round<'t>(text: &'t str, sentence: &[Word], at: usize) -> Option<&'t str> {
    const SUBJECTS: [&str; 5] = ["I", "he", "she", "we", "they"];
    let before = sentence.get(at.checked_sub(1)?)?.span.of(text);
    let subject = is_one_of(sentence.get(at)?.span.of(text), &SUBJECTS);
    (subject && is_one_of(before, &["had", "has", "have"])).then_some(before)
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|form| word.eq_ignore_ascii_case(form))
}
