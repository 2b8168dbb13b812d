//! A figure in words: what each mark says, what is counted under the figure, and what it shows as a whole.
//!
//! It only counts and words. Nothing that is missing goes unmentioned because it is small.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::arrange::{Arranged, Item};
use super::form::Form;
use super::plane;
use super::row::{Row, Style};
use super::say;
use super::spread::Spread;
use super::text;
use super::words::{counted, place, prefixed, shown, unscored_rows};
use crate::base::wording::{count, count_of};
use crate::output::report::account;
use crate::output::report::footnote::{self, PARTIAL, UNDEFINED};
use crate::output::report::lack;
use crate::output::report::legend;
use crate::stats::statistic::{is_of_spread, is_p_value};

/// What whiskers are called that are intervals of confidence.
pub(crate) const CONFIDENCE: &str = "confidence intervals";

/// What one mark is called.
fn noun(style: &Style) -> (&'static str, &'static str) {
    let several = !style.series.is_empty();
    match style.form {
        Form::Scatter | Form::BlandAltman if several => ("series", "series"),
        Form::Ecdf | Form::Density => ("line", "lines"),
        Form::Reliability => ("bin", "bins"),
        Form::Bars | Form::Stacked => ("bar", "bars"),
        Form::Points | Form::Lines => ("point", "points"),
        Form::Intervals => ("interval", "intervals"),
        Form::Heatmap => ("field", "fields"),
        Form::Violins => ("violin", "violins"),
        Form::Histogram | Form::Scatter | Form::BlandAltman | Form::Confusion => {
            ("panel", "panels")
        }
    }
}

/// What a mark says to whoever points at it.
pub(super) fn of_item(style: &Style, item: &Item<'_>) -> String {
    let row = item.row;
    if style.form.is_of_pairs() {
        return say::pair(style, item);
    }
    let heading = style.heading(&style.value);
    let said = match (row.value, item.interval()) {
        (None, _) => format!(
            "no value: {}",
            text::clean(row.why.as_deref().unwrap_or("not known"))
        ),
        (Some(value), Some((low, high))) if style.form == Form::Histogram => {
            return format!(
                "{}{} up to, not including, {}: {}",
                prefixed(&place(style, row)),
                shown(style, low),
                shown(style, high),
                count(value, "value")
            );
        }
        (Some(value), Some((low, high))) => format!(
            "{heading} {}, from {} to {}",
            shown(style, value),
            shown(style, low),
            shown(style, high)
        ),
        (Some(value), None) => format!("{heading} {}", shown(style, value)),
    };
    let bound = row.bound.zip(row.value).map(|(bound, value)| {
        let not = if value.abs() <= bound { "not " } else { "" };
        format!(", {not}significant (bound {})", shown(style, bound))
    });
    let mut said = format!(
        "{}{said}{}{}",
        prefixed(&place(style, row)),
        bound.unwrap_or_default(),
        counted(row)
    );
    if is_partial(row) {
        let _ = write!(
            said,
            "; {PARTIAL} {}",
            text::clean(&lack::words(&row.lacks))
        );
    }
    if let Some(why) = &row.undefined {
        let _ = write!(said, "; {UNDEFINED} not defined: {}", text::clean(why));
    }
    said
}

/// Whether a row has a value that is made of fewer parts than others.
fn is_partial(row: &Row) -> bool {
    row.value.is_some() && !row.lacks.is_empty()
}

/// The signs that stand at a mark and lead to what is said of it under the figure.
pub(super) fn signs(row: &Row) -> String {
    let partial = is_partial(row).then_some(PARTIAL);
    let undefined = row.undefined.as_ref().map(|_| UNDEFINED);
    [partial, undefined].into_iter().flatten().collect()
}

/// What the signs at marks lead to.
fn footnotes(style: &Style, arranged: &Arranged<'_>) -> String {
    let rows = || arranged.items().map(|item| item.row);
    let lacks = rows()
        .filter(|row| is_partial(row))
        .flat_map(|row| row.lacks.iter().map(|lack| (place(style, row), lack)));
    let undefined = rows().filter_map(|row| Some((row.undefined.as_deref()?, place(style, row))));
    let mut notes = footnote::marked_alike(PARTIAL, lack::told(lacks));
    notes.extend(footnote::undefined(undefined));
    let said = notes
        .iter()
        .map(|note| format!(" {} {}.", note.mark, text::clean(&note.text)));
    said.collect()
}

