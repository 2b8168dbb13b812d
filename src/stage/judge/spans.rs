//! Marked errors, and where in the judged text they stand.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem::Finder;
use serde_json::{Value, json};

use crate::models::parse::ErrorSpan;

/// The fields of an element of the column `spans`.
pub(super) const FIELDS: [&str; 7] = [
    "location",
    "explanation",
    "severity",
    "category",
    "found",
    "start",
    "end",
];

/// A judged text, in which several quotations are looked for.
pub struct Text<'t> {
    text: &'t str,
    normal: OnceCell<Normal>,
}

/// Where a quotation stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Once, letter for letter.
    Exactly(Range<usize>),
    /// Once, but for blanks, quotation marks, dashes and capitals.
    Normalised(Range<usize>),
    /// In several places.
    Several,
    /// Nowhere.
    Nowhere,
}

/// A text as quotations are compared: in small letters, without blanks and quotation marks.
struct Normal {
    text: String,
    /// For each byte where its character stands in the text as it is.
    from: Vec<Range<usize>>,
}

impl Found {
    /// The place, if there is one.
    pub fn place(&self) -> Option<&Range<usize>> {
        match self {
            Self::Exactly(place) | Self::Normalised(place) => Some(place),
            Self::Several | Self::Nowhere => None,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Exactly(_) => "exact",
            Self::Normalised(_) => "normalised",
            Self::Several => "several",
            Self::Nowhere => "no",
        }
    }
}

impl<'t> Text<'t> {
    /// For a judged text.
    pub fn new(text: &'t str) -> Self {
        let normal = OnceCell::new();
        Self { text, normal }
    }

    /// Looks for a quotation: letter for letter, then but for what models change in quoting. It stands where no word
    /// goes on at its ends.
    pub fn find(&self, quotation: &str) -> Found {
        let quotation = quotation.trim();
        match self.places(self.text, quotation, |place| place) {
            Found::Nowhere => {}
            found => return found,
        }
        let cut = quotation.trim_matches(|c: char| c.is_whitespace() || ".,…".contains(c));
        let normal = self.normal.get_or_init(|| Normal::of(self.text));
        let found = self.places(&normal.text, &Normal::of(cut).text, |place| {
            normal.place(place)
        });
        match found {
            Found::Exactly(place) => Found::Normalised(place),
            found => found,
        }
    }

    /// The places of a quotation in a text, which `whole` makes places in the judged text of.
    fn places(
        &self,
        text: &str,
        quotation: &str,
        whole: impl Fn(Range<usize>) -> Range<usize>,
    ) -> Found {
        if !quotation.contains(char::is_alphanumeric) {
            return Found::Nowhere;
        }
        let finder = Finder::new(quotation);
        let places = finder.find_iter(text.as_bytes());
        let mut places = places
            .map(|start| whole(start..start + quotation.len()))
            .filter(|place| self.is_whole(place));
        match (places.next(), places.next()) {
            (Some(only), None) => Found::Exactly(only),
            (Some(_), Some(_)) => Found::Several,
            (None, _) => Found::Nowhere,
        }
    }

    /// Whether no word goes on at the ends of a place.
    fn is_whole(&self, place: &Range<usize>) -> bool {
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let (before, inside) = (&self.text[..place.start], &self.text[place.clone()]);
        let behind = &self.text[place.end..];
        let begins = word(before.chars().next_back()) && word(inside.chars().next());
        let goes_on = word(inside.chars().next_back()) && word(behind.chars().next());
        !begins && !goes_on
    }

    /// How many characters stand before a byte.
    fn characters(&self, byte: usize) -> usize {
        self.text[..byte].chars().count()
    }
}

