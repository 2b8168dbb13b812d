//! `judge`: has a model score every row.
//!
//! The stage says what to ask and how to read the answer; who asks, how many at a time, and where
//! answers are kept is the engine's business.

mod ask;
mod cells;
mod check;
pub(crate) mod compare;
mod contract;
mod expecting;
mod items;
mod labels;
mod raw;
mod read;
mod replies;
mod said;
mod schema;
mod score;
mod spans;
mod table;
mod until;
mod verdict;

use serde::Serialize;

use self::compare::Compare;
use crate::models::parse::{Finals, Parser};
use crate::models::score::Scale;
use crate::models::spec::ModelSpec;
use crate::stage::{Prompt, StageName};

pub(super) use self::check::scale as checked_scale;
pub use self::expecting::Expecting;
pub use self::items::{ITEM, ITEM_ID, ListJudged, Lists};
pub(super) use self::raw::RawScale;
pub use self::read::Reading;
pub use self::replies::Replies;
pub use self::said::Said;
pub use self::schema::OwnSchema;
pub use self::spans::Text;
pub use self::table::RESERVED;
use self::until::Order;
pub use self::until::Until;
pub(crate) use self::until::{Stopping, numbered};
pub use self::verdict::Verdict;

/// Has a model score every row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judge {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// Who answers.
    pub model: ModelSpec,
    /// What is asked; only for models that read a prompt.
    pub prompt: Option<Prompt>,
    /// What is scored, in the order of the columns to come.
    pub metrics: Vec<String>,
    /// The numbers a score may be.
    pub scale: Scale,
    /// How replies are read.
    pub parse: Parser,
    /// Which of several final scores for one metric counts, where it is not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finals: Option<Finals>,
    /// How the mean over the marks of the scale is taken, where that is the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expecting>,
    /// Whether it notes how likely each reply was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub logprobs: bool,
    /// The column with the text in which marked errors are looked for; only where replies mark errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<String>,
    /// The list whose elements are judged, where the verdicts are on these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ListJudged>,
    /// How often each row is asked.
    pub repeats: u32,
    /// How many more times a reply that was cut off by the length limit is asked for.
    pub retry_cut: u32,
    /// What the server holds the reply to, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Structured>,
    /// The schema of its own that the server holds the reply to, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<OwnSchema>,
    /// The two texts that it compares, if it compares any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// Whether the calls are handed in as a batch.
    #[serde(skip)]
    pub batch: bool,
    /// When it has asked enough, if it does not ask about all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// The largest share of its replies, of each metric, that may be without a score; in no key.
    #[serde(skip)]
    pub max_unscored: f64,
}

/// The form of reply that a server enforces.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Structured {
    /// A score per metric, and nothing else.
    Scores,
    /// An explanation, then a score per metric.
    Explained,
    /// An explanation, a list of issues, then a score per metric.
    Issues,
}
