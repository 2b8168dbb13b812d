//! Words for messages: near names, lists, counts, lines.
//!
//! Pure string functions. Nothing here knows what a spec is, and nothing here decides whether something is wrong.

mod near;
mod wrap;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use indexmap::IndexMap;

pub use self::near::{did_you_mean, folded, near_or, nearest};
pub use self::wrap::{wrap, wrap_lines};

/// The names in backticks, with commas and a final `and`: "`a`, `b` and `c`"; empty for no names.
pub fn list_of<S: AsRef<str>>(names: &[S]) -> String {
    join(names, "and")
}

/// The names in backticks, with commas and a final `or`: "`a`, `b` or `c`"; empty for no names.
pub fn choice_of<S: AsRef<str>>(names: &[S]) -> String {
    join(names, "or")
}

/// A number with its noun: "1 document", "3 documents", "2 queries" (`-y` after a consonant and hissing ends are known).
pub fn count(n: impl Number, noun: &str) -> String {
    count_of(n, noun, &plural(noun))
}

/// A number with its noun and an irregular plural: `count_of(2, "axis", "axes")`.
pub fn count_of<N: Number>(n: N, one: &str, many: &str) -> String {
    format!("{n} {}", if n == N::from(true) { one } else { many })
}

/// A whole number of any width.
pub trait Number: Copy + PartialEq + From<bool> + std::fmt::Display {}

impl<N: Copy + PartialEq + From<bool> + std::fmt::Display> Number for N {}

/// A number that may be large with its noun: "1 row", "12,345 rows".
pub fn many(n: u64, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{} {}", thousands(n), plural(noun)),
    }
}

/// Reasons with how often each holds, the most frequent first: "150 no score found, 30 refused".
pub fn counted(reasons: &BTreeMap<String, u64>) -> String {
    let mut reasons: Vec<(&String, &u64)> = reasons.iter().collect();
    reasons.sort_by_key(|(_, n)| Reverse(**n));
    let reasons: Vec<String> = reasons
        .into_iter()
        .map(|(reason, n)| format!("{} {}", thousands(*n), reason.replace('-', " ")))
        .collect();
    reasons.join(", ")
}

fn join<S: AsRef<str>>(names: &[S], last: &str) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// A noun in the plural: "documents", "queries".
pub fn plural(noun: &str) -> String {
    let hissing = ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| noun.ends_with(end));
    if let Some(stem) = noun.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'i', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    format!("{noun}{}", if hissing { "es" } else { "s" })
}

/// What there is of something: "the models are `a` and `b`", "the only model is `a`", "there is no model yet".
pub fn there_are<S: AsRef<str>>(one: &str, many: &str, names: &[S]) -> String {
    match names {
        [] => format!("there is no {one} yet"),
        [only] => format!("the only {one} is `{}`", only.as_ref()),
        several => format!("the {many} are {}", list_of(several)),
    }
}

/// Up to five names as [`list_of`] shows them, and how many more there are.
pub fn some_of<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 5;
    if names.len() <= MOST {
        return list_of(names);
    }
    let shown: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    format!("{} and {} more", shown.join(", "), names.len() - MOST)
}

/// Names with what is to be said of each, those of which the same is to be said together; long lists are cut.
pub fn some_because(names: &[(String, String)]) -> String {
    const MOST: usize = 5;
    let mut reasons: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (name, why) in names {
        reasons.entry(why).or_default().push(name);
    }
    let mut shown: Vec<String> = reasons
        .iter()
        .take(MOST)
        .map(|(why, alike)| format!("{} ({why})", some_of(alike)))
        .collect();
    let rest: usize = reasons
        .iter()
        .skip(MOST)
        .map(|(_, alike)| alike.len())
        .sum();
    if rest > 0 {
        shown.push(format!("and {rest} more"));
    }
    let together = reasons.iter().any(|(_, alike)| alike.len() > 1);
    shown.join(if together { "; " } else { ", " })
}

