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
    /// A digest of what a page shows of it.
    pub(super) digest: Digest,
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
        let printed: BTreeMap<_, _> = printed.collect();
        let record = match fs_err::read_to_string(loaded.spec.report_folder().join(RECORD)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            record => record?,
        };
        Ok(Self {
            label: loaded.spec.name.clone(),
            digest: shows(&record, shown, &printed, (loaded, finished)),
            record,
            printed,
            loaded,
            finished,
            shown,
            places,
        })
    }

    pub(super) fn spec(&self) -> &Spec {
        &self.loaded.spec
    }

    /// Results that were left out of the bundle that the experiment came in.
    pub(super) fn left_out(&self) -> usize {
        left_out(self.loaded, self.finished)
    }

    pub(super) fn record(&self) -> Value {
        serde_json::from_str(&self.record).unwrap_or_default()
    }
}

/// A digest of what a page shows of an experiment.
fn shows(
    record: &str,
    shown: &Shown<'_>,
    printed: &BTreeMap<String, Result<Printed<'_>, Error>>,
    (loaded, finished): (&Loaded, &Finished),
) -> Digest {
    let mut fingerprint = Fingerprint::default();
    // The record holds the spec with all layers and the digests of all results. Tables are drawn from these, but by
    // code that may have changed.
    fingerprint.add(record);
    fingerprint.add(shown.outline().looks.as_bytes());
    for (table, printed) in printed {
        fingerprint.add(table);
        match printed {
            Ok(printed) => printed.texts().for_each(|text| fingerprint.add(text)),
            Err(error) => fingerprint.add(&error.message),
        }
    }
    fingerprint.add(left_out(loaded, finished).to_string());
    // The order of a spec is that of what the page lists.
    for node in &*finished.plan.nodes {
        fingerprint.add(node.title());
    }
    fingerprint.digest()
}

/// How many results were left out of the bundle that an experiment came in.
fn left_out(loaded: &Loaded, finished: &Finished) -> usize {
    let absent = &loaded.absent.results;
    let done = finished.plan.ids().filter_map(|id| finished.run.done(id));
    done.filter(|done| absent.contains(&done.output)).count()
}
