//! `manipulate` stages: which manipulation, how strong, and with which settings.

use super::{Context, annotator, tokenizer};
use crate::manipulate::{
    Intensity, Manipulation, NeedlePlace, NegationAfter, Passages, Recipe, Settings, is_statement,
};
use crate::spec::raw::{Amount, RawContent, RawLetters, RawManipulate, RawNeedle};
use crate::spec::{Layers, OneOrMany, Percent, Plain, Problem, Problems};
use crate::stage::{Manipulate, StageName};
use crate::text::EntityKind;
use crate::wording::{choice_of, list_of, nearest};

/// The word for leaving documents as they are.
const NONE: &str = "none";

/// The keys, besides `from`, that name a stage which this variant reads.
pub(super) fn reads_also(layers: &Layers, table: &[String]) -> Vec<&'static str> {
    let at = |keys: &[&str]| {
        let mut path = table.to_vec();
        path.extend(keys.iter().map(|&key| key.to_owned()));
        path
    };
    let written = layers.tree().get(&at(&["apply"]));
    let applied = written
        .and_then(|tree| tree.deserialize::<Plain>().ok())
        .and_then(|written| Manipulation::find(&written.to_string()));
    match applied {
        Some(Manipulation::InsertContent | Manipulation::ExchangeContent) => vec!["donors"],
        Some(Manipulation::RemoveContent) => vec!["fill"],
        Some(needle) if needle.is_needle() => {
            let hay = layers.tree().get(&at(&["needle", "hay"]));
            match hay.and_then(|hay| hay.as_str()) {
                Some("random") => vec!["donors"],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawManipulate,
    reads: &[StageName],
    from: StageName,
    problems: &mut Problems,
) -> Option<Manipulate> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let before = problems.errors();
    let annotator = annotator::named(
        context,
        &path("annotator"),
        raw.annotator.as_deref(),
        problems,
    );
    let tokenizer = tokenizer::named(
        context,
        &path("tokenizer"),
        raw.tokenizer.as_deref(),
        problems,
    );
    let manipulation = applied(context, at, raw, problems)?;
    let maker = |manipulation| Maker {
        context,
        at,
        manipulation,
        applied: Some(manipulation),
    };
    let recipe = manipulation.and_then(|manipulation| maker(manipulation).recipe(raw, problems));
    // Settings of what is not applied here may be applied elsewhere, and their mistakes are told with the
    // others.
    for other in Manipulation::ALL {
        let written = context.is_written(at, settings_of(other));
        if Some(other) != manipulation && written {
            let maker = Maker {
                applied: manipulation,
                ..maker(other)
            };
            maker.recipe(raw, problems);
        }
    }
    if manipulation.is_some() && recipe.is_none() || problems.errors() > before {
        return None;
    }
    let (annotator, tokenizer) = (annotator?, tokenizer?);
    let annotates = |recipe: &Recipe| !recipe.wants().is_nothing();
    Some(Manipulate {
        from,
        other: reads.get(1).cloned(),
        // What says nothing about this manipulation is in no key.
        annotator: recipe.as_ref().is_some_and(annotates).then_some(annotator),
        tokenizer: recipe
            .as_ref()
            .is_some_and(Recipe::counts_tokens)
            .then_some(tokenizer),
        recipe,
    })
}

/// What is applied; nothing where it cannot be told, and an inner nothing for `none`.
#[expect(clippy::option_option, reason = "unknown, none, and one are three")]
fn applied(
    context: &Context<'_>,
    at: &[String],
    raw: &RawManipulate,
    problems: &mut Problems,
) -> Option<Option<Manipulation>> {
    let path = [at, &["apply".to_owned()]].concat();
    let names: Vec<&str> = Manipulation::ALL
        .iter()
        .map(|manipulation| manipulation.name())
        .chain([NONE])
        .collect();
    let Some(written) = raw.apply.as_ref().map(Plain::to_string) else {
        if !context.is_written(at, "apply") {
            problems.push(
                context
                    .problem(
                        "spec::missing-key",
                        format!("`{}` has no `apply`", at.join(".")),
                        at,
                        "`apply` is missing here",
                    )
                    .help(format!("say what is done: {}", list_of(&names))),
            );
        }
        return None;
    };
    if written == NONE {
        return Some(None);
    }
    let found = Manipulation::find(&written);
    if found.is_none() {
        let numbers: Vec<String> = Manipulation::ALL
            .iter()
            .filter_map(|manipulation| manipulation.number())
            .map(|number| number.to_string())
            .collect();
        problems.push(
            context
                .problem(
                    "spec::unknown-manipulation",
                    format!("there is no manipulation `{written}`"),
                    &path,
                    "not a manipulation",
                )
                .help(match nearest(&written, &names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!(
                        "the names are {}; the thesis's numbers are {}",
                        list_of(&names),
                        numbers.join(", ")
                    ),
                }),
        );
    }
    found.map(Some)
}

/// Makes the recipe of one manipulation out of the settings written for it.
struct Maker<'m> {
    context: &'m Context<'m>,
    at: &'m [String],
    manipulation: Manipulation,
    /// What is applied, if it is not this.
    applied: Option<Manipulation>,
}

/// The table that holds the settings of a manipulation.
fn settings_of(manipulation: Manipulation) -> &'static str {
    if manipulation.is_needle() {
        "needle"
    } else {
        manipulation.name()
    }
}

/// Warns of settings of manipulations that no variant of a stage applies.
pub(super) fn idle(
    context: &Context<'_>,
    at: &[String],
    applied: &[Manipulation],
    problems: &mut Problems,
) {
    let mut tables: Vec<&str> = Manipulation::ALL.into_iter().map(settings_of).collect();
    tables.dedup();
    for table in tables {
        let used = applied.iter().any(|&one| settings_of(one) == table);
        if used || !context.is_written(at, table) {
            continue;
        }
        let path = [at, &[table.to_owned()]].concat();
        problems.push(
            Problem::warning(
                "lint::idle-settings",
                format!("`{}` never applies `{table}`", at.join(".")),
            )
            .label_at(context.layers.place_of_key(&path), "without effect")
            .help("apply it, or remove its settings"),
        );
    }
    let needed = |key: &str| {
        applied.iter().any(|&one| match key {
            "fill" => one == Manipulation::RemoveContent,
            _ => {
                one.is_needle()
                    || matches!(
                        one,
                        Manipulation::InsertContent | Manipulation::ExchangeContent
                    )
            }
        })
    };
    for key in ["donors", "fill"] {
        if context.is_written(at, key) && !needed(key) {
            let path = [at, &[key.to_owned()]].concat();
            problems.push(
                Problem::warning(
                    "lint::idle-settings",
                    format!("nothing that `{}` applies takes from `{key}`", at.join(".")),
                )
                .label_at(context.layers.place_of_key(&path), "without effect")
                .help("apply what needs it, or remove it"),
            );
        }
    }
}

impl Maker<'_> {
    fn recipe(&self, raw: &RawManipulate, problems: &mut Problems) -> Option<Recipe> {
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
