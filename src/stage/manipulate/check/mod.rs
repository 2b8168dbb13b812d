//! `manipulate` stages: which manipulation, how strong, and with which settings.

mod idle;
mod maker;

use self::idle::one_of_each_table;
pub(crate) use self::idle::{idle, key_of};
pub(crate) use self::maker::Maker;
use crate::base::wording::{list_of, nearest};
use crate::language::manipulate::{Manipulation, Recipe, Takes};
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, annotator, tokenizer};
use crate::stage::manipulate::raw::RawManipulate;
use crate::stage::{Manipulate, RowsOf};
use crate::toml::{Layers, Plain, Problems};

/// The word for leaving documents as they are.
const NONE: &str = "none";

/// The key, besides `from`, that names a stage which this variant reads.
fn reads_also(layers: &Layers, table: &[String]) -> Option<&'static str> {
    let at = |keys: &[&str]| {
        let mut path = table.to_vec();
        path.extend(keys.iter().map(|&key| key.to_owned()));
        path
    };
    let written = layers.tree().get(&at(&["apply"]));
    let applied = written
        .and_then(|tree| tree.deserialize::<Plain>().ok())
        .and_then(|written| Manipulation::find(&written.to_string()));
    let applied = applied?;
    let takes = applied.about().takes;
    let hay = || layers.tree().get(&at(&[&applied.table(), "hay"]));
    if takes == Takes::Hay && hay().and_then(|hay| hay.as_str()) != Some("random") {
        return None;
    }
    key_of(takes)
}

impl Written for Manipulate {
    type Raw = RawManipulate;

    fn check(
        raw: &RawManipulate,
        checking: &Checking<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let Checking {
            context, at, reads, ..
        } = *checking;
        let from = checking.from();
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
        let recipe_of = |of: Manipulation, problems: &mut Problems| {
            let maker = Maker {
                context,
                at,
                manipulation: of,
                applied: manipulation,
                problems,
            };
            maker.recipe(raw)
        };
        let recipe = manipulation.and_then(|applied| recipe_of(applied, problems));
        // Settings of what is not applied here may be applied elsewhere, and their mistakes are told with the
        // others.
        for other in one_of_each_table() {
            let table = other.table();
            let mine = manipulation.is_some_and(|applied| applied.table() == table);
            if !mine && context.is_written(at, &table) {
                recipe_of(other, problems);
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

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }

    fn reads_also(layers: &Layers, table: &[String]) -> Vec<(&'static str, &'static [RowsOf])> {
        let key = reads_also(layers, table).into_iter();
        key.map(|key| (key, &[RowsOf::Documents][..])).collect()
    }
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
            context
                .missing(at, "apply")
                .help(format!("name the manipulation: {}", list_of(&names)))
                .tell(problems);
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
            })
            .tell(problems);
    }
    found.map(Some)
}
