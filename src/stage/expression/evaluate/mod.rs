//! The value of an expression for one row.
//!
//! Values of different kinds are never compared, added or taken for true or false: that is refused, wherever in the
//! condition it stands, also behind an `and` that is decided already. What has no value makes what is asked of it
//! undecided, as in SQL, unless the rest decides; what was absent is noted, for whoever has to say why there is no value.

mod operate;

use std::collections::BTreeMap;

use minijinja::machinery::ast::{Compare, Expr, IfExpr, Slice, UnaryOpKind};
use minijinja::value::Value;
use minijinja::{Environment, State};

use super::aggregate;
use super::kinds::{self, Connective, Kind, is_there, shown};
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

/// Why a value is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    /// A column has none.
    Column(String),
    /// It cannot be computed.
    Why(String),
}

/// Why a result that no column can hold is absent.
pub(super) const TOO_LARGE: &str = "the number is too large";

/// An expression beside its value.
type Side<'a, 's> = (&'a Expr<'s>, &'a Value);

/// Evaluates the parts of one expression.
pub(super) struct Evaluator<'e> {
    /// The expression.
    pub(super) text: &'e str,
    environment: &'e Environment<'static>,
    pub(super) state: State<'e, 'e>,
    /// What is left to minijinja, by how it is written; compiled when it is first needed.
    operations: BTreeMap<&'static str, minijinja::Expression<'e, 'e>>,
    /// Whether no row is looked at: values are typical ones then, and are not shown.
    pub(super) typical: bool,
    /// What was absent on the way to a value that is absent itself.
    absent: Vec<Absent>,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(text: &'e str, environment: &'e Environment<'static>, typical: bool) -> Self {
        Self {
            text,
            environment,
            state: environment.empty_state(),
            operations: BTreeMap::new(),
            typical,
            absent: Vec::new(),
        }
    }

    /// What was absent since this was last asked.
    pub(super) fn noted(&mut self) -> Vec<Absent> {
        std::mem::take(&mut self.absent)
    }

    /// Notes why there is no value, unless something that was absent before, since `mark`, says so.
    pub(super) fn note(&mut self, mark: usize, why: &str) {
        if self.absent.len() == mark {
            self.absent.push(Absent::Why(why.to_owned()));
        }
    }

    /// Whether a column was absent since it was last asked what was.
    pub(super) fn lacks_column(&self) -> bool {
        let column = |absent: &Absent| matches!(absent, Absent::Column(_));
        self.absent.iter().any(column)
    }

    /// How much was noted.
    pub(super) fn mark(&self) -> usize {
        self.absent.len()
    }

    /// Forgets what was noted since: something is decided in spite of it.
    pub(super) fn forget(&mut self, mark: usize) {
        self.absent.truncate(mark);
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
    pub(super) fn value(
        &mut self,
        expr: &Expr<'_>,
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Option<Value>, Wrong> {
        if let Some(name) = walk::named_by(expr, self.text) {
            if self.typical
                && let Some(aggregate) = aggregate::called(expr)
            {
                return Ok(aggregate::typical(aggregate));
            }
            return Ok(match cell(&name) {
                Cell::Value(value) if is_value(&value) => Some(value),
                Cell::Unknown => None,
                Cell::Value(_) | Cell::Absent => {
                    self.absent.push(Absent::Column(name.into_owned()));
                    None
                }
            });
        }
        let mark = self.mark();
        let found = match expr {
            Expr::Var(_) => None,
            Expr::Const(constant) => Some(constant.value.clone()),
            Expr::UnaryOp(op) if matches!(op.op, UnaryOpKind::Not) => {
                self.truth(&op.expr, cell)?.map(|truth| Value::from(!truth))
            }
            Expr::UnaryOp(op) => match self.number(&op.expr, "-", cell)? {
                Some(number) => self.operate("-a", [number])?,
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
                self.filtered(filter.name, base, arguments, mark)?
            }
            Expr::Test(test) => self
                .tested(test.name, &test.expr, &test.args, cell)?
                .map(Value::from),
            Expr::GetAttr(attr) => match self.value(&attr.expr, cell)? {
                Some(value) => {
                    let part = value.get_attr(attr.name)?;
                    if !is_there(&part) {
                        self.note(mark, &format!("there is no `{}`", attr.name));
                    }
                    Some(part)
                }
                None => None,
            },
            Expr::GetItem(item) => {
                let values = [
                    self.value(&item.expr, cell)?,
                    self.value(&item.subscript_expr, cell)?,
                ];
                match values {
                    [Some(value), Some(at)] => self.operate("a[b]", [value, at])?,
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
        let found = found.filter(is_value);
        match &found {
            // What a list lacks may be the reason that nothing can be made of it.
            Some(_) if matches!(expr, Expr::List(_) | Expr::Tuple(_)) => {}
            Some(_) => self.forget(mark),
            None => self.note(mark, "there is none"),
        }
        Ok(found)
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
            // Nothing backwards is nothing, and a language that counts from its end fails.
            Some(value) if value.as_str() == Some("") => Ok(Some(value)),
            Some(value) => self.operate("a[b:c:d]", [value, start, stop, step]),
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
        let before = self.mark();
        let yes = self.value(&choice.true_expr, cell);
        let between = self.mark();
        let no = match &choice.false_expr {
            Some(expr) => self.value(expr, cell),
            None => {
                self.note(
                    between,
                    "the condition does not hold, and there is no `else`",
                );
                Ok(None)
            }
        };
        // What the other side lacks is no reason.
        match truth {
            Some(true) => self.forget(between),
            Some(false) => drop(self.absent.drain(before..between)),
            None => self.forget(before),
        }
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

    /// The elements of a list; those without a value stay in it as such.
    pub(super) fn items(
        &mut self,
        items: &[Expr<'_>],
        cell: &dyn Fn(&str) -> Cell,
    ) -> Result<Vec<Value>, Wrong> {
        let values = items
            .iter()
            .map(|item| Ok(self.value(item, cell)?.unwrap_or_else(|| Value::from(()))));
        values.collect()
    }
}

/// Whether a result is a value: nothing is none, and neither is a number that is not finite.
fn is_value(value: &Value) -> bool {
    let finite = Kind::of(value) != Kind::Number
        || f64::try_from(value.clone()).map_or(true, f64::is_finite);
    is_there(value) && finite
}
