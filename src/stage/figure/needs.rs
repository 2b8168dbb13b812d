//! What each type of figure needs, what it has no place for, and which keys change nothing in it.

use super::part::Common;
use super::raw::RawFigure;
use crate::base::wording::list_of;
use crate::output::chart::Form;
use crate::stage::check::Context;
use crate::toml::{OneOrMany, Problems};

/// A figure that is checked.
struct Checked<'c> {
    context: &'c Context<'c>,
    at: &'c [String],
    raw: &'c RawFigure,
    form: Form,
}

/// Checks which keys a figure of this type has.
pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawFigure,
    form: Form,
    fields: &Common,
    problems: &mut Problems,
) {
    let checked = Checked {
        context,
        at,
        raw,
        form,
    };
    checked.missing(problems);
    checked.homeless(problems);
    checked.several(fields, problems);
    checked.twice(fields, problems);
    checked.idle(problems);
}

impl Checked<'_> {
    fn path(&self, key: &str) -> Vec<String> {
        [self.at, &[key.to_owned()]].concat()
    }

    fn refuse(
        &self,
        (key, label): (&str, &str),
        message: String,
        help: &str,
        problems: &mut Problems,
    ) {
        self.context
            .problem("spec::bad-figure", message, &self.path(key), label)
            .help(help)
            .tell(problems);
    }

    /// Keys that this type of figure has to have.
    fn missing(&self, problems: &mut Problems) {
        let needs: &[(&str, &str)] = match self.form {
            Form::Heatmap => &[
                (
                    "x",
                    "name the fields along the horizontal axis: `x = \"length\"`",
                ),
                (
                    "y",
                    "name the fields along the vertical axis: `y = \"task\"`",
                ),
            ],
            Form::Scatter | Form::BlandAltman => &[
                (
                    "x",
                    "name the column with the first number of each pair: `x = \"human\"`",
                ),
                (
                    "y",
                    "name the column with the second number of each pair: `y = \"score\"`",
                ),
            ],
            Form::Reliability => &[
                (
                    "x",
                    "name the column with the predicted share, from 0 to 1: `x = \"confidence\"`",
                ),
                (
                    "y",
                    "name the column with what came true, true or false: `y = \"right\"`",
                ),
            ],
            Form::Confusion => &[
                (
                    "x",
                    "name the column whose labels stand side by side: `x = \"label\"`",
                ),
                (
                    "y",
                    "name the column whose labels stand one below the other: `y = \"human\"`",
                ),
            ],
            Form::Lines => &[("x", "name the field along which lines go: `x = \"length\"`")],
            Form::Histogram | Form::Ecdf | Form::Density => &[],
            Form::Stacked | Form::Bars | Form::Points | Form::Intervals | Form::Violins => {
                let lies = self.raw.y.is_some() || self.context.is_written(self.at, "y");
                if lies {
                    &[]
                } else {
                    &[(
                        "x",
                        "name the field along the horizontal axis, `x = \"task\"`, or along the vertical one, `y = \"task\"`",
                    )]
                }
            }
        };
        let classes: &[(&str, &str)] = &[(
            "series",
            "name the column whose labels are stacked: `series = \"label\"`",
        )];
        let classes = classes.iter().filter(|_| self.form == Form::Stacked);
        for (key, help) in needs.iter().chain(classes) {
            if !self.context.is_written(self.at, key) {
                self.context
                    .missing(self.at, key)
                    .help(*help)
                    .tell(problems);
            }
        }
    }

    /// Fields that have no place in this type of figure.
    fn homeless(&self, problems: &mut Problems) {
        let raw = self.raw;
        let name = self.form.name();
        match self.form {
            Form::Heatmap if raw.series.is_some() => self.refuse(
                ("series", "cannot be shown"),
                "a heatmap has no series: its colours are values".to_owned(),
                "put the field into `x`, `y` or `panels`",
                problems,
            ),
            Form::Confusion if raw.series.is_some() => self.refuse(
                ("series", "cannot be shown"),
                "a confusion matrix has no series: its colours are shares".to_owned(),
                "put the field into `panels`",
                problems,
            ),
            form if form.lies_along_values() => {
                let named = match form {
                    Form::Histogram => "a histogram has its values",
                    Form::Ecdf => "`ecdf` has its values",
                    _ => "a density has its values",
                };
                for (key, _) in [("x", &raw.x), ("y", &raw.y)]
                    .into_iter()
                    .filter(|(_, given)| given.is_some())
                {
                    self.refuse(
                        (key, "cannot be shown"),
                        format!("{named} along the horizontal axis and no place for `{key}`"),
                        "name the column that is counted with `value`; tell its rows apart with `panels` or `series`",
                        problems,
                    );
                }
            }
            Form::Lines if raw.y.is_some() => self.refuse(
                ("y", "cannot be shown"),
                "lines need `x`: they go from left to right".to_owned(),
                "name the field with `x`",
                problems,
            ),
            form if form.is_of_pairs() && raw.value.is_some() => self.refuse(
                ("value", "beside `y`"),
                format!("the values of `{name}` are those of `y`"),
                "name the column with `y`, and leave `value` out",
                problems,
            ),
            form if form.is_of_labels() && raw.value.is_some() => self.refuse(
                ("value", "not read"),
                format!("`{name}` counts rows by their labels and reads no value"),
                "remove it; the labels are those of the columns in `x`, `y` and `series`",
                problems,
            ),
            Form::Heatmap
            | Form::Lines
            | Form::Confusion
            | Form::Scatter
            | Form::BlandAltman
            | Form::Reliability => {}
            Form::Stacked if raw.x.is_some() && raw.y.is_some() => self.refuse(
                ("y", "also `x`"),
                "bars stand along `x` or lie along `y`, not both".to_owned(),
                "put one of them into `panels`",
                problems,
            ),
            _ if raw.x.is_some() && raw.y.is_some() => self.refuse(
                ("y", "also `x`"),
                format!(
                    "`{name}` have one axis for values, so one of `x` and `y` is left for a field"
                ),
                "write `type = \"heatmap\"`, or put one of them into `panels` or `series`",
                problems,
            ),
            _ => {}
        }
        if raw.numeric == Some(true) && raw.y.is_some() && self.form.has_intervals() {
            self.refuse(
                ("numeric", "without `x`"),
                "numbers go from left to right, and there is no `x`".to_owned(),
                "name the column of numbers with `x`",
                problems,
            );
        }
    }

    /// No key names more columns than it has room for.
    fn several(&self, fields: &Common, problems: &mut Problems) {
        if fields.panels.len() > 2 {
            self.refuse(
                ("panels", "more than two"),
                format!(
                    "panels are arranged by at most two fields, and {} are named",
                    list_of(&fields.panels)
                ),
                "name one or two fields; put others into `x` or `series`",
                problems,
            );
        }
        let many = |names: &Option<OneOrMany<String>>| {
            names.as_ref().is_some_and(|names| names.0.len() != 1)
        };
        let pairs = self.form.is_of_pairs() || self.form == Form::Confusion;
        let numbers = pairs || self.raw.numeric == Some(true);
        let what = if self.form == Form::Confusion {
            "labels"
        } else {
            "numbers"
        };
        for (key, _) in [
            ("x", numbers && many(&self.raw.x)),
            ("y", pairs && many(&self.raw.y)),
        ]
        .into_iter()
        .filter(|(_, wrong)| *wrong)
        {
            self.refuse(
                (key, "not one column"),
                format!("`{key}` is one column of {what} here"),
                "name one column; tell rows apart with `panels`",
                problems,
            );
        }
    }

    /// No field has two places.
    fn twice(&self, fields: &Common, problems: &mut Problems) {
        let mut seen = std::collections::BTreeSet::new();
        let pair = self.raw.y.iter().flatten();
        let pair: Vec<&String> = pair.filter(|_| self.form.is_of_pairs()).collect();
        let named = fields
            .named()
            .into_iter()
            .flat_map(|(key, names)| names.iter().map(move |name| (key, name)));
        for (key, name) in named.chain(pair.into_iter().map(|name| ("y", name))) {
            if !seen.insert(name) {
                self.context
                    .problem(
                        "spec::bad-figure",
                        format!("`{name}` is shown twice"),
                        &self.context.element(&self.path(key), name),
                        "already shown",
                    )
                    .help("leave it out of one of the two")
                    .tell(problems);
            }
        }
    }

    /// Keys that change nothing in a figure of this type.
    fn idle(&self, problems: &mut Problems) {
        let (raw, form) = (self.raw, self.form);
        let marks = form.has_intervals();
        // Figures whose axis of values has a place for a line or a band.
        let across = marks
            || matches!(
                form,
                Form::Violins | Form::Scatter | Form::BlandAltman | Form::Ecdf | Form::Density
            );
        let numeric = matches!(form, Form::Points | Form::Lines | Form::Intervals);
        let alike = form == Form::Scatter || (numeric && raw.numeric == Some(true));
        let lying = marks && form != Form::Lines && raw.y.is_some();
        let given = [
            (
                "bins",
                raw.bins.is_some() && !matches!(form, Form::Histogram | Form::Reliability),
            ),
            ("low", raw.low.is_some() && !marks),
            ("high", raw.high.is_some() && !marks),
            ("error", raw.error.is_some() && !marks),
            (
                "nonsignificant",
                raw.nonsignificant.is_some() && (!marks || raw.numeric == Some(true)),
            ),
            ("reference", raw.reference.is_some() && !marks),
            ("line", raw.line.is_some() && !across),
            ("band", raw.band.is_some() && !across),
            (
                "range",
                raw.range.is_some() && !across && form != Form::Heatmap,
            ),
            ("numeric", raw.numeric.is_some() && !numeric),
            ("identity", raw.identity.is_some() && !alike),
            ("fit", raw.fit.is_some() && form != Form::Scatter),
            ("numbers", raw.numbers.is_some() && !lying),
            (
                "bandwidth",
                raw.bandwidth.is_some() && form != Form::Density,
            ),
        ];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let help = match key {
                "numbers" if marks && form != Form::Lines => {
                    "the columns stand beside marks that lie one below the other: name the field with `y`"
                }
                "nonsignificant" if marks => {
                    "its band goes from label to label: leave `numeric` out, or shade with `band = [-2, 2]`"
                }
                "identity" if numeric => "write `numeric = true` too",
                _ => "remove it, or write another `type`",
            };
            self.refuse(
                (key, "has no effect"),
                format!(
                    "`{key}` changes nothing in a figure of the type `{}`",
                    form.name()
                ),
                help,
                problems,
            );
        }
    }
}
