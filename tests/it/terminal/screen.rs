//! A terminal for the command to run in: what a person sees of it afterwards.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{OpenptyResult, Winsize, openpty};

use crate::lab::Lab;

/// Rows enough for whatever is said: nothing scrolls away.
const ROWS: u16 = 2000;

/// What a terminal is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    pub(super) columns: u16,
    /// Whether `NO_COLOR` is not set.
    pub(super) color: bool,
    /// `TERM`.
    pub(super) term: &'static str,
}

/// 80 columns without colour.
pub(super) const USUAL: Looks = Looks {
    columns: 80,
    color: false,
    term: "xterm-256color",
};

/// What a command came to in a terminal.
#[derive(Debug)]
pub(super) struct Seen {
    /// The bytes that were written to the terminal.
    pub(super) raw: String,
    /// What stands on the screen in the end, without blanks at the ends of lines.
    pub(super) screen: String,
    pub(super) code: i32,
}

/// Runs a command of a project in a terminal. Standard input is closed.
pub(super) fn see(lab: &Lab, args: &[&str], looks: Looks) -> Seen {
    start(lab, args, looks).end()
}

/// A command that runs in a terminal.
pub(super) struct Started {
    pub(super) child: std::process::Child,
    master: File,
    /// Held so that the terminal does not hang up: some systems then drop what nobody has read yet.
    _slave: OwnedFd,
    columns: u16,
    bytes: Vec<u8>,
}

/// Starts a command of a project in a terminal.
pub(super) fn start(lab: &Lab, args: &[&str], looks: Looks) -> Started {
    let size = Winsize {
        ws_row: ROWS,
        ws_col: looks.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let OpenptyResult { master, slave } = openpty(Some(&size), None).unwrap();
    let mut command: Command = lab.exactly(args);
    command
        .env_remove("COLUMNS")
        .env("TERM", looks.term)
        .stdout(Stdio::from(slave.try_clone().unwrap()))
        .stderr(Stdio::from(slave.try_clone().unwrap()));
    if looks.color {
        command.env_remove("NO_COLOR");
    }
    let child = command.spawn().unwrap();
    Started {
        child,
        master: File::from(master),
        _slave: slave,
        columns: looks.columns,
        bytes: Vec::new(),
    }
}

impl Started {
    /// Reads until the terminal has been told this.
    pub(super) fn until(&mut self, said: &str) {
        while !String::from_utf8_lossy(&self.bytes).contains(said) {
            assert!(self.read(), "it ended without saying `{said}`");
        }
    }

    /// Reads to the end.
    pub(super) fn end(mut self) -> Seen {
        while self.read() {}
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        let mut parser = vt100::Parser::new(ROWS, self.columns, 0);
        parser.process(&self.bytes);
        let rows = parser.screen().rows(0, self.columns);
        let wrapped = (0..ROWS).map(|row| parser.screen().row_wrapped(row));
        let mut screen = String::new();
        for (row, wrapped) in rows.zip(wrapped) {
            if wrapped {
                screen.push_str(&row);
            } else {
                screen.push_str(row.trim_end_matches(' '));
                screen.push('\n');
            }
        }
        screen.truncate(screen.trim_end_matches('\n').len());
        Seen {
            raw: String::from_utf8(self.bytes).expect("what is written is UTF-8"),
            screen,
            code,
        }
    }

    /// Reads some more; false when the command has ended and all it wrote is read.
    fn read(&mut self) -> bool {
        let mut piece = [0; 4096];
        loop {
            // Asked before the terminal is looked at: what a command wrote is there when it has ended.
            let ended = self.child.try_wait().unwrap().is_some();
            let patience = if ended { 0_u8 } else { 20 };
            let mut there = [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)];
            if poll(&mut there, PollTimeout::from(patience)) == Ok(0) {
                if ended {
                    return false;
                }
                continue;
            }
            match self.master.read(&mut piece) {
                Ok(0) => return false,
                Ok(n) => {
                    self.bytes.extend_from_slice(&piece[..n]);
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }
}
