//! The names of stages, as they are written and as they are meant.

use std::collections::BTreeMap;

use crate::base::wording::{list_of, nearest};
use crate::stage::{Kind, StageName};
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

    /// The names of the other stages of these kinds, as one would write them.
    pub(crate) fn to_read(&self, reader: &StageName, kinds: &[Kind]) -> Vec<&str> {
        self.all
            .iter()
            .filter(|name| *name != reader && kinds.contains(&name.kind))
            .map(|name| name.name.as_str())
            .collect()
    }
}

/// Which kinds of stage a kind may read.
pub(crate) fn readable(kind: Kind) -> Vec<Kind> {
    Kind::that_give(kind.about().reads)
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
    resolve_among(text, reader, &readable(reader.kind), names, place, problems)
}

/// Behind so many problems no near names are looked for.
const PROPOSALS: usize = 200;

/// The stage of one of these kinds that a written name means.
pub(crate) fn resolve_among(
    text: &str,
    reader: &StageName,
    kinds: &[Kind],
    names: &Names,
    place: Option<&Place>,
    problems: &mut Problems,
) -> Option<StageName> {
    let found = names.find(text);
    let fitting: Vec<&&StageName> = found
        .iter()
        .filter(|name| kinds.contains(&name.kind))
        .collect();
    let (code, message, label, help) = match (fitting.as_slice(), found.as_slice()) {
        ([one], _) => return Some((**one).clone()),
        ([], []) => {
            // Nobody reads hundreds of proposals, and each is looked for among all names.
            let many = problems.len() >= PROPOSALS;
            let known = if many {
                Vec::new()
            } else {
                names.to_read(reader, kinds)
            };
            let help = match nearest(text, &known) {
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
        ([], [other, ..]) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            (
                "spec::wrong-input",
                format!(
                    "{} {} stage cannot read `{other}`",
                    article(reader.kind),
                    reader.kind
                ),
                "wrong kind of stage",
                match kinds.as_slice() {
                    [one] => format!("it reads stages of the kind `{one}`"),
                    several => format!("it reads stages of the kinds {}", list_of(several)),
                },
            )
        }
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
