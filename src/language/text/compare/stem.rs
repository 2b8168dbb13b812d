//! Porter's stems of English words, with the changes that NLTK makes to his rules, which rouge-score uses.

/// Words with stems of their own.
const OWN: [(&str, &str); 16] = [
    ("skies", "sky"),
    ("sky", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Endings of the second step, and what takes their place behind a stem of measure 1 or more.
const SECOND: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

/// Those of the third step.
const THIRD: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Endings of the fourth step, which go behind a stem of measure 2 or more; the first that fits.
const FOURTH: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a word of small letters a to z and digits.
pub(super) fn stem(word: &str) -> String {
    if let Some((_, own)) = OWN.iter().find(|(known, _)| *known == word) {
        return (*own).to_owned();
    }
    if word.len() <= 2 {
        return word.to_owned();
    }
    let word = plural(word);
    let word = past(&word);
    let word = match word.strip_suffix('y') {
        Some(stem) if stem.len() > 1 && is_consonant(stem, stem.len() - 1) => format!("{stem}i"),
        _ => word,
    };
    let word = second(word);
    let word = first_rule(&word, &THIRD);
    let word = fourth(word);
    last(word)
}

fn plural(word: &str) -> String {
    if word.len() == 4
        && let Some(stem) = word.strip_suffix("ies")
    {
        return format!("{stem}ie");
    }
    for (ending, instead) in [("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")] {
        if let Some(stem) = word.strip_suffix(ending) {
            return format!("{stem}{instead}");
        }
    }
    word.to_owned()
}

fn past(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ied") {
        let ending = if word.len() == 4 { "ie" } else { "i" };
        return format!("{stem}{ending}");
    }
    if let Some(stem) = word.strip_suffix("eed") {
        let ending = if measure(stem) > 0 { "ee" } else { "eed" };
        return format!("{stem}{ending}");
    }
    let endings = ["ed", "ing"].into_iter();
    let mut stems = endings.filter_map(|ending| word.strip_suffix(ending));
    let Some(stem) = stems.find(|stem| has_vowel(stem)) else {
        return word.to_owned();
    };
    let e_again = ["at", "bl", "iz"]
        .iter()
        .any(|ending| stem.ends_with(ending));
    if e_again {
        format!("{stem}e")
    } else if is_doubled(stem) {
        let keeps = stem.ends_with(['l', 's', 'z']);
        stem[..stem.len() - usize::from(!keeps)].to_owned()
    } else if measure(stem) == 1 && is_short(stem) {
        format!("{stem}e")
    } else {
        stem.to_owned()
    }
}

fn second(word: String) -> String {
    // What `alli` becomes may have an ending of this step again.
    if let Some(stem) = word.strip_suffix("alli").filter(|stem| measure(stem) > 0) {
        return second(format!("{stem}al"));
    }
    if SECOND.iter().any(|(ending, _)| word.ends_with(ending)) {
        return first_rule(&word, &SECOND);
    }
    match word.strip_suffix("logi") {
        Some(stem) if measure(&word[..=stem.len()]) > 0 => format!("{stem}log"),
        _ => word,
    }
}

/// The word by the first rule whose ending it has, if what is left has measure 1 or more.
fn first_rule(word: &str, rules: &[(&str, &str)]) -> String {
    for (ending, instead) in rules {
        if let Some(stem) = word.strip_suffix(ending) {
            return if measure(stem) > 0 {
                format!("{stem}{instead}")
            } else {
                word.to_owned()
            };
        }
    }
    word.to_owned()
}

fn fourth(word: String) -> String {
    for ending in FOURTH {
        if let Some(stem) = word.strip_suffix(ending) {
            let fits = ending != "ion" || stem.ends_with(['s', 't']);
            return if measure(stem) > 1 && fits {
                stem.to_owned()
            } else {
                word
            };
        }
    }
    word
}

fn last(word: String) -> String {
    let word = match word.strip_suffix('e') {
        Some(stem) if measure(stem) > 1 || measure(stem) == 1 && !is_short(stem) => stem.to_owned(),
        _ => word,
    };
    match word.strip_suffix('l') {
        Some(one) if one.ends_with('l') && measure(one) > 1 => one.to_owned(),
        _ => word,
    }
}

/// For each letter whether it is a consonant: a `y` is one unless it stands behind one.
fn consonants(word: &str) -> impl Iterator<Item = bool> {
    let mut before = false;
    word.bytes().map(move |letter| {
        before = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !before,
            _ => true,
        };
        before
    })
}

fn is_consonant(word: &str, at: usize) -> bool {
    consonants(word).nth(at).unwrap_or(false)
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|consonant| !consonant)
}

/// How often a vowel is followed by a consonant.
fn measure(word: &str) -> usize {
    let letters: Vec<bool> = consonants(word).collect();
    letters
        .windows(2)
        .filter(|pair| !pair[0] && pair[1])
        .count()
}

/// Whether a word ends with the same consonant twice.
fn is_doubled(word: &str) -> bool {
    let bytes = word.as_bytes();
    let [.., one, other] = bytes else {
        return false;
    };
    one == other && is_consonant(word, bytes.len() - 1)
}

/// Whether a word ends with consonant, vowel and consonant, and not with `w`, `x` or `y`; or is a vowel and a consonant.
fn is_short(word: &str) -> bool {
    let letters: Vec<bool> = consonants(word).collect();
    match letters.as_slice() {
        [vowel, consonant] => !vowel && *consonant,
        [.., first, vowel, consonant] => {
            *first && !vowel && *consonant && !word.ends_with(['w', 'x', 'y'])
        }
        _ => false,
    }
}