/// What a violin says.
pub(super) fn of_spread(style: &Style, spread: &Spread<'_>) -> String {
    let place = prefixed(&place(style, spread.first.row));
    match &spread.curve {
        None => format!(
            "{place}no value: {}",
            text::clean(spread.first.row.why.as_deref().unwrap_or("not known"))
        ),
        Some(curve) => {
            let [first, median, third] = curve.quartiles.map(|value| shown(style, value));
            let n = account::counted(curve.n, spread.first.row.unit.as_deref());
            let width = curve.width.filter(|_| style.form == Form::Density);
            let width = width.map(|width| format!(", bandwidth {}", say::short(width)));
            format!(
                "{place}median {median}, quartiles {first} and {third}{} (n = {n})",
                width.unwrap_or_default()
            )
        }
    }
}

/// What stands under the figure: how many scores are behind each mark, what is missing, what whiskers are.
pub(super) fn account(style: &Style, arranged: &Arranged<'_>) -> String {
    let (one, many) = noun(style);
    let rows = || arranged.items().map(|item| item.row);
    let mut lines = Vec::new();
    let behind = behind(style, arranged);
    // Pairs are counted by their marks, not by the lines through them.
    let counted = |row: &&Row| !style.form.is_of_pairs() || (row.value.is_some() && !row.reference);
    let units: BTreeSet<Option<&str>> = rows()
        .filter(counted)
        .map(|row| row.unit.as_deref())
        .collect();
    let unit = units
        .first()
        .copied()
        .flatten()
        .filter(|_| units.len() == 1);
    match (behind.iter().min(), behind.iter().max()) {
        (Some(least), Some(most)) if least == most => {
            lines.push(format!("n = {} per {one}", account::counted(*least, unit)));
        }
        (Some(least), Some(most)) => {
            lines.push(format!(
                "n = {least} to {} per {one}",
                account::counted(*most, unit)
            ));
        }
        _ => {}
    }
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for (reason, times) in rows().flat_map(|row| &row.reasons) {
        *reasons.entry(reason).or_default() += times;
    }
    let mut reasons: Vec<(&str, u64)> = reasons
        .into_iter()
        .filter(|(_, times)| *times > 0)
        .collect();
    reasons.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    let unscored: u64 = rows().map(|row| row.unscored).sum();
    lines.push(match (unscored, reasons.as_slice()) {
        (0, _) => "no rows unscored".to_owned(),
        (n, []) => unscored_rows(n),
        (n, reasons) => {
            let named: Vec<String> = reasons
                .iter()
                .map(|(reason, times)| format!("{} {times}", style.reason(reason)))
                .collect();
            format!(
                "{} ({}), summed over {many}",
                unscored_rows(n),
                named.join(", ")
            )
        }
    });
    let dropped: u64 = rows().map(|row| row.dropped).sum();
    if dropped > 0 {
        lines.push(format!("{} dropped", count(dropped, "incomplete pair")));
    }
    lines.extend(without(style, arranged));
    let mut said = format!("{}.{}", lines.join("; "), footnotes(style, arranged));
    if let Some(repeated) = account::repeated(rows().map(|row| row.repeats).max().unwrap_or(0)) {
        let _ = write!(said, " {repeated}");
    }
    if let Some(whiskers) = whiskers(style, arranged) {
        let what = if style.numeric && style.form == Form::Lines {
            "Shades"
        } else {
            "Whiskers"
        };
        let _ = write!(said, " {what}: {whiskers}.");
    }
    for line in computed(style, arranged) {
        let _ = write!(said, " {line}.");
    }
    said + &say::of_form(style, arranged)
}

/// How many marks have no value.
fn without(style: &Style, arranged: &Arranged<'_>) -> Option<String> {
    let absent = absent(style, arranged);
    let (one, many) = match style.form {
        // They are in no bin, and were counted as unscored.
        Form::Reliability => return None,
        Form::Scatter | Form::BlandAltman => ("row", "rows"),
        _ => noun(style),
    };
    (absent > 0).then(|| format!("{} without a value", count_of(absent, one, many)))
}

/// What whiskers are, where there are any; of intervals of confidence with their level.
fn whiskers(style: &Style, arranged: &Arranged<'_>) -> Option<String> {
    let with = arranged.items().map(|item| item.row);
    let with: Vec<&Row> = with.filter(|row| row.low.is_some()).collect();
    let whiskers = text::clean(style.whiskers.as_ref().filter(|_| !with.is_empty())?);
    if whiskers != CONFIDENCE {
        return Some(whiskers);
    }
    let levels = with
        .iter()
        .filter_map(|row| Some(legend::percent(row.how.as_ref()?.level)));
    let levels: BTreeSet<String> = levels.collect();
    let levels: Vec<String> = levels.into_iter().collect();
    Some(
        format!("{} {whiskers}", levels.join(" and "))
            .trim_start()
            .to_owned(),
    )
}

