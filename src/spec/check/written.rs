//! How reports are written: the formats of tables, and the page.

use crate::spec::PageSettings;
use crate::spec::raw::{FigureFormat, RawSpec, ReportFormat};
use crate::stage::check::Context;
use crate::toml::Problems;

/// What a page may hold of judgements, unless the spec says otherwise: 64 MB.
const EMBED: u64 = 64_000_000;

/// The formats of tables.
pub(super) fn formats(raw: &RawSpec) -> impl Iterator<Item = ReportFormat> {
    let given = raw.report.formats.clone();
    given
        .unwrap_or_else(|| vec![ReportFormat::Md, ReportFormat::Csv])
        .into_iter()
}

/// The formats of figures.
pub(super) fn figures(raw: &RawSpec) -> impl Iterator<Item = FigureFormat> {
    let given = raw.report.figures.clone();
    given
        .unwrap_or_else(|| vec![FigureFormat::Svg, FigureFormat::Png])
        .into_iter()
}

/// Whether there is a page, and how many bytes of judgements it may hold.
pub(super) fn page(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) -> PageSettings {
    let embed = raw.report.embed.as_ref().and_then(|text| {
        let size = size(text);
        if size.is_none() {
            let at = ["report", "embed"].map(str::to_owned);
            let message = format!("`{text}` is not a size");
            let problem = context
                .problem("spec::bad-value", message, &at, "expected a size such as `64 MB`")
                .help("write a number and `kB`, `MB` or `GB`, such as `\"64 MB\"`; `\"0 MB\"` leaves judgements out");
            problems.push(problem);
        }
        size
    });
    PageSettings {
        wanted: raw.report.page.unwrap_or(true),
        embed: embed.unwrap_or(EMBED),
    }
}

/// A number of bytes: `64 MB`.
fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let at = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (digits, unit) = text.split_at(at);
    let unit = match unit.trim() {
        "kB" | "KB" | "kb" | "k" | "K" => 1_000,
        "MB" | "mb" | "M" => 1_000_000,
        "GB" | "gb" | "G" => 1_000_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_and_a_unit() {
        let sizes = ["64 MB", "2GB", "500 kB", "0 MB"].map(size);
        let expected = [64_000_000, 2_000_000_000, 500_000, 0].map(Some);
        assert_eq!(sizes, expected);
        for wrong in [
            "",
            "64",
            "MB",
            "-1 MB",
            "1.5 MB",
            "1 TB",
            "99999999999999999999 kB",
        ] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
