//! `split` at work: the rows of the parts.

use super::cut::{Cutter, Part};
use super::{Parts, SPLIT_COLUMNS, Split};
use crate::base::failure::Failure;
use crate::base::wording::{count, some_because, some_of};
use crate::frame::{ColumnData, Frame};
use crate::language::text::Tokenizer;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::refused::{Refused, told, why_not, without_record};
use crate::stage::rows::each;
use crate::stage::{Output, Reasons, passed_on, reason_column, why_absent};

impl Compute for Split {
    /// Gives one row per part: the columns of the input with the part in place of the text, then `section` (from 1),
    /// `start` and `end` (in characters of the text, the end excluded), `previous` (what is repeated from the part
    /// before, where there is an overlap) and the number of parts, if that is asked for. A text that cannot be cut
    /// keeps one row without it, and says why.
    ///
    /// # Errors
    /// A missing column, a tokenizer that cannot read a text.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let input = inputs.one()?;
        let mut added = self.added();
        if let Some(name) = added.find(|name| input.has(name)) {
            return Err(Failure::new(format!(
                "the documents have a column `{name}`, which `split` adds"
            ))
            .hint(
                "rename it, leave it out with `columns`, or cut whole documents instead of parts",
            ));
        }
        let tokenizer = match self.parts.tokenizer() {
            Some(tokenizer) => world.tokenizer(tokenizer)?,
            None => Tokenizer::default(),
        };
        let cutter = Cutter::new(&self.parts, tokenizer)?;
        let column = input.column(&self.column)?;
        let cut = each(input.rows(), |row| -> Result<_, Failure> {
            match column.text(row) {
                Some(text) => Ok((cutter.cut(&text)?, cutter.is_whole(&text))),
                None => Ok((Err(self.why_absent(input, row)), false)),
            }
        });
        let mut rows = Rows::new(Refused::of(input, &self.column)?);
        let (mut refused, mut whole) = (Vec::new(), Vec::new());
        let ids = input.column("doc_id")?;
        for (row, cut) in cut.into_iter().enumerate() {
            let (parts, is_whole) = cut?;
            let id = || ids.text(row).unwrap_or_default().into_owned();
            match parts {
                Ok(parts) => {
                    rows.of_parts(row, parts);
                    whole.extend(is_whole.then(id));
                }
                Err(why) => {
                    // Whoever left the document without text has said so already.
                    if !self.told(input, row) {
                        refused.push((id(), why.clone()));
                    }
                    rows.without(row, why);
                }
            }
        }
        let mut output = Output::of(rows.add(input, self)?);
        if !refused.is_empty() {
            output.warnings.push(format!(
                "{} cannot be cut: {}",
                count(refused.len(), "document"),
                some_because(&refused)
            ));
        }
        output.warnings.extend(self.is_nowhere(&whole));
        Ok(output)
    }
}

impl Split {
    /// The columns that it adds.
    pub(super) fn added(&self) -> impl Iterator<Item = &str> {
        SPLIT_COLUMNS.into_iter().chain(self.count.as_deref())
    }

    /// Whether it cuts the texts of documents, of which manipulations may have recorded places.
    pub(super) fn cuts_documents(&self) -> bool {
        super::is_text(&self.column)
    }

    /// Why a row has no text.
    fn why_absent(&self, input: &Frame, row: usize) -> String {
        let why = if self.cuts_documents() {
            why_not(input, row)
        } else {
            why_absent(input, &self.column, row)
        };
        why.unwrap_or_default()
    }

    /// Whether an earlier stage said why a row has no text.
    fn told(&self, input: &Frame, row: usize) -> bool {
        if self.cuts_documents() {
            return told(input, row);
        }
        let absent = why_absent(input, &self.column, row).is_some();
        let said = input.column(&reason_column(&self.column));
        absent && said.is_ok_and(|column| column.text(row).is_some())
    }

    /// That the pattern is nowhere in some texts, which are one part each.
    fn is_nowhere(&self, whole: &[String]) -> Option<String> {
        let Parts::Pattern { pattern } = &self.parts else {
            return None;
        };
        let (is, part) = match whole.len() {
            0 => return None,
            1 => ("is", "one part"),
            _ => ("are", "one part each"),
        };
        Some(format!(
            "the pattern `{pattern}` matches nowhere in {}, which {is} {part}: {}",
            count(whole.len(), "document"),
            some_of(whole)
        ))
    }
}

/// The rows of the result.
struct Rows<'f> {
    /// The row of the input that each is of.
    base: Vec<usize>,
    texts: Vec<Option<String>>,
    numbers: Vec<Option<i64>>,
    starts: Vec<Option<i64>>,
    ends: Vec<Option<i64>>,
    previous: Vec<Option<String>>,
    counts: Vec<Option<i64>>,
    reasons: Refused<'f>,
    uncounted: Vec<Option<String>>,
}

impl<'f> Rows<'f> {
    fn new(reasons: Refused<'f>) -> Self {
        Self {
            base: Vec::new(),
            texts: Vec::new(),
            numbers: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            previous: Vec::new(),
            counts: Vec::new(),
            reasons,
            uncounted: Vec::new(),
        }
    }

    /// A row for each part.
    fn of_parts(&mut self, row: usize, parts: Vec<Part>) {
        let all = i64::try_from(parts.len()).ok();
        for (number, part) in (1..).zip(parts) {
            self.base.push(row);
            self.numbers.push(Some(number));
            self.texts.push(Some(part.text));
            self.starts.push(i64::try_from(part.start).ok());
            self.ends.push(i64::try_from(part.end).ok());
            self.previous.push(part.previous);
            self.counts.push(all);
            self.reasons.push(None);
            self.uncounted.push(None);
        }
    }

    /// The row of a text that has no parts.
    fn without(&mut self, row: usize, why: String) {
        self.base.push(row);
        self.numbers.push(None);
        self.texts.push(None);
        self.starts.push(None);
        self.ends.push(None);
        self.previous.push(None);
        self.counts.push(None);
        self.uncounted.push(Some(why.clone()));
        self.reasons.push(Some(why));
    }

    /// The table of these rows.
    fn add(self, input: &Frame, split: &Split) -> Result<Frame, Failure> {
        let mut frame = if split.cuts_documents() {
            without_record(input).take(&self.base)?
        } else {
            input.take(&self.base)?
        };
        for (name, data) in [
            (split.column.as_str(), ColumnData::Text(self.texts)),
            ("section", ColumnData::Int(self.numbers)),
            ("start", ColumnData::Int(self.starts)),
            ("end", ColumnData::Int(self.ends)),
            ("previous", ColumnData::Text(self.previous)),
        ] {
            frame = frame.with_column(name, data)?;
        }
        let Some(count) = &split.count else {
            return self.reasons.add(frame);
        };
        frame = frame.with_column(count, ColumnData::Int(self.counts))?;
        let mut uncounted = Reasons::default();
        for why in self.uncounted {
            uncounted.push(why.map(|why| passed_on(&split.column, &why)));
        }
        uncounted.add(self.reasons.add(frame)?, count)
    }
}
