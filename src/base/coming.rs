//! What other threads work out, waited for by who needs it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::Yield;

/// Something that is being worked out.
#[derive(Debug)]
pub struct Coming<T>(Receiver<T>);

/// Where who works it out gives it.
#[derive(Debug)]
pub struct Giving<T>(SyncSender<T>);

/// Something that is to be worked out on a thread of rayon's.
pub fn coming<T>() -> (Giving<T>, Coming<T>) {
    let (give, take) = sync_channel(1);
    (Giving(give), Coming(take))
}

impl<T> Giving<T> {
    /// It is there.
    pub fn give(self, what: T) {
        // Nobody waits for it where the rest was given up.
        let _ = self.0.send(what);
    }
}

impl<T> Coming<T> {
    /// It, once it is there. Where it was never given, whoever was to give it panicked, and so does this.
    pub fn wait(self) -> T {
        loop {
            if let Ok(there) = self.0.try_recv() {
                return there;
            }
            // A thread of rayon's works itself while there is something to do: it may be the only one.
            if rayon::yield_now() != Some(Yield::Executed) {
                break;
            }
        }
        match self.0.recv() {
            Ok(there) => there,
            Err(error) => std::panic::resume_unwind(Box::new(error)),
        }
    }
}
