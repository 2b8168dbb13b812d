//! Judges of a memo's rows that are given nothing of the memo.
//!
//! A final judge that never sees the report scores something else: the document, or nothing. That the template shows
//! what it is given is checked with the template.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::wording::list_of;
use crate::stage::check::Context;
use crate::stage::check::Declared;
use crate::stage::{Kind, Stage, StageName};
use crate::toml::{Problem, Problems};

/// What a memo's rows say of its judgements.
const OF_MEMOS: [&str; 2] = ["report", "memory"];

/// Refuses judges that read a memo and are given none of its columns.
pub(super) fn check(
    context: &Context<'_>,
    declared: &BTreeMap<StageName, Declared>,
    problems: &mut Problems,
) {
    for (name, stage) in declared.iter().filter(|(name, _)| name.kind == Kind::Judge) {
        let blind = stage.variants.values().find_map(|stage| match &**stage {
            Stage::Judge(judge) => {
                let prompt = judge.prompt.as_ref()?;
                let (memo, columns) = of_memo(&judge.from, declared, &mut BTreeSet::new())?;
                let given = prompt.variables.iter();
                (!given.clone().any(|given| columns.contains(given))).then_some((prompt, memo))
            }
            _ => None,
        });
        let Some((prompt, memo)) = blind else {
            continue;
        };
        let at = [name.kind.name().to_owned(), name.name.clone()];
        let written = ["variables", "prompt"].map(str::to_owned);
        let key = written.into_iter().find(|key| context.is_written(&at, key));
        let place = key.and_then(|key| context.place(&[&at[..], &[key]].concat()));
        let message = format!(
            "`{name}` reads `{memo}` and is given only {}",
            list_of(&prompt.variables)
        );
        Problem::error("lint::report-not-given", message)
                .label_at(place, "the model would never see the report")
                .help(format!(
                    "give it the report: `variables = [\"report\"]`, shown by `templates/{}.j2` as `{{{{ report }}}}`; or let it read a stage above the memo",
                    prompt.name
                ))
            .tell(problems);
    }
}

/// The memo that a stage's rows come from, and the columns that say something of it. Stages may read each other in
/// a circle, which is told elsewhere: each is looked at once.
fn of_memo<'d>(
    name: &'d StageName,
    declared: &'d BTreeMap<StageName, Declared>,
    seen: &mut BTreeSet<&'d StageName>,
) -> Option<(&'d StageName, BTreeSet<String>)> {
    if name.kind == Kind::Memo {
        return Some((name, OF_MEMOS.map(str::to_owned).into()));
    }
    if !seen.insert(name) {
        return None;
    }
    declared.get(name)?.variants.values().find_map(|stage| {
        let (memo, mut columns) = of_memo(stage.reads().first()?, declared, seen)?;
        if let Stage::Generate(generate) = &**stage
            && generate
                .prompt
                .variables
                .iter()
                .any(|given| columns.contains(given))
        {
            columns.insert(generate.into.clone());
        }
        Some((memo, columns))
    })
}
