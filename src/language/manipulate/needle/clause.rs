//! The verb of a sentence's main clause, found by rules over tags.
//!
//! A dependency parser would call it the root. There is none here: a clause that a subordinating
//! word opens takes the next finite verb, and the first finite verb that no open clause takes is the
//! main clause's. What stands in quotation marks counts only where nothing else has a main verb
//! (`“I am tired,” said Tom` is about saying), and what stands in brackets never.
//!
//! Of 100 random negations of gold documents, tagged by loqui-g2p 0.4.0, 95 stood at the main
//! clause's verb when they were read. The other five were sentences whose main verb the tagger took for a
//! participle or a noun, and a caption without one. By their nature the rules also miss relative
//! clauses without a relative word after anything but the beginning of a subject, subordinate clauses
//! joined by `and` that have subjects of their own, and what is put in between commas (`this, he
//! says, is so`).

use super::group::lexical;
use super::token::Token;
use crate::language::text::{Span, Tag, WordList};

/// The verbs of the main clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    /// The one that has the subject: `had` in `had conquered`. The same as `lexical` where there is
    /// only one.
    pub(super) finite: Span,
    /// The one that carries the meaning: `conquered` in `had conquered`, `was` in `was a king`.
    pub(super) lexical: Span,
}

/// Words that open a clause wherever they are no adverb or preposition by what follows.
const SUBORDINATORS: [&str; 14] = [
    "because", "although", "though", "if", "unless", "whereas", "while", "whilst", "whether",
    "lest", "ere", "when", "where", "wherever",
];

/// Words that open a clause (`as he came`) or a phrase (`as a child`).
const AMBIGUOUS: [&str; 9] = [
    "as", "after", "before", "since", "until", "till", "than", "like", "once",
];

/// Nouns after which a subject begins the main clause (`the next day he left`) rather than a
/// relative clause (`the house he left`).
static TIMES: WordList = WordList::new(
    "day days night morning afternoon evening moment minute hour hours week month year years time \
     season",
);

/// How far a phrase is followed to see whether it is the subject of a clause.
const REACH: usize = 15;

/// The verb of the main clause; of the first clause at all where none is a main clause (`Which was
/// true.`); none where there is no verb with a subject and no request (`A fine day.`).
pub(super) fn main_verb(tokens: &[Token]) -> Option<Verb> {
    let spoken: Vec<&Token> = tokens.iter().filter(|token| !token.bracketed).collect();
    let written: Vec<&Token> = spoken
        .iter()
        .copied()
        .filter(|token| !token.quoted)
        .collect();
    let first = |tokens: &[&Token]| tokens.iter().position(|token| token.is_finite());
    let (tokens, finite) = None
        .or_else(|| main(&written).map(|at| (&written, at)))
        .or_else(|| main(&spoken).map(|at| (&spoken, at)))
        .or_else(|| first(&written).map(|at| (&written, at)))
        .or_else(|| first(&spoken).map(|at| (&spoken, at)))?;
    Some(Verb {
        finite: tokens[finite].span,
        lexical: tokens[lexical(tokens, finite)].span,
    })
}

/// Where the first finite verb stands that belongs to no subordinate clause, or a request's verb.
fn main(tokens: &[&Token]) -> Option<usize> {
    let end = tokens
        .iter()
        .rev()
        .find(|token| token.letters.contains(['.', '?', '!']));
    let question = end.is_some_and(|token| token.letters.contains('?'));
    // Clauses that have been opened and whose verb is still to come.
    let mut open = 0_usize;
    // Whether the last verb passed belongs to a subordinate clause, which `and` may continue.
    let mut subordinate = false;
    // Whether the clause has had nothing but the beginning of its subject, and a noun in it.
    let (mut bare, mut named) = (true, false);
    let mut started = false;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        if token.is_mark() {
            if token.is(&[";", ":", ".", "?", "!"]) {
                (open, subordinate, started) = (0, false, false);
            }
            (bare, named) = (true, false);
            at += 1;
            continue;
        }
        if opens(tokens, at, question) || (bare && opens_unmarked(tokens, at)) {
            open += 1;
            bare = false;
        } else if token.is_finite() || (open > 0 && is_subjunctive(tokens, at)) {
            let conditional = !started && !question && token.is(&["had", "were", "should"]);
            let continued = subordinate && follows_conjunction(tokens, at);
            if !conditional && !continued {
                if open == 0 {
                    return Some(at);
                }
                open -= 1;
            }
            subordinate = true;
            bare = false;
            at = lexical(tokens, at);
        } else if token.tag == Tag::Vb
            && open == 0
            && (!started || after_comma(tokens, at, subordinate))
        {
            return Some(at);
        } else if matches!(token.tag, Tag::In | Tag::To) {
            // `In the house` is no beginning of a subject, `the wall of the house` is.
            bare &= named;
        }
        named |= token.is_noun();
        started |= !matches!(token.tag, Tag::Cc | Tag::Rb | Tag::Other);
        at += 1;
    }
    None
}

