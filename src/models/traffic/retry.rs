//! One call, made again where that may help.
//!
//! An attempt waits for its turn in the lane, is asked, and tells the lane what came of it. What may
//! heal is tried again after a pause; everything else is handed back at once. How often and how long is
//! the lane's.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::lane::{Entry, Lane};
use super::outcome::Outcome;
use super::patience::Closed;
use crate::base::retry::Retry;
use crate::base::wording::count;
use crate::models::ask::CallError;

/// How often those who wait look whether they should stop.
const LOOK: Duration = Duration::from_millis(100);

/// For so long a call is put off before it is given up while others are answered: limits per minute pass sooner.
const PASSED_OVER: Duration = Duration::from_mins(2);

/// What is the same for all attempts of a call.
#[derive(Clone, Copy)]
pub struct Attempts<'c> {
    /// The lane of the model.
    pub lane: &'c Lane,
    /// The call's key; its pauses are drawn from it.
    pub key: &'c [u8],
    /// What the call will take, read and written, as well as is known beforehand.
    pub tokens: u64,
    /// Whether to stop. Those who wait look every 100 ms; a request under way is not cut off.
    pub stop: &'c (dyn Fn() -> bool + Sync),
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered<D> {
    /// It was told to stop before the next attempt.
    Stopped,
    /// The next attempt was not permitted, or the reply cannot be kept.
    Denied(D),
    /// It failed.
    Error(CallError),
}

/// Makes a call until it is answered, fails for good, or the lane's retries are used up.
///
/// `permit` is asked right before each attempt is sent, with its number from 1, and ends the call if it
/// refuses (a budget is used up). `ask` is one attempt, at the base url of that index. `tokens_used` reads
/// off a reply what it took. `keep` stores the reply and hands it back; the call is under way until then, so that
/// no more replies than calls may be in flight are lost when the process dies.
///
/// Being put off ([`CallError::Busy`]) uses up no retries, unless there are none.
///
/// # Errors
/// [`Unanswered`]. An attempt without a whole reply in time counts as [`CallError::Broken`]; the last error
/// of a call that was tried too often becomes [`CallError::Failed`]. A model of which no server was ever
/// reached is [`CallError::Fatal`] after three attempts, some three seconds, so that a wrong url is told soon.
/// When waiting is in vain ([`Closed`]), all calls that wait, and later ones, are [`CallError::Failed`].
pub async fn call<R, D, F, K>(
    attempts: Attempts<'_>,
    mut permit: impl FnMut(u32) -> Result<(), D>,
    mut ask: impl FnMut(usize) -> F,
    tokens_used: impl Fn(&R) -> Option<u64>,
    keep: impl FnOnce(R) -> K,
) -> Result<R, Unanswered<D>>
where
    F: Future<Output = Result<R, CallError>>,
    K: Future<Output = Result<R, D>>,
{
    let lane = attempts.lane;
    let (mut made, mut failed) = (0, 0);
    let mut put_off = PutOff::default();
    loop {
        let entry = enter(&attempts).await?;
        made += 1;
        if let Err(denied) = permit(made) {
            entry.settle(&Outcome::Unsent);
            return Err(Unanswered::Denied(denied));
        }
        let (outcome, error) = match timeout(lane.timeout(), ask(entry.place())).await {
            Ok(Ok(reply)) => {
                let tokens_used = tokens_used(&reply);
                let kept = keep(reply).await;
                entry.settle(&Outcome::Answered { tokens_used });
                return kept.map_err(Unanswered::Denied);
            }
            Ok(Err(error)) => (Outcome::of_error(&error), error),
            Err(_) => {
                let why = too_late(lane.timeout());
                let error = CallError::Broken(why.clone());
                (Outcome::TimedOut(why), error)
            }
        };
        entry.settle(&outcome);
        if !error.may_heal() {
            return Err(Unanswered::Error(error));
        }
        stay(lane)?;
        let spent = if matches!(outcome, Outcome::Busy { .. }) {
            put_off.is_over(lane, made)
        } else {
            failed += 1;
            failed > lane.retries()
        };
        if spent {
            let tried = count(made as usize, "attempt");
            let message = format!("given up after {tried}: {error}");
            return Err(Unanswered::Error(CallError::Failed(message)));
        }
        rest(&attempts, Retry::CALL.spread(made, attempts.key)).await?;
    }
}

