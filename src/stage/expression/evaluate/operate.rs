//! What two values make: comparisons and arithmetic, of values of one kind only.

use std::collections::btree_map::Entry;

use minijinja::machinery::ast::{BinOpKind, Expr};
use minijinja::value::Value;

use super::{Cell, Evaluator, Side, TOO_LARGE, is_value};
use crate::stage::expression::kinds::{self, Comparison, Kind, is_there, shown};
use crate::stage::expression::mistake::{self, Wrong};

/// Why a power is absent.
const NO_POWER: &str = "there is no such number, or it is too large";

impl Evaluator<'_> {
    /// What a comparison of two values says; nothing where that is undecided.
    pub(in crate::stage::expression) fn compare(
        &self,
        comparison: Comparison,
        left: Side<'_, '_>,
        right: Side<'_, '_>,
    ) -> Result<Option<bool>, Wrong> {
        if !matches!(comparison, Comparison::In | Comparison::NotIn) {
            return match kinds::unlike(left.1, right.1) {
                Some(_) => Err(self.mixed(left, right)),
                None => Ok(Some(comparison.holds(left.1, right.1))),
            };
        }
        let found = match (Kind::of(left.1), Kind::of(right.1)) {
            (Kind::Text, Kind::Text) => {
                let (part, whole) = (left.1.as_str(), right.1.as_str());
                Some(whole.unwrap_or_default().contains(part.unwrap_or_default()))
            }
            (Kind::Text, Kind::Map) => {
                Some(right.1.get_item(left.1)?).map(|value| is_there(&value))
            }
            (_, Kind::List) => {
                let items: Vec<Value> = right.1.try_iter()?.collect();
                if let Some(other) = items
                    .iter()
                    .find(|item| is_there(item) && kinds::unlike(left.1, item).is_some())
                {
                    return Err(self.mixed(left, (right.0, other)));
                }
                match items.contains(left.1) {
                    false if !items.iter().all(is_there) => None,
                    found => Some(found),
                }
            }
            (_, Kind::Text) => return Err(self.mixed(left, right)),
            _ => {
                return Err(mistake::nothing_in(
                    &shown(self.text, right.0),
                    self.example(right.1),
                    right.1,
                ));
            }
        };
        Ok(found.map(|found| found == (comparison == Comparison::In)))
    }

    fn mixed(&self, left: Side<'_, '_>, right: Side<'_, '_>) -> Wrong {
        let side = |(expr, value): Side<'_, '_>| mistake::Side {
            // Of a list it is an element that does not fit.
            constant: matches!(expr, Expr::Const(_) | Expr::List(_) | Expr::Tuple(_))
                && expr.as_const().is_some(),
            shown: shown(self.text, expr).into_owned(),
            example: self.example(value),
            value: value.clone(),
        };
        mistake::mixed(&side(left), &side(right))
    }

    /// A value, to be shown where it is one of a row.
    pub(in crate::stage::expression) fn example(&self, value: &Value) -> Option<String> {
        (!self.typical).then(|| value.to_string())
    }

    /// Arithmetic, and texts that are joined.
    pub(super) fn computed(
        &mut self,
        op: BinOpKind,
        (left, right): (&Expr<'_>, &Expr<'_>),
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        let Some(operation) = kinds::operator(op) else {
            return Ok(None);
        };
        let values = if operation == "a ~ b" {
            [self.value(left, cell)?, self.value(right, cell)?]
        } else {
            let sign = &operation[2..operation.len() - 2];
            [
                self.number(left, sign, cell)?,
                self.number(right, sign, cell)?,
            ]
        };
        match values {
            [Some(_), Some(right)]
                if ["a / b", "a // b", "a % b"].contains(&operation)
                    && f64::try_from(right.clone()).is_ok_and(|right| right == 0.0) =>
            {
                self.note(self.mark(), "division by zero");
                Ok(None)
            }
            [Some(left), Some(right)] => {
                let mark = self.mark();
                match self.operate(operation, [left, right]) {
                    // Numbers have an end.
                    Err(Wrong::Failed(_)) | Ok(None) if operation != "a ~ b" => {
                        self.note(
                            mark,
                            if operation == "a ** b" {
                                NO_POWER
                            } else {
                                TOO_LARGE
                            },
                        );
                        Ok(None)
                    }
                    other => other,
                }
            }
            // Whatever is computed is of one kind.
            _ if self.typical && operation == "a ~ b" => Ok(Some(Value::from("text"))),
            _ if self.typical => Ok(Some(Value::from(1))),
            _ => Ok(None),
        }
    }

    /// A side of an arithmetic operation.
    pub(in crate::stage::expression) fn number(
        &mut self,
        expr: &Expr<'_>,
        sign: &str,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        let value = self.value(expr, cell)?;
        match &value {
            Some(found) if Kind::of(found) != Kind::Number => Err(mistake::no_number(
                &shown(self.text, expr),
                self.example(found),
                found,
                sign,
            )),
            _ => Ok(value),
        }
    }

    pub(super) fn operate<const N: usize>(
        &mut self,
        operation: &'static str,
        values: [Value; N],
    ) -> Result<Option<Value>, Wrong> {
        let names = ["a", "b", "c", "d"];
        let values = Value::from_pairs(names.into_iter().zip(values));
        let compiled = match self.operations.entry(operation) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.environment.compile_expression(operation)?),
        };
        Ok(Some(compiled.eval(values)?).filter(is_value))
    }
}
