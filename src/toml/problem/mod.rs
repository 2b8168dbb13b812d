//! Problems: what is wrong, where, and how to repair it.
//!
//! A problem is a value. This module collects, orders and counts problems and hands them to the renderer; it finds none
//! itself and prints nothing.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::render;
use super::source::{Place, SourceId, Sources};
use super::suggest::{count, list_of};

/// Whether a problem stops the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The spec cannot be used.
    Error,
    /// The spec can be used, but probably says something else than was meant.
    Warning,
}

/// A place of a problem with a few words on what stands there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What about it; may be empty.
    pub text: String,
}

/// One thing that is wrong with a spec.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Stable name of this sort of problem, as `spec::unknown-key`.
    pub code: &'static str,
    /// What is wrong: lower case, no final period, names in backticks.
    pub message: String,
    /// Where; the first is the main place. Empty for problems that stand nowhere.
    pub labels: Vec<Label>,
    /// How to repair it.
    pub help: Option<String>,
    /// Whether it stops the work.
    pub severity: Severity,
}

impl Problem {
    /// A problem that stops the work.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            severity: Severity::Error,
        }
    }

    /// A problem that does not.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, message)
        }
    }

    /// Adds a place.
    #[must_use]
    pub fn label(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            place,
            text: text.into(),
        });
        self
    }

    /// Adds a place, if there is one.
    #[must_use]
    pub fn label_at(self, place: Option<Place>, text: impl Into<String>) -> Self {
        match place {
            Some(place) => self.label(place, text),
            None => self,
        }
    }

    /// Says how to repair it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds it to others, unless just this one is there.
    pub fn tell(self, problems: &mut Problems) {
        problems.push(self);
    }

    /// Text and offset by which problems are ordered; problems without a place come first.
    fn position(&self) -> Option<(SourceId, usize)> {
        self.labels
            .first()
            .map(|label| (label.place.source, label.place.span.start))
    }
}

/// The most problems that are drawn: of a file with thousands nobody reads all, and they are told again in the next run.
const DRAWN: usize = 500;

/// How problems are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// With ANSI colours.
    pub color: bool,
    /// With box-drawing characters; otherwise the drawing is ASCII (names and quoted text stay as they are).
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            color: false,
            unicode: true,
            width: 100,
        }
    }
}

/// Problems in the order they were found; the same problem is kept once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    list: IndexSet<Problem>,
    errors: usize,
}

/// The line of a place with a mark under it, without a message.
pub fn marked(place: Place, sources: &Sources, style: Style) -> String {
    let style = Style {
        color: false,
        ..style
    };
    let drawn = render::problem(
        &Problem::error("place", String::new()).label(place, "here"),
        sources,
        style,
    );
    let begins = |line: &&str| line.contains("─[") || line.contains("-[");
    let lines: Vec<&str> = drawn.lines().skip_while(|line| !begins(line)).collect();
    lines.join("\n")
}

impl Problems {
    /// No problems.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem, unless just this one is there.
    pub fn push(&mut self, problem: Problem) {
        let stops = problem.severity == Severity::Error;
        if self.list.insert(problem) && stops {
            self.errors += 1;
        }
    }

    /// Whether just this one is there.
    pub fn contains(&self, problem: &Problem) -> bool {
        self.list.contains(problem)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none, not even warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many stop the work.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many do not.
    pub fn warnings(&self) -> usize {
        self.len() - self.errors()
    }

    /// Whether any stops the work.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// In the order found.
    pub fn iter(&self) -> indexmap::set::Iter<'_, Problem> {
        self.list.iter()
    }

    /// In the order shown: problems without a place, then by text and offset; of equals, the one found first.
    pub fn sorted(&self) -> Vec<&Problem> {
        let mut sorted: Vec<&Problem> = self.list.iter().collect();
        sorted.sort_by_key(|problem| problem.position());
        sorted
    }

    /// Those that are not drawn as one that was `told` before, such as of another spec that extends the same file.
    #[must_use]
    pub fn not_yet_told(
        self,
        told: &mut BTreeSet<String>,
        sources: &Sources,
        style: Style,
    ) -> Self {
        let mut new = Self::new();
        for problem in self.list {
            if told.insert(render::problem(&problem, sources, style)) {
                new.push(problem);
            }
        }
        new
    }

    /// Of problems of one sort at one place, the one found first: where tables are like others, a mistake in one is found in
    /// each of them.
    #[must_use]
    pub(crate) fn once_by_place(self) -> Self {
        let mut seen: IndexSet<(&'static str, Place)> = IndexSet::new();
        let mut new = Self::new();
        for problem in self.list {
            let place = problem.labels.first().map(|label| label.place.clone());
            if place.is_none_or(|place| seen.insert((problem.code, place))) {
                new.push(problem);
            }
        }
        new
    }

    /// All problems as drawn for a person, then [`summary`](Self::summary); empty if there are none.
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut drawn = String::new();
        let sorted = self.sorted();
        for problem in sorted.iter().take(DRAWN) {
            drawn.push_str(&render::problem(problem, sources, style));
            drawn.push('\n');
        }
        if let Some(more) = sorted.len().checked_sub(DRAWN).filter(|more| *more > 0) {
            drawn = format!("{drawn}and {}\n\n", count(more, "further problem"));
        }
        drawn.push_str(&self.summary(sources));
        drawn.push('\n');
        drawn
    }

    /// One line: `3 errors, 1 warning in experiments/x.toml`; several texts are listed, many are counted.
    pub fn summary(&self, sources: &Sources) -> String {
        let mut counts = Vec::new();
        if self.errors() > 0 || self.warnings() == 0 {
            counts.push(count(self.errors(), "error"));
        }
        if self.warnings() > 0 {
            counts.push(count(self.warnings(), "warning"));
        }
        let mut names: Vec<&str> = Vec::new();
        for problem in self.sorted() {
            let name = problem
                .labels
                .first()
                .map_or("", |label| sources.name(label.place.source));
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let place = match names.as_slice() {
            [] => String::new(),
            [only] => format!(" in {only}"),
            few if few.len() <= 3 => format!(" in {}", list_of(few).replace('`', "")),
            many => format!(" in {} files", many.len()),
        };
        format!("{}{}", counts.join(", "), render::clean(&place, true))
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        for problem in problems {
            self.push(problem);
        }
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = indexmap::set::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = indexmap::set::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
