//! A figure put together: arranged, measured, laid out, drawn.

use super::arrange::{Arranged, Item, arrange};
use super::axes::{self, Axes};
use super::heat::{self, Colours};
use super::layout::{self, BODY, Needs, SMALL};
use super::legend::{self, Entry, Sign};
use super::row::{Form, Row, Style};
use super::scale::{Scale, decimals_of, limits, nice, ticks};
use super::spread::{self, Spread};
use super::style as look;
use super::svg::{Svg, number};
use super::{marks, note, text};
use crate::output::report::html::escape;

/// A figure, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The picture: an `<svg>` that scales, has no ground and takes the colour of its text from around it.
    pub svg: String,
    /// What stands under it: n, what was not scored, what whiskers are.
    pub note: String,
    /// What it shows, in a sentence.
    pub description: String,
}

/// Draws rows as the style asks.
pub fn draw(style: &Style, rows: &[Row]) -> Drawing {
    let rows: Vec<Row> = rows.iter().map(drawable).collect();
    let arranged = arrange(style, &rows);
    let note = note::account(style, &arranged);
    let description = note::description(style, &arranged);
    let mut svg = Svg::default();
    if arranged.panels.is_empty() {
        opened(&mut svg, style, &description, (400.0, 40.0));
        svg.raw("<text x=\"10\" y=\"24\">no rows</text></svg>\n");
    } else {
        Picture::new(style, &arranged, &note).draw(&mut svg, &description);
    }
    Drawing {
        svg: svg.finish(),
        note,
        description,
    }
}

/// No number beyond this is drawn: the distance of two has to be a number.
const LARGEST: f64 = 1e150;

/// The row, without numbers that are too large for a picture; that it has none then is told.
fn drawable(row: &Row) -> Row {
    let fits = |value: &f64| value.is_finite() && value.abs() <= LARGEST;
    let mut row = row.clone();
    if row.value.is_some_and(|value| !fits(&value)) {
        row.value = None;
        row.why
            .get_or_insert_with(|| "too large to be drawn".to_owned());
    }
    let ends = [row.low, row.high]
        .into_iter()
        .flatten()
        .all(|end| fits(&end));
    if !ends {
        (row.low, row.high) = (None, None);
    }
    row.bound = row.bound.filter(fits);
    row
}

/// The element itself, with what it says to those who do not see it.
fn opened(svg: &mut Svg, style: &Style, description: &str, (width, height): (f64, f64)) {
    let id = &style.id;
    let (w, h) = (number(width), number(height));
    svg.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         role=\"img\" aria-labelledby=\"{id}-t {id}-d\" font-family=\"Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif\" \
         font-size=\"{BODY}\" fill=\"currentColor\">\n<title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n",
        escape(&text::clean(&style.title)),
        escape(description)
    ));
}

/// What is known before anything is drawn.
struct Picture<'p> {
    style: &'p Style,
    arranged: &'p Arranged<'p>,
    entries: Vec<Entry>,
    note: Vec<String>,
    /// The ends of the axis of values, if anything has a value.
    limits: (f64, f64),
    /// Whether anything has a value: without one there are no numbers at the axis.
    measured: bool,
    /// The ends of a histogram's axis of numbers.
    numbers: (f64, f64),
    width: f64,
    /// Whether there are marks without a value beside the axis.
    strip: bool,
}

/// The width of the strip for places without a value.
const ABSENT: f64 = 16.0;

impl<'p> Picture<'p> {
    fn new(style: &'p Style, arranged: &'p Arranged<'p>, note: &str) -> Self {
        let width = layout::width_of(style, arranged);
        let limits = value_limits(style, arranged);
        Self {
            style,
            arranged,
            entries: entries(style, arranged),
            note: text::lines(note, SMALL, width - 20.0, 6),
            limits: limits.unwrap_or((0.0, 1.0)),
            measured: limits.is_some(),
            numbers: number_limits(arranged),
            width,
            strip: note::absent(arranged, style.form) > 0
                && !matches!(style.form, Form::Bars | Form::Histogram | Form::Heatmap),
        }
    }

