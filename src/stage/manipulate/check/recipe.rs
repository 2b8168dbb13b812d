//! The recipe of one manipulation, out of the settings written for it.

use crate::base::wording::{choice_of, list_of, nearest};
use crate::language::manipulate::{
    Intensity, Manipulation, NeedlePlace, Passages, Recipe, Settings, is_statement,
};
use crate::language::text::EntityKind;
use crate::stage::check::Context;
use crate::stage::manipulate::raw::{Amount, RawContent, RawLetters, RawManipulate, RawNeedle};
use crate::toml::{OneOrMany, Percent, Problems};

/// Makes the recipe of one manipulation out of the settings written for it.
pub(crate) struct Maker<'m> {
    pub(crate) context: &'m Context<'m>,
    pub(crate) at: &'m [String],
    pub(crate) manipulation: Manipulation,
    /// What is applied, which may be another.
    pub(crate) applied: Option<Manipulation>,
}

impl Maker<'_> {
    pub(crate) fn recipe(&self, raw: &RawManipulate, problems: &mut Problems) -> Option<Recipe> {
        if self.manipulation.is_needle() {
            return Some(Recipe {
                manipulation: self.manipulation,
                intensity: None,
                settings: Settings::Needle(self.needle(raw.needle.as_ref(), problems)?),
            });
        }
        let (amount, settings) = self
            .content(raw, problems)
            .or_else(|| self.entities(raw, problems))
            .unwrap_or_else(|| Self::words(self.manipulation, raw));
        let intensity = self.intensity(amount, problems)?;
        Some(Recipe {
            manipulation: self.manipulation,
            intensity: Some(intensity),
            settings,
        })
    }

    /// Settings of manipulations of passages.
    fn content(&self, raw: &RawManipulate, problems: &mut Problems) -> Option<(Amount, Settings)> {
        let passages = |content: &RawContent, times| {
            let scope = content.scope.unwrap_or_default();
            let settings = Settings::Passages(Passages {
                scope,
                min_characters: content.min_characters.unwrap_or(scope.default_chars()),
                times,
            });
            (content.amount(), settings)
        };
        let plain =
            |content: &Option<RawContent>| Some(passages(&content.clone().unwrap_or_default(), 1));
        match self.manipulation {
            Manipulation::SwapContent => plain(&raw.swap_content),
            Manipulation::RemoveContent => plain(&raw.remove_content),
            Manipulation::InsertContent => plain(&raw.insert_content),
            Manipulation::ExchangeContent => plain(&raw.exchange_content),
            Manipulation::RepeatContent => {
                let repeat = raw.repeat_content.clone().unwrap_or_default();
                let content = RawContent {
                    scope: repeat.scope,
                    min_characters: repeat.min_characters,
                    ..RawContent::default()
                };
                let times = repeat.times.unwrap_or(1);
                if !(1..=255).contains(&times) {
                    self.bad(
                        "times",
                        format!("a passage cannot be repeated {times} times"),
                        "from 1 to 255",
                        "say how often the passage comes again: `times = 1`",
                        problems,
                    );
                }
                let (_, settings) = passages(&content, times);
                Some((repeat.amount(), settings))
            }
            Manipulation::TemporalInconsistencies => {
                let raw = raw.temporal_inconsistencies.clone().unwrap_or_default();
                if let Some(statements) = &raw.statements {
                    self.statements(statements, problems);
                }
                let settings = Settings::Statements {
                    min_characters: raw.min_characters.unwrap_or(50),
                    statements: raw.statements.clone(),
                };
                Some((raw.amount(), settings))
            }
            _ => None,
        }
    }

    /// Settings of manipulations of names.
    fn entities(&self, raw: &RawManipulate, problems: &mut Problems) -> Option<(Amount, Settings)> {
        match self.manipulation {
            Manipulation::SwapEntities => {
                let raw = raw.swap_entities.clone().unwrap_or_default();
                let settings = Settings::Swap {
                    kinds: self.kinds(raw.kinds.as_ref(), &[EntityKind::Person], problems),
                    mentions: raw.mentions.unwrap_or_default(),
                };
                Some((raw.amount(), settings))
            }
            Manipulation::ExchangeEntities => {
                let raw = raw.exchange_entities.clone().unwrap_or_default();
                let kinds = self.kinds(raw.kinds.as_ref(), &[EntityKind::Person], problems);
                Some((raw.amount(), Settings::Entities { kinds }))
            }
            Manipulation::EntityToPronoun => {
                let raw = raw.entity_to_pronoun.clone().unwrap_or_default();
                let kinds = self.kinds(raw.kinds.as_ref(), &EntityKind::NOT_PERSONS, problems);
                Some((raw.amount(), Settings::Entities { kinds }))
            }
            Manipulation::EntityToTerm => {
                let raw = raw.entity_to_term.clone().unwrap_or_default();
                let terms = raw.terms.clone().map(|terms| terms.0);
                let blank = |terms: &Vec<String>| {
                    terms.is_empty() || terms.iter().any(|term| term.trim().is_empty())
                };
                if terms.as_ref().is_some_and(blank) {
                    self.bad(
                        "terms",
                        "`terms` needs words".to_owned(),
                        "no word to put in",
                        "name the words that stand in: `terms = [\"thing\", \"stuff\"]`",
                        problems,
                    );
                }
                let settings = Settings::Terms {
                    kinds: self.kinds(raw.kinds.as_ref(), &EntityKind::NOT_PERSONS, problems),
                    terms: terms.unwrap_or_else(|| vec!["thing".to_owned(), "stuff".to_owned()]),
                    article: raw.article.unwrap_or_default(),
                };
                Some((raw.amount(), settings))
            }
            _ => None,
        }
    }

    /// Settings of manipulations of letters and words.
    fn words(manipulation: Manipulation, raw: &RawManipulate) -> (Amount, Settings) {
        let letters = |raw: &Option<RawLetters>| {
            let raw = raw.clone().unwrap_or_default();
            let density = raw.density.unwrap_or_default();
            (raw.amount(), Settings::Letters { density })
        };
        match manipulation {
            Manipulation::WordOrder => {
                let raw = raw.word_order.clone().unwrap_or_default();
                let settings = Settings::WordOrder {
                    density: raw.density.unwrap_or_default(),
                    shuffle: raw.shuffle.unwrap_or_default(),
                };
                (raw.amount(), settings)
            }
            Manipulation::PunctuationRemoval => {
                let raw = raw.punctuation_removal.clone().unwrap_or_default();
                let settings = Settings::Punctuation {
                    density: raw.density.unwrap_or_default(),
                    marks: raw.marks.unwrap_or_default(),
                };
                (raw.amount(), settings)
            }
            Manipulation::VerbTenses => letters(&raw.verb_tenses),
            Manipulation::WordRemoval => letters(&raw.word_removal),
            _ => letters(&raw.typos),
        }
    }

    /// How many operations, or the thesis's setting where nothing is said.
    fn intensity(&self, amount: Amount, problems: &mut Problems) -> Option<Intensity> {
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
                format!("{} say different things", list_of(&given)),
                "one is enough",
                "keep one of them",
                problems,
            );
            return None;
        }
        if amount.plus.is_some() && amount.per_thousand.is_none() {
            self.bad(
                "plus",
                "`plus` is added to `per-thousand`, which is not there".to_owned(),
                "added to nothing",
                "add `per-thousand = 1`, or remove `plus`",
                problems,
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
                    problems,
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
                problems,
            );
            return None;
        }
        if let Some(Percent { start, end }) = amount.percent {
            return Some(Intensity::Percent { start, end });
        }
        if let Some(count) = amount.count {
            return Some(Intensity::Count(count));
        }
        let thesis = self.manipulation.usual_intensity();
        let applied = self.applied == Some(self.manipulation);
        if thesis.is_none() && applied && !self.settings_are_mistaken() {
            let name = self.manipulation.name();
            problems.push(
                self.context
                    .problem(
                        "spec::missing-key",
                        format!("how strong `{name}` is, is not said"),
                        &self.place(),
                        "an intensity is missing here",
                    )
                    .help(format!(
                        "add `{name} = {{ percent = [10, 30] }}`, or {}",
                        choice_of(&["count", "per-thousand"])
                    )),
            );
        }
        thesis
    }

    /// Whether something is written about the intensity that could not be read; it was reported.
    fn settings_are_mistaken(&self) -> bool {
        ["count", "percent", "per-thousand"]
            .iter()
            .any(|key| self.context.is_written(&self.path(), key))
    }

    fn needle(&self, raw: Option<&RawNeedle>, problems: &mut Problems) -> Option<NeedlePlace> {
        let table = [self.at, &["needle".to_owned()]].concat();
        let raw = raw.cloned().unwrap_or_default();
        let mut needed = |key: &str, value: Option<usize>| {
            let applied = self.applied.is_some_and(Manipulation::is_needle);
            if applied && value.is_none() && !self.context.is_written(&table, key) {
                let place = if self.context.is_written(self.at, "needle") {
                    &table
                } else {
                    self.at
                };
                problems.push(
                    self.context
                        .problem(
                            "spec::missing-key",
                            format!("the needle has no `{key}`"),
                            place,
                            &format!("`{key}` is missing here"),
                        )
                        .help("say how many sentences stand around it: `needle = { before = 3, after = 3 }`"),
                );
            }
            value
        };
        let (before, after) = (needed("before", raw.before), needed("after", raw.after));
        let room = raw.room.unwrap_or(9);
        for (key, value) in [("before", before), ("after", after)] {
            if let Some(value) = value.filter(|value| *value > room) {
                let path = [table.clone(), vec![key.to_owned()]].concat();
                problems.push(
                    self.context
                        .problem(
                            "spec::bad-value",
                            format!("{value} sentences do not fit into a room of {room}"),
                            &path,
                            "too many",
                        )
                        .help(format!(
                            "every position is tried on the same documents: say `room = {value}` or more, the same for all positions"
                        )),
                );
            }
        }
        Some(NeedlePlace {
            before: before?,
            after: after?,
            hay: raw.hay.unwrap_or_default(),
            room,
            reach: raw.reach.unwrap_or(5),
            not_after: (self.manipulation == Manipulation::Negation)
                .then(|| raw.not_after.unwrap_or_default()),
        })
    }

    fn kinds(
        &self,
        written: Option<&OneOrMany<String>>,
        otherwise: &[EntityKind],
        problems: &mut Problems,
    ) -> Vec<EntityKind> {
        let Some(written) = written else {
            return otherwise.to_vec();
        };
        let known: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.name()).collect();
        let mut kinds = Vec::new();
        for name in written {
            match EntityKind::ALL.into_iter().find(|kind| kind.name() == name) {
                Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
                Some(_) => {}
                None => {
                    let list = [self.path(), vec!["kinds".to_owned()]].concat();
                    problems.push(
                        self.context
                            .problem(
                                "spec::unknown-entity",
                                format!("there is no kind of entity `{name}`"),
                                &self.context.element(&list, name),
                                "not a kind of entity",
                            )
                            .help(match nearest(&name.to_uppercase(), &known) {
                                Some(near) => format!("did you mean `{near}`?"),
                                None => format!("the kinds are {}", list_of(&known)),
                            }),
                    );
                }
            }
        }
        // Their order is no choice, so that both orders are one key.
        kinds.sort_unstable();
        if written.is_empty() {
            self.bad(
                "kinds",
                "`kinds` is empty".to_owned(),
                "nothing to change",
                "name the kinds of entities that take part, or leave `kinds` out",
                problems,
            );
        }
        kinds
    }

    fn statements(&self, statements: &[String], problems: &mut Problems) {
        if statements.is_empty() {
            self.bad(
                "statements",
                "`statements` is empty".to_owned(),
                "nothing to add",
                "write the sentences to add, or leave `statements` out for the built-in ones",
                problems,
            );
        }
        for statement in statements
            .iter()
            .filter(|statement| !is_statement(statement))
        {
            let list = [self.path(), vec!["statements".to_owned()]].concat();
            problems.push(
                self.context
                    .problem(
                        "spec::bad-value",
                        "a statement is one sentence on one line".to_owned(),
                        &self.context.element(&list, statement),
                        "not a sentence",
                    )
                    .help("write a sentence that ends with `.`, `!` or `?`"),
            );
        }
    }

    fn bad(&self, key: &str, message: String, label: &str, help: &str, problems: &mut Problems) {
        let path = [self.path(), vec![key.to_owned()]].concat();
        problems.push(
            self.context
                .problem("spec::bad-value", message, &path, label)
                .help(help),
        );
    }

    /// Where the settings of this manipulation stand.
    fn path(&self) -> Vec<String> {
        [self.at, &[self.manipulation.name().to_owned()]].concat()
    }

    /// The settings, or the stage where there are none.
    fn place(&self) -> Vec<String> {
        if self.context.is_written(self.at, self.manipulation.name()) {
            self.path()
        } else {
            self.at.to_vec()
        }
    }
}
