//! Stretches of tokens that may hold names: capitals with nothing but blanks between them, and the
//! small words that names have inside (`Isle of Wight`, `Rue de la Paix`, `Smith & Co.`).

use std::ops::Range;

use super::census::Census;
use super::reading::Reading;
use super::token::{Case, Gap, Token};
use crate::language::text::{EntityKind, WordList};

/// Longer stretches are cut: no name has so many words, and a text in capitals is one stretch.
const LONGEST: usize = 12;

/// The stretches of a document, in order.
pub(super) fn runs(reading: Reading<'_>, census: &Census) -> Vec<Range<usize>> {
    let tokens = reading.tokens;
    let mut runs = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at].is_capital() {
            at += 1;
            continue;
        }
        let first = at;
        while at - first < LONGEST {
            match next(reading, census, at) {
                Some(more) => at = more,
                None => break,
            }
        }
        at += 1;
        runs.push(first..at);
    }
    runs
}

/// The next capital of the stretch that `at` belongs to.
fn next(reading: Reading<'_>, census: &Census, at: usize) -> Option<usize> {
    let word = |at| reading.joined(at);
    let token = |at| {
        reading
            .tokens
            .get(at)
            .filter(|it: &&Token| it.gap == Gap::Joined)
    };
    let capital = |at| token(at).is_some_and(Token::is_capital);
    let entry = census.entry(at)?;
    if reading.tokens[at].possessive {
        // `Squire’s Brewery` is a name; `Jasper’s Aunt`, `England’s Church`, `Lee’s Army` are two.
        let head = census
            .entry(at + 1)
            .is_some_and(|next| next.head.is_some() && !UNITS.has(&next.name));
        let country = entry.place == Some(EntityKind::Gpe);
        let of = word(at + 2) == "of";
        return (capital(at + 1) && head && !country && !of).then_some(at + 1);
    }
    if capital(at + 1) {
        return Some(at + 1);
    }
    if token(at + 1).is_some_and(|token| token.case == Case::And) && capital(at + 2) {
        return Some(at + 2);
    }
    let first = word(at + 1);
    let second = word(at + 2);
    match first {
        "and" => matches!(second, "Co" | "Company" | "Sons" | "Son" | "Brothers").then_some(at + 2),
        "of" if OF_HEADS.has(&entry.name) => {
            let after = if second == "the" { at + 3 } else { at + 2 };
            let names = census.entry(after).is_some_and(|entry| !entry.function);
            (capital(after) && names).then_some(after)
        }
        // `Joan of Navarre`
        "of" if entry.given && !goes_on(reading, census, at) => {
            let place = census
                .entry(at + 2)
                .is_some_and(|next| next.place.is_some() && !next.given);
            (capital(at + 2) && place).then_some(at + 2)
        }
        "the" if entry.given || entry.numeral => EPITHETS.has(second).then_some(at + 2),
        _ if entry.function => None,
        _ if is_connector(first) => {
            let after = if is_connector(second) { at + 3 } else { at + 2 };
            capital(after).then_some(after)
        }
        _ => None,
    }
}

/// Whether part of the name stands before a first name.
fn goes_on(reading: Reading<'_>, census: &Census, at: usize) -> bool {
    let joined = reading.tokens[at].gap == Gap::Joined;
    joined
        && at
            .checked_sub(1)
            .and_then(|before| census.entry(before))
            .is_some_and(|before| !before.function)
}

/// Whether a small word stands inside foreign names.
pub(super) fn is_connector(word: &str) -> bool {
    CONNECTORS.has(word)
}

/// Small words inside foreign names.
static CONNECTORS: WordList = WordList::new(
    "de du des la le les von van der den zu di da del della dei dos el al ibn bin sur en",
);

/// What kings are called.
static EPITHETS: WordList = WordList::new(
    "Bald Bold Confessor Conqueror Eighteenth Eighth Elder Fair Fifteenth Fifth First Fourteenth \
     Fourth Good Great Magnificent Ninth Second Seventh Sixteenth Sixth Tenth Third Younger",
);

/// What a commander has.
static UNITS: WordList = WordList::new(
    "Army Artillery Battalion Batteries Brigade Cavalry Command Corps Division Fleet Infantry \
     Regiment Squadron Staff",
);

/// Words that go on with `of` and a name.
static OF_HEADS: WordList = WordList::new(
    "Abbey Academy Arch Archdiocese Army Association Bank Bay Board Bridge Brotherhood Bureau Cape \
     Castle Cathedral Cemetery Chamber Chapel Church City College Colony Commission Committee \
     Commonwealth Company Confederation Congress Conservatory Convent Convention Council County Court \
     Department Diocese District Dominion Duchy Empire Falls Federation Forest Fort Gardens Guild \
     Gulf Hall Harbour Headland Hospital Hotel House Institute Institution Island Islands Isle Isles \
     Isthmus Kingdom Lake League Legion Library Ministry Monastery Mount Mountains Museum Observatory \
     Order Palace Parish Park Peninsula Plain Plains Port Principality Priory Province Quay Republic \
     River Rock School Sea See Senate Society Square State States Strait Straits Temple Territory \
     Theatre Tomb Tower Township Union University Vale Valley Village Well",
);
