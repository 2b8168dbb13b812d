//! The results of a batch, found by the call they belong to.
//!
//! They come in any order, in one file or two. The files stay as they came; only where the result of each
//! call stands is noted, so a batch takes little more memory than its files. A line is skimmed for the call
//! it belongs to, and read when that is asked for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::base::key::Digest;
use crate::models::provider::batches::{Outcome, ReadResult, Status};

/// The results that were found in the files of a batch.
#[derive(Debug)]
pub(super) struct Results {
    read: ReadResult,
    files: Vec<Vec<u8>>,
    found: BTreeMap<Digest, Found>,
    /// Lines that belong to no call of the batch.
    pub(super) foreign: usize,
    /// Lines that are no JSON.
    pub(super) unread: usize,
}

/// Where a line stands.
#[derive(Debug)]
struct Place {
    file: usize,
    bytes: Range<usize>,
}

#[derive(Debug)]
struct Found {
    place: Place,
    /// Another line says something else of the same call.
    disputed: bool,
}

/// What every line has, at every provider.
#[derive(Deserialize)]
struct Named<'l> {
    #[serde(borrow)]
    custom_id: Cow<'l, str>,
}

impl Results {
    /// Finds the results of `ours`, which is sorted.
    pub(super) fn find(read: ReadResult, files: Vec<Vec<u8>>, ours: &[Digest]) -> Self {
        let mut results = Self {
            read,
            files: Vec::new(),
            found: BTreeMap::new(),
            foreign: 0,
            unread: 0,
        };
        for (number, file) in files.iter().enumerate() {
            let text = file.strip_prefix("\u{feff}".as_bytes()).unwrap_or(file);
            let mut next = file.len() - text.len();
            for line in text.split(|byte| *byte == b'\n') {
                let start = next + line.len() - line.trim_ascii_start().len();
                next += line.len() + 1;
                let length = line.trim_ascii().len();
                if length > 0 {
                    let place = Place {
                        file: number,
                        bytes: start..start + length,
                    };
                    results.note(&files, place, ours);
                }
            }
        }
        results.files = files;
        results
    }

    fn note(&mut self, files: &[Vec<u8>], place: Place, ours: &[Digest]) {
        let line = place.of(files);
        let Ok(named) = serde_json::from_slice::<Named<'_>>(line) else {
            // Whole JSON is somebody else's; the rest is damage.
            match serde_json::from_slice::<IgnoredAny>(line) {
                Ok(_) => self.foreign += 1,
                Err(_) => self.unread += 1,
            }
            return;
        };
        let id = named.custom_id.parse::<Digest>().ok();
        let Some(id) = id.filter(|id| ours.binary_search(id).is_ok()) else {
            self.foreign += 1;
            return;
        };
        match self.found.entry(id) {
            Entry::Vacant(free) => {
                free.insert(Found {
                    place,
                    disputed: false,
                });
            }
            Entry::Occupied(mut found) => {
                let found = found.get_mut();
                let read = |place: &Place| (self.read)(place.of(files));
                found.disputed = found.disputed || read(&found.place) != read(&place);
                // The next one is compared with this one, so that no line is read over and over.
                found.place = place;
            }
        }
    }

    /// How many calls have a result.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are fewer than the server says are done.
    pub(super) fn is_short(&self, status: &Status) -> bool {
        ((self.len() + self.foreign) as u64) < status.counts.done
    }

    /// What became of a call, if the files say.
    pub(super) fn of(&self, id: &Digest) -> Option<Outcome> {
        let found = self.found.get(id)?;
        if found.disputed {
            return Some(Outcome::Broken(
                "the server gives two different results for it".to_owned(),
            ));
        }
        let read = (self.read)(found.place.of(&self.files));
        Some(match read {
            Ok((_, outcome)) => outcome,
            Err(unread) => Outcome::Broken(format!("its result cannot be read: {unread}")),
        })
    }
}

