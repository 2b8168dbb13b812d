//! One sentence behind a verdict: whether it changes the score, withdraws it, or gives another.
//!
//! Must not look beyond the sentence.

use super::amending::{
    AMENDS, BES, CUTS, GIVES, JUDGES, NO_VERDICT, POLITE, REFERS, REFUSES, RESULTS, SCORES,
    SUBJECTS, TASKS,
};
use super::token::{Kind, Token};
use super::{leading, words};
use crate::models::score::Scale;

/// How far behind `I` a verb may stand, in words.
const NEAR: usize = 4;

/// What a judge asks for that was given none.
const TEXTS: [&str; 8] = [
    "article", "document", "essay", "input", "passage", "story", "summary", "text",
];

/// The pieces of a sentence.
pub(super) struct Sentence<'s, 't>(pub(super) &'s [Token<'t>]);

impl Sentence<'_, '_> {
    /// Whether it says that the score is none, or another one than `value`.
    pub(super) fn takes_back(&self, value: f64, scale: &Scale) -> bool {
        if self.0.iter().all(|token| token.kind != Kind::Word) {
            return false;
        }
        if self.is_score() {
            return false;
        }
        self.amends() || self.disowns() || self.declines() || self.gives_other(value, scale)
    }

    /// `FINAL Coherence Score: 3`, as most forms go on.
    fn is_score(&self) -> bool {
        const LONGEST: usize = 10;
        let first = self.0.iter().find(|token| token.kind == Kind::Word);
        let mut tokens = self.0.iter();
        self.0.len() <= LONGEST
            && first.is_some_and(|first| first.is("final"))
            && self.0.last().is_some_and(|last| last.number().is_some())
            && tokens.by_ref().any(|token| token.is("score"))
            && tokens.next().is_some_and(|joint| joint.is_sign(":"))
            && self
                .0
                .iter()
                .filter(|token| token.kind == Kind::Word)
                .count()
                > 2
    }

