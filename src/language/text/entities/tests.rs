use proptest::prelude::*;

use super::entities;
use crate::language::text::EntityKind::{Date, Fac, Gpe, Language, Loc, Org, Person};
use crate::language::text::{Entity, EntityKind};

fn found(text: &str) -> Vec<(EntityKind, &str)> {
    entities(text)
        .iter()
        .map(|entity| (entity.kind, entity.span.of(text)))
        .collect()
}

fn of_kind(text: &str, kind: EntityKind) -> Vec<&str> {
    found(text)
        .into_iter()
        .filter(|(other, _)| *other == kind)
        .map(|(_, name)| name)
        .collect()
}

#[test]
fn titles_stand_before_persons_and_are_no_part_of_the_name() {
    let text = "He met Mr. Pinhorn and Captain Ahlgren, who knew Dr. J. W. Fosdick.";
    assert_eq!(
        found(text),
        [
            (Person, "Pinhorn"),
            (Person, "Ahlgren"),
            (Person, "J. W. Fosdick")
        ]
    );
}

#[test]
fn a_name_is_the_same_throughout_a_document() {
    let text = "It was Helena Quimby. Nobody saw Quimby. The next to leave was Quimby.";
    assert_eq!(of_kind(text, Person), ["Helena Quimby", "Quimby", "Quimby"]);
}

#[test]
fn the_full_stop_of_a_sentence_belongs_to_no_name() {
    for text in [
        "They lived in Springfield, Mass. He was born there.",
        "Nacogdoches, Texas.\n\nThey rode on.",
        "They lived in Springfield, Mass.",
        "They lived in Lexington, Ky.",
    ] {
        let names = found(text);
        assert!(
            names.len() > 1 && names.iter().all(|(_, name)| !name.ends_with('.')),
            "{names:?}"
        );
    }
    let inside = "They lived in Lexington, Ky., and he was born there.";
    assert!(of_kind(inside, Gpe).contains(&"Ky."));
}

#[test]
fn a_name_does_not_reach_from_one_column_to_the_next() {
    let text = "Helena           Quimby\nWilliam\tPorter\n";
    assert!(
        found(text)
            .iter()
            .all(|(_, name)| !name.contains(char::is_whitespace))
    );
    assert!(of_kind("Then Helena Quimby laughed.", Person).contains(&"Helena Quimby"));
}

#[test]
fn who_speaks_is_a_person() {
    assert_eq!(
        found("“No,” said Vereker. But then Vereker laughed."),
        [(Person, "Vereker"), (Person, "Vereker")]
    );
}

#[test]
fn an_unknown_name_after_in_is_a_place() {
    assert_eq!(
        found("They lived in Yaxbury, a small town."),
        [(Gpe, "Yaxbury")]
    );
}

#[test]
fn the_last_word_of_a_name_says_what_it_names() {
    let text = "From Pound Lane he saw the Wibble River, the Goldleaf Company and the town hall.";
    assert_eq!(
        found(text),
        [
            (Fac, "Pound Lane"),
            (Loc, "Wibble River"),
            (Org, "Goldleaf Company")
        ]
    );
}

#[test]
fn the_first_word_of_a_name_may_say_it_too() {
    assert_eq!(
        found("They left Fort Stedman for Lake Wamba and the Rue de la Paix."),
        [
            (Fac, "Fort Stedman"),
            (Loc, "Lake Wamba"),
            (Fac, "Rue de la Paix")
        ]
    );
}

#[test]
fn known_names_of_several_words_are_one_mention() {
    assert_eq!(
        found("From New York to the United States, past the House of Lords."),
        [
            (Gpe, "New York"),
            (Gpe, "United States"),
            (Org, "House of Lords")
        ]
    );
}

#[test]
fn a_possessive_ending_is_no_part_of_a_name_but_of_a_church() {
    assert_eq!(
        found("We saw London’s walls and the tower of St. Wilfrid’s, then Squire’s Brewery."),
        [
            (Gpe, "London"),
            (Fac, "St. Wilfrid’s"),
            (Fac, "Squire’s Brewery")
        ]
    );
}

#[test]
fn the_document_decides_between_a_person_and_a_town() {
    let person = "Mr. Lincoln spoke. Everybody heard what Lincoln said, and Lincoln smiled.";
    assert_eq!(of_kind(person, Person).len(), 3);
    let town = "They lived in Lincoln. The road to Lincoln was long, but in Lincoln he slept.";
    assert_eq!(of_kind(town, Gpe).len(), 3);
}

#[test]
fn peoples_ranks_and_months_are_no_names() {
    assert!(of_kind("The French saw the King and God in Heaven.", Gpe).is_empty());
    assert_eq!(found("An Englishman met the Captain."), []);
}

#[test]
fn the_start_of_a_sentence_proves_nothing() {
    assert_eq!(
        found("Reluctantly he went. Silence fell. Doors closed."),
        []
    );
}

#[test]
fn words_in_capitals_and_headings_prove_nothing() {
    assert_eq!(
        found("CHAPTER: HOW THE WOLF DIED\n\nHe did it. NEVER AGAIN, he said."),
        []
    );
    assert_eq!(
        of_kind("The Strange Affair Of London\n\nIt was in London.", Gpe),
        ["London", "London"]
    );
}

