//! The terminal: what it can show, and writing to it.

use std::io::{IsTerminal, Write};

use crate::base::exit::Error;
use crate::cli::events::{Label, Look, gate, gate_json, labelled, plain, write_out};
use crate::spec::Style;

/// Columns where nobody says how many there are.
const USUAL: usize = 80;

/// Where the command writes, and what can be shown there.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    /// Whether messages go to a terminal that can redraw a line, as progress needs.
    pub(super) live: bool,
    /// How results are written.
    pub(super) results: Look,
    /// How messages are written.
    pub(super) messages: Look,
    /// Columns that tables may take, on a terminal or not.
    pub(super) width: usize,
}

impl Terminal {
    /// Looks at the process's streams and environment.
    pub(super) fn detect() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let plain = dumb || set("NO_COLOR");
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
            .filter(|width| *width > 0)
            .unwrap_or(USUAL)
            .clamp(40, 200);
        let look = |terminal: bool| Look {
            color: terminal && !plain,
            width: terminal.then_some(width),
        };
        let live = std::io::stderr().is_terminal();
        Self {
            live: live && !dumb,
            results: look(std::io::stdout().is_terminal()),
            messages: look(live),
            width,
        }
    }

    /// How problems are drawn.
    pub(super) fn style(&self) -> Style {
        Style {
            color: self.messages.color,
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

    /// Writes a result with styles, in which everything that comes from data was made [`visible`](crate::cli::events::visible).
    pub(super) fn styled(&mut self, text: &str) {
        write_out(&gate(text, self.results.color));
    }

    /// Writes a result for programs.
    #[expect(
        clippy::unused_self,
        reason = "writing goes through the terminal, so that it can be found"
    )]
    pub(super) fn json(&mut self, json: &str) {
        write_out(&gate_json(json));
    }

    /// Writes a result in sentences.
    pub(super) fn tell(&mut self, text: &str) {
        let text = plain(text, self.results);
        self.out(&text);
    }

    /// Writes a message that is drawn already, such as the problems of a spec, in which everything that comes from data
    /// was made [`visible`](crate::cli::events::visible).
    pub(super) fn drawn(&mut self, text: &str) {
        let text = gate(text.trim_end_matches('\n'), self.messages.color);
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// Writes a message in sentences.
    pub(super) fn note(&mut self, text: &str) {
        let text = plain(text, self.messages);
        self.drawn(&text);
    }

    /// A blank line between messages and results, where both stand on the same terminal.
    pub(super) fn gap(&mut self) {
        if self.results.width.is_some() && self.messages.width.is_some() {
            self.drawn("");
        }
    }

    /// Writes something a person should know.
    pub(super) fn warn(&mut self, text: &str) {
        let text = labelled(Label::Warning, text, self.messages);
        self.drawn(&text);
    }

    /// Writes an error with its hint.
    pub(super) fn error(&mut self, error: &Error) {
        if error.drawn {
            self.drawn(&error.message);
        } else {
            let text = labelled(Label::Error, &error.message, self.messages);
            self.drawn(&text);
        }
        if let Some(hint) = &error.hint {
            let text = labelled(Label::Hint, hint, self.messages);
            self.drawn(&text);
        }
    }
}
