//! `measure`: counts things in every text.

mod check;
mod contract;
mod raw;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::base::failure::Failure;
use crate::base::wording::{list_of, nearest};
use crate::frame::{ColumnData, Frame, Scalar};
use crate::language::manipulate::layers;
use crate::language::text::{
    Annotations, Comparison, Encoding, Layer, Measure as Count, MeasureError, Want,
};
use crate::models::score::Reason;
use crate::stage::annotate::Annotator;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::refused::why_not;
use crate::stage::rows::each;
use crate::stage::{Output, StageName, passed_on, why_absent};

/// Counts things in every text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// What is counted.
    pub metrics: Vec<Metric>,
    /// The column with the reference of each text: a text, or a list of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Who finds sentences, words and entities, where any are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotator: Option<Annotator>,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Something in the text.
    Text(Count),
    /// Tokens as an encoding divides them: `tokens:llama3`.
    Tokens(Encoding),
    /// How close the text comes to its references.
    Compared(Comparison),
    /// Operations of a manipulation.
    Operations,
    /// Places that a manipulation changed.
    Edits,
    /// Characters taken out and characters put in.
    ChangedCharacters,
    /// Words (between blanks) taken out and words put in.
    ChangedWords,
}

impl Metric {
    const OF_EDITS: [Self; 4] = [
        Self::Operations,
        Self::Edits,
        Self::ChangedCharacters,
        Self::ChangedWords,
    ];
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(count) => write!(f, "{count}"),
            Self::Tokens(encoding) => write!(f, "tokens:{}", encoding.name()),
            Self::Compared(comparison) => write!(f, "{comparison}"),
            Self::Operations => f.write_str("operations"),
            Self::Edits => f.write_str("edits"),
            Self::ChangedCharacters => f.write_str("changed-characters"),
            Self::ChangedWords => f.write_str("changed-words"),
        }
    }
}

impl FromStr for Metric {
    /// What can be counted instead.
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        if let Some(name) = written.strip_prefix("tokens:") {
            let names = Encoding::ALL.map(Encoding::name);
            return Encoding::ALL
                .into_iter()
                .find(|encoding| encoding.name() == name)
                .map(Self::Tokens)
                .ok_or_else(|| match nearest(name, &names) {
                    Some(near) => format!("did you mean `tokens:{near}`?"),
                    None => format!("the encodings are {}", list_of(&names)),
                });
        }
        if let Some(comparison) = Comparison::named(written) {
            return Ok(Self::Compared(comparison));
        }
        let of_edits = Self::OF_EDITS.map(|metric| metric.to_string());
        if let Some(at) = of_edits.iter().position(|name| name == written) {
            return Ok(Self::OF_EDITS[at].clone());
        }
        written.parse().map(Self::Text).map_err(|error| {
            let compared = Comparison::ALL.map(|(name, _)| name.to_owned());
            match nearest(written, &[&of_edits[..], &compared].concat()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => match error {
                    MeasureError::Unknown { .. } => format!(
                        "{error}; of manipulated documents also {}; with `reference` also {}",
                        list_of(&of_edits),
                        list_of(&compared)
                    ),
                    _ => error.to_string(),
                },
            }
        })
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A count, or why there is none.
type Counted = Result<f64, String>;

impl Compute for Measure {
    /// One row per document and metric: the columns of the input without `text`, then `metric` and `value`,
    /// and `unscored` and `detail` where there is no value.
    ///
    /// # Errors
    /// A missing column, an annotator that fails.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let input = inputs.one()?;
        for name in ["metric", "value", "unscored", "detail"] {
            if input.has(name) {
                return Err(Failure::new(format!(
                    "the documents have a column `{name}`, which `measure` adds"
                ))
                .hint("rename it, or leave it out with `columns`"));
            }
        }
        let column = input.column("text")?;
        let annotator = self.annotator.clone().unwrap_or_else(Annotator::built_in);
        let ids = input.column("doc_id").ok();
        let annotated = annotator.prepare(&column, ids.as_ref(), self.wants(), world)?;
        let cell = |name: &str, row: usize| -> Option<String> {
            let column = input.column(name).ok()?;
            column.text(row).map(std::borrow::Cow::into_owned)
        };
        let counted = each(input.rows(), |row| -> Result<Vec<Counted>, Failure> {
            let Some(text) = column.text(row) else {
                let why = why_not(input, row).unwrap_or_default();
                return Ok(vec![Err(why); self.metrics.len()]);
            };
            let annotations = annotated.of(row, &text)?;
            let edits = if input.has("edits") {
                Ok(Edited::read(cell("edits", row).as_deref())?)
            } else if input.has("manipulation") {
                Err("nothing is recorded of edits: a later stage changed the text")
            } else {
                Err("nothing is recorded of edits: the text was never manipulated")
            };
            let references = self.references(input, row);
            let of_row = OfRow {
                annotations: &annotations,
                edits: edits.as_ref(),
                references: references.as_ref(),
            };
            let metrics = self.metrics.iter();
            Ok(metrics.map(|metric| metric.count(&text, &of_row)).collect())
        });
        let mut base = Vec::new();
        let (mut metric, mut value) = (Vec::new(), Vec::new());
        let (mut unscored, mut detail) = (Vec::new(), Vec::new());
        let mut output = Output::of(Frame::new(Vec::new())?);
        output.warnings = annotated.warnings();
        for (row, counted) in counted.into_iter().enumerate() {
            for (name, counted) in self.metrics.iter().zip(counted?) {
                base.push(row);
                metric.push(name.to_string());
                let why = counted.as_ref().err().cloned();
                unscored.push(
                    why.as_ref()
                        .map(|why| Reason::NotApplicable(why.clone()).code().to_owned()),
                );
                detail.push(why);
                value.push(counted.ok());
            }
        }
        let mut frame = input.without(&["text"]).take(&base)?;
        for (name, data) in [
            ("metric", ColumnData::text(metric)),
            ("value", ColumnData::Float(value)),
            ("unscored", ColumnData::Text(unscored)),
            ("detail", ColumnData::Text(detail)),
        ] {
            frame = frame.with_column(name, data)?;
        }
        output.frame = frame;
        Ok(output)
    }
}

