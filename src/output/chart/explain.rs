//! What the legend of a figure explains.

use super::arrange::{Arranged, Item};
use super::form::Form;
use super::legend::{Entry, Sign};
use super::note;
use super::plane;
use super::row::Style;
use super::scale::{decimals_of, nice};
use super::stack;
use super::text;

/// What the legend explains.
pub(super) fn entries(style: &Style, arranged: &Arranged<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let entry = |sign: Sign, label: String| Entry { sign, label };
    if style.form == Form::Heatmap {
        entries.push(entry(Sign::Heading, style.heading(&style.value)));
    }
    if !style.series.is_empty() {
        entries.push(entry(
            Sign::Heading,
            format!("{}:", style.headings_of(&style.series)),
        ));
        let shown = arranged.series.iter().enumerate();
        let shown = shown.filter(|(series, _)| {
            style.form != Form::Stacked || !stack::is_left_out(arranged, *series)
        });
        entries.extend(shown.map(|(series, label)| {
            let sign = match style.form {
                Form::Stacked if arranged.absent == Some(series) => Sign::Lacking,
                Form::Bars | Form::Violins | Form::Histogram | Form::Stacked => Sign::Fill(series),
                Form::Lines | Form::Ecdf | Form::Density | Form::Reliability => Sign::Line(series),
                _ => Sign::Mark(series),
            };
            entry(sign, label.clone())
        }));
    }
    through_pairs(style, arranged, &mut entries);
    let marked = |item: &&Item<'_>| item.row.reference && !style.form.is_of_pairs();
    if let Some(reference) = arranged.items().find(marked) {
        let fields = if arranged.lying {
            style.label(&style.y, &reference.row.y)
        } else {
            style.label(&style.x, &reference.row.x)
        };
        let label = format!("{} of {fields}", style.heading(&style.value));
        let series = (!style.series.is_empty()).then_some(reference.series);
        entries.push(entry(Sign::Reference(series), label));
    }
    if let Some(line) = style.line {
        let decimals = decimals_of(nice(line.abs().max(1e-6))).map_or(3, |digits| digits.min(3));
        let shown = crate::output::report::number::typeset(&crate::output::report::number::fixed(
            line, decimals,
        ));
        let label = style
            .headings
            .get("line")
            .map_or(shown, |label| text::clean(label));
        if line != 0.0 || style.headings.contains_key("line") {
            entries.push(entry(Sign::Reference(None), label));
        }
    }
    if arranged.items().any(|item| item.row.bound.is_some()) {
        let level = style
            .level
            .map(|level| format!(" (p ≥ {level}, two-sided, not corrected)"));
        entries.push(entry(
            Sign::Band,
            format!("not significant{}", level.unwrap_or_default()),
        ));
    }
    if style.band.is_some()
        && let Some(label) = style.headings.get("band")
    {
        entries.push(entry(Sign::Band, text::clean(label)));
    }
    if arranged.panels.iter().any(|panel| panel.absent.is_some()) {
        entries.push(entry(Sign::Lacking, "no value".to_owned()));
    }
    if note::absent(style, arranged) > 0
        && style.form != Form::Heatmap
        && style.form != Form::Histogram
    {
        entries.push(entry(Sign::Absent, "no value".to_owned()));
    }
    entries
}

/// The lines through pairs of numbers, and that of equal ones.
fn through_pairs(style: &Style, arranged: &Arranged<'_>, entries: &mut Vec<Entry>) {
    let mut entry = |sign: Sign, label: String| entries.push(Entry { sign, label });
    let through = |item: &Item<'_>| plane::is_line(style, item) && item.row.value.is_some();
    let any = arranged.items().any(through);
    if style.form == Form::BlandAltman && any {
        entry(Sign::Solid, style.called("bias", "bias"));
        entry(
            Sign::Reference(None),
            style.called("limits", "limits of agreement"),
        );
    }
    if style.form == Form::Scatter && any {
        entry(Sign::Solid, style.called("fit", "line of least squares"));
    }
    if style.form == Form::Reliability {
        entry(
            Sign::Reference(None),
            style.called("identity", "as predicted"),
        );
    } else if style.identity {
        entry(
            Sign::Reference(None),
            style.called("identity", "equal numbers"),
        );
    }
}
