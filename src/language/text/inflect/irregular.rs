//! Verbs whose past is not formed by `-ed`, and which archaic forms are still read.
//!
//! The table, `irregular.txt`, has one line per verb: base, past tenses, past participles. Of several
//! forms the first is the one that is made, all are understood, and no others: where a regular form is
//! used too (`hanged`), it is listed. Put together by hand for English prose from about 1850 on; verbs of
//! the word list that are missing here are regular.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const VERBS: &str = include_str!("irregular.txt");

/// Past tenses of two verbs, and the one nearly always meant; among them four regular ones for which
/// the word list would choose the wrong base.
const SHARED: [(&str, &str); 10] = [
    ("erred", "err"),
    ("hoed", "hoe"),
    ("matted", "mat"),
    ("netted", "net"),
    ("lay", "lie"),
    ("overlay", "overlie"),
    ("wound", "wind"),
    ("saw", "see"),
    ("bound", "bind"),
    ("ground", "grind"),
];

/// An irregular verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Irregular {
    pub(super) base: &'static str,
    /// Past tenses, the one to be made first.
    pub(super) past: Vec<&'static str>,
    /// Past participles.
    pub(super) participle: Vec<&'static str>,
}

struct Tables {
    bases: BTreeMap<&'static str, Irregular>,
    pasts: BTreeMap<&'static str, &'static str>,
    participles: BTreeMap<&'static str, &'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        bases: BTreeMap::new(),
        pasts: BTreeMap::new(),
        participles: BTreeMap::new(),
    };
    for line in VERBS.lines() {
        let mut fields = line.split(' ');
        let (Some(base), Some(past), Some(participle)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let verb = Irregular {
            base,
            past: past.split(',').collect(),
            participle: participle.split(',').collect(),
        };
        for &form in &verb.past {
            tables.pasts.entry(form).or_insert(base);
        }
        for &form in &verb.participle {
            tables.participles.entry(form).or_insert(base);
        }
        tables.bases.insert(base, verb);
    }
    tables.pasts.extend(SHARED);
    tables
});

/// The irregular verb with this base.
pub(super) fn irregular(base: &str) -> Option<&'static Irregular> {
    TABLES.bases.get(base)
}

/// Whether a word ends in an irregular verb of three letters or more: `proofread`, but also `deride`.
pub(super) fn is_compound(base: &str) -> bool {
    (1..base.len().saturating_sub(2))
        .filter_map(|start| base.get(start..))
        .any(|end| TABLES.bases.contains_key(end))
}

/// The base of an irregular past tense.
pub(super) fn base_of_past(form: &str) -> Option<&'static str> {
    TABLES.pasts.get(form).copied()
}

/// The base of an irregular past participle.
pub(super) fn base_of_participle(form: &str) -> Option<&'static str> {
    TABLES.participles.get(form).copied()
}

/// All irregular verbs, in the order of the alphabet.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = &'static Irregular> {
    TABLES.bases.values()
}
