//! A figure put together: arranged, measured, laid out, drawn.

use super::arrange::{Arranged, Item, Panel, arrange};
use super::axes::{self, Axes};
use super::columns::Columns;
use super::explain::entries;
use super::form::Form;
use super::heat::{self, Colours};
use super::layout::{self, Area, BODY, Layout, Needs, Place, SMALL};
use super::legend::{self, Entry};
use super::row::{Row, Style};
use super::scale::{LARGEST, Scale, limits, ticks};
use super::spread::{self, Spread};
use super::style as look;
use super::svg::{Svg, number};
use super::{marks, matrix, note, pairs, plane, say, stack, text, tracks};
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
    /// The ends of the horizontal axis of numbers, where there is one.
    numbers: (f64, f64),
    /// Whether there are only whole numbers along each axis.
    whole: (bool, bool),
    /// Whether anything has a number along the horizontal axis.
    counted: bool,
    width: f64,
    /// Whether there are marks without a value beside the axis.
    strip: bool,
    /// The columns of numbers beside marks.
    columns: Columns,
}

/// The width of the strip for places without a value.
const ABSENT: f64 = 16.0;

impl<'p> Picture<'p> {
    fn new(style: &'p Style, arranged: &'p Arranged<'p>, note: &str) -> Self {
        let width = layout::width_of(style, arranged);
        let plane = (style.goes_by_numbers() && style.form != Form::Histogram)
            .then(|| plane::limits(style, arranged));
        let limits = match &plane {
            Some(plane) => plane.y,
            None if style.form == Form::Stacked => stack::limit(arranged),
            None => value_limits(style, arranged),
        };
        let numbers = match plane {
            Some(plane) => plane.x.unwrap_or((0.0, 1.0)),
            None => number_limits(arranged),
        };
        Self {
            columns: Columns::new(style, arranged),
            style,
            arranged,
            entries: entries(style, arranged),
            note: text::lines(note, SMALL, width - 20.0, layout::note_lines(width)),
            limits: limits.unwrap_or((0.0, 1.0)),
            measured: limits.is_some(),
            numbers,
            whole: plane.map_or((false, false), |plane| plane.whole),
            counted: plane.is_some_and(|plane| plane.x.is_some()),
            width,
            strip: note::absent(style, arranged) > 0
                && !matches!(
                    style.form,
                    Form::Bars | Form::Histogram | Form::Heatmap | Form::Ecdf | Form::Density
                ),
        }
    }

    fn draw(&self, svg: &mut Svg, description: &str) {
        let style = self.style;
        let heat = style.form == Form::Heatmap;
        let (below, beside) = self.titles();
        // Ticks depend on the room for them, which depends little on the ticks: they are found twice.
        // Panels that are as high as they are wide may have any of these heights.
        let heights = style.height.map_or_else(
            || {
                if style.goes_by_numbers() {
                    vec![150.0, 240.0, 330.0, 420.0]
                } else {
                    vec![240.0]
                }
            },
            |height| vec![f64::from(height)],
        );
        let guess: Vec<String> = heights
            .into_iter()
            .flat_map(|high| self.ticks(high))
            .map(|(_, label)| label)
            .collect();
        let layout = layout::lay_out(&Needs {
            style,
            arranged: self.arranged,
            ticks: &guess,
            legend: legend::height(&self.entries, self.width - 20.0),
            note_lines: self.note.len(),
            title_below: !below.is_empty(),
            title_beside: !beside.is_empty(),
            beside: self.columns.width(),
        });
        opened(svg, style, description, (layout.width, layout.height));
        look::hatches(svg, &style.id, self.hatched());
        legend::draw(svg, &style.id, &self.entries, 10.0, self.width - 20.0);
        let colours = Colours::of(self.limits.0, self.limits.1);
        for (panel, place) in self.arranged.panels.iter().zip(&layout.places) {
            svg.open("panel", "");
            self.panel(svg, (panel, place, &layout), colours);
            svg.close();
        }
        if heat && self.measured {
            heat::bar(svg, &layout, colours);
        }
        axes::titles(svg, &layout, &below, &beside);
        axes::note(svg, &layout, &self.note);
        svg.raw("</svg>\n");
    }

    /// Ticks of the axis of values, on an axis so long.
    fn ticks(&self, long: f64) -> Vec<(f64, String)> {
        if !self.measured {
            return Vec::new();
        }
        let about = ((long / 32.0) as usize).clamp(3, 9);
        let whole = self.style.form == Form::Histogram || self.whole.1;
        ticks(self.limits.0, self.limits.1, about, whole)
    }

