//! From rows of judges to documents with sections.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::{IndexMap, IndexSet};
use serde::Deserialize;

use super::Memo;
use super::memory::{Memory, NO_METRIC, Section};
use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::models::score::Reason;
use crate::stage::StageName;
use crate::stage::generate::whole;

/// The values of the key's columns.
pub(super) type Name = Vec<Option<String>>;

/// The documents that judges scored sections of, in the order in which they first occur.
pub(super) struct Gathered<'f> {
    pub(super) documents: Vec<Document>,
    /// What was scored, in the order of the judges.
    pub(super) metrics: Vec<String>,
    by_name: BTreeMap<(Name, Option<i64>), usize>,
    judges: Vec<Judgements<'f>>,
}

impl Gathered<'_> {
    pub(super) fn find(&self, name: &Name, repeat: Option<i64>) -> Option<usize> {
        self.by_name.get(&(name.clone(), repeat)).copied()
    }

    /// The repeats of the judges, in order; one without a number, where they were asked once.
    pub(super) fn repeats(&self) -> BTreeSet<Option<i64>> {
        let repeats: BTreeSet<Option<i64>> = self.documents.iter().map(|d| d.repeat).collect();
        if repeats.is_empty() {
            return BTreeSet::from([None]);
        }
        repeats
    }

    /// What is remembered of a document, with its issues: these are read when they are asked for, since they are as long as
    /// all of what comes of them.
    ///
    /// # Errors
    /// When issues cannot be read.
    pub(super) fn memory(&self, document: &Document) -> Result<Memory, Failure> {
        let mut memory = document.memory.clone();
        for (section, rows) in memory.sections.iter_mut().zip(&document.issues) {
            let mut issues: IndexMap<&str, Vec<Issue>> = IndexMap::new();
            for rows in rows {
                self.judges[rows.judge].issues(rows, &mut issues)?;
            }
            let metrics = self.metrics.iter().map(String::as_str);
            for metric in metrics.chain([NO_METRIC]) {
                for issue in issues.swap_remove(metric).into_iter().flatten() {
                    section.add(metric, issue.label.as_deref(), issue.text);
                }
            }
        }
        Ok(memory)
    }
}

/// A document that sections were judged of.
pub(super) struct Document {
    name: Name,
    pub(super) repeat: Option<i64>,
    /// What is remembered of it beside its issues.
    pub(super) memory: Memory,
    /// For each section, the rows with its issues.
    issues: Vec<Vec<Issues>>,
    /// Why it has no sections.
    pub(super) why: Option<String>,
    /// Its rows: which judge, which row.
    pub(super) rows: Vec<(usize, usize)>,
}

impl Document {
    /// What it is called in messages.
    pub(super) fn name(&self) -> String {
        shown(&self.name)
    }
}

/// A name as messages show it.
pub(super) fn shown(name: &Name) -> String {
    let name: Vec<&str> = name.iter().map(|v| v.as_deref().unwrap_or("—")).collect();
    name.join(", ")
}

