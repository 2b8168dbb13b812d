//! What a measure would compute without a word although the spec can hardly mean it: a label that no row has, sides whose labels
//! have nothing in common, samples of the same items that count as independent.

use std::collections::{BTreeMap, BTreeSet};

use super::measured::Set;
use crate::base::failure::Failure;
use crate::base::wording::{count, list_of};
use crate::stats::measure::{Cell, Data, Measure, Role, Setting, Settings, paired};

/// Looks at all that a stage computes of; one group may well lack a label that another has.
///
/// # Errors
/// Labels that differ from what they are compared with only in capital letters or blanks.
pub(super) fn look(
    measure: &Measure,
    settings: &Settings,
    sets: &[Set<'_>],
) -> Result<Vec<String>, Failure> {
    let all: Vec<&Data> = sets.iter().map(Set::data).collect();
    let mut warnings = Vec::new();
    warnings.extend(positive(measure, settings, &all)?);
    warnings.extend(apart(measure, &all)?);
    warnings.extend(same_items(measure, &all));
    Ok(warnings)
}

/// The label that counts as a hit, where no row has it.
fn positive(
    measure: &Measure,
    settings: &Settings,
    all: &[&Data],
) -> Result<Option<String>, Failure> {
    let Some(positive) = &settings.positive else {
        return Ok(None);
    };
    let sides = [Role::Value, Role::Reference, Role::Rival];
    let labels: BTreeSet<String> = sides
        .into_iter()
        .flat_map(|role| all.iter().flat_map(move |data| labels_of(data, role)))
        .collect();
    let declared = settings.categories.contains(positive);
    if labels.is_empty() || labels.contains(positive) || declared {
        return Ok(None);
    }
    let message = format!(
        "no row has the label `{positive}`, which `positive` names; there {}",
        are(&labels)
    );
    if let Some(other) = labels.iter().find(|label| fold(label) == fold(positive)) {
        return Err(Failure::new(message).hint(format!("write `positive = \"{other}\"`")));
    }
    Ok(Some(format!("`{}`: {message}", measure.name)))
}

/// The columns that are compared, where no column says who rated.
const SIDES: [Role; 2] = [Role::Value, Role::Reference];

/// Sides that are compared label by label and have none in common.
fn apart(measure: &Measure, all: &[&Data]) -> Result<Option<String>, Failure> {
    if !measure.settings.contains(&Setting::Categories)
        && !measure.settings.contains(&Setting::Positive)
    {
        return Ok(None);
    }
    let words = |cells: &[Cell]| cells.iter().any(|cell| matches!(cell, Cell::Text(_)));
    let mut columns = all
        .iter()
        .flat_map(|data| SIDES.map(|role| data.column(role)));
    if !columns.any(|column| column.is_some_and(words)) {
        return Ok(None);
    }
    let mut sides: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for data in all {
        for row in 0..data.len() {
            for role in SIDES {
                let rater = data.cell(Role::Rater, row).text();
                let side = rater.unwrap_or_else(|| role.key().to_owned());
                sides
                    .entry(side)
                    .or_default()
                    .extend(data.cell(role, row).text());
            }
        }
    }
    sides.retain(|_, labels| !labels.is_empty());
    if sides.len() < 2 {
        return Ok(None);
    }
    for (side, labels) in &sides {
        let others: BTreeSet<&String> = sides
            .iter()
            .filter(|(other, _)| *other != side)
            .flat_map(|(_, labels)| labels)
            .collect();
        if labels.iter().any(|label| others.contains(label)) {
            continue;
        }
        let message = format!(
            "the labels of `{side}` are none of the others': {} and {}",
            list_of(&labels.iter().collect::<Vec<_>>()),
            list_of(&others.iter().collect::<Vec<_>>())
        );
        let folded: BTreeSet<String> = others.iter().map(|label| fold(label)).collect();
        if labels.iter().any(|label| folded.contains(&fold(label))) {
            let hint = "they differ in capital letters or blanks: write one of both anew in a `derive` stage, such as \
                        with `| lower | trim`";
            return Err(Failure::new(message).hint(hint));
        }
        return Ok(Some(format!("`{}`: {message}", measure.name)));
    }
    Ok(None)
}

/// Items that stand in several samples, which a measure takes for independent.
fn same_items(measure: &Measure, all: &[&Data]) -> Option<String> {
    let other = paired(measure)?;
    let (mut items, mut shared) = (0, 0);
    for data in all {
        let mut samples: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in 0..data.len() {
            let [item, sample] = [Role::Item, Role::Sample].map(|role| data.cell(role, row).text());
            if let Some((item, sample)) = item.zip(sample) {
                samples.entry(item).or_default().insert(sample);
            }
        }
        items += samples.len();
        shared += samples.values().filter(|samples| samples.len() > 1).count();
    }
    (shared > 0).then(|| {
        format!(
            "`{}` takes its samples for independent, and {shared} of {} are in more than one; `{other}` compares the same items",
            measure.name,
            count(items, "item")
        )
    })
}

fn labels_of(data: &Data, role: Role) -> impl Iterator<Item = String> + use<'_> {
    (0..data.len()).filter_map(move |row| data.cell(role, row).text())
}

fn are(labels: &BTreeSet<String>) -> String {
    let verb = if labels.len() == 1 { "is" } else { "are" };
    format!("{verb} {}", list_of(&labels.iter().collect::<Vec<_>>()))
}

/// A label without what people overlook.
fn fold(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
