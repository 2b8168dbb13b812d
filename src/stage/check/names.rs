//! The names of stages, as they are written and as they are meant.

use std::collections::BTreeMap;

use crate::base::wording::{list_of, nearest};
use crate::stage::{Gives, Kind, StageName};
use crate::toml::{Place, Problem, Problems};

/// All stage names, to be found with or without their kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// All of them, in the order of a pipeline.
    pub(crate) all: Vec<StageName>,
    /// What may be written for a stage → its positions.
    written: BTreeMap<String, Vec<usize>>,
}

impl Names {
    pub(crate) fn new(all: Vec<StageName>) -> Self {
        let mut written: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, name) in all.iter().enumerate() {
            written.entry(name.name.clone()).or_default().push(index);
            written.entry(name.to_string()).or_default().push(index);
        }
        Self { all, written }
    }

    /// The stages that `written` may mean: `vanilla`, or `judge.vanilla` where the kind matters.
    pub(crate) fn find(&self, written: &str) -> Vec<&StageName> {
        let found = self.written.get(written).into_iter().flatten();
        found.map(|&index| &self.all[index]).collect()
    }

    /// The names of the other stages of these kinds, as one would write them; if there are none, of all that give rows.
    pub(crate) fn to_read(&self, reader: &StageName, kinds: &[Kind]) -> Vec<&str> {
        let of = |kinds: &dyn Fn(Kind) -> bool| {
            let others = self.all.iter().filter(|name| *name != reader);
            let names = others.filter(|name| kinds(name.kind));
            names.map(|name| name.name.as_str()).collect::<Vec<_>>()
        };
        let usual = of(&|kind| kinds.contains(&kind));
        if usual.is_empty() {
            return of(&gives_rows);
        }
        usual
    }

    /// The stages that a reader of these kinds means by what is written: those of these kinds if there are any, else all
    /// that give rows. A stage never means itself where another has the name too.
    fn meant(&self, written: &str, reader: &StageName, kinds: &[Kind]) -> Vec<&StageName> {
        let found = self.find(written);
        let of = |kinds: &dyn Fn(Kind) -> bool| {
            let of = found.iter().copied().filter(|name| kinds(name.kind));
            let all: Vec<&StageName> = of.collect();
            let others = all.iter().copied().filter(|name| *name != reader);
            let others: Vec<&StageName> = others.collect();
            if others.is_empty() { all } else { others }
        };
        let usual = of(&|kind| kinds.contains(&kind));
        let itself = usual.iter().all(|name| *name == reader);
        let any = of(&gives_rows);
        if usual.is_empty() || itself && !any.is_empty() {
            return any;
        }
        usual
    }
}

/// Which kinds of stage a kind usually reads: those that a bare name means first. It may read every stage that gives rows.
pub(crate) fn usual(kind: Kind) -> Vec<Kind> {
    Kind::that_give(kind.about().reads)
}

/// Whether stages of a kind give rows for others.
fn gives_rows(kind: Kind) -> bool {
    matches!(kind.about().gives, Gives::Rows(_))
}

pub(crate) fn there_is(names: &[&str]) -> String {
    match names {
        [] => "is none yet that it can read".to_owned(),
        [one] => format!("is `{one}`"),
        many => format!("are {}", list_of(many)),
    }
}

/// The stage a written name means to this reader.
pub(crate) fn resolve(
    text: &str,
    reader: &StageName,
    names: &Names,
    place: Option<&Place>,
    problems: &mut Problems,
) -> Option<StageName> {
    resolve_among(text, reader, &usual(reader.kind), names, place, problems)
}

/// Behind so many problems no near names are looked for.
const PROPOSALS: usize = 200;

/// The stage that a written name means to a reader of these kinds.
pub(crate) fn resolve_among(
    text: &str,
    reader: &StageName,
    kinds: &[Kind],
    names: &Names,
    place: Option<&Place>,
    problems: &mut Problems,
) -> Option<StageName> {
    let found = names.find(text);
    let meant = names.meant(text, reader, kinds);
    let (code, message, label, help) = match (meant.as_slice(), found.as_slice()) {
        ([one], _) => return Some((*one).clone()),
        ([], []) => {
            // Nobody reads hundreds of proposals, and each is looked for among all names.
            let many = problems.len() >= PROPOSALS;
            let known = if many {
                Vec::new()
            } else {
                names.to_read(reader, kinds)
            };
            let any = if many {
                Vec::new()
            } else {
                names.to_read(reader, &[])
            };
            let help = match nearest(text, &known).or_else(|| nearest(text, &any)) {
                _ if many => "name an existing stage".to_owned(),
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there {}", there_is(&known)),
            };
            (
                "spec::unknown-stage",
                format!("there is no stage `{text}`"),
                "not a stage",
                help,
            )
        }
        ([], [other, ..]) => (
            "spec::wrong-input",
            format!(
                "{} {} stage cannot read `{other}`",
                article(reader.kind),
                reader.kind
            ),
            "gives no rows",
            format!(
                "name a stage that gives rows; there {}",
                there_is(&names.to_read(reader, kinds))
            ),
        ),
        ([one, ..], _) => (
            "spec::ambiguous-stage",
            format!("`{text}` is ambiguous: several stages have this name"),
            "not one stage",
            format!("write the kind too, as in `{one}`"),
        ),
    };
    Problem::error(code, message)
        .label_at(place.cloned(), label)
        .help(help)
        .tell(problems);
    None
}

fn article(kind: Kind) -> &'static str {
    if kind.name().starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}
