//! Books before they are read: each is fetched once, checked, and in the cache before a key is made
//! from it. A run that has them all sends nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::absent::Absent;
use super::event::{Event, Sink, warn};
use super::files::Files;
use super::interrupt::Interrupt;
use super::outcome::{NodeError, failed};
use super::workers::blocking;
use crate::base::failure::Failure;
use crate::base::fetch::{FetchError, Fetcher, plain_text};
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::base::wording::{count, some_of};
use crate::cache::Downloads;
use crate::plan::{Node, Plan};
use crate::stage::{Download, Stage};

/// After so many books that could not be fetched no further one is asked for: then the mirror is
/// wrong rather than the books.
const ENOUGH: usize = 5;

/// The names of the downloads that a stage reads, in the order of its rows.
pub fn books_of(stage: &Stage) -> Vec<String> {
    let books = stage.downloads().into_iter();
    books.map(|book| book.name).collect()
}

/// The names of all downloads that a plan reads.
pub fn downloads_of(plan: &Plan) -> BTreeSet<String> {
    let nodes = plan.nodes.iter();
    nodes.flat_map(|node| books_of(&node.stage)).collect()
}

/// Why a book is not there.
enum Unfetched {
    /// Nothing is to be asked for any more.
    All(NodeError),
    /// This one cannot be had; others may.
    One(Failure),
}

impl From<NodeError> for Unfetched {
    fn from(error: NodeError) -> Self {
        Self::All(error)
    }
}

/// The books of a run.
pub(super) struct Books {
    pub(super) downloads: Downloads,
    pub(super) files: Arc<Files>,
    pub(super) absent: Arc<Absent>,
    pub(super) fetcher: Fetcher,
    /// Nothing is fetched.
    pub(super) offline: bool,
    pub(super) interrupt: Interrupt,
    pub(super) sink: Sink,
    /// The names of those whose damage was told.
    pub(super) damaged: Mutex<BTreeSet<String>>,
}

impl Books {
    /// Where a book lies.
    pub(super) fn path_of(&self, name: &str) -> PathBuf {
        self.downloads.path_of(name)
    }

    /// Sees that every book that a node reads is in the cache.
    pub(super) async fn fetch(
        self: &Arc<Self>,
        title: &str,
        all: Vec<Download>,
    ) -> Result<(), NodeError> {
        let of = all.len();
        let mut missing = Vec::new();
        for book in all {
            let there = blocking({
                let (books, title, book) = (Arc::clone(self), title.to_owned(), book.clone());
                move || books.has(&title, &book)
            });
            if !there.await? {
                missing.push(book);
            }
        }
        if self.offline && !missing.is_empty() {
            let hint = "run once without `--offline`, which fetches what is missing";
            return Err(unfetched(&missing)
                .hint(self.absent.hint_online(hint))
                .into());
        }
        let mut failures = Vec::new();
        let mut done = of - missing.len();
        for book in missing {
            if failures.len() == ENOUGH {
                break;
            }
            if self.interrupt.is_raised() {
                return Err(NodeError::Interrupted);
            }
            (self.sink)(Event::Fetching {
                node: title.to_owned(),
                book: book.id,
                done,
                of,
            });
            match self.fetch_one(title, &book).await {
                Ok(()) => done += 1,
                Err(Unfetched::All(error)) => return Err(error),
                Err(Unfetched::One(failure)) => failures.push((book.id, failure)),
            }
        }
        together(failures, of).map_err(NodeError::Failed)
    }

    /// Whether a book is there and whole; damage is reported and counts as not.
    fn has(&self, title: &str, book: &Download) -> bool {
        let path = self.path_of(&book.name);
        if self.files.known(&path).is_some() {
            return true;
        }
        match self.downloads.load(&book.name) {
            Ok(Some(bytes)) => {
                self.files.note(&path, Digest::of(bytes));
                true
            }
            Ok(None) => {
                let absent = self.absent.books.get(&book.name);
                if let Some(digest) = absent {
                    self.files.note_absent(&path, *digest);
                }
                absent.is_some()
            }
            Err(damage) => {
                if lock(&self.damaged).insert(book.name.clone()) {
                    warn(&self.sink, Some(title), damage.to_string());
                }
                false
            }
        }
    }

