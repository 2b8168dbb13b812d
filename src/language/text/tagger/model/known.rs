//! What the model says of one word.

/// What one feature says: some of the weights of the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Where a row goes in something that holds several.
pub(super) type Place<T> = fn(&mut T) -> &mut Row;

/// What a word has to do with the tags of its neighbours and with its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// Where it stands itself.
    pub(super) here: Row,
    /// To the word after it, and to the one after that.
    pub(super) to_next: Row,
    pub(super) to_second_next: Row,
    /// To the word before it, and to the one before that.
    pub(super) to_last: Row,
    pub(super) to_second_last: Row,
}

impl Beside {
    /// Where that goes which a feature of a kind says, by the name that the file has for the kind.
    pub(super) fn of_kind(kind: &str) -> Option<Place<Self>> {
        Some(match kind {
            "i word" => |known| &mut known.here,
            "i-1 word" => |known| &mut known.to_next,
            "i-2 word" => |known| &mut known.to_second_next,
            "i+1 word" => |known| &mut known.to_last,
            "i+2 word" => |known| &mut known.to_second_last,
            _ => return None,
        })
    }
}

/// The same by the ending of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ending {
    pub(super) to_next: Row,
    pub(super) to_last: Row,
}

impl Ending {
    /// As [`Beside::of_kind`].
    pub(super) fn of_kind(kind: &str) -> Option<Place<Self>> {
        Some(match kind {
            "i-1 suffix" => |known| &mut known.to_next,
            "i+1 suffix" => |known| &mut known.to_last,
            _ => return None,
        })
    }
}

/// All that is to be known of a word, wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Its only tag.
    pub(super) certain: Option<u8>,
    pub(super) beside: Beside,
    pub(super) ending: Ending,
    /// Which of the words is it of which something is known after certain tags.
    pub(super) with_tag: Option<usize>,
}
