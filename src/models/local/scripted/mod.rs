//! The provider of scripts: what a spec says of one, and how it becomes a model.

mod script;

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use self::script::Scripted;
use super::contract::{Given, Key, LocalProvider, Reads, ReadsFiles, Unread};
use crate::base::failure::Failure;
use crate::models::ask::{Model, Silent};

/// A script.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The file, already absolute; its content enters keys as a digest.
    #[serde(skip)]
    script: PathBuf,
}

impl LocalProvider for Settings {
    fn keys() -> &'static [Key] {
        &[("script", Some("\"replies.toml\""))]
    }

    fn of(given: Given) -> Option<Self> {
        let script = given.script?;
        Some(Self { script })
    }

    fn words(&self) -> String {
        "a script".to_owned()
    }

    fn unsent(&self) -> Option<&'static str> {
        None
    }

    fn reads(&self) -> Option<Reads<'_>> {
        Some(Reads {
            key: "script",
            role: "script",
            files: std::slice::from_ref(&self.script),
            // It names a file that questions are noted in.
            obeyed: true,
            table: None,
        })
    }

    fn load(
        &self,
        _: &str,
        asked: &str,
        files: &dyn ReadsFiles,
    ) -> Result<Arc<dyn Model>, Failure> {
        let bytes = match files.bytes(&self.script) {
            Ok(bytes) => bytes,
            // Its stored replies are as good; whoever asks for another is told.
            Err(Unread::NotHere(why)) => return Ok(Arc::new(Silent(why))),
            Err(Unread::Failed(failure)) => return Err(failure),
        };
        let model = std::str::from_utf8(&bytes)
            .map_err(|error| error.to_string())
            .and_then(|text| Scripted::parse(asked, &self.script, text))
            .map_err(|why| Failure::new(why).at(self.script.display()))?;
        Ok(Arc::new(model))
    }
}
