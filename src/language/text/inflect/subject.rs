//! What a verb agrees with, judged from the words around it.
//!
//! 1. Turned round: an auxiliary in front of `he` (`did he`), a verb right after speech in front of a
//!    name (`," said Tom`), `there`: the subject follows.
//! 2. After a comma or `and`, the verb shares the subject of the finite verb before it.
//! 3. Otherwise the nearest noun or subject pronoun before it, within the sentence; a noun after a
//!    preposition only where no other is found, and a relative `who` or `that` gives way to the noun
//!    before it. Two nouns joined by `and` are several, unless a verb stands before them.
//! 4. Nothing found: third person singular.
//!
//! Measured against the verb forms that show their number themselves (`was`, `were`, `is`, `goes`, `go`)
//! in 65 texts: right for 91.2 % of 36,423, 95 % of the singular and 84 % of the plural ones; and for 183
//! of 194 pasts labelled by hand. Weakest after relative clauses, in lists and in the subjunctive.

use super::flip::Subject;
use crate::language::text::{Tag, Word};

/// How many words are looked at, so that the time per verb has a bound.
const REACH: usize = 40;

const RELATIVE: [&str; 3] = ["who", "which", "that"];

/// Words that can stand for a noun.
const SINGULAR: [&str; 8] = [
    "this", "that", "each", "another", "one", "either", "neither", "what",
];
const PLURAL: [&str; 9] = [
    "these", "those", "all", "both", "some", "many", "few", "several", "others",
];

/// The subject of the finite verb at `at`.
pub fn subject(text: &str, words: &[Word], at: usize) -> Subject {
    let clause = Clause { text, words };
    clause.turned_round(at).unwrap_or_else(|| clause.before(at))
}

struct Clause<'w> {
    text: &'w str,
    words: &'w [Word],
}

