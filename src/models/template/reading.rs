//! What a template does with its variables, read off its syntax tree: which it asks for, which it shows, under what
//! conditions and through which filters.
//!
//! A variable is *asked for* where only its being there or its equality with something written in the template
//! decides (`{% if thinking %}`, `style == "long"`, `title is none`); every other use is one of its content, which the
//! prompt then has to show. Nothing is rendered here.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use minijinja::machinery::ast::{
    BinOpKind, CallArg, CompareOpKind, Expr, Filter, Spanned, Stmt, UnaryOpKind,
};
use minijinja::machinery::parse;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Value, ValueKind};

use super::condition::{Compared, Condition};

/// What a template and all it includes do with variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Uses of a variable's content, in the order of the text.
    pub(super) uses: Vec<Use>,
    /// The variables of which it asks whether they have a value.
    pub(super) asked: BTreeSet<String>,
    /// The filters through which something is shown that leave all of it there.
    pub(super) chains: Vec<Chain>,
    /// The filters and tests it names.
    pub(super) words: Vec<Word>,
    /// Variables that it takes for numbers: it counts with them, or compares them with one.
    pub(super) numbers: BTreeSet<String>,
    /// Whether its templates include each other in more ways than are read.
    pub(super) endless: bool,
}

/// A use of a variable's content.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) name: String,
    /// The template it stands in, and the line.
    pub(super) template: String,
    pub(super) line: usize,
    /// What must hold for it to be reached.
    pub(super) guards: Vec<Condition>,
}

/// Filters, one after the other, each with its arguments.
pub(super) type Chain = Vec<(String, Vec<Value>)>;

/// Something named that the language has to know.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) kind: WordKind,
    pub(super) name: String,
    pub(super) template: String,
    pub(super) range: Range<usize>,
}

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    Filter,
    Test,
    /// A comparison with `none`, which nothing equals.
    EqualsNone,
}

/// Filters that leave all of a text there: they take blanks off its ends, move lines to the right, or escape signs.
const PRESERVING: [&str; 7] = ["trim", "indent", "tojson", "escape", "e", "string", "safe"];

/// So many times templates are read because others include them, each under conditions of its own.
pub(super) const READINGS: usize = 1_000;

/// Filters of numbers.
const OF_NUMBERS: [&str; 5] = ["int", "float", "round", "abs", "format"];

/// Reads a template of `texts` with all it includes.
pub(super) fn read(texts: &BTreeMap<String, String>, name: &str, syntax: &SyntaxConfig) -> Reading {
    let mut reader = Reader {
        texts,
        syntax,
        reading: Reading::default(),
        guards: Vec::new(),
        open: Vec::new(),
        read: BTreeMap::new(),
        readings: 0,
    };
    reader.template(name);
    reader.reading
}

struct Reader<'t> {
    texts: &'t BTreeMap<String, String>,
    syntax: &'t SyntaxConfig,
    reading: Reading,
    guards: Vec<Condition>,
    /// The templates being read, each included by the one before.
    open: Vec<&'t str>,
    /// The conditions under which templates were read.
    read: BTreeMap<&'t str, Vec<Vec<Condition>>>,
    readings: usize,
}

