//! The inputs of a stage: tables, and the seed, files and tokenizers that it declares.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use super::{StageName, with_reasons};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::{Frame, FrameError, Packed, Seekable};
use crate::language::text::Tokenizer;
use crate::language::text::TokenizerSpec;

/// The tables that a stage reads: for each stage read, in that order, all its instances in the order of the plan.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    tables: Vec<(StageName, Arc<Frame>)>,
    /// The one table that is read, if it is too long to be in memory.
    long: Option<Arc<dyn Long>>,
}

/// A table too long to be in memory, which is read part by part.
pub trait Long: Send + Sync + std::fmt::Debug {
    /// How many rows each part has.
    fn rows(&self) -> &[usize];

    /// A part, by its place.
    ///
    /// # Errors
    /// When it cannot be read.
    fn part(&self, at: usize) -> Result<Frame, FrameError>;

    /// The same with its pages as they are stored, where they are.
    ///
    /// # Errors
    /// The same.
    fn packed(&self, at: usize) -> Result<(Frame, Option<Packed>), FrameError> {
        Ok((self.part(at)?, None))
    }

    /// Some rows of a part.
    ///
    /// # Errors
    /// The same.
    fn some_rows(&self, at: usize, rows: &[usize]) -> Result<Frame, FrameError> {
        self.part(at)?.take(rows)?.compact()
    }

    /// Some columns of a part, those of them that there are.
    ///
    /// # Errors
    /// The same.
    fn narrow_part(&self, at: usize, columns: &[&str]) -> Result<Frame, FrameError> {
        Ok(self.part(at)?.only(&columns.iter().copied().collect()))
    }

    /// Some columns of all parts, those of them that there are.
    ///
    /// # Errors
    /// When they cannot be read.
    fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, FrameError>;
}

impl Inputs {
    /// Tables with the names of their stages.
    pub fn new(tables: Vec<(StageName, Arc<Frame>)>) -> Self {
        Self { tables, long: None }
    }

    /// One table, for a stage that works on a part of it at a time.
    pub fn long(table: Arc<dyn Long>) -> Self {
        Self {
            tables: Vec::new(),
            long: Some(table),
        }
    }

    /// Whether the one table that is read is too long to be in memory.
    pub(super) fn is_long(&self) -> bool {
        self.long.is_some()
    }

