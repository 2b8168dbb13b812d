//! From places that count characters to places that count bytes.

/// Walks once through a text, so that converting all places of a reply takes linear time.
pub(super) struct Walk<'t> {
    text: &'t str,
    character: usize,
    byte: usize,
}

impl<'t> Walk<'t> {
    /// At the start of a text.
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            character: 0,
            byte: 0,
        }
    }

    /// The byte at which a character starts, or at which the text ends where `character` is the
    /// number of its characters; none beyond that, and none for a place before the last one asked for.
    pub(super) fn to(&mut self, character: usize) -> Option<usize> {
        let ahead = character.checked_sub(self.character)?;
        if ahead > 0 {
            let mut rest = self.text[self.byte..].chars();
            rest.nth(ahead - 1)?;
            self.byte = self.text.len() - rest.as_str().len();
            self.character = character;
        }
        Some(self.byte)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_end_of_the_text_is_the_last_place() {
        let mut walk = Walk::new("é🎻a");
        assert_eq!(walk.to(0), Some(0));
        assert_eq!(walk.to(1), Some(2));
        assert_eq!(walk.to(2), Some(6));
        assert_eq!(walk.to(3), Some(7));
        assert_eq!(walk.to(3), Some(7));
        assert_eq!(walk.to(4), None);
        assert_eq!(walk.to(usize::MAX), None);
        assert_eq!(Walk::new("").to(0), Some(0));
        assert_eq!(Walk::new("").to(1), None);
    }

    #[test]
    fn there_is_no_way_back() {
        let mut walk = Walk::new("abc");
        walk.to(2);
        assert_eq!(walk.to(1), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn bytes_and_characters_name_the_same_places(text in any::<String>(), step in 1_usize..5) {
            let mut walk = Walk::new(&text);
            let count = text.chars().count();
            for character in (0..=count).step_by(step) {
                let byte = walk.to(character).unwrap();
                prop_assert_eq!(text[..byte].chars().count(), character);
            }
            prop_assert_eq!(walk.to(count + 1), None);
        }
    }
}
