//! Spelling of regular verb forms: `stopped`, `carried`, `hoped`, `panicked`; `goes`, `cries`.

use crate::language::text::lexicon::lexicon;

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// The third person singular of a regular verb: `walks`, `passes`, `carries`, `goes`, `quizzes`.
pub(super) fn with_s(base: &str) -> String {
    let hissing = ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| base.ends_with(end));
    match base.as_bytes() {
        [.., before, b'z'] if is_vowel(*before) => format!("{base}zes"),
        [.., before, b'y'] if !is_vowel(*before) => format!("{}ies", &base[..base.len() - 1]),
        [.., before, b'o'] if !is_vowel(*before) => format!("{base}es"),
        _ if hissing => format!("{base}es"),
        _ => format!("{base}s"),
    }
}

/// The regular past of a verb, if its spelling is certain. A last consonant after a single vowel letter
/// is doubled in words of one syllable; in longer words that depends on the stress, which no spelling
/// shows, so the word list decides (`admitted`, `visited`; where it has both, as for `travel`, the more
/// usual form is taken; where it has neither, there is no answer).
pub(super) fn with_ed(base: &str) -> Option<String> {
    let bytes = base.as_bytes();
    let plain = format!("{base}ed");
    match bytes {
        [.., b'e'] => Some(format!("{base}d")),
        [.., before, b'y'] if !is_vowel(*before) => Some(format!("{}ied", &base[..base.len() - 1])),
        [.., before, b'c'] if is_vowel(*before) => Some(format!("{base}ked")),
        [.., before, last] if doubles(*last) && is_vowel(*before) && !is_digraph(bytes) => {
            let doubled = format!("{base}{}ed", char::from(*last));
            if is_one_short_syllable(bytes) {
                return Some(doubled);
            }
            match (rarity(&doubled), rarity(&plain)) {
                (None, None) => None,
                (Some(rarity), Some(other)) => {
                    let usual = matches!(last, b'l' | b'm' | b'p');
                    let doubles = rarity < other || rarity == other && usual;
                    Some(if doubles { doubled } else { plain })
                }
                (Some(_), None) => Some(doubled),
                (None, Some(_)) => Some(plain),
            }
        }
        _ => Some(plain),
    }
}

/// How rare a form is that the word list has as a past.
fn rarity(form: &str) -> Option<u8> {
    lexicon()
        .get(form.as_bytes())
        .filter(|entry| entry.is_past())
        .map(|entry| entry.rarity)
}

/// Whether the word list has a form as a past.
pub(super) fn is_past(form: &str) -> bool {
    rarity(form).is_some()
}

/// Whether the last vowel letter stands beside another one, but for the `u` of `qu`: `stoop`, `acquit`.
fn is_digraph(base: &[u8]) -> bool {
    match base {
        [.., b'q', b'u', _, _] => false,
        [.., earlier, _, _] => is_vowel(*earlier),
        _ => false,
    }
}

/// Whether the letter is one that English doubles before an ending.
fn doubles(letter: u8) -> bool {
    letter.is_ascii_lowercase() && !is_vowel(letter) && !matches!(letter, b'h' | b'w' | b'x' | b'y')
}

/// Whether a word ends in its only vowel letter and one consonant: `stop`, `quit`, but not `stoop`.
fn is_one_short_syllable(base: &[u8]) -> bool {
    let start = if base.starts_with(b"qu") { 2 } else { 0 };
    base.iter().skip(start).filter(|&&l| is_vowel(l)).count() == 1
        && base.iter().rev().nth(1).is_some_and(|&l| is_vowel(l))
}

/// Whether `base` may be written so with `-ed`; where both spellings are in use, either: `travelled`,
/// `traveled`, but not `hop` as `hoped`.
pub(super) fn may_be_spelled(base: &str, form: &str) -> bool {
    let bytes = base.as_bytes();
    let either = matches!(bytes, [.., before, last] if doubles(*last) && is_vowel(*before))
        && !is_one_short_syllable(bytes);
    either || with_ed(base).as_deref() == Some(form)
}

/// The bases that a form in `-ed` may come from; most are no words.
pub(super) fn bases_of_ed(form: &str) -> Vec<String> {
    let Some(stem) = form.strip_suffix("ed").filter(|stem| stem.len() >= 2) else {
        return Vec::new();
    };
    let mut bases = Vec::with_capacity(4);
    if let Some(stem) = stem.strip_suffix('i') {
        bases.push(format!("{stem}y"));
    }
    bases.push(format!("{stem}e"));
    bases.push(stem.to_owned());
    if let [.., before, last] = stem.as_bytes()
        && before == last
        && last.is_ascii()
    {
        bases.push(stem[..stem.len() - 1].to_owned());
    }
    if let Some(stem) = stem.strip_suffix('k').filter(|stem| stem.ends_with('c')) {
        bases.push(stem.to_owned());
    }
    bases
}

/// The bases that a regular third person singular may come from; most are no words.
pub(crate) fn bases_of_s(form: &str) -> Vec<String> {
    let Some(stem) = form.strip_suffix('s').filter(|stem| stem.len() >= 2) else {
        return Vec::new();
    };
    let mut bases = Vec::with_capacity(4);
    if let Some(stem) = stem.strip_suffix("ie").filter(|stem| stem.len() >= 2) {
        bases.push(format!("{stem}y"));
    }
    bases.push(stem.to_owned());
    if let Some(stem) = stem.strip_suffix('e') {
        bases.push(stem.to_owned());
        if let Some(stem) = stem.strip_suffix('z').filter(|stem| stem.ends_with('z')) {
            bases.push(stem.to_owned());
        }
    }
    bases
}
