//! What replies say, each read once.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::base::key::{Digest, Digesting};
use crate::models::parse::{Finish, Form};

/// What replies say: a run reads them for its results and again for its page, and the same reply may be given to several stages
/// or, where it is a number, thousands of times.
#[derive(Default)]
pub struct Said(RwLock<Known>);

/// The first replies that there was room for.
#[derive(Default)]
struct Known {
    forms: BTreeMap<Digest, Arc<Form>>,
    /// What they take, in bytes.
    size: usize,
}

/// So many bytes may be remembered.
const ROOM: usize = 24 << 20;

impl Said {
    /// What a reply says to a reader, by what tells that reader from others: as it was read before, or as it is read now.
    pub(super) fn of(
        &self,
        reader: &Digest,
        (reply, finish): (&str, Finish),
        read: impl FnOnce() -> Form,
    ) -> Arc<Form> {
        let mut key = Digesting::of(reader.as_bytes());
        key.add(&[finish as u8]);
        key.add(reply.as_bytes());
        let key = key.end();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(form) = known.forms.get(&key) {
            return Arc::clone(form);
        }
        let full = known.size >= ROOM;
        drop(known);
        let mut form = read();
        // Lists that grew have room for twice as much as they hold.
        form.readings.shrink_to_fit();
        form.issues.shrink_to_fit();
        let form = Arc::new(form);
        if !full {
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if known.forms.insert(key, Arc::clone(&form)).is_none() {
                known.size += size_of_val(&key) + form.size();
            }
        }
        form
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::parse::Issue;

    fn form() -> Form {
        Form {
            readings: Vec::new(),
            issues: Vec::new(),
            spans: None,
            items: None,
        }
    }

    #[test]
    fn a_reply_that_comes_again_is_read_once_by_each_reader() {
        let (said, one, other) = (Said::default(), Digest::of("one"), Digest::of("other"));
        let first = said.of(&one, ("4", Finish::Stop), form);
        let again = said.of(&one, ("4", Finish::Stop), || unreachable!("it is known"));
        assert!(Arc::ptr_eq(&first, &again));
        for (reader, reply, finish) in [
            (&one, "4", Finish::Length),
            (&one, "5", Finish::Stop),
            (&one, "", Finish::Stop),
            (&other, "4", Finish::Stop),
        ] {
            let form = said.of(reader, (reply, finish), form);
            assert!(!Arc::ptr_eq(&first, &form));
        }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let (said, reader) = (Said::default(), Digest::of("one"));
        let large = || Form {
            issues: vec![Issue {
                metric: None,
                label: None,
                text: "a".repeat(ROOM / 4),
                span: 0..1,
            }],
            ..form()
        };
        for number in 0..8 {
            said.of(&reader, (&number.to_string(), Finish::Stop), large);
        }
        let known = said.0.read().unwrap();
        assert_eq!(known.forms.len(), 4);
    }
}
