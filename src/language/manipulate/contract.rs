//! What a manipulation says of itself.

use super::intensity::Intensity;
use super::name::Target;
use super::needle::Position;
use super::perform::{Damaged, Job, Refusal};
use crate::language::text::{Span, Want, sentences};

/// A manipulation: what it is called, what it needs, which settings it has, and what it does.
pub trait Work {
    /// Its settings besides the intensity. Everything serialised here is part of a key.
    type Settings: Default;

    /// What holds for it whatever its settings are.
    const ABOUT: About;

    /// Its settings where nothing else is said.
    fn usual() -> Self::Settings {
        Self::Settings::default()
    }

    /// What it takes from another stage with these settings.
    fn takes(_: &Self::Settings) -> Takes {
        Self::ABOUT.takes
    }

    /// What another document can give to it.
    fn gives(_: &Self::Settings, text: &str) -> Vec<Span> {
        match Self::ABOUT.takes {
            Takes::Hay => sentences(text),
            Takes::Nothing | Takes::Passages | Takes::Wholes => Vec::new(),
        }
    }

    /// Damages a document.
    ///
    /// # Errors
    /// When the document has not enough of what is changed.
    fn perform(settings: &Self::Settings, job: &mut Job<'_>) -> Result<Damaged, Refusal>;

    /// Where it is to stand, for a needle that stands in several places: each gives a row of its own.
    fn positions(_: &Self::Settings) -> Vec<Position> {
        Vec::new()
    }

    /// Damages a document once for each of the positions, or once where there are none.
    ///
    /// # Errors
    /// When the document has not enough of what is changed.
    fn perform_each(settings: &Self::Settings, job: &mut Job<'_>) -> Result<Vec<Damaged>, Refusal> {
        Ok(vec![Self::perform(settings, job)?])
    }
}

/// What holds for a manipulation whatever its settings are.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in specs and tables.
    pub name: &'static str,
    /// Its number in the thesis (Table A.3).
    pub number: Option<u8>,
    /// What it is meant to harm.
    pub target: Target,
    /// How strong it is where nothing else is said: as in Tables 3.7, A.4 and A.5 of the thesis, with the rows of \[42\]
    /// and \[43\] put right. For the others it names no one setting.
    pub usual: Option<Intensity>,
    /// What must be known about texts.
    pub wants: Want,
    /// Whether a percentage is one of the tokens (Eq. 3.2 and A.6).
    pub counts_tokens: bool,
    /// What it takes from another stage.
    pub takes: Takes,
}

impl About {
    /// A manipulation that needs and takes nothing and has no usual strength.
    pub(super) const fn of(name: &'static str, number: Option<u8>, target: Target) -> Self {
        Self {
            name,
            number,
            target,
            usual: None,
            wants: Want::NOTHING,
            counts_tokens: false,
            takes: Takes::Nothing,
        }
    }
}

/// What a manipulation takes from another stage than the one it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Passages of other documents.
    Passages,
    /// Sentences of another document to lay a needle in, where its hay is a random one.
    Hay,
    /// The whole documents, to fill up from.
    Wholes,
}