    fn draw(&self, svg: &mut Svg, description: &str) {
        let style = self.style;
        let heat = style.form == Form::Heatmap;
        let (below, beside) = self.titles();
        // Ticks depend on the room for them, which depends little on the ticks: they are found twice.
        let about = |height: f64| ((height / 32.0) as usize).clamp(3, 9);
        let ticks_for = |long: f64| {
            if !self.measured {
                return Vec::new();
            }
            ticks(
                self.limits.0,
                self.limits.1,
                about(long),
                style.form == Form::Histogram,
            )
        };
        let labels = |ticks: Vec<(f64, String)>| {
            ticks
                .into_iter()
                .map(|(_, label)| label)
                .collect::<Vec<_>>()
        };
        let guess = labels(ticks_for(style.height.map_or(240.0, f64::from)));
        let layout = layout::lay_out(&Needs {
            style,
            arranged: self.arranged,
            ticks: &guess,
            legend: legend::height(&self.entries, self.width - 20.0),
            note_lines: self.note.len(),
            title_below: !below.is_empty(),
            title_beside: !beside.is_empty(),
        });
        opened(svg, style, description, (layout.width, layout.height));
        look::hatches(svg, &style.id, self.hatched());
        legend::draw(svg, &style.id, &self.entries, 10.0, self.width - 20.0);
        let colours = Colours::of(self.limits.0, self.limits.1);
        for (panel, place) in self.arranged.panels.iter().zip(&layout.places) {
            svg.open("panel", "");
            let says = |item: &Item<'_>| note::of_item(style, item);
            if heat {
                let decimals = style.decimals.unwrap_or(2);
                heat::draw(
                    svg,
                    (panel, place, &layout),
                    style,
                    (colours, decimals),
                    &says,
                );
                svg.close();
                continue;
            }
            let area = place.area;
            let lying = self.arranged.lying;
            // Places without a value have a strip of their own, so that none is taken for a low value.
            let strip = if self.strip { ABSENT } else { 0.0 };
            let (from, to) = if lying {
                (area.left + strip, area.right())
            } else {
                (area.bottom() - strip, area.top)
            };
            let axes = Axes {
                place,
                panel,
                values: Scale {
                    low: self.limits.0,
                    high: self.limits.1,
                    from,
                    to,
                },
                lying,
                series: self.arranged.series.len().max(1),
            };
            let long = if lying { area.width * 0.7 } else { area.height };
            let ticks = ticks_for(long);
            axes.behind(svg, style, &ticks);
            if style.form == Form::Histogram {
                self.histogram(svg, &axes, &says);
            } else {
                axes.references(svg, style);
                if style.form == Form::Violins {
                    spread::violins(svg, &axes, style, &|spread: &Spread<'_>| {
                        note::of_spread(style, spread)
                    });
                } else {
                    marks::draw(svg, &axes, style, &says);
                }
                axes.frame(svg, &layout, &ticks);
            }
            svg.close();
        }
        if heat && self.measured {
            heat::bar(svg, &layout, colours);
        }
        axes::titles(svg, &layout, &below, &beside);
        axes::note(svg, &layout, &self.note);
        svg.raw("</svg>\n");
    }

    fn histogram(&self, svg: &mut Svg, axes: &Axes<'_>, says: &dyn Fn(&Item<'_>) -> String) {
        let area = axes.place.area;
        let x = Scale {
            low: self.numbers.0,
            high: self.numbers.1,
            from: area.left,
            to: area.right(),
        };
        spread::bins(svg, axes, &x, self.style, says);
        let about = ((area.width / 70.0) as usize).clamp(2, 10);
        let (along, counts) = if self.measured {
            let high = ((area.height / 38.0) as usize).clamp(3, 8);
            let counts = ticks(self.limits.0, self.limits.1, high, true);
            (ticks(x.low, x.high, about, false), counts)
        } else {
            (Vec::new(), Vec::new())
        };
        axes.frame_of_counts(svg, (&x, &along), &counts);
    }

    /// The titles below and beside the panels.
    fn titles(&self) -> (String, String) {
        let style = self.style;
        let value = style.heading(&style.value);
        let (x, y) = (style.headings_of(&style.x), style.headings_of(&style.y));
        match style.form {
            Form::Histogram => (value, style.heading("count")),
            Form::Heatmap => (x, y),
            _ if self.arranged.lying => (value, y),
            _ => (x, value),
        }
    }

    /// How many series have hatches.
    fn hatched(&self) -> usize {
        match self.style.form {
            Form::Bars | Form::Violins | Form::Histogram => self.arranged.series.len(),
            _ => 0,
        }
    }
}

/// The ends of the axis of values: everything that is shown is within.
fn value_limits(style: &Style, arranged: &Arranged<'_>) -> Option<(f64, f64)> {
    let with_zero = matches!(style.form, Form::Bars | Form::Histogram);
    let values = arranged.items().flat_map(|item| {
        let row = item.row;
        let ends = if style.form.is_distribution() {
            [None, None]
        } else {
            [row.low, row.high]
        };
        let bound = [row.bound, row.bound.map(|bound| -bound)];
        [row.value].into_iter().chain(ends).chain(bound).flatten()
    });
    let given = style
        .line
        .into_iter()
        .chain(style.band.into_iter().flat_map(|(low, high)| [low, high]));
    if style.form == Form::Heatmap {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (low, high) =
            ends(&mut values.chain(style.range.into_iter().flat_map(|(low, high)| [low, high])));
        return (low <= high).then_some((low, high));
    }
    let range = style.range.filter(|_| style.form != Form::Histogram);
    limits(values.chain(given), range, with_zero)
}

/// The ends of a histogram's bins.
fn number_limits(arranged: &Arranged<'_>) -> (f64, f64) {
    let ends = arranged.items().filter_map(Item::interval);
    let (low, high) = ends.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(low, high), (from, to)| (low.min(from), high.max(to)),
    );
    if low < high { (low, high) } else { (0.0, 1.0) }
}

/// What the legend explains.
fn entries(style: &Style, arranged: &Arranged<'_>) -> Vec<Entry> {
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
        entries.extend(arranged.series.iter().enumerate().map(|(series, label)| {
            let sign = match style.form {
                Form::Bars | Form::Violins | Form::Histogram => Sign::Fill(series),
                Form::Lines => Sign::Line(series),
                _ => Sign::Mark(series),
            };
            entry(sign, label.clone())
        }));
    }
    if let Some(reference) = arranged.items().find(|item| item.row.reference) {
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
        let decimals = decimals_of(nice(line.abs().max(1e-6))).min(3);
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
    if note::absent(arranged, style.form) > 0
        && style.form != Form::Heatmap
        && style.form != Form::Histogram
    {
        entries.push(entry(Sign::Absent, "no value".to_owned()));
    }
    entries
}
