//! How figures look.

use crate::spec::FigureLook;
use crate::stage::RawFigure;

/// How a figure looks.
pub(super) fn look(raw: &RawFigure) -> FigureLook {
    let texts = |values: &Vec<crate::toml::Plain>| values.iter().map(ToString::to_string).collect();
    FigureLook {
        form: raw.form.unwrap_or_default(),
        title: raw.title.clone(),
        caption: raw.caption.clone(),
        headings: raw.headings.clone(),
        labels: raw.labels.clone(),
        order: raw
            .order
            .iter()
            .map(|(field, values)| (field.clone(), texts(values)))
            .collect(),
        line: raw.line,
        band: raw.band.map(|[low, high]| (low, high)),
        range: raw.range.map(|[low, high]| (low, high)),
        decimals: raw.decimals.map(usize::from),
        width: raw.width,
        height: raw.height,
    }
}
