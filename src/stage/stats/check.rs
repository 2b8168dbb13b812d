//! `stats` stages.

use std::collections::BTreeSet;

use super::measures::Asking;
use super::raw::RawStats;
use super::setting::{Asked, KEYS, Roles, looks_at};
use super::{JUDGE, pair, pooled, told};
use crate::base::wording::{list_of, nearest};
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, condition, part};
use crate::stage::check::{Known, RowShape};
use crate::stage::judge::compare::ORDER;
use crate::stage::{Kind, Pair, RowsOf, StageName, Stats, Test};
use crate::stats::Ddof;
use crate::stats::statistic::USUAL;
use crate::toml::{Problem, Problems};

/// What documents are told apart by, and columns of which one document has several values.
const DOCUMENT: &str = "doc_id";
const REPEAT: &str = "repeat";
const METRIC: &str = "metric";

impl Written for Stats {
    type Raw = RawStats;

    fn check(raw: &RawStats, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking {
            context, at, known, ..
        } = *checking;
        let from = checking.reads.to_vec();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let pair = pair::read(context, &path("pair"), raw, problems);
        let test = test(context, at, raw, &pair, problems);
        idle(context, at, raw, test, problems);
        let asking = Asking { context, at, raw };
        let asked = said(&asking, test, &pair, problems);
        let (level, ddof) = numbers(context, at, raw, problems);
        let is_of_statistics = |name: &StageName| {
            let shape = known.shapes.get(name);
            let held = shape.is_some_and(|shape| !shape.statistics.is_empty());
            held || name.kind.gives(RowsOf::Statistics)
        };
        let statistics = !from.is_empty() && from.iter().all(is_of_statistics);
        let value = value(
            context,
            &path("value"),
            raw,
            &from,
            statistics,
            known,
            problems,
        );
        let over = raw
            .over
            .clone()
            .map_or_else(|| vec!["doc_id".to_owned()], |over| over.0);
        if statistics && raw.over.is_none() && !context.is_written(at, "over") {
            context
                .missing(at, "over")
                .help("statistics of statistics are taken over an axis: `over = \"model\"`")
                .tell(problems);
        }
        columns::groups(context, &path("by"), raw.by.iter().flatten(), problems);
        observed_or_compared(context, &path("over"), &over, &pair, problems);
        if !statistics && from.iter().any(is_of_statistics) {
            mixed(context, at, problems);
        }
        let roles = Roles::of(raw);
        let by = groups(raw, &from, &over, &pair, test, &roles, known);
        if let Some(measure) = test.measure() {
            asking.taken(measure, &by, problems);
        }
        pooled::by_place(context, at, (raw, &by), problems);
        pooled::again(context, &path("over"), raw, (&from, &over, &by), problems);
        independent(
            context,
            &path("over"),
            (raw, test),
            (&over, &pair),
            known,
            problems,
        );
        if known.knows(&from) {
            pair::check(context, &path("pair"), raw, &from, &pair, known, problems);
            pair::check_regardless(context, &path("pair"), &by, &pair, problems);
            check_family(context, at, raw, &by, (&pair, test), problems);
            check_alike(context, &path("alike"), raw, &by, problems);
        }
        let pool = if known.knows(&from) {
            let groups = (&by[..], &over[..], &pair[..]);
            pooled::read((context, &path("pool")), (raw, test), groups, problems)
        } else {
            Vec::new()
        };
        (problems.errors() == before).then(|| Stats {
            condition: condition::read(
                context,
                &path("where"),
                raw.condition.as_deref(),
                Some(known.axes),
                problems,
            ),
            of_kept: statistics && from.iter().any(|name| name.kind != Kind::Stats),
            from,
            test,
            value,
            over,
            by,
            alike: raw.alike.clone().unwrap_or_default().0,
            pool,
            pair,
            ddof,
            level,
            alternative: raw.alternative.unwrap_or_default(),
            correct: raw.correct,
            family: raw.family.clone().unwrap_or_default().0,
            also: raw.value.iter().flatten().skip(1).cloned().collect(),
            roles,
            asked,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let numbers = self.gives().into_iter().filter(|(_, is_number)| *is_number);
        let mut shape = RowShape {
            groups: self.groups().map(str::to_owned).collect(),
            statistics: numbers.map(|(name, _)| name).collect(),
            value: Some(self.shown()),
            measure: self.test.measure(),
        };
        // The axes that set it become columns of its result.
        let own = checking.axes.iter().cloned();
        let own: Vec<String> = own.filter(|axis| !shape.groups.contains(axis)).collect();
        shape.groups.splice(0..0, own);
        shape
    }
}

/// What the spec says to the test, checked.
fn said(asking: &Asking<'_>, test: Test, pair: &[Pair], problems: &mut Problems) -> Asked {
    let Asking { context, at, raw } = asking;
    // Of a test that is none, nothing is known that it would look at.
    let is_test = raw.test.is_some() || !context.is_written(at, "test");
    if is_test {
        asking.idle(test, problems);
    }
    let asked = asking.settings(problems);
    if let Some(measure) = test.measure() {
        asking.needs(measure, pair, problems);
        asking.tried(measure, (&asked, pair), problems);
    } else if is_test && raw.value.iter().flatten().count() > 1 {
        let value = [*at, &["value".to_owned()]].concat();
        one_value(context, &value, test, problems);
    }
    asked
}

/// Scores and statistics are not rows of one table.
fn mixed(context: &Context<'_>, at: &[String], problems: &mut Problems) {
    let place = [at, &["from".to_owned()]].concat();
    context
        .problem(
            "spec::wrong-input",
            format!("`{}` reads both scores and statistics", at.join(".")),
            &place,
            "mixes kinds of rows",
        )
        .help("read judges or statistics, in a stage for each")
        .tell(problems);
}

/// Refuses axes that both tell observations apart and are compared along.
fn observed_or_compared(
    context: &Context<'_>,
    at: &[String],
    over: &[String],
    pair: &[Pair],
    problems: &mut Problems,
) {
    for axis in pair.iter().map(|pair| &pair.axis) {
        if over.contains(axis) {
            context
                .problem(
                    "spec::bad-test",
                    format!("`{axis}` cannot both distinguish observations and be compared"),
                    &context.element(at, axis),
                    "also the axis of a `pair`",
                )
                .help("leave it out of one of the two")
                .tell(problems);
        }
    }
}

fn test(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    pair: &[Pair],
    problems: &mut Problems,
) -> Test {
    let none = pair.is_empty();
    let test = raw
        .test
        .unwrap_or(if none { Test::Mean } else { Test::PairedT });
    let drawn_together = raw.cluster.as_ref().is_some_and(|names| !names.is_empty());
    let clustered = test.clustered().filter(|_| drawn_together);
    let pair_place = [at, &["pair".to_owned()]].concat();
    match (test, none) {
        (Test::PairedT, true) => context
            .problem(
                "spec::bad-test",
                "`paired-t` needs a `pair`".to_owned(),
                at,
                "`pair` is missing here",
            )
            .help("add `pair = { axis = \"task\", against = \"gold\" }`")
            .tell(problems),
        (Test::Mean | Test::Unscored, false) => context
            .problem(
                "spec::bad-test",
                format!("`{}` compares nothing", test.name()),
                &pair_place,
                "has no effect",
            )
            .help("write `test = \"paired-t\"`, or remove `pair`")
            .tell(problems),
        (Test::Mean | Test::Unscored, true) | (Test::PairedT, false) | (Test::Measured(_), _) => {}
    }
    clustered.unwrap_or(test)
}

/// Refuses what only tests look at where nothing is tested.
fn idle(context: &Context<'_>, at: &[String], raw: &RawStats, test: Test, problems: &mut Problems) {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let mut bad = |key: &str, message: String, help: &str| {
        context
            .problem("spec::bad-test", message, &path(key), "has no effect")
            .help(help)
            .tell(problems);
    };
    let given = [
        ("alternative", raw.alternative.is_some()),
        ("correct", raw.correct.is_some()),
        ("family", raw.family.is_some()),
    ];
    let tests = !told::p_values_of(test).is_empty();
    if test.measure().is_none() && !tests {
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            bad(
                key,
                format!(
                    "`{}` makes no test, so `{key}` changes nothing",
                    test.name()
                ),
                "write `test = \"paired-t\"` and a `pair`, or remove it",
            );
        }
        let given = [("value", raw.value.is_some()), ("ddof", raw.ddof.is_some())];
        for (key, _) in given
            .into_iter()
            .filter(|(_, given)| *given && test == Test::Unscored)
        {
            bad(
                key,
                format!("`unscored` counts answers, which `{key}` does not change"),
                "remove it, or write `test = \"mean\"`",
            );
        }
    } else if tests
        && raw.family.is_some()
        && raw.correct.is_none()
        && !context.is_written(at, "correct")
    {
        bad(
            "family",
            "`family` needs a correction".to_owned(),
            "add `correct = \"holm\"`, or remove `family`",
        );
    }
}

