//! The kinds of stage: each a plain value that says what to do, and a function from tables to a
//! table that does it.
//!
//! The kinds are a closed set, so that a new one makes the compiler list every place to extend.
//! A stage must not touch the cache, know about concurrency, or print.

mod expression;
mod failure;
mod judge;
mod keep;
mod kind;
mod output;
mod select;
mod source;
mod stats;
mod table;
mod truncate;

use serde::Serialize;

pub use self::expression::Expression;
pub use self::failure::Failure;
pub use self::judge::{
    Answer, Judge, Parser, Prompt, RESERVED, Reading, Rows, read_reply, tabulate,
};
pub use self::keep::Keep;
pub use self::kind::{Kind, StageName};
pub use self::output::{Counts, Output};
pub use self::select::{Select, Top};
pub use self::source::{BOOK_COLUMNS, Empty, Format, MIRROR, Source, SourceFile};
pub use self::stats::{Correction, Pair, Stats, Test, statistics};
pub use self::table::{Part, Table, cells};
pub use self::truncate::{Length, Tokenizer, Truncate};

/// One configured stage. Everything serialised here is part of its key; everything skipped
/// (paths, concurrency, formats) is not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Stage {
    /// Reads documents.
    Source(Source),
    /// Keeps some rows.
    Select(Select),
    /// Keeps the beginning of every text.
    Truncate(Truncate),
    /// Has a model score every row.
    Judge(Box<Judge>),
    /// Computes statistics over scores.
    Stats(Stats),
    /// Arranges statistics as a table.
    Table(Table),
}

impl Stage {
    /// The stage's kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Source(_) => Kind::Source,
            Self::Select(_) => Kind::Select,
            Self::Truncate(_) => Kind::Truncate,
            Self::Judge(_) => Kind::Judge,
            Self::Stats(_) => Kind::Stats,
            Self::Table(_) => Kind::Table,
        }
    }

    /// The stages this one reads, in a fixed order without repetition.
    pub fn reads(&self) -> Vec<&StageName> {
        match self {
            Self::Source(_) => Vec::new(),
            Self::Select(select) => vec![&select.from],
            Self::Truncate(truncate) => vec![&truncate.from],
            Self::Judge(judge) => vec![&judge.from],
            Self::Stats(stats) => stats.from.iter().collect(),
            Self::Table(table) => {
                let mut from: Vec<&StageName> = table.parts.iter().map(|part| &part.from).collect();
                from.sort();
                from.dedup();
                from
            }
        }
    }

    /// Whether the result depends on the experiment's seed.
    pub fn uses_seed(&self) -> bool {
        matches!(
            self,
            Self::Select(Select {
                sample: Some(_),
                ..
            })
        )
    }
}