    async fn fetch_one(self: &Arc<Self>, title: &str, book: &Download) -> Result<(), Unfetched> {
        // Exclusive among all processes: whoever waited looks again.
        let lock = blocking({
            let (books, name) = (Arc::clone(self), book.name.clone());
            move || {
                let interrupted = || books.interrupt.is_raised();
                let lock = books.downloads.lock(&name, &interrupted);
                let there = matches!(books.downloads.load(&name), Ok(Some(_)));
                lock.map(|lock| (lock, there))
            }
        })
        .await?;
        let Some((_lock, there)) = lock else {
            return Err(NodeError::Interrupted.into());
        };
        if !there {
            let stop = || self.interrupt.is_raised();
            let fetched = self.fetcher.get(&book.url, &stop).await;
            let fetched = fetched.map_err(|error| sort(book, &error))?;
            plain_text(fetched.content_type.as_deref(), &fetched.bytes)
                .map_err(|what| Unfetched::One(no_text(book, &what)))?;
            blocking({
                let (books, book) = (Arc::clone(self), book.clone());
                move || {
                    let (name, url) = (&book.name, &book.url);
                    let stored = books.downloads.store(name, url, &fetched.bytes);
                    stored.map_err(|error| failed(error.in_full()))
                }
            })
            .await??;
        }
        let read_back = blocking({
            let (books, title, book) = (Arc::clone(self), title.to_owned(), book.clone());
            move || books.has(&title, &book)
        });
        if read_back.await? {
            Ok(())
        } else {
            Err(failed("what was fetched cannot be read back from the cache").into())
        }
    }

    /// The digests of the books that a node reads, by role. All of them have to be there.
    pub(super) fn digests(&self, node: &Node) -> Result<BTreeMap<String, Digest>, NodeError> {
        let mut digests = BTreeMap::new();
        let mut missing = Vec::new();
        for book in node.stage.downloads() {
            let there = self.has(&node.title(), &book);
            match self.files.known(&self.path_of(&book.name)) {
                Some(digest) if there => {
                    digests.insert(format!("gutenberg {}", book.id), digest);
                }
                _ => missing.push(book),
            }
        }
        if missing.is_empty() {
            Ok(digests)
        } else {
            Err(unfetched(&missing).into())
        }
    }
}

/// Books that have to be there and are not.
fn unfetched(missing: &[Download]) -> Failure {
    let ids: Vec<String> = missing.iter().map(|book| book.id.to_string()).collect();
    let one = missing.len() == 1;
    Failure::new(format!(
        "{} of Project Gutenberg {} not been fetched yet: {}",
        count(missing.len(), "book"),
        if one { "has" } else { "have" },
        some_of(&ids)
    ))
}

/// Whether an error is about one book or about everything, and what to do about it.
fn sort(book: &Download, error: &FetchError) -> Unfetched {
    let failure = Failure::new(error.to_string());
    let all = |hint: &str| Unfetched::All(NodeError::Failed(failure.clone().hint(hint)));
    match error.cause() {
        FetchError::Interrupted => Unfetched::All(NodeError::Interrupted),
        FetchError::NoClient { .. } => {
            all("install the certificates of the system (often a package called `ca-certificates`)")
        }
        FetchError::Later { .. } => all("run again later: what was fetched until now is kept"),
        FetchError::Broken { .. } | FetchError::NoUrl { .. } => all(
            "see that this machine reaches the mirror, or name another with `mirror`; what was fetched until now is kept",
        ),
        FetchError::Status { .. } if error != error.cause() => all(
            "run again later, or name another `mirror`; what was fetched until now is kept",
        ),
        _ => Unfetched::One(failure.hint(format!(
            "see that https://www.gutenberg.org/ebooks/{} has a plain text, or name another `mirror`",
            book.id
        ))),
    }
}

