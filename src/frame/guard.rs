//! Reading what may be damaged with a library that may panic.
//!
//! polars and its decoders panic on some malformed parquet files instead of returning an error (an
//! unexpected page kind, a length that does not fit). A damaged file is an ordinary mistake of the
//! world, so such a panic is caught here and becomes an error, and its message, which speaks of
//! source files nobody knows, is not printed. Everything is decoded on the calling thread, so that
//! one mark per thread is enough to tell such a panic from a bug of ours. Needs `panic = "unwind"`.
//!
//! One sort of damage is beyond it: a run length inside a page that claims 2^60 values makes polars
//! ask for that much memory, and the process ends with `memory allocation of … failed`. The counts
//! in the footer, which can do the same, are checked before anything is decoded.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::FrameError;

thread_local! {
    /// Whether this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the process's panic hook silent while a file is read under guard. Installed once, by the
/// command; without it the errors are the same, and the decoder's message is printed besides.
pub fn silence_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !GUARDED.get() {
            usual(panic);
        }
    }));
}

/// Does the work; a panic in it is [`FrameError::Damaged`].
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, FrameError>) -> Result<T, FrameError> {
    let outer = GUARDED.replace(true);
    // Nothing outlives an unwinding: the reader and the bytes are dropped by it.
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.unwrap_or_else(|_| {
        Err(FrameError::Damaged(
            "its parts do not fit together".to_owned(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_inside_is_an_error() {
        let result: Result<(), FrameError> = guarded(|| panic!("index out of bounds"));
        assert!(matches!(result, Err(FrameError::Damaged(_))));
        assert!(!GUARDED.get());
    }
}
