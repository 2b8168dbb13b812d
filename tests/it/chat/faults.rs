//! When something goes wrong: a plan of faults, declared before and the same in every run.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::Fault;

/// A plan of faults. The first rule that strikes decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<Rule>,
    most: Option<usize>,
}

#[derive(Clone, Debug)]
enum Rule {
    Every(usize, Fault),
    Share(f64, Vec<Fault>),
    First(usize, Fault),
}

/// A plan at work: it counts the attempts of each prompt.
#[derive(Debug, Default)]
pub(super) struct Plan {
    faults: Faults,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    calls: usize,
    prompts: BTreeMap<String, Attempts>,
}

#[derive(Debug, Default)]
struct Attempts {
    made: usize,
    struck: usize,
}

impl Faults {
    /// Nothing goes wrong.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// Every `n`-th call, whoever makes it: how many is certain, which ones depends on their order.
    pub(crate) fn every(mut self, n: usize, fault: Fault) -> Self {
        assert!(n > 0, "every call is every first one");
        self.rules.push(Rule::Every(n, fault));
        self
    }

    /// This share of all attempts, each of the faults equally often. Drawn by prompt and number of
    /// the attempt, so it does not depend on the order of calls.
    pub(crate) fn share(mut self, share: f64, faults: impl IntoIterator<Item = Fault>) -> Self {
        let faults: Vec<Fault> = faults.into_iter().collect();
        assert!(!faults.is_empty(), "a share of what?");
        self.rules.push(Rule::Share(share, faults));
        self
    }

    /// The first `k` attempts of each prompt.
    pub(crate) fn first(mut self, k: usize, fault: Fault) -> Self {
        self.rules.push(Rule::First(k, fault));
        self
    }

    /// No prompt meets more than `k` faults, so that `k` retries heal every call.
    pub(crate) fn at_most(mut self, k: usize) -> Self {
        self.most = Some(k);
        self
    }

    /// Every fault that may strike.
    pub(super) fn all(&self) -> impl Iterator<Item = Fault> {
        self.rules.iter().flat_map(|rule| match rule {
            Rule::Every(_, fault) | Rule::First(_, fault) => vec![*fault],
            Rule::Share(_, faults) => faults.clone(),
        })
    }

    /// What strikes the `call`-th call, which is the `attempt`-th of its prompt, both from 1.
    fn strikes(&self, call: usize, prompt: &str, attempt: usize) -> Option<Fault> {
        let mut rules = self.rules.iter().enumerate();
        rules.find_map(|(index, rule)| match rule {
            Rule::Every(n, fault) => call.is_multiple_of(*n).then_some(*fault),
            Rule::First(k, fault) => (attempt <= *k).then_some(*fault),
            Rule::Share(share, faults) => {
                let named = format!("{index} {attempt} {prompt}");
                let drawn = blake3::hash(named.as_bytes());
                let [chance, which] = halves(drawn.as_bytes());
                let which = (which % faults.len() as u64) as usize;
                ((chance as f64) < share * 2_f64.powi(64)).then(|| faults[which])
            }
        })
    }
}

impl Plan {
    /// A plan that has seen nothing yet.
    pub(super) fn new(faults: Faults) -> Self {
        Self {
            faults,
            seen: Mutex::default(),
        }
    }

    /// What strikes the next attempt of this prompt.
    pub(super) fn next(&self, prompt: &str) -> Option<Fault> {
        let mut seen = self.seen.lock().unwrap();
        seen.calls += 1;
        let call = seen.calls;
        let attempts = seen.prompts.entry(prompt.to_owned()).or_default();
        attempts.made += 1;
        if self.faults.most.is_some_and(|most| attempts.struck >= most) {
            return None;
        }
        let fault = self.faults.strikes(call, prompt, attempts.made)?;
        attempts.struck += 1;
        Some(fault)
    }
}

/// Two numbers from a digest.
fn halves(digest: &[u8; 32]) -> [u64; 2] {
    let at = |from: usize| u64::from_le_bytes(digest[from..from + 8].try_into().unwrap());
    [at(0), at(8)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULT: Fault = Fault::Unavailable;

    /// How often each of `prompts` prompts is struck in `attempts` attempts.
    fn struck(faults: Faults, prompts: usize, attempts: usize) -> Vec<usize> {
        let plan = Plan::new(faults);
        let mut struck = vec![0; prompts];
        for _ in 0..attempts {
            for (prompt, struck) in struck.iter_mut().enumerate() {
                *struck += usize::from(plan.next(&prompt.to_string()).is_some());
            }
        }
        struck
    }

    #[test]
    fn every_nth_call_is_struck_over_all_prompts() {
        assert_eq!(
            struck(Faults::none().every(3, FAULT), 2, 3)
                .iter()
                .sum::<usize>(),
            2
        );
    }

    #[test]
    fn the_first_attempts_of_each_prompt_are_struck() {
        assert_eq!(struck(Faults::none().first(2, FAULT), 3, 5), [2, 2, 2]);
    }

    #[test]
    fn a_share_strikes_about_as_often_as_it_says_and_the_same_ones_each_time() {
        let faults = || Faults::none().share(0.3, [FAULT, Fault::ServerError]);
        let struck_once = struck(faults(), 1_000, 1);
        let all: usize = struck_once.iter().sum();
        assert!((250..350).contains(&all), "{all}");
        assert_eq!(struck(faults(), 1_000, 1), struck_once);
        let of = |which| {
            let plan = Plan::new(faults());
            let drawn = (0..1_000).filter(|prompt| plan.next(&prompt.to_string()) == Some(which));
            drawn.count()
        };
        let (one, other) = (of(FAULT), of(Fault::ServerError));
        assert_eq!(one + other, all);
        assert!(one > all / 3 && other > all / 3, "{one} {other}");
    }

    #[test]
    fn a_share_does_not_depend_on_the_order_of_calls() {
        let new = || Plan::new(Faults::none().share(0.5, [FAULT]));
        let (plan, backwards) = (new(), new());
        let ahead: Vec<_> = (0..50).map(|n| plan.next(&n.to_string())).collect();
        let back: Vec<_> = (0..50)
            .rev()
            .map(|n| backwards.next(&n.to_string()))
            .collect();
        assert!(ahead.iter().eq(back.iter().rev()));
    }

    #[test]
    fn no_prompt_is_struck_more_often_than_allowed() {
        let faults = Faults::none()
            .share(0.9, [FAULT])
            .first(9, FAULT)
            .at_most(2);
        assert_eq!(struck(faults, 20, 9), [2; 20]);
    }
}
