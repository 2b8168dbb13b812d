//! Bars that fit on one line of a terminal: what is under way, how far it is, how fast, how long it will still take.
//!
//! It only lays them out; what they count is the caller's.

use std::fmt::Write as _;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::base::wording::squeeze;

/// Columns that stand beside the name and the numbers of a bar: itself, the rate, the time left, blanks.
const BESIDE: usize = 42;

/// Where a terminal's width is not known.
const USUAL: usize = 80;

/// How bars are laid out on a terminal so wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bars {
    width: usize,
}

impl Bars {
    pub(super) fn new(width: Option<usize>) -> Self {
        Self {
            width: width.unwrap_or(USUAL),
        }
    }

    /// The bar of a whole run, of so many things called by a noun in the plural.
    pub(super) fn whole(total: u64, nouns: &str) -> ProgressBar {
        let bar = ProgressBar::new(total);
        bar.set_style(style(&format!(
            "{{bar:16}} {{pos}}/{{len}} {nouns}  {{elapsed}}  {{wide_msg}}"
        )));
        bar
    }

    /// The bar of a part of the run; its message is made by [`message`](Self::message).
    pub(super) fn part(self, total: u64) -> ProgressBar {
        let bar = ProgressBar::new(total);
        let room = self.room(total);
        bar.set_style(
            style(&format!(
                "  {{msg:{room}}} {{bar:12}} {{pos}}/{{len}}  {{rate}}  {{eta}} left"
            ))
            .with_key(
                "rate",
                |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = out.write_str(&rate(state.per_sec()));
                },
            ),
        );
        bar
    }

    /// What stands before the bar of a part: its name, as far as there is room.
    pub(super) fn message(self, total: u64, name: &str) -> String {
        squeeze(name, self.room(total))
    }

    fn room(self, total: u64) -> usize {
        let mut digits = String::new();
        let _ = write!(digits, "{total}/{total}");
        self.width
            .saturating_sub(BESIDE + digits.len())
            .clamp(12, 60)
    }
}

/// How fast: `12/s`, or `3.5/min` where it is slower than one in a second.
fn rate(per_second: f64) -> String {
    match per_second {
        r if !r.is_finite() || r <= 0.0 => "–".to_owned(),
        10.0.. => format!("{per_second:.0}/s"),
        1.0.. => format!("{per_second:.1}/s"),
        _ => format!("{:.1}/min", per_second * 60.0),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▉▊▋▌▍▎▏ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_in_units_that_people_say() {
        assert_eq!(
            [0.0, 0.05, 2.04, 88.4].map(rate),
            ["–", "3.0/min", "2.0/s", "88/s"]
        );
    }

    #[test]
    fn a_long_name_leaves_room_for_the_numbers() {
        let name = "judge.memory[model=LN-noT, context=context, scan=1000, task=gold]";
        let shown = Bars::new(Some(80)).message(130, name);
        assert!(
            shown.chars().count() + BESIDE + "130/130".len() <= 80,
            "{shown}"
        );
        assert!(shown.ends_with("task=gold]"), "{shown}");
    }
}
