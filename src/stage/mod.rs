//! The kinds of stage: each a plain value that says what to do, and a function from tables to a
//! table that does it.
//!
//! A kind is a folder with everything that is its own: `mod.rs` has its settings and what it does, `contract.rs` what it
//! says of itself. `list` names the kinds, `contract` is what each has to be, and the compiler refuses one that is less.
//! A stage must not touch the cache, know about concurrency, or print.

mod absent;
mod annotate;
mod asking;
pub(crate) mod check;
mod clean;
mod columns;
mod concat;
mod contract;
mod derive;
mod explode;
mod export;
mod expression;
mod figure;
mod generate;
mod group;
mod inputs;
mod join;
mod judge;
mod keys;
mod kind;
mod likelihood;
mod list;
mod manipulate;
mod measure;
mod memo;
mod output;
mod pile;
mod pool;
mod program;
mod refused;
mod relation;
mod rows;
mod scorer;
mod select;
mod shortfall;
mod sortable;
mod source;
mod split;
mod stats;
mod table;
mod truncate;

use std::collections::BTreeSet;

pub(crate) use self::absent::{Reasons, passed_on, reason_column, why_absent, with_reasons};
pub use self::annotate::Annotator;
pub(crate) use self::asking::Expected;
pub use self::asking::{Answer, Asking, Prompt, Rows, Shows, TakesApart};
pub(crate) use self::asking::{Read, ReadsAnswers};
pub use self::clean::{CLEANED, Clean};
use self::columns::Looking;
pub use self::columns::{Column, Columns, Head, Heads, Holds, Mistake, Value};
pub use self::concat::Concat;
pub(crate) use self::contract::{Ask, Gathers, Gives, How};
pub use self::contract::{Download, Named, Role, RowsOf};
pub use self::derive::{Derive, Number};
pub use self::explode::{Explode, Tree, WhenEmpty};
pub use self::export::{Export, ExportFormat};
pub(crate) use self::expression::{Aggregate, Call, Computed, Deciding, NO_ROWS, Parsed, typed};
pub use self::expression::{Expression, Kept};
pub(crate) use self::figure::BINS;
pub(crate) use self::figure::RawFigure;
pub use self::figure::{Counted, Figure, FigurePart, Interval, rows};
pub(crate) use self::generate::SCHEMA;
pub use self::generate::{Generate, Previous, Shape, Written};
pub use self::group::{Every, Group};
pub use self::inputs::{Inputs, Listed, Long, SourceFile, World};
pub use self::join::{How as JoinHow, Join};
pub(crate) use self::judge::compare::{
    CHOICE, Contenders, MADE as PAIR_COLUMNS, ORDER, POSITION, shown,
};
pub use self::judge::{
    Expecting, ITEM, ITEM_ID, Judge, ListJudged, Lists, OwnSchema, RESERVED, Reading, Replies,
    Said, Structured, Text, Until, Verdict,
};
pub(crate) use self::judge::{Stopping, numbered};
pub use self::kind::{Kind, Stage, StageName};
pub(crate) use self::likelihood::likelihood;
pub(crate) use self::list::kinds;
pub(crate) use self::manipulate::idle as idle_manipulations;
pub use self::manipulate::{DAMAGE_COLUMNS, Manipulate};
pub use self::measure::{Measure, Metric};
pub use self::memo::{MEMO_COLUMNS, Memo, Order};
pub use self::output::{Counts, Output};
pub use self::pool::Pool;
pub use self::program::Program;
pub use self::refused::NOT_APPLICABLE;
pub(crate) use self::relation::all_words;
pub use self::relation::{Ended, Exploded, Joined, Relation, Unmatched};
pub use self::scorer::{Given, Scorer};
pub use self::select::{Keywords, Select, Top};
pub(crate) use self::shortfall::FAILED;
pub use self::shortfall::{Missing, Shortfall, shortfalls};
pub(crate) use self::sortable::sortable;
pub use self::source::{BOOK_COLUMNS, Empty, Format, MIRROR, Source};
pub use self::split::{Cut, Overlap, Parts, SPLIT_COLUMNS, Split};
pub(crate) use self::stats::is_counted;
pub use self::stats::{Asked, Correction, Pair, Roles, Stats, Test};
pub(crate) use self::table::RawTable;
pub use self::table::{BASE, Part, Table, Variant, cells};
pub use self::truncate::{Length, Truncate};
use crate::language::text::TokenizerSpec;
use crate::models::spec::ModelSpec;

