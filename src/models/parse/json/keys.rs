//! The keys of one reply, each read once: lists of issues repeat theirs over and over.
//!
//! Must not know what keys mean (see `key`).

use std::cell::RefCell;
use std::ops::Range;

use super::key::{Key, is_one_of};
use super::tree::Member;
use super::words::CHOICES;
use crate::models::parse::agree::Asked;

/// The most keys that are remembered; those of most replies are fewer.
const MOST: usize = 32;

/// What has been read so far: where a key stands first, and what it says.
#[derive(Debug, Default)]
pub(in crate::models::parse) struct Keys(RefCell<Vec<(Range<usize>, Key)>>);

impl Keys {
    /// What the key of a member says.
    pub(super) fn of(asked: &Asked<'_>, member: &Member) -> Key {
        let reply = asked.reply;
        let raw = &reply[member.key.clone()];
        let mut known = asked.keys.0.borrow_mut();
        let same = |(place, _): &&(Range<usize>, Key)| {
            place.len() == raw.len() && reply.as_bytes()[place.clone()] == *raw.as_bytes()
        };
        if let Some((_, key)) = known.iter().find(same) {
            return *key;
        }
        let key = match Key::read(raw, asked.metrics) {
            Key::Other if !asked.scale.labels.is_empty() && is_one_of(raw, &CHOICES) => Key::Value,
            key => key,
        };
        if known.len() < MOST {
            known.push((member.key.clone(), key));
        }
        key
    }
}
