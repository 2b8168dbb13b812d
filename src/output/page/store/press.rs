//! Chunks that other threads compress while the next ones are filled.

use std::collections::VecDeque;

use crate::base::coming::{Coming, coming};

/// So many chunks may be under way; their texts are kept until then.
const AT_ONCE: usize = 16;

/// Chunks under way, which come out in the order in which they were put in, whichever is done first.
#[derive(Debug, Default)]
pub(super) struct Press(VecDeque<Coming<Vec<u8>>>);

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
        let (giving, coming) = coming();
        rayon::spawn(move || giving.give(pack()));
        self.0.push_back(coming);
        (self.0.len() > AT_ONCE).then(|| self.next()).flatten()
    }

    /// The first of those under way, once it is packed.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        self.0.pop_front().map(Coming::wait)
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
