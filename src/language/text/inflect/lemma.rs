//! From a form of a verb to its base.

use super::irregular::{base_of_participle, base_of_past, irregular};
use super::regular::{bases_of_ed, bases_of_s, is_past, may_be_spelled, with_ed, with_s};
use crate::language::text::Tag;
use crate::language::text::lexicon::lexicon;

/// Forms that no rule reaches.
const THIRD: [(&str, &str); 6] = [
    ("is", "be"),
    ("has", "have"),
    ("does", "do"),
    ("hath", "have"),
    ("doth", "do"),
    ("saith", "say"),
];

/// The base of a verb form (`went`, `VBD` → `go`), in small letters; none for a tag without tense other
/// than the past participle, and where the word is no known verb.
pub fn lemma(word: &str, tag: Tag) -> Option<String> {
    let form = word.to_lowercase();
    match tag {
        Tag::Vbd => of_past(&form),
        Tag::Vbn => base_of_participle(&form)
            .map(str::to_owned)
            .or_else(|| of_past(&form)),
        Tag::Vbz => of_third(&form),
        Tag::Vbp => match form.as_str() {
            "am" | "are" => Some("be".to_owned()),
            "be" => None,
            _ => is_verb(&form).then_some(form),
        },
        _ => None,
    }
}

fn of_past(form: &str) -> Option<String> {
    if let Some(base) = base_of_past(form) {
        return Some(base.to_owned());
    }
    let bases = bases_of_ed(form);
    likeliest(
        bases
            .into_iter()
            .filter(|base| irregular(base).is_none() && may_be_spelled(base, form)),
    )
}

fn of_third(form: &str) -> Option<String> {
    if let Some((_, base)) = THIRD.iter().find(|(known, _)| *known == form) {
        return Some((*base).to_owned());
    }
    likeliest(
        bases_of_s(form)
            .into_iter()
            .filter(|base| with_s(base) == form),
    )
}

/// The likeliest of the bases that are verbs: common words before rare ones, words that are mostly
/// verbs before others, and of equals the first.
fn likeliest(bases: impl Iterator<Item = String>) -> Option<String> {
    bases
        .filter(|base| is_verb(base))
        .min_by_key(|base| match lexicon().get(base.as_bytes()) {
            Some(entry) => entry.rarity + if entry.is_base() { 0 } else { 3 },
            None => u8::MAX,
        })
}

/// Whether a word is the base of a verb: an irregular one, one that the word list calls so, or a noun
/// or adjective whose regular past the list has (`eye`, `hand`).
pub(crate) fn is_verb(base: &str) -> bool {
    irregular(base).is_some()
        || lexicon().get(base.as_bytes()).is_some_and(|entry| {
            entry.is_base()
                || (entry.ever_noun() || entry.is_adjective())
                    && with_ed(base).is_some_and(|past| is_past(&past))
        })
}

/// Whether a form in small letters is a participle and cannot be a past tense: `gone`, `been`.
pub(crate) fn is_participle_only(form: &str) -> bool {
    base_of_past(form).is_none()
        && base_of_participle(form)
            .and_then(irregular)
            .is_some_and(|verb| !verb.past.contains(&form))
}
