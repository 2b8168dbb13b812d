//! How many calls may be made and how much may be spent.
//!
//! Before a call is made its price is set aside: what its prompt costs, and what its reply is expected
//! to cost. A call that might go beyond the limit waits while others are under way that may turn out
//! cheaper; when none is, the run stops. It is never interrupted in the middle of a call, so the limit
//! can be exceeded by as much as replies in flight come out longer than expected, and not at all where
//! `max-tokens` bounds them.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::base::lock::lock;
use crate::base::wording::money;

/// The most that a run may make and spend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Calls.
    pub calls: Option<u64>,
    /// Money, in the unit of the prices.
    pub cost: Option<f64>,
}

/// What was made and spent, and what may be.
#[derive(Debug, Default)]
pub(super) struct Budget {
    limits: Limits,
    state: Mutex<State>,
    /// Told whenever something that was set aside is settled.
    settled: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    calls: u64,
    /// Calls in flight.
    under_way: u64,
    spent: f64,
    /// Set aside for calls in flight.
    aside: f64,
    /// Whether anything was priced at all.
    priced: bool,
}

/// Money set aside for one call; given back when dropped before it was settled.
#[derive(Debug)]
pub(super) struct Aside {
    budget: Arc<Budget>,
    amount: f64,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            ..Self::default()
        })
    }

    /// Whether prices matter before a call is made.
    pub(super) fn bounds_cost(&self) -> bool {
        self.limits.cost.is_some()
    }

    /// Sets the expected price of a call aside, which counts as made from now on.
    ///
    /// # Errors
    /// The limit that would be exceeded, in words.
    pub(super) async fn set_aside(self: &Arc<Self>, amount: f64) -> Result<Aside, String> {
        loop {
            let settled = self.settled.notified();
            tokio::pin!(settled);
            // Listening begins before looking, so that nothing is missed in between.
            settled.as_mut().enable();
            match self.try_set_aside(amount) {
                Ok(aside) => return Ok(aside),
                Err(Some(why)) => return Err(why),
                Err(None) => settled.await,
            }
        }
    }

    /// Waits until a call in flight is settled; whether there was one.
    pub(super) async fn settles(&self) -> bool {
        let settled = self.settled.notified();
        tokio::pin!(settled);
        settled.as_mut().enable();
        let under_way = self.state().under_way > 0;
        if under_way {
            settled.await;
        }
        under_way
    }

    /// Like [`Budget::set_aside`], for calls of which many are made at once: it does not wait.
    pub(super) fn set_aside_now(self: &Arc<Self>, amount: f64) -> Result<Aside, String> {
        self.try_set_aside(amount).map_err(|why| {
            why.unwrap_or_else(|| match (self.limits.calls, self.limits.cost) {
                (Some(most), _) if self.state().calls >= most => {
                    format!("`--max-calls {most}` is reached")
                }
                (_, cost) => format!("`--max-cost {}` is reached", cost.unwrap_or_default()),
            })
        })
    }

    /// Sets an amount aside; `None` as the error while waiting may help.
    fn try_set_aside(self: &Arc<Self>, amount: f64) -> Result<Aside, Option<String>> {
        let mut state = self.state();
        if let Some(most) = self.limits.calls
            && state.calls >= most
        {
            // Told to the run when all that may be made are made, because then it stops.
            return Err((state.under_way == 0).then(|| format!("`--max-calls {most}` is reached")));
        }
        if let Some(most) = self.limits.cost
            && state.spent + state.aside + amount > most
        {
            return Err((state.under_way == 0).then(|| {
                format!(
                    "`--max-cost {most}` is reached: {} spent, and the next call may cost {}",
                    money(state.spent),
                    money(amount)
                )
            }));
        }
        state.calls += 1;
        state.under_way += 1;
        state.aside += amount;
        Ok(Aside {
            budget: Arc::clone(self),
            amount,
        })
    }

    /// What was spent, where anything has a price.
    pub(super) fn spent(&self) -> Option<f64> {
        let state = self.state();
        state.priced.then_some(state.spent)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Aside {
    /// The call cost this much, if that is known.
    pub(super) fn settle(self, cost: Option<f64>) {
        if let Some(cost) = cost {
            let mut state = self.budget.state();
            state.spent += cost;
            state.priced = true;
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        {
            let mut state = self.budget.state();
            state.under_way -= 1;
            state.aside -= self.amount;
            if state.under_way == 0 {
                // Sums of differences do not always come out at nothing.
                state.aside = 0.0;
            }
        }
        self.budget.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(calls: Option<u64>, cost: Option<f64>) -> Arc<Budget> {
        Budget::new(Limits { calls, cost })
    }

    #[tokio::test]
    async fn no_more_calls_are_made_than_allowed_even_at_once() {
        let budget = budget(Some(2), None);
        let first = budget.set_aside(0.0).await.unwrap();
        let second = budget.set_aside(0.0).await.unwrap();
        let waiting = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.set_aside(0.0).await.map(drop) }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop((first, second));
        let why = waiting.await.unwrap().unwrap_err();
        assert_eq!(why, "`--max-calls 2` is reached");
    }

    #[tokio::test]
    async fn a_call_waits_for_one_under_way_that_may_turn_out_cheaper() {
        let budget = budget(None, Some(1.0));
        let first = budget.set_aside(0.7).await.unwrap();
        let waiting = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move {
                budget
                    .set_aside(0.7)
                    .await
                    .map(|aside| aside.settle(Some(0.6)))
            }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        first.settle(Some(0.2));
        waiting.await.unwrap().unwrap();
        assert_eq!(budget.spent(), Some(0.8));
        let why = budget.set_aside(0.3).await.unwrap_err();
        assert_eq!(
            why,
            "`--max-cost 1` is reached: $0.80 spent, and the next call may cost $0.30"
        );
    }

    #[tokio::test]
    async fn a_call_that_came_to_nothing_costs_nothing() {
        let budget = budget(None, Some(1.0));
        drop(budget.set_aside(0.9).await.unwrap());
        budget.set_aside(0.9).await.unwrap().settle(None);
        assert_eq!(budget.spent(), None);
        budget.set_aside(0.9).await.unwrap();
    }

    #[test]
    fn small_amounts_keep_their_digits() {
        let shown = [0.0, 0.0004, 0.25, 12.345].map(money);
        assert_eq!(shown, ["$0.00", "$0.0004", "$0.25", "$12.35"]);
    }
}
