//! Places in bytes and places in characters, which is how people and other programs count.

/// Walks through a text and counts its characters (Unicode scalar values, as Python's `len` does).
///
/// Asked for places in ascending order the walk is one, so converting all places of a text takes
/// linear time; a place further back costs a walk from the beginning.
#[derive(Debug)]
pub struct Characters<'t> {
    text: &'t str,
    ascii: bool,
    byte: usize,
    counted: usize,
}

impl<'t> Characters<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            ascii: text.is_ascii(),
            byte: 0,
            counted: 0,
        }
    }

    /// How many characters stand before a byte; none where the byte lies within a letter or outside
    /// the text.
    pub fn before(&mut self, byte: usize) -> Option<usize> {
        if !self.text.is_char_boundary(byte) {
            return None;
        }
        if self.ascii {
            return Some(byte);
        }
        if byte < self.byte {
            (self.byte, self.counted) = (0, 0);
        }
        self.counted += self.text.get(self.byte..byte)?.chars().count();
        self.byte = byte;
        Some(self.counted)
    }

    /// The byte at which a character starts, or at which the text ends where `character` is the
    /// number of its characters; none beyond that.
    pub fn byte(&mut self, character: usize) -> Option<usize> {
        if self.ascii {
            return (character <= self.text.len()).then_some(character);
        }
        if character < self.counted {
            (self.byte, self.counted) = (0, 0);
        }
        if let Some(last) = (character - self.counted).checked_sub(1) {
            let mut rest = self.text.get(self.byte..)?.chars();
            rest.nth(last)?;
            self.byte = self.text.len() - rest.as_str().len();
            self.counted = character;
        }
        Some(self.byte)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_of_several_bytes_count_once() {
        let text = "“é” is 😀.";
        let mut characters = Characters::new(text);
        for (count, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(characters.before(byte), Some(count));
        }
        assert_eq!(characters.before(text.len()), Some(text.chars().count()));
        assert_eq!(characters.before(3), Some(1), "a place further back");
        assert_eq!(Characters::new("plain").before(5), Some(5));
    }

    #[test]
    fn a_byte_within_a_letter_or_outside_the_text_is_no_place() {
        let mut characters = Characters::new("é🎻a");
        for byte in [1, 3, 5, 8, usize::MAX] {
            assert_eq!(characters.before(byte), None, "{byte}");
        }
        assert_eq!(characters.before(7), Some(3));
        assert_eq!(Characters::new("plain").before(6), None);
    }

    #[test]
    fn the_end_of_the_text_is_the_last_place() {
        for (text, ends) in [
            ("é🎻a", [0, 2, 6, 7].as_slice()),
            ("ab", &[0, 1, 2]),
            ("", &[0]),
        ] {
            let mut characters = Characters::new(text);
            for (character, byte) in ends.iter().enumerate() {
                assert_eq!(characters.byte(character), Some(*byte));
                assert_eq!(characters.byte(character), Some(*byte));
            }
            assert_eq!(characters.byte(ends.len()), None);
            assert_eq!(characters.byte(usize::MAX), None);
            assert_eq!(characters.byte(0), Some(0), "a place further back");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn bytes_and_characters_name_the_same_places(text in any::<String>(), step in 1_usize..5) {
            let mut characters = Characters::new(&text);
            let count = text.chars().count();
            for character in (0..=count).step_by(step) {
                let byte = characters.byte(character).unwrap();
                prop_assert_eq!(text[..byte].chars().count(), character);
                prop_assert_eq!(characters.before(byte), Some(character));
            }
            prop_assert_eq!(characters.byte(count + 1), None);
        }
    }
}
