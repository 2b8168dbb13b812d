//! The interrupt flag: finish calls in flight, save their replies, and stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// Why, where it was not a person who asked.
    why: OnceLock<String>,
}

impl Interrupt {
    /// Asks everything to stop.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
    }

    /// Asks everything to stop because a limit of the run is reached.
    pub fn raise_because(&self, why: String) {
        // Told by the first; all others stop because of it.
        if !self.is_raised() {
            let _ = self.0.why.set(why);
        }
        self.raise();
    }

    /// The limit that was reached, if that is why everything stops.
    pub fn why(&self) -> Option<&str> {
        self.0.why.get().map(String::as_str)
    }

    /// Whether everything was asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }
}
