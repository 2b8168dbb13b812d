//! The marks of a scale, one by one.

use crate::models::score::Scale;

/// Every number on the scale from the lowest up, where it has a step and at most so many of them.
///
/// Marks are rounded to twelve decimals where that stays on the scale, so that the fourth mark in
/// steps of 0.1 is 0.3 and not 0.30000000000000004.
pub(super) fn marks(scale: &Scale, most: usize) -> Option<Vec<f64>> {
    if scale.step <= 0.0 {
        return None;
    }
    let steps = ((scale.max - scale.min) / scale.step).round();
    if steps >= most as f64 {
        return None;
    }
    let mark = |step: usize| {
        let exact = scale.min + step as f64 * scale.step;
        let rounded = format!("{exact:.12}").parse().unwrap_or(exact);
        let mark = if scale.contains(rounded) {
            rounded
        } else {
            exact
        };
        // No reply says minus nought.
        if mark == 0.0 { 0.0 } else { mark }
    };
    Some((0..=steps as usize).map(mark).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_written_as_people_write_them() {
        let tenths = marks(&Scale::new(0.0, 1.0, 0.1).unwrap(), 101).unwrap();
        assert_eq!(tenths.len(), 11);
        assert_eq!(tenths[3].to_string(), "0.3");
        let halves = marks(&Scale::HALF_POINTS_1_TO_5, 101).unwrap();
        assert_eq!(halves[..3], [1.0, 1.5, 2.0]);
    }

    #[test]
    fn every_mark_is_on_the_scale() {
        for (min, max, step) in [(0.0, 1.0, 1.0 / 3.0), (-1.0, 1.0, 0.25), (0.0, 100.0, 1.0)] {
            let scale = Scale::new(min, max, step).unwrap();
            let marks = marks(&scale, 101).unwrap();
            assert!(marks.iter().all(|mark| scale.contains(*mark)), "{marks:?}");
        }
    }

    #[test]
    fn a_scale_without_steps_or_with_too_many_has_none() {
        assert_eq!(marks(&Scale::ANY_1_TO_5, 101), None);
        assert_eq!(marks(&Scale::new(0.0, 101.0, 1.0).unwrap(), 101), None);
    }
}
