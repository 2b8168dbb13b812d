//! Who finds sentences, words and entities: the annotator that is built in, or a program of the user's.

use std::borrow::Cow;

use serde::Serialize;

use super::Failure;
use crate::frame::ColumnView;
use crate::text::external;
use crate::text::{Annotations, Want, annotate};
use crate::wording::count;

/// Who finds sentences, words and entities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Annotator {
    /// The one that is built in, with the version of what it finds.
    BuiltIn(u32),
    /// A program. Where it lies is in no key; what it calls itself is, and is checked when it runs.
    Program {
        /// The program and its arguments.
        #[serde(skip)]
        command: Vec<String>,
        /// Its name and version.
        version: String,
    },
}

/// Annotations of the texts of one stage, made at once or one by one.
#[derive(Debug)]
pub(super) enum Annotated {
    /// Made when they are asked for, so that few are in memory at a time.
    Later(Want),
    /// Made by a program, which is started once for all texts.
    Made(external::Annotated),
}

impl Annotator {
    /// The one that is built in.
    pub fn built_in() -> Self {
        Self::BuiltIn(crate::text::ANNOTATOR_VERSION)
    }

    /// Gets ready for texts; a program reads them all now.
    ///
    /// # Errors
    /// What goes wrong with the program.
    pub(super) fn prepare(&self, texts: &ColumnView<'_>, want: Want) -> Result<Annotated, Failure> {
        match self {
            Self::Program { command, version } if !want.is_nothing() => {
                let texts: Vec<String> = (0..texts.len())
                    .map(|row| texts.text(row).unwrap_or_default().into_owned())
                    .collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                external::annotate(command, version, &texts, want)
                    .map(Annotated::Made)
                    .map_err(|error| Failure::new(error.to_string()))
            }
            _ => Ok(Annotated::Later(want)),
        }
    }
}

impl Annotated {
    /// What is known of the text at a position.
    ///
    /// # Errors
    /// When the built-in annotator cannot be used.
    pub(super) fn of(&self, position: usize, text: &str) -> Result<Cow<'_, Annotations>, Failure> {
        Ok(match self {
            Self::Later(want) => Cow::Owned(annotate(text, *want)?),
            Self::Made(all) => Cow::Borrowed(&all.documents[position]),
        })
    }

    /// What a person should know: labels of the program's that mean nothing here.
    pub(super) fn warnings(&self) -> Vec<String> {
        let Self::Made(all) = self else {
            return Vec::new();
        };
        all.ignored
            .iter()
            .map(|(label, times)| {
                format!(
                    "the annotator's {} labelled `{label}` are left out: there is no such kind here",
                    count(*times, "entity").replace("entitys", "entities")
                )
            })
            .collect()
    }
}
