//! How figures look.

use crate::output::chart::Style;
use crate::stage::RawFigure;

/// How the figure looks.
pub(super) fn look(name: &str, raw: &RawFigure) -> Style {
    let texts = |values: &Vec<crate::toml::Plain>| values.iter().map(ToString::to_string).collect();
    let order = raw.order.iter();
    Style {
        form: raw.form.unwrap_or_default(),
        title: raw.title.clone().unwrap_or_else(|| name.to_owned()),
        caption: raw.caption.clone(),
        headings: raw.headings.clone(),
        labels: raw.labels.clone(),
        order: order
            .map(|(field, values)| (field.clone(), texts(values)))
            .collect(),
        line: raw.line,
        identity: raw.identity.unwrap_or_default(),
        numbers: raw.numbers.unwrap_or_default(),
        bandwidth: raw.bandwidth,
        band: raw.band.map(|[low, high]| (low, high)),
        range: raw.range.map(|[low, high]| (low, high)),
        decimals: raw.decimals.map(usize::from),
        width: raw.width,
        height: raw.height,
        ..Style::default()
    }
}
