//! The stages upstream of a stage: which columns identify documents, which say something of their
//! sections only, and which there can be at all.

use std::collections::BTreeSet;

use super::Known;
use crate::stage::{BOOK_COLUMNS, Kind, Source, Stage, StageName};

/// Where rows come from.
#[derive(Default)]
pub(crate) struct Line {
    /// The columns that tell the rows of the sources apart.
    key: Vec<String>,
    /// The columns that were added to sections, after documents were cut.
    pub(crate) of_sections: BTreeSet<String>,
    /// The columns that the rows may have.
    columns: BTreeSet<String>,
    /// Whether they may have others: those of a file.
    open: bool,
    /// Where it has been: a stage that by mistake reads itself has no end.
    seen: BTreeSet<(StageName, Below)>,
}

/// What is known of the stages below one that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Below {
    /// The rows still are parts of documents: none of the stages below cuts them.
    parts: bool,
    /// A stage below names the columns that it keeps.
    named: bool,
}

impl Line {
    /// Of stages with sections.
    pub(crate) fn of_sections(stages: &[StageName], known: &Known<'_>) -> Self {
        Self::default().and(stages, true, known)
    }

    /// And of stages with whole documents.
    pub(crate) fn and_documents(self, stages: &[StageName], known: &Known<'_>) -> Self {
        self.and(stages, false, known)
    }

    fn and(mut self, stages: &[StageName], parts: bool, known: &Known<'_>) -> Self {
        let named = false;
        for name in stages {
            self.follow(name, Below { parts, named }, known);
        }
        self
    }

    /// The columns that tell documents apart, where `section` tells their sections apart.
    pub(crate) fn key(&self, section: &str) -> Vec<String> {
        let key = self.key.iter().filter(|name| *name != section);
        let mut key: Vec<String> = key.cloned().collect();
        if !key.iter().any(|name| name == "doc_id") {
            key.insert(0, "doc_id".to_owned());
        }
        key
    }

    /// The columns there can be besides the axes; nothing, where only files know.
    pub(crate) fn columns(&self) -> Option<Vec<&str>> {
        let columns = self.columns.iter().map(String::as_str);
        (!self.open).then(|| columns.collect())
    }

    /// Goes up from a stage to its sources.
    fn follow(&mut self, name: &StageName, below: Below, known: &Known<'_>) {
        if !self.seen.insert((name.clone(), below)) {
            return;
        }
        let Some(declared) = known.declared.get(name) else {
            // Mistaken, so nothing is known of its columns.
            self.open = true;
            return;
        };
        for stage in declared.variants.values() {
            let mut here = below;
            self.add(name.kind.about().columns, below);
            match &**stage {
                Stage::Source(source) => self.source(source, below),
                Stage::Memo(memo) => {
                    self.add_key(&memo.key);
                    self.open |= !below.named;
                }
                Stage::Generate(generate) => {
                    let adds = generate.adds();
                    self.add(&adds, below);
                    if below.parts {
                        self.of_sections.extend(adds);
                    }
                }
                Stage::Split(_) => {
                    here.parts = false;
                }
                Stage::Select(select) if !select.columns.is_empty() => {
                    self.add(&select.columns, below);
                    here.named = true;
                }
                stage if !keeps_columns(stage.kind()) => self.open |= !below.named,
                _ => {}
            }
            // Donors and the like are further down the list.
            if let Some(from) = stage.reads().first()
                && name.kind != Kind::Memo
            {
                self.follow(from, here, known);
            }
        }
    }

    fn source(&mut self, source: &Source, below: Below) {
        self.add_key(&source.key);
        self.add(&["doc_id", "text"], below);
        self.add(&source.columns, below);
        if source.columns.is_empty() && !source.gutenberg.is_empty() {
            self.add(&BOOK_COLUMNS, below);
        }
        let files_know = source.columns.is_empty() && source.gutenberg.is_empty();
        self.open |= (files_know || source.metadata.is_some()) && !below.named;
    }

    fn add(&mut self, columns: &[impl AsRef<str>], below: Below) {
        if !below.named {
            let columns = columns.iter().map(|name| name.as_ref().to_owned());
            self.columns.extend(columns);
        }
    }

    fn add_key(&mut self, key: &[String]) {
        for name in key {
            if !self.key.contains(name) {
                self.key.push(name.clone());
            }
        }
    }
}

/// Whether rows of a kind have the columns of what it reads and those that the kind brings along, and no others.
fn keeps_columns(kind: Kind) -> bool {
    use Kind::{Clean, Generate, Judge, Manipulate, Measure, Select, Split, Truncate};
    [
        Clean, Select, Split, Truncate, Manipulate, Measure, Generate, Judge,
    ]
    .contains(&kind)
}
