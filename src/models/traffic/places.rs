//! The endpoints of a model, and which of them the next call goes to.
//!
//! The one with the fewest calls in flight, among those that are not down, not held and have room in
//! their windows; ties go round. The declared concurrency is that of the model: `gate` keeps it over all
//! servers together. It is not divided among them, since going to the least busy one does that, and
//! leaves it whole when a server is down. Every window may therefore grow to all of it.

use tokio::time::Instant;

use super::hold::Hold;
use super::outcome::Outcome;
use super::rest::{Open, Rest};
use super::window::Window;
use crate::models::spec::Limits;

/// One server.
#[derive(Debug)]
struct Place {
    under_way: u32,
    window: Window,
    hold: Hold,
    rest: Rest,
}

/// The servers of one model.
#[derive(Debug)]
pub(super) struct Places {
    all: Vec<Place>,
    /// Where the search begins next time.
    turn: usize,
    /// Why a server was last out of reach.
    why: String,
}

/// A call that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// The index of its server.
    pub(super) place: usize,
    /// When.
    pub(super) at: Instant,
    /// How many calls of that server were under way then, itself among them.
    with: u32,
}

/// What the next call is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Go, to this server.
    Go(usize),
    /// Look again then, or when a call ends.
    At(Instant),
    /// Wait until a call ends.
    Wait,
}

impl Places {
    /// So many servers (at least one), all well.
    pub(super) fn new(many: usize, limits: &Limits) -> Self {
        let place = |_| Place {
            under_way: 0,
            window: Window::new(limits.concurrency, limits.timeout),
            hold: Hold::default(),
            rest: Rest::default(),
        };
        Self {
            all: (0..many.max(1)).map(place).collect(),
            turn: 0,
            why: String::new(),
        }
    }

    /// Where the next call may go.
    pub(super) fn next(&self, now: Instant) -> Next {
        let mut best: Option<(u32, usize)> = None;
        let mut soonest: Option<Instant> = None;
        for step in 0..self.all.len() {
            let index = (self.turn + step) % self.all.len();
            let place = &self.all[index];
            match place.open(now) {
                Open::Yes if place.under_way < place.window.limit() => {
                    if best.is_none_or(|(fewest, _)| place.under_way < fewest) {
                        best = Some((place.under_way, index));
                    }
                }
                Open::Yes | Open::Tried => {}
                Open::At(at) => soonest = Some(soonest.map_or(at, |other| other.min(at))),
            }
        }
        match (best, soonest) {
            (Some((_, index)), _) => Next::Go(index),
            (None, Some(at)) => Next::At(at),
            (None, None) => Next::Wait,
        }
    }

    /// A call goes to that server.
    pub(super) fn enter(&mut self, now: Instant, index: usize) -> Sent {
        let mut with = 0;
        if let Some(place) = self.all.get_mut(index) {
            place.under_way += 1;
            place.rest.enter();
            with = place.under_way;
            self.turn = (index + 1) % self.all.len();
        }
        Sent {
            place: index,
            at: now,
            with,
        }
    }

    /// A call ended. `noise` is anything that differs between processes.
    pub(super) fn settle(&mut self, now: Instant, call: Sent, outcome: &Outcome, noise: u64) {
        let Some(place) = self.all.get_mut(call.place) else {
            return;
        };
        let Sent { at: sent, with, .. } = call;
        let under_way = place.under_way;
        place.under_way = under_way.saturating_sub(1);
        match outcome {
            Outcome::Answered { .. } => {
                place.rest.alive(sent);
                place.hold.answered();
                place.window.answered(now, sent, with, under_way);
            }
            Outcome::Rejected => place.rest.alive(sent),
            Outcome::Busy { after, .. } => {
                place.rest.alive(sent);
                place.hold.put_off(now, sent, *after, noise);
                place.window.refused(now, sent, with);
            }
            Outcome::Unreachable(why) => {
                place.rest.unreachable(now, sent);
                self.why.clone_from(why);
            }
            Outcome::Broken(_) => place.rest.broke(now, sent),
            Outcome::TimedOut(_) => {
                place.rest.broke(now, sent);
                place.window.timed_out(now, sent, under_way);
            }
            Outcome::Unsent | Outcome::Abandoned => place.rest.untold(sent),
        }
    }

    /// Why no call can ever go, if no server was ever reached.
    pub(super) fn hopeless(&self) -> Option<&str> {
        let hopeless = self.all.iter().all(|place| place.rest.is_hopeless());
        hopeless.then_some(self.why.as_str())
    }

