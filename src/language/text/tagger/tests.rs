use proptest::prelude::*;

use super::super::{Span, Tag, Word, sentences, words};
use super::{LONGEST, MODEL, Memory, look, tag};

fn tagged(text: &str) -> Vec<Word> {
    tag(text, &[Span::whole(text)]).expect("the weights are whole")
}

/// The tag of the first word written so.
fn tag_in(text: &str, written: &str) -> Tag {
    let found = tagged(text);
    let word = found.iter().find(|word| word.span.of(text) == written);
    word.expect("the word").tag
}

#[test]
fn a_plain_sentence_has_its_tags() {
    let text = "The old men were walking to London, and she sang.";
    let tags: Vec<Tag> = tagged(text).iter().map(|word| word.tag).collect();
    let expected = [
        Tag::Dt,
        Tag::Jj,
        Tag::Nns,
        Tag::Vbd,
        Tag::Vbg,
        Tag::In,
        Tag::Nnp,
        Tag::Punctuation,
        Tag::Cc,
        Tag::Prp,
        Tag::Vbd,
        Tag::Punctuation,
    ];
    assert_eq!(tags, expected);
}

#[test]
fn typewriter_quotes_and_apostrophes_are_read_like_set_ones() {
    let plain = "\"I don't know,\" said Tom's wife. 'They're gone.'";
    let set = "“I don’t know,” said Tom’s wife. ‘They’re gone.’";
    let tags = |text: &str| tagged(text).iter().map(|word| word.tag).collect::<Vec<_>>();
    assert_eq!(tags(plain), tags(set));
}

#[test]
fn contractions_have_tags_of_their_own() {
    assert_eq!(tag_in("I can't say.", "n't"), Tag::Rb);
    assert_eq!(tag_in("I can't say.", "ca"), Tag::Md);
    assert_eq!(tag_in("'Tis well known.", "is"), Tag::Vbz);
    assert_eq!(tag_in("Tom's dog barked.", "'s"), Tag::Pos);
}

#[test]
fn old_third_persons_are_verbs() {
    assert_eq!(tag_in("The king hath spoken.", "hath"), Tag::Vbz);
}

#[test]
fn a_participle_may_follow_the_subject_of_its_auxiliary() {
    let text = "He might have been happy had he lived a hundred years back.";
    assert_eq!(tag_in(text, "lived"), Tag::Vbn);
    assert_eq!(tag_in("We had it; he laughed.", "laughed"), Tag::Vbd);
}

#[test]
fn somebody_called_will_is_no_modal() {
    let text = "He bought it for a small printing press Will bought with his own savings as a delivery boy.";
    assert_ne!(tag_in(text, "Will"), Tag::Md);
    assert_eq!(tag_in("Will you go?", "Will"), Tag::Md);
}

#[test]
fn what_is_only_a_third_person_is_no_plural() {
    let text = "the present Post Office consists of palatial buildings.";
    assert_eq!(tag_in(text, "consists"), Tag::Vbz);
    assert_eq!(tag_in("They laid down their lives.", "lives"), Tag::Nns);
}

#[test]
fn what_is_only_a_past_form_is_one() {
    assert_eq!(tag_in("Moss clung to the bases.", "clung"), Tag::Vbd);
}

#[test]
fn a_participle_follows_have_and_be() {
    assert_eq!(tag_in("I had not at all said that.", "said"), Tag::Vbn);
    assert_eq!(tag_in("The house was sold.", "sold"), Tag::Vbn);
    assert_eq!(tag_in("I wish I'd stayed home.", "stayed"), Tag::Vbn);
}

#[test]
fn an_infinitive_follows_a_modal() {
    assert_eq!(tag_in("He would certainly have gone.", "have"), Tag::Vb);
}

#[test]
fn a_mark_is_punctuation_whatever_the_model_says() {
    for mark in ["*", "=", "~", "👍", "_"] {
        assert_eq!(tag_in(&format!("He {mark} went"), mark), Tag::Punctuation);
    }
}

#[test]
fn only_the_sentences_given_are_tagged() {
    let text = "He went. She came.";
    let found = tag(text, &[Span::new(9, 18)]).expect("tags");
    assert_eq!(found[0].span, Span::new(9, 12));
    assert_eq!(found.len(), 3);
    assert!(tag(text, &[]).expect("tags").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn every_word_of_any_text_has_one_tag(text in "(\\PC|was |n't|[\"'’.]){0,30}") {
        let spans: Vec<Span> = tagged(&text).iter().map(|word| word.span).collect();
        prop_assert_eq!(spans, words(&text, Span::whole(&text)));
    }

    #[test]
    fn sentences_that_were_met_before_have_the_words_and_tags_that_they_have(
        parts in prop::collection::vec(
            prop::sample::select(&["\"", "'", "’", " ", "\n\n", "He was ", "going", "Stop. ", "\u{2003}", "n't", "\u{1F600}"]),
            0..40,
        ),
    ) {
        let text = parts.concat();
        let sentences = sentences(&text);
        let model = MODEL.as_ref().expect("the weights are whole");
        let mut plain = Vec::new();
        for &sentence in &sentences {
            look(&text, sentence, model, &mut Memory::default(), &mut plain);
        }
        for _ in 0..2 {
            prop_assert_eq!(&tag(&text, &sentences).expect("tags"), &plain);
        }
    }
}

#[test]
fn a_sentence_with_long_words_or_wide_gaps_or_of_many_words_is_tagged_again() {
    let word = "b".repeat(300);
    let gap = " ".repeat(300);
    let many = "and ".repeat(LONGEST);
    for text in [format!("He {word}"), format!("He{gap}went"), many] {
        let first = tagged(&text);
        assert_eq!(first.len(), text.split_whitespace().count());
        assert_eq!(tagged(&text), first);
    }
}