    /// The parts of the table of a stage that reads one; it is one part where it is in memory. The next part is read while
    /// one is worked on.
    pub(super) fn parts<'i>(&'i self) -> Box<dyn Iterator<Item = Result<Part<'i>, Failure>> + 'i> {
        match &self.long {
            Some(long) => {
                let (count, long) = (long.rows().len(), Arc::clone(long));
                let parts = read_ahead(count, move |at| long.packed(at));
                Box::new(parts.map(|part| {
                    let (rows, packed) = part?;
                    let rows = Cow::Owned(rows);
                    Ok(Part { rows, packed })
                }))
            }
            None => Box::new(iter::once_with(|| {
                let rows = Cow::Borrowed(self.one()?);
                Ok(Part { rows, packed: None })
            })),
        }
    }

    /// Some rows of the table of a stage that reads one, which come in its order, part by part.
    pub(super) fn some_rows<'i>(
        &'i self,
        rows: &[usize],
    ) -> Box<dyn Iterator<Item = Result<Frame, Failure>> + 'i> {
        let Some(long) = &self.long else {
            let taken = self.one().and_then(|all| Ok(all.take(rows)?));
            return Box::new(iter::once(taken));
        };
        let (mut rest, mut before, mut wanted) = (rows, 0, Vec::new());
        for (at, count) in long.rows().iter().enumerate() {
            let (here, after) = rest.split_at(rest.partition_point(|&row| row < before + count));
            if !here.is_empty() {
                let here: Vec<usize> = here.iter().map(|row| row - before).collect();
                wanted.push((at, here));
            }
            (rest, before) = (after, before + count);
        }
        if wanted.is_empty() {
            // Of no rows the columns are wanted all the same.
            wanted.push((0, Vec::new()));
        }
        let (count, long) = (wanted.len(), Arc::clone(long));
        Box::new(read_ahead(count, move |at| {
            let (part, rows) = &wanted[at];
            long.some_rows(*part, rows)
        }))
    }

    /// Those of some columns that the table has, part by part, with what says why their cells are empty.
    pub(super) fn narrow_parts(
        &self,
        columns: &BTreeSet<&str>,
    ) -> Box<dyn Iterator<Item = Result<Frame, Failure>>> {
        let columns = with_reasons(columns);
        let Some(long) = &self.long else {
            let columns = columns.iter().map(String::as_str).collect();
            return Box::new(iter::once(self.one().map(|table| table.only(&columns))));
        };
        let (count, long) = (long.rows().len(), Arc::clone(long));
        Box::new(read_ahead(count, move |at| {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            long.narrow_part(at, &columns)
        }))
    }

    /// The one table that is read as any other, in memory however long it is.
    pub(super) fn in_memory(&self, name: &StageName) -> Result<Self, Failure> {
        let table = self.whole()?.into_owned();
        Ok(Self::new(vec![(name.clone(), Arc::new(table))]))
    }

    /// Those of some columns that the table has, of all of its rows.
    pub(super) fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Cow<'_, Frame>, Failure> {
        match &self.long {
            Some(long) => Ok(Cow::Owned(long.narrow(columns)?)),
            None => self.one().map(Cow::Borrowed),
        }
    }

    /// The table of a stage that reads one, in memory however long it is.
    pub(super) fn whole(&self) -> Result<Cow<'_, Frame>, Failure> {
        if !self.is_long() {
            return self.one().map(Cow::Borrowed);
        }
        let parts = self.parts().map(|part| part.map(Part::into_owned));
        let parts: Vec<Frame> = parts.collect::<Result<_, _>>()?;
        Ok(Cow::Owned(Frame::joined(&parts)?))
    }

    /// The first table, for stages that read one.
    ///
    /// # Errors
    /// When there is none.
    pub fn one(&self) -> Result<&Frame, Failure> {
        let first = self.tables.first().map(|(_, frame)| &**frame);
        first.ok_or_else(|| Failure::new("the stage reads one stage"))
    }

    /// About how many bytes all tables take in memory; of one that is too long for it, whatever it takes is more.
    pub fn bytes(&self) -> usize {
        if self.is_long() {
            return usize::MAX;
        }
        let tables = self.tables.iter();
        tables.map(|(_, table)| table.bytes()).sum()
    }

    /// All tables.
    pub fn all(&self) -> Vec<&Frame> {
        self.tables.iter().map(|(_, frame)| &**frame).collect()
    }

    /// Some of the tables, by their places.
    pub(super) fn slice(&self, places: std::ops::Range<usize>) -> Self {
        Self::new(self.tables.get(places).unwrap_or_default().to_vec())
    }

    /// All tables with the names of their stages.
    pub(super) fn named(&self) -> impl Iterator<Item = (&StageName, &Frame)> {
        self.tables.iter().map(|(name, frame)| (name, &**frame))
    }

    /// The rows of all tables together.
    ///
    /// # Errors
    /// When one column holds different things.
    pub fn together(&self) -> Result<Frame, FrameError> {
        stack(self.tables.iter())
    }

    /// Each table with the place of its stage among these, in the order of the stages and then of the plan.
    pub(super) fn by_instance(&self, stages: &[&StageName]) -> Vec<(usize, &Frame)> {
        let of = |(at, stage): (usize, &&StageName)| {
            let tables = self.tables.iter().filter(move |(name, _)| name == *stage);
            tables
                .map(move |(_, frame)| (at, &**frame))
                .collect::<Vec<_>>()
        };
        stages.iter().enumerate().flat_map(of).collect()
    }

    /// The rows of each of these stages, of all its instances together.
    ///
    /// # Errors
    /// When one column holds different things.
    pub fn by_stage(&self, stages: &[&StageName]) -> Result<Vec<(StageName, Frame)>, FrameError> {
        let of = |stage: &StageName| stack(self.tables.iter().filter(|(name, _)| name == stage));
        let stages = stages.iter();
        stages
            .map(|&stage| Ok((stage.clone(), of(stage)?)))
            .collect()
    }
}

/// Some rows of a table that is read part by part.
pub(super) struct Part<'i> {
    rows: Cow<'i, Frame>,
    packed: Option<Packed>,
}

impl Part<'_> {
    pub(super) fn into_owned(self) -> Frame {
        self.rows.into_owned()
    }

    /// Its pages, where it is stored.
    pub(super) fn into_packed(self) -> Option<Packed> {
        self.packed
    }
}

impl Deref for Part<'_> {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.rows
    }
}

