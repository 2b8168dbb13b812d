//! Settings that several manipulations have.

use serde::Serialize;

use super::density::Density;
use super::edit::NotApplicable;
use crate::language::text::{EntityKind, Scope, Span};

/// Which passages take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Passages {
    /// What a passage is.
    pub scope: Scope,
    /// The fewest characters of one; sections are filled up to them.
    pub min_characters: usize,
    /// How often a passage is repeated.
    pub times: usize,
}

/// Which names take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entities {
    /// The kinds of entities.
    pub kinds: Vec<EntityKind>,
}

/// Where changes to letters or words lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Letters {
    /// Spread over the text, or close together.
    pub density: Density,
}

impl Passages {
    /// The passages of a text that take part.
    ///
    /// # Errors
    /// When the text is not divided so.
    pub fn of(&self, text: &str) -> Result<Vec<Span>, NotApplicable> {
        self.scope
            .units(text, self.min_characters)
            .map_err(|why| NotApplicable(why.to_string()))
    }
}

impl Default for Entities {
    fn default() -> Self {
        Self {
            kinds: vec![EntityKind::Person],
        }
    }
}

impl Default for Passages {
    fn default() -> Self {
        let scope = Scope::default();
        Self {
            scope,
            min_characters: scope.default_chars(),
            times: 1,
        }
    }
}
