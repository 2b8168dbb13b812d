//! One program under way.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::listen::{Complaints, Heard, answers};
use super::{Run, Trouble};

/// How often a program that says nothing is looked at, and whether the run is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// How often an end that was announced is looked for.
const END: Duration = Duration::from_millis(2);

/// A program under way, which is stopped when it is dropped.
pub struct Program<'r> {
    child: Child,
    heard: Receiver<Heard>,
    complaints: Complaints,
    patience: Option<Duration>,
    stop: &'r dyn Fn() -> bool,
    ended: Option<ExitStatus>,
}

impl<'r> Program<'r> {
    /// Starts a program and hands it lines.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(run: Run<'r>, lines: impl Iterator<Item = Vec<u8>>) -> Result<Self, Trouble> {
        let [program, arguments @ ..] = run.command else {
            return Err(Trouble::NoCommand);
        };
        let requests = file_of(lines).map_err(Trouble::Talk)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(requests)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(Trouble::Start)?;
        let pipes = child.stdout.take().zip(child.stderr.take());
        let listening = pipes
            .ok_or_else(|| io::ErrorKind::BrokenPipe.into())
            .and_then(|(output, errors)| {
                Ok((answers(output, run.lines)?, Complaints::of(errors)?))
            });
        match listening {
            Ok((heard, complaints)) => Ok(Self {
                child,
                heard,
                complaints,
                patience: run.patience,
                stop: run.stop,
                ended: None,
            }),
            Err(problem) => {
                kill(&mut child);
                let _ = child.wait();
                Err(Trouble::Talk(problem))
            }
        }
    }

    /// The next line, with its end.
    ///
    /// # Errors
    /// Why there is none.
    pub fn line(&mut self) -> Result<Vec<u8>, Trouble> {
        match self.hear()? {
            Heard::Line(line) => Ok(line),
            Heard::Long(limit) => Err(Trouble::Long(limit)),
            Heard::End => Err(Trouble::Ended(self.end()?)),
            Heard::Broken(problem) => Err(Trouble::Talk(problem)),
        }
    }

    /// Sees that it says no more, and how it ends.
    ///
    /// # Errors
    /// When it does say more, or does not end.
    pub fn finish(&mut self) -> Result<ExitStatus, Trouble> {
        match self.hear()? {
            Heard::Line(_) | Heard::Long(_) => Err(Trouble::More),
            Heard::End => self.end(),
            Heard::Broken(problem) => Err(Trouble::Talk(problem)),
        }
    }

    /// Stops it and all that it started.
    pub fn stop(&mut self) {
        if self.ended.is_none() {
            kill(&mut self.child);
            // It fails only where there is nothing to wait for.
            self.ended = self.child.wait().ok();
        }
    }

    /// Stops it, and hands back the last lines of what it complained about.
    pub fn last_words(&mut self) -> String {
        self.stop();
        self.complaints.last()
    }

    fn hear(&self) -> Result<Heard, Trouble> {
        let since = Instant::now();
        loop {
            match self.heard.recv_timeout(LOOK) {
                Ok(heard) => return Ok(heard),
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
                Err(RecvTimeoutError::Timeout) => self.wait_on(since)?,
            }
        }
    }

    /// How it ends that has closed its output.
    fn end(&mut self) -> Result<ExitStatus, Trouble> {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().map_err(Trouble::Talk)? {
                // What it started and left behind.
                kill(&mut self.child);
                self.ended = Some(status);
                return Ok(status);
            }
            self.wait_on(since)?;
            thread::sleep(END);
        }
    }

    /// Whether waiting since then may go on.
    fn wait_on(&self, since: Instant) -> Result<(), Trouble> {
        if (self.stop)() {
            return Err(Trouble::Stopped);
        }
        match self.patience {
            Some(patience) if since.elapsed() >= patience => Err(Trouble::Silent(patience)),
            _ => Ok(()),
        }
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Ends a program with all of its group. That fails where it has ended already, which is what it is for.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Ok(group) = i32::try_from(child.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
    #[cfg(not(unix))]
    let _ = child.kill();
}

/// Lines in a file without a name, to be read from its start.
fn file_of(lines: impl Iterator<Item = Vec<u8>>) -> io::Result<File> {
    let mut file = BufWriter::new(tempfile::tempfile()?);
    for line in lines {
        file.write_all(&line)?;
        file.write_all(b"\n")?;
    }
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}
