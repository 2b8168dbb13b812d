//! Writing SVG: shapes and text, with everything that comes from data escaped.
//!
//! Only presentation attributes are written, neither style sheets nor scripts nor events, so that the picture looks the
//! same under any policy of the page around it. It must not know what is drawn.

use std::fmt::Write as _;

use crate::output::report::html::escape;

/// An SVG in the making.
#[derive(Debug, Default)]
pub(super) struct Svg {
    out: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A turn of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    None,
    /// Up by 45 degrees.
    Slanted,
    /// Upwards.
    Upright,
}

/// How something is painted: attributes as they are written.
pub(super) type Paint<'p> = &'p str;

impl Svg {
    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// Opens a group; `name` goes into a class.
    pub(super) fn open(&mut self, name: &str, more: Paint<'_>) {
        let _ = write!(self.out, "<g class=\"{name}\"{}>", spaced(more));
    }

    pub(super) fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    pub(super) fn rect(
        &mut self,
        (x, y): (f64, f64),
        (w, h): (f64, f64),
        paint: Paint<'_>,
        says: &str,
    ) {
        let _ = write!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}",
            number(x),
            number(y),
            number(w.max(0.0)),
            number(h.max(0.0)),
            spaced(paint)
        );
        self.end("rect", says);
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), paint: Paint<'_>) {
        let _ = write!(
            self.out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>",
            number(x1),
            number(y1),
            number(x2),
            number(y2),
            spaced(paint)
        );
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), r: f64, paint: Paint<'_>, says: &str) {
        let _ = write!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}",
            number(x),
            number(y),
            number(r),
            spaced(paint)
        );
        self.end("circle", says);
    }

    /// A line through points, closed where `closed`.
    pub(super) fn path(
        &mut self,
        points: &[(f64, f64)],
        closed: bool,
        paint: Paint<'_>,
        says: &str,
    ) {
        self.out.push_str("<path d=\"");
        for (index, &(x, y)) in points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(self.out, "{letter}{} {}", number(x), number(y));
        }
        if closed {
            self.out.push('Z');
        }
        let _ = write!(self.out, "\"{}", spaced(paint));
        self.end("path", says);
    }

    /// A text whose first line's baseline is at a point.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        text: &str,
        (anchor, turn): (Anchor, Turn),
        paint: Paint<'_>,
    ) {
        let (x, y) = (number(x), number(y));
        match turn {
            Turn::None => {
                let _ = write!(self.out, "<text x=\"{x}\" y=\"{y}\"");
            }
            // Matrices instead of angles: no sine has to come out alike on every machine.
            Turn::Slanted => {
                let _ = write!(
                    self.out,
                    "<text transform=\"matrix(0.7071 -0.7071 0.7071 0.7071 {x} {y})\""
                );
            }
            Turn::Upright => {
                let _ = write!(self.out, "<text transform=\"matrix(0 -1 1 0 {x} {y})\"");
            }
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ = write!(
            self.out,
            "{anchor}{}>{}</text>",
            spaced(paint),
            escape(text)
        );
    }

    fn end(&mut self, name: &str, says: &str) {
        if says.is_empty() {
            self.out.push_str("/>");
        } else {
            let _ = write!(self.out, "><title>{}</title></{name}>", escape(says));
        }
    }
}

fn spaced(paint: Paint<'_>) -> String {
    if paint.is_empty() {
        String::new()
    } else {
        format!(" {paint}")
    }
}

/// A coordinate: two digits after the point are a fiftieth of what an eye sees.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded == 0.0 || !rounded.is_finite() {
        return "0".to_owned();
    }
    format!("{rounded}")
}
