//! What the model says of one word.

/// What one feature says: some of the weights of the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// What a word has to do with the tags of its neighbours and, with the tag before it, with its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Its only tag.
    pub(super) certain: Option<u8>,
    /// Where it stands itself.
    pub(super) here: Row,
    /// The same after certain tags.
    pub(super) with_tag: Vec<(usize, Row)>,
    /// To the word after it, by its letters and by its ending, and to the one after that.
    pub(super) to_next: [Row; 2],
    pub(super) to_second_next: Row,
    /// To the word before it, and to the one before that.
    pub(super) to_last: [Row; 2],
    pub(super) to_second_last: Row,
}

impl Known {
    /// Where it stands itself, after a tag.
    pub(super) fn after(&self, tag: usize) -> Row {
        let found = self.with_tag.iter().find(|(known, _)| *known == tag);
        found.map(|(_, row)| *row).unwrap_or_default()
    }
}
