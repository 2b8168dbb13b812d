//! Claims on calls among processes that share nothing but a folder: by files that only one of them can make.
//!
//! Locks on files are missing or local on many network disks; making a file that must not be there yet is not. A block of
//! calls is claimed by the file `<block>.<n>`, which names its owner. When it is done, the file is renamed to
//! `<block>.done`. An owner is dead when its note has not grown for so long by the looker's own clock: then `<block>.<n+1>`
//! can be made, by one of them. Where a folder shows late what others did, a call may be made twice; a reply is stored
//! under its key whoever made it, so that nothing is wrong.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use fs_err as fs;

/// How a block stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// All its calls were made.
    Done,
    /// Somebody has claimed it: the last of so many, and who.
    Taken(u32, String),
}

/// The claims of a session.
#[derive(Clone, Debug)]
pub struct Claims {
    folder: PathBuf,
}

/// What is known of blocks by their names.
pub type Blocks = BTreeMap<String, Block>;

impl Claims {
    /// The claims in this folder, which is there.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// All blocks that anybody claimed; the folder is listed anew.
    pub fn list(&self) -> io::Result<Blocks> {
        let mut found: BTreeMap<String, Option<u32>> = BTreeMap::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let Some((block, ending)) = name.rsplit_once('.') else {
                continue;
            };
            if ending == "done" {
                found.insert(block.to_owned(), None);
            } else if let Ok(number) = ending.parse::<u32>()
                && let Some(last) = found.entry(block.to_owned()).or_insert(Some(number))
            {
                *last = (*last).max(number);
            }
        }
        let known = found.into_iter().map(|(block, last)| {
            let state = match last {
                None => Block::Done,
                Some(number) => {
                    let owner = fs::read_to_string(self.file(&block, number)).unwrap_or_default();
                    Block::Taken(number, owner)
                }
            };
            (block, state)
        });
        Ok(known.collect())
    }

    /// Whether a block is done, by whomever.
    pub fn is_done(&self, block: &str) -> bool {
        self.finished(block).exists()
    }

    /// Claims a block that nobody has, or, where its last claim is of somebody dead, after that one. Whether it is ours.
    pub fn take(&self, block: &str, after: Option<u32>, owner: &str) -> io::Result<Option<u32>> {
        let number = after.map_or(0, |last| last + 1);
        let made = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(self.file(block, number));
        match made {
            Ok(mut file) => {
                // Done since the folder was listed, which frees the name of the claim.
                if self.is_done(block) {
                    self.release(block, number)?;
                    return Ok(None);
                }
                file.write_all(owner.as_bytes())?;
                file.sync_all()?;
                Ok(Some(number))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A block that is ours is done.
    pub fn done(&self, block: &str, number: u32) -> io::Result<()> {
        match fs::rename(self.file(block, number), self.finished(block)) {
            // Somebody else took it over and was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed,
        }
    }

    /// Gives a block back that is ours.
    pub fn release(&self, block: &str, number: u32) -> io::Result<()> {
        match fs::remove_file(self.file(block, number)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn finished(&self, block: &str) -> PathBuf {
        self.folder.join(format!("{block}.done"))
    }

    fn file(&self, block: &str, number: u32) -> PathBuf {
        self.folder.join(format!("{block}.{number}"))
    }
}

/// Who is alive, by notes that grow. Clocks of other machines are not looked at.
#[derive(Clone, Debug, Default)]
pub struct Pulse {
    seen: BTreeMap<String, (Option<u64>, Duration)>,
}

impl Pulse {
    /// Whether somebody is dead whose note stands at `beat`, or was not found, at `now`: it has ended, or has not grown for
    /// `patience` since it was first looked at.
    pub fn is_dead(
        &mut self,
        who: &str,
        beat: Option<u64>,
        ended: bool,
        now: Duration,
        patience: Duration,
    ) -> bool {
        let (last, since) = self.seen.entry(who.to_owned()).or_insert((beat, now));
        if beat > *last {
            (*last, *since) = (beat, now);
        }
        ended || now.saturating_sub(*since) >= patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> (tempfile::TempDir, Claims) {
        let folder = tempfile::tempdir().unwrap();
        let claims = Claims::at(folder.path().to_owned());
        (folder, claims)
    }

    #[test]
    fn of_many_who_claim_a_block_one_has_it() {
        let (_folder, claims) = claims();
        let won: usize = std::thread::scope(|scope| {
            let racers: Vec<_> = (0..16)
                .map(|racer| {
                    let claims = &claims;
                    scope.spawn(move || {
                        let blocks = 0..50;
                        let mine = blocks.filter(|block| {
                            let taken = claims.take(&format!("b{block}"), None, &racer.to_string());
                            taken.unwrap().is_some()
                        });
                        mine.count()
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).sum()
        });
        assert_eq!(won, 50);
    }

    #[test]
    fn a_block_goes_from_hand_to_hand_and_is_done_once() {
        let (_folder, claims) = claims();
        assert_eq!(claims.take("a", None, "one").unwrap(), Some(0));
        assert_eq!(claims.take("a", None, "two").unwrap(), None);
        assert_eq!(
            claims.list().unwrap()["a"],
            Block::Taken(0, "one".to_owned())
        );
        // The first is dead: one of the others takes over.
        assert_eq!(claims.take("a", Some(0), "two").unwrap(), Some(1));
        assert_eq!(claims.take("a", Some(0), "three").unwrap(), None);
        assert_eq!(
            claims.list().unwrap()["a"],
            Block::Taken(1, "two".to_owned())
        );
        // It was not dead after all; what it says of the block does no harm.
        claims.done("a", 0).unwrap();
        claims.done("a", 1).unwrap();
        assert_eq!(claims.list().unwrap()["a"], Block::Done);
        claims.release("a", 1).unwrap();
        // Whoever listed the folder before it was done does not get it.
        assert_eq!(claims.take("a", None, "three").unwrap(), None);
        assert_eq!(claims.take("a", Some(1), "three").unwrap(), None);
        assert_eq!(claims.list().unwrap()["a"], Block::Done);
        assert_eq!(claims.take("b", None, "one").unwrap(), Some(0));
        claims.release("b", 0).unwrap();
        assert!(!claims.list().unwrap().contains_key("b"));
        assert_eq!(claims.take("b", None, "two").unwrap(), Some(0));
    }

    #[test]
    fn who_is_heard_of_is_alive() {
        let seconds = Duration::from_secs;
        let mut pulse = Pulse::default();
        let mut dead =
            |beat, ended, now| pulse.is_dead("a", beat, ended, seconds(now), seconds(30));
        assert!(!dead(None, false, 100));
        assert!(!dead(None, false, 129));
        assert!(dead(None, false, 130));
        // A note that shows late is a sign of life.
        assert!(!dead(Some(1), false, 131));
        assert!(!dead(Some(2), false, 160));
        // An old state of the file is none.
        assert!(!dead(Some(1), false, 189));
        assert!(dead(Some(2), false, 190));
        assert!(!dead(Some(3), false, 191));
        assert!(dead(Some(4), true, 192));
    }
}
