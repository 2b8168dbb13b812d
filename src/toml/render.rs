//! Drawing a problem with its lines of source.
//!
//! Turns one problem into text and must never fail or panic, whatever the texts and spans. It neither orders problems
//! nor decides anything about them.
//!
//! What is drawn is a display copy of the source, see [`excerpt`](super::excerpt).

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters,
    ThemeStyles,
};

use super::excerpt::Excerpt;
use super::problem::{Label, Problem, Severity, Style};
use super::source::{SourceId, Sources};
use super::veil::veil;
use crate::base::wording::wrap_lines;

/// Columns below which a drawing is unreadable anyway.
const NARROWEST: usize = 40;

/// Columns that are left free at the right, and those that signs and `help:` take at the left.
const EDGE: usize = 2;
const BESIDE_MESSAGE: usize = 4;
const BESIDE_HELP: usize = 8;

/// The problem as drawn in this style, ending in a line break.
pub(super) fn problem(problem: &Problem, sources: &Sources, style: Style) -> String {
    let mut drawn = String::new();
    let report = Report::new(problem, sources, style);
    if handler(style).render_report(&mut drawn, &report).is_err() {
        // The drawing of the source failed; the message must still be seen.
        drawn = format!(
            "{}: {}\n",
            problem.code,
            clean(
                &veil(&problem.message, &lines_of(problem, sources)),
                style.unicode
            )
        );
    }
    let lines: Vec<&str> = drawn
        .trim_matches('\n')
        .lines()
        .map(str::trim_end)
        .collect();
    lines.join("\n") + "\n"
}

fn handler(style: Style) -> GraphicalReportHandler {
    let theme = GraphicalTheme {
        characters: if style.unicode {
            ThemeCharacters::unicode()
        } else {
            ThemeCharacters::ascii()
        },
        styles: if style.color {
            ThemeStyles::ansi()
        } else {
            ThemeStyles::none()
        },
    };
    GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.max(NARROWEST))
        .with_links(false)
        .with_context_lines(1)
        .with_wrap_lines(false) // by [`wrap_lines`], which breaks no name at its hyphen
        .tab_width(4)
        .without_primary_span_start() // the excerpt names the place itself
        .without_syntax_highlighting()
}

/// A problem in the form the renderer draws.
#[derive(Debug)]
struct Report {
    code: &'static str,
    message: String,
    help: Option<String>,
    severity: miette::Severity,
    labels: Vec<LabeledSpan>,
    text: Excerpt,
}

impl Report {
    fn new(problem: &Problem, sources: &Sources, style: Style) -> Self {
        let mut by_text: Vec<(SourceId, Vec<&Label>)> = Vec::new();
        for label in &problem.labels {
            match by_text.iter_mut().find(|(id, _)| *id == label.place.source) {
                Some((_, labels)) => labels.push(label),
                None => by_text.push((label.place.source, vec![label])),
            }
        }
        let lines = lines_of(problem, sources);
        let room = style.width.max(NARROWEST) - EDGE;
        let words = |text: &str| clean(&veil(text, &lines), style.unicode);
        let mut text = Excerpt::default();
        let mut labels = Vec::new();
        for (id, marks) in by_text {
            let spans = text.add(sources, id, &marks, style.unicode);
            for (label, span) in marks.iter().zip(spans) {
                let words = (!label.text.is_empty()).then(|| words(&label.text));
                labels.push(if problem.labels.first() == Some(*label) {
                    LabeledSpan::new_primary_with_span(words, span)
                } else {
                    LabeledSpan::new_with_span(words, span)
                });
            }
        }
        Self {
            code: problem.code,
            message: wrap_lines("", &words(&problem.message), room - BESIDE_MESSAGE),
            help: problem
                .help
                .as_deref()
                .map(|help| wrap_lines("", &words(help), room - BESIDE_HELP)),
            severity: match problem.severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            },
            labels,
            text,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report {}

impl Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }
}

/// The lines a problem is about.
fn lines_of<'s>(problem: &Problem, sources: &'s Sources) -> Vec<&'s str> {
    let line = |label: &Label| -> &'s str {
        let text = sources.text(label.place.source);
        let span = sources.clamp(&label.place);
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.start..]
            .find('\n')
            .map_or(text.len(), |at| span.start + at);
        &text[start..end]
    };
    problem.labels.iter().map(line).collect()
}

/// Text for a terminal: control and direction-changing characters replaced, line breaks and tabs kept.
pub(super) fn clean(text: &str, unicode: bool) -> String {
    text.chars()
        .map(|character| {
            if character == '\n' {
                character
            } else {
                safe(character, unicode)
            }
        })
        .collect()
}

/// The character, or what stands for it on a terminal.
pub(super) fn safe(character: char, unicode: bool) -> char {
    let steering = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    );
    match character {
        '\t' => '\t',
        _ if steering || character.is_control() => {
            if unicode {
                '\u{fffd}'
            } else {
                '?'
            }
        }
        other => other,
    }
}
