//! Messages as people see them: with what they are in front, in lines of the terminal's width.
//!
//! A file or a pipe gets every message on one line, so that it can be searched. Colours help and are never needed.

use super::visible;
use crate::base::wording::wrap_lines;

/// How a stream is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether it shows colours.
    pub color: bool,
    /// Columns, where lines are to be broken.
    pub width: Option<usize>,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Why the command could not do what it was asked.
    Error,
    /// Why a stage could not.
    Failed,
    /// Something a person should know.
    Warning,
    /// How to repair what was just said.
    Hint,
}

impl Label {
    /// The word, with what ends it, and its ANSI style.
    fn word(self) -> (&'static str, &'static str) {
        match self {
            Self::Error => ("error:", "1;31"),
            Self::Failed => ("failed", "1;31"),
            Self::Warning => ("warning:", "33"),
            Self::Hint => ("hint:", "36"),
        }
    }
}

/// A message with what it is in front; further lines begin below its first word.
pub fn labelled(label: Label, text: &str, look: Look) -> String {
    let (word, style) = label.word();
    let lines = wrap_lines(
        &format!("{word} "),
        &visible(text),
        look.width.unwrap_or(usize::MAX),
    );
    match lines.strip_prefix(word) {
        Some(rest) if look.color => format!("\x1b[{style}m{word}\x1b[0m{rest}"),
        _ => lines,
    }
}

/// A message without a word in front.
pub fn plain(text: &str, look: Look) -> String {
    wrap_lines("", &visible(text), look.width.unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "there is no stage `cut`, and no other stage is near";

    fn look(color: bool, width: Option<usize>) -> Look {
        Look { color, width }
    }

    #[test]
    fn lines_begin_below_the_first_word() {
        assert_eq!(
            labelled(Label::Error, TEXT, look(false, Some(30))),
            "error: there is no stage\n       `cut`, and no other\n       stage is near"
        );
        assert_eq!(
            labelled(Label::Hint, TEXT, look(false, None)),
            format!("hint: {TEXT}")
        );
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let colored = labelled(Label::Warning, TEXT, look(true, Some(30)));
        assert!(
            colored.starts_with("\x1b[33mwarning:\x1b[0m there"),
            "{colored}"
        );
        assert_eq!(
            colored.replace("\x1b[33m", "").replace("\x1b[0m", ""),
            labelled(Label::Warning, TEXT, look(false, Some(30)))
        );
    }

    #[test]
    fn what_others_wrote_commands_no_terminal() {
        let said = labelled(Label::Failed, "the server said \x1b[2J", look(true, None));
        assert!(!said.contains("\x1b[2J"), "{said}");
    }
}
