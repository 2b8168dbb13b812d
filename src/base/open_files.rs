//! How many files this process may have open at once.

/// So many are enough for any run.
#[cfg(unix)]
const WANTED: nix::sys::resource::rlim_t = 65_536;

/// Asks for as many as the system gives: what it gives at first is 256 or 1,024, and each file of rows of an experiment is
/// open until all are written.
#[cfg(unix)]
pub fn raise() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    if let Ok((now, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let wanted = WANTED.min(most);
        if now < wanted {
            // Where it is refused, whoever opens too many files says so.
            let _ = setrlimit(Resource::RLIMIT_NOFILE, wanted, most);
        }
    }
}

/// Nothing, where there is no such limit.
#[cfg(not(unix))]
pub fn raise() {}
