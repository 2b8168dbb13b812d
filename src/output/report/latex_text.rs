//! Text for LaTeX: every sign that would be obeyed is escaped, every letter that an engine may lack has a stand-in.
//!
//! Ready for `pdflatex` with any font encoding as well as for `lualatex` and `xelatex`. It must not know tables.

use unicode_width::UnicodeWidthChar;

use super::layout::unsafe_letter;
use super::text::put;

/// What a file must say before it uses a text that [`escape`] made with stand-ins: `\tribunalletter` shows the letter
/// where the engine reads Unicode and the font has it, `\tribunallatin` also where the encoding of the font has it, as T1 does. Both
/// may stand in captions, since they are expanded before anything is written to a list of tables.
pub(super) const STANDINS: &str = r"\providecommand*\tribunalletter[2]{\ifdefined\Umathchardef\iffontchar\font`#1 #1\else#2\fi\else#2\fi}
\providecommand*\tribunallatin[2]{\ifdefined\Umathchardef#1\else\ifcsname\csname f@encoding\endcsname\string\k\endcsname#1\else#2\fi\fi}
";

/// Whether a text needs [`STANDINS`].
pub(super) fn has_standins(text: &str) -> bool {
    text.contains("\\tribunall")
}

/// How many columns a text takes in a font of fixed width, with its stand-ins, which may be wider than the letters.
pub(super) fn width(text: &str) -> usize {
    let letters = text.chars();
    letters
        .map(|letter| {
            let mut shown = String::new();
            one(&mut shown, letter);
            if has_standins(&shown) {
                "[U+0000]".len()
            } else {
                letter.width().unwrap_or(1)
            }
        })
        .sum()
}

/// Text with every sign escaped that means something in LaTeX, and every letter replaced that not all engines show.
///
/// Brackets and stars are wrapped too: at the start of a row they would be read as an argument of the `\\` before.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_alphabetic()
            && let Some(accent) = letters.peek().copied().and_then(accent)
        {
            letters.next();
            // Without their dots, i and j take an accent.
            let base = match letter {
                'i' => "\\i".to_owned(),
                'j' => "\\j".to_owned(),
                other => other.to_string(),
            };
            put!(out, "{{\\{accent}{{{base}}}}}");
            continue;
        }
        one(&mut out, letter);
    }
    out
}

fn one(out: &mut String, letter: char) {
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
        letter if letter.is_ascii() => out.push(letter),
        letter => foreign(out, letter),
    }
}

/// A letter beyond ASCII: as a command that every engine has, as it is where every engine knows it, or with a
/// stand-in.
fn foreign(out: &mut String, letter: char) {
    if let Some(command) = sign(letter) {
        out.push_str(command);
    } else if let Some(greek) = greek(letter) {
        put!(out, "${greek}$");
    } else if is_common(letter) {
        out.push(letter);
    } else if let Some(shown) = outside_ot1(letter) {
        put!(out, "\\tribunallatin{{{letter}}}{{{shown}}}");
    } else if matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ad}')
    {
        // Marks without a width of their own: joiners, direction, choice of a glyph.
    } else if matches!(u32::from(letter), 0xE000..=0xF8FF | 0xFFFC..=0xFFFF) {
        // No font has these, and some engines take them for damage.
        put!(out, "{{[}}U+{:04X}{{]}}", u32::from(letter));
    } else {
        put!(
            out,
            "\\tribunalletter{{{letter}}}{{{{[}}U+{:04X}{{]}}}}",
            u32::from(letter)
        );
    }
}

/// The accent command of a combining mark.
fn accent(mark: char) -> Option<&'static str> {
    Some(match mark {
        '\u{300}' => "`",
        '\u{301}' => "'",
        '\u{302}' => "^",
        '\u{303}' => "~",
        '\u{304}' => "=",
        '\u{306}' => "u",
        '\u{307}' => ".",
        '\u{308}' => "\"",
        '\u{30a}' => "r",
        '\u{30b}' => "H",
        '\u{30c}' => "v",
        '\u{323}' => "d",
        '\u{327}' => "c",
        _ => return None,
    })
}

/// Letters that LaTeX knows with any font encoding; found by typesetting all of them in OT1.
fn is_common(letter: char) -> bool {
    matches!(u32::from(letter),
        0xA1..=0xA3 | 0xA5 | 0xA7 | 0xA9 | 0xAE | 0xB0 | 0xB6 | 0xBF | 0xC0..=0xCF | 0xD1..=0xDD | 0xDF..=0xEF
        | 0xF1..=0xFD | 0xFF..=0x103 | 0x106..=0x10F | 0x112..=0x117 | 0x11A..=0x125
        | 0x128..=0x12D | 0x130..=0x137 | 0x139..=0x13E | 0x141..=0x148 | 0x14C..=0x165
        | 0x168..=0x171 | 0x174..=0x17E | 0x218..=0x21B | 0x2018 | 0x2019 | 0x201C | 0x201D
        | 0x20AC | 0x2116 | 0x2122)
}

