//! Columns of text side by side, as wide as a terminal allows.
//!
//! It fits, aligns and draws; what stands in the columns is the caller's. Where the columns do not fit, the space between
//! them goes first, then heads are broken at blanks, then words; names are broken only where nothing else helps, and
//! numbers never.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Words are broken into lines no narrower than this, unless nothing else helps.
const READABLE: usize = 20;

/// Names and words are broken into lines no narrower than this.
const NARROWEST: usize = 12;

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, which end at the right.
    Number,
    /// Names that somebody may want to copy.
    Name,
    /// Words, which may be broken at blanks.
    Words,
}

/// A column: what stands above it, and what in it.
#[derive(Clone, Debug)]
pub struct Column {
    /// The head; of several lines, where it names several things one below the other.
    pub head: String,
    /// What stands in it.
    pub kind: Kind,
    /// A field for each row.
    pub fields: Vec<String>,
}

impl Column {
    /// A column from its head and fields.
    pub fn new(head: impl Into<String>, kind: Kind, fields: Vec<String>) -> Self {
        Self {
            head: head.into(),
            kind,
            fields,
        }
    }
}

/// How columns are laid out: blanks before the first and after the last, blanks in between, and how wide each is.
struct Fit {
    edge: usize,
    gap: usize,
    widths: Vec<usize>,
}

/// The widths of one column that are told apart.
struct Measure {
    kind: Kind,
    /// Its widest field.
    body: usize,
    /// The widest word of a field.
    word: usize,
    /// The widest line of its head.
    head: usize,
    /// The widest word of its head.
    head_word: usize,
}

impl Measure {
    fn of(column: &Column) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &str>| -> usize {
            texts.map(UnicodeWidthStr::width).max().unwrap_or(0)
        };
        let fields = || column.fields.iter().map(String::as_str);
        Self {
            kind: column.kind,
            body: widest(&mut fields()),
            word: widest(&mut fields().flat_map(str::split_whitespace)) + HANGING.len(),
            head: widest(&mut column.head.lines()),
            head_word: widest(&mut column.head.split_whitespace()),
        }
    }

    fn natural(&self) -> usize {
        self.body.max(self.head)
    }

    /// How narrow it may become by breaking its head.
    fn broken_head(&self) -> usize {
        self.body.max(self.head_word)
    }

    /// How narrow it may become by breaking its words at blanks too.
    fn readable(&self) -> usize {
        match self.kind {
            Kind::Words => self.body.min(self.word.max(READABLE)).max(self.head_word),
            Kind::Number | Kind::Name => self.broken_head(),
        }
    }

    /// How narrow it may become by breaking words and names anywhere.
    fn narrowest(&self) -> usize {
        match self.kind {
            Kind::Words | Kind::Name => self.body.min(NARROWEST).max(self.head_word),
            Kind::Number => self.broken_head(),
        }
    }
}

/// How these columns fit into so many terminal columns; none, if they do not without breaking words into lines that are
/// hard to read.
fn fit(measures: &[&Measure], width: usize) -> Option<Fit> {
    let of = |width: fn(&Measure) -> usize| -> Vec<usize> {
        measures.iter().map(|measure| width(measure)).collect()
    };
    let natural = of(Measure::natural);
    [
        (1, 3, natural.clone()),
        (0, 2, natural.clone()),
        (0, 2, of(Measure::broken_head)),
        (0, 2, of(Measure::readable)),
    ]
    .into_iter()
    .find_map(|(edge, gap, least)| shrink(&natural, &least, edge, gap, width))
}

/// Whether columns fit without breaking words into lines that are hard to read, and without breaking names.
pub fn fits(columns: &[Column], width: usize) -> bool {
    let measures: Vec<Measure> = columns.iter().map(Measure::of).collect();
    fit(&measures.iter().collect::<Vec<_>>(), width).is_some()
}

/// How these columns fit at best, where [`fit`] knows no way: words and names are broken as often as need be.
fn squeezed(measures: &[&Measure], width: usize) -> Fit {
    let natural: Vec<usize> = measures.iter().map(|measure| measure.natural()).collect();
    let least: Vec<usize> = measures.iter().map(|measure| measure.narrowest()).collect();
    shrink(&natural, &least, 0, 2, width)
        .or_else(|| shrink(&natural, &least, 0, 1, width))
        .unwrap_or(Fit {
            edge: 0,
            gap: 2,
            widths: least,
        })
}

