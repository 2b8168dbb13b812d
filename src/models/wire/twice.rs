//! Whether an answer is an earlier one, delivered again.
//!
//! A proxy that sends an answer twice makes the next question on that connection read the earlier answer, which is
//! good in every other respect. What gives it away is the answer's id. A question in the very words of the earlier one,
//! as a repeat without a seed, may come back under the same id from a server that remembers its answers, and is let pass.

use std::collections::{BTreeMap, VecDeque};

use crate::base::key::Digest;

/// How many answers are remembered for each server: some 400 KB.
const REMEMBERED: usize = 4096;

/// How often one id is refused before it is seen that the ids of this server say nothing.
const STRIKES: u8 = 3;

/// The fewest letters and digits of an id that can tell answers apart, what stands before the first `-` or `_` aside.
/// Counters, the random numbers below a thousand of older Ollamas (`chatcmpl-123`) and the fixed ids of mock servers
/// are shorter; those of OpenAI, vLLM, llama.cpp and Anthropic have twenty and more.
const TELLING: usize = 16;

/// The answers that one server has given.
#[derive(Debug, Default)]
pub(super) struct Given {
    answers: BTreeMap<Digest, Seen>,
    order: VecDeque<Digest>,
    silent: bool,
}

#[derive(Debug)]
struct Seen {
    question: Digest,
    strikes: u8,
}

impl Given {
    /// Whether this answer, under the server's id for it, was already given to another question; remembers it
    /// otherwise.
    ///
    /// When one id comes three times too often, it is not the proxy: this server's ids are believed no more.
    pub(super) fn was_given(&mut self, id: &str, question: Digest) -> bool {
        if self.silent || !tells(id) {
            return false;
        }
        let id = Digest::of(id);
        if let Some(seen) = self.answers.get_mut(&id) {
            if seen.question == question {
                return false;
            }
            seen.strikes += 1;
            if seen.strikes == STRIKES {
                *self = Self {
                    silent: true,
                    ..Self::default()
                };
            }
            return !self.silent;
        }
        if self.order.len() == REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
        self.order.push_back(id);
        let strikes = 0;
        self.answers.insert(id, Seen { question, strikes });
        false
    }
}

/// Whether an id is long enough to be the only one of its kind.
fn tells(id: &str) -> bool {
    let random = id.split_once(['-', '_']).map_or(id, |(_, random)| random);
    let letters = random.bytes().filter(u8::is_ascii_alphanumeric);
    letters.take(TELLING).count() == TELLING
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: usize) -> String {
        format!("chatcmpl-{n:032x}")
    }

    fn question(n: usize) -> Digest {
        Digest::of(n.to_string())
    }

    #[test]
    fn an_answer_to_another_question_is_recognised() {
        let mut given = Given::default();
        assert!(!given.was_given(&id(1), question(1)));
        assert!(given.was_given(&id(1), question(2)));
        assert!(!given.was_given(&id(2), question(2)));
        assert!(
            !given.was_given(&id(1), question(1)),
            "the same question again"
        );
    }

    #[test]
    fn ids_that_never_change_are_soon_believed_no_more() {
        let mut given = Given::default();
        let refused = (0..100)
            .filter(|n| given.was_given(&id(7), question(*n)))
            .count();
        assert_eq!(refused, 2);
        assert!(given.answers.is_empty());
    }

    #[test]
    fn short_ids_tell_nothing() {
        let mut given = Given::default();
        for short in [
            "",
            "x",
            "chatcmpl-123",
            "chatcmpl-1699999999",
            "mock-response",
            "-_-_-_-_-_-_-_-_-_-_",
        ] {
            for n in 0..5 {
                assert!(!given.was_given(short, question(n)), "{short}");
            }
        }
        for long in [
            "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
            "msg_01XFDUDYJgAACzvnptvVoYEL",
            "gen-1719243424-aBcDeFgHiJkLmNoPqRsT",
            "chatcmpl-123e4567-e89b-12d3-a456-426614174000",
            "e2a3f0c5b1d94a5e8f6b7c8d9e0f1a2b",
        ] {
            assert!(tells(long), "{long}");
        }
    }

    #[test]
    fn only_so_many_answers_are_remembered() {
        let mut given = Given::default();
        for n in 0..10_000 {
            assert!(!given.was_given(&id(n), question(n)));
        }
        assert_eq!(
            (given.answers.len(), given.order.len()),
            (REMEMBERED, REMEMBERED)
        );
        assert!(given.was_given(&id(9_999), question(0)));
        assert!(!given.was_given(&id(0), question(1)), "forgotten");
    }
}
