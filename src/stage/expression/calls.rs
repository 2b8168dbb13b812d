//! What filters, tests and functions make of values.

use minijinja::machinery::ast::{Call, CallArg, Expr};
use minijinja::value::{Kwargs, Value};

use super::aggregate;
use super::evaluate::{Cell, Evaluator};
use super::kinds::{self, Comparison, Kind, is_there};
use super::lists::{self, Made};
use super::mistake::{self, Wrong};
use super::{kinds::shown, walk};
use crate::base::wording::shorten;
use crate::models::template::limited;

impl Evaluator<'_> {
    /// Sees that an aggregate is of what it can be made of: conditions, or numbers.
    pub(super) fn fits(
        &mut self,
        call: &aggregate::Call<'_, '_, '_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<(), Wrong> {
        for (_, of) in &call.of {
            if call.aggregate.of_condition() {
                self.truth(of, cell)?;
            } else if call.aggregate.of_number() {
                match self.value(of, cell)? {
                    Some(value) if !matches!(Kind::of(&value), Kind::Number | Kind::Truth) => {
                        let example = self.example(&value);
                        let shown = shown(self.text, of);
                        return Err(mistake::no_number(
                            &shown,
                            example,
                            &value,
                            call.aggregate.name(),
                        ));
                    }
                    _ => {}
                }
            } else {
                self.value(of, cell)?;
            }
        }
        Ok(())
    }

    pub(super) fn filtered(
        &mut self,
        name: &str,
        base: Option<Value>,
        arguments: Option<Vec<Value>>,
        mark: usize,
    ) -> Result<Option<Value>, Wrong> {
        let typical = || kinds::typical(name);
        let (Some(base), Some(arguments)) = (base, arguments) else {
            return Ok(typical().filter(|_| self.typical));
        };
        if self.typical {
            return Ok(typical());
        }
        if Kind::of(&base) == Kind::List {
            if ["min", "max", "sort", "unique", "sum"].contains(&name)
                && let Some((one, other)) = kinds::mixed(&base)
            {
                return Err(mistake::mixed_list(name, &one, &other));
            }
            let compares = arguments
                .first()
                .and_then(Value::as_str)
                .and_then(Comparison::of_test);
            if ["select", "reject"].contains(&name)
                && compares.is_some()
                && let Some(with) = arguments.get(1)
                && let Some(item) = base
                    .try_iter()?
                    .find(|item| is_there(item) && kinds::unlike(item, with).is_some())
            {
                return Err(mistake::mixed_list(name, &item, with));
            }
        }
        match lists::filtered(name, &base, &arguments)? {
            Some(Made::Value(value)) => return Ok(Some(value)),
            Some(Made::Absent(why)) => {
                self.note(self.mark(), why);
                return Ok(None);
            }
            Some(Made::Lacking) => {
                self.note(mark, "the list lacks an element");
                return Ok(None);
            }
            None => {}
        }
        let all: Vec<Value> = std::iter::once(base).chain(arguments).collect();
        let given = all.iter().filter_map(Value::as_str).map(str::len).sum();
        let made = limited(given, || self.state.apply_filter(name, &all));
        match (made, all.as_slice()) {
            (Err(_), [base]) if ["int", "float"].contains(&name) => Err(Wrong::Failed(format!(
                "`{name}` reads numbers, and this is none: `{}`",
                shorten(&base.to_string(), 30)
            ))),
            (found, _) => Ok(Some(found?)),
        }
    }

    pub(super) fn tested(
        &mut self,
        name: &str,
        expr: &Expr<'_>,
        arguments: &[CallArg<'_>],
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<bool>, Wrong> {
        if let (Some(column), "none" | "defined" | "undefined") = (walk::column(expr), name) {
            return Ok(match (cell(column), name) {
                (Cell::Unknown, _) => None,
                (Cell::Absent, "none") | (_, "defined") => Some(true),
                _ => Some(false),
            });
        }
        let value = self.value(expr, cell)?;
        if name == "none" {
            return Ok((!self.typical).then_some(value.is_none()));
        }
        if let (Some(comparison), [CallArg::Pos(other)]) = (Comparison::of_test(name), arguments) {
            let found = self.value(other, cell)?;
            return match (value, found) {
                (Some(value), Some(found)) => {
                    self.compare(comparison, (expr, &value), (other, &found))
                }
                _ => Ok(None),
            };
        }
        let (Some(value), Some(arguments)) = (value, self.arguments(arguments, cell)?) else {
            return Ok(None);
        };
        let needed = match name {
            "odd" | "even" | "divisibleby" => Kind::Number,
            "startingwith" | "endingwith" | "lower" | "upper" => Kind::Text,
            _ => Kind::of(&value),
        };
        if Kind::of(&value) != needed {
            return Err(mistake::unfit_test(
                &shown(self.text, expr),
                self.example(&value),
                &value,
                name,
                needed,
            ));
        }
        if self.typical {
            return Ok(None);
        }
        let all: Vec<Value> = std::iter::once(value).chain(arguments).collect();
        Ok(Some(self.state.perform_test(name, &all)?))
    }

    pub(super) fn called(
        &mut self,
        call: &Call<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        let Expr::Var(function) = &call.expr else {
            return Ok(None);
        };
        let (Some(arguments), Some(function)) = (
            self.arguments(&call.args, cell)?,
            self.state.lookup(function.id),
        ) else {
            return Ok(None);
        };
        Ok(Some(function.call(&mut self.state, &arguments)?))
    }

    /// Arguments, all of which have values, or nothing.
    pub(super) fn arguments(
        &mut self,
        arguments: &[CallArg<'_>],
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Vec<Value>>, Wrong> {
        let mut values = Vec::new();
        let mut named = Vec::new();
        for argument in arguments {
            let (name, expr) = match argument {
                CallArg::Pos(expr) => (None, expr),
                CallArg::Kwarg(name, expr) => (Some(*name), expr),
                CallArg::PosSplat(_) | CallArg::KwargSplat(_) => {
                    return Err(Wrong::Failed(
                        "arguments cannot be given with `*` here".to_owned(),
                    ));
                }
            };
            let Some(value) = self.value(expr, cell)? else {
                return Ok(None);
            };
            match name {
                Some(name) => named.push((name, value)),
                None => values.push(value),
            }
        }
        if !named.is_empty() {
            values.push(named.into_iter().collect::<Kwargs>().into());
        }
        Ok(Some(values))
    }
}
