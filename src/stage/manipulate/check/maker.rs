//! The recipe of one manipulation, out of the settings written for it.

use crate::base::wording::{choice_of, list_of};
use crate::language::manipulate::{
    self, Intensity, Manipulation, Recipe, Settings, Work, manipulations,
};
use crate::stage::check::Context;
use crate::stage::manipulate::raw::RawManipulate;
use crate::stage::manipulate::tables::{Amount, Asks, RawOf, Table};
use crate::toml::{Percent, Problems};

/// Makes the recipe of one manipulation out of the settings written for it.
pub(crate) struct Maker<'m> {
    pub(crate) context: &'m Context<'m>,
    pub(crate) at: &'m [String],
    pub(crate) manipulation: Manipulation,
    /// What is applied, which may be another.
    pub(crate) applied: Option<Manipulation>,
    pub(crate) problems: &'m mut Problems,
}

macro_rules! recipes {
    ($($(#[$about:meta])* $table:ident: $($module:ident::$name:ident),+;)*) => {
        impl Maker<'_> {
            pub(crate) fn recipe(mut self,
                raw: &RawManipulate) -> Option<Recipe> {
                match self.manipulation {
                    $($(Manipulation::$name => {
                        let raw = raw.$table.as_ref();
                        self.make::<manipulate::$module::$name>(raw, Settings::$name)
                    })+)*
                }
            }
        }
    };
}

manipulations!(recipes);

impl Maker<'_> {
    fn make<M: Work<Settings: Table>>(
        &mut self,
        raw: Option<&RawOf<M>>,
        settings: impl FnOnce(M::Settings) -> Settings,
    ) -> Option<Recipe> {
        let nothing = RawOf::<M>::default();
        let raw = raw.unwrap_or(&nothing);
        let checked = M::Settings::check(raw, M::usual(), self)?;
        let intensity = match raw.amount() {
            Some(amount) => Some(self.intensity(amount)?),
            None => None,
        };
        Some(Recipe {
            intensity,
            settings: settings(checked),
        })
    }

    /// How many operations, or the thesis's setting where nothing is said.
    fn intensity(&mut self, amount: Amount) -> Option<Intensity> {
        let given = [
            ("count", amount.count.is_some()),
            ("percent", amount.percent.is_some()),
            ("per-thousand", amount.per_thousand.is_some()),
        ];
        let given: Vec<&str> = given
            .into_iter()
            .filter_map(|(key, given)| given.then_some(key))
            .collect();
        if let [_, second, ..] = given.as_slice() {
            self.bad(
                second,
                format!("{} contradict each other", list_of(&given)),
                "one is enough",
                "keep one of them",
            );
            return None;
        }
        if amount.plus.is_some() && amount.per_thousand.is_none() {
            self.bad(
                "plus",
                "`plus` is added to `per-thousand`, which is missing".to_owned(),
                "added to nothing",
                "add `per-thousand = 1`, or remove `plus`",
            );
            return None;
        }
        if let Some(per_thousand) = amount.per_thousand {
            let nothing = per_thousand == 0.0 && amount.plus.unwrap_or(0) == 0;
            if nothing || !(per_thousand.is_finite() && per_thousand >= 0.0) {
                self.bad(
                    "per-thousand",
                    format!("`{per_thousand}` operations per thousand tokens cannot be made"),
                    "no operations",
                    "write a number above 0, or `apply = \"none\"`",
                );
                return None;
            }
            return Some(Intensity::PerThousand {
                per_thousand,
                bias: amount.plus.unwrap_or(0) as u64,
            });
        }
        let zero = [
            (
                "percent",
                amount.percent.is_some_and(|percent| percent.end == 0),
            ),
            ("count", amount.count == Some(0)),
        ];
        if let Some((key, _)) = zero.into_iter().find(|(_, zero)| *zero) {
            self.bad(
                key,
                format!("`{key} = 0` changes nothing"),
                "no operations",
                "write a number above 0, or `apply = \"none\"`",
            );
            return None;
        }
        if let Some(Percent { start, end }) = amount.percent {
            return Some(Intensity::Percent { start, end });
        }
        if let Some(count) = amount.count {
            return Some(Intensity::Count(count));
        }
        let thesis = self.manipulation.about().usual;
        if thesis.is_none() && self.is_applied() && !self.settings_are_mistaken() {
            let name = self.manipulation.name();
            self.missing(
                format!("`{name}` has no intensity"),
                "an intensity is missing here",
                format!(
                    "add `{name} = {{ percent = [10, 30] }}`, or {}",
                    choice_of(&["count", "per-thousand"])
                ),
            );
        }
        thesis
    }

    /// Whether something is written about the intensity that could not be read; it was reported.
    fn settings_are_mistaken(&self) -> bool {
        ["count", "percent", "per-thousand"]
            .iter()
            .any(|key| self.is_written(key))
    }

    /// Whether the settings are those of what is applied.
    pub(crate) fn is_applied(&self) -> bool {
        self.applied == Some(self.manipulation)
    }

    pub(crate) fn is_written(&self, key: &str) -> bool {
        self.context.is_written(&self.path(), key)
    }

    /// A setting that has to be written and is not.
    pub(crate) fn missing(&mut self, message: String, label: &str, help: String) {
        let table = self.manipulation.table();
        let written = self.context.is_written(self.at, &table);
        let place = if written { &self.path() } else { self.at };
        self.problems.push(
            self.context
                .problem("spec::missing-key", message, place, label)
                .help(help),
        );
    }

    /// A setting that is wrong.
    pub(crate) fn bad(&mut self, key: &str, message: String, label: &str, help: &str) {
        self.problems.push(
            self.context
                .problem("spec::bad-value", message, &self.path_of(key), label)
                .help(help),
        );
    }

    /// Where the settings of this manipulation stand.
    fn path(&self) -> Vec<String> {
        [self.at, &[self.manipulation.table()]].concat()
    }

    /// Where one of them stands.
    pub(crate) fn path_of(&self, key: &str) -> Vec<String> {
        [self.path(), vec![key.to_owned()]].concat()
    }
}
