//! What a template does with values: what it shows, counts with, and puts through filters.

use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Filter, Spanned, UnaryOpKind};
use minijinja::value::Value;

use super::paths::How;
use super::{Chain, Reader, Use, WordKind};
use crate::models::template::condition::Condition;

/// Filters that leave all of a text there: they take blanks off its ends, move lines to the right, or escape signs.
const PRESERVING: [&str; 7] = ["trim", "indent", "tojson", "escape", "e", "string", "safe"];

/// Filters of numbers.
const OF_NUMBERS: [&str; 5] = ["int", "float", "round", "abs", "format"];

impl Reader<'_> {
    /// An expression whose value goes on.
    pub(super) fn value(&mut self, expression: &Expr<'_>) {
        let noted = self.part(expression, How::Shown);
        self.flow(expression, noted);
    }

    /// What an expression is made of, where itself is `noted` already.
    pub(super) fn flow(&mut self, expression: &Expr<'_>, noted: bool) {
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
                self.inner(&slice.expr, noted);
                for part in [&slice.start, &slice.stop, &slice.step]
                    .into_iter()
                    .flatten()
                {
                    self.value(part);
                }
            }
            Expr::UnaryOp(of) if matches!(of.op, UnaryOpKind::Neg) => {
                self.number(&of.expr, noted);
            }
            Expr::UnaryOp(_) | Expr::Compare(_) | Expr::Test(_) => {
                self.condition(expression);
            }
            Expr::BinOp(of) => match of.op {
                BinOpKind::ScAnd => {
                    let left = self.condition(&of.left);
                    self.under(left, |me| me.value(&of.right));
                }
                BinOpKind::ScOr => {
                    self.inner(&of.left, noted);
                    let left = match self.named(&of.left) {
                        Some(name) => self.asks(&name),
                        None => Condition::Unknown,
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
                            self.number(side, false);
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
            Expr::Filter(filter) => self.filter(filter, noted),
            Expr::GetAttr(of) => self.inner(&of.expr, noted),
            Expr::GetItem(of) => {
                self.inner(&of.expr, noted);
                // What looks something up is a name, not a text to be shown.
                if !matches!(of.subscript_expr, Expr::Var(_)) {
                    self.value(&of.subscript_expr);
                }
            }
            Expr::Call(call) => {
                let name = match &call.expr {
                    Expr::GetAttr(method) => {
                        self.value(&method.expr);
                        method.name
                    }
                    Expr::Var(name) => name.id,
                    _ => "",
                };
                self.reading.recursive |= name == "loop";
                self.calls(name, &call.args);
            }
            Expr::List(list) => self.values(&list.items),
            Expr::Tuple(tuple) => self.values(&tuple.items),
            Expr::Map(map) => self.values(&map.values),
        }
    }

    /// The value that an expression begins with.
    fn inner(&mut self, expression: &Expr<'_>, noted: bool) {
        if noted {
            self.flow(expression, true);
        } else {
            self.value(expression);
        }
    }

    fn values(&mut self, expressions: &[Expr<'_>]) {
        for expression in expressions {
            self.value(expression);
        }
    }

    /// What is counted with: how it is written does not matter.
    fn number(&mut self, expression: &Expr<'_>, noted: bool) {
        if let Some(name) = self.named(expression) {
            self.reading.numbers.insert(name);
        }
        let noted = noted || self.part(expression, How::Looked);
        self.flow(expression, noted);
    }

    pub(super) fn arguments(&mut self, arguments: &[CallArg<'_>]) {
        for argument in arguments {
            match argument {
                CallArg::Pos(value)
                | CallArg::Kwarg(_, value)
                | CallArg::PosSplat(value)
                | CallArg::KwargSplat(value) => self.value(value),
            }
        }
    }

    fn filter(&mut self, filter: &Spanned<Filter<'_>>, noted: bool) {
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
            Some(of) if OF_NUMBERS.contains(&filter.name) => self.number(of, noted),
            Some(of) => self.inner(of, noted),
            None => {}
        }
        let replaces = ["default", "d"].contains(&filter.name);
        let replaced = filter.expr.as_ref().filter(|_| replaces);
        match replaced.and_then(|of| self.named(of)) {
            Some(name) => {
                let there = self.asks(&name);
                let lax = filter.args.get(1).is_some_and(|argument| {
                    matches!(argument, CallArg::Pos(Expr::Const(value)) if value.value.is_true())
                });
                let replaced = if lax {
                    there.not()
                } else {
                    Condition::Absent(name)
                };
                self.under(replaced, |me| me.arguments(&filter.args));
            }
            None => self.arguments(&filter.args),
        }
    }
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
