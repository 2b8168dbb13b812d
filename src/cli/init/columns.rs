//! What the columns of a person's table are for, by their names and by what they hold.

use std::collections::BTreeSet;

use crate::base::exit::{Error, Exit};
use crate::base::wording::{list_of, near_or};
use crate::frame::{Frame, Scalar};
use crate::stage::check::columns::taken as is_taken;

const IDS: [&str; 4] = ["doc_id", "id", "uid", "key"];
const TEXTS: [&str; 12] = [
    "text",
    "answer",
    "response",
    "output",
    "completion",
    "summary",
    "story",
    "essay",
    "document",
    "content",
    "body",
    "reply",
];
const QUESTIONS: [&str; 5] = ["question", "instruction", "prompt", "query", "input"];
/// What a text should say, according to somebody.
const REFERENCES: [&str; 8] = [
    "reference",
    "reference_answer",
    "gold",
    "target",
    "expected",
    "ground_truth",
    "correct_answer",
    "ideal",
];
/// Who wrote a text.
const WRITERS: [&str; 6] = ["model", "system", "generator", "llm", "method", "author"];
/// How columns of several people's ratings begin.
const RATERS: [&str; 6] = ["rater", "annotator", "human", "expert", "rating", "score"];
/// What stands for neither of two texts.
pub(super) const TIES: [&str; 8] = [
    "tie", "tied", "draw", "same", "equal", "both", "neither", "0",
];
const RATINGS: [&str; 9] = [
    "rating",
    "human",
    "human_score",
    "score",
    "grade",
    "quality",
    "overall",
    "mark",
    "stars",
];
const PREFERENCES: [&str; 7] = [
    "preferred",
    "preference",
    "winner",
    "better",
    "choice",
    "human",
    "label",
];

/// The longest name of a document that is guessed to be one, in letters.
const LONGEST_ID: usize = 60;

/// A table whose columns are looked at.
pub(super) struct Columns<'f> {
    frame: &'f Frame,
    names: Vec<&'f str>,
}

impl<'f> Columns<'f> {
    pub(super) fn of(frame: &'f Frame) -> Self {
        Self {
            frame,
            names: frame.names(),
        }
    }

    /// A column that a flag names.
    pub(super) fn named(&self, name: &str) -> Result<String, Error> {
        if self.names.contains(&name) {
            return Ok(name.to_owned());
        }
        let missing = Error::new(Exit::Usage, format!("the data has no column `{name}`"));
        Err(missing.hint(near_or(name, &self.names, || {
            format!("the columns are {}", list_of(&self.names))
        })))
    }

    /// The values of a column; empty texts are absent.
    pub(super) fn values(&self, name: &str) -> Vec<Option<Scalar>> {
        let Ok(column) = self.frame.column(name) else {
            return Vec::new();
        };
        let value = |row| match column.scalar(row) {
            Scalar::Null => None,
            Scalar::Text(text) if text.trim().is_empty() => None,
            value => Some(value),
        };
        (0..self.frame.rows()).map(value).collect()
    }

    /// Rows in which a column holds nothing.
    pub(super) fn absent(&self, name: &str) -> usize {
        self.values(name).iter().filter(|one| one.is_none()).count()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let values = self.values(name).into_iter().flatten();
        values.map(|value| value.to_string()).collect()
    }

    /// Whether a column holds numbers, and nothing else.
    pub(super) fn is_numbers(&self, name: &str) -> bool {
        let values = self.values(name);
        let number = |value: &Option<Scalar>| {
            matches!(value, None | Some(Scalar::Int(_) | Scalar::Float(_)))
        };
        values.iter().any(Option::is_some) && values.iter().all(number)
    }

    fn is_words(&self, name: &str) -> bool {
        let values = self.values(name);
        let text = |value: &Option<Scalar>| matches!(value, None | Some(Scalar::Text(_)));
        values.iter().any(Option::is_some) && values.iter().all(text)
    }

    /// Whether a column has another value in every row.
    pub(super) fn names_rows(&self, name: &str) -> bool {
        let texts = self.texts(name);
        let different: BTreeSet<&String> = texts.iter().collect();
        texts.len() == self.frame.rows() && different.len() == texts.len()
    }

    /// The first column of one of these names, in any case, that fits.
    fn called(&self, known: &[&str], fits: impl Fn(&str) -> bool) -> Option<String> {
        let named = known.iter().flat_map(|known| {
            let same = move |name: &&&str| name.eq_ignore_ascii_case(known);
            self.names.iter().filter(same)
        });
        let mut named = named.filter(|name| fits(name));
        named.next().map(|name| (*name).to_owned())
    }

    /// The column that names rows.
    pub(super) fn id(&self) -> Option<String> {
        let short = |name: &str| {
            let texts = self.texts(name);
            let longest = texts.iter().map(|text| text.chars().count()).max();
            self.names_rows(name) && longest.is_some_and(|longest| longest <= LONGEST_ID)
        };
        let ends = |name: &&&str| name.to_lowercase().ends_with("id") && short(name);
        let known = self.called(&IDS, |name| self.names_rows(name));
        let ending = || self.names.iter().find(ends).map(|name| (*name).to_owned());
        let first = || {
            let first = self.names.first().filter(|name| short(name));
            first.map(|name| (*name).to_owned())
        };
        known.or_else(ending).or_else(first)
    }

    /// The column with what is judged: by its name, or the one with the longest texts.
    pub(super) fn text(&self, but: &[&str]) -> Option<String> {
        let fits = |name: &str| self.is_words(name) && !but.contains(&name);
        let length = |name: &&&str| {
            let texts = self.texts(name);
            texts.iter().map(String::len).sum::<usize>()
        };
        self.called(&TEXTS, fits).or_else(|| {
            let texts = self.names.iter().filter(|name| fits(name));
            texts.max_by_key(length).map(|name| (*name).to_owned())
        })
    }