/// What is read for each of so many places, in their order. The next ones are read while one is worked on.
fn read_ahead<T: Send + 'static>(
    count: usize,
    read: impl Fn(usize) -> Result<T, FrameError> + Send + Sync + 'static,
) -> impl Iterator<Item = Result<T, Failure>> {
    let read = Arc::new(read);
    // Each reads every other part, and is one ahead: parts take unequal times.
    let readers = [0, 1].map(|first| {
        let read = Arc::clone(&read);
        let (ready, parts) = mpsc::sync_channel(0);
        std::thread::spawn(move || {
            for at in (first..count).step_by(2) {
                // Nobody is there to take it where the stage has failed.
                if ready.send(read(at)).is_err() {
                    return;
                }
            }
        });
        parts
    });
    // Counted here: rows must not be lost in silence where the reading ends early.
    (0..count).map(move |at| {
        let part = readers[at % 2].recv();
        let part = part.map_err(|_| Failure::new("reading a part of a table broke off"))?;
        Ok(part?)
    })
}

fn stack<'f>(
    tables: impl Iterator<Item = &'f (StageName, Arc<Frame>)>,
) -> Result<Frame, FrameError> {
    let frames: Vec<Frame> = tables.map(|(_, frame)| Frame::clone(frame)).collect();
    Frame::stack(&frames)
}

/// A file as it is handed to a stage.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The file's name without its folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Where it lies: for messages, and for nothing else.
    pub path: PathBuf,
}

/// A file that a stage declares.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The file's name without its folder.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// How long it is, as far as the system says.
    pub bytes: u64,
}

/// What a stage may know beside the tables it reads.
pub trait World: Sync {
    /// The stage's name, by which what it draws is named.
    fn name(&self) -> &StageName;

    /// The experiment's seed, for stages that draw.
    fn seed(&self) -> u64;

    /// A tokenizer that the stage declares, ready to count.
    ///
    /// # Errors
    /// When its file cannot be read.
    fn tokenizer(&self, tokenizer: &TokenizerSpec) -> Result<Tokenizer, Failure>;

    /// The files behind names and patterns that the stage declares, each once.
    ///
    /// # Errors
    /// A file that is not there, or that the stage does not declare.
    fn files(&self, patterns: &[PathBuf]) -> Result<Vec<Listed>, Failure>;

    /// A file with its bytes.
    ///
    /// # Errors
    /// When it cannot be read, or is not the one that the key was made from.
    fn file(&self, listed: &Listed) -> Result<SourceFile, Failure>;

    /// Hands on the bytes of a file in pieces of whole lines.
    ///
    /// # Errors
    /// The same, or what `each` says.
    fn pieces(
        &self,
        listed: &Listed,
        each: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure>;

    /// Lets a stage read here and there in a file.
    ///
    /// # Errors
    /// The same, or what `read` says; nothing that was read may be used then.
    fn look_into(
        &self,
        listed: &Listed,
        read: &mut dyn FnMut(&mut dyn Seekable) -> Result<(), Failure>,
    ) -> Result<(), Failure>;

    /// The files behind names and patterns that the stage declares, with their bytes.
    ///
    /// # Errors
    /// The same.
    fn read(&self, patterns: &[PathBuf]) -> Result<Vec<SourceFile>, Failure> {
        let files = self.files(patterns)?;
        files.iter().map(|file| self.file(file)).collect()
    }

    /// Puts rows of the result away that are done, so that they need not stay in memory. Those that the stage hands back
    /// come after them.
    ///
    /// # Errors
    /// When they cannot be written.
    fn put_away(&self, part: Frame, before: Option<Packed>) -> Result<(), Failure>;

    /// Forgets the rows that were put away.
    fn start_over(&self);

    /// Whether the stage may say that its result is the one table that it reads: not where columns are added to it.
    fn may_hand_on(&self) -> bool;

    /// Says that the result is the one table that is read, as it stands, so that its texts need not be written once more.
    fn hand_on(&self);

    /// Whether the run is to stop: whoever waits for a program does not wait any longer.
    fn is_stopped(&self) -> bool;

    /// What a program said of a row before, if it is kept under this key.
    ///
    /// # Errors
    /// When what is kept cannot be read.
    fn recall(&self, key: &Digest) -> Result<Option<Vec<u8>>, Failure>;

    /// Keeps what a program said of rows, durably.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, said: &[(Digest, Vec<u8>)]) -> Result<(), Failure>;

    /// What the stage declares as downloads, in that order.
    ///
    /// # Errors
    /// The same.
    fn downloads(&self) -> Result<Vec<SourceFile>, Failure>;
}
