//! The scheduler's commands: started, waited for, and ended where they hang. What they print is read elsewhere.

use std::ffi::OsString;
use std::io::{self, Read, Seek};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a command may take: with its controller down `squeue` takes eighteen seconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often an end is looked for.
const LOOK: Duration = Duration::from_millis(5);

/// How commands of the scheduler are run.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Variables that they must not see: what changes their defaults, and secrets, which the scheduler would keep.
    pub hidden: Vec<OsString>,
}

/// Why a command came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It is not installed.
    Missing(String),
    /// It said no, and why.
    Refused(String),
    /// It did not end in time. What it was to do may have been done.
    Hung(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(program) => write!(f, "`{program}` is not installed here"),
            Self::Refused(why) => f.write_str(why),
            Self::Hung(program) => write!(f, "`{program}` did not answer for a minute"),
        }
    }
}

impl Control {
    /// What a command prints.
    ///
    /// # Errors
    /// When it cannot be started, fails, or does not end.
    pub fn run(&self, program: &str, arguments: &[String]) -> Result<String, Trouble> {
        self.run_for(program, arguments, PATIENCE)
    }

    fn run_for(
        &self,
        program: &str,
        arguments: &[String],
        patience: Duration,
    ) -> Result<String, Trouble> {
        let broken = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Trouble::Missing(program.to_owned()),
            _ => Trouble::Refused(format!("`{program}`: {error}")),
        };
        // Files, because a pipe that nobody empties would hold the command up.
        let (mut output, mut errors) = (
            tempfile::tempfile().map_err(broken)?,
            tempfile::tempfile().map_err(broken)?,
        );
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(broken)?)
            .stderr(errors.try_clone().map_err(broken)?);
        for name in &self.hidden {
            command.env_remove(name);
        }
        let mut child = command.spawn().map_err(broken)?;
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(broken)? {
                break status;
            }
            if began.elapsed() >= patience {
                // Both fail only where it has ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Trouble::Hung(program.to_owned()));
            }
            thread::sleep(LOOK);
        };
        let text = |file: &mut std::fs::File| -> Result<String, Trouble> {
            let mut bytes = Vec::new();
            file.rewind()
                .and_then(|()| file.read_to_end(&mut bytes))
                .map_err(broken)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let said = text(&mut output)?;
        if status.success() {
            return Ok(said);
        }
        let complaint = text(&mut errors)?;
        let why = complaint
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let why: Vec<&str> = why.collect();
        Err(Trouble::Refused(if why.is_empty() {
            format!("`{program}` failed: {status}")
        } else {
            why.join("; ")
        }))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<String, Trouble> {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let control = Control {
            hidden: vec!["PWD".into()],
        };
        control.run_for("sh", &arguments, Duration::from_millis(300))
    }

    #[test]
    fn a_command_says_something_or_why_not() {
        assert_eq!(shell("echo 12").unwrap(), "12\n");
        let refused = Trouble::Refused("sbatch: error: no".to_owned());
        assert_eq!(shell("echo 'sbatch: error: no' >&2; exit 1"), Err(refused));
        assert_eq!(shell("exec sleep 60"), Err(Trouble::Hung("sh".to_owned())));
        let missing = Control::default().run("no-such-command-here", &[]);
        assert_eq!(
            missing,
            Err(Trouble::Missing("no-such-command-here".to_owned()))
        );
    }

    #[test]
    fn what_fills_a_pipe_is_read_whole() {
        let said = shell("yes 0123456789 | head -n 30000").unwrap();
        assert_eq!(said.lines().count(), 30_000);
    }
}