fn numbers(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    problems: &mut Problems,
) -> (f64, Ddof) {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let level = raw.level.unwrap_or(0.95);
    if !(level > 0.0 && level < 1.0) {
        context
            .problem(
                "spec::out-of-range",
                format!("`level` cannot be {level}"),
                &path("level"),
                "out of range",
            )
            .help("a confidence level lies between 0 and 1, such as 0.95")
            .tell(problems);
    }
    let ddof = match Ddof::try_from(raw.ddof.unwrap_or(1)) {
        Ok(ddof) => ddof,
        Err(_) => {
            context
                .problem(
                    "spec::out-of-range",
                    format!("`ddof` cannot be {}", raw.ddof.unwrap_or(1)),
                    &path("ddof"),
                    "out of range",
                )
                .help("write 1 to divide by n - 1, or 0 to divide by n")
                .tell(problems);
            Ddof::Sample
        }
    };
    (level, ddof)
}

fn check_family(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    by: &[String],
    (pair, test): (&[Pair], Test),
    problems: &mut Problems,
) {
    let apart = pair.iter().filter(|pair| !pair.pool);
    let keys = test.measure().map_or(&[][..], |measure| measure.keys);
    let known = by
        .iter()
        .chain(apart.map(|pair| &pair.axis))
        .map(String::as_str);
    let known: Vec<&str> = known.chain(keys.iter().copied()).collect();
    for name in raw
        .family
        .iter()
        .flatten()
        .filter(|name| !known.contains(&name.as_str()))
    {
        let place = [at, &["family".to_owned()]].concat();
        context
            .problem(
                "spec::unknown-column",
                format!("no group has a `{name}`"),
                &context.element(&place, name),
                "groups nothing here",
            )
            .help(match nearest(name, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "there is only one group".to_owned(),
                None => format!("the groups are formed by {}", list_of(&known)),
            })
            .tell(problems);
    }
}

