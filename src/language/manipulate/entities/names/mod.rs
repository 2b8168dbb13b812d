//! Names to put in the place of others: one word each, of no particular time, one list per kind.

use crate::language::text::EntityKind;

/// The names of a kind, sorted; none for dates.
pub(super) fn names(kind: EntityKind) -> impl Iterator<Item = &'static str> {
    match kind {
        EntityKind::Person => include_str!("person.txt"),
        EntityKind::Gpe => include_str!("geopolitical.txt"),
        EntityKind::Loc => include_str!("location.txt"),
        EntityKind::Org => include_str!("organization.txt"),
        EntityKind::Fac => include_str!("facility.txt"),
        EntityKind::Language => include_str!("language.txt"),
        EntityKind::Date => "",
    }
    .lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_name_nothing_twice() {
        for kind in EntityKind::ALL {
            let list: Vec<&str> = names(kind).collect();
            assert!(list.is_sorted_by(|a, b| a < b), "{kind:?}");
        }
    }

    #[test]
    fn a_name_is_one_word_with_a_capital() {
        for name in EntityKind::ALL.into_iter().flat_map(names) {
            assert!(name.starts_with(char::is_uppercase), "{name}");
            assert!(name.chars().all(char::is_alphabetic), "{name}");
        }
    }

    #[test]
    fn no_name_stands_for_two_kinds() {
        let mut all: Vec<&str> = EntityKind::ALL.into_iter().flat_map(names).collect();
        all.sort_unstable();
        let twice: Vec<&[&str]> = all.windows(2).filter(|two| two[0] == two[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
