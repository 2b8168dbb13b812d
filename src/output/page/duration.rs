//! How long something took, for people.

/// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`: two units at most; nothing for what took no time that counts.
pub(super) fn words(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "—".to_owned();
    }
    // The sum of nothing is minus zero.
    let seconds = seconds.abs();
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => two(whole / 60, "min", whole % 60, "s"),
        _ => two(whole / 3600, "h", whole % 3600 / 60, "min"),
    }
}

fn two(large: u64, unit: &str, small: u64, smaller: &str) -> String {
    if small == 0 {
        format!("{large} {unit}")
    } else {
        format!("{large} {unit} {small} {smaller}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let shown = [-0.0, 0.44, 9.99, 61.0, 120.0, 3600.0, 7860.0, f64::NAN].map(words);
        let expected = [
            "0.0 s",
            "0.4 s",
            "10 s",
            "1 min 1 s",
            "2 min",
            "1 h",
            "2 h 11 min",
            "—",
        ];
        assert_eq!(shown, expected);
    }
}
