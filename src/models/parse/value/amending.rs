//! Words of sentences that change a score or withdraw it.
//!
//! Must not look at anything but the word.

/// Verbs that change or withdraw a score.
pub(super) const AMENDS: [&str; 93] = [
    "add",
    "added",
    "adjust",
    "adjusted",
    "adjusting",
    "amend",
    "amended",
    "amending",
    "bump",
    "bumped",
    "bumping",
    "cancel",
    "cancelled",
    "change",
    "changed",
    "changing",
    "confused",
    "corrected",
    "correcting",
    "deduct",
    "deducted",
    "deducting",
    "discard",
    "disregard",
    "downgrade",
    "downgraded",
    "downgrading",
    "drop",
    "dropped",
    "dropping",
    "exchange",
    "exchanged",
    "flip",
    "flipped",
    "forget",
    "ignore",
    "increase",
    "increased",
    "lower",
    "lowered",
    "lowering",
    "misjudged",
    "misread",
    "mistook",
    "mixed",
    "overrule",
    "raise",
    "raised",
    "raising",
    "reconsider",
    "reconsidered",
    "reconsidering",
    "reduce",
    "reduced",
    "reducing",
    "replace",
    "replaced",
    "rescind",
    "rescinded",
    "retract",
    "retracted",
    "retracting",
    "reverse",
    "reversed",
    "revise",
    "revised",
    "revising",
    "revoke",
    "scrap",
    "scratch",
    "strike",
    "subtract",
    "subtracted",
    "subtracting",
    "superseded",
    "swap",
    "swapped",
    "swapping",
    "switch",
    "switched",
    "transposed",
    "undo",
    "update",
    "updated",
    "updating",
    "upgrade",
    "upgraded",
    "upgrading",
    "void",
    "withdraw",
    "withdrawing",
    "withdrawn",
    "withdrew",
];

/// Words before such a verb.
pub(super) const POLITE: [&str; 31] = [
    "actually",
    "after",
    "and",
    "but",
    "deductions",
    "edit",
    "have",
    "hence",
    "hereby",
    "hmm",
    "however",
    "i",
    "i'm",
    "kindly",
    "later",
    "note",
    "now",
    "on",
    "oops",
    "or",
    "please",
    "reflection",
    "second",
    "so",
    "sorry",
    "then",
    "therefore",
    "thoughts",
    "thus",
    "upon",
    "wait",
];

/// Words for what a change is about.
pub(super) const REFERS: [&str; 12] = [
    "back",
    "downwards",
    "everything",
    "it",
    "mine",
    "that",
    "them",
    "these",
    "this",
    "those",
    "two",
    "upwards",
];

/// Words of a label behind which a number is taken off a score or added.
pub(super) const CUTS: [&str; 8] = [
    "adjustment",
    "adjustments",
    "bonus",
    "deduction",
    "deductions",
    "minus",
    "penalties",
    "penalty",
];

/// Whoever judges.
pub(super) const JUDGES: [&str; 13] = [
    "i", "i'd", "i'll", "i'm", "i've", "let", "let's", "me", "my", "our", "us", "we", "we've",
];

/// Words for a score.
pub(super) const SCORES: [&str; 19] = [
    "above", "both", "figure", "figures", "grade", "grades", "line", "mark", "marks", "number",
    "numbers", "rating", "ratings", "score", "scores", "value", "values", "verdict", "verdicts",
];

/// Words with which a sentence points back to a score.
pub(super) const SUBJECTS: [&str; 8] = [
    "above", "both", "it", "that", "these", "they", "this", "those",
];

/// Forms of to be, and what stands in their place.
pub(super) const BES: [&str; 19] = [
    "am", "are", "be", "been", "being", "belong", "belongs", "comes", "concern", "concerns", "had",
    "has", "have", "is", "refer", "refers", "should", "was", "were",
];

/// What a number is that is no verdict.
pub(super) const NO_VERDICT: [&str; 45] = [
    "copied",
    "default",
    "draft",
    "dummy",
    "example",
    "examples",
    "exchanged",
    "fabricated",
    "fake",
    "former",
    "hypothetical",
    "illustration",
    "illustrative",
    "invalid",
    "invented",
    "inverted",
    "meaningless",
    "mere",
    "mistaken",
    "mockup",
    "obsolete",
    "old",
    "original",
    "outdated",
    "placeholder",
    "placeholders",
    "preliminary",
    "previous",
    "prior",
    "provisional",
    "random",
    "rehearsal",
    "reversed",
    "sample",
    "superseded",
    "swapped",
    "template",
    "tentative",
    "test",
    "transposed",
    "trial",
    "unrelated",
    "void",
    "withdrawn",
    "wrong",
];

/// Words that refuse.
pub(super) const REFUSES: [&str; 6] = [
    "cannot", "decline", "declined", "refuse", "refused", "unable",
];

/// What is refused.
pub(super) const TASKS: [&str; 16] = [
    "assess", "assign", "comply", "evaluate", "follow", "give", "grade", "issue", "judge", "obey",
    "offer", "provide", "rate", "repeat", "score", "share",
];

/// Words with which a number is given.
pub(super) const GIVES: [&str; 12] = [
    "actually",
    "call",
    "correction",
    "downgraded",
    "final",
    "instead",
    "lowered",
    "make",
    "rather",
    "revised",
    "say",
    "should",
];

/// Words for the result of a change.
pub(super) const RESULTS: [&str; 23] = [
    "actual",
    "adjusted",
    "adjustment",
    "adjustments",
    "after",
    "amended",
    "changed",
    "consensus",
    "corrected",
    "correction",
    "deduction",
    "deductions",
    "edit",
    "final",
    "net",
    "new",
    "outcome",
    "penalty",
    "revised",
    "subtotal",
    "then",
    "total",
    "updated",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [
            &AMENDS[..],
            &POLITE,
            &JUDGES,
            &SCORES,
            &SUBJECTS,
            &BES,
            &NO_VERDICT,
            &REFUSES,
            &TASKS,
            &GIVES,
            &RESULTS,
            &REFERS,
            &CUTS,
        ] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
