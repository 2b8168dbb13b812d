//! A result that comes part by part: what is much is put away, so that no more than a part is in memory.

use super::inputs::World;
use crate::base::failure::Failure;
use crate::frame::{Frame, Packed};

/// So many bytes of a result are put away at once.
pub(super) const PART: usize = 2 << 20;

/// The rows of a result that are not put away yet.
pub(super) struct Pile<'w> {
    world: &'w dyn World,
    parts: Vec<Frame>,
    bytes: usize,
}

impl<'w> Pile<'w> {
    /// Of no rows yet.
    pub(super) fn new(world: &'w dyn World) -> Self {
        Self {
            world,
            parts: Vec::new(),
            bytes: 0,
        }
    }

    /// The next rows.
    ///
    /// # Errors
    /// When they cannot be put away.
    pub(super) fn push(&mut self, part: Frame) -> Result<(), Failure> {
        self.push_over(part, None)
    }

    /// The next rows, made of those `before`, row by row: what they hold as before is not packed again.
    ///
    /// # Errors
    /// When they cannot be put away.
    pub(super) fn push_over(&mut self, part: Frame, before: Option<Packed>) -> Result<(), Failure> {
        self.bytes += part.bytes();
        self.parts.push(part);
        if self.bytes >= PART {
            self.bytes = 0;
            let parts = std::mem::take(&mut self.parts);
            let before = before.filter(|_| parts.len() == 1);
            self.world.put_away(Frame::joined(&parts)?, before)?;
        }
        Ok(())
    }

    /// What is left to hand back.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub(super) fn end(self) -> Result<Frame, Failure> {
        Ok(Frame::joined(&self.parts)?)
    }
}
