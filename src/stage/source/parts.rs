//! Files that are too large to be in memory together, part by part.
//!
//! Here is the way that most take. Whatever is unusual (a row without a name, a document that is there twice, a column that
//! holds lists here and texts there) is left to the reading of the whole, which knows what to say of it.

use std::collections::BTreeSet;

use super::columns::check_reasons;
use super::{Format, Source};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ForeignParts, Frame, Fresh, Lines, Records};
use crate::stage::Output;
use crate::stage::inputs::{Listed, World};
use crate::stage::pile::{PART, Pile};

/// Files of fewer bytes are read whole.
const LONG: u64 = 12 * PART as u64;

impl Source {
    /// Reads large files part by part; nothing, where they are small, or have to be read together.
    pub(super) fn in_parts(&self, world: &dyn World) -> Result<Option<Output>, Failure> {
        if !self.gutenberg.is_empty() || self.metadata.is_some() {
            return Ok(None);
        }
        let mut files = world.files(&self.files)?;
        if files.iter().map(|file| file.bytes).sum::<u64>() < LONG {
            return Ok(None);
        }
        let are = |wanted: Format| {
            let mut formats = files.iter().map(|file| Format::of(&file.name));
            formats.all(|format| format == Some(wanted))
        };
        let read = if are(Format::JsonLines) {
            self.lines(&files, world)
        } else if are(Format::Csv) {
            self.records(&files, world)
        } else if are(Format::Parquet) {
            self.groups(&files, world)
        } else if are(Format::Text) {
            self.texts(&mut files, world)
        } else {
            Ok(None)
        };
        match read {
            Ok(Some(output)) => Ok(Some(output)),
            Err(_) if world.is_stopped() => read,
            Ok(None) | Err(_) => {
                world.start_over();
                Ok(None)
            }
        }
    }

    fn lines(&self, files: &[Listed], world: &dyn World) -> Result<Option<Output>, Failure> {
        let odd = || Failure::new("the lines have to be looked through first");
        let mut fresh = Fresh::default();
        let mut reading = Reading::new(self, world);
        let mut at_once = || {
            for file in files {
                world.pieces(file, &mut |piece| {
                    let part = fresh.read(piece)?.ok_or_else(odd)?;
                    reading.add(self.shaped(&part, &mut [])?)
                })?;
                if !fresh.end_file() {
                    return Err(odd());
                }
            }
            Ok(())
        };
        match at_once() {
            Ok(()) => reading.end(),
            Err(stopped) if world.is_stopped() => Err(stopped),
            Err(_) => {
                world.start_over();
                self.lines_after_a_look(files, world)
            }
        }
    }

    /// The same, where the first lines do not have all that columns hold.
    fn lines_after_a_look(
        &self,
        files: &[Listed],
        world: &dyn World,
    ) -> Result<Option<Output>, Failure> {
        let odd = || Failure::new("the lines have to be read together");
        let mut all = Lines::default();
        for file in files {
            let mut own = Lines::default();
            world.pieces(file, &mut |piece| {
                own.look(piece).then_some(()).ok_or_else(odd)
            })?;
            if !all.join(own) {
                return Ok(None);
            }
        }
        let mut reading = Reading::new(self, world);
        for file in files {
            world.pieces(file, &mut |piece| {
                reading.add(self.shaped(&all.read(piece)?, &mut [])?)
            })?;
        }
        reading.end()
    }

    fn records(&self, files: &[Listed], world: &dyn World) -> Result<Option<Output>, Failure> {
        let text = self.text.as_deref().unwrap_or("text");
        let new = || Records::new(&[&self.ids()[..], &[text]].concat());
        match self.rows_of(new(), files, world) {
            Ok(output) => Ok(output),
            Err(stopped) if world.is_stopped() => Err(stopped),
            Err(_) => {
                world.start_over();
                let mut all = new();
                for file in files {
                    world.pieces(file, &mut |piece| Ok(all.look(piece)?))?;
                    all.look_at_end()?;
                }
                self.rows_of(all.again()?, files, world)
            }
        }
    }

