//! One TOML text as a tree with places, with all its syntax errors.
//!
//! Knows TOML, not specs: any key is fine here.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{Problem, Problems};
use super::source::{Place, SourceId, SpanIndex, Spans, clamp};
use super::syntax;
use super::tree::{Node, Tree};

/// What a TOML text holds; with syntax errors, what could be read in spite of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parsed {
    /// The values, in file order; they do not know their places yet.
    pub(crate) tree: Tree,
    /// The places of all keys.
    pub(crate) index: SpanIndex,
}

/// Reads a TOML text; reports every syntax error in it, every duplicate key, and every number that is not finite or
/// does not fit into 64 bits.
pub(crate) fn parse(text: &str, source: SourceId, problems: &mut Problems) -> Parsed {
    syntax::read(text, |table, errors| {
        let faulty: Vec<usize> = errors
            .iter()
            .filter_map(|error| Some(error.span()?.start))
            .collect();
        let mut walk = Walk {
            text,
            source,
            shift: 0,
            faulty: &faulty,
            index: SpanIndex::default(),
            problems,
        };
        walk.index.insert(
            &[],
            Spans {
                key: 0..0,
                value: 0..0,
            },
        );
        let tree = walk.table(table, &mut Vec::new());
        let index = walk.index;
        problems.extend(syntax::problems(text, source, &index, &errors));
        Parsed { tree, index }
    })
}

/// Reads a single TOML value standing at `at` in `text`, as in an argument; none if it is no TOML value. The index
/// holds what is inside it, below `path`.
pub(super) fn parse_value(
    text: &str,
    at: Range<usize>,
    source: SourceId,
    path: &[String],
    problems: &mut Problems,
) -> Option<Parsed> {
    let value = DeValue::parse(text.get(at.clone())?).ok()?;
    let mut walk = Walk {
        text,
        source,
        shift: at.start,
        faulty: &[],
        index: SpanIndex::default(),
        problems,
    };
    let tree = walk.value(&value, &mut path.to_vec());
    Some(Parsed {
        tree,
        index: walk.index,
    })
}

struct Walk<'a> {
    text: &'a str,
    source: SourceId,
    /// Offset in `text` of what the parser took for its beginning.
    shift: usize,
    /// Where syntax errors are: numbers there were reported already, or are the parser's stopgaps.
    faulty: &'a [usize],
    index: SpanIndex,
    problems: &'a mut Problems,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &mut Vec<String>) -> Tree {
        let mut entries = IndexMap::new();
        for (key, value) in table {
            path.push(key.get_ref().to_string());
            let spans = Spans {
                key: self.moved(key.span()),
                value: self.moved(value.span()),
            };
            self.index.insert(path, spans);
            entries.insert(key.get_ref().to_string(), self.value(value, path));
            path.pop();
        }
        Tree::of(Node::Table(Arc::new(entries)))
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, path: &mut Vec<String>) -> Tree {
        let node = match value.get_ref() {
            DeValue::String(text) => Node::String(text.to_string()),
            DeValue::Boolean(value) => Node::Boolean(*value),
            DeValue::Datetime(time) => Node::String(time.to_string()),
            DeValue::Integer(number) => Node::Integer(
                i64::from_str_radix(number.as_str(), number.radix()).unwrap_or_else(|_| {
                    self.bad_number(
                        value.span(),
                        "does not fit into 64 bits",
                        "write a smaller number",
                    )
                }),
            ),
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(float) if float.is_finite() => Node::Float(float),
                _ => Node::Float(self.bad_number(
                    value.span(),
                    "is not a finite number",
                    "to set no limit, leave the key out",
                )),
            },
            DeValue::Array(elements) => Node::Array(
                elements
                    .iter()
                    .enumerate()
                    .map(|(at, element)| {
                        path.push(at.to_string());
                        let span = self.moved(element.span());
                        self.index.insert(
                            path,
                            Spans {
                                key: span.clone(),
                                value: span,
                            },
                        );
                        let element = self.value(element, path);
                        path.pop();
                        element
                    })
                    .collect(),
            ),
            DeValue::Table(table) => return self.table(table, path),
        };
        Tree::of(node)
    }

    /// Reports a number TOML allows and specs do not; 0 takes its place so that reading can go on.
    fn bad_number<N: Default>(&mut self, span: Range<usize>, why: &str, help: &str) -> N {
        let span = self.moved(span);
        let written = &self.text[span.clone()];
        if !self
            .faulty
            .iter()
            .any(|at| (span.start..=span.end).contains(at))
        {
            self.problems.push(
                Problem::error("spec::bad-number", format!("`{written}` {why}"))
                    .label(Place::new(self.source, span), "this number")
                    .help(help),
            );
        }
        N::default()
    }

    fn moved(&self, span: Range<usize>) -> Range<usize> {
        clamp(self.text, &(span.start + self.shift..span.end + self.shift))
    }
}

#[cfg(test)]
mod tests;
