//! What figures of pairs, labels and lines say: of each mark, and of how they are read, under the figure.

use std::fmt::Write as _;

use super::arrange::{Arranged, Item};
use super::form::Form;
use super::row::{Row, Style};
use super::spread::{Spread, spreads};
use super::stack::{is_left_out, percent};
use super::text;
use super::words::{counted, exact, prefixed, shown};
use crate::base::wording::{count, list_of};
use crate::output::report::footnote::UNDEFINED;
use crate::output::report::number::fixed;

/// What a field of a confusion matrix says: the labels that meet in it, how often, and how many rows the line has.
pub(super) struct Field<'f> {
    pub(super) beside: &'f str,
    pub(super) below: &'f str,
    pub(super) n: u64,
    pub(super) of: u64,
}

/// How many rows stand behind a mark, with a value or without.
pub(super) fn rows_of(row: &Row) -> u64 {
    row.n.unwrap_or(0).max(row.unscored).max(1)
}

/// What the mark of a pair of numbers says, or a line through pairs.
pub(super) fn pair(style: &Style, item: &Item<'_>) -> String {
    let row = item.row;
    let place = [
        style.label(&style.panels, &row.panel),
        style.label(&style.series, &row.series),
    ];
    let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let place = prefixed(&place.join(" · "));
    let (first, second) = (style.headings_of(&style.x), style.heading(&style.value));
    if row.reference {
        return format!("{place}{}", line(style, row));
    }
    let x: Option<f64> = row.x.first().and_then(|x| x.parse().ok());
    let told = |name: &str, value: Option<f64>| match value {
        Some(value) => format!("{name} {}", exact(value)),
        None => format!("no {name}"),
    };
    let why = match (&row.why, row.value) {
        (Some(why), None) => format!(": {}", text::clean(why)),
        _ => String::new(),
    };
    let (first, second) = (told(&first, x), told(&second, row.value));
    let said = match (style.form, x, row.value) {
        (Form::Reliability, _, None) => format!("no value{why}"),
        (Form::Reliability, ..) => {
            let ends = row.low.zip(row.high).map(|(low, high)| {
                format!(", from {} to {}", shown(style, low), shown(style, high))
            });
            format!("{first} on average, {second}{}", ends.unwrap_or_default())
        }
        (Form::BlandAltman, Some(x), Some(value)) => format!(
            "{first}, {second}: mean {}, difference {}",
            exact(f64::midpoint(x, value)),
            exact(value - x)
        ),
        _ => format!("{first}, {second}{why}"),
    };
    format!("{place}{said}{}", counted(row))
}

/// What a line through pairs says.
fn line(style: &Style, row: &Row) -> String {
    let told = counted(row);
    let value = |value: Option<f64>| value.map(|value| shown(style, value));
    let undefined = row
        .undefined
        .as_ref()
        .map(|why| format!("; {UNDEFINED} not defined: {}", text::clean(why)));
    let undefined = undefined.unwrap_or_default();
    if style.form == Form::BlandAltman {
        let limits = row.low.zip(row.high).map(|(low, high)| {
            format!(
                ", limits of agreement {} to {}",
                shown(style, low),
                shown(style, high)
            )
        });
        let bias = value(row.value).unwrap_or_else(|| "not known".to_owned());
        return format!("bias {bias}{}{told}{undefined}", limits.unwrap_or_default());
    }
    let r = value(row.r).map_or_else(
        || "no r: all values are equal".to_owned(),
        |r| format!("r = {r}"),
    );
    format!("line of least squares, {r}{told}{undefined}")
}

/// What a stretch of a stacked bar says: its share of the `of` rows of the bar.
pub(super) fn stretch(style: &Style, class: &str, item: &Item<'_>, of: u64) -> String {
    let row = item.row;
    let place = [
        style.label(&style.panels, &row.panel),
        style.label(&style.y, &row.y),
        style.label(&style.x, &row.x),
        class.to_owned(),
    ];
    let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let why = row
        .why
        .as_ref()
        .map(|why| format!(": {}", text::clean(why)));
    format!(
        "{}{}{} of {}",
        prefixed(&place.join(" · ")),
        row.n.unwrap_or(0),
        row.value
            .map(|share| format!(" ({})", percent(share)))
            .unwrap_or_default(),
        count(of, "row")
    ) + &why.unwrap_or_default()
}

/// What a field of a confusion matrix says.
pub(super) fn field(style: &Style, item: &Item<'_>, field: &Field<'_>) -> String {
    let panel = prefixed(&style.label(&style.panels, &item.row.panel));
    let (beside, below) = (style.headings_of(&style.y), style.headings_of(&style.x));
    let share = (field.of > 0).then(|| percent(field.n as f64 / field.of as f64));
    let share = share.map(|share| format!(", {share} of {} in this row", field.of));
    format!(
        "{panel}{beside} {}, {below} {}: {}{}",
        text::clean(field.beside),
        text::clean(field.below),
        count(field.n, "row"),
        share.unwrap_or_default()
    )
}

