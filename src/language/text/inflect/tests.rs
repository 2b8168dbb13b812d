use super::irregular::all;
use super::regular::with_ed;
use super::*;
use crate::language::text::lexicon::lexicon;
use crate::language::text::{Span, Tag, tag};

/// The text with the first word written so turned into the other tense, or none.
fn turned(text: &str, written: &str) -> Option<String> {
    let words = tag(text, &[Span::whole(text)]).expect("tags");
    let at = words
        .iter()
        .position(|word| word.span.of(text) == written)
        .expect("the word");
    let new = flip_at(text, &words, at)?;
    let Span { start, end } = words[at].span;
    Some(format!("{}{new}{}", &text[..start], &text[end..]))
}

#[track_caller]
fn turns(text: &str, written: &str, expected: &str) {
    assert_eq!(turned(text, written).as_deref(), Some(expected));
}

#[test]
fn irregular_verbs_are_sorted_and_lead_back_to_their_base() {
    assert!(all().count() >= 300);
    for verb in all() {
        for form in &verb.past {
            let base = lemma(form, Tag::Vbd).expect("a base");
            let shared = ["lie", "wind", "see", "bind", "grind", "overlie", "err"];
            assert!(
                base == verb.base || shared.contains(&base.as_str()),
                "{form} {base}"
            );
        }
        for form in &verb.participle {
            assert!(lemma(form, Tag::Vbn).is_some(), "{form}");
        }
        if verb.base != "be" {
            assert_eq!(past(verb.base).as_deref(), Some(verb.past[0]));
        }
    }
}

#[test]
fn regular_pasts_are_spelled_right() {
    let forms = [
        ("stop", "stopped"),
        ("carry", "carried"),
        ("play", "played"),
        ("hope", "hoped"),
        ("agree", "agreed"),
        ("panic", "panicked"),
        ("admit", "admitted"),
        ("visit", "visited"),
        ("equip", "equipped"),
        ("stoop", "stooped"),
        ("fix", "fixed"),
        ("offer", "offered"),
        ("prefer", "preferred"),
        ("help", "helped"),
        ("quiz", "quizzed"),
        ("travel", "travelled"),
        ("benefit", "benefited"),
    ];
    for (base, form) in forms {
        assert_eq!(past(base).as_deref(), Some(form));
        assert_eq!(lemma(form, Tag::Vbd).as_deref(), Some(base));
    }
}

#[test]
fn third_persons_are_spelled_right() {
    let forms = [
        ("be", "is"),
        ("have", "has"),
        ("do", "does"),
        ("go", "goes"),
        ("carry", "carries"),
        ("say", "says"),
        ("pass", "passes"),
        ("use", "uses"),
        ("watch", "watches"),
        ("die", "dies"),
        ("quiz", "quizzes"),
    ];
    for (base, form) in forms {
        assert_eq!(third_person(base), form);
        assert_eq!(lemma(form, Tag::Vbz).as_deref(), Some(base));
    }
}

#[test]
fn of_two_possible_bases_the_likelier_is_taken() {
    let forms = [
        ("longed", "long"),
        ("severed", "sever"),
        ("breathed", "breathe"),
        ("pasted", "paste"),
        ("planed", "plane"),
        ("singed", "singe"),
        ("wined", "wine"),
        ("erred", "err"),
        ("hanged", "hang"),
        ("lied", "lie"),
        ("lay", "lie"),
        ("laid", "lay"),
        ("saw", "see"),
        ("felled", "fell"),
    ];
    for (form, base) in forms {
        assert_eq!(lemma(form, Tag::Vbd).as_deref(), Some(base));
    }
}

#[test]
fn a_form_of_no_known_verb_is_left_alone() {
    for (form, tag) in [
        ("plaything", Tag::Vbd),
        ("thing", Tag::Vbp),
        ("seagoing", Tag::Vbd),
        ("reynolds", Tag::Vbz),
        ("brillig", Tag::Vbp),
        ("mimsied", Tag::Vbd),
        ("Привет", Tag::Vbd),
        ("ed", Tag::Vbd),
        ("s", Tag::Vbz),
        ("", Tag::Vbd),
    ] {
        assert_eq!(flip(form, tag, Subject::Third), None, "{form}");
    }
}

