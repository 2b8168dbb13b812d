//! What is written down of a batch, before anything is sent and after every step.
//!
//! Knows what an entry says and what it is called; files are the cache's business.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::base::key::Digest;
use crate::models::dialect::Dialect;

/// A model behind a server that takes batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// How the server is spoken to.
    pub dialect: Dialect,
    /// Where it is, such as `https://api.openai.com/v1`; without a slash at the end.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
}

/// What is known of one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    dialect: Dialect,
    base_url: String,
    model: String,
    /// When this was planned or sent, in seconds since 1970.
    pub(super) created_at: u64,
    /// How far it is.
    pub(super) state: State,
    /// The keys of its calls, sorted.
    pub(super) custom_ids: Vec<Digest>,
}

/// How far a batch is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Its questions are reserved. There is no batch on the server, at most a file.
    Planned,
    /// The request that creates it is about to be sent: there may be a batch.
    Sending,
    /// It is with the server.
    Submitted {
        /// The server's name for it.
        id: String,
        /// Whether that is certainly this batch. It is not if it was only found to look like it; then its
        /// results will tell.
        certain: bool,
    },
}

impl Service {
    /// The model `model` behind the server at `base_url`.
    pub fn new(dialect: Dialect, base_url: &str, model: &str) -> Self {
        Self {
            dialect,
            base_url: base_url.trim_end_matches('/').to_owned(),
            model: model.to_owned(),
        }
    }
}

impl Entry {
    /// A batch of `custom_ids`, sorted, that is to be sent.
    pub(super) fn new(service: &Service, custom_ids: Vec<Digest>, now: u64) -> Self {
        Self {
            dialect: service.dialect,
            base_url: service.base_url.clone(),
            model: service.model.clone(),
            created_at: now,
            state: State::Planned,
            custom_ids,
        }
    }

    /// What it is called, here and, as a mark, on the server: a digest of everything that is asked. Where it
    /// is asked is left out, so that the same batch for another server is noticed.
    pub(super) fn name(&self) -> Digest {
        let asked = (self.dialect, &self.model, &self.custom_ids);
        Digest::of(serde_json::to_vec(&asked).expect("names and digests can be written as JSON"))
    }

    /// Whether it is for `service`.
    pub(super) fn is_for(&self, service: &Service) -> bool {
        (self.dialect, &self.base_url, &self.model)
            == (service.dialect, &service.base_url, &service.model)
    }

    /// Those of its questions that are among `wanted`.
    pub(super) fn of(&self, wanted: &BTreeSet<Digest>) -> BTreeSet<Digest> {
        let ids = self.custom_ids.iter().copied();
        ids.filter(|id| wanted.contains(id)).collect()
    }

    /// The server it is for.
    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(dialect: Dialect, url: &str, model: &str, ids: &[&str]) -> Entry {
        let ids = ids.iter().map(Digest::of).collect();
        Entry::new(&Service::new(dialect, url, model), ids, 7)
    }

    #[test]
    fn an_entry_is_named_by_what_is_asked() {
        let name = entry(Dialect::OpenAi, "http://h/v1", "m", &["a", "b"]).name();
        let same = entry(Dialect::OpenAi, "http://other", "m", &["a", "b"]).name();
        assert_eq!(name, same);
        for other in [
            entry(Dialect::Anthropic, "http://h/v1", "m", &["a", "b"]),
            entry(Dialect::OpenAi, "http://h/v1", "n", &["a", "b"]),
            entry(Dialect::OpenAi, "http://h/v1", "m", &["a"]),
        ] {
            assert_ne!(name, other.name());
        }
    }

    #[test]
    fn an_entry_reads_like_this() {
        let mut entry = entry(Dialect::OpenAi, "http://h/v1/", "m", &["a"]);
        entry.state = State::Submitted {
            id: "b1".to_owned(),
            certain: true,
        };
        let id = Digest::of("a");
        let text = format!(
            r#"{{"dialect":"openai","base_url":"http://h/v1","model":"m","created_at":7,"state":{{"submitted":{{"id":"b1","certain":true}}}},"custom_ids":["{id}"]}}"#
        );
        assert_eq!(serde_json::to_string(&entry).unwrap(), text);
        assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), entry);
    }

    #[test]
    fn a_slash_at_the_end_is_no_other_server() {
        let entry = entry(Dialect::OpenAi, "http://h/v1/", "m", &["a"]);
        assert!(entry.is_for(&Service::new(Dialect::OpenAi, "http://h/v1", "m")));
        assert!(!entry.is_for(&Service::new(Dialect::OpenAi, "http://h/v2", "m")));
    }
}
