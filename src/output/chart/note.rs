//! A figure in words: what each mark says, what is counted under the figure, and what it shows as a whole.
//!
//! It only counts and words. Nothing that is missing goes unmentioned because it is small.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::arrange::{Arranged, Item};
use super::row::{Form, Row, Style};
use super::spread::Spread;
use super::text;
use crate::base::wording::{count, count_of};
use crate::output::report::account;
use crate::output::report::footnote::{self, PARTIAL, UNDEFINED};
use crate::output::report::lack;
use crate::output::report::legend;
use crate::output::report::number::{fixed, typeset};
use crate::stats::statistic::{is_of_spread, is_p_value};

/// What whiskers are called that are intervals of confidence.
pub(crate) const CONFIDENCE: &str = "confidence intervals";

/// What one mark is called.
fn noun(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Bars => ("bar", "bars"),
        Form::Points | Form::Lines => ("point", "points"),
        Form::Intervals => ("interval", "intervals"),
        Form::Heatmap => ("field", "fields"),
        Form::Violins => ("violin", "violins"),
        Form::Histogram => ("panel", "panels"),
    }
}

/// A number as people read it.
pub(super) fn shown(style: &Style, value: f64) -> String {
    typeset(&fixed(value, style.decimals.unwrap_or(decimals_for(value))))
}

/// Enough digits that three of them say something.
fn decimals_for(value: f64) -> usize {
    match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        _ => 2,
    }
}

/// Where a row stands: `first 800 words · typos · fluency`.
fn place(style: &Style, row: &Row) -> String {
    let parts = [
        style.label(&style.panels, &row.panel),
        style.label(&style.y, &row.y),
        style.label(&style.x, &row.x),
        style.label(&style.series, &row.series),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn counted(row: &Row) -> String {
    let n = row
        .n
        .map(|n| format!("n = {}", account::counted(n, row.unit.as_deref())));
    let unscored = (row.unscored > 0).then(|| unscored_rows(row.unscored));
    let dropped = (row.dropped > 0).then(|| {
        count_of(
            row.dropped,
            "incomplete pair dropped",
            "incomplete pairs dropped",
        )
    });
    let parts: Vec<String> = [n, unscored, dropped].into_iter().flatten().collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

fn unscored_rows(n: u64) -> String {
    count_of(n, "row unscored", "rows unscored")
}

/// What a mark says to whoever points at it.
pub(super) fn of_item(style: &Style, item: &Item<'_>) -> String {
    let row = item.row;
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

fn prefixed(place: &str) -> String {
    if place.is_empty() {
        String::new()
    } else {
        format!("{place}: ")
    }
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
            format!("{place}median {median}, quartiles {first} and {third} (n = {n})")
        }
    }
}

/// What stands under the figure: how many scores are behind each mark, what is missing, what whiskers are.
pub(super) fn account(style: &Style, arranged: &Arranged<'_>) -> String {
    let (one, many) = noun(style.form);
    let rows = || arranged.items().map(|item| item.row);
    let mut lines = Vec::new();
    let behind = behind(style, arranged);
    let units: BTreeSet<Option<&str>> = rows().map(|row| row.unit.as_deref()).collect();
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
    let absent = absent(arranged, style.form);
    if absent > 0 {
        lines.push(format!("{} without a value", count_of(absent, one, many)));
    }
    let mut said = format!("{}.{}", lines.join("; "), footnotes(style, arranged));
    if let Some(repeated) = account::repeated(rows().map(|row| row.repeats).max().unwrap_or(0)) {
        let _ = write!(said, " {repeated}");
    }
    if let Some(whiskers) = whiskers(style, arranged) {
        let _ = write!(said, " Whiskers: {whiskers}.");
    }
    for line in computed(style, arranged) {
        let _ = write!(said, " {line}.");
    }
    if style.form == Form::Histogram {
        said.push_str(" A bin holds its lower end, not its upper end.");
    }
    if style.form == Form::Violins {
        said.push_str(
            " Boxes reach from the first to the third quartile, strokes stand at medians.",
        );
    }
    said
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
    let sides = how()
        .filter(|_| shows_p)
        .filter_map(|how| legend::one_sided(how.test.as_deref()?));
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
    if !style.form.is_distribution() {
        let with = arranged.items().filter(|item| item.row.value.is_some());
        return with.filter_map(|item| item.row.n).collect();
    }
    let mut sums: BTreeMap<(usize, usize, usize), u64> = BTreeMap::new();
    for (index, panel) in arranged.panels.iter().enumerate() {
        for item in panel.items.iter().filter(|item| item.row.value.is_some()) {
            *sums.entry((index, item.position, item.series)).or_default() +=
                item.row.n.unwrap_or(0);
        }
    }
    sums.into_values().collect()
}

/// How many marks have no value.
pub(super) fn absent(arranged: &Arranged<'_>, form: Form) -> usize {
    if !form.is_distribution() {
        return arranged
            .items()
            .filter(|item| item.row.value.is_none())
            .count();
    }
    let mut seen: BTreeMap<(usize, usize, usize), bool> = BTreeMap::new();
    for (index, panel) in arranged.panels.iter().enumerate() {
        for item in &panel.items {
            let any = seen.entry((index, item.position, item.series)).or_default();
            *any |= item.row.value.is_some();
        }
    }
    seen.into_values().filter(|any| !any).count()
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
    };
    let fields = [style.headings_of(&style.x), style.headings_of(&style.y)];
    let fields: Vec<String> = fields
        .into_iter()
        .filter(|field| !field.is_empty())
        .collect();
    let mut text = format!("{what} of {}", style.heading(&style.value));
    if !fields.is_empty() {
        let _ = write!(text, " by {}", fields.join(" and "));
    }
    if !style.series.is_empty() {
        let fields = style.headings_of(&style.series);
        let _ = write!(text, ", {} series by {fields}", arranged.series.len());
    }
    if !style.panels.is_empty() {
        let panels = count(arranged.panels.len(), "panel");
        let _ = write!(text, ", {panels} by {}", style.headings_of(&style.panels));
    }
    let values = || {
        let rows = arranged.items().map(|item| item.row);
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
    if low <= high {
        let _ = write!(
            text,
            "; values from {} to {}",
            shown(style, low),
            shown(style, high)
        );
    }
    let absent = absent(arranged, style.form);
    if absent > 0 {
        let (one, many) = noun(style.form);
        let _ = write!(text, "; {} without a value", count_of(absent, one, many));
    }
    text.push('.');
    text
}
