//! The kinds of stage: each a plain value that says what to do, and a function from tables to a
//! table that does it.
//!
//! The kinds are a closed set, so that a new one makes the compiler list every place to extend.
//! A stage must not touch the cache, know about concurrency, or print.

mod annotate;
mod asking;
mod clean;
mod columns;
mod export;
mod expression;
mod figure;
mod figure_bins;
mod generate;
mod judge;
mod keywords;
mod kind;
mod manipulate;
mod measure;
mod memo;
mod output;
mod previous;
mod recorded;
mod refused;
mod rows;
mod select;
mod shortfall;
mod source;
mod split;
mod stats;
mod table;
mod truncate;

use serde::Serialize;

pub use self::annotate::Annotator;
pub use self::asking::{Answer, Asking, Prompt, Rows, Shows};
pub use self::clean::{CLEANED, Clean};
pub use self::columns::{Column, Columns, Head, Heads, Holds, Lack, Value};
pub use self::export::{Export, ExportFormat};
pub use self::expression::{Expression, Kept};
pub use self::figure::{Counted, Figure, FigurePart, Interval, rows};
pub(crate) use self::figure_bins::MOST as BINS;
pub use self::generate::{Generate, Shape, Written};
pub use self::judge::{Judge, RESERVED, Reading, Structured, read_reply, tabulate};
pub use self::keywords::Keywords;
pub use self::kind::{Kind, StageName};
pub use self::manipulate::{DAMAGE_COLUMNS, Manipulate};
pub use self::measure::{Measure, Metric};
pub use self::memo::{MEMO_COLUMNS, Memo, Order};
pub use self::output::{Counts, Output};
pub use self::previous::Previous;
pub use self::recorded::{Layer, Recorded, UndoError, layers, undo};
pub use self::refused::NOT_APPLICABLE;
pub use self::select::{Select, Top};
pub use self::shortfall::{Missing, Shortfall, shortfalls};
pub use self::source::{BOOK_COLUMNS, Empty, Format, MIRROR, Source, SourceFile};
pub use self::split::{Cut, Overlap, Parts, SPLIT_COLUMNS, Split};
pub use self::stats::{BESIDE, CORRECTED, Correction, Pair, Stats, Test, statistics};
pub use self::table::{Part, Table, cells};
pub use self::truncate::{Length, Truncate};
use crate::language::text::TokenizerSpec;
use crate::models::spec::ModelSpec;

/// One configured stage. Everything serialised here is part of its key; everything skipped
/// (paths, concurrency, formats) is not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Stage {
    /// Reads documents.
    Source(Source),
    /// Cleans raw texts.
    Clean(Clean),
    /// Keeps some rows.
    Select(Select),
    /// Cuts every text into parts.
    Split(Split),
    /// Keeps the beginning of every text.
    Truncate(Truncate),
    /// Damages every text in a recorded way.
    Manipulate(Box<Manipulate>),
    /// Counts things in every text.
    Measure(Measure),
    /// Has a model write a text for every row.
    Generate(Box<Generate>),
    /// Has a model score every row.
    Judge(Box<Judge>),
    /// Puts the judgements of a document's sections together.
    Memo(Memo),
    /// Computes statistics over scores.
    Stats(Stats),
    /// Arranges statistics as a table.
    Table(Table),
    /// Chooses and arranges the rows of a figure.
    Figure(Figure),
    /// Writes rows to a file.
    Export(Export),
}

impl Stage {
    /// The stage's kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Source(_) => Kind::Source,
            Self::Clean(_) => Kind::Clean,
            Self::Select(_) => Kind::Select,
            Self::Split(_) => Kind::Split,
            Self::Truncate(_) => Kind::Truncate,
            Self::Manipulate(_) => Kind::Manipulate,
            Self::Measure(_) => Kind::Measure,
            Self::Generate(_) => Kind::Generate,
            Self::Judge(_) => Kind::Judge,
            Self::Memo(_) => Kind::Memo,
            Self::Stats(_) => Kind::Stats,
            Self::Table(_) => Kind::Table,
            Self::Figure(_) => Kind::Figure,
            Self::Export(_) => Kind::Export,
        }
    }

    /// The stages this one reads, in a fixed order without repetition.
    pub fn reads(&self) -> Vec<&StageName> {
        match self {
            Self::Source(_) => Vec::new(),
            Self::Clean(clean) => vec![&clean.from],
            Self::Select(select) => vec![&select.from],
            Self::Split(split) => vec![&split.from],
            Self::Truncate(truncate) => vec![&truncate.from],
            Self::Manipulate(manipulate) => manipulate.reads(),
            Self::Measure(measure) => vec![&measure.from],
            Self::Generate(generate) => vec![&generate.from],
            Self::Judge(judge) => vec![&judge.from],
            Self::Memo(memo) => memo.reads(),
            Self::Export(export) => export.from.iter().collect(),
            Self::Stats(stats) => stats.from.iter().collect(),
            Self::Table(table) => {
                let mut from: Vec<&StageName> = table.parts.iter().map(|part| &part.from).collect();
                from.sort();
                from.dedup();
                from
            }
            Self::Figure(figure) => {
                let mut from: Vec<&StageName> =
                    figure.parts.iter().map(|part| &part.from).collect();
                from.sort();
                from.dedup();
                from
            }
        }
    }

    /// What a token is to it, where that matters.
    pub fn tokenizer(&self) -> Option<&TokenizerSpec> {
        match self {
            Self::Truncate(truncate) => Some(&truncate.tokenizer),
            Self::Split(split) => split.parts.tokenizer(),
            Self::Manipulate(manipulate) => manipulate.tokenizer.as_ref(),
            Self::Generate(_) | Self::Judge(_) => self.model()?.tokenizer.as_ref(),
            _ => None,
        }
    }

    /// The model it asks, if it asks one.
    pub fn model(&self) -> Option<&ModelSpec> {
        match self {
            Self::Generate(generate) => Some(&generate.model),
            Self::Judge(judge) => Some(&judge.model),
            _ => None,
        }
    }

    /// What it asks a model, if it asks one.
    pub fn asking(&self) -> Option<Asking> {
        match self {
            Self::Generate(generate) => Some(generate.asking()),
            Self::Judge(judge) => Some(judge.asking()),
            _ => None,
        }
    }

    /// How often it asks a model about each row, if it asks one.
    pub fn repeats(&self) -> Option<u32> {
        match self {
            Self::Generate(generate) => Some(generate.repeats),
            Self::Judge(judge) => Some(judge.repeats),
            _ => None,
        }
    }

    /// Whether the result depends on the experiment's seed.
    pub fn uses_seed(&self) -> bool {
        match self {
            Self::Select(select) => select.sample.is_some(),
            Self::Manipulate(manipulate) => manipulate.is_random(),
            _ => false,
        }
    }
}