#[test]
fn a_document_with_capital_nouns_keeps_only_sure_names() {
    let mut text = "She gave her Husband a Kiss, and his Heart, in the Evening of that Day, was \
                    full of such Joy as no Tongue can tell of any Man. "
        .repeat(8);
    text.push_str("Then Mr. Gray sailed to Lisbon.");
    assert_eq!(found(&text), [(Person, "Gray"), (Gpe, "Lisbon")]);
}

#[test]
fn names_go_over_a_line_break_but_not_over_an_empty_line() {
    assert_eq!(
        found("We left for New\nYork with Tom\n\nSmith was there."),
        [(Gpe, "New\nYork"), (Person, "Tom"), (Person, "Smith")]
    );
}

#[test]
fn dates_are_days_years_centuries_and_stretches() {
    let text = "On June 15, 1864, in the nineteenth century, twelve years ago, he came. It was \
                the 1st of September, last Tuesday, in 1837 or the next day.";
    assert_eq!(
        of_kind(text, Date),
        [
            "June 15, 1864",
            "the nineteenth century",
            "twelve years ago",
            "the 1st of September",
            "last Tuesday",
            "1837",
            "the next day"
        ]
    );
}

#[test]
fn a_number_of_men_is_no_date_and_may_is_a_verb() {
    assert_eq!(
        of_kind("With 1500 men he may march. May he win.", Date),
        [""; 0]
    );
}

#[test]
fn a_language_is_spoken_and_a_people_is_not() {
    let text = "She spoke French and read Latin. The French drank German wine. It was in English.";
    assert_eq!(of_kind(text, Language), ["French", "Latin", "English"]);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(found(""), []);
    assert_eq!(found("東京は大きい。😀"), []);
    assert_eq!(found("\u{feff}\0\r\n\r\n. . ."), []);
}

#[test]
fn line_endings_make_no_difference() {
    let unix = "Mr. Gray went to New\nYork.\n\nHe saw Paris.";
    let windows = unix.replace('\n', "\r\n");
    let names = |text: &str| {
        found(text)
            .iter()
            .map(|(kind, _)| *kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(unix), names(&windows));
}

fn is_in_order(text: &str, entities: &[Entity]) -> bool {
    let inside = entities.iter().all(|entity| {
        !entity.span.is_empty() && text.get(entity.span.start..entity.span.end).is_some()
    });
    inside
        && entities
            .windows(2)
            .all(|two| two[0].span.end <= two[1].span.start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn entities_are_in_order_and_cut_no_letter(text in "\\PC{0,80}") {
        prop_assert!(is_in_order(&text, &entities(&text)));
    }

    #[test]
    fn entities_in_prose_are_in_order(words in prop::collection::vec(prop::sample::select(vec![
        "Mr.", "London", "of", "House", "the", "The", "St.", "Martin’s", "in", "June", "1837", "&",
        "Co.", "J.", "W.", "Smith", "said", "English", "language", "New", "York", "de", "la", "Rue",
        ",", ".", "\n\n", "“", "”", "last", "week", "U.S.", "Fort", "VIII", "Burgess’", "Mill", "a",
        "two", "hundred", "years", "ago", "d’Artagnan", "O’Brien", "I", "Army", "é", "CHAPTER:",
    ]), 0..40)) {
        let text = words.join(" ");
        prop_assert!(is_in_order(&text, &entities(&text)));
    }
}

#[test]
fn a_word_that_no_dictionary_has_is_a_name_where_little_speaks_for_it() {
    let text = "The painter Delacourbe was seen with Isabey.";
    assert_eq!(of_kind(text, Person), ["Delacourbe"]);
    let text = "They camped at Yarkhotu, and the prince of Tunkazi came to meet them.";
    assert_eq!(of_kind(text, Gpe), ["Yarkhotu", "Tunkazi"]);
}

#[test]
fn a_word_of_the_language_needs_more_than_its_capital() {
    let text = "The demand for Woman Suffrage was heard. They knew that Suffrage was their right, and \
        Universal Suffrage had friends.";
    assert_eq!(found(text), []);
}

#[test]
fn capitals_in_foreign_stretches_are_no_names() {
    let text = "He printed Das buch der Weisheit and lent it to nobody.";
    assert_eq!(of_kind(text, Person), [""; 0]);
}

#[test]
fn parts_of_known_places_are_regions() {
    assert_eq!(
        found("They crossed Western Asia and saw East Texas, but lived in North Carolina."),
        [
            (Loc, "Western Asia"),
            (Loc, "East Texas"),
            (Gpe, "North Carolina")
        ]
    );
}

#[test]
fn two_names_with_and_between_are_a_firm() {
    assert_eq!(
        found("It was printed for Lyon & Healy, not by Mr. & Mrs. Smith."),
        [(Org, "Lyon & Healy"), (Person, "Smith")]
    );
}

#[test]
fn persons_are_called_after_places() {
    assert_eq!(
        of_kind("Then Joan of Navarre spoke.", Person),
        ["Joan of Navarre"]
    );
    assert_eq!(
        of_kind("He met Van Gogh and De Quincey.", Person),
        ["Van Gogh", "De Quincey"]
    );
}