impl Clause<'_> {
    fn tag(&self, at: usize) -> Tag {
        self.words.get(at).map_or(Tag::Punctuation, |word| word.tag)
    }

    fn is(&self, at: usize, known: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| {
            let written = word.span.of(self.text);
            known.iter().any(|form| written.eq_ignore_ascii_case(form))
        })
    }

    fn pronoun(&self, at: usize) -> Option<Subject> {
        if self.is(at, &["i"]) {
            Some(Subject::First)
        } else if self.is(at, &["he", "she", "it"]) {
            Some(Subject::Third)
        } else if self.is(at, &["we", "you", "they", "thou", "ye"]) {
            Some(Subject::Other)
        } else {
            None
        }
    }

    fn is_noun(&self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps)
    }

    fn is_finite(&self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Vbd | Tag::Vbz | Tag::Vbp | Tag::Md)
    }

    fn is_quote(&self, at: usize) -> bool {
        self.is(at, &["\"", "”", "’", "'"]) && self.tag(at) == Tag::Punctuation
    }

    fn ends_sentence(&self, at: usize) -> bool {
        self.is(at, &[".", "!", "?", ";", ":"])
    }

    /// The number of a noun, a numeral or a word that stands for one.
    fn number(&self, at: usize) -> Subject {
        match self.tag(at) {
            Tag::Nns | Tag::Nnps => Subject::Other,
            Tag::Cd if !self.is(at, &["one"]) => Subject::Other,
            _ => Subject::Third,
        }
    }

    /// The subject where it follows its verb.
    fn turned_round(&self, at: usize) -> Option<Subject> {
        let before = at.checked_sub(1);
        let opens = before.is_none_or(|before| {
            self.is_quote(before)
                || self.ends_sentence(before)
                || self.is(before, &[",", "--", "—"])
        });
        let auxiliary = self.is(
            at,
            &["did", "do", "does", "had", "have", "has", "was", "were"],
        );
        let subject_before = before.is_some_and(|before| {
            let near = self.skip_adverbs(before);
            self.is_noun(near) || self.pronoun(near).is_some() || self.tag(near) == Tag::Ex
        });
        if (opens || auxiliary && !subject_before)
            && let Some(found) = self.pronoun(at + 1)
        {
            return Some(found);
        }
        let there = before.is_some_and(|before| self.tag(self.skip_adverbs(before)) == Tag::Ex);
        let spoken = before.is_some_and(|before| self.is_quote(before));
        if there || spoken {
            return self.phrase_after(at + 1);
        }
        None
    }

    /// The number of the noun phrase that begins at `at`, adverbs aside.
    fn phrase_after(&self, at: usize) -> Option<Subject> {
        let mut head = None;
        for next in at..at + REACH {
            match self.tag(next) {
                Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps => head = Some(next),
                Tag::Cd | Tag::Dt | Tag::Jj | Tag::PrpS | Tag::Pos | Tag::Rb | Tag::Vbn
                    if head.is_none() || self.tag(next) == Tag::Pos => {}
                _ => break,
            }
        }
        head.map(|head| self.number(head))
    }

    fn skip_adverbs(&self, mut at: usize) -> usize {
        while at > 0 && self.tag(at) == Tag::Rb {
            at -= 1;
        }
        at
    }

    /// The subject where it stands before its verb.
    fn before(&self, verb: usize) -> Subject {
        let lowest = verb.saturating_sub(REACH);
        let mut at = verb;
        // After `and` or a comma: go on from the verb before, whose subject is shared.
        while let Some(near) = at.checked_sub(1).map(|near| self.skip_adverbs(near)) {
            let joined = self.tag(near) == Tag::Cc || self.is(near, &[","]);
            let shared = (lowest..near)
                .rev()
                .take_while(|&other| !self.ends_sentence(other))
                .find(|&other| self.is_finite(other));
            match shared.filter(|_| joined) {
                Some(other) => at = other,
                None => break,
            }
        }
        self.nearest(at, lowest)
    }

    /// The nearest noun or pronoun before `verb` that can be its subject.
    fn nearest(&self, verb: usize, lowest: usize) -> Subject {
        let mut fallback = None;
        let mut at = verb;
        while at > lowest {
            at -= 1;
            if self.ends_sentence(at) {
                break;
            }
            if let Some(found) = self.pronoun(at).or_else(|| self.stands_alone(at, verb)) {
                return found;
            }
            if self.is_finite(at) {
                match self.relative_before(at, lowest) {
                    Some(relative) => at = relative,
                    None => break,
                }
            } else if self.is_noun(at) {
                let start = self.phrase_start(at, lowest);
                let relative = self.is(at + 1, &RELATIVE);
                if self.is_joined(start, lowest, relative) {
                    return Subject::Other;
                }
                let before = start.checked_sub(1).filter(|&before| before >= lowest);
                let verb_before = before.filter(|&before| self.tag(before).is_verb());
                // `The boy, resting his eyes upon the pearls, drank`: an object of the participle.
                let aside = verb_before.filter(|&verb_before| self.is_aside(verb_before, verb));
                if let Some(participle) = aside {
                    fallback = fallback.or(Some(self.number(at)));
                    at = participle;
                    continue;
                }
                if let Some(relative) = verb_before.and_then(|at| self.relative_before(at, lowest))
                {
                    at = relative;
                } else if !relative && before.is_some_and(|before| self.is_preposition(before)) {
                    fallback = fallback.or(Some(self.number(at)));
                    at = start;
                } else {
                    return self.number(at);
                }
            }
        }
        // Nothing but `on the hill`: the subject follows, as in `On the hill stood a man`.
        match fallback {
            Some(found) => self.phrase_after(verb + 1).unwrap_or(found),
            None => Subject::Third,
        }
    }

    /// Whether the participle at `participle` and what belongs to it stands between two commas in front
    /// of `verb`.
    fn is_aside(&self, participle: usize, verb: usize) -> bool {
        let comma = |at: Option<usize>| at.is_some_and(|at| self.is(at, &[","]));
        self.tag(participle) == Tag::Vbg
            && comma(verb.checked_sub(1))
            && comma(participle.checked_sub(1))
    }

    /// The `who` or `that` of the relative clause whose verb is at `verb`: `men who had gone`, `the
    /// house that Jack built`; or the last word before a clause without one, `tents they had`.
    fn relative_before(&self, verb: usize, lowest: usize) -> Option<usize> {
        let mut at = verb;
        while at > lowest && (self.tag(at).is_verb() || self.tag(at) == Tag::Rb) {
            at -= 1;
        }
        if self.is_relative(at) {
            return Some(at);
        }
        let subject = if self.pronoun(at).is_some() {
            at
        } else if self.is_noun(at) {
            self.phrase_start(at, lowest)
        } else {
            return None;
        };
        let before = subject.checked_sub(1).filter(|&before| before >= lowest)?;
        if self.is_relative(before) {
            return Some(before);
        }
        (subject == at && self.is_noun(before)).then_some(subject)
    }

    fn is_relative(&self, at: usize) -> bool {
        self.is(at, &RELATIVE) && matches!(self.tag(at), Tag::Wh | Tag::In | Tag::Dt)
    }

    /// The number of a word that stands for a noun: `these` before the verb, `those who`, `some of`.
    fn stands_alone(&self, at: usize, verb: usize) -> Option<Subject> {
        let next = self.tag(at + 1);
        let alone = at + 1 == verb || matches!(next, Tag::Rb | Tag::Wh | Tag::In);
        if !alone || !matches!(self.tag(at), Tag::Dt | Tag::Cd | Tag::Jj | Tag::Wh) {
            None
        } else if self.is(at, &SINGULAR) {
            Some(Subject::Third)
        } else if self.tag(at) == Tag::Cd || self.is(at, &PLURAL) {
            Some(Subject::Other)
        } else {
            None
        }
    }

    /// Where the noun phrase that ends at `end` begins.
    fn phrase_start(&self, end: usize, lowest: usize) -> usize {
        let mut start = end;
        while start > lowest
            && matches!(
                self.tag(start - 1),
                Tag::Nn
                    | Tag::Nns
                    | Tag::Nnp
                    | Tag::Nnps
                    | Tag::Jj
                    | Tag::Cd
                    | Tag::Pos
                    | Tag::PrpS
                    | Tag::Dt
                    | Tag::Vbn
                    | Tag::Vbg
            )
        {
            start -= 1;
            if matches!(self.tag(start), Tag::Dt | Tag::PrpS) {
                break;
            }
        }
        start
    }

    /// Whether `and` joins the noun phrase that begins at `start` to another subject. After a verb the
    /// two are taken for its object and a new subject, unless a relative clause follows.
    fn is_joined(&self, start: usize, lowest: usize, relative: bool) -> bool {
        let Some(and) = start
            .checked_sub(1)
            .filter(|&and| self.is(and, &["and", "&"]))
        else {
            return false;
        };
        let comma = and.checked_sub(1).is_some_and(|at| self.is(at, &[","]));
        let Some(other) = and.checked_sub(if comma { 2 } else { 1 }) else {
            return false;
        };
        let nominal = self.is_noun(other) || self.pronoun(other).is_some();
        let after_verb = (lowest..other)
            .rev()
            .take_while(|&at| !self.ends_sentence(at) && !self.is(at, &[","]))
            .any(|at| self.is_finite(at));
        nominal && (relative || !after_verb)
    }

    fn is_preposition(&self, at: usize) -> bool {
        const CLAUSES: [&str; 14] = [
            "that", "if", "because", "though", "although", "as", "while", "whilst", "since",
            "whether", "than", "lest", "until", "till",
        ];
        matches!(self.tag(at), Tag::In | Tag::To) && !self.is(at, &CLAUSES)
    }
}
