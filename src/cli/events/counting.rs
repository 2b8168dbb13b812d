//! One bar for work that is counted, such as files read.

use std::time::Duration;

use indicatif::ProgressBar;

use super::bars::Bars;

/// A bar on a terminal, and nothing elsewhere. Threads may share it.
pub struct Counting(ProgressBar);

impl Counting {
    /// A bar for so many things, called by a noun in the plural.
    pub fn new(live: bool, total: usize, nouns: &str) -> Self {
        if !live {
            return Self(ProgressBar::hidden());
        }
        let bar = Bars::whole(total as u64, nouns);
        // Nothing is drawn for what is over at once.
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
