//! What relations between tables did with rows: counted where they run, stored beside the result, and put into words here.

use serde::{Deserialize, Serialize};

use crate::base::wording::{count, list_of};

/// What a relation did with rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Rows of two tables were put together.
    Join(Joined),
    /// Lists became rows.
    Explode(Exploded),
    /// Rows of several tables were put below each other: whose, and how many.
    Concat(Vec<(String, u64)>),
    /// Rows were asked about until their mean had settled, group by group.
    Until(Vec<Ended>),
}

/// Where a group of rows ended that were asked about one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// What its rows have in common; nothing, where all rows are one group.
    pub group: String,
    /// Rows of the result.
    pub asked: u64,
    /// Of these, rows with a score of every metric; of the metric with the fewest.
    pub counted: u64,
    /// Whether the mean had settled.
    pub settled: bool,
}

/// Counts of a join.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// The stage on the right.
    pub with: String,
    /// Rows of the left table.
    pub left: u64,
    /// Of these, rows that have a partner.
    pub matched: u64,
    /// Rows of the right table.
    pub right: u64,
    /// Of these, rows that are nobody's partner.
    pub unused: u64,
    /// Rows of the result.
    pub rows: u64,
    /// What becomes of left rows without a partner.
    pub unmatched: Unmatched,
}

/// What becomes of left rows without a partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unmatched {
    /// They stay, and what would come from the right is absent.
    #[default]
    Stay,
    /// They are left out.
    Go,
    /// They alone stay.
    Alone,
    /// Every row has all rows of the right table as its partners.
    Never,
}

/// Counts of an explode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exploded {
    /// Rows that were read.
    pub lists: u64,
    /// Of these, rows whose list is empty.
    pub empty: u64,
    /// Whether these stay.
    pub kept: bool,
    /// Rows that hold no list, each of which stays as one row.
    #[serde(default, skip_serializing_if = "super::output::is_zero")]
    pub without: u64,
    /// Rows of the result.
    pub rows: u64,
}

impl Relation {
    /// What it did, in a sentence.
    pub fn words(&self) -> String {
        match self {
            Self::Join(joined) => joined.words(),
            Self::Explode(exploded) => exploded.words(),
            Self::Concat(origins) => {
                let all: u64 = origins.iter().map(|(_, n)| n).sum();
                let of = origins.iter().map(|(name, n)| format!("{n} of `{name}`"));
                let of: Vec<String> = of.collect();
                format!("{}: {}", count(whole(all), "row"), of.join(", "))
            }
            Self::Until(groups) => asked(groups),
        }
    }
}

impl Joined {
    /// Left rows without a partner.
    pub fn lonely(&self) -> u64 {
        self.left - self.matched
    }

    fn words(&self) -> String {
        let Self {
            with,
            left,
            matched,
            right,
            unused,
            rows,
            ..
        } = self;
        let unmatched = self.lonely();
        let mut said = match self.unmatched {
            Unmatched::Never => {
                return format!("{} × {right} of `{with}`", count(whole(*left), "row"));
            }
            Unmatched::Alone => {
                return format!(
                    "{unmatched} of {} no match in `{with}`",
                    have(*left, unmatched)
                );
            }
            Unmatched::Stay | Unmatched::Go => vec![format!(
                "{matched} of {} a match in `{with}`",
                have(*left, *matched)
            )],
        };
        if unmatched > 0 && self.unmatched == Unmatched::Go {
            said.push(format!("{unmatched} left out"));
        }
        if *unused > 0 {
            let verb = if *unused == 1 { "matches" } else { "match" };
            said.push(format!(
                "{unused} of its {} {verb} nothing",
                count(whole(*right), "row")
            ));
        }
        let usual = match self.unmatched {
            Unmatched::Go => *matched,
            _ => *left,
        };
        if *rows != usual {
            said.push(format!("{} in all", count(whole(*rows), "row")));
        }
        said.join("; ")
    }
}

impl Exploded {
    fn words(&self) -> String {
        let Self {
            lists,
            empty,
            kept,
            without,
            rows,
        } = self;
        let made = format!(
            "{} from {}",
            count(whole(*rows), "row"),
            count(whole(*lists), "list")
        );
        let empty = (*empty > 0).then(|| {
            let become_of = if *kept { "kept" } else { "left out" };
            format!(", {empty} of them empty and {become_of}")
        });
        let without = (*without > 0).then(|| {
            let rows = count(whole(*without), "row");
            format!(", and {rows} without a list")
        });
        [Some(made), empty, without].into_iter().flatten().collect()
    }
}

