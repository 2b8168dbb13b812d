//! What was found in texts a moment ago: a stage under several axis values, and judges with several prompts, look at the same
//! texts one after the other, and a text that was damaged here and there is the same elsewhere.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::base::key::Digest;
use crate::base::lock::lock;

/// A bounded memory of what follows from a text alone. What was looked at first is forgotten first.
pub(super) struct Memo<T> {
    /// How much is kept, in bytes.
    most: usize,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    by_text: BTreeMap<Digest, Arc<OnceLock<T>>>,
    /// The texts in the order in which they were looked at, with what is kept of each, in bytes.
    order: VecDeque<(Digest, usize)>,
    bytes: usize,
}

/// What an entry takes besides what it holds, in bytes.
const ENTRY: usize = 200;

impl<T: Clone> Memo<T> {
    /// One that keeps so many bytes.
    pub(super) const fn new(most: usize) -> Self {
        let kept = Kept {
            by_text: BTreeMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        };
        Self {
            most,
            kept: Mutex::new(kept),
        }
    }

    /// What is found in a text. Who asks while another thread looks waits for what that finds.
    pub(super) fn of(&self, text: &str, look: impl FnOnce() -> T, size: impl Fn(&T) -> usize) -> T {
        let key = Digest::of(text);
        let cell = Arc::clone(lock(&self.kept).by_text.entry(key).or_default());
        let mut made = false;
        let found = cell.get_or_init(|| {
            made = true;
            look()
        });
        if made {
            lock(&self.kept).keep(key, size(found) + ENTRY, self.most);
        }
        found.clone()
    }
}

impl<T> Kept<T> {
    fn keep(&mut self, key: Digest, bytes: usize, most: usize) {
        self.order.push_back((key, bytes));
        self.bytes += bytes;
        while self.bytes > most
            && let Some((first, bytes)) = self.order.pop_front()
        {
            self.bytes -= bytes;
            self.by_text.remove(&first);
        }
    }
}

/// What a piece of a text is known by.
pub(super) type Piece = [u8; 16];

/// What a piece is known by that consists of these parts.
pub(super) fn piece(parts: &[&str]) -> Piece {
    let mut digesting = blake3::Hasher::new();
    for part in parts {
        digesting.update(&part.len().to_le_bytes());
        digesting.update(part.as_bytes());
    }
    let mut piece = Piece::default();
    piece.copy_from_slice(&digesting.finalize().as_bytes()[..16]);
    piece
}

/// In so many parts is what is known of pieces, so that threads seldom wait for each other.
const SHELVES: usize = 16;

/// A bounded memory of what follows from pieces of texts, such as sentences. Forgetting any of it changes nothing but the time.
pub(super) struct Pieces<T> {
    /// How many are kept on each shelf.
    most: usize,
    shelves: [Mutex<BTreeMap<Piece, Box<[T]>>>; SHELVES],
}

impl<T> Pieces<T> {
    /// One that keeps so many pieces.
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most: most / SHELVES,
            shelves: [const { Mutex::new(BTreeMap::new()) }; SHELVES],
        }
    }

    fn shelf(&self, piece: &Piece) -> MutexGuard<'_, BTreeMap<Piece, Box<[T]>>> {
        lock(&self.shelves[usize::from(piece[0]) % SHELVES])
    }

    /// What is made of what was found in a piece, if that is known.
    pub(super) fn recall<R>(&self, piece: &Piece, make: impl FnOnce(&[T]) -> R) -> Option<R> {
        self.shelf(piece).get(piece).map(|found| make(found))
    }

    /// Remembers what was found in a piece.
    pub(super) fn remember(&self, piece: Piece, found: Box<[T]>) {
        let mut shelf = self.shelf(&piece);
        if shelf.len() >= self.most {
            shelf.clear();
        }
        shelf.insert(piece, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_known_until_there_is_no_room() {
        let pieces = Pieces::new(SHELVES * 4);
        let number = |at: usize| piece(&[&at.to_string()]);
        for at in 0..1000 {
            pieces.remember(number(at), Box::new([at]));
            assert_eq!(
                pieces.recall(&number(at), <[usize]>::to_vec),
                Some(vec![at])
            );
        }
        let known = (0..1000).filter(|&at| pieces.recall(&number(at), |_| ()).is_some());
        assert!((SHELVES..=SHELVES * 4).contains(&known.count()));
        assert!(pieces.recall(&number(1000), |_| ()).is_none());
        assert_ne!(piece(&["ab", "c"]), piece(&["a", "bc"]));
    }

    #[test]
    fn a_text_is_looked_at_once_as_long_as_there_is_room() {
        let memo = Memo::new(3 * (ENTRY + 10));
        let look = |text: &str| {
            let mut looked = false;
            let found = memo.of(
                text,
                || {
                    looked = true;
                    text.len()
                },
                |_| 10,
            );
            assert_eq!(found, text.len());
            looked
        };
        assert!(look("a") && look("bb") && look("ccc"));
        assert!(!look("a") && !look("bb") && !look("ccc"));
        assert!(look("dddd"));
        assert!(!look("ccc"));
        assert!(look("a"));
    }

    #[test]
    fn threads_that_ask_at_once_share_one_look() {
        let memo = Memo::new(1 << 20);
        let looks = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    memo.of(
                        "text",
                        || looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
                        |_| 8,
                    )
                });
            }
        });
        assert_eq!(looks.into_inner(), 1);
    }

    #[test]
    fn nothing_stays_where_there_is_no_room() {
        let memo = Memo::new(10);
        memo.of("a", || 1, |_| 10);
        let kept = lock(&memo.kept);
        assert!(kept.by_text.is_empty() && kept.order.is_empty() && kept.bytes == 0);
    }
}