/// How values were computed, where that is not as usual.
fn computed(style: &Style, arranged: &Arranged<'_>) -> Vec<String> {
    let how = || arranged.items().filter_map(|item| item.row.how.as_ref());
    let shows_p = is_p_value(&style.value);
    let sides = how().filter(|_| shows_p).filter_map(legend::one_sided);
    let spread = is_of_spread(&style.value) || style.whiskers.is_some();
    let over_n = how().filter(|how| spread && how.ddof == Some(0));
    let mut said: Vec<String> = sides
        .chain(over_n.map(|_| legend::OVER_N.to_owned()))
        .collect();
    said.dedup();
    said
}

/// How many scores are behind each mark.
fn behind(style: &Style, arranged: &Arranged<'_>) -> Vec<u64> {
    let single =
        style.form.has_intervals() || matches!(style.form, Form::Heatmap | Form::Reliability);
    if single {
        let with = arranged.items().filter(|item| item.row.value.is_some());
        return with.filter_map(|item| item.row.n).collect();
    }
    let mut sums: BTreeMap<(usize, usize, usize), u64> = BTreeMap::new();
    for (index, panel) in arranged.panels.iter().enumerate() {
        for item in panel.items.iter().filter(|item| item.row.value.is_some()) {
            let place = match style.form {
                Form::Scatter | Form::BlandAltman
                    if plane::is_line(style, item) || plane::is_absent(style, item) =>
                {
                    continue;
                }
                Form::Confusion => (index, 0, 0),
                Form::Stacked => (index, item.position, 0),
                _ => (index, item.position, item.series),
            };
            *sums.entry(place).or_default() += item.row.n.unwrap_or(0);
        }
    }
    sums.into_values().collect()
}

/// How many marks have no value; of pairs, how many rows stand nowhere on one of the axes.
pub(super) fn absent(style: &Style, arranged: &Arranged<'_>) -> u64 {
    if style.form.is_of_labels() {
        return 0;
    }
    if matches!(style.form, Form::Scatter | Form::BlandAltman) {
        let crosses = arranged
            .items()
            .filter(|item| plane::is_absent(style, item));
        return crosses.map(|item| say::rows_of(item.row)).sum();
    }
    if !style.form.is_distribution() {
        let absent = arranged.items().filter(|item| {
            item.row.value.is_none() || (style.numeric && plane::is_absent(style, item))
        });
        return absent.count() as u64;
    }
    let mut seen: BTreeMap<(usize, usize, usize), bool> = BTreeMap::new();
    for (index, panel) in arranged.panels.iter().enumerate() {
        for item in &panel.items {
            let any = seen.entry((index, item.position, item.series)).or_default();
            *any |= item.row.value.is_some();
        }
    }
    seen.into_values().filter(|any| !any).count() as u64
}

/// The figure in a sentence, for those who do not see it.
pub(super) fn description(style: &Style, arranged: &Arranged<'_>) -> String {
    let what = match style.form {
        Form::Bars => "Bars",
        Form::Points => "Points",
        Form::Lines => "Lines",
        Form::Intervals => "Intervals",
        Form::Heatmap => "A heatmap",
        Form::Violins => "Distributions",
        Form::Histogram => "A histogram",
        Form::Scatter => "A scatter plot",
        Form::BlandAltman => "Differences against means",
        Form::Confusion => "A confusion matrix",
        Form::Stacked => "Stacked shares",
        Form::Ecdf => "Shares of values up to each number",
        Form::Density => "Densities",
        Form::Reliability => "Observed against predicted shares",
    };
    let fields = [style.headings_of(&style.x), style.headings_of(&style.y)];
    let fields: Vec<String> = fields
        .into_iter()
        .filter(|field| !field.is_empty())
        .collect();
    let of = match style.form {
        Form::Stacked => style.headings_of(&style.series),
        Form::Confusion => "rows".to_owned(),
        _ => style.heading(&style.value),
    };
    let mut text = format!("{what} of {of}");
    if !fields.is_empty() {
        let _ = write!(text, " by {}", fields.join(" and "));
    }
    if !style.series.is_empty() && style.form != Form::Stacked {
        let fields = style.headings_of(&style.series);
        let _ = write!(text, ", {} series by {fields}", arranged.series.len());
    }
    if !style.panels.is_empty() {
        let panels = count(arranged.panels.len(), "panel");
        let _ = write!(text, ", {panels} by {}", style.headings_of(&style.panels));
    }
    let values = || {
        let rows = arranged.items().map(|item| item.row);
        let rows = rows.filter(|row| !(style.form.is_of_pairs() && row.reference));
        rows.flat_map(|row| {
            let ends = [row.low, row.high];
            if style.form == Form::Histogram {
                ends
            } else {
                [row.value, None]
            }
        })
        .flatten()
    };
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low <= high && !style.form.is_of_labels() {
        let _ = write!(
            text,
            "; values from {} to {}",
            shown(style, low),
            shown(style, high)
        );
    }
    if let Some(without) = without(style, arranged) {
        let _ = write!(text, "; {without}");
    }
    text.push('.');
    text
}
