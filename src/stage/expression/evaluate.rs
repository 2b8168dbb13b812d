//! The value of a condition for one row.
//!
//! Values of different kinds are never compared, added or taken for true or false: that is refused, wherever in the
//! condition it stands, also behind an `and` that is decided already. What has no value makes what is asked of it
//! undecided, as in SQL, unless the rest decides.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use minijinja::machinery::ast::{
    BinOpKind, Call, CallArg, Compare, Expr, IfExpr, Slice, UnaryOpKind,
};
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, State};

use super::kinds::{self, Comparison, Connective, Kind, is_there, shown};
use super::mistake::{self, Wrong};
use super::walk;

/// What stands in a column.
pub(super) enum Cell {
    /// A value.
    Value(Value),
    /// None.
    Absent,
    /// What stands there is not known yet.
    Unknown,
}

/// An expression beside its value.
type Side<'a, 's> = (&'a Expr<'s>, &'a Value);

/// Evaluates the expressions of one condition.
pub(super) struct Evaluator<'e> {
    /// The condition.
    text: &'e str,
    environment: &'e Environment<'static>,
    state: State<'e, 'e>,
    /// What is left to minijinja, by how it is written; compiled when it is first needed.
    operations: BTreeMap<&'static str, minijinja::Expression<'e, 'e>>,
    /// Whether no row is looked at: values are typical ones then, and are not shown.
    typical: bool,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(text: &'e str, environment: &'e Environment<'static>, typical: bool) -> Self {
        Self {
            text,
            environment,
            state: environment.empty_state(),
            operations: BTreeMap::new(),
            typical,
        }
    }

    /// Whether a condition holds; nothing where that is undecided.
    pub(super) fn truth(
        &mut self,
        expr: &Expr<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<bool>, Wrong> {
        let Some(value) = self.value(expr, cell)? else {
            return Ok(None);
        };
        if Kind::of(&value) == Kind::Truth {
            return Ok(Some(value.is_true()));
        }
        Err(mistake::no_condition(
            &shown(self.text, expr),
            self.example(&value),
            &value,
        ))
    }

    /// The value of an expression, if it has one.
    fn value(
        &mut self,
        expr: &Expr<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        if let Some(name) = walk::column(expr) {
            return Ok(match cell(name) {
                Cell::Value(value) => Some(value).filter(is_value),
                Cell::Absent | Cell::Unknown => None,
            });
        }
        let found = match expr {
            Expr::Var(_) => None,
            Expr::Const(constant) => Some(constant.value.clone()),
            Expr::UnaryOp(op) if matches!(op.op, UnaryOpKind::Not) => {
                self.truth(&op.expr, cell)?.map(|truth| Value::from(!truth))
            }
            Expr::UnaryOp(op) => match self.number(&op.expr, "-", cell)? {
                Some(number) => Some(self.operate("-a", [number])?),
                None => None,
            },
            Expr::BinOp(op) => match (kinds::connective(expr), kinds::comparison(op.op)) {
                (Some(connective), _) => self.joined(expr, connective, cell)?.map(Value::from),
                (None, Some(comparison)) => {
                    let values = [self.value(&op.left, cell)?, self.value(&op.right, cell)?];
                    let [Some(left), Some(right)] = values else {
                        return Ok(None);
                    };
                    self.compare(comparison, (&op.left, &left), (&op.right, &right))?
                        .map(Value::from)
                }
                (None, None) => self.computed(op.op, (&op.left, &op.right), cell)?,
            },
            Expr::Compare(compare) => self.chain(compare, cell)?.map(Value::from),
            Expr::IfExpr(choice) => self.chosen(choice, cell)?,
            Expr::Filter(filter) => {
                let base = filter
                    .expr
                    .as_ref()
                    .map(|base| self.value(base, cell))
                    .transpose()?
                    .flatten();
                let arguments = self.arguments(&filter.args, cell)?;
                self.filtered(filter.name, base, arguments)?
            }
            Expr::Test(test) => self
                .tested(test.name, &test.expr, &test.args, cell)?
                .map(Value::from),
            Expr::GetAttr(attr) => match self.value(&attr.expr, cell)? {
                Some(value) => Some(value.get_attr(attr.name)?),
                None => None,
            },
            Expr::GetItem(item) => {
                let values = [
                    self.value(&item.expr, cell)?,
                    self.value(&item.subscript_expr, cell)?,
                ];
                match values {
                    [Some(value), Some(at)] => Some(self.operate("a[b]", [value, at])?),
                    _ => None,
                }
            }
            Expr::Slice(slice) => self.sliced(slice, cell)?,
            Expr::Call(call) => self.called(call, cell)?,
            Expr::List(list) => Some(Value::from(self.items(&list.items, cell)?)),
            Expr::Tuple(tuple) => Some(Value::from(self.items(&tuple.items, cell)?)),
            Expr::Map(map) => {
                let (keys, values) = (self.items(&map.keys, cell)?, self.items(&map.values, cell)?);
                let keys = keys.iter().map(ToString::to_string);
                Some(Value::from_pairs(keys.zip(values)))
            }
        };
        Ok(found.filter(is_value))
    }

    /// Comparisons in a row, such as `1 <= score < 3`.
    fn chain(
        &mut self,
        compare: &Compare<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<bool>, Wrong> {
        let mut left = (&compare.expr, self.value(&compare.expr, cell)?);
        let mut holds = Some(true);
        for op in &compare.ops {
            let right = (&op.expr, self.value(&op.expr, cell)?);
            let here = match (&left.1, &right.1) {
                (Some(one), Some(other)) => {
                    self.compare(op.op.into(), (left.0, one), (right.0, other))?
                }
                _ => None,
            };
            holds = match (holds, here) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            left = right;
        }
        Ok(holds)
    }

    /// A part of a text or list.
    fn sliced(
        &mut self,
        slice: &Slice<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        let mut parts = [Value::from(()), Value::from(()), Value::from(())];
        for (part, expr) in parts
            .iter_mut()
            .zip([&slice.start, &slice.stop, &slice.step])
        {
            if let Some(expr) = expr {
                let Some(value) = self.value(expr, cell)? else {
                    return Ok(None);
                };
                *part = value;
            }
        }
        let [start, stop, step] = parts;
        match self.value(&slice.expr, cell)? {
            Some(value) => Ok(Some(self.operate("a[b:c:d]", [value, start, stop, step])?)),
            None => Ok(None),
        }
    }

    /// Conditions joined by `and` or `or`. All of them are looked at, so that a mistake is found in any; other errors
    /// count only as long as nothing is decided.
    fn joined(
        &mut self,
        expr: &Expr<'_>,
        connective: Connective,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<bool>, Wrong> {
        let mut sides = Vec::new();
        let mut at = expr;
        while let Expr::BinOp(op) = at
            && kinds::connective(at) == Some(connective)
        {
            sides.push(&op.right);
            at = &op.left;
        }
        sides.push(at);
        let decides = connective == Connective::Or;
        let mut so_far = Some(!decides);
        for side in sides.into_iter().rev() {
            match self.truth(side, cell) {
                Err(Wrong::Failed(_)) if so_far == Some(decides) => {}
                Err(wrong) => return Err(wrong),
                Ok(Some(truth)) if truth == decides => so_far = Some(decides),
                Ok(None) if so_far != Some(decides) => so_far = None,
                Ok(_) => {}
            }
        }
        Ok(so_far)
    }

    /// `a if c else b`, of which both sides are looked at for mistakes.
    fn chosen(
        &mut self,
        choice: &IfExpr<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        let truth = self.truth(&choice.test_expr, cell)?;
        let yes = self.value(&choice.true_expr, cell);
        let no = choice
            .false_expr
            .as_ref()
            .map_or(Ok(None), |expr| self.value(expr, cell));
        match (truth, yes, no) {
            (_, Err(wrong @ Wrong::Mixed { .. }), _) | (_, _, Err(wrong @ Wrong::Mixed { .. })) => {
                Err(wrong)
            }
            (Some(true), yes, _) => yes,
            (Some(false), _, no) => no,
            // Nothing is known of the choice, but its kind may be.
            (None, yes, _) => Ok(yes?.filter(|_| self.typical)),
        }
    }

    fn compare(
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
    fn example(&self, value: &Value) -> Option<String> {
        (!self.typical).then(|| value.to_string())
    }

    /// Arithmetic, and texts that are joined.
    fn computed(
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
            [Some(left), Some(right)] => self.operate(operation, [left, right]).map(Some),
            // Whatever is computed is of one kind.
            _ if self.typical && operation == "a ~ b" => Ok(Some(Value::from("text"))),
            _ if self.typical => Ok(Some(Value::from(1))),
            _ => Ok(None),
        }
    }

    /// A side of an arithmetic operation.
    fn number(
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

    fn operate<const N: usize>(
        &mut self,
        operation: &'static str,
        values: [Value; N],
    ) -> Result<Value, Wrong> {
        let names = ["a", "b", "c", "d"];
        let values = Value::from_pairs(names.into_iter().zip(values));
        let compiled = match self.operations.entry(operation) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.environment.compile_expression(operation)?),
        };
        Ok(compiled.eval(values)?)
    }

    fn filtered(
        &mut self,
        name: &str,
        base: Option<Value>,
        arguments: Option<Vec<Value>>,
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
        let all: Vec<Value> = std::iter::once(base).chain(arguments).collect();
        Ok(Some(self.state.apply_filter(name, &all)?))
    }

    fn tested(
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

    fn called(
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

    /// The elements of a list; those without a value stay in it as such.
    fn items(
        &mut self,
        items: &[Expr<'_>],
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Vec<Value>, Wrong> {
        let values = items
            .iter()
            .map(|item| Ok(self.value(item, cell)?.unwrap_or_else(|| Value::from(()))));
        values.collect()
    }

    /// Arguments, all of which have values, or nothing.
    fn arguments(
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

/// Whether a result is a value: nothing is none, and neither is a number that is not finite.
fn is_value(value: &Value) -> bool {
    let finite = Kind::of(value) != Kind::Number
        || f64::try_from(value.clone()).map_or(true, f64::is_finite);
    is_there(value) && finite
}
