//! Which letters lie beside one another on a QWERTY keyboard.
//!
//! Letters only: digits and punctuation beside them are no neighbours, so that a typo stays a word of
//! letters. The rows are offset by a quarter and a half of a key, as on a usual keyboard.

/// The letters whose keys touch this letter's key, all in small letters; none for other characters.
pub(super) fn neighbours(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'q' => "wa",
        'w' => "qeas",
        'e' => "wrsd",
        'r' => "etdf",
        't' => "ryfg",
        'y' => "tugh",
        'u' => "yihj",
        'i' => "uojk",
        'o' => "ipkl",
        'p' => "ol",
        'a' => "qwsz",
        's' => "weadzx",
        'd' => "ersfxc",
        'f' => "rtdgcv",
        'g' => "tyfhvb",
        'h' => "yugjbn",
        'j' => "uihknm",
        'k' => "iojlm",
        'l' => "opk",
        'z' => "asx",
        'x' => "sdzc",
        'c' => "dfxv",
        'v' => "fgcb",
        'b' => "ghvn",
        'n' => "hjbm",
        'm' => "jkn",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual_and_in_reach() {
        let place = |letter: char| {
            ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
                .iter()
                .zip([0.0, 0.25, 0.75])
                .enumerate()
                .find_map(|(row, (keys, offset))| {
                    Some((keys.find(letter)? as f64 + offset, row as f64))
                })
                .unwrap()
        };
        for one in 'a'..='z' {
            for other in 'a'..='z' {
                let ((x, row), (x_other, row_other)) = (place(one), place(other));
                let touching = one != other
                    && (row - row_other).abs() <= 1.0
                    && (x - x_other).abs()
                        <= if (row - row_other).abs() < 0.5 {
                            1.0
                        } else {
                            0.75
                        };
                assert_eq!(
                    neighbours(one).contains(other),
                    touching,
                    "{one} and {other}"
                );
            }
        }
    }

    #[test]
    fn only_english_letters_have_neighbours() {
        assert_eq!(neighbours('A'), neighbours('a'));
        for other in [' ', '1', '.', 'é', 'я', '\0'] {
            assert_eq!(neighbours(other), "");
        }
    }
}
