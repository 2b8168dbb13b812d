//! The kinds in which what was recorded differs from what is made of the same judgements.

use std::collections::BTreeMap;

use super::told::{METRICS, Section, Told};

/// How two memories differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    SameScore,
    OtherScore,
    Zeroed,
    NotSaved,
    SameIssue,
    None,
    LabelLost,
    Swallowed,
    RunsOn,
    OtherMetric,
    Separator,
    Bold,
    TwoLabels,
    Quoted,
}

impl Kind {
    pub(super) const ALL: [Self; 14] = [
        Self::SameScore,
        Self::OtherScore,
        Self::Zeroed,
        Self::NotSaved,
        Self::SameIssue,
        Self::None,
        Self::LabelLost,
        Self::Swallowed,
        Self::RunsOn,
        Self::OtherMetric,
        Self::Separator,
        Self::Bold,
        Self::TwoLabels,
        Self::Quoted,
    ];

    /// Its name in section-memory.md.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SameScore => "the same score",
            Self::OtherScore => "another score",
            Self::Zeroed => "0 for a section whose judgement was not saved",
            Self::NotSaved => "scores of a section whose judgement was not saved",
            Self::SameIssue => "the same issue",
            Self::None => "an issue that says that there is none",
            Self::LabelLost => "an issue lost with its label",
            Self::Swallowed => "an issue that holds the next one",
            Self::RunsOn => "an issue that holds what follows the list",
            Self::OtherMetric => "an issue of coherence told of fluency too",
            Self::Separator => "a comma or semicolon at the end",
            Self::Bold => "marks of bold",
            Self::TwoLabels => "a label within the text",
            Self::Quoted => "a judgement that quotes its prompt",
        }
    }
}

/// How often there is what.
#[derive(Default)]
pub(super) struct Tally {
    counts: BTreeMap<Kind, u64>,
    /// Differences of no known kind.
    pub(super) unknown: Vec<String>,
}

/// A label and a text.
type Issue = (String, String);

impl Tally {
    pub(super) fn of(&self, kind: Kind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or_default()
    }

    fn add(&mut self, kind: Kind) {
        *self.counts.entry(kind).or_default() += 1;
    }

    /// Compares what was recorded of one document with what is ours.
    pub(super) fn compare(&mut self, name: &[String], recorded: &Told, ours: &Told) {
        for number in ours.keys().filter(|number| !recorded.contains_key(number)) {
            self.unknown
                .push(format!("{name:?}: section {number} is ours alone"));
        }
        for (number, recorded) in recorded {
            let Some(ours) = ours.get(number) else {
                let zero = METRICS.iter().all(|&m| recorded.scores[m] == Some(0.0));
                self.add(if zero { Kind::Zeroed } else { Kind::NotSaved });
                continue;
            };
            for metric in METRICS {
                self.add(if recorded.scores[metric] == ours.scores[metric] {
                    Kind::SameScore
                } else {
                    Kind::OtherScore
                });
                let left = self.issues(metric, recorded, ours);
                self.unknown.extend(
                    left.into_iter()
                        .map(|issue| format!("{name:?}, section {number}, {metric}: {issue:?}")),
                );
            }
        }
    }

    /// Compares the issues of one metric; gives those that differ in no known way.
    fn issues(&mut self, metric: &str, recorded: &Section, ours: &Section) -> Vec<Issue> {
        let of = |section: &Section, metric: &str| {
            section.issues.get(metric).cloned().unwrap_or_default()
        };
        let mut ours_left = of(ours, metric);
        let mut theirs = Vec::new();
        for issue in of(recorded, metric) {
            if take(&mut ours_left, |our| *our == issue) {
                self.add(Kind::SameIssue);
            } else {
                theirs.push(issue);
            }
        }
        if theirs
            .iter()
            .any(|(_, text)| text.contains("only name short bullet points"))
        {
            for _ in theirs.iter().chain(&ours_left) {
                self.add(Kind::Quoted);
            }
            return Vec::new();
        }
        let others = METRICS.iter().filter(|other| **other != metric);
        let others: Vec<Issue> = others.flat_map(|other| of(ours, other)).collect();
        let mut unknown = Vec::new();
        for issue in theirs {
            match why_theirs(&issue, &others, &mut ours_left) {
                Some(kind) => self.add(kind),
                None => unknown.push(issue),
            }
        }
        for (label, text) in ours_left {
            // The thesis's parser knows labels of capital letters alone.
            let plain = label.bytes().all(|byte| byte.is_ascii_uppercase());
            if plain && label != "no label" {
                unknown.push((label, text));
            } else {
                self.add(Kind::LabelLost);
            }
        }
        unknown
    }
}

/// The kind of a recorded issue that is not ours in these words. What it was made of is taken out of ours.
fn why_theirs((label, text): &Issue, others: &[Issue], ours: &mut Vec<Issue>) -> Option<Kind> {
    let first = text.split(|c: char| !c.is_alphabetic()).next();
    if first.is_some_and(|word| ["none", "no"].contains(&word.to_lowercase().as_str())) {
        return Some(Kind::None);
    }
    let bare = text.replace("**", "");
    if bare != *text && take(ours, |our| our.0 == *label && our.1 == bare) {
        return Some(Kind::Bold);
    }
    let ended = text.trim_end_matches([',', ';']);
    if ended != text && take(ours, |our| our.0 == *label && our.1 == ended) {
        return Some(Kind::Separator);
    }
    if others
        .iter()
        .any(|other| other.0 == *label && text.starts_with(&other.1))
    {
        return Some(Kind::OtherMetric);
    }
    let begins = |our: &Issue| our.0 == *label && text.starts_with(&our.1);
    let after = ["Coherence Issues:", "FINAL ", "finish_reason"];
    if after.iter().any(|what| text.contains(what)) && take(ours, begins) {
        return Some(Kind::RunsOn);
    }
    if let Some((second, rest)) = text
        .strip_prefix('[')
        .and_then(|text| text.split_once("] "))
        && take(ours, |our| our.0 == *label && our.1 == rest)
        && take(ours, |our| our.0 == second && our.1 == rest)
    {
        return Some(Kind::TwoLabels);
    }
    take(ours, |our| {
        begins(our) && text[our.1.len()..].contains(" - ")
    })
    .then_some(Kind::Swallowed)
}

/// Takes the first that fits out of a list.
fn take(issues: &mut Vec<Issue>, fits: impl Fn(&Issue) -> bool) -> bool {
    let Some(at) = issues.iter().position(fits) else {
        return false;
    };
    issues.remove(at);
    true
}
