//! The words around a value that say whose it is. All lists are sorted and in small letters.
//!
//! Must not look at anything but the word.

/// Labels of lines that say what a score is for.
pub(super) const OWNERS: [&str; 7] = [
    "aspect",
    "category",
    "criteria",
    "criterion",
    "dimension",
    "metric",
    "metrics",
];

/// Words of headings, labels and opening phrases that name no aspect, beside those that lead up to a verdict.
pub(super) const HARMLESS: [&str; 53] = [
    "balance",
    "basis",
    "cons",
    "end",
    "error",
    "errors",
    "everything",
    "fairness",
    "general",
    "good",
    "honesty",
    "i",
    "impression",
    "impressions",
    "improvement",
    "improvements",
    "justification",
    "kind",
    "length",
    "light",
    "minor",
    "mistakes",
    "negative",
    "negatives",
    "no",
    "not",
    "note",
    "notes",
    "only",
    "opinion",
    "positive",
    "positives",
    "problems",
    "pros",
    "rationale",
    "reflection",
    "remark",
    "remarks",
    "scores",
    "short",
    "strength",
    "strengths",
    "strong",
    "such",
    "suggestion",
    "suggestions",
    "sum",
    "thought",
    "thoughts",
    "view",
    "weak",
    "weakness",
    "weaknesses",
];

/// Names of aspects that do not end like one.
pub(super) const ASPECTS: [&str; 24] = [
    "characters",
    "clarity",
    "content",
    "creativity",
    "depth",
    "dialogue",
    "engagement",
    "flow",
    "grammar",
    "humor",
    "humour",
    "organisation",
    "organization",
    "pacing",
    "plot",
    "punctuation",
    "spelling",
    "structure",
    "style",
    "theme",
    "tone",
    "truth",
    "vocabulary",
    "wording",
];

/// Nouns that end like the name of an aspect and are none.
pub(super) const NO_ASPECTS: [&str; 10] = [
    "audience",
    "balance",
    "difference",
    "evidence",
    "excellence",
    "experience",
    "importance",
    "instance",
    "performance",
    "sentence",
];

/// Words around the name of an aspect that say no more than that a score is for it.
pub(super) const FILLERS: [&str; 24] = [
    "alone",
    "as",
    "aspect",
    "considering",
    "far",
    "for",
    "goes",
    "in",
    "is",
    "it",
    "of",
    "on",
    "only",
    "rating",
    "regarding",
    "respect",
    "score",
    "speaking",
    "terms",
    "the",
    "this",
    "to",
    "wise",
    "with",
];

/// Words in brackets behind a number that say what it is, rather than what it means.
pub(super) const QUALIFIERS: [&str; 22] = [
    "confidence",
    "count",
    "deducted",
    "errors",
    "issues",
    "lost",
    "max",
    "maximum",
    "min",
    "minimum",
    "mistakes",
    "paragraph",
    "penalty",
    "problems",
    "rank",
    "ranking",
    "reference",
    "slips",
    "target",
    "threshold",
    "typos",
    "weight",
];

/// Words that may stand beside these.
pub(super) const BESIDE: [&str; 14] = [
    "a",
    "first",
    "for",
    "in",
    "of",
    "points",
    "possible",
    "score",
    "second",
    "sentence",
    "sentences",
    "the",
    "value",
    "with",
];

/// Words with which a supposition, a wish or a memory begins.
pub(super) const SUPPOSING: [&str; 16] = [
    "assuming",
    "had",
    "hypothetically",
    "ideally",
    "if",
    "normally",
    "once",
    "ordinarily",
    "previously",
    "suppose",
    "supposing",
    "theoretically",
    "typically",
    "unless",
    "usually",
    "were",
];

/// Words behind which such a phrase is one of politeness: `If I had to choose`.
pub(super) const POLITE: [&str; 6] = ["asked", "forced", "had", "must", "pressed", "pushed"];

/// What the text would have more of: `With more polish`.
pub(super) const MORE: [&str; 7] = [
    "better", "fewer", "further", "less", "more", "slight", "some",
];

/// What would be done to it: `After revision`.
pub(super) const REVISIONS: [&str; 10] = [
    "corrections",
    "editing",
    "edits",
    "fixes",
    "fixing",
    "polishing",
    "proofreading",
    "revising",
    "revision",
    "revisions",
];

/// Words with which a phrase begins that may name what is scored.
pub(super) const OPENINGS: [&str; 13] = [
    "as",
    "concerning",
    "considering",
    "for",
    "from",
    "in",
    "on",
    "out",
    "regarding",
    "respecting",
    "speaking",
    "when",
    "with",
];

/// Adverbs that name an aspect.
pub(super) const ADVERBS: [&str; 9] = [
    "factually",
    "grammatically",
    "linguistically",
    "logically",
    "semantically",
    "structurally",
    "stylistically",
    "syntactically",
    "thematically",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [
            &OWNERS[..],
            &HARMLESS,
            &ASPECTS,
            &NO_ASPECTS,
            &FILLERS,
            &QUALIFIERS,
            &BESIDE,
            &SUPPOSING,
            &POLITE,
            &MORE,
            &REVISIONS,
            &OPENINGS,
            &ADVERBS,
        ] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
