//! What a figure shows of one stage: which column, between which ends, told apart by what.

use super::raw::{RawFigure, RawFigurePart};
use crate::base::wording::{list_of, nearest};
use crate::output::chart::Form;
use crate::stage::check::{Context, condition, part};
use crate::stage::check::{Known, RowShape};
use crate::stage::{Expression, FigurePart, Interval, Kind, RowsOf, StageName};
use crate::stats::statistic::{DF, ENDS};
use crate::toml::{Problem, Problems};

/// What all parts of a figure have in common: its fields, by where they stand, and which rows are shown.
pub(crate) struct Common {
    pub(crate) condition: Option<Expression>,
    pub(crate) panels: Vec<String>,
    pub(crate) x: Vec<String>,
    pub(crate) y: Vec<String>,
    pub(crate) series: Vec<String>,
    /// Whether `x` holds numbers.
    pub(crate) numeric: bool,
}

impl Common {
    /// The fields under their keys.
    pub(crate) fn named(&self) -> [(&'static str, &Vec<String>); 4] {
        [
            ("x", &self.x),
            ("y", &self.y),
            ("series", &self.series),
            ("panels", &self.panels),
        ]
    }

    fn all(&self) -> Vec<&String> {
        self.named()
            .into_iter()
            .flat_map(|(_, names)| names)
            .collect()
    }
}

/// Checks one part: `whole` is the figure it belongs to, whose keys hold for all parts.
pub(crate) fn check(
    context: &Context<'_>,
    (figure, at): (&[String], &[String]),
    (whole, raw): (&RawFigure, &RawFigurePart),
    fields: &Common,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<FigurePart> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let reader = StageName::new(Kind::Figure, &figure[1]);
    let (from, shape) = part::stage(
        context,
        &reader,
        (raw.from.as_ref(), at),
        known,
        "name the stage whose rows it shows: `from = \"...\"`",
        problems,
    )?;
    let own = at.len() > figure.len();
    // What a part does not say is said by the figure.
    let place = |key: &str| {
        let inner = path(key);
        if own && !context.is_written(at, key) {
            [figure, &[key.to_owned()]].concat()
        } else {
            inner
        }
    };
    let form = whole.form.unwrap_or_default();
    let value = if form.is_of_labels() {
        labels(raw, fields)?
    } else {
        let (key, named) = if form.is_of_pairs() {
            ("y", whole.y.iter().flatten().next())
        } else {
            ("value", whole.value.as_ref())
        };
        let named = named.map(|name| raw.rename.get(name).unwrap_or(name));
        let value = raw.value.as_ref().or(named);
        part::value(context, (at, &place(key)), value, (&from, shape), problems)?
    };
    let interval = interval(
        context,
        &place,
        (whole, raw, &value),
        (&from, shape),
        problems,
    );
    let shared = fields.condition.clone();
    let condition = if own {
        condition::read(
            context,
            &path("where"),
            raw.condition.as_deref(),
            Some(known.axes),
            problems,
        )
    } else {
        None
    };
    let condition = both(shared, condition);
    if from.kind.gives(RowsOf::Statistics) {
        of_statistics(context, (figure, at), raw, fields, (&from, shape), problems);
        if whole.nonsignificant.is_some() && !shape.statistics.iter().any(|name| name == DF) {
            context
                .problem(
                    "spec::bad-figure",
                    format!("`{from}` has no t values that could be significant"),
                    &[figure, &["nonsignificant".to_owned()]].concat(),
                    "no test is made",
                )
                .help("read statistics with `test = \"paired-t\"`, or shade with `band = [-2, 2]`")
                .tell(problems);
        }
    }
    names(context, at, (whole, raw), fields, problems);
    Some(FigurePart {
        from,
        value,
        interval,
        condition,
        rename: raw.rename.clone().into_iter().collect(),
        set: raw
            .set
            .iter()
            .map(|(field, value)| (field.clone(), value.to_string()))
            .collect(),
    })
}

/// The column whose labels are counted, and beside which stands why a row has none: that of the classes, or the first
/// of the labels that stand in rows.
fn labels(raw: &RawFigurePart, fields: &Common) -> Option<String> {
    let named = fields.series.iter().chain(&fields.x).chain(&fields.y);
    let all: Vec<&String> = named.collect();
    let of_rows = all.iter().find(|name| !raw.set.contains_key(**name));
    let name = of_rows.or(all.first())?;
    Some(raw.rename.get(*name).unwrap_or(name).clone())
}

/// What a part sets and renames has to be fields of the figure.
fn names(
    context: &Context<'_>,
    at: &[String],
    (whole, raw): (&RawFigure, &RawFigurePart),
    fields: &Common,
    problems: &mut Problems,
) {
    let set = raw.set.keys().map(|field| ("set", field));
    let named = set.chain(raw.rename.keys().map(|field| ("rename", field)));
    // The second number of a pair is no field, but may be called otherwise.
    let second = |key: &str, field: &String| {
        let pair = whole.form.is_some_and(Form::is_of_pairs);
        key == "rename" && pair && whole.y.iter().flatten().any(|name| name == field)
    };
    let named = named.filter(|(key, field)| !second(key, field));
    for (key, field) in named.filter(|(_, field)| !fields.all().contains(field)) {
        let place = [at, &[key.to_owned(), field.clone()]].concat();
        Problem::error(
            "spec::unknown-field",
            format!("`{field}` is not shown in this figure"),
        )
        .label_at(context.layers.place_of_key(&place), "sets nothing")
        .help(match nearest(field, &fields.all()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the fields are {}", list_of(&fields.all())),
        })
        .tell(problems);
    }
}

/// Both conditions together.
fn both(first: Option<Expression>, second: Option<Expression>) -> Option<Expression> {
    match (first, second) {
        (Some(first), Some(second)) => {
            Expression::parse(&format!("({}) and ({})", first.text(), second.text())).ok()
        }
        (first, second) => first.or(second),
    }
}

fn interval(
    context: &Context<'_>,
    place: &dyn Fn(&str) -> Vec<String>,
    (whole, raw, value): (&RawFigure, &RawFigurePart, &str),
    (from, shape): (&StageName, &RowShape),
    problems: &mut Problems,
) -> Option<Interval> {
    let form = whole.form.unwrap_or_default();
    // Intervals of what has none are refused as such.
    if !form.has_intervals() {
        return None;
    }
    let given = |own: &Option<String>, all: &Option<String>| own.clone().or_else(|| all.clone());
    let (mut low, mut high) = (given(&raw.low, &whole.low), given(&raw.high, &whole.high));
    let error = given(&raw.error, &whole.error);
    if let (Some(_), Some(_)) = (&error, low.as_ref().or(high.as_ref())) {
        context
            .problem(
                "spec::bad-figure",
                "an interval is given both by its ends and by its width".to_owned(),
                &place("error"),
                "together with `low` or `high`",
            )
            .help("write `low` and `high`, or `error`")
            .tell(problems);
        return None;
    }
    if form == Form::Intervals && error.is_none() && low.is_none() && high.is_none() {
        // Of a measure every column has ends of its own, or none.
        let ends = match shape
            .measure
            .filter(|_| from.kind.gives(RowsOf::Statistics))
        {
            Some(measure) if measure.column(value).is_some() => measure.ends_of(value),
            _ => Some(ENDS.map(str::to_owned)),
        };
        let Some(ends) = ends else {
            let message = format!("`{from}` gives no interval around `{value}`");
            context
                .problem("spec::bad-figure", message, &place("value"), "without ends")
                .help("name them, `low` and `high`, or show another column")
                .tell(problems);
            return None;
        };
        [low, high] = ends.map(Some);
    }
    let mut known = |key: &str, column: &String| {
        if from.kind.gives(RowsOf::Statistics) && !shape.statistics.contains(column) {
            problems.push(part::unknown_statistic(
                context,
                &place(key),
                column,
                from,
                &shape.statistics,
            ));
        }
    };
    for (key, column) in [("low", &low), ("high", &high), ("error", &error)] {
        if let Some(column) = column {
            known(key, column);
        }
    }
    match (low, high, error) {
        (Some(low), Some(high), _) => Some(Interval::Ends(low, high)),
        (None, None, Some(error)) => Some(Interval::Around(error)),
        (None, None, None) => None,
        (low, _, _) => {
            let (there, lacking) = if low.is_some() {
                ("low", "high")
            } else {
                ("high", "low")
            };
            context
                .problem(
                    "spec::bad-figure",
                    format!("an interval has two ends, and there is no `{lacking}`"),
                    &place(there),
                    "one end",
                )
                .help("name both, or one column with half its width: `error = \"se\"`")
                .tell(problems);
            None
        }
    }
}

/// Rows of statistics are told apart by known columns: fields must be among them.
fn of_statistics(
    context: &Context<'_>,
    (figure, at): (&[String], &[String]),
    raw: &RawFigurePart,
    fields: &Common,
    (from, shape): (&StageName, &RowShape),
    problems: &mut Problems,
) {
    for (key, names) in fields.named() {
        for field in names {
            let column = raw.rename.get(field).unwrap_or(field);
            let number = key == "x" && fields.numeric && shape.statistics.contains(column);
            let known = shape.groups.contains(column) || context.is_astray(column);
            if raw.set.contains_key(field) || known || number {
                continue;
            }
            let renamed = [at, &["rename".to_owned(), field.clone()]].concat();
            let place = if column == field {
                context.element(&[figure, &[key.to_owned()]].concat(), field)
            } else {
                renamed
            };
            problems.push(part::lacking(context, &place, column, (from, shape)));
        }
    }
}
