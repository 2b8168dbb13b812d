//! The terminal: what it can show, and writing to it.

use std::io::{IsTerminal, Write};

use super::exit::Error;
use crate::show::{gate, gate_json, visible};
use crate::spec::Style;

/// Where the command writes, and what can be shown there.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    /// Whether messages go to a terminal, where progress can be drawn.
    pub(super) live: bool,
    /// Whether results are coloured.
    pub(super) color_out: bool,
    /// Whether messages are coloured.
    pub(super) color_err: bool,
    /// Columns.
    pub(super) width: usize,
}

impl Terminal {
    /// Looks at the process's streams and environment.
    pub(super) fn detect() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let plain = set("NO_COLOR") || std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let out = std::io::stdout().is_terminal();
        let err = std::io::stderr().is_terminal();
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
            .unwrap_or(100);
        Self {
            live: err,
            color_out: out && !plain,
            color_err: err && !plain,
            width: width.clamp(40, 200),
        }
    }

    /// How problems are drawn.
    pub(super) fn style(&self) -> Style {
        Style {
            color: self.color_err,
            width: self.width,
            ..Style::default()
        }
    }

    /// Writes a result without styles. Nothing in it is obeyed by a terminal.
    #[expect(
        clippy::unused_self,
        reason = "writing goes through the terminal, so that it can be found"
    )]
    pub(super) fn out(&mut self, text: &str) {
        write_out(&gate(text, false));
    }

    /// Writes a result with styles, in which everything that comes from data was made [`visible`].
    pub(super) fn styled(&mut self, text: &str) {
        write_out(&gate(text, self.color_out));
    }

    /// Writes a result for programs.
    #[expect(
        clippy::unused_self,
        reason = "writing goes through the terminal, so that it can be found"
    )]
    pub(super) fn json(&mut self, json: &str) {
        write_out(&gate_json(json));
    }

    /// Writes a message without styles. Nothing in it is obeyed by a terminal.
    #[expect(
        clippy::unused_self,
        reason = "writing goes through the terminal, so that it can be found"
    )]
    pub(super) fn note(&mut self, text: &str) {
        write_err(&gate(text, false));
    }

    /// Writes a message with styles, in which everything that comes from data was made [`visible`].
    pub(super) fn styled_note(&mut self, text: &str) {
        write_err(&gate(text, self.color_err));
    }

    /// Writes an error with its hint.
    pub(super) fn error(&mut self, error: &Error) {
        if error.drawn {
            self.styled_note(&error.message);
        } else {
            let head = self.paint("error:", "1;31");
            self.styled_note(&format!("{head} {}", visible(&error.message)));
        }
        if let Some(hint) = &error.hint {
            let head = self.paint("hint:", "36");
            self.styled_note(&format!("{head} {}", visible(hint)));
        }
    }

    /// A word of a message in an ANSI style, where messages are coloured.
    pub(super) fn paint(&self, text: &str, style: &str) -> String {
        if self.color_err {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn write_out(text: &str) {
    // A reader that went away, as in `| head`, is no error.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn write_err(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end_matches('\n'));
}
