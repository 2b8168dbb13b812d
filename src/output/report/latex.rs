//! A grid as a LaTeX table with booktabs rules, numbers aligned at the decimal point.
//!
//! It compiles as it is with `booktabs`, `dcolumn` and `graphicx`, which every LaTeX has. It must not set fonts or
//! sizes of the table itself: that is the paper's business.

use std::ops::Range;

use super::grid::{Grid, Shown};
use super::latex_fit::{Block, Float, Plan, column_lines, plan};
use super::latex_text::{STANDINS, escape, has_standins};
use super::layout::Layout;
use super::text::put;

/// What stands on top of every file.
const HEAD: &str = "% Needs in the preamble: \\usepackage{booktabs,dcolumn,graphicx}\n";

/// A `table` environment: caption, label `tab:…` made from the name of the table, grouped column headers, notes in
/// footnote size, no wider than the table or seven tenths of the line.
///
/// What is somewhat too wide for the line is scaled down to it; what is far too wide, or too long for a page, is cut
/// into blocks, and these into several floats with one number. Letters that pdfLaTeX cannot show are given by number,
/// and as they are where the engine and its font have them.
pub fn render(grid: &Grid) -> String {
    let mut out = String::new();
    let Plan { labels, floats } = plan(grid);
    for (index, float) in floats.iter().enumerate() {
        open(&mut out, grid.layout(), index > 0);
        for block in &float.blocks {
            tabular(&mut out, grid, &labels, block);
        }
        notes(&mut out, float);
        out.push_str("\\end{table}\n");
    }
    let standins = if has_standins(&out) { STANDINS } else { "" };
    format!("{HEAD}{standins}{out}")
}

/// The start of a float, with its caption; one that goes on keeps the number of the first.
fn open(out: &mut String, layout: &Layout, goes_on: bool) {
    out.push_str("\\begin{table}\n  \\centering\n");
    let headline = escape(&layout.headline());
    if goes_on {
        if !headline.is_empty() {
            put!(
                out,
                "  \\addtocounter{{table}}{{-1}}\n  \\caption{{{headline} (continued)}}\n"
            );
        }
        return;
    }
    if !headline.is_empty() {
        put!(out, "  \\caption{{{headline}}}\n");
        // Without a caption a label would name the section.
        if let Some(label) = slug(&layout.name).or_else(|| slug(&layout.title)) {
            put!(out, "  \\label{{tab:{label}}}\n");
        }
    }
}

/// Some columns and rows of the table, boxed, so that they can be scaled to the line and the notes to them.
fn tabular(out: &mut String, grid: &Grid, labels: &[String], block: &Block) {
    put!(
        out,
        "  \\sbox0{{%\n    \\begin{{tabular}}{{{}}}\n      \\toprule\n",
        format(grid, labels, block)
    );
    head(out, grid, block);
    out.push_str("      \\midrule\n");
    for row in block.rows.clone() {
        let texts = grid.rows()[row].labels.iter().map(|label| escape(label));
        let cells = block
            .columns
            .clone()
            .map(|column| drawn(&grid.shown(row, column), grid.layout().decimals));
        line(out, texts.chain(cells));
    }
    out.push_str("      \\bottomrule\n    \\end{tabular}}\n");
    out.push_str("  \\ifdim\\wd0>\\linewidth\\sbox0{\\resizebox{\\linewidth}{!}{\\usebox0}}\\fi\n");
    out.push_str("  \\ifdim\\wd0<.7\\linewidth\\sbox0{\\makebox[.7\\linewidth]{\\usebox0}}\\fi\n");
    out.push_str("  \\smallskip\\usebox0\\par\\smallskip\n");
}

/// The formats of the columns: those of the labels, then one for each column of numbers.
fn format(grid: &Grid, labels: &[String], block: &Block) -> String {
    let numbers = block.columns.clone().map(|column| {
        let (left, right) = block.rows.clone().fold((1, 0), |(left, right), row| {
            let (l, r) = sides(&grid.shown(row, column));
            (left.max(l), right.max(r))
        });
        let sign = if grid.layout().decimals == 0 { "" } else { "." };
        format!("D{{.}}{{{sign}}}{{{left}.{right}}}")
    });
    let all: String = labels.iter().cloned().chain(numbers).collect();
    // A tabular needs at least one column even if there is nothing to show.
    if all.is_empty() { "l".to_owned() } else { all }
}

/// How much room a number takes before and behind its decimal point, in digits.
pub(super) fn sides(shown: &Shown) -> (usize, usize) {
    let Some(number) = &shown.number else {
        return (1, 0);
    };
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let minus = usize::from(whole.starts_with('-'));
    // Raised signs are smaller than digits; a bracket takes as much as a digit with its gap.
    let stars = shown.stars.chars().count();
    let n = shown.n.map_or(0, |n| n.to_string().len() + 2);
    let mark = shown.mark.as_ref().map_or(0, |mark| mark.chars().count());
    (whole.len() + minus, rest.len() + stars + n + mark)
}

