//! What the replies of a judge say.

use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;

use super::{Judge, OwnSchema};
use crate::base::failure::Failure;
use crate::models::parse::{Finish, Form, Reader};

/// Reads the replies of a judge, from any number of threads.
pub struct Replies {
    judge: Judge,
    reader: Reader,
    short: Short,
}

impl Replies {
    /// Of a judge.
    ///
    /// # Errors
    /// When a metric has a name that no reply could hold.
    pub fn of(judge: Judge) -> Result<Self, Failure> {
        let reader = Reader::new(judge.parse, &judge.metrics);
        let reader = reader.map_err(|error| Failure::new(error.to_string()))?;
        let paths = judge.schema.as_ref().map(OwnSchema::paths);
        Ok(Self {
            reader: reader
                .with_finals(judge.finals.unwrap_or_default())
                .with_paths(paths),
            judge,
            short: Short::default(),
        })
    }

    /// The judge.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// What a reply says, and where in it.
    pub fn read(&self, reply: &str, finish: Finish) -> Arc<Form> {
        let Judge { scale, model, .. } = &self.judge;
        self.short.of(reply, finish, || {
            self.reader.read(reply, finish, scale, model.thoughts())
        })
    }
}

/// What short replies say, which are read once: of a million that are a number there may be five.
#[derive(Default)]
struct Short(RwLock<Known>);

/// By a reply's text; where it ended differently, each apart.
type Known = IndexMap<String, Vec<(Finish, Arc<Form>)>>;

impl Short {
    /// The longest reply that is remembered, in bytes: a score or a word for each of a few metrics. Of longer ones hardly two
    /// are the same.
    const LONGEST: usize = 256;

    /// How many are remembered: some megabytes.
    const MOST: usize = 4096;

    fn of(&self, reply: &str, finish: Finish, read: impl FnOnce() -> Form) -> Arc<Form> {
        if reply.len() > Self::LONGEST {
            return Arc::new(read());
        }
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut same = known.get(reply).into_iter().flatten();
        if let Some((_, form)) = same.find(|(ended, _)| *ended == finish) {
            return Arc::clone(form);
        }
        let full = known.len() >= Self::MOST;
        drop(known);
        let form = Arc::new(read());
        if !full {
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            let same = known.entry(reply.to_owned()).or_default();
            same.push((finish, Arc::clone(&form)));
        }
        form
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form {
            readings: Vec::new(),
            issues: Vec::new(),
            spans: None,
            items: None,
        }
    }

    #[test]
    fn a_short_reply_that_comes_again_is_read_once() {
        let short = Short::default();
        let first = short.of("4", Finish::Stop, form);
        let again = short.of("4", Finish::Stop, || unreachable!("it is known"));
        assert!(Arc::ptr_eq(&first, &again));
        for (reply, finish) in [
            ("4", Finish::Length),
            ("5", Finish::Stop),
            ("", Finish::Stop),
        ] {
            assert!(!Arc::ptr_eq(&first, &short.of(reply, finish, form)));
        }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let short = Short::default();
        let long = "4".repeat(Short::LONGEST + 1);
        short.of(&long, Finish::Stop, form);
        for number in 0..2 * Short::MOST {
            short.of(&number.to_string(), Finish::Stop, form);
        }
        assert_eq!(short.0.read().unwrap().len(), Short::MOST);
    }
}