/// Refuses what no group is told apart by: groups cannot be alike in it.
fn check_alike(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    by: &[String],
    problems: &mut Problems,
) {
    let named = raw.alike.iter().flatten();
    for name in named.filter(|name| !by.contains(name)) {
        context
            .problem(
                "spec::unknown-column",
                format!("groups are not formed by `{name}`"),
                &context.element(at, name),
                "forms no group here",
            )
            .help(match nearest(name, by) {
                Some(near) => format!("did you mean `{near}`?"),
                None if by.is_empty() => "there is only one group".to_owned(),
                None => format!("the groups are formed by {}", list_of(by)),
            })
            .tell(problems);
    }
}

/// The column with the values; of statistics it must be one that they hold.
fn value(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    from: &[StageName],
    statistics: bool,
    known: &Known<'_>,
    problems: &mut Problems,
) -> String {
    let counts = |name: &StageName| {
        known
            .shapes
            .get(name)
            .is_some_and(|shape| shape.value == Some("value"))
    };
    if raw.value.is_none() && from.iter().any(counts) && !from.iter().all(counts) {
        context
            .problem(
                "spec::wrong-input",
                format!("`{}` reads both scores and counts", at[..2].join(".")),
                &[&at[..2], &["from".to_owned()]].concat(),
                "mixes kinds of rows",
            )
            .help("read judges or measures, in a stage for each")
            .tell(problems);
    }
    let of_measure = |name: &StageName| {
        let shape = known.shapes.get(name).filter(|_| name.kind == Kind::Stats);
        shape.and_then(|shape| shape.value)
    };
    let default = match (statistics, from.iter().all(counts)) {
        (true, _) => from.first().and_then(of_measure).unwrap_or(USUAL),
        (false, true) => "value",
        (false, false) => "score",
    };
    let written = raw.value.iter().flatten().next();
    let value = written.map_or(default, String::as_str).to_owned();
    if statistics {
        for name in from {
            let Some(shape) = known.shapes.get(name) else {
                continue;
            };
            if name.kind == Kind::Stats && !shape.statistics.contains(&value) {
                problems.push(part::unknown_statistic(
                    context,
                    at,
                    &value,
                    name,
                    &shape.statistics,
                ));
            }
        }
    }
    value
}

