//! What is tried on the gold texts, and trying it.

use tribunal::base::draw::Draw;
use tribunal::language::manipulate::repeat::RepeatContent;
use tribunal::language::manipulate::{
    Damaged, Density, Donor, Intensity, Manipulation, Others, Recipe, Refusal, Settings, Subject,
    Takes,
};
use tribunal::language::text::Scope;

use super::texts::Text;

/// What is tried: each manipulation of Table A.3 at each of its scopes or densities.
pub(super) fn variants() -> Vec<(Manipulation, Scope, Density)> {
    let mut all = Vec::new();
    for manipulation in Manipulation::ALL {
        match manipulation.number() {
            None => {}
            Some(11 | 12 | 13 | 14 | 17) => {
                for scope in [Scope::Paragraph, Scope::Section, Scope::Chapter] {
                    all.push((manipulation, scope, Density::Widespread));
                }
            }
            Some(41..=45) => {
                for density in [Density::Widespread, Density::Dense] {
                    all.push((manipulation, Scope::Paragraph, density));
                }
            }
            Some(_) => all.push((manipulation, Scope::Paragraph, Density::Widespread)),
        }
    }
    assert_eq!(all.len(), 15 + 10 + 5);
    all
}

pub(super) fn recipe(
    (manipulation, scope, density): (Manipulation, Scope, Density),
    intensity: Intensity,
) -> Recipe {
    let mut settings = Settings::usual(manipulation);
    match &mut settings {
        Settings::SwapContent(passages)
        | Settings::RemoveContent(passages)
        | Settings::InsertContent(passages)
        | Settings::RepeatContent(RepeatContent(passages))
        | Settings::ExchangeContent(passages) => {
            passages.scope = scope;
            passages.min_characters = scope.default_chars();
        }
        Settings::Typos(letters)
        | Settings::VerbTenses(letters)
        | Settings::WordRemoval(letters) => letters.density = density,
        Settings::WordOrder(settings) => settings.density = density,
        Settings::PunctuationRemoval(settings) => settings.density = density,
        Settings::SwapEntities(_)
        | Settings::ExchangeEntities(_)
        | Settings::TemporalInconsistencies(_)
        | Settings::EntityToPronoun(_)
        | Settings::EntityToTerm(_)
        | Settings::Negation(_)
        | Settings::ConjunctionSwap(_)
        | Settings::EntityReplacement(_) => {}
    }
    Recipe {
        intensity: Some(intensity),
        settings,
    }
}

/// The whole texts' passages of every scope, as donors.
pub(super) fn donors(texts: &[Text], scope: Scope) -> Vec<(&str, Vec<&str>)> {
    let whole = texts.iter().filter(|text| text.length == "full");
    let passages = |text: &'_ Text| text.passages(scope).unwrap_or_default();
    whole
        .map(|text| {
            (
                text.id.as_str(),
                passages(text)
                    .into_iter()
                    .map(|span| span.of(&text.written))
                    .collect(),
            )
        })
        .collect()
}

pub(super) fn perform(
    recipe: &Recipe,
    text: &Text,
    donors: &[(&str, Vec<&str>)],
) -> Result<Damaged, String> {
    let others = if recipe.settings.takes() == Takes::Passages {
        Others::Passages(
            donors
                .iter()
                .map(|(id, units)| Donor { id, units })
                .collect(),
        )
    } else {
        Others::Nothing
    };
    let subject = Subject {
        id: &text.id,
        text: &text.written,
        annotations: &text.annotations,
        tokens: text.tokens(),
        whole: None,
        others: &others,
    };
    let seeded = |parts: &[&str]| {
        Draw::new(
            11,
            &[&[text.id.as_str(), text.length.as_str()], parts].concat(),
        )
    };
    recipe
        .perform(&subject, &seeded)
        .map_err(|refusal| match refusal {
            Refusal::NotApplicable(why) => why.to_string(),
            Refusal::Broken(why) => panic!("{why}"),
        })
}
