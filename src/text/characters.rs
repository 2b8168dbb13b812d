//! Places in bytes as places in characters, which is how people and other programs count.

/// Counts the characters (Unicode scalar values, as Python's `len` does) before places in a text.
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

    /// How many characters stand before a byte. Asked for places in ascending order the walk through
    /// the text is one; a place further back costs a walk from the beginning.
    ///
    /// # Panics
    /// When the byte lies within a letter or outside the text.
    pub fn before(&mut self, byte: usize) -> usize {
        if self.ascii {
            return byte;
        }
        if byte < self.byte {
            (self.byte, self.counted) = (0, 0);
        }
        self.counted += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_several_bytes_count_once() {
        let text = "“é” is 😀.";
        let mut characters = Characters::new(text);
        for (count, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(characters.before(byte), count);
        }
        assert_eq!(characters.before(text.len()), text.chars().count());
        assert_eq!(characters.before(3), 1, "a place further back");
        assert_eq!(Characters::new("plain").before(5), 5);
    }
}
