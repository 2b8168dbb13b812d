//! Needles on hand-tagged sentences.

use super::*;
use crate::language::text::{Entity, EntityKind, Tag};

/// A text with its annotations, from words such as `Caesar_NNP was_VBD here_RB`; `~` before a word
/// joins it to the one before, a name in another kind than words ends in `=PERSON` and the like, and
/// each line is a sentence.
pub(super) fn read(marked: &str) -> (String, Annotations) {
    let mut text = String::new();
    let mut annotations = Annotations::default();
    for line in marked.lines() {
        let mut from = None;
        for word in line.split_whitespace() {
            let (word, joined) = word
                .strip_prefix('~')
                .map_or((word, false), |word| (word, true));
            let (word, kind) = word
                .split_once('=')
                .map_or((word, None), |(word, kind)| (word, Some(kind)));
            let (letters, tag) = word.rsplit_once('_').unwrap();
            if !joined && !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            from.get_or_insert(start);
            text.push_str(letters);
            let span = Span::new(start, text.len());
            let tag = Tag::from_penn(tag);
            annotations.words.push(Word { span, tag });
            if let Some(kind) = kind {
                let kind = EntityKind::ALL
                    .into_iter()
                    .find(|known| known.name() == kind);
                let kind = kind.unwrap();
                annotations.entities.push(Entity { span, kind });
            }
        }
        annotations
            .sentences
            .push(Span::new(from.unwrap(), text.len()));
    }
    (text, annotations)
}

/// A sentence after its changes.
fn altered(needle: Needle, marked: &str) -> Option<String> {
    let (text, annotations) = read(marked);
    let draw = &mut Draw::new(1, &["test"]);
    let mut changes = needle.alter(&text, &annotations, annotations.sentences[0], draw)?;
    changes.reverse();
    let mut new = text;
    for change in changes {
        new.replace_range(change.span.start..change.span.end, &change.new);
    }
    Some(new)
}

fn negated(marked: &str) -> Option<String> {
    altered(Needle::Negation(After::Root), marked)
}

fn swapped(marked: &str) -> Option<String> {
    altered(Needle::Conjunction, marked)
}

#[test]
fn not_stands_after_the_main_verb() {
    let rome = "Caesar_NNP was_VBD a_DT Roman_JJ general_NN ~._.";
    assert_eq!(
        negated(rome).as_deref(),
        Some("Caesar was not a Roman general.")
    );
    assert_eq!(
        negated("He_PRP slept_VBD ~._.").as_deref(),
        Some("He slept not.")
    );
    assert_eq!(
        negated("Let_VB ~'s_PRP go_VB ~._.").as_deref(),
        Some("Let's not go.")
    );
    assert_eq!(
        negated("It_PRP ~'s_VBZ late_JJ ~._.").as_deref(),
        Some("It's not late.")
    );
}

#[test]
fn auxiliaries_are_passed_unless_asked_for() {
    let gaul = "He_PRP had_VBD long_RB since_RB conquered_VBN Gaul_NNP ~._.";
    assert_eq!(
        negated(gaul).as_deref(),
        Some("He had long since conquered not Gaul.")
    );
    assert_eq!(
        altered(Needle::Negation(After::Auxiliary), gaul).as_deref(),
        Some("He had not long since conquered Gaul.")
    );
    assert_eq!(
        negated("Would_MD he_PRP have_VB been_VBN seen_VBN ~?_.").as_deref(),
        Some("Would he have been seen not?")
    );
    assert_eq!(
        negated("Do_VBP these_DT words_NNS seem_VB likely_JJ ~?_.").as_deref(),
        Some("Do these words seem not likely?")
    );
}