impl Reader<'_> {
    fn template(&mut self, name: &str) {
        let Some((name, text)) = self.texts.get_key_value(name) else {
            return;
        };
        if self.open.contains(&name.as_str()) {
            return;
        }
        // What is reached under fewer conditions already adds nothing under more.
        let before = self.read.entry(name).or_default();
        let fewer = |known: &Vec<Condition>| known.iter().all(|one| self.guards.contains(one));
        if before.iter().any(fewer) {
            return;
        }
        before.push(self.guards.clone());
        self.readings += 1;
        if self.readings > READINGS {
            self.reading.endless = true;
            return;
        }
        // One that cannot be read is reported where it is compiled.
        let Ok(tree) = parse(text, name, self.syntax.clone()) else {
            return;
        };
        self.open.push(name);
        self.statement(&tree);
        self.open.pop();
    }

    fn include(&mut self, name: &Expr<'_>) {
        let Expr::Const(name) = name else { return };
        if let Some(name) = name
            .value
            .as_str()
            .and_then(|name| name.strip_suffix(".j2"))
        {
            self.template(name);
        }
    }

    fn body(&mut self, statements: &[Stmt<'_>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// What is reached only if a condition holds.
    fn under(&mut self, guard: Condition, inside: impl FnOnce(&mut Self)) {
        self.guards.push(guard);
        inside(self);
        self.guards.pop();
    }

    fn statement(&mut self, statement: &Stmt<'_>) {
        match statement {
            Stmt::Template(template) => self.body(&template.children),
            Stmt::EmitExpr(emit) => self.value(&emit.expr),
            Stmt::EmitRaw(_) => {}
            Stmt::ForLoop(of) => {
                self.value(&of.iter);
                if let Some(filter) = &of.filter_expr {
                    self.condition(filter);
                }
                self.body(&of.body);
                self.body(&of.else_body);
            }
            Stmt::IfCond(of) => {
                let condition = self.condition(&of.expr);
                self.under(condition.clone(), |me| me.body(&of.true_body));
                self.under(condition.not(), |me| me.body(&of.false_body));
            }
            Stmt::WithBlock(with) => {
                for (_, value) in &with.assignments {
                    self.value(value);
                }
                self.body(&with.body);
            }
            Stmt::Set(set) => self.value(&set.expr),
            Stmt::SetBlock(set) => {
                if let Some(filter) = &set.filter {
                    self.value(filter);
                }
                self.body(&set.body);
            }
            Stmt::AutoEscape(block) => self.body(&block.body),
            Stmt::FilterBlock(block) => {
                self.value(&block.filter);
                self.body(&block.body);
            }
            Stmt::Block(block) => self.body(&block.body),
            Stmt::Extends(extends) => self.include(&extends.name),
            Stmt::Include(include) => self.include(&include.name),
            Stmt::Import(import) => self.include(&import.expr),
            Stmt::FromImport(import) => self.include(&import.expr),
            Stmt::Macro(of) => {
                for default in &of.defaults {
                    self.value(default);
                }
                self.body(&of.body);
            }
            Stmt::CallBlock(block) => {
                self.arguments(&block.call.args);
                self.body(&block.macro_decl.body);
            }
            Stmt::Do(call) => self.arguments(&call.call.args),
        }
    }

    /// An expression whose value goes on.
    fn value(&mut self, expression: &Expr<'_>) {
        match expression {
            Expr::Var(variable) => {
                let template = self.open.last().copied().unwrap_or_default().to_owned();
                self.reading.uses.push(Use {
                    name: variable.id.to_owned(),
                    template,
                    line: usize::from(variable.span().start_line),
                    guards: self.guards.clone(),
                });
            }
            Expr::Const(_) => {}
            Expr::Slice(slice) => {
                self.value(&slice.expr);
                for part in [&slice.start, &slice.stop, &slice.step]
                    .into_iter()
                    .flatten()
                {
                    self.value(part);
                }
            }
            Expr::UnaryOp(of) if matches!(of.op, UnaryOpKind::Neg) => self.number(&of.expr),
            Expr::UnaryOp(_) | Expr::Compare(_) | Expr::Test(_) => {
                self.condition(expression);
            }
            Expr::BinOp(of) => match of.op {
                BinOpKind::ScAnd => {
                    let left = self.condition(&of.left);
                    self.under(left, |me| me.value(&of.right));
                }
                BinOpKind::ScOr => {
                    self.value(&of.left);
                    let left = match &of.left {
                        Expr::Var(variable) => self.asks(variable.id),
                        _ => Condition::Unknown,
                    };
                    self.under(left.not(), |me| me.value(&of.right));
                }
                BinOpKind::Eq
                | BinOpKind::Ne
                | BinOpKind::Lt
                | BinOpKind::Lte
                | BinOpKind::Gt
                | BinOpKind::Gte
                | BinOpKind::In => {
                    self.condition(expression);
                }
                BinOpKind::Concat => {
                    self.value(&of.left);
                    self.value(&of.right);
                }
                BinOpKind::Add
                | BinOpKind::Sub
                | BinOpKind::Mul
                | BinOpKind::Div
                | BinOpKind::FloorDiv
                | BinOpKind::Rem
                | BinOpKind::Pow => {
                    let beside_text = [&of.left, &of.right].into_iter().any(is_text);
                    for side in [&of.left, &of.right] {
                        if beside_text {
                            self.value(side);
                        } else {
                            self.number(side);
                        }
                    }
                }
            },
            Expr::IfExpr(of) => {
                let condition = self.condition(&of.test_expr);
                self.under(condition.clone(), |me| me.value(&of.true_expr));
                if let Some(other) = &of.false_expr {
                    self.under(condition.not(), |me| me.value(other));
                }
            }
            Expr::Filter(filter) => self.filter(filter),
            Expr::GetAttr(of) => self.value(&of.expr),
            Expr::GetItem(of) => {
                self.value(&of.expr);
                // What looks something up is a name, not a text to be shown.
                if !matches!(of.subscript_expr, Expr::Var(_)) {
                    self.value(&of.subscript_expr);
                }
            }
            Expr::Call(call) => {
                if let Expr::GetAttr(method) = &call.expr {
                    self.value(&method.expr);
                }
                self.arguments(&call.args);
            }
            Expr::List(list) => self.values(&list.items),
            Expr::Tuple(tuple) => self.values(&tuple.items),
            Expr::Map(map) => self.values(&map.values),
        }
    }

    fn values(&mut self, expressions: &[Expr<'_>]) {
        for expression in expressions {
            self.value(expression);
        }
    }

    /// What is counted with: how it is written does not matter.
    fn number(&mut self, expression: &Expr<'_>) {
        if let Expr::Var(variable) = expression {
            self.reading.numbers.insert(variable.id.to_owned());
        }
        self.value(expression);
    }

    fn arguments(&mut self, arguments: &[CallArg<'_>]) {
        for argument in arguments {
            match argument {
                CallArg::Pos(value)
                | CallArg::Kwarg(_, value)
                | CallArg::PosSplat(value)
                | CallArg::KwargSplat(value) => self.value(value),
            }
        }
    }

    fn filter(&mut self, filter: &Spanned<Filter<'_>>) {
        let span = filter.span();
        self.word(
            WordKind::Filter,
            filter.name,
            (span.start_offset, span.end_offset),
        );
        if let Some(chain) = chain(filter).filter(|chain| !self.reading.chains.contains(chain)) {
            self.reading.chains.push(chain);
        }
        match &filter.expr {
            Some(of) if OF_NUMBERS.contains(&filter.name) => self.number(of),
            Some(of) => self.value(of),
            None => {}
        }
        match &filter.expr {
            Some(Expr::Var(variable)) if ["default", "d"].contains(&filter.name) => {
                let there = self.asks(variable.id);
                let lax = filter.args.get(1).is_some_and(|argument| {
                    matches!(argument, CallArg::Pos(Expr::Const(value)) if value.value.is_true())
                });
                let replaced = if lax {
                    there.not()
                } else {
                    Condition::Absent(variable.id.to_owned())
                };
                self.under(replaced, |me| me.arguments(&filter.args));
            }
            _ => self.arguments(&filter.args),
        }
    }

    fn asks(&mut self, name: &str) -> Condition {
        self.reading.asked.insert(name.to_owned());
        Condition::True(name.to_owned())
    }

    /// An expression of which only its truth matters.
    fn condition(&mut self, expression: &Expr<'_>) -> Condition {
        match expression {
            Expr::Var(variable) => return self.asks(variable.id),
            Expr::Const(value) => return Condition::Always(value.value.is_true()),
            Expr::UnaryOp(of) if matches!(of.op, UnaryOpKind::Not) => {
                return self.condition(&of.expr).not();
            }
            Expr::BinOp(of) => match of.op {
                BinOpKind::ScAnd => {
                    let left = self.condition(&of.left);
                    return Condition::All(vec![left, self.condition(&of.right)]);
                }
                BinOpKind::ScOr => {
                    let left = self.condition(&of.left);
                    return Condition::Any(vec![left, self.condition(&of.right)]);
                }
                kind => {
                    if let Some(how) = compared(kind) {
                        return self.comparison(&of.left, how, &of.right);
                    }
                }
            },
            Expr::Compare(of) => {
                if let [one] = of.ops.as_slice() {
                    let (how, negated) = match one.op {
                        CompareOpKind::Eq => (Compared::Equal, false),
                        CompareOpKind::Ne => (Compared::Equal, true),
                        CompareOpKind::Lt => (Compared::Less, false),
                        CompareOpKind::Gte => (Compared::Less, true),
                        CompareOpKind::Gt => (Compared::Greater, false),
                        CompareOpKind::Lte => (Compared::Greater, true),
                        CompareOpKind::In => (Compared::In, false),
                        CompareOpKind::NotIn => (Compared::In, true),
                    };
                    return self.comparison(&of.expr, (how, negated), &one.expr);
                }
                self.value(&of.expr);
                for op in &of.ops {
                    self.value(&op.expr);
                }
                return Condition::Unknown;
            }
            Expr::Test(test) => {
                let span = test.span();
                self.word(
                    WordKind::Test,
                    test.name,
                    (span.start_offset, span.end_offset),
                );
                self.arguments(&test.args);
                let Expr::Var(variable) = &test.expr else {
                    self.value(&test.expr);
                    return Condition::Unknown;
                };
                if ["odd", "even", "divisibleby"].contains(&test.name) {
                    self.reading.numbers.insert(variable.id.to_owned());
                }
                let absent = Condition::Absent(variable.id.to_owned());
                return match test.name {
                    "none" | "undefined" | "defined" => {
                        self.asks(variable.id);
                        if test.name == "defined" {
                            absent.not()
                        } else {
                            absent
                        }
                    }
                    _ => Condition::Unknown,
                };
            }
            _ => {}
        }
        self.value(expression);
        Condition::Unknown
    }

    /// A comparison: of a variable with something written here, or of contents.
    fn comparison(
        &mut self,
        left: &Expr<'_>,
        (how, negated): (Compared, bool),
        right: &Expr<'_>,
    ) -> Condition {
        for side in [left, right] {
            if let Expr::Const(value) = side
                && value.value.is_none()
                && how == Compared::Equal
            {
                let span = side.span();
                self.word(
                    WordKind::EqualsNone,
                    "none",
                    (span.start_offset, span.end_offset),
                );
            }
        }
        for (side, with) in [(left, right), (right, left)] {
            if let (Expr::Var(variable), Some(with)) = (side, with.as_const())
                && takes_numbers(&with)
            {
                self.reading.numbers.insert(variable.id.to_owned());
            }
        }
        let condition = match (left, right.as_const(), left.as_const(), right) {
            (Expr::Var(variable), Some(value), ..) => {
                Condition::Compare(variable.id.to_owned(), how, value)
            }
            (_, _, Some(value), Expr::Var(variable)) if how == Compared::Equal => {
                Condition::Compare(variable.id.to_owned(), how, value)
            }
            _ => {
                self.value(left);
                self.value(right);
                Condition::Unknown
            }
        };
        if negated { condition.not() } else { condition }
    }

    fn word(&mut self, kind: WordKind, name: &str, (start, end): (u32, u32)) {
        let template = self.open.last().copied().unwrap_or_default();
        let text = self.texts.get(template).map_or("", String::as_str);
        let range = start as usize..(end as usize).min(text.len());
        // The name itself, within what it is said of.
        let inside = text.get(range.clone()).unwrap_or_default();
        let range = match inside.rfind(name) {
            Some(at) => range.start + at..range.start + at + name.len(),
            None => range,
        };
        // Once, however often the template is read.
        if self.read.get(template).is_none_or(|read| read.len() == 1) {
            self.reading.words.push(Word {
                kind,
                name: name.to_owned(),
                template: template.to_owned(),
                range,
            });
        }
    }
}

/// Whether only a number can be compared with a value.
fn takes_numbers(value: &Value) -> bool {
    value.is_number()
        || value.kind() == ValueKind::Seq
            && value.len().is_some_and(|items| items > 0)
            && value
                .try_iter()
                .is_ok_and(|mut items| items.all(|item| item.is_number()))
}

/// Whether an expression is a text for certain.
fn is_text(expression: &Expr<'_>) -> bool {
    match expression {
        Expr::Const(value) => value.value.as_str().is_some(),
        Expr::BinOp(of) => {
            matches!(of.op, BinOpKind::Concat) || is_text(&of.left) || is_text(&of.right)
        }
        _ => false,
    }
}

/// How a binary operator compares, and whether the other way round.
fn compared(kind: BinOpKind) -> Option<(Compared, bool)> {
    Some(match kind {
        BinOpKind::Eq => (Compared::Equal, false),
        BinOpKind::Ne => (Compared::Equal, true),
        BinOpKind::Lt => (Compared::Less, false),
        BinOpKind::Gte => (Compared::Less, true),
        BinOpKind::Gt => (Compared::Greater, false),
        BinOpKind::Lte => (Compared::Greater, true),
        BinOpKind::In => (Compared::In, false),
        _ => return None,
    })
}

/// The filters that a value goes through, if all of them leave all of it there.
fn chain(filter: &Filter<'_>) -> Option<Chain> {
    let mut chain = match &filter.expr {
        Some(Expr::Filter(before)) => chain_of(before)?,
        _ => Chain::new(),
    };
    // What takes the place of an absent value leaves others as they are.
    if ["default", "d"].contains(&filter.name) {
        return Some(chain);
    }
    let mut arguments = Vec::new();
    let mut named = Vec::new();
    for argument in &filter.args {
        match argument {
            CallArg::Pos(value) => arguments.push(value.as_const()?),
            CallArg::Kwarg(name, value) => named.push(((*name).to_owned(), value.as_const()?)),
            CallArg::PosSplat(_) | CallArg::KwargSplat(_) => return None,
        }
    }
    // With signs named, it takes off what may be words.
    let strips = filter.name == "trim" && !filter.args.is_empty();
    if strips || !PRESERVING.contains(&filter.name) {
        return None;
    }
    if !named.is_empty() {
        arguments.push(Value::from(
            named.into_iter().collect::<minijinja::value::Kwargs>(),
        ));
    }
    chain.push((filter.name.to_owned(), arguments));
    Some(chain)
}

fn chain_of(filter: &Spanned<Filter<'_>>) -> Option<Chain> {
    chain(filter)
}
