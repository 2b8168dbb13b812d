//! The words that mean something beside a score. All lists are sorted and in small letters.
//!
//! Must not look at anything but the word.

/// The longest word of any list, in bytes.
pub(super) const LONGEST: usize = 24;

/// Whether a word is in a sorted list, whatever its capitals.
pub(in crate::models::parse) fn has(list: &[&str], word: &str) -> bool {
    let mut small = [0; LONGEST];
    let Some(place) = small.get_mut(..word.len()) else {
        return false;
    };
    place.copy_from_slice(word.as_bytes());
    place.make_ascii_lowercase();
    // Most words differ in their first letter, and one letter is compared faster than a word.
    let first = place.first();
    list.binary_search_by(|known| {
        let known = known.as_bytes();
        let letters = known.first().cmp(&first);
        letters.then_with(|| known.cmp(place))
    })
    .is_ok()
}

/// The number words, in order from nought.
const NUMBERS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The value of a number word.
pub(super) fn number(word: &str) -> Option<f64> {
    let same = |known: &&str| known.eq_ignore_ascii_case(word);
    Some(NUMBERS.iter().position(same)? as f64)
}

/// Whether a text begins with a number word.
pub(in crate::models::parse) fn begins_with_word(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| number(word).is_some())
}

/// What is given: `4 points`.
pub(super) const UNITS: [&str; 12] = [
    "point", "points", "pt", "pts", "punkt", "punkte", "puntos", "star", "stars", "\u{5206}",
    "\u{70b9}", "\u{c810}",
];

/// `of` in `4 of 5`.
pub(super) const OF: [&str; 7] = ["aus", "de", "of", "su", "sur", "von", "\u{438}\u{437}"];

/// What may stand between `out of` and the top of a scale.
pub(super) const BEFORE_TOP: [&str; 9] = [
    "a", "in", "max", "maximum", "of", "possible", "the", "total", "up",
];

/// Words with which a remark on a score begins, without a sign before them.
pub(super) const GO_ON: [&str; 17] = [
    "and", "as", "based", "because", "but", "due", "for", "given", "he", "overall", "since", "so",
    "that", "though", "whereas", "which", "while",
];

/// Words with which a new sentence begins though no full stop stands before it.
pub(super) const SENTENCES: [&str; 14] = [
    "although", "here", "however", "i", "it", "its", "my", "overall", "reason", "the", "there",
    "this", "while", "why",
];

/// Words that, as the first behind a score, make it another one or none.
pub(super) const TURNS: [&str; 44] = [
    "about",
    "actually",
    "after",
    "apart",
    "assuming",
    "at",
    "barring",
    "before",
    "correction",
    "deduct",
    "depending",
    "else",
    "except",
    "from",
    "hmm",
    "if",
    "in",
    "instead",
    "ist",
    "less",
    "maybe",
    "minus",
    "no",
    "not",
    "on",
    "oops",
    "or",
    "otherwise",
    "pending",
    "perhaps",
    "plus",
    "possibly",
    "probably",
    "provided",
    "rather",
    "scratch",
    "should",
    "sorry",
    "to",
    "unless",
    "until",
    "wait",
    "when",
    "without",
];

/// Words before a number that say that it is not sure, or only a bound of it.
pub(in crate::models::parse) const DOUBTS: [&str; 40] = [
    "above",
    "almost",
    "approx",
    "approximately",
    "arguably",
    "around",
    "barely",
    "below",
    "between",
    "beyond",
    "ca",
    "can",
    "circa",
    "close",
    "could",
    "environ",
    "etwa",
    "hardly",
    "likely",
    "may",
    "might",
    "most",
    "near",
    "nearly",
    "over",
    "peut",
    "presumably",
    "quiz\u{e1}s",
    "rond",
    "roughly",
    "slightly",
    "somewhere",
    "tal",
    "under",
    "up",
    "vielleicht",
    "within",
    "worse",
    "would",
    "zwischen",
];

/// The months: `4. April`.
pub(super) const MONTHS: [&str; 19] = [
    "april",
    "august",
    "december",
    "dezember",
    "februar",
    "february",
    "januar",
    "january",
    "juli",
    "july",
    "june",
    "juni",
    "mai",
    "march",
    "may",
    "november",
    "october",
    "oktober",
    "september",
];

/// Words with which a sentence takes back what the one before it says.
pub(super) const CORRECTS: [&str; 17] = [
    "actually",
    "apologies",
    "correction",
    "edit",
    "hmm",
    "instead",
    "no",
    "nope",
    "oops",
    "or",
    "rather",
    "scratch",
    "sorry",
    "strike",
    "update",
    "wait",
    "whoops",
];

/// Words behind a number that do not say what it counts, in the languages in which judges may write.
pub(super) const NO_COUNT: [&str; 113] = [
    "a", "aber", "about", "actually", "after", "all", "als", "also", "an", "and", "as", "at",
    "avec", "be", "because", "before", "being", "but", "by", "com", "con", "dans", "due", "em",
    "en", "even", "falls", "for", "from", "für", "given", "had", "has", "here", "i", "if", "im",
    "in", "instead", "is", "ist", "it", "less", "ma", "maar", "mais", "mas", "may", "maybe", "met",
    "might", "minus", "mit", "more", "nel", "no", "not", "now", "of", "off", "ohne", "on", "only",
    "or", "out", "overall", "para", "per", "pero", "plus", "por", "pour", "rather", "really",
    "sans", "sem", "senza", "si", "sin", "since", "so", "than", "that", "the", "then", "there",
    "this", "though", "to", "under", "voor", "was", "wegen", "wenn", "were", "when", "which",
    "while", "will", "with", "would", "zonder", "без", "в", "для", "если", "но", "с", "إذا",
    "بدون", "في", "لكن", "مع",
];