    /// What the texts answer.
    pub(super) fn question(&self, but: &[&str]) -> Option<String> {
        self.called(&QUESTIONS, |name| {
            self.is_words(name) && !but.contains(&name) && self.absent(name) == 0
        })
    }

    /// What the texts should say, under a name that `fits`.
    pub(super) fn reference(&self, but: &[&str], fits: impl Fn(&str) -> bool) -> Option<String> {
        self.called(&REFERENCES, |name| {
            fits(name) && !self.is_numbers(name) && !but.contains(&name) && self.absent(name) == 0
        })
    }

    /// Who wrote the texts: a column with few names, each in several rows.
    pub(super) fn writer(&self, but: &[&str]) -> Option<String> {
        self.called(&WRITERS, |name| {
            let different = self.different(name).len();
            self.is_words(name)
                && !but.contains(&name)
                && self.absent(name) == 0
                && different > 1
                && different * 2 <= self.frame.rows()
        })
    }

    /// Whether no two rows have the same values in two columns.
    pub(super) fn tell_rows_apart(&self, one: &str, other: &str) -> bool {
        let pairs = self.values(one).into_iter().zip(self.values(other));
        let mut seen = BTreeSet::new();
        pairs
            .map(|(one, other)| {
                (
                    one.map(|one| one.to_string()),
                    other.map(|other| other.to_string()),
                )
            })
            .all(|pair| seen.insert(pair))
    }

    /// The columns with numbers of several people: `rater_1` and `rater_2`.
    pub(super) fn raters(&self, but: &[&str]) -> Vec<String> {
        let of = |beginning: &str| -> Vec<String> {
            let begins = |name: &&&str| {
                let name = name.to_lowercase();
                let rest = name.strip_prefix(beginning);
                rest.is_some_and(|rest| rest.starts_with(['_', '-', ' ', '1', '2', '3', '4', '5']))
            };
            let names = self.names.iter().filter(begins);
            names
                .filter(|name| self.is_numbers(name) && !but.contains(*name))
                .map(|name| (*name).to_owned())
                .collect()
        };
        let found = RATERS.iter().map(|beginning| of(beginning));
        found
            .max_by_key(|names| (names.len() > 1, names.len()))
            .filter(|names| names.len() > 1)
            .unwrap_or_default()
    }

    /// The columns with numbers.
    pub(super) fn numbers(&self, but: &[&str]) -> Vec<&'f str> {
        let names = self.names.iter().copied();
        names
            .filter(|name| !but.contains(name) && self.is_numbers(name))
            .collect()
    }

    /// Two columns of texts that a column of preferences names: `gpt` and `llama`, of which one stands under `winner`.
    fn preferred_pair(&self) -> Option<(String, String)> {
        let preference = self.preference(&[])?;
        let values = self.different(&preference).into_iter();
        let words = values.map(|value| value.to_string().trim().to_lowercase());
        let named: BTreeSet<String> = words
            .filter(|word| !TIES.contains(&word.as_str()))
            .collect();
        let columns: Vec<&&str> = self
            .names
            .iter()
            .filter(|name| named.contains(&name.to_lowercase()) && self.is_words(name))
            .collect();
        match columns.as_slice() {
            [one, two] if named.len() == 2 => Some(((**one).to_owned(), (**two).to_owned())),
            _ => None,
        }
    }

    /// Two columns of texts to be compared: `answer_a` and `answer_b`, `chosen` and `rejected`, or those that people chose from.
    pub(super) fn pair(&self) -> Option<(String, String)> {
        self.pair_by_name().or_else(|| self.preferred_pair())
    }

    fn pair_by_name(&self) -> Option<(String, String)> {
        let other = |name: &str| -> Vec<String> {
            let ends = [
                ("a", "b"),
                ("A", "B"),
                ("1", "2"),
                ("chosen", "rejected"),
                ("first", "second"),
            ];
            let ends = ends.iter().filter_map(|(one, two)| {
                let stem = name.strip_suffix(one)?;
                let apart = stem.is_empty() || stem.ends_with(['_', '-', ' ', '.']) || *one != "a";
                apart.then(|| format!("{stem}{two}"))
            });
            ends.collect()
        };
        self.names.iter().find_map(|name| {
            let others = other(name);
            let second = others
                .into_iter()
                .find(|other| self.names.contains(&other.as_str()))?;
            let words = self.is_words(name) && self.is_words(&second);
            words.then(|| ((*name).to_owned(), second))
        })
    }

    /// The column with people's numbers.
    pub(super) fn rating(&self, but: &[&str]) -> Option<String> {
        self.called(&RATINGS, |name| {
            self.is_numbers(name) && !but.contains(&name)
        })
    }

    /// The column that says which of two people preferred.
    pub(super) fn preference(&self, but: &[&str]) -> Option<String> {
        self.called(&PREFERENCES, |name| !but.contains(&name))
    }

    /// The different values of a column, in their order.
    pub(super) fn different(&self, name: &str) -> Vec<Scalar> {
        let mut seen = BTreeSet::new();
        let values = self.values(name).into_iter().flatten();
        values
            .filter(|value| seen.insert(value.to_string()))
            .collect()
    }
}

/// Whether a column may be called so from the source to the tables, and in a template.
pub(super) fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !is_taken(name)
        && !["metrics", "scale", "first", "second", "loop", "human"].contains(&name)
}
