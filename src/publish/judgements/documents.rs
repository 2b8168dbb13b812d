//! The documents that judges read, as they were read and as they were before.

use std::collections::BTreeMap;

use crate::base::key::Digest;
use crate::base::wording::{count, thousands};
use crate::frame::{ColumnView, Frame, FrameError};
use crate::language::manipulate::{Layer, layers};
use crate::output::page::store::{Document, Edit, Text, Units};
use crate::plan::Node;
use crate::publish::chunks::Builder;
use crate::stage::{CLEANED, DAMAGE_COLUMNS, NOT_APPLICABLE, PAIR_COLUMNS, shown};

/// Longer values are no facts but texts; of those the length is told. In characters.
const LONGEST_FACT: usize = 2_000;

/// Longer values are not chosen from. In bytes.
const LONGEST_CHOICE: usize = 80;

/// Lists and trees that are longer than this are no part of what one looks at beside a document; of these too the length
/// is told. In characters.
const LONGEST_LIST: usize = 16_000;

/// Columns that are shown in another way.
const SHOWN: [&str; 6] = [
    "text",
    "doc_id",
    "edits",
    "unaltered",
    CLEANED,
    NOT_APPLICABLE,
];

/// Documents that were put into the store.
#[derive(Default)]
pub(super) struct Documents {
    /// Those without edits, by id and text.
    plain: BTreeMap<Digest, usize>,
}

/// What is known of a document besides its text.
struct About {
    id: String,
    label: String,
    /// What is judged together with it: a label and a text.
    other: Option<(String, String)>,
    /// The position of that.
    beside: Option<usize>,
    facts: Vec<(String, String)>,
    lists: Vec<(String, String)>,
    /// What is known of it before anything was done to it.
    before: Vec<(String, String)>,
}

/// The rows of a node as documents.
struct Described<'f> {
    node: &'f Node,
    /// How many rows of the node stand before these.
    before: usize,
    column: &'f str,
    id: Option<ColumnView<'f>>,
    section: Option<ColumnView<'f>>,
    text: Option<ColumnView<'f>>,
    edits: Option<ColumnView<'f>>,
    manipulation: Option<ColumnView<'f>>,
    not_applicable: Option<ColumnView<'f>>,
    /// The columns of pairs, where the rows are pairs: the two texts, the two contenders, and the order.
    pair: Vec<(&'f str, ColumnView<'f>)>,
    facts: Vec<(&'f str, ColumnView<'f>)>,
}

impl Documents {
    /// Puts the texts in a column of a node's rows into the store, behind whose positions theirs are put: those of rows
    /// before them are there.
    pub(super) fn put(
        &mut self,
        builder: &mut Builder,
        node: &Node,
        rows: &Frame,
        column: &str,
        positions: &mut Vec<u32>,
    ) -> Result<(), FrameError> {
        let described = Described {
            before: positions.len(),
            ..Described::new(node, rows, column)?
        };
        for row in 0..rows.rows() {
            let position = self.row(builder, &described, row);
            described.tell(builder, position, row);
            positions.push(short(position));
        }
        Ok(())
    }

    /// Puts documents in of which nothing is known but what these rows of a judge say.
    pub(super) fn named(
        builder: &mut Builder,
        node: &Node,
        judged: &Frame,
        firsts: impl Iterator<Item = usize>,
        why: &str,
        positions: &mut Vec<u32>,
    ) -> Result<(), FrameError> {
        let described = Described {
            before: positions.len(),
            ..Described::new(node, judged, "")?
        };
        for row in firsts {
            let about = described.about(row, false);
            positions.push(short(builder.document(&Document {
                id: &about.id,
                label: about.label,
                why: Some(format!("the text is not available: {why}")),
                ..Document::default()
            })));
        }
        Ok(())
    }

    fn row(&mut self, builder: &mut Builder, described: &Described<'_>, row: usize) -> usize {
        let mut about = described.about(row, true);
        about.beside = about.other.take().map(|(label, text)| {
            builder.document(&Document {
                id: &about.id,
                label,
                text: Some(Text::new(&text)),
                ..Document::default()
            })
        });
        let cell = |column: &Option<ColumnView<'_>>| {
            let cell = column.as_ref().and_then(|column| column.text(row));
            cell.map(std::borrow::Cow::into_owned)
        };
        let text = described.text.as_ref();
        let Some(text) = text.and_then(|column| column.text(row)) else {
            let why = match (&described.text, cell(&described.not_applicable)) {
                (_, Some(why)) => why,
                (Some(_), None) => "there is no text".to_owned(),
                (None, None) => "the rows that were judged hold no texts".to_owned(),
            };
            return builder.document(&Document {
                id: &about.id,
                label: about.label,
                beside: about.beside,
                why: Some(why),
                facts: about.facts,
                lists: about.lists,
                ..Document::default()
            });
        };
        let layers = match cell(&described.edits).filter(|_| described.column == "text") {
            Some(edits) => layers(&edits).map_err(|error| error.to_string()),
            None => Ok(Vec::new()),
        };
        let (layers, note) = match (layers, cell(&described.manipulation)) {
            (Err(why), _) => (Vec::new(), Some(why)),
            (Ok(layers), Some(manipulation)) if layers.is_empty() => {
                let note = format!(
                    "the text was changed after `{manipulation}`, so its edits are not marked"
                );
                (layers, Some(note))
            }
            (Ok(layers), _) => (layers, None),
        };
        self.layered(builder, &about, &text, &layers, note)
    }

    /// Puts a text in with the edits of the last layer, and before it the text without them.
    fn layered(
        &mut self,
        builder: &mut Builder,
        about: &About,
        text: &str,
        layers: &[Layer],
        note: Option<String>,
    ) -> usize {
        let known = Text::new(text);
        let document = |edits, edits_note, before| Document {
            id: &about.id,
            label: about.label.clone(),
            text: Some(known),
            beside: about.beside,
            facts: about.facts.clone(),
            lists: about.lists.clone(),
            edits,
            edits_note,
            before,
            ..Document::default()
        };
        let Some((layer, earlier)) = layers.split_last() else {
            let position = builder.document(&document(Vec::new(), note, None));
            let plain = plain(&about.id, known);
            self.plain.entry(plain).or_insert(position);
            return position;
        };
        let (placed, undone) = match (layer.placed(text), layer.undo(text)) {
            (Ok(placed), Ok(undone)) => (placed, undone),
            (Err(error), _) | (_, Err(error)) => {
                return builder.document(&document(Vec::new(), Some(error.to_string()), None));
            }
        };
        let known = self.plain.get(&plain(&about.id, Text::new(&undone)));
        let known = known.copied();
        let before = known.filter(|_| earlier.is_empty()).unwrap_or_else(|| {
            let before = About {
                id: about.id.clone(),
                label: format!("{} · before {}", about.id, layer.manipulation),
                other: None,
                beside: None,
                facts: about.before.clone(),
                lists: Vec::new(),
                before: about.before.clone(),
            };
            self.layered(builder, &before, &undone, earlier, None)
        });
        let units = Units::new(text);
        let edits = placed.into_iter().map(|edit| Edit {
            kind: &layer.manipulation,
            start: units.before(edit.start),
            end: units.before(edit.end),
            original: edit.original,
            text: edit.new,
        });
        let note = (!earlier.is_empty()).then(|| {
            format!(
                "{} before it: marked in the document as it was before",
                count(earlier.len(), "manipulation")
            )
        });
        builder.document(&document(edits.collect(), note, Some(before)))
    }
}

