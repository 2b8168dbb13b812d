//! What holds for all needles in all hay.

use proptest::prelude::*;

use super::tests::read;
use super::*;

/// A document of sentences made of a few words, each with something for every needle now and then.
fn document() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("he_PRP"),
        Just("saw_VBD"),
        Just("was_VBD"),
        Just("gone_VBN"),
        Just("who_WP"),
        Just("when_WRB"),
        Just("and_CC"),
        Just("OR_CC"),
        Just("not_RB"),
        Just("~,_,"),
        Just("“_``"),
        Just("”_''"),
        Just("Zoë_NNP=PERSON"),
        Just("Rome_NNP=GPE"),
        Just("Ōsaka_NNP=GPE"),
        Just("go_VB"),
    ];
    let sentence = prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "));
    prop::collection::vec(sentence, 1..40).prop_map(|sentences| sentences.join("\n"))
}

fn needles() -> impl Strategy<Value = Needle> {
    prop_oneof![
        Just(Needle::Negation(After::Root)),
        Just(Needle::Negation(After::Auxiliary)),
        Just(Needle::Conjunction),
        Just(Needle::Entity),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn exactly_the_needle_differs_and_it_stands_where_it_should(
        (own, other) in (document(), document()),
        needle in needles(),
        (before, after) in (0_usize..4, 0_usize..4),
        (wider, scan, seed) in (0_usize..3, 0_usize..6, any::<u64>()),
    ) {
        let (text, annotations) = read(&own);
        let (hay, others) = read(&other);
        let widest = Position { before: before + wider, after: after + wider };
        let room = Room { widest, scan };
        let position = Position { before, after };
        let stream = || Draw::new(seed, &["own"]);
        let Ok(found) = find(&text, &annotations, needle, room, &mut stream()) else {
            return Ok(());
        };
        let again = find(&text, &annotations, needle, room, &mut stream());
        prop_assert_eq!(Ok(&found), again.as_ref());

        let donors = Donors::new(vec![
            Donor { id: "own", text: &text, sentences: &annotations.sentences },
            Donor { id: "other", text: &hay, sentences: &others.sentences },
        ]);
        let donor = donors.draw("own", annotations.sentences.len(), room, &mut stream()).ok();
        for (donor, from, around) in [
            (None, &text, &annotations.sentences),
            (donor, &hay, &others.sentences),
        ] {
            if donor.is_none() && from != &text {
                continue;
            }
            let stack = lay(&text, &annotations.sentences, &found, position, donor).unwrap();
            let needle = annotations.sentences[found.index - 1].of(&text);
            let first = found.index - 1 - before;
            let mut expected: Vec<&str> =
                around[first..=first + before + after].iter().map(|span| span.of(from)).collect();
            expected[before] = needle;
            prop_assert_eq!(expected.join(" "), &*stack.unaltered);

            let place: usize = expected[..before].iter().map(|one| one.len() + 1).sum();
            let rest = stack.unaltered.len() - place - needle.len();
            prop_assert_ne!(&stack.unaltered, &stack.altered);
            prop_assert_eq!(&stack.unaltered[..place], &stack.altered[..place]);
            prop_assert_eq!(
                &stack.unaltered[place + needle.len()..],
                &stack.altered[stack.altered.len() - rest..]
            );
            prop_assert_eq!(donor.map(|donor| donor.id), stack.donor.as_deref());

            let mut undone = stack.altered.clone();
            for edit in stack.edits.iter().rev() {
                prop_assert_eq!(edit.after.of(&stack.altered), &edit.new);
                prop_assert_eq!(edit.before.of(&stack.unaltered), &edit.original);
                undone.replace_range(edit.after.start..edit.after.end, &edit.original);
            }
            prop_assert_eq!(undone, stack.unaltered);
        }
    }

    #[test]
    fn a_needle_found_with_room_has_a_place_at_every_position(
        own in document(),
        needle in needles(),
        seed in any::<u64>(),
    ) {
        let (text, annotations) = read(&own);
        let widest = Position { before: 2, after: 3 };
        let room = Room { widest, scan: 5 };
        let draw = &mut Draw::new(seed, &[]);
        if let Ok(found) = find(&text, &annotations, needle, room, draw) {
            for (before, after) in (0..=2).flat_map(|i| (0..=3).map(move |j| (i, j))) {
                let position = Position { before, after };
                prop_assert!(lay(&text, &annotations.sentences, &found, position, None).is_ok());
            }
        }
    }
}