/// Letters that LaTeX knows in T1 alone, and what stands for them elsewhere.
fn outside_ot1(letter: char) -> Option<String> {
    Some(match letter {
        '«' => "$\\ll$".to_owned(),
        '»' => "$\\gg$".to_owned(),
        '‹' => "$<$".to_owned(),
        '›' => "$>$".to_owned(),
        '„' => ",,".to_owned(),
        '‚' => ",".to_owned(),
        'Ð' | 'ð' | 'Þ' | 'þ' | 'Đ' | 'đ' | 'Ą' | 'ą' | 'Ę' | 'ę' | 'Į' | 'į' | 'Ŋ' | 'ŋ' | 'Ų'
        | 'ų' => format!("{{[}}U+{:04X}{{]}}", u32::from(letter)),
        _ => return None,
    })
}

/// Signs that occur in reports and that not every LaTeX engine knows as characters.
fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{a0}' | '\u{202f}' => "~",
        '\u{2002}'..='\u{200a}' => " ",
        '\u{2010}' | '\u{2011}' => "-",
        '\u{2012}' | '–' => "{--}",
        '—' | '―' => "{---}",
        '−' => "$-$",
        '·' => "$\\cdot$",
        '•' => "$\\bullet$",
        '†' => "\\dag{}",
        '‡' => "\\ddag{}",
        '‖' => "$\\|$",
        '≤' => "$\\leq$",
        '≥' => "$\\geq$",
        '≠' => "$\\neq$",
        '≈' => "$\\approx$",
        '∼' => "$\\sim$",
        '×' => "$\\times$",
        '÷' => "$\\div$",
        '±' => "$\\pm$",
        '¬' => "$\\neg$",
        '→' => "$\\rightarrow$",
        '←' => "$\\leftarrow$",
        '↑' => "$\\uparrow$",
        '↓' => "$\\downarrow$",
        '↔' => "$\\leftrightarrow$",
        '⇒' => "$\\Rightarrow$",
        '∞' => "$\\infty$",
        '∈' => "$\\in$",
        '∑' => "$\\sum$",
        '∏' => "$\\prod$",
        '√' => "$\\surd$",
        '∂' => "$\\partial$",
        '∅' => "$\\emptyset$",
        '…' => "\\ldots{}",
        '′' => "$'$",
        '″' => "$''$",
        '¹' => "$^1$",
        '²' => "$^2$",
        '³' => "$^3$",
        '½' => "$\\frac12$",
        '¼' => "$\\frac14$",
        '¾' => "$\\frac34$",
        _ => return None,
    })
}

/// Greek letters as formulas; capitals that look Latin are written with Latin letters, as LaTeX does.
fn greek(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Γ' => "\\Gamma",
        'Δ' | '∆' => "\\Delta",
        'Θ' => "\\Theta",
        'Λ' => "\\Lambda",
        'Ξ' => "\\Xi",
        'Π' => "\\Pi",
        'Σ' => "\\Sigma",
        'Υ' => "\\Upsilon",
        'Φ' => "\\Phi",
        'Ψ' => "\\Psi",
        'Ω' | '\u{2126}' => "\\Omega",
        'Α' => "\\mathrm{A}",
        'Β' => "\\mathrm{B}",
        'Ε' => "\\mathrm{E}",
        'Ζ' => "\\mathrm{Z}",
        'Η' => "\\mathrm{H}",
        'Ι' => "\\mathrm{I}",
        'Κ' => "\\mathrm{K}",
        'Μ' => "\\mathrm{M}",
        'Ν' => "\\mathrm{N}",
        'Ο' => "\\mathrm{O}",
        'Ρ' => "\\mathrm{P}",
        'Τ' => "\\mathrm{T}",
        'Χ' => "\\mathrm{X}",
        'α' => "\\alpha",
        'β' => "\\beta",
        'γ' => "\\gamma",
        'δ' => "\\delta",
        'ε' => "\\varepsilon",
        'ζ' => "\\zeta",
        'η' => "\\eta",
        'θ' => "\\theta",
        'ι' => "\\iota",
        'κ' => "\\kappa",
        'λ' => "\\lambda",
        'μ' | '\u{b5}' => "\\mu",
        'ν' => "\\nu",
        'ξ' => "\\xi",
        'ο' => "o",
        'π' => "\\pi",
        'ρ' => "\\rho",
        'σ' => "\\sigma",
        'ς' => "\\varsigma",
        'τ' => "\\tau",
        'υ' => "\\upsilon",
        'φ' | 'ϕ' => "\\phi",
        'χ' => "\\chi",
        'ψ' => "\\psi",
        'ω' => "\\omega",
        _ => return None,
    })
}