impl Stage {
    /// The stages this one reads, in a fixed order without repetition.
    pub fn reads(&self) -> Vec<&StageName> {
        self.work().reads()
    }

    /// The axes all of whose instances it reads, where its kind gathers some of them.
    pub fn gathers(&self) -> &[String] {
        self.work().gathers()
    }

    /// The columns of the result, and what the stage reads that is not there. `inputs` are the columns of all it
    /// reads, each named, in the order of the plan; `heads` what files look like.
    pub fn columns(
        &self,
        inputs: &[(&StageName, &Columns)],
        heads: &Heads,
    ) -> (Columns, Vec<Mistake>) {
        let mut looking = Looking::new(inputs, heads);
        let columns = self.work().columns(&mut looking);
        (columns, looking.lacks())
    }

    /// The files that its result depends on: those of its settings, of its model, of its tokenizer.
    pub fn files(&self) -> Vec<Named> {
        let mut files = self.work().files();
        if let Some(model) = self.model() {
            files.extend(of_model(model));
        }
        let tokenizer = self.tokenizer().and_then(TokenizerSpec::file);
        files.extend(tokenizer.map(|file| match self.model() {
            Some(model) => Named::one(&["models", &model.name, "tokenizer"], "tokenizer", file),
            None => Named::one(&["tokenizer"], "tokenizer", file),
        }));
        files
    }

    /// What it reads that is fetched from elsewhere, in the order of its rows.
    pub fn downloads(&self) -> Vec<Download> {
        self.work().downloads()
    }

    /// Whether settings that a spec leaves open follow from the columns of what it reads.
    pub(crate) fn is_open(&self) -> bool {
        self.work().is_open()
    }

    /// Settles them, `input` being the columns that it reads.
    pub(crate) fn settle(&mut self, input: &Columns) {
        self.work_mut().settle(input);
    }

    /// What a token is to it, where that matters.
    pub fn tokenizer(&self) -> Option<&TokenizerSpec> {
        match self.model() {
            Some(model) => model.tokenizer.as_ref(),
            None => self.work().tokenizer(),
        }
    }

    /// The program that it starts.
    pub fn program(&mut self) -> Option<&mut Program> {
        self.work_mut().program()
    }

    /// The columns that it looks at, if it is to be handed these and no others.
    pub fn looks_at(&self) -> Option<BTreeSet<&str>> {
        self.work().looks_at()
    }

    /// Of a stage that it reads, columns that it passes over, if it is to be handed all others there are.
    pub(crate) fn passes_over(&self, of: &StageName) -> BTreeSet<&'static str> {
        self.work().passes_over(of)
    }

    /// Whether the result depends on the experiment's seed.
    pub fn uses_seed(&self) -> bool {
        self.work().draws()
    }

    /// Whether the result says of its rows which stage they were read from.
    pub(crate) fn names_stages(&self) -> bool {
        self.work().names_stages()
    }

    /// Itself, if it asks a model.
    pub(crate) fn asks(&self) -> Option<&dyn Ask> {
        match self.how() {
            How::Asks(asks) => Some(asks),
            How::Computes(_) => None,
        }
    }

    /// The model it asks, if it asks one.
    pub fn model(&self) -> Option<&ModelSpec> {
        self.asks().map(Ask::model)
    }

    /// What it asks a model, if it asks one.
    pub fn asking(&self) -> Option<Asking> {
        self.asks().map(Ask::asking)
    }

    /// How many questions it asks about so many rows, repeats included; nothing, if it asks none or that depends on what they hold.
    pub fn questions_about(&self, rows: u64) -> Option<u64> {
        let asks = self.asks()?;
        Some(rows * asks.asks_for_each()? * u64::from(asks.repeats()))
    }
}

/// The files that a model's answers are read from.
fn of_model(model: &ModelSpec) -> Option<Named> {
    let reads = model.provider.local()?.reads()?;
    let role = match reads.table {
        Some(_) => Role::Numbered(reads.role),
        None => Role::One(reads.role),
    };
    Some(Named {
        at: ["models", &model.name, reads.key]
            .map(str::to_owned)
            .to_vec(),
        patterns: reads.files.to_vec(),
        role,
        table: reads.table.is_some(),
    })
}
