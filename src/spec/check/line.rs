//! The line of stages that rows come down: which columns tell documents apart, and which say something of their
//! sections only.

use std::collections::BTreeSet;

use super::stages::Known;
use crate::stage::{Kind, Stage, StageName};

/// Where sections come from.
#[derive(Default)]
pub(super) struct Line {
    /// The columns that tell the rows of the sources apart.
    key: Vec<String>,
    /// The columns that were added to sections, after documents were cut.
    pub(super) of_sections: BTreeSet<String>,
}

impl Line {
    /// Of sections that these stages hold.
    pub(super) fn of(stages: &[StageName], known: &Known<'_>) -> Self {
        let mut line = Self::default();
        for name in stages {
            line.follow(name, true, known);
        }
        line
    }

    /// The columns that tell documents apart, where `section` tells their sections apart.
    pub(super) fn documents(&self, section: &str) -> Vec<String> {
        let key = self.key.iter().filter(|name| *name != section);
        let mut key: Vec<String> = key.cloned().collect();
        if !key.iter().any(|name| name == "doc_id") {
            key.insert(0, "doc_id".to_owned());
        }
        key
    }

    /// Goes up from a stage to its sources; `sections` says whether its rows still are parts of documents.
    fn follow(&mut self, name: &StageName, sections: bool, known: &Known<'_>) {
        let Some(declared) = known.declared.get(name) else {
            return;
        };
        for stage in declared.variants.values() {
            let mut below = sections && name.kind != Kind::Split;
            match &**stage {
                Stage::Source(source) => self.add_key(&source.key),
                Stage::Memo(memo) => self.add_key(&memo.key),
                Stage::Generate(generate) if sections => {
                    let adds = generate.asking().adds.into_iter();
                    self.of_sections.extend(adds);
                }
                Stage::Split(_) => below = false,
                _ => {}
            }
            // Donors and the like are further down the list.
            if let Some(from) = stage.reads().first()
                && name.kind != Kind::Memo
            {
                self.follow(from, below, known);
            }
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