/// Refuses several columns of values where there are no raters.
fn one_value(context: &Context<'_>, at: &[String], test: Test, problems: &mut Problems) {
    let message = format!("`{}` takes one column of values", test.name());
    context
        .problem("spec::bad-test", message, at, "several columns")
        .help("name one; a stage for each computes it of several")
        .tell(problems);
}

/// Warns of rows that n would count and that are not independent, since several are about one document.
fn independent(
    context: &Context<'_>,
    at: &[String],
    (raw, test): (&RawStats, Test),
    (over, pair): (&[String], &[Pair]),
    known: &Known<'_>,
    problems: &mut Problems,
) {
    let takes = pooled::goes_by_n(test);
    let document = over.iter().position(|name| name == DOCUMENT);
    let by = |name: &str| raw.by.iter().flatten().any(|one| one == name);
    let (Some(document), true, None) = (document, takes && !by(DOCUMENT), &raw.cluster) else {
        return;
    };
    let several = |name: &str| {
        let axis = known.axes.iter().any(|axis| axis.name == name);
        axis || [REPEAT, ORDER, JUDGE, METRIC].contains(&name) || name.ends_with("_repeat")
    };
    // Behind the document stand its parts; what stands before it may be needed to name it.
    let parts = over.iter().enumerate().filter(|(at, name)| {
        let told_apart = by(name) || pair.iter().any(|pair| pair.axis == **name);
        (*at > document || several(name)) && !told_apart && *name != DOCUMENT
    });
    let Some((_, part)) = parts.min_by_key(|(_, name)| !several(name)) else {
        return;
    };
    Problem::warning(
        "lint::cluster",
        format!("n counts a document once for each `{part}`, and these rows are not independent"),
    )
    .label_at(
        context.place(&context.element(at, part)),
        "several rows of one document",
    )
    .help(format!(
        "name the cluster: `cluster = \"{DOCUMENT}\"`; or write `cluster = []` if each row is to count for itself"
    ))
    .tell(problems);
}

/// The columns that form groups: those of everything read and those asked for, without the ones
/// that are averaged over or compared along.
fn groups(
    raw: &RawStats,
    from: &[StageName],
    over: &[String],
    pair: &[Pair],
    test: Test,
    roles: &Roles,
    known: &Known<'_>,
) -> Vec<String> {
    let mut seen: BTreeSet<&str> = pair.iter().map(|pair| pair.axis.as_str()).collect();
    let measure = test.measure();
    // What a measure tells apart itself groups nothing.
    let usual = KEYS
        .iter()
        .filter(|key| measure.is_some_and(|measure| looks_at(measure, key.role)));
    let usual: Vec<&str> = usual.filter_map(|key| key.usual).collect();
    let read = |name: &String| {
        measure.is_some()
            && (roles.columns().any(|one| one == name) || usual.contains(&name.as_str()))
    };
    let inherited = from
        .iter()
        .filter_map(|name| known.shapes.get(name))
        .flat_map(|shape| &shape.groups);
    inherited
        .filter(|name| !over.contains(name) && !read(name))
        // What is asked for by name groups even if it also tells observations apart: one each.
        .chain(raw.by.iter().flatten())
        .filter(|name| seen.insert(name.as_str()))
        .cloned()
        .collect()
}