fn no_text(book: &Download, what: &str) -> Failure {
    Failure::new(format!("`{}` is {what}, not a plain text", book.url)).hint(
        "open the address in a browser; where a mirror answers with a page, name another `mirror`",
    )
}

/// One failure of all those of single books, none if there are none.
fn together(failures: Vec<(u64, Failure)>, of: usize) -> Result<(), Failure> {
    let mut failures = failures;
    if failures.len() < 2 {
        return match failures.pop() {
            Some((id, failure)) => Err(Failure {
                message: format!("book {id} of Project Gutenberg: {}", failure.message),
                hint: failure.hint,
            }),
            None => Ok(()),
        };
    }
    let told: Vec<String> = failures
        .iter()
        .map(|(id, failure)| format!("\n  book {id}: {}", failure.message))
        .collect();
    let stopped = if failures.len() == ENOUGH {
        ", and no further one was asked for"
    } else {
        ""
    };
    Err(Failure::new(format!(
        "{} of {} could not be fetched{stopped}:{}",
        failures.len(),
        count(of, "book"),
        told.concat()
    ))
    .hint("correct the numbers in `gutenberg`, or name another `mirror`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(id: u64) -> (u64, Failure) {
        let url = format!("https://mirror.example/{id}");
        (
            id,
            Failure::new(format!("`{url}` answers 404 Not Found")).hint("look"),
        )
    }

    #[test]
    fn failures_of_single_books_are_told_together() {
        assert_eq!(together(Vec::new(), 2), Ok(()));
        let one = together(vec![failure(7)], 2).unwrap_err();
        assert_eq!(
            one.to_string(),
            "book 7 of Project Gutenberg: `https://mirror.example/7` answers 404 Not Found\nhint: look"
        );
        let two = together(vec![failure(7), failure(8)], 3).unwrap_err();
        assert_eq!(
            two.message,
            "2 of 3 books could not be fetched:\n  book 7: `https://mirror.example/7` answers 404 Not Found\n  book 8: `https://mirror.example/8` answers 404 Not Found"
        );
        let many = together((1..=5).map(failure).collect(), 40).unwrap_err();
        let wanted = "5 of 40 books could not be fetched, and no further one was asked for:\n";
        assert!(many.message.starts_with(wanted), "{many}");
    }

    #[test]
    fn what_concerns_the_mirror_stops_everything() {
        let source = Stage::from(crate::stage::Source {
            files: Vec::new(),
            gutenberg: vec![11],
            mirror: "https://mirror.example/{id}/pg{id}.txt".to_owned(),
            metadata: None,
            id: None,
            text: None,
            columns: Vec::new(),
            key: Vec::new(),
            empty: crate::stage::Empty::Error,
        });
        let book = source.downloads().remove(0);
        assert_eq!(book.url, "https://mirror.example/11/pg11.txt");
        let url = book.url.clone();
        let broken = FetchError::GaveUp {
            attempts: 3,
            last: Box::new(FetchError::Broken {
                url: url.clone(),
                why: "connection refused".to_owned(),
            }),
        };
        let Unfetched::All(NodeError::Failed(failure)) = sort(&book, &broken) else {
            panic!("it concerns the mirror");
        };
        assert_eq!(
            failure.to_string(),
            "`https://mirror.example/11/pg11.txt` cannot be fetched: connection refused (3 attempts)\n\
             hint: see that this machine reaches the mirror, or name another with `mirror`; what was fetched until now is kept"
        );
        let large = FetchError::TooLarge {
            url,
            limit: 50_000_000,
        };
        let Unfetched::One(failure) = sort(&book, &large) else {
            panic!("it concerns the book");
        };
        assert_eq!(
            failure.message,
            "`https://mirror.example/11/pg11.txt` is larger than 50 MB, which is the limit"
        );
    }
}
