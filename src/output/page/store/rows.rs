//! The rows of judgements in chunks: packed as they come, column by column, some thousand at a time.

use serde_json::{Value, json};

use super::cells;
use super::index::Filled;
use super::keep::Keep;
use super::kept::Kept;
use super::packing::gzip;
use super::press::Press;
use super::{Cell, Chunk, Column};

/// So many rows are in a chunk, but for the last.
const PER_CHUNK: usize = 1 << 14;

/// A judgement.
#[derive(Clone, Copy, Debug)]
pub struct Row<'t> {
    /// Where it belongs: rows of a smaller number come first, those of one number as they were pushed.
    pub rank: usize,
    /// A cell per column.
    pub cells: &'t [Cell<'t>],
    /// The position of the document that was judged.
    pub document: Option<usize>,
    /// The position of the reply.
    pub reply: Option<usize>,
}

/// Rows one after the other that belong together.
#[derive(Debug)]
struct Run {
    rank: usize,
    rows: usize,
}

/// All rows.
#[derive(Debug)]
pub(super) struct Rows {
    columns: Vec<Filled>,
    documents: Vec<u32>,
    replies: Vec<u32>,
    /// What the rows that wait for being packed belong to.
    open: Vec<Run>,
    /// Chunks that are full and not packed yet.
    full: Press,
    packed: Vec<Chunk>,
    /// For each chunk, what its rows belong to.
    runs: Vec<Vec<Run>>,
    count: usize,
    /// How many documents there are at least.
    last: usize,
}

/// What is said of all rows.
pub(super) struct Said {
    pub(super) count: usize,
    pub(super) columns: Vec<Value>,
    /// For each chunk, where its rows belong: pairs of the first place and how many.
    pub(super) blocks: Vec<Vec<[usize; 2]>>,
    /// How many documents they are about.
    pub(super) documents: usize,
    pub(super) chunks: Vec<Chunk>,
}

impl Rows {
    pub(super) fn new(columns: Vec<Column>) -> Self {
        Self {
            columns: columns.into_iter().map(Filled::new).collect(),
            documents: Vec::new(),
            replies: Vec::new(),
            open: Vec::new(),
            full: Press::default(),
            packed: Vec::new(),
            runs: Vec::new(),
            count: 0,
            last: 0,
        }
    }

    /// Whether a column has this name.
    pub(super) fn named(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name() == name)
    }

    pub(super) fn push(&mut self, row: Row<'_>, kept: &mut Kept<impl Keep>) {
        let cells = row.cells.iter().chain(std::iter::repeat(&Cell::None));
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(*cell, (row.rank, self.count));
        }
        self.documents.push(position(row.document));
        self.replies.push(position(row.reply));
        self.last = self.last.max(row.document.map_or(0, |at| at + 1));
        self.count += 1;
        match self.open.last_mut() {
            Some(run) if run.rank == row.rank => run.rows += 1,
            _ => self.open.push(Run {
                rank: row.rank,
                rows: 1,
            }),
        }
        if self.documents.len() == PER_CHUNK {
            self.pack(kept);
        }
    }

    fn pack(&mut self, kept: &mut Kept<impl Keep>) {
        let mut bytes = Vec::new();
        for column in &mut self.columns {
            column.pack(&mut bytes);
        }
        for positions in [&mut self.documents, &mut self.replies] {
            cells::positions(positions, &mut bytes);
            positions.clear();
        }
        self.runs.push(std::mem::take(&mut self.open));
        if let Some(gzip) = self.full.put(move || gzip(&bytes)) {
            self.put_chunk(&gzip, kept);
        }
    }

    fn put_chunk(&mut self, gzip: &[u8], kept: &mut Kept<impl Keep>) {
        let name = format!("rows-{}", self.packed.len());
        self.packed.push(kept.put(name, gzip));
    }

    pub(super) fn end(mut self, kept: &mut Kept<impl Keep>) -> Said {
        if !self.documents.is_empty() {
            self.pack(kept);
        }
        while let Some(gzip) = self.full.next() {
            self.put_chunk(&gzip, kept);
        }
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (chunk, of_chunk) in self.runs.iter().enumerate() {
            runs.extend((0..of_chunk.len()).map(|run| (of_chunk[run].rank, chunk, run)));
        }
        runs.sort_unstable();
        let blank = |runs: &Vec<Run>| vec![[0, 0]; runs.len()];
        let mut blocks: Vec<Vec<[usize; 2]>> = self.runs.iter().map(blank).collect();
        let mut place = 0;
        for (_, chunk, run) in runs {
            let rows = self.runs[chunk][run].rows;
            blocks[chunk][run] = [place, rows];
            place += rows;
        }
        let columns = self.columns.iter().enumerate();
        Said {
            count: self.count,
            columns: columns.filter_map(|(at, column)| column.json(at)).collect(),
            blocks,
            documents: self.last,
            chunks: self.packed,
        }
    }
}

impl Said {
    /// The chunk `index`, as JSON.
    pub(super) fn index(&self, of_documents: &[Value], per_chunk: [usize; 2]) -> Value {
        let mut index = json!({
            "rows": self.count,
            "columns": self.columns,
            "blocks": self.blocks,
            "documents_per_chunk": per_chunk[0],
            "replies_per_chunk": per_chunk[1],
        });
        if !of_documents.is_empty() {
            index["of_documents"] = json!(of_documents);
        }
        index
    }
}

/// A position from 1, or 0 for none.
fn position(position: Option<usize>) -> u32 {
    position.map_or(0, |at| u32::try_from(at + 1).unwrap_or(u32::MAX))
}
