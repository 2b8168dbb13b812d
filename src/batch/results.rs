//! The results of a batch, found by the call they belong to.
//!
//! They come in any order, in one file or two. The files stay as they came; only where the result of each
//! call stands is noted, so a batch takes little more memory than its files.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::event::Outcome;
use super::formats::Dialect;
use crate::key::Digest;

/// The results that were found in the files of a batch.
#[derive(Debug)]
pub(super) struct Results<'f> {
    dialect: Dialect,
    found: BTreeMap<Digest, Found<'f>>,
    /// Lines that belong to no call of the batch.
    pub(super) foreign: usize,
    /// Lines that are no JSON.
    pub(super) unread: usize,
}

#[derive(Debug)]
struct Found<'f> {
    line: &'f [u8],
    /// Another line says something else of the same call.
    disputed: bool,
}

impl<'f> Results<'f> {
    /// Finds the results of `ours`, which is sorted.
    pub(super) fn find(dialect: Dialect, files: &'f [Vec<u8>], ours: &[Digest]) -> Self {
        let mut results = Self {
            dialect,
            found: BTreeMap::new(),
            foreign: 0,
            unread: 0,
        };
        for file in files {
            let file = file.strip_prefix("\u{feff}".as_bytes()).unwrap_or(file);
            for line in file.split(|byte| *byte == b'\n') {
                let line = line.trim_ascii();
                if !line.is_empty() {
                    results.note(line, ours);
                }
            }
        }
        results
    }

    fn note(&mut self, line: &'f [u8], ours: &[Digest]) {
        let Ok((id, outcome)) = self.dialect.read_result(line) else {
            // Whole JSON is somebody else's; the rest is damage.
            match serde_json::from_slice::<IgnoredAny>(line) {
                Ok(_) => self.foreign += 1,
                Err(_) => self.unread += 1,
            }
            return;
        };
        if ours.binary_search(&id).is_err() {
            self.foreign += 1;
            return;
        }
        let dialect = self.dialect;
        self.found
            .entry(id)
            .and_modify(|found| {
                let first = dialect.read_result(found.line);
                found.disputed |= first.map(|(_, first)| first) != Ok(outcome);
            })
            .or_insert(Found {
                line,
                disputed: false,
            });
    }

    /// How many calls have a result.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// What became of a call, if the files say.
    pub(super) fn of(&self, id: &Digest) -> Option<Outcome> {
        let found = self.found.get(id)?;
        if found.disputed {
            return Some(Outcome::Broken(
                "the server gives two different results for it".to_owned(),
            ));
        }
        let read = self.dialect.read_result(found.line);
        read.ok().map(|(_, outcome)| outcome)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(id: &Digest, text: &str) -> String {
        format!(r#"{{"custom_id":"{id}","result":{{"type":"succeeded","message":"{text}"}}}}"#)
    }

    fn answer(text: &str) -> Outcome {
        Outcome::Answer {
            status: 200,
            body: format!("\"{text}\"").into_bytes(),
        }
    }

    fn find<'f>(files: &'f [Vec<u8>], ours: &[Digest]) -> Results<'f> {
        let mut ours = ours.to_vec();
        ours.sort_unstable();
        Results::find(Dialect::Anthropic, files, &ours)
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
