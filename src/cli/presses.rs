//! What asks a command to stop.

/// What asks a command to stop: Ctrl-C and, on Unix, SIGTERM, which schedulers and `timeout` send, and SIGHUP, which a
/// closed terminal sends.
pub(super) struct Presses {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// None where whoever started the command wants it to go on, as `nohup` does.
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Presses {
    /// Listens from now on. One stream, because listening anew for each would miss one in between.
    pub(super) fn listen() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup: if ignores_hangup() {
                    None
                } else {
                    Some(signal(SignalKind::hangup())?)
                },
            })
        }
        #[cfg(windows)]
        Ok(Self {
            interrupt: tokio::signal::windows::ctrl_c()?,
        })
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> Option<Press> {
        #[cfg(unix)]
        return tokio::select! {
            pressed = self.interrupt.recv() => pressed.map(|()| Press::Key),
            told = self.terminate.recv() => told.map(|()| Press::Key),
            Some(()) = hung_up(&mut self.hangup) => Some(Press::Hangup),
        };
        #[cfg(windows)]
        self.interrupt.recv().await.map(|()| Press::Key)
    }
}

/// What asked a command to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// A person or a program, who may ask again for more haste.
    Key,
    /// The terminal, which is closed. Kernel and shell both say so: the second time means no more than the first.
    Hangup,
}

/// That the terminal was closed; never, where nobody listens for that.
#[cfg(unix)]
async fn hung_up(signal: &mut Option<tokio::signal::unix::Signal>) -> Option<()> {
    match signal {
        Some(signal) => signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether this process was started so that a closed terminal does not end it. Where the system does not say, one that
/// shows nothing on a terminal was.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    use std::io::IsTerminal;
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| {
        let mask = line.strip_prefix("SigIgn:")?.trim();
        u64::from_str_radix(mask, 16).ok()
    });
    // The first signal, so the lowest bit.
    ignored.map_or_else(|| !std::io::stderr().is_terminal(), |mask| mask & 1 == 1)
}