impl Place {
    fn of<'f>(&self, files: &'f [Vec<u8>]) -> &'f [u8] {
        &files[self.file][self.bytes.clone()]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::models::dialect::Dialect;

    fn line(id: &Digest, text: &str) -> String {
        format!(r#"{{"custom_id":"{id}","result":{{"type":"succeeded","message":"{text}"}}}}"#)
    }

    fn answer(text: &str) -> Outcome {
        Outcome::Answer {
            status: 200,
            body: format!("\"{text}\"").into_bytes(),
        }
    }

    fn find(files: &[Vec<u8>], ours: &[Digest]) -> Results {
        let mut ours = ours.to_vec();
        ours.sort_unstable();
        let anthropic = Dialect::Anthropic.contract().batches.unwrap();
        Results::find(anthropic.result, files.to_vec(), &ours)
    }

    #[test]
    fn results_are_found_in_several_files_and_any_order() {
        let ids: Vec<Digest> = (0..3).map(|n: u8| Digest::of([n])).collect();
        let files = [
            format!(
                "\u{feff}{}\r\n\r\n{}",
                line(&ids[2], "c"),
                line(&ids[0], "a")
            )
            .into_bytes(),
            format!("{}\n", line(&ids[1], "b")).into_bytes(),
        ];
        let results = find(&files, &ids);
        assert_eq!((results.len(), results.foreign, results.unread), (3, 0, 0));
        for (id, text) in ids.iter().zip(["a", "b", "c"]) {
            assert_eq!(results.of(id), Some(answer(text)));
        }
    }

    #[test]
    fn results_of_others_and_other_lines_are_counted_only() {
        let (ours, other) = (Digest::of("a"), Digest::of("b"));
        let text = format!("{}\nnothing\n{}\n{{}}", line(&other, "x"), line(&ours, "a"));
        let files = [text.into_bytes()];
        let results = find(&files, &[ours]);
        assert_eq!((results.len(), results.foreign, results.unread), (1, 2, 1));
        assert_eq!(results.of(&other), None);
    }

    #[test]
    fn a_result_given_twice_counts_once_if_both_are_equal() {
        let id = Digest::of("a");
        let same = [format!("{}\n{} ", line(&id, "a"), line(&id, "a")).into_bytes()];
        assert_eq!(find(&same, &[id]).of(&id), Some(answer("a")));
        let a = line(&id, "a");
        let differ = [format!("{a}\n{}\n{a}", line(&id, "b")).into_bytes()];
        assert!(matches!(
            find(&differ, &[id]).of(&id),
            Some(Outcome::Broken(_))
        ));
    }

    #[test]
    fn a_result_that_cannot_be_read_is_that_of_its_call() {
        let id = Digest::of("a");
        let escaped = format!(
            r#"{{"x":1,"custom_id":"\u{:04x}{}"}}"#,
            id.to_string().as_bytes()[0],
            &id.to_string()[1..]
        );
        let files = [escaped.into_bytes()];
        let results = find(&files, &[id]);
        assert_eq!((results.len(), results.foreign, results.unread), (1, 0, 0));
        assert!(
            matches!(results.of(&id), Some(Outcome::Broken(why)) if why.contains("cannot be read"))
        );
    }

    #[test]
    fn a_long_result_repeated_briefly_takes_no_more_time_than_its_bytes() {
        let id = Digest::of("a");
        let mut file = line(&id, "a").into_bytes();
        // The same with a megabyte of spaces; 20,000 readings of that would take minutes.
        file.splice(1..1, vec![b' '; 1_000_000]);
        for _ in 0..20_000 {
            file.push(b'\n');
            file.extend_from_slice(line(&id, "a").as_bytes());
        }
        assert_eq!(find(&[file], &[id]).of(&id), Some(answer("a")));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let id = Digest::of("a");
            let mut file = line(&id, "a").into_bytes();
            file.push(b'\n');
            file.extend_from_slice(&bytes);
            let files = [file];
            prop_assert!(find(&files, &[id]).of(&id).is_some());
        }
    }
}