#[test]
fn verbs_of_subordinate_clauses_are_passed() {
    for (marked, expected) in [
        (
            "When_WRB he_PRP came_VBD ~,_, she_PRP was_VBD gone_JJ ~._.",
            "When he came, she was not gone.",
        ),
        (
            "When_WRB he_PRP came_VBD and_CC sat_VBD ~,_, she_PRP left_VBD ~._.",
            "When he came and sat, she left not.",
        ),
        (
            "The_DT man_NN who_WP had_VBD it_PRP was_VBD old_JJ ~._.",
            "The man who had it was not old.",
        ),
        (
            "The_DT house_NN he_PRP built_VBD was_VBD old_JJ ~._.",
            "The house he built was not old.",
        ),
        (
            "The_DT next_JJ day_NN he_PRP said_VBD that_IN she_PRP was_VBD old_JJ ~._.",
            "The next day he said not that she was old.",
        ),
        (
            "After_IN the_DT war_NN he_PRP was_VBD poor_JJ and_CC went_VBD home_RB ~._.",
            "After the war he was not poor and went home.",
        ),
        (
            "After_IN the_DT war_NN ended_VBD he_PRP went_VBD home_RB ~._.",
            "After the war ended he went not home.",
        ),
        (
            "War_NN as_IN such_JJ is_VBZ bad_JJ ~,_, she_PRP said_VBD ~._.",
            "War as such is not bad, she said.",
        ),
        (
            "That_DT he_PRP came_VBD is_VBZ certain_JJ ~._.",
            "That he came is not certain.",
        ),
        (
            "As_RB soon_RB as_IN it_PRP is_VBZ day_NN ~,_, he_PRP comes_VBZ ~._.",
            "As soon as it is day, he comes not.",
        ),
        (
            "The_DT wall_NN of_IN the_DT house_NN he_PRP built_VBD fell_VBD ~._.",
            "The wall of the house he built fell not.",
        ),
        (
            "In_IN the_DT house_NN he_PRP built_VBD fires_NNS burn_VBP ~._.",
            "In the house he built not fires burn.",
        ),
        (
            "Had_VBD he_PRP come_VBN ~,_, she_PRP would_MD stay_VB ~._.",
            "Had he come, she would stay not.",
        ),
        (
            "If_IN it_PRP be_VB true_JJ ~,_, he_PRP is_VBZ rich_JJ ~._.",
            "If it be true, he is not rich.",
        ),
        (
            "When_WRB he_PRP comes_VBZ ~,_, run_VB ~!_.",
            "When he comes, run not!",
        ),
    ] {
        assert_eq!(negated(marked).as_deref(), Some(expected));
    }
}

#[test]
fn what_is_said_is_passed_for_who_says_it() {
    assert_eq!(
        negated("“_`` ~I_PRP am_VBP here_RB ~,_, ~”_'' said_VBD Tom_NNP ~._.").as_deref(),
        Some("“I am here,” said not Tom.")
    );
    assert_eq!(
        negated("“_`` ~I_PRP am_VBP here_RB ~._. ~”_''").as_deref(),
        Some("“I am not here.”")
    );
    assert_eq!(
        negated("I_PRP am_VBP here_RB ~._. ~”_'' Tom_NNP smiled_VBD ~._.").as_deref(),
        Some("I am here.” Tom smiled not.")
    );
    assert_eq!(
        negated("He_PRP (_-LRB- ~it_PRP is_VBZ said_VBN ~)_-RRB- left_VBD ~._.").as_deref(),
        Some("He (it is said) left not.")
    );
}

#[test]
fn a_sentence_without_a_main_clause_is_negated_at_its_first_verb() {
    assert_eq!(
        negated("Which_WDT was_VBD true_JJ ~._.").as_deref(),
        Some("Which was not true.")
    );
    assert_eq!(
        negated("Who_WP is_VBZ he_PRP ~?_.").as_deref(),
        Some("Who is not he?")
    );
    assert_eq!(negated("A_DT fine_JJ day_NN ~._."), None);
}

#[test]
fn a_sentence_that_is_negated_already_is_left_alone() {
    for marked in [
        "He_PRP is_VBZ not_RB here_RB ~._.",
        "He_PRP is_VBZ ~n’t_RB here_RB ~._.",
        "No_DT man_NN is_VBZ here_RB ~._.",
        "He_PRP NEVER_RB came_VBD ~._.",
        "He_PRP can't_MD come_VB ~._.",
    ] {
        assert_eq!(negated(marked), None, "{marked}");
    }
    // The paper looks for four words, and a sentence with others is negated twice.
    assert!(negated("Nobody_NN came_VBD ~._.").is_some());
}

#[test]
fn and_and_or_change_places_in_the_whole_sentence() {
    assert_eq!(
        swapped("Larger_JJR and_CC busier_JJR or_CC older_JJR ~;_: AND_CC more_JJR").as_deref(),
        Some("Larger or busier and older; OR more")
    );
    assert_eq!(swapped("This_DT &_CC that_DT"), None);
    assert_eq!(swapped("and/or_CC"), None);
    assert_eq!(swapped("The_DT word_NN and_NN ~._."), None);
}

#[test]
fn a_name_becomes_another_of_its_kind_from_elsewhere() {
    let document = "Ptolemy_NNP=PERSON met_VBD Egypt_NNP=GPE and_CC Berenice_NNP=PERSON\n\
                    Ptolemy_NNP=PERSON died_VBD\n\
                    Cleopatra_NNP=PERSON died_VBD in_IN May_NNP=DATE";
    let (text, annotations) = read(document);
    let mut seen: Vec<(String, String)> = (0..60)
        .flat_map(|seed| {
            let draw = &mut Draw::new(seed, &[]);
            let sentence = annotations.sentences[0];
            Needle::Entity
                .alter(&text, &annotations, sentence, draw)
                .unwrap()
        })
        .map(|change| (change.span.of(&text).to_owned(), change.new))
        .collect();
    seen.sort();
    seen.dedup();
    let pair = |goes: &str, comes: &str| (goes.to_owned(), comes.to_owned());
    assert_eq!(
        seen,
        [
            pair("Berenice", "Cleopatra"),
            pair("Berenice", "Ptolemy"),
            pair("Ptolemy", "Cleopatra"),
        ]
    );
}