/// One header row per column field; groups are centred over their columns with a rule below.
fn head(out: &mut String, grid: &Grid, block: &Block) {
    let layout = grid.layout();
    let levels = layout.columns.len();
    for level in 0..levels.saturating_sub(1) {
        let mut rules = String::new();
        let mut from = layout.rows.len() + 1;
        let spans = spans(grid, &block.columns, level);
        let groups: Vec<String> = spans
            .into_iter()
            .map(|(label, width)| {
                put!(rules, "\\cmidrule(lr){{{from}-{}}}", from + width - 1);
                from += width;
                let text = stacked(&column_lines(&label, width * 10));
                format!("\\multicolumn{{{width}}}{{c}}{{{text}}}")
            })
            .collect();
        line(out, layout.rows.iter().map(|_| String::new()).chain(groups));
        if !rules.is_empty() {
            put!(out, "      {rules}\n");
        }
    }
    let headings = layout
        .rows
        .iter()
        .map(|field| escape(&layout.heading(field)));
    let leaves = block.columns.clone().map(|column| {
        let text = stacked(&column_lines(&grid.columns()[column].leaf(), 0));
        format!("\\multicolumn{{1}}{{c}}{{{text}}}")
    });
    line(out, headings.chain(leaves));
}

/// Neighbours of one outer key among some columns: label and how many columns it spans.
fn spans(grid: &Grid, columns: &Range<usize>, level: usize) -> Vec<(String, usize)> {
    let mut spans: Vec<(&[String], String, usize)> = Vec::new();
    for head in &grid.columns()[columns.clone()] {
        let (Some(outer), Some(label)) = (head.key.get(..=level), head.labels.get(level)) else {
            continue;
        };
        match spans.last_mut() {
            Some((last, _, width)) if *last == outer => *width += 1,
            _ => spans.push((outer, label.clone(), 1)),
        }
    }
    let bare = spans.into_iter();
    bare.map(|(_, label, width)| (label, width)).collect()
}

/// The lines of a head, one below the other.
fn stacked(lines: &[String]) -> String {
    match lines {
        [one] => escape(one),
        several => {
            let lines: Vec<String> = several.iter().map(|line| escape(line)).collect();
            format!(
                "\\begin{{tabular}}[b]{{@{{}}c@{{}}}}{}\\end{{tabular}}",
                lines.join(" \\\\ ")
            )
        }
    }
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    put!(out, "      {} \\\\\n", cells.join(" & "));
}

/// A cell in math mode, as columns that align at the point want it.
fn drawn(shown: &Shown, decimals: usize) -> String {
    let raised = |mark: &str| format!("\\textsuperscript{{{}}}", escape(mark));
    let mark = shown.mark.as_deref().map(raised).unwrap_or_default();
    let Some(number) = &shown.number else {
        let stars = if shown.stars.is_empty() {
            String::new()
        } else {
            raised(&shown.stars)
        };
        return format!("\\multicolumn{{1}}{{c}}{{---{stars}{mark}}}");
    };
    let number = match number.split_once('e') {
        Some((digits, exponent)) => format!("{digits}\\times{{10^{{{exponent}}}}}"),
        None => number.clone(),
    };
    // Where there are no decimals, the point is not shown and marks follow it.
    let point = if decimals == 0 { "." } else { "" };
    let plain_stars = shown.stars.chars().all(|star| star == '*');
    let stars = match shown.stars.as_str() {
        "" => String::new(),
        stars if plain_stars => format!("^{{{stars}}}"),
        other => raised(other),
    };
    let n = shown.n.map(|n| format!("\\;({n})")).unwrap_or_default();
    let tail = format!("{stars}{n}{mark}");
    if tail.is_empty() {
        number
    } else {
        format!("{number}{point}{tail}")
    }
}

/// The notes, one paragraph each, as wide as the table above them.
fn notes(out: &mut String, float: &Float) {
    if float.notes.is_empty() {
        return;
    }
    let width = if float.blocks.is_empty() {
        "\\linewidth"
    } else {
        "\\wd0"
    };
    put!(
        out,
        "  \\begin{{minipage}}{{{width}}}\n    \\footnotesize\\raggedright\n"
    );
    for note in &float.notes {
        put!(out, "    {note}\\par\n");
    }
    out.push_str("  \\end{minipage}\n");
}

/// A label that is safe in `\label` and `\ref`: letters, digits and single hyphens; `None` when nothing is left.
fn slug(title: &str) -> Option<String> {
    let letters = title.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            ' '
        }
    });
    let words: String = letters.collect();
    let slug = words.split_whitespace().collect::<Vec<_>>().join("-");
    (!slug.is_empty()).then_some(slug)
}