/// Takes from the widest column that may become narrower until all fit.
fn shrink(
    natural: &[usize],
    least: &[usize],
    edge: usize,
    gap: usize,
    width: usize,
) -> Option<Fit> {
    let around = 2 * edge + gap * natural.len().saturating_sub(1);
    let room = width.checked_sub(around)?;
    let mut widths = natural.to_vec();
    let mut sum: usize = widths.iter().sum();
    while sum > room {
        let widest = (0..widths.len())
            .filter(|&at| widths[at] > least[at])
            .max_by_key(|&at| widths[at])?;
        widths[widest] -= 1;
        sum -= 1;
    }
    Some(Fit { edge, gap, widths })
}

/// The columns between rules, under their heads; `color` allows bold type for the heads.
pub fn draw(columns: &[Column], width: usize, color: bool) -> String {
    let measures: Vec<Measure> = columns.iter().map(Measure::of).collect();
    let measures: Vec<&Measure> = measures.iter().collect();
    let fit = fit(&measures, width).unwrap_or_else(|| squeezed(&measures, width));
    draw_fitted(columns, &fit, color)
}

/// The same, laid out already.
fn draw_fitted(columns: &[Column], fit: &Fit, color: bool) -> String {
    let whole = fit.widths.iter().sum::<usize>()
        + fit.gap * fit.widths.len().saturating_sub(1)
        + 2 * fit.edge;
    let mut out = String::new();
    let rule = |out: &mut String, sign: &str| {
        out.push_str(&sign.repeat(whole));
        out.push('\n');
    };
    rule(&mut out, "─");
    let heads: Vec<Vec<String>> = columns
        .iter()
        .zip(&fit.widths)
        .map(|(column, &width)| {
            let lines = column.head.lines();
            lines.flat_map(|line| broken(line, width, "")).collect()
        })
        .collect();
    let tallest = heads.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..tallest {
        // Short heads stand above the rule, not below the other one.
        let fields = heads.iter().map(|head| {
            let above = tallest - head.len();
            line.checked_sub(above).map_or("", |at| head[at].as_str())
        });
        let text = side_by_side(columns, fit, fields);
        if color && !text.is_empty() {
            for part in ["\u{1b}[1m", &text, "\u{1b}[0m\n"] {
                out.push_str(part);
            }
        } else {
            out.push_str(&text);
            out.push('\n');
        }
    }
    rule(&mut out, "═");
    let rows = columns.iter().map(|column| column.fields.len()).max();
    for row in 0..rows.unwrap_or(0) {
        let fields: Vec<Vec<String>> = columns
            .iter()
            .zip(&fit.widths)
            .map(|(column, &width)| {
                let field = column.fields.get(row).map_or("", String::as_str);
                match column.kind {
                    Kind::Words | Kind::Name => broken(field, width, HANGING),
                    Kind::Number => vec![field.to_owned()],
                }
            })
            .collect();
        let tallest = fields.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..tallest {
            let of_line = fields
                .iter()
                .map(|field| field.get(line).map_or("", String::as_str));
            out.push_str(&side_by_side(columns, fit, of_line));
            out.push('\n');
        }
    }
    rule(&mut out, "─");
    out
}

/// What the second line of a field begins with, so that rows can be told apart.
const HANGING: &str = "  ";

/// A field in lines, broken at blanks where it is too wide.
fn broken(field: &str, width: usize, hanging: &str) -> Vec<String> {
    if field.width() <= width {
        return vec![field.to_owned()];
    }
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in field.split_whitespace() {
        if used > 0 && used + 1 + word.width() > width {
            lines.push(hanging.to_owned());
            used = hanging.len();
        } else if used > 0 {
            push(&mut lines, " ");
            used += 1;
        }
        let mut rest = word;
        while let Some(at) = cut(rest, width.saturating_sub(used)) {
            push(&mut lines, &rest[..at]);
            rest = &rest[at..];
            lines.push(hanging.to_owned());
            used = hanging.len();
        }
        push(&mut lines, rest);
        used += rest.width();
    }
    lines
}

