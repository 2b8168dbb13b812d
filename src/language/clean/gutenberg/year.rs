//! The year a book was printed in, from what header and title page state.
//!
//! The rule, in this order; the first kind of statement that is there decides, and where its
//! statements name different years there is no year:
//!
//! 1. the header field `Original Publication`, whose last year counts;
//! 2. lines of the title page with `first published`, `first printed` or `first edition`;
//! 3. lines of the title page with `copyright`, `(c)`, `©` or `entered according to act`;
//! 4. lines of the title page that hold a year and no other word but a place or a month before it
//!    (`1906`, `London, 1906`, `October, 1906`, `MCMVI`);
//! 5. the edition that a volunteer's credit names: `from the 1908 … edition`.
//!
//! The title page is the first 60 lines with letters. Nothing is taken from the date of the release or
//! from prose.

use crate::language::text::numeral::roman;

/// How many lines are title page.
const LINES: usize = 60;
/// No line of a title page is longer, in bytes.
const LONGEST: usize = 200;

/// The years a book can be printed in.
const YEARS: std::ops::Range<u16> = 1450..2100;
/// So many words after the year of an edition it must be called one.
const EDITION_WORDS: usize = 12;

/// The year a book was printed in, or none where it is not stated or the statements differ.
pub(super) fn publication_year(
    original: Option<&str>,
    book: Option<&str>,
    credits: &str,
) -> Option<u16> {
    if let Some(original) = original {
        return years(original).last().copied();
    }
    let page: Vec<String> = book?
        .lines()
        .map(|line| line.trim().trim_matches(['_', '[', ']', '*']))
        .filter(|line| !line.is_empty())
        .take(LINES)
        .filter(|line| line.len() <= LONGEST)
        .map(str::to_lowercase)
        .collect();
    let kinds: [fn(&str) -> bool; 3] = [is_first_edition, is_copyright, is_imprint];
    for kind in kinds {
        let mut stated: Vec<u16> = page
            .iter()
            .filter(|line| kind(line))
            .flat_map(|line| {
                let last = line.trim_end_matches('.').rsplit(' ').next();
                let written = years(line).into_iter();
                written.chain(last.and_then(roman_year))
            })
            .collect();
        stated.sort_unstable();
        stated.dedup();
        match stated.as_slice() {
            [] => {}
            [year] => return Some(*year),
            _ => return None,
        }
    }
    edition(credits)
}

/// The year of the edition that credits name, if it is one.
fn edition(credits: &str) -> Option<u16> {
    let words: Vec<&str> = credits.split_whitespace().collect();
    let mut named = words.windows(3).enumerate().filter_map(|(at, three)| {
        let [from, the, year] = three else {
            return None;
        };
        let rest = words[at + 3..].iter().take(EDITION_WORDS);
        let is_edition = rest
            .map(|word| word.trim_end_matches(['.', ',']))
            .any(|word| word == "edition");
        let from = from.eq_ignore_ascii_case("from") && *the == "the" && is_edition;
        years(year).first().copied().filter(|_| from)
    });
    let year = named.next()?;
    named.all(|other| other == year).then_some(year)
}

fn is_first_edition(line: &str) -> bool {
    ["first published", "first printed", "first edition"]
        .iter()
        .any(|words| line.contains(words))
}

fn is_copyright(line: &str) -> bool {
    ["copyright", "(c)", "©", "entered according to act"]
        .iter()
        .any(|words| line.contains(words))
}

/// Whether a line is a year under at most two other words.
fn is_imprint(line: &str) -> bool {
    let line = line.trim_end_matches('.');
    let words: Vec<&str> = line
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let is_year = |word: &str| years(word).len() == 1 || roman_year(word).is_some();
    matches!(words.as_slice(), [place @ .., year]
        if place.len() <= 2
            && is_year(year)
            && place.iter().all(|word| word.trim_end_matches(':').chars().all(char::is_alphabetic)))
}

/// The year that a word in Roman numbers is; shorter ones are words or other numbers.
fn roman_year(word: &str) -> Option<u16> {
    let year = roman(&word.to_uppercase()).filter(|_| word.len() >= 4)?;
    u16::try_from(year).ok().filter(|year| YEARS.contains(year))
}

/// The numbers in words that can be years of print.
fn years(words: &str) -> Vec<u16> {
    words
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
        .filter_map(|word| word.parse().ok())
        .filter(|year| YEARS.contains(year))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_page(page: &str) -> Option<u16> {
        publication_year(None, Some(page), "")
    }

    #[test]
    fn the_header_field_comes_first() {
        let field = Some("United States: Dodd, Mead and Company, 1912");
        assert_eq!(
            publication_year(field, Some("Copyright, 1899"), ""),
            Some(1912)
        );
        assert_eq!(
            publication_year(Some("unknown"), Some("Copyright, 1899"), ""),
            None
        );
    }

    #[test]
    fn statements_of_the_title_page_are_read_in_their_order() {
        assert_eq!(on_page("THE SEA\n\nLONDON\n1906"), Some(1906));
        assert_eq!(
            on_page("THE SEA\n\n_London, 1906_\n\nCopyright, 1905, by A. Writer"),
            Some(1905)
        );
        assert_eq!(
            on_page("Copyright 1905\nFirst published in 1904"),
            Some(1904)
        );
        assert_eq!(
            on_page("Copyright, 1905\nCopyright, 1905, in Canada"),
            Some(1905)
        );
    }

    #[test]
    fn a_year_may_be_written_in_roman_numbers() {
        assert_eq!(on_page("THE SEA\n\nMCMVI"), Some(1906));
        assert_eq!(on_page("THE SEA\n\nLONDON: MCMXIII."), Some(1913));
        assert_eq!(on_page("THE SEA\n\nLONDON\n1913\n\nMCMVI"), None);
        for words in ["MIX", "THE CIVIL", "CHAPTER XVII", "MMM", "CCCC"] {
            assert_eq!(on_page(words), None, "{words}");
        }
    }

    #[test]
    fn the_edition_that_a_credit_names_comes_last() {
        let credit =
            "This etext was produced from the 1908 Long, Green, and Co.\nedition by A. Person";
        let year = |page| publication_year(None, Some(page), credit);
        assert_eq!(year("THE SEA"), Some(1908));
        assert_eq!(year("THE SEA\n\n1906"), Some(1906));
        assert_eq!(year("Copyright, 1893\nCopyright, 1901"), None);
        for credit in [
            "Scanned in 1998 from an old edition",
            "from the 1908 printing",
            "from the 1908 edition, and from the 1911 edition",
        ] {
            assert_eq!(
                publication_year(None, Some("THE SEA"), credit),
                None,
                "{credit}"
            );
        }
    }

    #[test]
    fn there_is_no_year_where_statements_differ_or_prose_names_one() {
        assert_eq!(on_page("Copyright, 1893, 1901, by A. Writer"), None);
        assert_eq!(
            on_page("In 1906 he came to live in London, and it was there that he died."),
            None
        );
        assert_eq!(
            on_page("Copyright, 1893\nCopyright, 1901\nCopyright, 1893"),
            None
        );
        assert_eq!(on_page(""), None);
        assert_eq!(publication_year(None, None, ""), None);
    }
}
