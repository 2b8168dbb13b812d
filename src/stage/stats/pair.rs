//! What a test compares: an axis or column that reaches it, and a level that is there.

use super::raw::RawStats;
use crate::base::wording::{list_of, nearest};
use crate::stage::check::Context;
use crate::stage::check::Known;
use crate::stage::{Pair, StageName};
use crate::toml::Problems;

/// The pairs that are written, without those that lack something.
pub(crate) fn read(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    problems: &mut Problems,
) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let listed = context
        .layers
        .tree()
        .get(at)
        .is_some_and(|tree| tree.elements().is_some());
    for (index, raw) in raw.pair.iter().flatten().enumerate() {
        let at = if listed {
            &[at, &[index.to_string()]].concat()
        } else {
            at
        };
        match (&raw.axis, &raw.against) {
            (Some(axis), Some(_)) if pairs.iter().any(|pair| pair.axis == *axis) => {
                context
                    .problem(
                        "spec::bad-test",
                        format!("axis `{axis}` is compared twice"),
                        at,
                        "named again",
                    )
                    .help("compare along each axis once")
                    .tell(problems);
            }
            (Some(axis), Some(against)) => pairs.push(Pair {
                axis: axis.clone(),
                against: against.to_string(),
                regardless: raw.regardless.clone().unwrap_or_default().0,
                pool: raw.pool.unwrap_or(false),
            }),
            (axis, _) => {
                let missing = if axis.is_none() { "axis" } else { "against" };
                context
                    .problem(
                        "spec::missing-key",
                        format!("a pair has no `{missing}`"),
                        at,
                        &format!("`{missing}` is missing here"),
                    )
                    .help("write `pair = { axis = \"task\", against = \"gold\" }`")
                    .tell(problems);
            }
        }
    }
    pairs
}

/// Checks each pair as far as it can be known without the documents, whose columns may be compared
/// too.
pub(crate) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    from: &[StageName],
    pairs: &[Pair],
    known: &Known<'_>,
    problems: &mut Problems,
) {
    let reaching: Vec<&String> = from
        .iter()
        .filter_map(|name| known.shapes.get(name))
        .flat_map(|shape| &shape.groups)
        .collect();
    for (at, pair) in placed(context, at, pairs) {
        let path = |key: &str| [&at[..], &[key.to_owned()]].concat();
        let asked_for = raw.by.iter().flatten().any(|by| *by == pair.axis);
        let axis = known.axes.iter().find(|axis| axis.name == pair.axis);
        if context.is_astray(&pair.axis) || from.is_empty() {
            // What is wrong with it, or with what is read, was told.
            continue;
        }
        if !reaching.contains(&&pair.axis) && !asked_for {
            let near = nearest(&pair.axis, &reaching);
            if axis.is_none() && near.is_none() {
                // A column of the documents, perhaps.
                continue;
            }
            let message = match axis {
                Some(_) => format!("axis `{}` does not vary what is read", pair.axis),
                None => format!("there is no axis `{}`", pair.axis),
            };
            context
                .problem(
                    "spec::unknown-axis",
                    message,
                    &path("axis"),
                    "nothing to compare",
                )
                .help(match near {
                    Some(near) => {
                        format!("did you mean `{near}`? name a column of the documents in `by` too")
                    }
                    None if reaching.is_empty() => "no axis varies it".to_owned(),
                    None => format!("its rows are grouped by {}", list_of(&reaching)),
                })
                .tell(problems);
            continue;
        }
        let Some(axis) = axis else { continue };
        let levels: Vec<String> = axis.values.iter().map(ToString::to_string).collect();
        if !levels.contains(&pair.against) {
            context
                .problem(
                    "spec::unknown-value",
                    format!("axis `{}` has no value `{}`", axis.name, pair.against),
                    &path("against"),
                    "nothing to compare with",
                )
                .help(format!("its values are {}", list_of(&levels)))
                .tell(problems);
        }
    }
}

/// Refuses to disregard columns that group nothing: that would change nothing, in silence.
pub(crate) fn check_regardless(
    context: &Context<'_>,
    at: &[String],
    by: &[String],
    pairs: &[Pair],
    problems: &mut Problems,
) {
    for (mut at, pair) in placed(context, at, pairs) {
        at.push("regardless".to_owned());
        let missing = pair.regardless.iter().filter(|name| !by.contains(name));
        for name in missing {
            context
                .problem(
                    "spec::unknown-column",
                    format!("no group has a `{name}`"),
                    &context.element(&at, name),
                    "groups nothing here",
                )
                .help(match nearest(name, by) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("add `by = \"{name}\"`, or remove it"),
                })
                .tell(problems);
        }
    }
}

/// Each pair with its path: that of the key, where it stands alone, or of its element in a list.
fn placed<'p, P>(
    context: &Context<'_>,
    at: &[String],
    pairs: &'p [P],
) -> impl Iterator<Item = (Vec<String>, &'p P)> {
    let tree = context.layers.tree().get(at);
    let listed = tree.is_some_and(|tree| tree.elements().is_some());
    pairs.iter().enumerate().map(move |(index, pair)| {
        let element = listed.then(|| index.to_string());
        (at.iter().cloned().chain(element).collect(), pair)
    })
}
