//! The provider of replies made elsewhere: what a spec says of the table that they stand in, and how it becomes a model.

mod index;
mod recording;

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use self::index::Recorded;
use self::recording::RecordedFile;
use super::contract::{Given, Key, LocalProvider, Reads, ReadsFiles};
use crate::base::failure::Failure;
use crate::models::ask::Model;

/// Replies made elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The files, already absolute; their content enters keys as digests.
    #[serde(skip)]
    files: Vec<PathBuf>,
    /// How rows find their replies.
    how: RecordedFile,
}

impl LocalProvider for Settings {
    fn keys() -> &'static [Key] {
        &[
            ("files", Some("\"responses.parquet\"")),
            ("text", Some("\"raw_text\"")),
            ("match", Some("{ doc_id = \"doc_id\" }")),
            ("finish", None),
            ("logprobs", None),
            ("parts", None),
            ("where", None),
            ("trailer", None),
        ]
    }

    fn of(given: Given) -> Option<Self> {
        Some(Self {
            files: given.files?,
            how: RecordedFile {
                text: given.text?,
                finish: given.finish,
                logprobs: given.logprobs,
                parts: given.parts,
                matching: given.matching?,
                keep: given.keep,
                trailer: given.trailer,
            },
        })
    }

    fn words(&self) -> String {
        "replies recorded elsewhere".to_owned()
    }

    fn unsent(&self) -> Option<&'static str> {
        Some("recorded elsewhere: the prompt is not known")
    }

    fn looks_at(&self) -> Vec<&str> {
        self.how.matching.values().map(String::as_str).collect()
    }

    fn no_logprobs(&self) -> Option<&'static str> {
        let name = "name the column that holds them as JSON in the model: `logprobs = \"...\"`";
        self.how.logprobs.is_none().then_some(name)
    }

    fn reads(&self) -> Option<Reads<'_>> {
        Some(Reads {
            key: "files",
            role: "recorded",
            files: &self.files,
            obeyed: false,
            table: Some(self.how.table()),
        })
    }

    fn load(&self, name: &str, _: &str, files: &dyn ReadsFiles) -> Result<Arc<dyn Model>, Failure> {
        let recording = files.table(&self.files, &self.how.table())?;
        let recorded = Recorded::index(&self.how, recording).map_err(|error| {
            Failure::new(format!("the recorded files of model `{name}`: {error}")).hint(
                "`text`, `finish`, `logprobs`, `match` and `where` of the model name columns of these files",
            )
        })?;
        Ok(Arc::new(recorded))
    }
}
