//! Who finds sentences, words and entities: the annotator that is built in, or a program of the user's.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::inputs::World;
use super::program::Program;
use crate::base::failure::Failure;
use crate::base::wording::{count, list_of, some_of};
use crate::frame::ColumnView;
use crate::language::text::{Annotations, EntityKind, Want, annotate, external};

/// Who finds sentences, words and entities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Annotator {
    /// The one that is built in, with the version of what it finds.
    BuiltIn(u32),
    /// A program.
    Program(Program),
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
        Self::BuiltIn(crate::language::text::ANNOTATOR_VERSION)
    }

    /// The program, where it is one.
    pub(super) fn program(&mut self) -> Option<&mut Program> {
        match self {
            Self::BuiltIn(_) => None,
            Self::Program(program) => Some(program),
        }
    }

    /// Gets ready for texts; a program reads them all now. The names of the documents are for messages.
    ///
    /// # Errors
    /// What goes wrong with the program.
    pub(super) fn prepare(
        &self,
        texts: &ColumnView<'_>,
        names: Option<&ColumnView<'_>>,
        want: Want,
        world: &dyn World,
    ) -> Result<Annotated, Failure> {
        match self {
            Self::Program(program) if program.command.is_empty() && !want.is_nothing() => {
                Err(program.not_started("annotator"))
            }
            Self::Program(Program { command, version }) if !want.is_nothing() => {
                let texts: Vec<String> = (0..texts.len())
                    .map(|row| texts.text(row).unwrap_or_default().into_owned())
                    .collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                external::annotate(command, version, &texts, want, &|| world.is_stopped())
                    .map(Annotated::Made)
                    .map_err(|error| {
                        let place = error.document();
                        let failure = Failure::new(error.to_string());
                        match place.and_then(|row| Some((row, names?.text(row)?))) {
                            Some((row, name)) => {
                                failure.hint(format!("`id` {row} is the document `{name}`"))
                            }
                            None => failure,
                        }
                    })
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

    /// What a person should know: labels and tags of the program's that mean nothing here.
    pub(super) fn warnings(&self) -> Vec<String> {
        let Self::Made(all) = self else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        if !all.ignored.is_empty() {
            warnings.push(format!(
                "entities that the annotator labels {} are left out ({} of them): the supported kinds are {}",
                often(&all.ignored),
                all.ignored.values().sum::<usize>(),
                list_of(&EntityKind::ALL.map(EntityKind::name))
            ));
        }
        if !all.foreign.is_empty() {
            let words: usize = all.documents.iter().map(|one| one.words.len()).sum();
            warnings.push(format!(
                "{} of {} have tags that the Penn Treebank does not have, such as {}, and count as no part of speech: \
                 have the annotator translate them",
                all.foreign.values().sum::<usize>(),
                count(words, "word"),
                often(&all.foreign)
            ));
        }
        warnings
    }
}

/// The most frequent of some names, those that are as frequent in their order.
fn often(names: &BTreeMap<String, usize>) -> String {
    let mut sorted: Vec<(&String, &usize)> = names.iter().collect();
    sorted.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
    let names: Vec<&String> = sorted.into_iter().map(|(name, _)| name).collect();
    some_of(&names)
}