#[test]
fn a_name_without_another_of_its_kind_elsewhere_stays() {
    let one = "Rome_NNP=GPE and_CC Paris_NNP=GPE\nRome_NNP=GPE fell_VBD\nAnna_NNP=PERSON came_VBD";
    let (text, annotations) = read(one);
    let draw = &mut Draw::new(1, &[]);
    let changes = Needle::Entity.alter(&text, &annotations, annotations.sentences[0], draw);
    assert_eq!(changes.unwrap()[0].span.of(&text), "Paris");
    let alone = annotations.sentences[2];
    assert_eq!(Needle::Entity.alter(&text, &annotations, alone, draw), None);
    let organisation = read("Acme_NNP=ORG grew_VBD\nBell_NNP=ORG fell_VBD");
    let sentence = organisation.1.sentences[0];
    assert_eq!(
        Needle::Entity.alter(&organisation.0, &organisation.1, sentence, draw),
        None
    );
}

#[test]
fn the_nearest_sentence_that_can_be_altered_is_the_needle() {
    let (text, annotations) = read("A_NN or_CC B_NN\nC_NN\nD_NN\nE_NN\nF_NN or_CC G_NN ~._.");
    let find = |scan, before| {
        let widest = Position { before, after: 0 };
        let draw = &mut Draw::new(1, &[]);
        find(
            &text,
            &annotations,
            Needle::Conjunction,
            Room { widest, scan },
            draw,
        )
    };
    assert_eq!(find(2, 0).map(|found| found.index), Ok(1));
    assert_eq!(find(2, 1).map(|found| found.index), Ok(5));
    let reason = |found: Result<Found, _>| {
        found
            .err()
            .map(|reason: crate::language::manipulate::edit::NotApplicable| reason.0)
    };
    assert_eq!(
        reason(find(1, 0)).as_deref(),
        Some("none of the 3 middle sentences has an `and` or an `or`")
    );
    assert_eq!(
        reason(find(0, 0)).as_deref(),
        Some("the middle sentence lacks an `and` or an `or`")
    );
    assert_eq!(
        reason(find(2, 7)).as_deref(),
        Some(
            "no sentence near the middle has 7 sentences before it and 0 sentences after it: \
             the document has 5 sentences"
        )
    );
}

#[test]
fn a_position_outside_the_document_is_refused() {
    let (text, annotations) = read("A_NN or_CC B_NN\nC_NN ~._.");
    let found = Found {
        index: 1,
        changes: Vec::new(),
    };
    let position = Position {
        before: 1,
        after: 1,
    };
    let refused = lay(&text, &annotations.sentences, &found, position, None);
    assert_eq!(
        refused.map_err(|reason| reason.0),
        Err("1 sentence before sentence 1 and 1 sentence after it are more than a document of 2 sentences has".to_owned())
    );
}

#[test]
fn a_sentence_of_a_hundred_thousand_words_is_no_problem() {
    for words in [
        "“_`` ",
        "”_'' ",
        "(_-LRB- ",
        "~,_, and_CC ",
        "when_WRB ",
        "as_IN the_DT ",
        "very_RB ",
    ] {
        let long = format!("He_PRP {}was_VBD here_RB", words.repeat(50_000));
        assert!(negated(&long).is_some(), "{words}");
    }
}

#[test]
fn a_heading_is_neither_needle_nor_hay_and_is_not_counted() {
    let text =
        "He sat and read.\n\nTHE STORM AND THE WIND\n\nShe stood and sang. They left and slept.";
    let want = crate::language::text::Want {
        sentences: true,
        words: true,
        entities: false,
    };
    let annotations = crate::language::text::annotate(text, want).unwrap();
    assert_eq!(annotations.sentences.len(), 4);
    let widest = Position {
        before: 1,
        after: 1,
    };
    let room = Room { widest, scan: 1 };
    let draw = &mut Draw::new(1, &[]);
    let found = find(text, &annotations, Needle::Conjunction, room, draw).unwrap();
    assert_eq!(found.index, 2);
    let expected = "He sat and read. She stood or sang. They left and slept.";
    let own = lay(text, &annotations.sentences, &found, widest, None).unwrap();
    assert_eq!(own.altered, expected);
    let donors = Donors::new(vec![Donor {
        id: "other",
        text,
        sentences: &annotations.sentences,
    }]);
    let narrow = Room { widest, scan: 0 };
    let donor = donors.draw("own", 3, narrow, draw).unwrap();
    let other = lay(text, &annotations.sentences, &found, widest, Some(donor)).unwrap();
    assert_eq!(other.altered, expected);
}
