//! What pages are made from.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::Value;

use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::engine::{Ended, Finished, Loaded};
use crate::plan::NodeId;
use crate::publish::printed::Printed;
use crate::publish::record::RECORD;
use crate::publish::seal::Fingerprint;
use crate::publish::shown::Shown;
use crate::spec::Spec;

/// One experiment, run and drawn, with what its page is made from.
pub(super) struct Made<'r> {
    pub(super) loaded: &'r Loaded,
    pub(super) finished: &'r Finished,
    pub(super) shown: &'r Shown<'r>,
    /// What it is called on the page.
    pub(super) label: String,
    /// The text of its `run.json`; empty, if there is none.
    pub(super) record: String,
    /// Printed values of its tables, or why they cannot be read.
    pub(super) printed: BTreeMap<String, Result<Printed<'r>, Error>>,
    /// Where its nodes are in the plan of all experiments.
    pub(super) places: &'r [NodeId],
}

/// What pages are made from, for every experiment.
pub(super) fn all<'r>(
    loaded: &'r [Loaded],
    ended: &'r Ended,
    shown: &'r [Shown<'r>],
) -> Result<Vec<Made<'r>>, Error> {
    let parts = loaded
        .par_iter()
        .zip(&ended.parts)
        .zip(shown)
        .zip(&ended.places);
    parts
        .map(|(((loaded, finished), shown), places)| Made::new(loaded, finished, shown, places))
        .collect()
}

impl<'r> Made<'r> {
    fn new(
        loaded: &'r Loaded,
        finished: &'r Finished,
        shown: &'r Shown<'r>,
        places: &'r [NodeId],
    ) -> Result<Self, Error> {
        let looks = loaded.spec.base.looks.iter();
        let printed = looks.filter_map(|(name, look)| Some((name.clone(), Printed::read(look)?)));
        let record = fs_err::read_to_string(loaded.spec.report_folder().join(RECORD));
        Ok(Self {
            label: loaded.spec.name.clone(),
            record: match record {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                record => record?,
            },
            printed: printed.collect(),
            loaded,
            finished,
            shown,
            places,
        })
    }

    pub(super) fn spec(&self) -> &Spec {
        &self.loaded.spec
    }

    pub(super) fn add_to(&self, fingerprint: &mut Fingerprint) {
        // The record holds the spec with all layers and the digests of all results. Tables are drawn from these, but by
        // code that may have changed.
        fingerprint.add(&self.record);
        fingerprint.add(self.shown.outline().looks.as_bytes());
        for (table, printed) in &self.printed {
            fingerprint.add(table);
            match printed {
                Ok(printed) => printed.texts().for_each(|text| fingerprint.add(text)),
                Err(error) => fingerprint.add(&error.message),
            }
        }
        fingerprint.add(self.left_out().to_string());
        // The order of a spec is that of what the page lists.
        for node in &*self.finished.plan.nodes {
            fingerprint.add(node.title());
        }
    }

    /// A digest of what a page shows of it.
    pub(super) fn digest(&self) -> Digest {
        let mut fingerprint = Fingerprint::default();
        self.add_to(&mut fingerprint);
        fingerprint.digest()
    }

    /// Results that were left out of the bundle that the experiment came in.
    pub(super) fn left_out(&self) -> usize {
        let absent = &self.loaded.absent.results;
        let ids = self.finished.plan.ids();
        let done = ids.filter_map(|id| self.finished.run.done(id));
        done.filter(|done| absent.contains(&done.output)).count()
    }

    pub(super) fn record(&self) -> Value {
        serde_json::from_str(&self.record).unwrap_or_default()
    }
}