/// Where a word is cut that is wider than the room: after the last hyphen or the like, or else where the room ends.
fn cut(word: &str, room: usize) -> Option<usize> {
    if word.width() <= room.max(1) {
        return None;
    }
    let mut used = 0;
    let mut fit = 0;
    for (at, letter) in word.char_indices() {
        used += letter.width().unwrap_or(0);
        if used > room && at > 0 {
            break;
        }
        fit = at + letter.len_utf8();
    }
    let after = word[..fit].rfind(['-', '_', '/', '.', ',', '=']);
    let end = after.map_or(fit, |at| at + 1);
    (end < word.len()).then_some(end)
}

fn push(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

/// One line of all columns, without blanks at its end.
fn side_by_side<'f>(
    columns: &[Column],
    fit: &Fit,
    fields: impl Iterator<Item = &'f str>,
) -> String {
    let mut line = " ".repeat(fit.edge);
    for (at, ((column, field), width)) in columns.iter().zip(fields).zip(&fit.widths).enumerate() {
        if at > 0 {
            line.push_str(&" ".repeat(fit.gap));
        }
        let blanks = " ".repeat(width.saturating_sub(field.width()));
        if column.kind == Kind::Number {
            line.push_str(&blanks);
            line.push_str(field);
        } else {
            line.push_str(field);
            line.push_str(&blanks);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Cuts numbers into blocks that fit beside labels, each with at least one column: as few as will do, and about as wide
/// as each other.
pub(crate) fn blocks(
    labels: &[Column],
    numbers: &[Column],
    width: usize,
) -> Vec<std::ops::Range<usize>> {
    let of = |columns: &[Column]| columns.iter().map(Measure::of).collect::<Vec<Measure>>();
    let (labels, numbers) = (of(labels), of(numbers));
    let cut = |width: usize| {
        let mut blocks = Vec::new();
        let mut start = 0;
        for end in 1..=numbers.len() {
            let beside: Vec<&Measure> = labels.iter().chain(&numbers[start..end]).collect();
            if end > start + 1 && fit(&beside, width).is_none() {
                blocks.push(start..end - 1);
                start = end - 1;
            }
        }
        if start < numbers.len() || numbers.is_empty() {
            blocks.push(start..numbers.len());
        }
        blocks
    };
    let blocks = cut(width);
    let narrower = (1..width).rev().map(cut);
    let mut best = blocks;
    for other in narrower {
        if other.len() > best.len() {
            break;
        }
        best = other;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(head: &str, kind: Kind, fields: &[&str]) -> Column {
        Column::new(head, kind, fields.iter().map(|&f| f.to_owned()).collect())
    }

    fn table() -> Vec<Column> {
        vec![
            words(
                "what it is",
                Kind::Words,
                &["a rather long title of a table", "short"],
            ),
            words("cells", Kind::Number, &["12", "3"]),
            words("not given", Kind::Number, &["7", "−1.50"]),
        ]
    }

    #[test]
    fn space_goes_first_then_heads_then_words() {
        let drawn = [80, 54, 48, 44, 36].map(|width| draw(&table(), width, false));
        insta::assert_snapshot!("columns", drawn.join("\n"));
    }

    #[test]
    fn names_are_broken_where_nothing_else_helps_and_numbers_never() {
        let long = "a-name-that-is-long-and-has-no-blank";
        let columns = [
            words("id", Kind::Name, &[long]),
            words("title", Kind::Words, &["Of some words"]),
            words("n", Kind::Number, &["−12,345.678"]),
        ];
        assert!(draw(&columns, 66, false).contains(long));
        let drawn = [50, 41, 20].map(|width| draw(&columns, width, false));
        insta::assert_snapshot!("columns-narrow", drawn.join("\n"));
        assert!(fits(&columns, 66) && !fits(&columns, 50));
    }

    #[test]
    fn bold_type_is_all_that_colour_adds() {
        let (plain, bold) = (draw(&table(), 60, false), draw(&table(), 60, true));
        assert_ne!(plain, bold);
        let stripped = bold.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        assert_eq!(stripped, plain);
    }

    #[test]
    fn blocks_are_as_few_as_will_do_and_about_as_wide_as_each_other() {
        let labels = [words("task", Kind::Words, &["typos"])];
        let numbers: Vec<Column> = (0..5)
            .map(|at| words(&format!("model-{at}"), Kind::Number, &["−1.75**"]))
            .collect();
        assert_eq!(blocks(&labels, &numbers, 80).len(), 1);
        assert_eq!(blocks(&labels, &numbers, 44), [0..3, 3..5]);
        assert_eq!(blocks(&labels, &numbers, 10).len(), 5);
    }
}