/// At most `most` characters of a text, on one line, with an ellipsis where it was cut.
pub fn shorten(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// A number with commas between its thousands: `12,345`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How large something is: `0.4 kB`, `26.4 kB`, `5.3 MB`, `1.2 GB`.
pub fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        0.0..999_950.0 => format!("{:.1} kB", bytes / 1e3),
        0.0..999_950_000.0 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// How long something took: `0.61 s`, `4.2 s`, `2 min 59 s`, `3 h 5 min`.
pub fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        ..9.995 => format!("{seconds:.2} s"),
        ..59.95 => format!("{seconds:.1} s"),
        ..3599.5 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// At most `most` characters of a name, with an ellipsis in the middle where it was cut: what tells names apart often
/// stands at their end.
pub fn squeeze(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let kept = most.saturating_sub(1);
    let (head, tail) = (kept - kept / 2, kept / 2);
    let head: String = letters[..head].iter().collect();
    let tail: String = letters[letters.len() - tail..].iter().collect();
    format!("{head}…{tail}")
}

/// Two texts cut to what can be read in a line: from a little before where they part, where that is far.
pub fn excerpts(a: &str, b: &str, longest: usize) -> (String, String) {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() <= longest && b.len() <= longest {
        return (a.iter().collect(), b.iter().collect());
    }
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let from = if common > longest / 2 {
        common - longest / 4
    } else {
        0
    };
    let cut = |text: &[char]| -> String {
        let before = if from > 0 { "…" } else { "" };
        let shown: String = text.iter().skip(from).take(longest).collect();
        let cut = text.len() > from + longest;
        format!("{before}{shown}{}", if cut { "…" } else { "" })
    };
    (cut(&a), cut(&b))
}

/// An amount, with as many digits as it needs.
pub fn money(amount: f64) -> String {
    if amount == 0.0 || amount >= 0.1 {
        format!("${amount:.2}")
    } else {
        format!("${amount:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_in_units_that_people_say() {
        let sizes = [0, 26_400, 999_949, 999_951, 5_300_000, 1_240_000_000].map(size);
        assert_eq!(
            sizes,
            [
                "0.0 kB", "26.4 kB", "999.9 kB", "1.0 MB", "5.3 MB", "1.2 GB"
            ]
        );
        let times = [0.614, 9.99, 59.94, 60.4, 179.0, 11_100.0].map(time);
        assert_eq!(
            times,
            [
                "0.61 s",
                "9.99 s",
                "59.9 s",
                "1 min 0 s",
                "2 min 59 s",
                "3 h 5 min"
            ]
        );
    }

    #[test]
    fn a_long_name_keeps_its_beginning_and_its_end() {
        assert_eq!(squeeze("judge.a[task=typos]", 30), "judge.a[task=typos]");
        assert_eq!(squeeze("judge.a[task=typos]", 11), "judge…ypos]");
        assert_eq!(squeeze("judge", 1), "…");
    }

    #[test]
    fn large_numbers_of_things_are_set_apart() {
        assert_eq!(many(1, "reply"), "1 reply");
        assert_eq!(many(12_345, "stored reply"), "12,345 stored replies");
    }

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 999, 1_000, 65_536, 1_234_567].map(thousands);
        assert_eq!(shown, ["0", "999", "1,000", "65,536", "1,234,567"]);
    }

    #[test]
    fn names_with_reasons_are_cut_where_there_are_many() {
        let of = |n: usize| {
            let names: Vec<(String, String)> = (0..n)
                .map(|n| (format!("d{n}"), format!("it has {n}")))
                .collect();
            some_because(&names)
        };
        assert_eq!(of(2), "`d0` (it has 0), `d1` (it has 1)");
        assert!(of(9).ends_with("`d4` (it has 4), and 4 more"), "{}", of(9));
    }

    #[test]
    fn names_with_the_same_reason_stand_together() {
        let pair = |name: usize, why: &str| (format!("d{name}"), why.to_owned());
        let names = [pair(0, "short"), pair(1, "empty"), pair(2, "short")];
        assert_eq!(some_because(&names), "`d0` and `d2` (short); `d1` (empty)");
        let many: Vec<_> = (0..9).map(|name| pair(name, "short")).collect();
        assert_eq!(
            some_because(&many),
            "`d0`, `d1`, `d2`, `d3`, `d4` and 4 more (short)"
        );
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(list_of::<&str>(&[]), "");
        assert_eq!(list_of(&["a"]), "`a`");
        assert_eq!(list_of(&["a", "b"]), "`a` and `b`");
        assert_eq!(choice_of(&["a", "b", "c"]), "`a`, `b` or `c`");
    }

    #[test]
    fn what_there_is_agrees_in_number() {
        assert_eq!(
            there_are::<&str>("axis", "axes", &[]),
            "there is no axis yet"
        );
        assert_eq!(there_are("axis", "axes", &["a"]), "the only axis is `a`");
        assert_eq!(
            there_are("axis", "axes", &["a", "b"]),
            "the axes are `a` and `b`"
        );
    }

    #[test]
    fn counts_agree_in_number() {
        assert_eq!(count(1, "document"), "1 document");
        assert_eq!(count(0, "document"), "0 documents");
        assert_eq!(count(3, "query"), "3 queries");
        assert_eq!(count(2, "key"), "2 keys");
        assert_eq!(count(2, "match"), "2 matches");
        assert_eq!(count_of(2, "axis", "axes"), "2 axes");
    }
}
