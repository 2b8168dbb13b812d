//! What a template asks for, and compares.

use minijinja::machinery::ast::{BinOpKind, CompareOpKind, Expr, UnaryOpKind};
use minijinja::value::{Value, ValueKind};

use super::{Reader, WordKind};
use crate::models::template::condition::{Compared, Condition};

impl Reader<'_> {
    pub(super) fn asks(&mut self, name: &str) -> Condition {
        self.reading.asked.insert(name.to_owned());
        Condition::True(name.to_owned())
    }

    /// An expression of which only its truth matters.
    pub(super) fn condition(&mut self, expression: &Expr<'_>) -> Condition {
        if let Some(name) = self.named(expression) {
            return self.asks(&name);
        }
        match expression {
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
                let Some(name) = self.named(&test.expr) else {
                    self.value(&test.expr);
                    return Condition::Unknown;
                };
                if ["odd", "even", "divisibleby"].contains(&test.name) {
                    self.reading.numbers.insert(name.clone());
                }
                let absent = Condition::Absent(name.clone());
                return match test.name {
                    "none" | "undefined" | "defined" => {
                        self.asks(&name);
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
            if let (Some(name), Some(with)) = (self.named(side), with.as_const())
                && takes_numbers(&with)
            {
                self.reading.numbers.insert(name);
            }
        }
        let names = (self.named(left), self.named(right));
        let condition = match (names.0, right.as_const(), left.as_const(), names.1) {
            (Some(name), Some(value), ..) => Condition::Compare(name, how, value),
            (_, _, Some(value), Some(name)) if how == Compared::Equal => {
                Condition::Compare(name, how, value)
            }
            _ => {
                self.value(left);
                self.value(right);
                Condition::Unknown
            }
        };
        if negated { condition.not() } else { condition }
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
