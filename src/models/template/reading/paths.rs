//! Which parts of lists and objects a template uses: what loops, `set` and `with` bind is followed to the column that it
//! comes from.

use std::fmt;
use std::ops::Range;

use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Filter, ForLoop};

use super::{Reader, Reading};
use crate::models::template::condition::Condition;

/// A column, or what is within it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::models::template) struct Path {
    pub(in crate::models::template) column: String,
    pub(in crate::models::template) steps: Vec<Step>,
}

/// A step into a list or an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::models::template) enum Step {
    /// To every element of a list.
    Each,
    /// To every value of an object.
    Values,
    /// To a field of an object.
    Field(String),
}

impl Path {
    pub(in crate::models::template) fn of(column: &str) -> Self {
        Self {
            column: column.to_owned(),
            steps: Vec::new(),
        }
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// As messages name it, and conditions: `issues[*].severity`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.column)?;
        for step in &self.steps {
            match step {
                Step::Each => f.write_str("[*]")?,
                Step::Values => f.write_str(".*")?,
                Step::Field(name) => write!(f, ".{name}")?,
            }
        }
        Ok(())
    }
}

/// A use of something within a column.
#[derive(Clone, Debug)]
pub(in crate::models::template) struct Part {
    pub(in crate::models::template) path: Path,
    pub(in crate::models::template) how: How,
    /// The template it stands in, and the line.
    pub(in crate::models::template) template: String,
    pub(in crate::models::template) line: usize,
    /// What must hold for it to be reached.
    pub(in crate::models::template) guards: Vec<Condition>,
}

/// What a template does with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::models::template) enum How {
    /// It is to be shown.
    Shown,
    /// It is gone through, counted, or given another name: that shows nothing of it.
    Looked,
}

/// A place at which a template takes something apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::models::template) struct Access {
    /// What it takes there.
    pub(in crate::models::template) path: Path,
    pub(in crate::models::template) template: String,
    pub(in crate::models::template) range: Range<usize>,
    pub(in crate::models::template) line: usize,
}

/// Filters that make one number of something.
const COUNTING: [&str; 10] = [
    "length", "count", "int", "float", "round", "abs", "format", "sum", "min", "max",
];

/// Filters that give one element of a list.
const CHOOSING: [&str; 2] = ["first", "last"];

/// Filters whose result has other elements, or none, so that it cannot be told where these come from.
const REMAKING: [&str; 9] = [
    "batch", "slice", "groupby", "split", "lines", "list", "items", "dictsort", "chain",
];

impl Reading {
    /// Whether a template takes what a column holds for a list or an object: it goes through it, or names fields of it.
    pub(in crate::models::template) fn takes_apart(&self, column: &str) -> Option<&Access> {
        self.accesses
            .iter()
            .find(|access| access.path.column == column)
    }
}