    /// One panel.
    fn panel(
        &self,
        svg: &mut Svg,
        (panel, place, layout): (&Panel<'_>, &Place, &Layout),
        colours: Colours,
    ) {
        let style = self.style;
        let says = |item: &Item<'_>| note::of_item(style, item);
        if style.form == Form::Heatmap {
            let decimals = style.decimals.unwrap_or(2);
            heat::draw(
                svg,
                (panel, place, layout),
                style,
                (colours, decimals),
                &says,
            );
            return;
        }
        if style.form == Form::Confusion {
            let says = |item: &Item<'_>, field: &say::Field<'_>| say::field(style, item, field);
            matrix::draw(svg, (panel, place, layout), style, &says);
            return;
        }
        let place = &Place {
            area: Area {
                width: place.area.width - self.columns.width(),
                ..place.area
            },
            ..place.clone()
        };
        let area = place.area;
        let lying = self.arranged.lying;
        // Places without a value have a strip of their own, so that none is taken for a low value.
        let strip = if self.strip { ABSENT } else { 0.0 };
        let room = if style.form == Form::Stacked {
            stack::room(lying)
        } else {
            0.0
        };
        let (from, to) = if lying {
            (area.left + strip, area.right() - room)
        } else {
            (area.bottom() - strip, area.top + room)
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
        if style.goes_by_numbers() && style.form != Form::Histogram {
            self.plane(svg, &axes, strip, &says);
            return;
        }
        let long = if lying { area.width * 0.7 } else { area.height };
        let ticks = self.ticks(long);
        axes.behind(svg, style, &ticks);
        if style.form == Form::Histogram {
            self.histogram(svg, &axes, &says);
        } else {
            axes.references(svg, style);
            if style.form == Form::Violins {
                spread::violins(svg, &axes, style, &|spread: &Spread<'_>| {
                    note::of_spread(style, spread)
                });
            } else if style.form == Form::Stacked {
                let says = |item: &Item<'_>, of: u64| {
                    say::stretch(style, &self.arranged.series[item.series], item, of)
                };
                stack::draw(svg, &axes, (style, self.arranged), &says);
            } else {
                marks::draw(svg, &axes, style, &says);
                self.columns.draw(svg, &axes, style);
            }
            axes.frame(svg, layout, &ticks);
        }
    }

    /// A panel with numbers along both axes.
    fn plane(
        &self,
        svg: &mut Svg,
        axes: &Axes<'_>,
        strip: f64,
        says: &dyn Fn(&Item<'_>) -> String,
    ) {
        let style = self.style;
        let room = match style.form {
            Form::Scatter => pairs::MARGINS,
            // The numbers of bias and limits stand there.
            Form::BlandAltman if axes.series == 1 => (0.0, 44.0),
            Form::BlandAltman => (0.0, 0.0),
            _ => {
                let lines = tracks::lines_of_counts(style, axes.series);
                let several = if lines > 1 { 14.0 } else { 0.0 };
                (tracks::COUNTS * lines as f64, several)
            }
        };
        let limits = plane::Limits {
            x: Some(self.numbers),
            y: Some(self.limits),
            whole: self.whole,
        };
        let inside = match style.form {
            Form::Scatter | Form::BlandAltman => pairs::INSIDE,
            _ => 0.0,
        };
        let plane = plane::Plane::new(axes, limits, (strip, inside), room);
        let about = ((plane.area.width / 48.0) as usize).clamp(3, 10);
        let along = if self.counted {
            ticks(plane.x.low, plane.x.high, about, self.whole.0)
        } else {
            Vec::new()
        };
        let up = self.ticks(plane.area.height);
        plane.behind(svg, style, (&along, &up));
        match style.form {
            Form::Scatter | Form::BlandAltman => pairs::draw(svg, &plane, style, says),
            Form::Ecdf | Form::Density => {
                tracks::distributions(svg, &plane, style, &|spread: &Spread<'_>| {
                    note::of_spread(style, spread)
                });
            }
            _ => {
                tracks::values(svg, &plane, style, says);
                tracks::counts(svg, &plane, style);
            }
        }
        plane.frame(svg, (&along, &up));
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
            Form::Ecdf => (value, style.called("share", "share of values up to here")),
            Form::Density => (value, style.heading("density")),
            Form::BlandAltman => (
                format!("mean of {x} and {value}"),
                format!("difference: {value} − {x}"),
            ),
            Form::Stacked if self.arranged.lying => (style.called("share", "share of rows"), y),
            Form::Stacked => (x, style.called("share", "share of rows")),
            Form::Heatmap | Form::Confusion => (x, y),
            _ if self.arranged.lying => (value, y),
            _ => (x, value),
        }
    }

    /// How many series have hatches.
    fn hatched(&self) -> usize {
        match self.style.form {
            Form::Bars | Form::Violins | Form::Histogram | Form::Stacked => {
                self.arranged.series.len()
            }
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