impl Measure {
    /// What the text of a row is compared with, or why it is with nothing.
    fn references(&self, input: &Frame, row: usize) -> Result<Vec<String>, String> {
        let Some(name) = &self.reference else {
            return Err("nothing is named that it could be compared with".to_owned());
        };
        let column = input.column(name).map_err(|error| error.to_string())?;
        match column.scalar(row) {
            Scalar::Null => {
                let why = why_absent(input, name, row).unwrap_or_default();
                Err(passed_on(name, &why))
            }
            Scalar::Json(json) => {
                serde_json::from_str(&json).map_err(|_| format!("`{name}` is no list of texts"))
            }
            value => Ok(vec![value.to_string()]),
        }
    }

    /// What must be known about texts.
    pub fn wants(&self) -> Want {
        let mut want = Want::default();
        for metric in &self.metrics {
            if let Metric::Text(count) = metric {
                match count.layer() {
                    Some(Layer::Sentences) => want.sentences = true,
                    Some(Layer::Words) => want.words = true,
                    Some(Layer::Entities) => want.entities = true,
                    None => {}
                }
            }
        }
        want
    }
}

/// What is known of a row beside its text.
struct OfRow<'r> {
    annotations: &'r Annotations,
    edits: Result<&'r Edited, &'r &'static str>,
    references: Result<&'r Vec<String>, &'r String>,
}

/// What manipulations did to a document, in numbers.
#[derive(Default)]
struct Edited {
    operations: usize,
    edits: usize,
    characters: usize,
    words: usize,
}

impl Edited {
    fn read(cell: Option<&str>) -> Result<Self, Failure> {
        let mut edited = Self::default();
        let Some(cell) = cell else {
            return Ok(edited);
        };
        for layer in layers(cell).map_err(|error| Failure::new(error.to_string()))? {
            edited.operations += layer.operations;
            edited.edits += layer.edits.len();
            for edit in &layer.edits {
                for text in [&edit.original, &edit.new] {
                    edited.characters += text.chars().count();
                    edited.words += text.split_whitespace().count();
                }
            }
        }
        Ok(edited)
    }
}

impl Metric {
    fn count(&self, text: &str, of_row: &OfRow<'_>) -> Counted {
        let recorded = || of_row.edits.map_err(|why| (**why).to_owned());
        let count = match self {
            Self::Text(count) => count
                .count(text, of_row.annotations)
                .map_err(|why| why.to_string())?,
            Self::Tokens(encoding) => encoding.count(text),
            Self::Compared(comparison) => {
                let references = of_row.references.map_err(Clone::clone)?;
                let references: Vec<&str> = references.iter().map(String::as_str).collect();
                return comparison.compare(text, &references);
            }
            Self::Operations => recorded()?.operations,
            Self::Edits => recorded()?.edits,
            Self::ChangedCharacters => recorded()?.characters,
            Self::ChangedWords => recorded()?.words,
        };
        Ok(count as f64)
    }
}
