//! What is read of lists of verdicts, and of which element.

use crate::base::fixture::cpu_time;
use crate::models::parse::{Finish, ItemPlace, Items, Parser, Reader, Thoughts};
use crate::models::score::{Reason, Scale};

/// The items of a reply on yes and no.
fn items(reply: &str, finish: Finish) -> Items {
    let reader = Reader::new(Parser::Items, &["met".to_owned()]).unwrap();
    let form = reader.read(reply, finish, &Scale::yes_or_no(), Thoughts::default());
    form.items.unwrap()
}

/// The labels of so many elements, or why there are none.
fn read(reply: &str, elements: usize) -> Vec<String> {
    let items = items(reply, Finish::Stop);
    match items.places(elements, None) {
        Err(why) => vec![why.map_or("none".to_owned(), |why| why.code().to_owned()); elements],
        Ok(places) => places
            .into_iter()
            .map(|place| match place {
                ItemPlace::Nowhere(why) => why.code().to_owned(),
                ItemPlace::At(at) => {
                    let reading = &items.list[at].readings[0];
                    let why = || reading.outcome.reason().unwrap().code().to_owned();
                    reading.label.clone().unwrap_or_else(why)
                }
            })
            .collect(),
    }
}

#[test]
fn verdicts_are_those_of_their_numbers() {
    for (reply, read_as) in [
        ("1. yes\n3. no", "yes no-item no"),
        ("{\"3\": \"no\", \"1\": \"yes\"}", "yes no-item no"),
        ("0. yes\n1. no\n2. no", "yes no no"),
        (
            "1. yes\n2. no\n3. no\n4. no",
            "misaligned misaligned misaligned",
        ),
        ("1. yes\n2. no\n2. no", "misaligned misaligned misaligned"),
        ("2. yes\n1. no\n3. no", "misaligned misaligned misaligned"),
        ("yes\nno", "misaligned misaligned misaligned"),
        ("[\"yes\", \"no\"]", "misaligned misaligned misaligned"),
        ("I cannot say.", "none none none"),
    ] {
        assert_eq!(read(reply, 3).join(" "), read_as, "{reply}");
    }
}

#[test]
fn ids_of_elements_go_before_numbers_and_order() {
    let ids = ["b", "a", "c"].map(|id| Some(id.to_owned()));
    let places = |reply: &str| items(reply, Finish::Stop).places(3, Some(("key", &ids)));
    let reply = r#"[{"key": "a", "verdict": "yes"}, {"key": "b", "verdict": "no"}]"#;
    let nowhere = || ItemPlace::Nowhere(Reason::NoItem);
    let expected = vec![ItemPlace::At(1), ItemPlace::At(0), nowhere()];
    assert_eq!(places(reply), Ok(expected));
    assert_eq!(
        places(r#"{"c": "yes", "b": "no"}"#),
        Ok(vec![ItemPlace::At(1), nowhere(), ItemPlace::At(0)])
    );
    let strange = places(r#"[{"key": "x", "verdict": "yes"}]"#);
    assert_eq!(strange.unwrap_err().unwrap().code(), "misaligned");
    // Numbers instead of ids are places.
    let numbers = places("1. yes\n2. no").unwrap();
    assert_eq!(numbers, [ItemPlace::At(0), ItemPlace::At(1), nowhere()]);
}

#[test]
fn numbers_that_may_be_ids_or_places_are_neither() {
    let ids = ["7", "3", "9"].map(|id| Some(id.to_owned()));
    let read = |reply: &str| items(reply, Finish::Stop).places(3, Some(("key", &ids)));
    assert!(read("1. yes\n2. no\n3. yes").is_err());
    assert!(read("7. yes\n3. no\n9. yes").is_ok());
}

#[test]
fn a_reply_that_is_cut_lacks_what_follows() {
    let items = items("1. yes\n2. n", Finish::Length);
    let places = items.places(3, None).unwrap();
    assert_eq!(places[2], ItemPlace::Nowhere(Reason::CutByLength));
    assert_eq!(items.list[1].readings[0].outcome.score(), None);
}

#[test]
fn long_replies_are_read_in_time() {
    let start = cpu_time();
    for part in [
        "1. yes ",
        "1. yes\n",
        "1. yes\n\n",
        "- yes\nno\n",
        "I swapped ",
        "the second deserves a no. ",
        "1. yes\nI take back the no.\n",
        "1 = fully ",
        "[{\"1\": \"yes\"}, ",
    ] {
        for numbers in [false, true] {
            let part = if numbers {
                part.replace("yes", "4")
            } else {
                part.to_owned()
            };
            let reply = part.repeat(100_000 / part.len());
            let _ = items(&reply, Finish::Stop);
            let reader = Reader::new(Parser::Items, &["met".to_owned()]).unwrap();
            let _ = reader.read(
                &reply,
                Finish::Stop,
                &Scale::ANY_1_TO_5,
                Thoughts::default(),
            );
        }
    }
    assert!(cpu_time().saturating_sub(start).as_secs() < 60);
}
