//! A grid as a LaTeX table with booktabs rules.
//!
//! It compiles with `\usepackage{booktabs}` and nothing else. It must not set fonts or sizes of the table itself:
//! that is the paper's business.

use super::grid::{Grid, Shown};
use super::layout::unsafe_letter;
use super::text::put;

/// A `table` environment: caption, label `tab:…` made from the title, grouped column headers, notes in footnote size.
///
/// Characters beyond those common in western text are passed on as they are; documents that use them need an engine
/// that knows Unicode.
pub fn render(grid: &Grid) -> String {
    let layout = grid.layout();
    let mut out = String::from("\\begin{table}\n  \\centering\n");
    if !layout.headline().is_empty() {
        put!(out, "  \\caption{{{}}}\n", escape(&layout.headline()));
    }
    if let Some(label) = slug(&layout.title) {
        put!(out, "  \\label{{tab:{label}}}\n");
    }
    // A tabular needs at least one column even if there is nothing to show.
    let format = format!(
        "{}{}",
        "l".repeat(layout.rows.len()),
        "r".repeat(grid.columns().len())
    );
    let format = if format.is_empty() { "l" } else { &format };
    put!(out, "  \\begin{{tabular}}{{{format}}}\n    \\toprule\n");
    head(&mut out, grid);
    out.push_str("    \\midrule\n");
    for (row, head) in grid.rows().iter().enumerate() {
        let labels = head.labels.iter().map(|label| escape(label));
        line(
            &mut out,
            labels.chain((0..grid.columns().len()).map(|column| drawn(&grid.shown(row, column)))),
        );
    }
    out.push_str("    \\bottomrule\n  \\end{tabular}\n");
    notes(&mut out, grid);
    out.push_str("\\end{table}\n");
    out
}

/// One header row per column field; groups are centred over their columns with a rule below.
fn head(out: &mut String, grid: &Grid) {
    let layout = grid.layout();
    let levels = layout.columns.len();
    let first = layout.rows.len() + 1;
    for level in 0..levels.saturating_sub(1) {
        let mut rules = String::new();
        let mut from = first;
        let groups: Vec<String> = grid
            .spans(level)
            .into_iter()
            .map(|(label, width)| {
                put!(rules, "\\cmidrule(lr){{{from}-{}}}", from + width - 1);
                from += width;
                format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(&label))
            })
            .collect();
        line(out, layout.rows.iter().map(|_| String::new()).chain(groups));
        if !rules.is_empty() {
            put!(out, "    {rules}\n");
        }
    }
    let headings = layout
        .rows
        .iter()
        .map(|field| escape(&layout.heading(field)));
    let leaves = grid
        .columns()
        .iter()
        .map(|head| escape(&head.labels.last().cloned().unwrap_or_else(|| head.flat())));
    line(out, headings.chain(leaves));
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    put!(out, "    {} \\\\\n", cells.join(" & "));
}

fn drawn(shown: &Shown) -> String {
    let raised = |mark: &str| format!("\\textsuperscript{{{}}}", escape(mark));
    let mark = shown.mark.as_deref().map(raised).unwrap_or_default();
    let Some(number) = &shown.number else {
        return format!("---{mark}");
    };
    let stars = if shown.stars.is_empty() {
        String::new()
    } else {
        raised(&shown.stars)
    };
    let n = shown.n.map(|n| format!(" ({n})")).unwrap_or_default();
    format!("{}{stars}{n}{mark}", number.replace('-', "$-$"))
}

fn notes(out: &mut String, grid: &Grid) {
    out.push_str("\n  \\par\\smallskip\n  \\begin{minipage}{\\linewidth}\n    \\footnotesize\n");
    for note in grid.footnotes() {
        let text = escape(&note.text);
        put!(
            out,
            "    \\textsuperscript{{{}}}~{text}\\par\n",
            escape(&note.mark)
        );
    }
    for remark in grid.remarks() {
        put!(out, "    {}\\par\n", escape(&remark));
    }
    out.push_str("  \\end{minipage}\n");
}

/// Text with every sign escaped that means something in LaTeX.
///
/// Brackets and stars are wrapped too: at the start of a row they would be read as an argument of the `\\` before.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(letter);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '|' => out.push_str("$|$"),
            // By number, since the usual commands for them need a font encoding or a package.
            '"' => out.push_str(r"{\char34}"),
            '`' => out.push_str(r"{\char96}"),
            // Hyphens in a row would be typeset as a dash.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            '[' | ']' | '*' => put!(out, "{{{letter}}}"),
            letter if unsafe_letter(letter) => out.push(' '),
            letter => match sign(letter) {
                Some(command) => out.push_str(command),
                None => out.push(letter),
            },
        }
    }
    out
}

/// Signs that occur in reports and that not every LaTeX engine knows as characters.
fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        '—' => "{---}",
        '–' => "{--}",
        '−' => "$-$",
        '·' => "$\\cdot$",
        '†' => "\\dag{}",
        '‡' => "\\ddag{}",
        '§' => "\\S{}",
        '¶' => "\\P{}",
        '‖' => "$\\|$",
        '≤' => "$\\leq$",
        '≥' => "$\\geq$",
        '≠' => "$\\neq$",
        '≈' => "$\\approx$",
        '×' => "$\\times$",
        '±' => "$\\pm$",
        '→' => "$\\rightarrow$",
        '∞' => "$\\infty$",
        '…' => "\\ldots{}",
        'Δ' => "$\\Delta$",
        'Σ' => "$\\Sigma$",
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'δ' => "$\\delta$",
        'ε' => "$\\varepsilon$",
        'κ' => "$\\kappa$",
        'λ' => "$\\lambda$",
        'μ' => "$\\mu$",
        'π' => "$\\pi$",
        'ρ' => "$\\rho$",
        'σ' => "$\\sigma$",
        'τ' => "$\\tau$",
        'χ' => "$\\chi$",
        '²' => "$^2$",
        _ => return None,
    })
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