/// Words before a number that is the place of something.
pub(super) const PLACES: [&str; 26] = [
    "act",
    "chapter",
    "chapters",
    "claim",
    "error",
    "example",
    "figure",
    "issue",
    "item",
    "line",
    "lines",
    "note",
    "page",
    "pages",
    "paragraph",
    "paragraphs",
    "part",
    "point",
    "scene",
    "section",
    "sections",
    "sentence",
    "sentences",
    "step",
    "table",
    "verse",
];

/// Words that speak of another score, another text or another judge, or of an example.
pub(super) const OTHERS: [&str; 90] = [
    "aim",
    "almost",
    "asked",
    "author",
    "author's",
    "average",
    "averages",
    "avg",
    "baseline",
    "best",
    "claim",
    "confidence",
    "confidences",
    "counts",
    "critic",
    "critics",
    "default",
    "draft",
    "e.g",
    "earlier",
    "error",
    "errors",
    "example",
    "examples",
    "expected",
    "format",
    "former",
    "goal",
    "going",
    "gold",
    "ground",
    "guess",
    "hesitate",
    "highest",
    "human",
    "hypothetical",
    "initial",
    "initially",
    "issue",
    "issues",
    "last",
    "limit",
    "lowest",
    "max",
    "maximal",
    "maximum",
    "mean",
    "median",
    "min",
    "minimal",
    "minimum",
    "mistake",
    "old",
    "option",
    "original",
    "originally",
    "others",
    "people",
    "placeholder",
    "possible",
    "potential",
    "preliminary",
    "previous",
    "previously",
    "prior",
    "provisional",
    "range",
    "ranges",
    "reader",
    "readers",
    "reference",
    "required",
    "said",
    "sample",
    "say",
    "says",
    "severity",
    "some",
    "system",
    "target",
    "template",
    "tentative",
    "they",
    "threshold",
    "thresholds",
    "typo",
    "typos",
    "user",
    "weight",
    "weights",
];

/// Words that suppose or deny what follows them.
pub(super) const SUPPOSES: [&str; 18] = [
    "can't", "cannot", "could", "don't", "if", "might", "never", "no", "nor", "not", "should",
    "unless", "use", "were", "will", "wish", "without", "would",
];

/// Words that may stand between the start of a clause and a label.
pub(super) const OWN: [&str; 77] = [
    "a",
    "all",
    "am",
    "an",
    "and",
    "answer",
    "are",
    "as",
    "assessment",
    "assign",
    "at",
    "but",
    "by",
    "conclusion",
    "consequently",
    "document",
    "essay",
    "evaluation",
    "final",
    "finally",
    "following",
    "for",
    "give",
    "grade",
    "hence",
    "here",
    "i",
    "in",
    "is",
    "it",
    "judgement",
    "judgment",
    "level",
    "likert",
    "lines",
    "mark",
    "metric",
    "my",
    "new",
    "now",
    "of",
    "on",
    "our",
    "overall",
    "own",
    "passage",
    "rate",
    "rating",
    "ratings",
    "result",
    "revised",
    "score",
    "scores",
    "so",
    "story",
    "summary",
    "terms",
    "text",
    "text's",
    "that",
    "the",
    "then",
    "therefore",
    "think",
    "this",
    "thus",
    "to",
    "total",
    "under",
    "updated",
    "verdict",
    "we",
    "with",
    "words",
    "would've",
    "writing",
    "your",
];

/// Words with which a clause of its own begins behind `and`.
pub(super) const CLAUSES: [&str; 31] = [
    "all",
    "has",
    "he",
    "her",
    "here",
    "his",
    "i",
    "i'd",
    "i'll",
    "is",
    "it",
    "it's",
    "its",
    "my",
    "otherwise",
    "overall",
    "reads",
    "she",
    "so",
    "still",
    "that",
    "the",
    "their",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "thus",
    "we",
];

/// Words in brackets behind a number that say that it is no verdict.
pub(super) const UNREAL: [&str; 42] = [
    "draft",
    "dummy",
    "e.g",
    "editor",
    "example",
    "fake",
    "false",
    "former",
    "guess",
    "hypothetical",
    "illustration",
    "illustrative",
    "initial",
    "initially",
    "invalid",
    "last",
    "mistake",
    "old",
    "original",
    "originally",
    "placeholder",
    "preliminary",
    "previous",
    "previously",
    "prior",
    "provisional",
    "random",
    "real",
    "retracted",
    "sample",
    "scratch",
    "superseded",
    "tba",
    "tbc",
    "tbd",
    "tentative",
    "test",
    "testing",
    "void",
    "withdrawn",
    "wrong",
    "yesterday",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_small() {
        for list in [
            &UNITS[..],
            &OF,
            &BEFORE_TOP,
            &GO_ON,
            &SENTENCES,
            &TURNS,
            &DOUBTS,
            &CORRECTS,
            &NO_COUNT,
            &PLACES,
            &OTHERS,
            &SUPPOSES,
            &OWN,
            &MONTHS,
            &CLAUSES,
            &UNREAL,
        ] {
            assert!(list.is_sorted(), "{list:?}");
            let fits = |word: &&str| word.len() <= LONGEST && word.to_lowercase() == *word;
            assert!(list.iter().all(fits), "{list:?}");
        }
    }

    #[test]
    fn words_are_found_whatever_their_capitals() {
        assert!(has(&TURNS, "If") && has(&TURNS, "OR") && !has(&TURNS, "orange"));
        assert_eq!(number("Four"), Some(4.0));
    }
}