/// How many rows of each group were asked about.
fn asked(groups: &[Ended]) -> String {
    let asked = || groups.iter().map(|group| group.asked);
    let (least, most) = (asked().min().unwrap_or(0), asked().max().unwrap_or(0));
    let rows = count(whole(most), "row");
    let rows = if least == most {
        rows
    } else {
        format!("{least} to {rows}")
    };
    let open = groups.iter().filter(|group| !group.settled).count();
    let means = match (groups.len(), open) {
        (_, 0) => ", until the mean had settled".to_owned(),
        (1, _) => "; the mean has not settled".to_owned(),
        (_, open) => format!("; in {open} of them the mean has not settled"),
    };
    match groups.len() {
        1 => format!("asked about {rows}{means}"),
        several => format!("asked about {rows} of each of {several} groups{means}"),
    }
}

/// `1 row has`, `3 rows have`, with as many of them as are meant.
fn have(all: u64, meant: u64) -> String {
    let verb = if meant == 1 { "has" } else { "have" };
    format!("{} {verb}", count(whole(all), "row"))
}

fn whole(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// What several nodes of a stage did, each under its name; those that say the same are said once.
pub(crate) fn all_words(of: &[(String, &Relation)]) -> Vec<String> {
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, relation) in of {
        let words = relation.words();
        match told.iter_mut().find(|(said, _)| *said == words) {
            Some((_, names)) => names.push(name),
            None => told.push((words, vec![name])),
        }
    }
    let told = told.into_iter();
    told.map(|(said, names)| match names.as_slice() {
        [one] => format!("{one}: {said}"),
        several if several.len() <= 3 => format!("{}: {said}", list_of(several).replace('`', "")),
        several => format!("{} and {} more: {said}", several[0], several.len() - 1),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(unmatched: Unmatched, rows: u64) -> String {
        let joined = Joined {
            with: "judge.b".to_owned(),
            left: 100,
            matched: 98,
            right: 50,
            unused: 3,
            rows,
            unmatched,
        };
        Relation::Join(joined).words()
    }

    #[test]
    fn a_join_says_what_found_a_match_and_what_did_not() {
        assert_eq!(
            joined(Unmatched::Stay, 100),
            "98 of 100 rows have a match in `judge.b`; 3 of its 50 rows match nothing"
        );
        assert_eq!(
            joined(Unmatched::Go, 120),
            "98 of 100 rows have a match in `judge.b`; 2 left out; 3 of its 50 rows match nothing; 120 rows in all"
        );
        assert_eq!(
            joined(Unmatched::Alone, 2),
            "2 of 100 rows have no match in `judge.b`"
        );
        assert_eq!(joined(Unmatched::Never, 5000), "100 rows × 50 of `judge.b`");
    }

    #[test]
    fn rows_are_counted_by_their_origin_and_empty_lists_are_named() {
        let origins = [("judge.a", 4), ("judge.b", 0)];
        let origins = origins.map(|(name, n)| (name.to_owned(), n)).to_vec();
        let said = Relation::Concat(origins).words();
        assert_eq!(said, "4 rows: 4 of `judge.a`, 0 of `judge.b`");
        let exploded = Exploded {
            lists: 3,
            empty: 1,
            kept: false,
            without: 0,
            rows: 5,
        };
        let said = Relation::Explode(exploded).words();
        assert_eq!(said, "5 rows from 3 lists, 1 of them empty and left out");
        let exploded = Exploded {
            without: 2,
            rows: 2,
            ..Exploded::default()
        };
        let said = Relation::Explode(exploded).words();
        assert_eq!(said, "2 rows from 0 lists, and 2 rows without a list");
    }

    #[test]
    fn rows_that_were_asked_about_are_told_by_group() {
        let ended = |asked, settled| Ended {
            group: format!("a={asked}"),
            asked,
            counted: asked,
            settled,
        };
        let words = |groups| Relation::Until(groups).words();
        assert_eq!(
            words(vec![ended(100, true)]),
            "asked about 100 rows, until the mean had settled"
        );
        assert_eq!(
            words(vec![ended(100, true), ended(314, true)]),
            "asked about 100 to 314 rows of each of 2 groups, until the mean had settled"
        );
        assert_eq!(
            words(vec![ended(50, true), ended(50, false)]),
            "asked about 50 rows of each of 2 groups; in 1 of them the mean has not settled"
        );
    }

    #[test]
    fn results_without_such_counts_are_read_as_before() {
        let counts: crate::stage::Counts =
            serde_json::from_str(r#"{"scored":3,"unscored":{}}"#).unwrap();
        assert_eq!(counts.relation, None);
        let with = crate::stage::Counts {
            relation: Some(Relation::Explode(Exploded::default())),
            ..counts
        };
        let json = serde_json::to_string(&with).unwrap();
        assert_eq!(
            serde_json::from_str::<crate::stage::Counts>(&json).unwrap(),
            with
        );
    }
}