/// Since when a call is put off.
///
/// While nobody is answered, how long that goes on is the lane's to say ([`Closed::PutOff`]): a limit per minute outlasts
/// the retries of a call that is alone. Where others are answered meanwhile, the lane never says so, and it may be this
/// call that the server will never take.
#[derive(Default)]
struct PutOff {
    /// When it was first put off, and since when nobody was answered then.
    began: Option<(Instant, Option<Instant>)>,
}

impl PutOff {
    /// Whether a call that was put off just now, after so many attempts, is given up. One that is to be made only once is.
    fn is_over(&mut self, lane: &Lane, made: u32) -> bool {
        let (now, unanswered) = (Instant::now(), lane.put_off_since());
        let (first, then) = *self.began.get_or_insert((now, unanswered));
        let passed_over = unanswered != then && now.saturating_duration_since(first) >= PASSED_OVER;
        made > lane.retries() && (passed_over || lane.retries() == 0)
    }
}

/// Waits in the lane.
async fn enter<'c, D>(attempts: &Attempts<'c>) -> Result<Entry<'c>, Unanswered<D>> {
    let entering = attempts.lane.enter(attempts.tokens);
    tokio::pin!(entering);
    loop {
        if (attempts.stop)() {
            return Err(Unanswered::Stopped);
        }
        tokio::select! {
            biased;
            entered = &mut entering => {
                let entry = entered.map_err(|closed| in_vain(&closed))?;
                if (attempts.stop)() {
                    entry.settle(&Outcome::Unsent);
                    return Err(Unanswered::Stopped);
                }
                return Ok(entry);
            }
            () = sleep(LOOK) => {}
        }
    }
}

/// Waits between two attempts.
async fn rest<D>(attempts: &Attempts<'_>, pause: Duration) -> Result<(), Unanswered<D>> {
    let end = Instant::now() + pause;
    while Instant::now() < end {
        if (attempts.stop)() {
            return Err(Unanswered::Stopped);
        }
        stay(attempts.lane)?;
        sleep_until(end.min(Instant::now() + LOOK)).await;
    }
    Ok(())
}

/// Ends a call that would wait in vain.
fn stay<D>(lane: &Lane) -> Result<(), Unanswered<D>> {
    lane.closed().map_or(Ok(()), |closed| Err(in_vain(&closed)))
}

/// A wrong url stops the run; a server that may be back for the next run fails the call.
fn in_vain<D>(closed: &Closed) -> Unanswered<D> {
    let message = closed.to_string();
    Unanswered::Error(match closed {
        Closed::NeverReached { .. } => CallError::Fatal(message),
        Closed::Silent { .. } | Closed::PutOff { .. } => CallError::Failed(message),
    })
}

fn too_late(timeout: Duration) -> String {
    format!("no whole reply within {} s", timeout.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::spec::Limits;

    #[tokio::test(start_paused = true)]
    async fn who_pauses_between_two_attempts_is_told_as_well() {
        let lane = Lane::new(Limits::default(), 1);
        let attempts = Attempts {
            lane: &lane,
            key: b"key",
            tokens: 1,
            stop: &|| false,
        };
        let start = Instant::now();
        let close = async {
            for _ in 0..3 {
                let gone = Outcome::Unreachable("connection refused".to_owned());
                lane.enter(1).await.expect("open").settle(&gone);
            }
        };
        let paused = rest::<()>(&attempts, Duration::from_secs(30));
        let (paused, ()) = tokio::join!(paused, close);
        assert!(matches!(
            paused,
            Err(Unanswered::Error(CallError::Fatal(_)))
        ));
        assert!(start.elapsed() < Duration::from_millis(3_200));
    }
}