impl Reader<'_> {
    /// Where a value comes from, if it is a column or something within one.
    pub(super) fn path(&self, expression: &Expr<'_>) -> Option<Path> {
        match expression {
            Expr::Var(variable) => {
                let bound = self
                    .scope
                    .iter()
                    .rev()
                    .find(|(name, _)| name == variable.id);
                bound.map_or_else(|| Some(Path::of(variable.id)), |(_, path)| path.clone())
            }
            Expr::GetAttr(of) => Some(self.path(&of.expr)?.then(Step::Field(of.name.to_owned()))),
            Expr::GetItem(of) => {
                let path = self.path(&of.expr)?;
                let subscript = of.subscript_expr.as_const();
                Some(
                    path.then(match subscript.as_ref().and_then(|value| value.as_str()) {
                        Some(name) => Step::Field(name.to_owned()),
                        None => Step::Each,
                    }),
                )
            }
            Expr::Slice(slice) => self.path(&slice.expr),
            Expr::Filter(filter) => self.through(filter),
            // `issues or []`.
            Expr::BinOp(of) if matches!(of.op, BinOpKind::ScOr) => {
                let empty = of.right.as_const().is_some_and(|value| !value.is_true());
                self.path(&of.left).filter(|_| empty)
            }
            _ => None,
        }
    }

    /// Where what a filter makes comes from.
    fn through(&self, filter: &Filter<'_>) -> Option<Path> {
        let path = self.path(filter.expr.as_ref()?)?;
        if CHOOSING.contains(&filter.name) {
            return Some(path.then(Step::Each));
        }
        if filter.name == "list" {
            return Some(path);
        }
        if filter.name == "map" {
            let attribute = filter.args.iter().find_map(|argument| match argument {
                CallArg::Kwarg("attribute", value) => value.as_const(),
                _ => None,
            });
            let attribute = attribute.as_ref().and_then(|value| value.as_str());
            return Some(match attribute {
                // A list of what stands in the field of each, which is gone through as one of them is.
                Some(names) => names.split('.').fold(path.then(Step::Each), |path, name| {
                    path.then(Step::Field(name.to_owned()))
                }),
                None => path,
            });
        }
        (!REMAKING.contains(&filter.name)).then_some(path)
    }

    /// Whether an expression only counts what it is made of.
    fn counts(expression: &Expr<'_>) -> bool {
        match expression {
            Expr::Filter(filter) => {
                COUNTING.contains(&filter.name) || filter.expr.as_ref().is_some_and(Self::counts)
            }
            _ => false,
        }
    }

    /// Notes a use of a part, if it is known which; says so.
    pub(super) fn part(&mut self, expression: &Expr<'_>, how: How) -> bool {
        let Some(path) = self.path(expression) else {
            return false;
        };
        let how = if Self::counts(expression) {
            How::Looked
        } else {
            how
        };
        self.reading.parts.push(Part {
            path,
            how,
            template: self.open.last().copied().unwrap_or_default().to_owned(),
            line: usize::from(expression.span().start_line),
            guards: self.guards.clone(),
        });
        self.touch(expression);
        true
    }

    /// What a condition calls a value: a column by its name, and what lies within one by the way to it.
    pub(super) fn named(&mut self, expression: &Expr<'_>) -> Option<String> {
        let path = match expression {
            Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) => self.path(expression),
            _ => None,
        };
        match (path, expression) {
            (Some(path), _) if !path.steps.is_empty() => {
                self.touch(expression);
                let name = path.to_string();
                self.reading.within.insert(name.clone(), path);
                Some(name)
            }
            (_, Expr::Var(variable)) => Some(variable.id.to_owned()),
            _ => None,
        }
    }

    /// Notes the fields that an expression names.
    fn touch(&mut self, expression: &Expr<'_>) {
        let inner = match expression {
            Expr::GetAttr(of) => {
                self.access(expression, of.name);
                &of.expr
            }
            Expr::GetItem(of) => {
                if let Some(name) = of.subscript_expr.as_const()
                    && let Some(name) = name.as_str()
                {
                    self.access(expression, name);
                }
                &of.expr
            }
            Expr::Slice(slice) => &slice.expr,
            Expr::Filter(filter) => {
                if filter.name == "map"
                    && let Some(path) = self.through(filter)
                    && let Some(Step::Field(name)) = path.steps.last()
                {
                    self.accessed(path.clone(), expression, name);
                }
                // What is joined is a list; what `map` made of one has been gone through already.
                if filter.name == "join"
                    && let Some(inner) = &filter.expr
                    && !matches!(inner, Expr::Filter(inner) if maps(inner))
                    && let Some(path) = self.path(inner)
                {
                    self.accessed(path.then(Step::Each), expression, "");
                }
                match &filter.expr {
                    Some(inner) => inner,
                    None => return,
                }
            }
            _ => return,
        };
        self.touch(inner);
    }

    fn access(&mut self, expression: &Expr<'_>, name: &str) {
        if let Some(path) = self.path(expression) {
            self.accessed(path, expression, name);
        }
    }

    fn accessed(&mut self, path: Path, expression: &Expr<'_>, word: &str) {
        let span = expression.span();
        let template = self.open.last().copied().unwrap_or_default().to_owned();
        let text = self.texts.get(&template).map_or("", String::as_str);
        let range = span.start_offset as usize..(span.end_offset as usize).min(text.len());
        let inside = text.get(range.clone()).unwrap_or_default();
        let range = match inside.rfind(word) {
            Some(at) if !word.is_empty() => range.start + at..range.start + at + word.len(),
            _ => range,
        };
        let access = Access {
            path,
            template,
            range,
            line: usize::from(span.start_line),
        };
        if !self.reading.accesses.contains(&access) {
            self.reading.accesses.push(access);
        }
    }

    /// Goes through a loop.
    pub(super) fn each(&mut self, of: &ForLoop<'_>) {
        // Some elements of a list at a time are a list as it is.
        let dealt = dealt(&of.iter);
        let (iter, values) = match &of.iter {
            Expr::Filter(filter) if ["items", "dictsort"].contains(&filter.name) => {
                (filter.expr.as_ref().unwrap_or(&of.iter), true)
            }
            iter => (dealt.unwrap_or(iter), false),
        };
        let path = self.path(iter);
        if self.part(iter, How::Looked) {
            self.flow(&of.iter, true);
        } else {
            self.value(&of.iter);
        }
        let before = self.scope.len();
        self.bind("loop", None);
        let path = path.map(|path| {
            // `map(attribute = …)` has gone to each of them already.
            let step = if values { Step::Values } else { Step::Each };
            let mapped = matches!(iter, Expr::Filter(filter) if maps(filter));
            let whole = path.clone();
            let path = if mapped { path } else { path.then(step) };
            // Of a text, `list` makes one of its letters.
            if !lists(iter) {
                self.accessed(path.clone(), iter, "");
            }
            if dealt.is_some() { whole } else { path }
        });
        match &of.target {
            Expr::Var(name) => self.bind(name.id, path.filter(|_| !values)),
            Expr::List(list) => self.unpack(&list.items, path.as_ref(), values),
            Expr::Tuple(tuple) => self.unpack(&tuple.items, path.as_ref(), values),
            _ => {}
        }
        match &of.filter_expr {
            Some(filter) => {
                let kept = self.condition(filter);
                self.under(kept, |me| me.body(&of.body));
            }
            None => self.body(&of.body),
        }
        self.scope.truncate(before);
        self.body(&of.else_body);
    }

    fn unpack(&mut self, targets: &[Expr<'_>], path: Option<&Path>, values: bool) {
        if let Some(path) = path
            && !values
        {
            let widths = &mut self.reading.widths;
            widths.insert(path.to_string(), targets.len());
        }
        for (at, target) in targets.iter().enumerate() {
            if let Expr::Var(name) = target {
                let path = match (path, values, at) {
                    (Some(path), true, 1) => Some(path.clone()),
                    (Some(path), false, _) => Some(path.clone().then(Step::Each)),
                    _ => None,
                };
                self.bind(name.id, path);
            }
        }
    }

    /// Calls something: what a macro is given goes on by the name of its parameter.
    pub(super) fn calls(&mut self, name: &str, arguments: &[CallArg<'_>]) {
        let parameters = self.macros.get(name).cloned().unwrap_or_default();
        for (at, argument) in arguments.iter().enumerate() {
            let (parameter, value) = match argument {
                CallArg::Pos(value) => (parameters.get(at).map(String::as_str), value),
                CallArg::Kwarg(name, value) => {
                    let known = parameters.iter().find(|known| known == name);
                    (known.map(String::as_str), value)
                }
                CallArg::PosSplat(value) | CallArg::KwargSplat(value) => (None, value),
            };
            let Some(parameter) = parameter else {
                self.value(value);
                continue;
            };
            let place = (name.to_owned(), parameter.to_owned());
            let path = self.path(value);
            let is_followed = path.is_some() && self.calls.get(&place) == Some(&path);
            let known = self.called.entry(place).or_insert_with(|| path.clone());
            if *known != path {
                *known = None;
            }
            if is_followed {
                self.part(value, How::Looked);
                self.flow(value, true);
            } else {
                self.value(value);
            }
        }
    }

    /// Gives a value another name.
    pub(super) fn call(&mut self, target: &Expr<'_>, value: &Expr<'_>) {
        let path = self.path(value);
        if self.part(value, How::Looked) {
            self.flow(value, true);
        } else {
            self.value(value);
        }
        if let Expr::Var(name) = target {
            self.bind(name.id, path);
        }
    }

    pub(super) fn bind(&mut self, name: &str, path: Option<Path>) {
        self.scope.push((name.to_owned(), path));
    }
}

fn lists(expression: &Expr<'_>) -> bool {
    match expression {
        Expr::Filter(filter) => filter.name == "list" || filter.expr.as_ref().is_some_and(lists),
        _ => false,
    }
}

/// The list of which a filter gives some elements at a time.
fn dealt<'e, 's>(expression: &'e Expr<'s>) -> Option<&'e Expr<'s>> {
    match expression {
        Expr::Filter(filter) if ["batch", "slice"].contains(&filter.name) => filter.expr.as_ref(),
        _ => None,
    }
}

fn maps(filter: &Filter<'_>) -> bool {
    filter.name == "map"
        && filter
            .args
            .iter()
            .any(|argument| matches!(argument, CallArg::Kwarg("attribute", _)))
}
