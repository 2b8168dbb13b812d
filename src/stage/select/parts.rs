//! Choosing rows of a table of which a part is in memory at a time.

use super::Select;
use super::lengths::{Asked, Lengths};
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::language::text::sentences;
use crate::stage::Output;
use crate::stage::inputs::{Inputs, World};
use crate::stage::pile::Pile;
use crate::stage::rows::each;

impl Select {
    /// Like [`Select::choose`] for a table of which a part is in memory at a time. No two conditions on rows know of each
    /// other, so lengths of texts may be looked at first or last; what compares rows with each other needs the lengths of all
    /// before.
    pub(super) fn choose_in_parts(
        &self,
        inputs: &Inputs,
        world: &dyn World,
    ) -> Result<Output, Failure> {
        let mut fits = Vec::new();
        if self.looks_at_lengths() && self.compares() {
            for part in inputs.parts() {
                let part = part?;
                fits.extend(self.fits(&part, &(0..part.rows()).collect::<Vec<_>>())?);
            }
        }
        let narrow = inputs.narrow(&self.columns_of_conditions())?;
        let lengths = if self.looks_at_lengths() && !self.compares() {
            Lengths::Later
        } else {
            Lengths::Known(&fits)
        };
        let (rows, warnings) = self.rows(&narrow, lengths, world.name(), world.seed())?;
        let all = narrow.rows();
        drop(narrow);
        let mut asked = Asked::default();
        let (frame, kept) = self.kept_of(&rows, all, (lengths, &mut asked), inputs, world)?;
        let mut output = Output::of(frame);
        output.warnings = warnings;
        output.warnings.extend(asked.told());
        output.warnings.extend(self.told(kept, all));
        Ok(output)
    }

    /// These of `all` rows, as far as lengths fit that are looked at now, and how many they are. Nothing is written while all
    /// rows are kept as they are: where that holds to the end, the result is the table that is read.
    fn kept_of(
        &self,
        rows: &[usize],
        all: usize,
        (lengths, asked): (Lengths<'_>, &mut Asked),
        inputs: &Inputs,
        world: &dyn World,
    ) -> Result<(Frame, usize), Failure> {
        let later = matches!(lengths, Lengths::Later);
        let as_it_is = self.columns.is_empty() && self.add.is_empty() && rows.len() == all;
        let unchanged = as_it_is && world.may_hand_on();
        if unchanged && !later {
            world.hand_on();
            return Ok((Frame::joined(&[])?, all));
        }
        let mut pile = Pile::new(world);
        if !later && rows.len() < all {
            for part in inputs.some_rows(rows) {
                pile.push(self.shown(part?)?)?;
            }
            return Ok((pile.end()?, rows.len()));
        }
        let (mut rows, mut before, mut kept) = (rows, 0, 0);
        // Parts of which every row is kept, before any other.
        let mut whole = 0;
        for (at, part) in inputs.parts().enumerate() {
            let part = part?;
            let end = before + part.rows();
            let (here, after) = rows.split_at(rows.partition_point(|&row| row < end));
            let mut here: Vec<usize> = here.iter().map(|row| row - before).collect();
            if later {
                here = asked.of_these(&here, self.fits(&part, &here)?.into_iter());
            }
            kept += here.len();
            (rows, before) = (after, end);
            let every = here.len() == part.rows();
            if unchanged && every && whole == at {
                whole += 1;
                continue;
            }
            if unchanged && whole == at && whole > 0 {
                // The first of which one is not: those before come after all.
                for part in inputs.parts().take(whole) {
                    let part = part?;
                    pile.push_over(Frame::clone(&part), part.into_packed())?;
                }
            }
            if every {
                let shown = self.shown(Frame::clone(&part))?;
                pile.push_over(shown, part.into_packed())?;
            } else {
                pile.push(self.shown(part.take(&here)?.compact()?)?)?;
            }
        }
        if unchanged && kept == all {
            world.hand_on();
        }
        Ok((pile.end()?, kept))
    }
}

impl Select {
    pub(super) fn looks_at_lengths(&self) -> bool {
        self.tokens.is_some() || self.sentences.is_some() || self.sentence_characters.is_some()
    }

    /// Whether the texts of these rows are of the lengths asked for; nothing where there is no text.
    pub(super) fn fits(&self, input: &Frame, rows: &[usize]) -> Result<Vec<Option<bool>>, Failure> {
        let column = input.column("text")?;
        Ok(each(rows.len(), |at| {
            let text = column.text(rows[at])?;
            Some(self.fits_text(&text))
        }))
    }

    fn fits_text(&self, text: &str) -> bool {
        if let Some((least, most)) = self.tokens
            && !(least..=most).contains(&(text.split_whitespace().count() as u64))
        {
            return false;
        }
        if self.sentences.is_none() && self.sentence_characters.is_none() {
            return true;
        }
        let sentences = sentences(text).len() as u64;
        let characters = text.chars().count() as u64;
        // Without sentences there is no mean length of them.
        self.sentences
            .is_none_or(|(least, most)| (least..=most).contains(&sentences))
            && self.sentence_characters.is_none_or(|(least, most)| {
                let all = least.saturating_mul(sentences)..=most.saturating_mul(sentences);
                sentences > 0 && all.contains(&characters)
            })
    }
}