/// How a figure is read, under it.
pub(super) fn of_form(style: &Style, arranged: &Arranged<'_>) -> String {
    match style.form {
        Form::Histogram => " A bin holds its lower end, not its upper end.".to_owned(),
        Form::Violins => {
            " Boxes reach from the first to the third quartile, strokes stand at medians."
                .to_owned()
        }
        Form::Scatter => scatter(style, arranged),
        Form::BlandAltman => lines(style, arranged, "Bias and limits of agreement (1.96 standard deviations)", |row| {
            let ends = row.low.zip(row.high).map(|(low, high)| {
                format!(" ({} to {})", shown(style, low), shown(style, high))
            });
            row.value.map(|value| shown(style, value) + &ends.unwrap_or_default())
        }),
        Form::Ecdf => " Marks stand at the quartiles.".to_owned(),
        Form::Density => density(style, arranged),
        Form::Reliability => {
            " Each mark stands at the mean of the predictions in its bin, which holds its lower end; numbers above are those of its values.".to_owned()
        }
        Form::Stacked => stacked(arranged),
        Form::Confusion => confusion(arranged),
        _ => String::new(),
    }
}

fn scatter(style: &Style, arranged: &Arranged<'_>) -> String {
    let mut said = String::new();
    let marks = || arranged.items().filter(|item| !item.row.reference);
    if marks().any(|item| item.row.n.is_some_and(|n| n > 1)) {
        said.push_str(" The area of a mark says how many values it stands for.");
    }
    if marks().next().is_some() {
        said.push_str(" Bars at the edges count values.");
    }
    said + &lines(style, arranged, "Line of least squares", |row| {
        row.r.map(|r| format!("r = {}", shown(style, r)))
    })
}

/// What is said of each line through pairs, where there are few.
fn lines(
    style: &Style,
    arranged: &Arranged<'_>,
    what: &str,
    says: impl Fn(&Row) -> Option<String>,
) -> String {
    let rows = arranged.items().map(|item| item.row);
    let mut all: Vec<String> = rows
        .filter(|row| row.reference)
        .filter_map(|row| {
            let place = [
                style.label(&style.panels, &row.panel),
                style.label(&style.series, &row.series),
            ];
            let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
            Some(prefixed(&place.join(" · ")) + &says(row)?)
        })
        .collect();
    all.dedup();
    match all.as_slice() {
        [] => String::new(),
        all if all.len() > 6 => format!(" {what}: as the lines say."),
        all => format!(" {what}: {}.", all.join("; ")),
    }
}

/// A width with three digits that say something.
pub(super) fn short(width: f64) -> String {
    let digits = 2 - width.abs().log10().floor() as i32;
    let shown = fixed(width, usize::try_from(digits.clamp(0, 12)).unwrap_or(0));
    if shown.contains('.') {
        shown.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        shown
    }
}

fn density(style: &Style, arranged: &Arranged<'_>) -> String {
    let panels = arranged.panels.iter();
    let mut widths: Vec<String> = Vec::new();
    for panel in panels {
        for spread in spreads(panel, style.bandwidth) {
            let Some(width) = spread.curve.and_then(|curve| curve.width) else {
                continue;
            };
            widths.push(short(width));
        }
    }
    let mut said = String::from(" Marks stand at the quartiles; lines end where values end.");
    let upright = |spread: &Spread<'_>| {
        let curve = spread.curve.as_ref();
        curve.is_some_and(|curve| curve.width.is_none())
    };
    let mut all = arranged
        .panels
        .iter()
        .flat_map(|panel| spreads(panel, style.bandwidth));
    if all.any(|spread| upright(&spread)) {
        said.push_str(" A line that stands upright is of values that are all one.");
    }
    let all_alike = widths.windows(2).all(|two| two[0] == two[1]);
    match widths.as_slice() {
        [] => {}
        [one, ..] if all_alike => {
            let _ = write!(said, " Gaussian kernel with a bandwidth of {one}.");
        }
        all if all.len() <= 8 => {
            let _ = write!(
                said,
                " Gaussian kernel with bandwidths of {}, in the order of the lines.",
                list_of(all).replace('`', "")
            );
        }
        _ => said.push_str(" Gaussian kernel; the lines say their bandwidths."),
    }
    said
}

fn stacked(arranged: &Arranged<'_>) -> String {
    let mut said = String::from(" Shares are of all rows of a bar");
    if arranged.absent.is_some() {
        said.push_str(", those without a value included");
    }
    said.push_str("; the numbers at the ends count them.");
    let left_out = arranged
        .items()
        .filter(|item| is_left_out(arranged, item.series));
    let rows: u64 = left_out.filter_map(|item| item.row.n).sum();
    if rows > 0 {
        let _ = write!(said, " {} counted and not drawn.", count(rows, "row"));
    }
    said
}

fn confusion(arranged: &Arranged<'_>) -> String {
    let (mut same, mut both) = (0, 0);
    for panel in &arranged.panels {
        for item in &panel.items {
            let labelled = [item.position, item.line]
                .iter()
                .all(|label| panel.absent != Some(*label));
            let n = item.row.n.unwrap_or(0);
            both += if labelled { n } else { 0 };
            same += if labelled && item.position == item.line {
                n
            } else {
                0
            };
        }
    }
    format!(
        " {same} of {} with both labels have the same one. Percentages and colours are shares of a row.",
        count(both, "row")
    )
}