/// The names of all rows of a table.
pub(super) fn names(key: &[String], frame: &Frame) -> Result<Vec<Name>, FrameError> {
    let columns = key.iter().map(|name| frame.column(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok((0..frame.rows()).map(|row| name(&columns, row)).collect())
}

fn name(columns: &[ColumnView<'_>], row: usize) -> Name {
    columns
        .iter()
        .map(|column| column.text(row).map(std::borrow::Cow::into_owned))
        .collect()
}

/// The first name that occurs twice, as messages show it.
pub(super) fn twice(names: &[Name]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let twice = names.iter().find(|name| !seen.insert(*name))?;
    Some(format!("`{}`", shown(twice)))
}

/// The first document of a table that has several values in a column, if there is one.
pub(super) fn merged(
    key: &[String],
    column: &str,
    frame: &Frame,
) -> Result<Option<String>, FrameError> {
    if !frame.has(column) {
        return Ok(None);
    }
    let values = frame.column(column)?;
    let mut known: BTreeMap<Name, Option<String>> = BTreeMap::new();
    for (row, name) in names(key, frame)?.into_iter().enumerate() {
        let value = values.text(row).map(std::borrow::Cow::into_owned);
        let document = shown(&name);
        let first = known.entry(name).or_insert_with(|| value.clone());
        if *first != value {
            let [one, other] = [first, &value].map(|value| value.as_deref().unwrap_or("—"));
            return Ok(Some(format!(
                "the sections of `{document}` are of several `{column}` (`{one}`, `{other}`)"
            )));
        }
    }
    Ok(None)
}

/// A document whose rows are being read.
#[derive(Default)]
struct Open {
    sections: BTreeMap<i64, Half>,
    why: Option<String>,
    rows: Vec<(usize, usize)>,
}

/// A section whose rows are being read.
#[derive(Default)]
struct Half {
    section: Section,
    /// Who scored a metric.
    scored_by: BTreeMap<String, usize>,
    /// The rows with its issues.
    issues: Vec<Issues>,
    /// The judges of these.
    of_judges: BTreeSet<usize>,
}

/// The issues in a row.
struct Issues {
    judge: usize,
    row: usize,
    metric: String,
    /// Whether no row of its judge has issues of the section before it: each repeats those of no metric.
    first: bool,
}

/// An issue as a judge's row has it.
#[derive(Deserialize)]
struct Issue {
    metric: Option<String>,
    label: Option<String>,
    text: String,
}

/// Reads the rows of all judges.
pub(super) fn gather<'f>(
    memo: &'f Memo,
    key: &'f [String],
    judges: &[&'f Frame],
) -> Result<Gathered<'f>, Failure> {
    if let Some(column) = &memo.summaries
        && let Some(frame) = judges.first()
        && !judges.iter().any(|frame| frame.has(column))
    {
        let stages: Vec<String> = memo.from.iter().map(ToString::to_string).collect();
        let hint = format!("`summaries` names a column of {}", list_of(&stages));
        return Err(match frame.column(column) {
            Err(error) => Failure::from(error).hint(hint),
            Ok(_) => Failure::new(hint),
        });
    }
    let mut metrics: IndexSet<String> = memo.metrics.iter().cloned().collect();
    let mut open: IndexMap<(Name, Option<i64>), Open> = IndexMap::new();
    let mut tables = Vec::with_capacity(judges.len());
    for (judge, frame) in judges.iter().enumerate() {
        let table = Judgements::of(memo, key, frame, judge)?;
        metrics.extend(table.metrics.iter().cloned());
        for row in 0..frame.rows() {
            let name = name(&table.key, row);
            let repeat = table.whole("repeat", row)?;
            let document = open.entry((name.clone(), repeat)).or_default();
            document.rows.push((judge, row));
            table.read(row, &name, document)?;
        }
        tables.push(table);
    }
    let metrics: Vec<String> = metrics.into_iter().collect();
    let mut gathered = Gathered {
        documents: Vec::new(),
        metrics,
        by_name: BTreeMap::new(),
        judges: tables,
    };
    for ((name, repeat), document) in open {
        let sections = document.sections.into_values();
        let (sections, issues) = sections.map(|half| half.done(&gathered.metrics)).unzip();
        gathered
            .by_name
            .insert((name.clone(), repeat), gathered.documents.len());
        gathered.documents.push(Document {
            name,
            repeat,
            memory: Memory::of(sections),
            issues,
            why: document.why,
            rows: document.rows,
        });
    }
    Ok(gathered)
}

impl Half {
    /// With every metric, in the order of the metrics, and the rows with its issues.
    fn done(self, metrics: &[String]) -> (Section, Vec<Issues>) {
        let mut section = self.section;
        for metric in metrics {
            if !self.scored_by.contains_key(metric) {
                section.scores.insert(metric.clone(), None);
                section
                    .unscored
                    .insert(metric.clone(), "no judge was asked for it".to_owned());
            }
        }
        let position = |metric: &String| metrics.iter().position(|known| known == metric);
        section.scores.sort_by_key(|metric, _| position(metric));
        section.unscored.sort_by_key(|metric, _| position(metric));
        (section, self.issues)
    }
}

/// What is looked at in a judge's rows besides what tells them apart: what they must have, and what they may have.
pub(super) const OF_SCORES: [&str; 8] = [
    "metric", "score", "unscored", "detail", "issues", "start", "end", "repeat",
];

/// The columns of a judge that are looked at.
struct Judgements<'f> {
    memo: &'f Memo,
    judge: usize,
    key: Vec<ColumnView<'f>>,
    metrics: IndexSet<String>,
    columns: BTreeMap<&'f str, ColumnView<'f>>,
}

impl<'f> Judgements<'f> {
    fn of(
        memo: &'f Memo,
        key: &'f [String],
        frame: &'f Frame,
        judge: usize,
    ) -> Result<Self, Failure> {
        let stage = &memo.from[judge];
        let (needed, known) = OF_SCORES.split_at(2);
        let mut columns = BTreeMap::new();
        for &name in needed.iter().chain([&memo.section.as_str()]) {
            let column = frame.column(name).map_err(|error| {
                let hint = if name == memo.section {
                    format!(
                        "`{stage}` is to score parts of documents: let it read a `split` stage, or name the column with their numbers with `section`"
                    )
                } else {
                    format!("the columns come from `{stage}`")
                };
                Failure::from(error).hint(hint)
            })?;
            columns.insert(name, column);
        }
        for name in known.iter().copied().chain(memo.summaries.as_deref()) {
            if frame.has(name) {
                columns.insert(name, frame.column(name)?);
            }
        }
        let metric = &columns["metric"];
        let metrics = (0..frame.rows()).filter_map(|row| metric.text(row));
        Ok(Self {
            memo,
            judge,
            metrics: metrics.map(std::borrow::Cow::into_owned).collect(),
            key: key
                .iter()
                .map(|name| frame.column(name))
                .collect::<Result<_, _>>()?,
            columns,
        })
    }

    fn stage(&self) -> &StageName {
        &self.memo.from[self.judge]
    }

    fn text(&self, name: &str, row: usize) -> Option<String> {
        let column = self.columns.get(name)?;
        column.text(row).map(std::borrow::Cow::into_owned)
    }

    /// A whole number.
    fn whole(&self, name: &str, row: usize) -> Result<Option<i64>, Failure> {
        let Some(column) = self.columns.get(name) else {
            return Ok(None);
        };
        whole(&column.scalar(row)).map_err(|found| {
            Failure::new(format!(
                "`{found}` in the column `{name}` of `{}` is not a whole number from 0 up",
                self.stage()
            ))
            .hint("number the sections of a document 1, 2, 3 and so on")
        })
    }

    /// Why a row has no score, in words.
    fn why(&self, row: usize) -> String {
        let (code, detail) = (self.text("unscored", row), self.text("detail", row));
        let Some(code) = code else {
            return "no reason was given".to_owned();
        };
        match Reason::from_code(&code, detail.as_deref()) {
            Some(reason) => reason.to_string(),
            None => [Some(code), detail]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(": "),
        }
    }

    fn read(&self, row: usize, name: &Name, document: &mut Open) -> Result<(), Failure> {
        let Some(metric) = self.text("metric", row) else {
            return Err(Failure::new(format!(
                "row {} of `{}` has no metric",
                row + 1,
                self.stage()
            )));
        };
        let score = self.columns["score"].number(row)?;
        let Some(number) = self.whole(&self.memo.section, row)? else {
            if score.is_some() {
                return Err(Failure::new(format!(
                    "`{}` is scored in `{}` without the number of a section",
                    shown(name),
                    self.stage()
                ))
                .hint("let the judge read a `split` stage, or name the column with the numbers with `section`"));
            }
            // A document that could not be cut: one row without a number, and why.
            let code = self.text("unscored", row);
            let why = match (code.as_deref(), self.text("detail", row)) {
                (Some("not-applicable"), Some(detail)) => detail,
                _ => self.why(row),
            };
            document.why.get_or_insert(why);
            return Ok(());
        };
        let half = document.sections.entry(number).or_default();
        half.section.number = number;
        if let Some(other) = half.scored_by.insert(metric.clone(), self.judge) {
            return Err(self.twice(name, number, &metric, other));
        }
        self.place(row, name, number, &mut half.section)?;
        half.section.scores.insert(metric.clone(), score);
        if score.is_none() {
            half.section.unscored.insert(metric.clone(), self.why(row));
        }
        let cells = self.columns.get("issues");
        if cells.is_some_and(|cells| !cells.lacks(row)) {
            half.issues.push(Issues {
                judge: self.judge,
                row,
                metric,
                first: half.of_judges.insert(self.judge),
            });
        }
        Ok(())
    }

    /// Reads the issues in a row: metric → its issues, those of no metric by themselves.
    fn issues<'r>(
        &self,
        rows: &'r Issues,
        to: &mut IndexMap<&'r str, Vec<Issue>>,
    ) -> Result<(), Failure> {
        let column = self.columns.get("issues");
        let Some(cell) = column.and_then(|column| column.text(rows.row)) else {
            return Ok(());
        };
        let issues: Vec<Issue> = serde_json::from_str(&cell).map_err(|error| {
            Failure::new(format!(
                "the issues in row {} of `{}` cannot be read: {error}",
                rows.row + 1,
                self.stage()
            ))
        })?;
        let several = self.metrics.len() > 1;
        for issue in issues {
            // What a judge of one metric names is about that metric.
            let of = if issue.metric.is_some() || !several {
                rows.metric.as_str()
            } else if rows.first {
                NO_METRIC
            } else {
                continue;
            };
            to.entry(of).or_default().push(issue);
        }
        Ok(())
    }

    /// Notes where a section stands and its summary, on which all its rows must agree.
    fn place(
        &self,
        row: usize,
        name: &Name,
        number: i64,
        section: &mut Section,
    ) -> Result<(), Failure> {
        let differs = |what: &str| {
            Failure::new(format!(
                "the judgements of section {number} of `{}` differ in `{what}`",
                shown(name)
            ))
            .hint("let all judges of a memo read the same sections")
        };
        for (known, what) in [(&mut section.start, "start"), (&mut section.end, "end")] {
            if let Some(found) = self.whole(what, row)?
                && *known.get_or_insert(found) != found
            {
                return Err(differs(what));
            }
        }
        if let Some(column) = &self.memo.summaries
            && let Some(summary) = self.text(column, row)
            && *section.summary.get_or_insert_with(|| summary.clone()) != summary
        {
            return Err(differs(column));
        }
        Ok(())
    }

    fn twice(&self, name: &Name, number: i64, metric: &str, other: usize) -> Failure {
        let (name, stage) = (shown(name), self.stage());
        if other == self.judge {
            return Failure::new(format!(
                "section {number} of `{name}` has two rows for `{metric}` in `{stage}`"
            ))
            .hint("name the columns that tell documents apart, as in `key = [\"doc_id\", \"task\"]`, or select fewer rows");
        }
        Failure::new(format!(
            "section {number} of `{name}` is scored for `{metric}` by both `{}` and `{stage}`",
            self.memo.from[other]
        ))
        .hint("let each metric be scored by one judge")
    }
}
