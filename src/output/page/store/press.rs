//! Chunks that other threads compress while the next ones are filled.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::Yield;

/// So many chunks may be under way; their texts are kept until then.
const AT_ONCE: usize = 16;

/// Chunks under way, which come out in the order in which they were put in, whichever is done first.
#[derive(Debug, Default)]
pub(super) struct Press(VecDeque<Receiver<Vec<u8>>>);

impl Press {
    /// How many are under way.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts one in; where there are too many now, the first comes out.
    pub(super) fn put(
        &mut self,
        pack: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) -> Option<Vec<u8>> {
        let (give, take) = sync_channel(1);
        rayon::spawn(move || {
            // Nobody waits for it where the store was given up.
            let _ = give.send(pack());
        });
        self.0.push_back(take);
        (self.0.len() > AT_ONCE).then(|| self.next()).flatten()
    }

    /// The first of those under way, once it is packed.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        let first = self.0.pop_front()?;
        loop {
            if let Ok(packed) = first.try_recv() {
                return Some(packed);
            }
            // A thread of those that compress works itself while there is something to do: it may be the only one.
            if rayon::yield_now() != Some(Yield::Executed) {
                break;
            }
        }
        match first.recv() {
            Ok(packed) => Some(packed),
            // It would be missing among the others, so nothing of this goes on.
            Err(error) => std::panic::resume_unwind(Box::new(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_out_in_order_on_any_thread() {
        let press = || {
            let mut press = Press::default();
            let mut out: Vec<Vec<u8>> = Vec::new();
            for at in 0..100 {
                out.extend(press.put(move || vec![at]));
            }
            while let Some(packed) = press.next() {
                out.push(packed);
            }
            out.concat()
        };
        let all: Vec<u8> = (0..100).collect();
        assert_eq!(press(), all);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            assert_eq!(pool.unwrap().install(press), all);
        }
    }
}
