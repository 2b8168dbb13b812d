//! Places in bytes and places in UTF-16 code units, which is how scripts count.

use std::ops::Range;

/// So many bytes lie between two places that are counted once and for all.
const STEP: usize = 1024;

/// Counts the code units before places of one text. Made once per text, asked for places in any order: each costs a
/// walk through a kilobyte at most.
#[derive(Debug)]
pub struct Units<'t> {
    text: &'t str,
    /// Places about [`STEP`] bytes apart and the units before them; empty for a text of ASCII.
    counted: Vec<(usize, usize)>,
    ascii: bool,
}

impl<'t> Units<'t> {
    /// Looks through a text.
    pub fn new(text: &'t str) -> Self {
        let ascii = text.is_ascii();
        let mut counted = Vec::new();
        let (mut byte, mut units) = (0, 0);
        while !ascii && byte < text.len() {
            counted.push((byte, units));
            let next = text.ceil_char_boundary(byte.saturating_add(STEP));
            units += length(&text[byte..next]);
            byte = next;
        }
        Self {
            text,
            counted,
            ascii,
        }
    }

    /// The units before a byte; a byte within a letter counts as that letter's first, one outside the text as its end.
    pub fn before(&self, byte: usize) -> usize {
        let byte = self.text.floor_char_boundary(byte);
        if self.ascii {
            return byte;
        }
        let near = self.counted.partition_point(|(start, _)| *start <= byte);
        let (start, units) = match near.checked_sub(1) {
            Some(near) => self.counted[near],
            None => (0, 0),
        };
        units + length(&self.text[start..byte])
    }

    /// The place of these bytes.
    pub fn place(&self, bytes: &Range<usize>) -> [usize; 2] {
        [self.before(bytes.start), self.before(bytes.end)]
    }
}

/// The units of a text.
fn length(text: &str) -> usize {
    // Letters of four bytes, and no others, take two. As many are counted in bytes at once as fit in one.
    let units = |bytes: &[u8]| {
        bytes.iter().fold(0_u8, |units, &byte| {
            units + u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0)
        })
    };
    let some = text.as_bytes().chunks(127);
    some.map(|bytes| usize::from(units(bytes))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_utf_16_wherever_the_place_is() {
        let text = "aé—😀 “x” ".repeat(400);
        let units = Units::new(&text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(units.before(byte), text[..byte].encode_utf16().count());
        }
        assert_eq!(Units::new("plain").place(&(1..4)), [1, 4]);
    }

    #[test]
    fn a_place_within_a_letter_or_outside_the_text_is_brought_to_a_place_of_it() {
        let units = Units::new("a😀");
        assert_eq!(units.before(3), 1);
        assert_eq!(units.before(99), 3);
        assert_eq!(Units::new("").before(4), 0);
    }
}