    /// If all servers are down: since when, counted from the last one's first failure.
    pub(super) fn down_since(&self) -> Option<Instant> {
        let since = self.all.iter().map(|place| place.rest.down_since());
        since.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Nobody asked anything for a while.
    pub(super) fn forget(&mut self) {
        self.all.iter_mut().for_each(|place| place.rest.forget());
    }

    /// How many calls the servers that are not down bear at once, by what is known.
    pub(super) fn window(&self) -> u32 {
        self.all
            .iter()
            .filter(|place| !place.rest.is_down())
            .fold(0, |sum, place| sum.saturating_add(place.window.limit()))
    }

    /// The servers that are down, by index.
    pub(super) fn resting(&self) -> Vec<usize> {
        (0..self.all.len())
            .filter(|index| self.all[*index].rest.is_down())
            .collect()
    }

    /// When the first hold ends, if all servers that are not down are held.
    pub(super) fn held_until(&self, now: Instant) -> Option<Instant> {
        let up = self.all.iter().filter(|place| !place.rest.is_down());
        up.map(|place| place.hold.until(now))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .min()
    }
}

impl Place {
    fn open(&self, now: Instant) -> Open {
        match (self.rest.open(now), self.hold.until(now)) {
            (Open::Tried, _) => Open::Tried,
            (Open::At(at), Some(until)) => Open::At(at.max(until)),
            (Open::At(at), None) => Open::At(at),
            (Open::Yes, Some(until)) => Open::At(until),
            (Open::Yes, None) => Open::Yes,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn places(many: usize) -> Places {
        Places::new(many, &Limits::default())
    }

    fn send(places: &mut Places, now: Instant) -> Sent {
        match places.next(now) {
            Next::Go(index) => places.enter(now, index),
            other => panic!("{other:?}"),
        }
    }

    fn go(places: &mut Places, now: Instant) -> usize {
        send(places, now).place
    }

    /// A call to that server, sent then, ends.
    fn end(places: &mut Places, now: Instant, at: Instant, place: usize, outcome: &Outcome) {
        places.settle(now, Sent { place, at, with: 1 }, outcome, 0);
    }

    fn busy(after: Option<Duration>) -> Outcome {
        let message = "slow down".to_owned();
        Outcome::Busy { message, after }
    }

    const ANSWERED: Outcome = Outcome::Answered { tokens_used: None };

    #[test]
    fn the_least_busy_is_next_and_ties_go_round() {
        let now = Instant::now();
        let mut places = places(3);
        let first: Vec<usize> = (0..6).map(|_| go(&mut places, now)).collect();
        assert_eq!(first, [0, 1, 2, 0, 1, 2]);
        end(&mut places, now, now, 1, &ANSWERED);
        assert_eq!(go(&mut places, now), 1);
        for index in 0..3 {
            end(&mut places, now, now, index, &ANSWERED);
        }
        let one_by_one: Vec<usize> = (0..3)
            .map(|_| {
                let index = go(&mut places, now);
                end(&mut places, now, now, index, &ANSWERED);
                index
            })
            .collect();
        assert_eq!(one_by_one, [2, 0, 1]);
    }

    #[test]
    fn others_take_the_load_of_one_that_is_down_or_held() {
        let now = Instant::now();
        let mut places = places(3);
        for _ in 0..3 {
            go(&mut places, now);
        }
        end(
            &mut places,
            now,
            now,
            0,
            &Outcome::Unreachable("refused".to_owned()),
        );
        let after = Some(Duration::from_millis(500));
        end(&mut places, now, now, 2, &busy(after));
        assert_eq!(places.resting(), [0]);
        for _ in 0..15 {
            assert_eq!(go(&mut places, now), 1);
        }
        assert_eq!(places.next(now), Next::At(now + Duration::from_millis(500)));
        assert_eq!(places.held_until(now), None);
    }

    #[test]
    fn when_all_are_down_the_soonest_is_waited_for_and_tried_by_one_call() {
        let start = Instant::now();
        let mut places = places(2);
        go(&mut places, start);
        go(&mut places, start);
        let down = Outcome::Unreachable("refused".to_owned());
        end(&mut places, start, start, 0, &down);
        let later = start + Duration::from_millis(300);
        end(&mut places, later, start, 1, &down);
        let first = start + Duration::from_secs(1);
        assert_eq!(places.next(later), Next::At(first));
        assert_eq!(go(&mut places, first), 0);
        let second = later + Duration::from_secs(1);
        assert_eq!(places.next(first), Next::At(second));
        assert_eq!(go(&mut places, second), 1);
        assert_eq!(places.next(second), Next::Wait);
        assert_eq!(places.window(), 0);
        end(&mut places, second, first, 0, &ANSWERED);
        assert_eq!(go(&mut places, second), 0);
        assert_eq!(places.window(), 16);
    }

    #[test]
    fn a_hold_is_told_when_everybody_asks_for_patience() {
        let now = Instant::now();
        let mut places = places(2);
        for (index, seconds) in [(0, 5), (1, 3)] {
            go(&mut places, now);
            assert_eq!(places.held_until(now), None);
            let after = Some(Duration::from_secs(seconds));
            end(&mut places, now, now, index, &busy(after));
        }
        let soonest = now + Duration::from_secs(3);
        assert_eq!(places.held_until(now), Some(soonest));
        assert_eq!(places.next(now), Next::At(soonest));
    }
}
