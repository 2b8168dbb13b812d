//! What a task needs to take calls: who it is, who else is there, which calls are claimed.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::claims::{Block, Blocks, Claims, Pulse};
use super::note::{Failures, Incarnation, Note, Phase};
use super::session::Session;
use crate::base::lock::lock;

/// A task's place in its session.
#[derive(Debug)]
pub struct Desk {
    session: Session,
    me: Incarnation,
    claims: Claims,
    note: Mutex<Note>,
    pulse: Mutex<Pulse>,
    began: Instant,
    lost_after: Duration,
    /// Its number among all tasks of its crew, and how many these are.
    shard: (u32, u32),
    stored: AtomicU64,
    published: AtomicU64,
}

/// A block that is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    name: String,
    number: u32,
}

impl Desk {
    /// The desk of a task.
    pub fn new(session: Session, note: Note, shard: (u32, u32), lost_after: Duration) -> Self {
        Self {
            claims: Claims::at(session.path("claims")),
            me: note.of.clone(),
            session,
            note: Mutex::new(note),
            pulse: Mutex::default(),
            began: Instant::now(),
            lost_after,
            shard,
            stored: AtomicU64::new(0),
            published: AtomicU64::new(0),
        }
    }

    /// Who it is.
    pub fn name(&self) -> String {
        self.me.to_string()
    }

    /// Its session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Where in so many blocks it begins, so that tasks seldom meet.
    pub fn begin_at(&self, blocks: usize) -> usize {
        let (own, of) = (self.shard.0, self.shard.1.max(1));
        // Those that replace others have higher numbers than there are tasks at once.
        blocks * (own % of) as usize / of as usize
    }

    /// All blocks that anybody claimed.
    pub fn blocks(&self) -> io::Result<Blocks> {
        self.claims.list()
    }

    /// Claims a block of which so much is known, if nobody has it, or whoever had it is dead.
    pub fn take(&self, name: &str, known: Option<&Block>) -> io::Result<Option<Claimed>> {
        let after = match known {
            None => None,
            Some(Block::Done) => return Ok(None),
            Some(Block::Taken(_, owner)) if *owner == self.me.to_string() => return Ok(None),
            Some(Block::Taken(number, owner)) => {
                // Who has just taken it may not be seen yet, and is nobody else of whom that was so before.
                let unseen = format!("{name}.{number}");
                let owner = if owner.is_empty() { &unseen } else { owner };
                if !self.is_dead(owner) {
                    return Ok(None);
                }
                Some(*number)
            }
        };
        let taken = self.claims.take(name, after, &self.me.to_string())?;
        Ok(taken.map(|number| Claimed {
            name: name.to_owned(),
            number,
        }))
    }

    /// A block is done.
    pub fn done(&self, claimed: &Claimed) -> io::Result<()> {
        self.claims.done(&claimed.name, claimed.number)
    }

    /// Gives a block back.
    pub fn release(&self, claimed: &Claimed) -> io::Result<()> {
        self.claims.release(&claimed.name, claimed.number)
    }

    /// A reply, or the result of a stage, was stored.
    pub fn has_stored(&self) {
        self.stored.fetch_add(1, Ordering::Relaxed);
    }

    /// How many were.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Publishes calls that came to nothing.
    pub fn failed(&self, failures: &Failures) -> io::Result<()> {
        let number = self.published.fetch_add(1, Ordering::Relaxed);
        self.session.add_failures(&self.me, number, failures)
    }

    /// Says that it lives, and what it does if that has changed.
    pub fn beat(&self, phase: Option<Phase>) -> io::Result<()> {
        let mut note = lock(&self.note);
        note.beat += 1;
        note.stored = self.stored();
        if let Some(phase) = phase {
            note.phase = phase;
        }
        self.session.set_note(&note)
    }

    fn is_dead(&self, owner: &str) -> bool {
        let note = self.session.note(owner);
        let beat = note.as_ref().map(|note| note.beat);
        let ended = note.is_some_and(|note| note.phase.has_ended());
        let now = self.began.elapsed();
        lock(&self.pulse).is_dead(owner, beat, ended, now, self.lost_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::crew::Crew;

    #[test]
    fn tasks_begin_apart_and_within_what_there_is_however_many_were_replaced() {
        let begins = |own, of, blocks| {
            let of_task = Incarnation {
                array: "a".to_owned(),
                task: 0,
                restart: 0,
            };
            let note = Note {
                of: of_task,
                beat: 0,
                phase: Phase::Starting,
                host: String::new(),
                job: String::new(),
                crew: Crew::Stages,
                stored: 0,
            };
            let session = Session::at("nowhere".into());
            Desk::new(session, note, (own, of), Duration::ZERO).begin_at(blocks)
        };
        assert_eq!([0, 1, 2, 3].map(|own| begins(own, 4, 64)), [0, 16, 32, 48]);
        for (own, of, blocks) in [(2, 1, 1), (5, 3, 2), (7, 0, 3), (0, 1, 0)] {
            assert!(begins(own, of, blocks) < blocks.max(1), "{own} of {of}");
        }
    }
}