    fn rows_of(
        &self,
        mut records: Records,
        files: &[Listed],
        world: &dyn World,
    ) -> Result<Option<Output>, Failure> {
        let mut reading = Reading::new(self, world);
        for file in files {
            world.pieces(file, &mut |piece| match records.read(piece)? {
                Some(part) => reading.add(self.shaped(&part, &mut [])?),
                None => Ok(()),
            })?;
            if let Some(part) = records.end()? {
                reading.add(self.shaped(&part, &mut [])?)?;
            }
        }
        // Two of them may be one number, written apart.
        if records
            .decimals()
            .any(|name| self.key.iter().any(|key| key == name))
        {
            return Ok(None);
        }
        reading.end()
    }

    fn groups(&self, files: &[Listed], world: &dyn World) -> Result<Option<Output>, Failure> {
        let odd = || Failure::new("the groups of rows have to be read together");
        let wanted = self.of_parquet();
        let mut reading = Reading::new(self, world);
        let mut first: Option<Frame> = None;
        for file in files {
            world.look_into(file, &mut |file| {
                let mut parts = ForeignParts::open(file)?.ok_or_else(odd)?;
                for at in 0..parts.count() {
                    let part = self.shaped(&parts.part(at, wanted.as_deref())?, &mut [])?;
                    if !first.get_or_insert_with(|| part.emptied()).fits(&part) {
                        return Err(odd());
                    }
                    // Groups may be long: what comes of them is put away as it is of other files.
                    let rows = part.rows() / (part.bytes() / PART + 1) + 1;
                    for start in (0..part.rows()).step_by(rows) {
                        let some: Vec<usize> = (start..part.rows().min(start + rows)).collect();
                        reading.add(part.take(&some)?.compact()?)?;
                    }
                }
                Ok(())
            })?;
        }
        reading.end()
    }

    fn texts(&self, files: &mut [Listed], world: &dyn World) -> Result<Option<Output>, Failure> {
        // The folders they lie in are in no key, so they must not decide about the order.
        files.sort_by(|a, b| a.name.cmp(&b.name));
        if files.windows(2).any(|two| two[0].name == two[1].name) {
            return Ok(None);
        }
        let mut reading = Reading::new(self, world);
        let mut rest = &files[..];
        while !rest.is_empty() {
            let (mut ids, mut texts, mut bytes) = (Vec::new(), Vec::new(), 0);
            while bytes < PART
                && let Some((file, others)) = rest.split_first()
            {
                let (id, text) = Self::document(&world.file(file)?)?;
                bytes += text.len();
                ids.push(id);
                texts.push(text);
                rest = others;
            }
            reading.add(Frame::new(vec![
                ("doc_id".to_owned(), ColumnData::text(ids)),
                ("text".to_owned(), ColumnData::text(texts)),
            ])?)?;
        }
        reading.end()
    }
}

/// Rows on their way, and what is known of those before.
struct Reading<'s> {
    source: &'s Source,
    pile: Pile<'s>,
    seen: BTreeSet<String>,
    empty: Vec<String>,
}

impl<'s> Reading<'s> {
    fn new(source: &'s Source, world: &'s dyn World) -> Self {
        Self {
            source,
            pile: Pile::new(world),
            seen: BTreeSet::new(),
            empty: Vec::new(),
        }
    }

    fn add(&mut self, part: Frame) -> Result<(), Failure> {
        check_reasons(&part)?;
        if !self.source.seen_twice(&part, &mut self.seen)?.is_empty() {
            return Err(Failure::new("a document is there twice"));
        }
        let part = self.source.without_empty(part, &mut self.empty)?;
        self.source.said_of_empty(&self.empty)?;
        self.pile.push(part)
    }

    fn end(self) -> Result<Option<Output>, Failure> {
        let mut output = Output::of(self.pile.end()?);
        output
            .warnings
            .extend(self.source.said_of_empty(&self.empty)?);
        Ok(Some(output))
    }
}
