//! Points in time as servers write them: seconds since 1970, or RFC 3339.
//!
//! Only as exact as a second, which is enough to tell new batches from old ones.

use serde_json::Value;

/// Seconds since 1970; `None` for what is no time, or one before 1970.
pub(in crate::models::provider) fn seconds(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => rfc3339(text),
        other => other.as_u64(),
    }
}

/// Reads `2024-08-20T18:37:24.100435Z` or the same with an offset such as `+02:00`.
fn rfc3339(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| {
        let digits = bytes.get(from..to)?;
        let value = |sum: i64, digit: &u8| {
            let digit = char::from(*digit).to_digit(10)?;
            Some(sum * 10 + i64::from(digit))
        };
        digits.iter().try_fold(0, value)
    };
    for (at, mark) in [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')] {
        if bytes.get(at) != Some(&mark) {
            return None;
        }
    }
    if !matches!(bytes.get(10), Some(b'T' | b't' | b' ')) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let mut zone = 19;
    if bytes.get(zone) == Some(&b'.') {
        zone += 1;
        while bytes.get(zone).is_some_and(u8::is_ascii_digit) {
            zone += 1;
        }
    }
    let offset = match bytes.get(zone)? {
        b'Z' | b'z' if bytes.len() == zone + 1 => 0,
        sign @ (b'+' | b'-') if bytes.len() == zone + 6 && bytes[zone + 3] == b':' => {
            let ahead = number(zone + 1, zone + 3)? * 3600 + number(zone + 4, zone + 6)? * 60;
            if *sign == b'+' { ahead } else { -ahead }
        }
        _ => return None,
    };
    let time = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    u64::try_from(time).ok()
}

/// Days from 1970-01-01 to a day of the Gregorian calendar, counting years from March so that the
/// leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let since_march = (month + 9) % 12;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (since_march * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_are_read() {
        for (text, wanted) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2024-08-20T18:37:24.100435Z", 1_724_179_044),
            ("2024-08-20T20:37:24+02:00", 1_724_179_044),
            ("2024-08-20 16:07:24.1-02:30", 1_724_179_044),
            ("2100-03-01t00:00:00z", 4_107_542_400),
        ] {
            assert_eq!(rfc3339(text), Some(wanted), "{text}");
        }
        assert_eq!(
            seconds(&serde_json::json!(1_711_471_533)),
            Some(1_711_471_533)
        );
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "yesterday",
            "2024-08-20",
            "2024-13-20T18:37:24Z",
            "2024-08-20T18:37:24",
            "2024-08-20T18:37:24.Zx",
            "2024-08-20T18:37:24+2:00",
            "1969-12-31T23:59:59Z",
            "２０２４-08-20T18:37:24Z",
            "2024-08-20T18:37:24+0é0",
        ] {
            assert_eq!(rfc3339(text), None, "{text}");
        }
        assert_eq!(seconds(&Value::Null), None);
        assert_eq!(seconds(&serde_json::json!(-1)), None);
        assert_eq!(seconds(&serde_json::json!(1.5)), None);
    }
}
