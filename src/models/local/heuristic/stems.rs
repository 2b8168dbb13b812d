//! Content words of a document, brought to rough stems, and where each occurs.
//!
//! A stem is a word without its commonest endings; it is a key for comparing, not a linguistic root.
//! Words of grammar and words of fewer than three letters carry no topic and are left out.

use std::ops::Range;

use indexmap::IndexMap;

use super::text::{Document, Type};

/// One content word: its stem, its token and its weight (rarer words and names say more of a topic).
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) stem: u32,
    pub(super) token: u32,
    pub(super) weight: f64,
}

/// All content words in text order, and per stem the number of occurrences.
#[derive(Debug, Default)]
pub(super) struct Stems {
    pub(super) content: Vec<Content>,
    pub(super) counts: Vec<u32>,
}

impl Stems {
    /// Collects the content words of a document.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut index: IndexMap<String, u32> = IndexMap::new();
        let mut stem_of: Vec<Option<u32>> = Vec::with_capacity(document.types.len());
        for word in &document.types {
            stem_of.push(is_content(word).then(|| {
                let next = index.len() as u32;
                *index.entry(stem(&word.text).to_owned()).or_insert(next)
            }));
        }
        let mut stems = Self {
            content: Vec::new(),
            counts: vec![0; index.len()],
        };
        for at in 0..document.tokens.len() {
            let Some(word) = document.word_at(at) else {
                continue;
            };
            if let Some(stem) = stem_of[document.tokens[at].word as usize] {
                stems.counts[stem as usize] += 1;
                stems.content.push(Content {
                    stem,
                    token: at as u32,
                    weight: weight(word),
                });
            }
        }
        stems
    }

    /// The content words of a range of tokens.
    pub(super) fn within(&self, tokens: Range<usize>) -> &[Content] {
        let from = self
            .content
            .partition_point(|c| (c.token as usize) < tokens.start);
        let to = self
            .content
            .partition_point(|c| (c.token as usize) < tokens.end);
        &self.content[from..to]
    }
}

fn is_content(word: &Type) -> bool {
    if !word.known && !word.is_name() && word.count < 2 {
        return false; // most likely a slip, which must not count against cohesion as well
    }
    word.classes.is_open() && word.text.len() > 2 && !word.text.contains('\'')
        || word.text.contains('\'')
            && word.text.ends_with("'s")
            && word.text.len() > 4
            && word.classes.is_open()
}

/// How much a word says of a topic.
fn weight(word: &Type) -> f64 {
    if word.is_name() {
        return 2.0;
    }
    match word.entry.map(|e| e.rarity) {
        Some(0) => 0.3,
        Some(1) => 0.6,
        Some(2) => 1.0,
        Some(3) => 1.5,
        _ => 2.0,
    }
}

/// The word without possessive, plural and verb endings.
fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    for (ending, least) in [
        ("ingly", 4),
        ("edly", 4),
        ("ies", 3),
        ("ied", 3),
        ("ing", 4),
        ("ness", 4),
        ("ly", 4),
        ("es", 4),
        ("ed", 4),
        ("s", 3),
        ("e", 4),
        ("y", 3),
    ] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= least
            && !(ending == "s" && stem.ends_with(['s', 'u', 'i']))
        {
            return stem;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::{Document, Stems, stem};

    #[test]
    fn inflected_forms_share_a_stem() {
        assert_eq!(stem("houses"), stem("house"));
        assert_eq!(stem("walked"), stem("walking"));
        assert_eq!(stem("ghost's"), stem("ghosts"));
        assert_eq!(stem("cities"), stem("city"));
    }

    #[test]
    fn words_of_grammar_are_no_content() {
        let stems = Stems::of(&Document::read(
            "The ghosts and the ghost were with them in it.",
        ));
        assert_eq!((stems.content.len(), stems.counts.len()), (2, 1));
    }
}
