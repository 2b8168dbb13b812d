//! What tests measure by.

use std::time::Duration;

/// The time that this thread has computed, which other work on the machine does not lengthen.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    let clock = ClockId::CLOCK_THREAD_CPUTIME_ID;
    // Without it a test that holds against it could not fail.
    clock_gettime(clock).expect("the thread has a clock").into()
}

/// Where no system call tells it, the time since the first question.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