#[test]
fn tenses_are_turned_both_ways() {
    use Subject::{First, Other, Third};
    let forms = [
        ("was", Tag::Vbd, Third, "is"),
        ("was", Tag::Vbd, First, "am"),
        ("were", Tag::Vbd, Other, "are"),
        ("is", Tag::Vbz, Third, "was"),
        ("am", Tag::Vbp, First, "was"),
        ("are", Tag::Vbp, Other, "were"),
        ("had", Tag::Vbd, Third, "has"),
        ("had", Tag::Vbd, Other, "have"),
        ("has", Tag::Vbz, Third, "had"),
        ("hath", Tag::Vbz, Third, "had"),
        ("did", Tag::Vbd, Other, "do"),
        ("went", Tag::Vbd, Third, "goes"),
        ("goes", Tag::Vbz, Third, "went"),
        ("could", Tag::Md, Third, "can"),
        ("will", Tag::Md, First, "would"),
        ("put", Tag::Vbd, Third, "puts"),
    ];
    for (form, tag, subject, expected) in forms {
        assert_eq!(flip(form, tag, subject).as_deref(), Some(expected));
    }
}

#[test]
fn capitals_are_kept() {
    assert_eq!(flip("Was", Tag::Vbd, Subject::Third).as_deref(), Some("Is"));
    assert_eq!(flip("WAS", Tag::Vbd, Subject::Third).as_deref(), Some("IS"));
    assert_eq!(
        flip("Will", Tag::Md, Subject::Third).as_deref(),
        Some("Would")
    );
}

#[test]
fn what_has_no_tense_or_only_one_form_is_not_turned() {
    for (form, tag) in [
        ("be", Tag::Vb),
        ("been", Tag::Vbn),
        ("being", Tag::Vbg),
        ("must", Tag::Md),
        ("ought", Tag::Md),
        ("be", Tag::Vbp),
        ("house", Tag::Nn),
    ] {
        assert_eq!(flip(form, tag, Subject::Other), None, "{form}");
    }
    assert_eq!(flip("put", Tag::Vbd, Subject::Other), None);
}

/// The published data spell `woulded`, `coulded`, `’lled` and `seagoed`.
#[test]
fn every_form_made_is_in_the_word_list_or_follows_a_rule() {
    let is_known = |form: &str| lexicon().get(form.as_bytes()).is_some();
    let (mut made, mut unlisted) = (0, 0);
    for base in lexicon().words() {
        for (tag, form) in [
            (Tag::Vbp, base.to_owned()),
            (Tag::Vbz, third_person(base)),
            (Tag::Md, base.to_owned()),
        ] {
            let Some(new) = flip(&form, tag, Subject::Third) else {
                continue;
            };
            made += 1;
            let irregular = all().any(|verb| verb.past.contains(&new.as_str()));
            let regular = || {
                let base = lemma(&form, tag)?;
                with_ed(&base)
            };
            assert!(
                irregular || tag == Tag::Md && is_known(&new) || regular().as_ref() == Some(&new),
                "{form} {new}"
            );
            unlisted += usize::from(!irregular && !is_known(&new));
        }
    }
    assert!(made > 12_000, "{made}");
    assert!(unlisted * 20 < made, "{unlisted} of {made}");
}

#[test]
fn a_past_form_turned_twice_is_a_past_of_the_same_verb() {
    let mut turned = 0;
    let mut astray = Vec::new();
    for form in lexicon().words() {
        let base = lemma(form, Tag::Vbd).filter(|base| base != "be");
        let (Some(base), Some(present)) = (base, flip(form, Tag::Vbd, Subject::Third)) else {
            continue;
        };
        turned += 1;
        assert_eq!(present, third_person(&base));
        if let Some(past) = flip(&present, Tag::Vbz, Subject::Third)
            && lemma(&past, Tag::Vbd) != Some(base)
        {
            astray.push(form);
        }
    }
    assert!(turned > 7_000, "{turned}");
    // `programs` makes `programmed`, which may as well be of `programme`.
    assert_eq!(astray, ["programed"]);
}