    /// Where words of a list stand.
    fn places(&self, list: &'static [&str]) -> impl Iterator<Item = usize> + '_ {
        let tokens = self.0.iter().enumerate();
        tokens.filter_map(|(at, token)| token.is_one_of(list).then_some(at))
    }

    /// Whether one of these words stands shortly behind one of those.
    fn follows(&self, first: &'static [&str], near: usize, then: &'static [&str]) -> bool {
        self.places(first).any(|at| {
            let behind = &self.0[at + 1..self.0.len().min(at + 1 + near)];
            behind.iter().any(|token| token.is_one_of(then))
        })
    }

    /// `I lower it to 3.`, `Disregard the line above.`, `(Revised to 3.)`
    fn amends(&self) -> bool {
        let first = self
            .0
            .iter()
            .find(|token| token.kind == Kind::Word && !token.is_one_of(&POLITE));
        let initial = first.is_some_and(|first| first.is_one_of(&AMENDS));
        // `Let me know if you'd like me to adjust anything.`
        let offers = || self.0.iter().any(|token| token.is_one_of(&["if", "know"]));
        let judged = || self.follows(&JUDGES, NEAR, &AMENDS) && (self.is_numbered() || !offers());
        ((initial || judged()) && self.refers())
            || self.is_amended()
            || self.follows(&["take"], NEAR, &["back"])
    }

    fn is_numbered(&self) -> bool {
        self.0.iter().any(|token| token.number().is_some())
    }

    /// `The score was revised.`
    fn is_amended(&self) -> bool {
        self.places(&SCORES).any(|at| {
            let behind = Sentence(&self.0[at + 1..self.0.len().min(at + 1 + NEAR)]);
            let done =
                |at: usize| behind.0[at].text.ends_with("ed") || behind.0[at].is("withdrawn");
            behind.places(&BES).next().is_some() && behind.places(&AMENDS).any(done)
        })
    }

    /// Whether the verb of a change is about a score, or about nothing that is named.
    fn refers(&self) -> bool {
        self.places(&AMENDS).any(|at| {
            let behind = &self.0[at + 1..self.0.len().min(at + 5)];
            let named = behind.iter().any(|token| {
                token.number().is_some() || token.is_one_of(&SCORES) || token.is_one_of(&REFERS)
            });
            named || behind.len() < 2
        })
    }

    /// `That was a draft.`, `The score above is a placeholder.`
    fn disowns(&self) -> bool {
        let named = self.places(&NO_VERDICT).next().is_some();
        if !named {
            return false;
        }
        // `Example:` leads on to one.
        let remark = |token: &Token<'_>| {
            (token.kind != Kind::Word && !token.is_sign(":"))
                || token.is_one_of(&NO_VERDICT)
                || token.is_one_of(&["a", "an", "just", "merely", "only", "the"])
        };
        let led = |token: &&Token<'_>| token.kind == Kind::Word && !token.is_one_of(&POLITE);
        let subject = self
            .0
            .iter()
            .find(led)
            .is_some_and(|first| first.is_one_of(&SUBJECTS));
        let stated = |first: &'static [&str]| {
            self.places(first).any(|at| {
                let rest = Sentence(&self.0[at + 1..self.0.len().min(at + 4)]);
                let be = rest.places(&BES).next();
                be.is_some_and(|be| Sentence(&self.0[at + 2 + be..]).is_no_verdict())
            })
        };
        self.0.iter().all(remark)
            || (subject && stated(&SUBJECTS))
            || stated(&SCORES)
            || self.places(&["above"]).next().is_some()
    }

    /// Whether what stands behind a form of to be says that something is no verdict: `just a first draft`, but not `by the
    /// original article`, which speaks of that.
    fn is_no_verdict(&self) -> bool {
        /// How many words may stand before such a word, and how many of them may be others than these.
        const MOST: (usize, usize) = (5, 1);
        const PLAIN: [&str; 22] = [
            "a", "actually", "an", "as", "be", "been", "course", "in", "just", "meant", "merely",
            "mostly", "my", "now", "of", "only", "purely", "really", "simply", "still", "the",
            "to",
        ];
        let place = self.0.iter().position(|token| token.is_one_of(&NO_VERDICT));
        let Some(place) = place.filter(|place| *place < MOST.0) else {
            return false;
        };
        let others = self.0[..place]
            .iter()
            .filter(|token| token.kind == Kind::Word && !token.is_one_of(&PLAIN));
        let noun = self.0.get(place + 1).is_some_and(|next| {
            next.kind == Kind::Word
                && !next.is_one_of(&words::NO_COUNT)
                && !next.is_one_of(&SCORES)
                && !next.is_one_of(&NO_VERDICT)
        });
        !noun && others.count() <= MOST.1
    }

    /// `I cannot grade this text.`
    fn declines(&self) -> bool {
        // `Please provide the text.`
        if self.follows(
            &["can", "could", "please"],
            3,
            &["paste", "provide", "send", "share", "supply"],
        ) && self.places(&TEXTS).next().is_some()
        {
            return true;
        }
        let at = self.places(&["i", "i'm", "we", "we're"]);
        at.into_iter().any(|at| {
            let behind = &self.0[at + 1..self.0.len().min(at + 12)];
            let refuses = behind.iter().take(3).any(|token| {
                token.is_one_of(&REFUSES)
                    || token.text.ends_with("n't")
                    || token.text.ends_with("n\u{2019}t")
            });
            let will_not =
                Sentence(behind).follows(&["could", "do", "may", "will", "would"], 1, &["not"]);
            (refuses || will_not) && behind.iter().any(|token| token.is_one_of(&TASKS))
        })
    }

    /// Whether a sentence on the score gives another number: `Net: 3`, `Make it a 3.`
    fn gives_other(&self, value: f64, scale: &Scale) -> bool {
        let speaks = |number: usize| {
            let word = |list| self.places(list).next().is_some();
            // `The other score is 3 because slips make it hard to follow.`
            let gives = |at: usize| at < number || !self.0[at].is_one_of(&["call", "make", "say"]);
            word(&JUDGES) || word(&RESULTS) || self.places(&GIVES).any(gives)
        };
        let mut numbers = self.0.iter().enumerate().filter(|(at, token)| {
            let Some(number) = token.number() else {
                return false;
            };
            let before = at.checked_sub(1).map(|at| self.0[at]);
            let next = self.0.get(at + 1);
            let on = number >= scale.min && number <= scale.max && number.total_cmp(&value).is_ne();
            let end = number.total_cmp(&scale.min).is_eq() || number.total_cmp(&scale.max).is_eq();
            let range = next.is_some_and(|next| {
                next.is_sign("-\u{2014}=:") || next.is("to") || next.is("being")
            }) || before.is_some_and(|before| {
                before.is_sign("-\u{2014}/=") || before.is_one_of(&["of", "than", "to"])
            });
            let placed = before
                .is_some_and(|before| before.is_one_of(&words::PLACES) || before.is_sign("/"));
            let counts = next.is_some_and(|next| {
                next.kind == Kind::Word
                    && !next.is_one_of(&words::NO_COUNT)
                    && !next.is_one_of(&words::UNITS)
            });
            let changed = before.is_some_and(|before| before.is("to")) && !end;
            on && !placed && !counts && (changed || !(range && end))
        });
        let first = self.0.first();
        let numbered = first.is_some_and(|first| first.number().is_some());
        let label = self.0.iter().position(|token| token.is_sign(":="));
        match label {
            // `Coherence: 3` is another metric's.
            Some(label) => {
                let name = Sentence(&self.0[..label]);
                let result = name.places(&RESULTS).next().is_some()
                    && name.0.iter().all(|token| {
                        token.kind != Kind::Word
                            || token.is_one_of(&RESULTS)
                            || token.is_one_of(&words::OWN)
                            || token.is_one_of(&leading::VERDICTS)
                    });
                let cut = name.places(&CUTS).next().is_some()
                    && self.0[label..].iter().any(|token| token.number().is_some());
                let first = name
                    .0
                    .first()
                    .is_some_and(|first| first.is_one_of(&RESULTS) && !first.is("final"));
                cut || ((result || first) && numbers.any(|(at, _)| at > label))
            }
            // `Let me know if you want me to go through 2 more chapters.`
            None if self.0.iter().any(|token| token.is("know")) => false,
            None => numbers.any(|(at, _)| (at > 0 || !numbered) && speaks(at)),
        }
    }
}