/// A position as it is kept: there are no more documents than such numbers.
fn short(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// A document without edits.
fn plain(id: &str, text: Text<'_>) -> Digest {
    let known = text.known();
    Digest::of([&known[..], id.as_bytes()].concat())
}

impl<'f> Described<'f> {
    fn new(node: &'f Node, rows: &'f Frame, column: &'f str) -> Result<Self, FrameError> {
        let there = |name: &str| rows.has(name).then(|| rows.column(name)).transpose();
        let mut facts = Vec::new();
        let mut pair = Vec::new();
        if PAIR_COLUMNS.iter().all(|name| rows.has(name)) {
            for name in PAIR_COLUMNS {
                pair.push((name, rows.column(name)?));
            }
        }
        let is_shown = |name: &str| !pair.is_empty() && PAIR_COLUMNS.contains(&name);
        for name in rows.names() {
            if !SHOWN.contains(&name) && name != column && !is_shown(name) {
                facts.push((name, rows.column(name)?));
            }
        }
        Ok(Self {
            node,
            before: 0,
            column,
            id: there("doc_id")?,
            section: there("section")?,
            text: there(column)?,
            edits: there("edits")?,
            manipulation: there("manipulation")?,
            not_applicable: there(NOT_APPLICABLE)?,
            pair,
            facts,
        })
    }

    /// Says of a row's document what judgements of it can be chosen by.
    fn tell(&self, builder: &mut Builder, position: usize, row: usize) {
        let columns = self.facts.iter().chain(&self.pair);
        for (name, column) in columns.filter(|(name, _)| !DAMAGE_COLUMNS.contains(name)) {
            let value = column
                .text(row)
                .filter(|value| value.len() <= LONGEST_CHOICE);
            if let Some(value) = value {
                builder.tell(position, name, &value);
            }
        }
    }

    /// What is known of a row's document.
    fn about(&self, row: usize, with_facts: bool) -> About {
        let cell = |column: &ColumnView<'_>| column.text(row).map(std::borrow::Cow::into_owned);
        let id = self.id.as_ref().and_then(cell);
        let id = id.unwrap_or_else(|| format!("row {}", self.before + row + 1));
        let mut label = vec![id.clone()];
        label.extend(
            self.node
                .settings
                .iter()
                .map(|(_, value)| value.to_string()),
        );
        if let Some(section) = self.section.as_ref().and_then(cell) {
            label.push(format!("section {section}"));
        }
        let of_pair = |wanted: &str| {
            let mut columns = self.pair.iter();
            cell(&columns.find(|(name, _)| *name == wanted)?.1)
        };
        let mut other = None;
        if let Some([first, second]) = shown(of_pair) {
            label.push(format!("{}: {first}", PAIR_COLUMNS[0]));
            let name = PAIR_COLUMNS[1];
            other = of_pair(name).map(|text| (format!("{id} · {name}: {second}"), text));
        } else if !self.column.is_empty() && self.column != "text" {
            label.push(self.column.to_owned());
        }
        let (mut facts, mut lists, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for (name, column) in self.facts.iter().filter(|_| with_facts) {
            let Some(value) = cell(column) else { continue };
            let length = value.chars().count();
            if column.is_json() && length <= LONGEST_LIST && !DAMAGE_COLUMNS.contains(name) {
                lists.push(((*name).to_owned(), value));
                continue;
            }
            let value = if length > LONGEST_FACT {
                format!("({} characters)", thousands(length as u64))
            } else {
                value
            };
            let set = self.node.settings.iter().any(|(axis, _)| axis == name);
            if !set && !DAMAGE_COLUMNS.contains(name) {
                before.push(((*name).to_owned(), value.clone()));
            }
            facts.push(((*name).to_owned(), value));
        }
        About {
            id,
            label: label.join(" · "),
            other: other.filter(|_| with_facts),
            beside: None,
            facts,
            lists,
            before,
        }
    }
}