#[test]
fn contractions_are_turned_whole_or_not_at_all() {
    turns("I'm here.", "'m", "I was here.");
    turns("They’re here.", "’re", "They were here.");
    turns("I've seen it.", "'ve", "I'd seen it.");
    turns("We’ll go.", "’ll", "We’d go.");
    turns("I can't go.", "ca", "I couldn't go.");
    turns("I couldn’t go.", "could", "I can’t go.");
    turns("She won't go.", "wo", "She wouldn't go.");
    turns("He didn't go.", "did", "He doesn't go.");
    turns("They didn't go.", "did", "They don't go.");
    turns("He wasn't there.", "was", "He isn't there.");
    turns("I cannot go.", "can", "I could not go.");
    assert_eq!(turned("I wasn't there.", "was"), None);
    assert_eq!(turned("He might've gone.", "'ve"), None);
    assert_eq!(turned("He's gone.", "'s"), None);
    assert_eq!(turned("I'd go.", "'d"), None);
    assert_eq!(turned("It ain't so.", "ai"), None);
    assert_eq!(turned("They had a well-kept garden.", "kept"), None);
}

#[test]
fn the_verb_agrees_with_its_subject() {
    turns("She gave it up.", "gave", "She gives it up.");
    turns("They gave it up.", "gave", "They give it up.");
    turns("I gave it up.", "gave", "I give it up.");
    turns("I was late.", "was", "I am late.");
    turns(
        "The boys slowly walked home.",
        "walked",
        "The boys slowly walk home.",
    );
    turns(
        "The man with two dogs walked home.",
        "walked",
        "The man with two dogs walks home.",
    );
    turns(
        "The boy, resting his eyes upon the pearls, drank.",
        "drank",
        "The boy, resting his eyes upon the pearls, drinks.",
    );
    turns(
        "Tom and Mary walked home.",
        "walked",
        "Tom and Mary walk home.",
    );
    turns(
        "He took the hat and Tom laughed.",
        "laughed",
        "He took the hat and Tom laughs.",
    );
    turns(
        "They sat down and laughed.",
        "laughed",
        "They sat down and laugh.",
    );
    turns(
        "The women who had left sang.",
        "had",
        "The women who have left sang.",
    );
    turns(
        "All those who came sang.",
        "came",
        "All those who come sang.",
    );
}

#[test]
fn a_subject_after_its_verb_is_found() {
    turns("Did they go home?", "Did", "Do they go home?");
    turns("“No,” said the boys.", "said", "“No,” say the boys.");
    turns("“No,” said Tom.", "said", "“No,” says Tom.");
    turns("There came three men.", "came", "There come three men.");
    turns(
        "On the hill stood three men.",
        "stood",
        "On the hill stand three men.",
    );
}

#[test]
fn a_place_without_a_word_has_no_subject_and_no_change() {
    assert_eq!(flip_at("", &[], 3), None);
    assert_eq!(subject("", &[], 3), Subject::Third);
}

#[track_caller]
fn stays(text: &str, written: &str) {
    assert_eq!(turned(text, written), None, "{text}");
}

#[test]
fn a_subjunctive_were_has_no_other_tense() {
    stays("He spoke as if he were a king.", "were");
    stays("I would go if I were you.", "were");
    stays("She laughed as though it were nothing.", "were");
    stays("He acted as if the king were dead.", "were");
    stays("I wish the house were bigger.", "were");
    stays("Were I rich, I would go.", "Were");
    turns(
        "If they were late, we left.",
        "were",
        "If they are late, we left.",
    );
    turns("You were late.", "were", "You are late.");
    turns("He and she were late.", "were", "He and she are late.");
    turns("The men were late.", "were", "The men are late.");
}

#[test]
fn used_to_and_need_not_have_no_other_tense() {
    stays("He used to live here.", "used");
    stays("You need not go.", "need");
    turns("He used a knife.", "used", "He uses a knife.");
    turns("They need a knife.", "need", "They needed a knife.");
}