/// Whether the word is the verb of a clause like `if it be true`.
fn is_subjunctive(tokens: &[&Token], at: usize) -> bool {
    tokens[at].is(&["be"]) && (at == 0 || tokens[at - 1].tag != Tag::To)
}

/// Whether a request after a subordinate clause begins here: `When he comes, run.`
fn after_comma(tokens: &[&Token], at: usize, subordinate: bool) -> bool {
    subordinate && at > 0 && tokens[at - 1].is(&[","])
}

/// Whether `and` or the like stands before the verb, adverbs aside, so that it has the subject of
/// the verb before.
fn follows_conjunction(tokens: &[&Token], verb: usize) -> bool {
    let before = tokens[..verb]
        .iter()
        .rev()
        .find(|token| token.tag != Tag::Rb);
    before.is_some_and(|token| token.tag == Tag::Cc)
}

/// Whether the word opens a subordinate clause.
fn opens(tokens: &[&Token], at: usize, question: bool) -> bool {
    let token = tokens[at];
    let Some(next) = tokens.get(at + 1) else {
        return false;
    };
    if token.is(&AMBIGUOUS) {
        return matches!(token.tag, Tag::In | Tag::Rb) && has_subject_and_verb(&tokens[at + 1..]);
    }
    let reduced = matches!(next.tag, Tag::To | Tag::Vbg | Tag::Vbn | Tag::In)
        || (matches!(next.tag, Tag::Jj | Tag::Rb)
            && tokens.get(at + 2).is_none_or(|two| two.is_mark()));
    if token.is(&SUBORDINATORS) {
        let asks = question && next.is_finite();
        return matches!(token.tag, Tag::In | Tag::Wh) && !reduced && !next.is_mark() && !asks;
    }
    // Taggers take the `that` of `That he came is certain` for a determiner.
    let clause = next.is_subject() || matches!(next.tag, Tag::Dt | Tag::PrpS);
    match token.tag {
        Tag::In => token.is(&["that"]),
        Tag::Dt => token.is(&["that"]) && clause,
        Tag::Wh => {
            // `However, he` and `Why, no` are no clauses; `who, in the end, came` is one.
            let interjection = next.is(&[",", "!"]) && token.is(&["however", "why", "what"]);
            let asks = question && next.is_finite();
            next.tag != Tag::To && !interjection && !asks
        }
        _ => false,
    }
}

/// Whether a relative clause without a relative word begins here: `The house he left was old.`
fn opens_unmarked(tokens: &[&Token], at: usize) -> bool {
    let pronoun = tokens[at].is_subject() && tokens[at].tag != Tag::Ex;
    pronoun
        && at > 0
        && tokens[at - 1].is_noun()
        && !TIMES.has(&tokens[at - 1].letters)
        && tokens.get(at + 1).is_some_and(|next| next.is_finite())
}

/// Whether a subject and its finite verb begin here, rather than a phrase after which the clause
/// goes on: `he came` against `the war he came`.
fn has_subject_and_verb(tokens: &[&Token]) -> bool {
    let mut before: Option<&Token> = None;
    let mut subject = false;
    for &token in tokens.iter().take(REACH) {
        if token.is_finite() {
            // `as is usual` is a clause without a subject, `as such is` is no clause.
            return subject || before.is_none();
        }
        let after_name = before.is_some_and(|before| before.is_noun() || before.tag == Tag::Prp);
        let new_phrase =
            after_name && matches!(token.tag, Tag::Dt | Tag::PrpS | Tag::Ex | Tag::Prp);
        let object = token.tag == Tag::Prp && !token.is_subject();
        let participle = before.is_none() && matches!(token.tag, Tag::Vbg | Tag::Vbn);
        let ends = matches!(token.tag, Tag::Wh | Tag::To | Tag::Vb)
            || token.is(&AMBIGUOUS)
            || token.is_mark();
        if new_phrase || object || participle || ends {
            return false;
        }
        subject |= token.is_noun() || token.is_subject() || matches!(token.tag, Tag::Dt | Tag::Cd);
        before = Some(token);
    }
    false
}