impl Normal {
    fn of(text: &str) -> Self {
        let mut normal = Self {
            text: String::with_capacity(text.len()),
            from: Vec::with_capacity(text.len()),
        };
        for (at, c) in text.char_indices() {
            if c.is_whitespace() || "\"'`´“”„‘’‚«»".contains(c) {
                continue;
            }
            let before = normal.text.len();
            match c {
                '\u{2010}'..='\u{2015}' | '\u{2212}' => normal.text.push('-'),
                '…' => normal.text.push_str("..."),
                c => normal.text.extend(c.to_lowercase()),
            }
            let place = at..at + c.len_utf8();
            normal
                .from
                .extend((before..normal.text.len()).map(|_| place.clone()));
        }
        normal
    }

    /// Where a place of it stands in the text as it is.
    fn place(&self, place: Range<usize>) -> Range<usize> {
        let start = self.from.get(place.start).map_or(0, |from| from.start);
        let end = place
            .end
            .checked_sub(1)
            .and_then(|last| self.from.get(last));
        start..end.map_or(start, |from| from.end.max(start))
    }
}

/// The errors as a cell of the column `spans`; places are counted in characters, and absent where there is no text.
pub(super) fn json(spans: &[ErrorSpan], text: Option<&Text<'_>>) -> String {
    let one = |span: &ErrorSpan| {
        let found = text.zip(span.location.as_ref());
        let found = found.map(|(text, location)| text.find(location));
        let place = found.as_ref().and_then(Found::place);
        let place = place.zip(text);
        let place =
            place.map(|(place, text)| [place.start, place.end].map(|byte| text.characters(byte)));
        json!({
            "location": span.location,
            "explanation": span.explanation,
            "severity": span.severity,
            "category": span.category,
            "found": found.as_ref().map(Found::word),
            "start": place.map(|[start, _]| start),
            "end": place.map(|[_, end]| end),
        })
    };
    Value::Array(spans.iter().map(one).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "Élise could n't sleep. “Who is there?” she asked; the wind — the wind blew.";

    fn found(quotation: &str) -> (&'static str, Option<&'static str>) {
        let found = Text::new(TEXT).find(quotation);
        (
            found.word(),
            found.place().map(|place| &TEXT[place.clone()]),
        )
    }

    #[test]
    fn quotations_are_found_exactly_or_but_for_blanks_quotes_and_capitals() {
        assert_eq!(found("she asked"), ("exact", Some("she asked")));
        let normal = ("normalised", Some("could n't sleep"));
        for quotation in [
            "couldn't sleep",
            "Could  n\u{2019}t SLEEP…",
            "could n't sleep,",
        ] {
            assert_eq!(found(quotation), normal, "{quotation}");
        }
        let dash = ("normalised", Some("the wind — the wind blew"));
        assert_eq!(found("The wind - the wind blew."), dash);
        assert_eq!(found("ÉLISE"), ("normalised", Some("Élise")));
    }

    #[test]
    fn what_stands_twice_or_nowhere_has_no_place() {
        assert_eq!(found("the wind"), ("several", None));
        for quotation in ["he wind blew", "slee", "the whole text", "", "?"] {
            assert_eq!(found(quotation), ("no", None), "{quotation}");
        }
    }

    #[test]
    fn places_are_counted_in_characters_and_absent_without_a_text() {
        let span = ErrorSpan {
            location: Some("Could n't".to_owned()),
            explanation: None,
            severity: crate::models::parse::Severity::Number(3.0),
            category: None,
            span: 0..1,
        };
        let text = Text::new(TEXT);
        let read = |cell: String| -> Value { serde_json::from_str(&cell).unwrap() };
        let cell = read(json(std::slice::from_ref(&span), Some(&text)));
        assert_eq!(
            cell,
            json!([{
                "location": "Could n't", "explanation": null, "severity": 3.0, "category": null,
                "found": "normalised", "start": 6, "end": 15,
            }])
        );
        let keys: Vec<&String> = cell[0].as_object().unwrap().keys().collect();
        assert_eq!(keys, FIELDS);
        let cell = read(json(&[span], None));
        assert_eq!(
            (&cell[0]["found"], &cell[0]["start"]),
            (&Value::Null, &Value::Null)
        );
    }
}
