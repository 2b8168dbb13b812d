use proptest::prelude::*;

use super::*;

const ALL: Want = Want {
    sentences: true,
    words: true,
    entities: true,
};

const NOTHING: Want = Want {
    sentences: false,
    words: false,
    entities: false,
};

fn words(line: &str, text: &str) -> Result<Reply, ReplyError> {
    let want = Want {
        words: true,
        ..NOTHING
    };
    decode(line.as_bytes(), 0, text, want)
}

fn entities(line: &str, text: &str) -> Result<Reply, ReplyError> {
    let want = Want {
        entities: true,
        ..NOTHING
    };
    decode(line.as_bytes(), 0, text, want)
}

fn sentences(text: &str, start: usize, end: usize) -> Vec<String> {
    let want = Want {
        sentences: true,
        ..NOTHING
    };
    let line = format!("{{\"id\": 0, \"sentences\": [[{start}, {end}]]}}");
    let reply = decode(line.as_bytes(), 0, text, want).unwrap();
    let sentences = reply.annotations.sentences.into_iter();
    sentences.map(|span| span.of(text).to_owned()).collect()
}

/// The message without the document it is about.
fn problem(reply: Result<Reply, ReplyError>) -> String {
    let message = reply.unwrap_err().to_string();
    let start = "in the reply to the document with `id` 0, ";
    message.strip_prefix(start).unwrap().to_owned()
}

#[test]
fn places_that_count_characters_become_places_that_count_bytes() {
    let text = "Zoë sang 🎻 là.";
    let line = r#"{"id": 4, "sentences": [[0, 14]],
        "words": [[0, 3, "NNP"], [4, 8, "VBD"], [9, 10, "NFP"], [11, 13, "FW"], [13, 14, "."]],
        "entities": [[0, 3, "PERSON"]]}"#;
    let reply = decode(line.as_bytes(), 4, text, ALL).unwrap();
    let found: Vec<(&str, Tag)> = reply
        .annotations
        .words
        .iter()
        .map(|word| (word.span.of(text), word.tag))
        .collect();
    assert_eq!(
        found,
        [
            ("Zoë", Tag::Nnp),
            ("sang", Tag::Vbd),
            ("🎻", Tag::Punctuation),
            ("là", Tag::Other),
            (".", Tag::Punctuation),
        ]
    );
    assert_eq!(reply.annotations.sentences, [Span::whole(text)]);
    let span = Span::new(0, 4);
    let kind = EntityKind::Person;
    assert_eq!(reply.annotations.entities, [Entity { span, kind }]);
    assert!(reply.ignored.is_empty());
}

#[test]
fn labels_that_are_unknown_are_counted_and_those_of_other_things_are_not() {
    let line = r#"{"id": 0, "entities": [[0, 3, "PER"], [4, 7, "GPE"], [8, 11, "CARDINAL"], [12, 13, "person"]]}"#;
    let reply = entities(line, "one Ulm two x").unwrap();
    assert_eq!(reply.annotations.entities.len(), 1);
    let ignored: Vec<(&str, usize)> = reply
        .ignored
        .iter()
        .map(|(l, n)| (l.as_str(), *n))
        .collect();
    assert_eq!(ignored, [("PER", 1), ("person", 1)]);
}

#[test]
fn tags_of_other_tagsets_are_counted() {
    let line = r#"{"id": 0, "sentences": [[0, 8]], "words": [[0, 3, "NP0"], [4, 8, "VBD"], [8, 9, "PUN"], [9, 10, "_SP"]]}"#;
    let want = Want {
        words: true,
        ..Want::default()
    };
    let reply = decode(line.as_bytes(), 0, "Ann sang.\n", want);
    // A blank is no word, whatever its tag is.
    assert!(reply.is_err(), "{reply:?}");
    let line = line.replace(", [9, 10, \"_SP\"]", "");
    let reply = decode(line.as_bytes(), 0, "Ann sang.\n", want).unwrap();
    let foreign: Vec<&str> = reply.foreign.keys().map(String::as_str).collect();
    assert_eq!(foreign, ["NP0", "PUN"]);
}

#[test]
fn what_was_not_asked_for_is_not_read() {
    let line = r#"{"id": 0, "words": [[0, 3, "NN"]], "entities": [[9, 3, "GPE"]], "note": null}"#;
    let reply = words(line, "one").unwrap();
    assert_eq!(reply.annotations.words.len(), 1);
    assert!(reply.annotations.entities.is_empty());
}

#[test]
fn what_was_asked_for_must_be_there() {
    let message = problem(words(r#"{"id": 0, "entities": []}"#, "one"));
    assert_eq!(message, "`words` was asked for and is missing");
    assert!(words(r#"{"id": 0, "words": []}"#, "one").is_ok());
}

#[test]
fn a_reply_belongs_to_the_document_that_is_due() {
    let error = decode(br#"{"id": 2, "words": []}"#, 1, "one", NOTHING).unwrap_err();
    assert_eq!(
        error.to_string(),
        "in the reply to the document with `id` 1, `id` is 2: there must be one reply for each document, \
         in the order of the requests"
    );
}

#[test]
fn a_reply_without_an_id_is_unreadable() {
    let message = problem(words(r#"{"words": []}"#, "one"));
    assert_eq!(
        message,
        "the line `{\"words\": []}` cannot be read: missing field `id` at line 1 column 13"
    );
}

#[test]
fn a_place_outside_the_text_is_an_error() {
    let line = r#"{"id": 0, "words": [[0, 3, "NN"], [4, 9, "NN"]]}"#;
    assert_eq!(
        problem(words(line, "one twoé")),
        "`words[1]` (characters 4 to 9) lies outside the text, which has 8 characters: places count \
         characters (code points), not bytes"
    );
}

#[test]
fn a_stretch_that_is_empty_or_turned_round_is_an_error() {
    for (start, end) in [(1, 1), (2, 1)] {
        let line = format!("{{\"id\": 0, \"words\": [[{start}, {end}, \"NN\"]]}}");
        assert_eq!(
            problem(words(&line, "one")),
            format!(
                "`words[0]` (characters {start} to {end}) is empty: the end is the first character that no \
                 longer belongs to it"
            )
        );
    }
}

#[test]
fn an_overlap_is_an_error() {
    let line = r#"{"id": 0, "entities": [[0, 7, "GPE"], [4, 9, "CARDINAL"]]}"#;
    assert_eq!(
        problem(entities(line, "one two three")),
        "`entities[1]` (characters 4 to 9) starts before the one before it ends: entries must stand in the \
         order of the text, without overlap"
    );
}

#[test]
fn places_that_count_bytes_are_noticed_at_the_first_blank() {
    // The bytes of "sang" in a text where it is the second word and the first has an accent.
    let line = r#"{"id": 0, "words": [[0, 4, "NNP"], [5, 9, "VBD"]]}"#;
    assert_eq!(
        problem(words(line, "Zoë sang so.")),
        "`words[0]` (characters 0 to 4) starts or ends with a blank: leave blanks out, and count characters \
         (code points), not bytes"
    );
}

#[test]
fn negative_and_broken_numbers_are_unreadable() {
    for number in ["-1", "0.5", "\"0\"", "99999999999999999999999999"] {
        let line = format!("{{\"id\": 0, \"words\": [[{number}, 3, \"NN\"]]}}");
        let message = problem(words(&line, "one"));
        assert!(message.contains("cannot be read: invalid"), "{message}");
    }
}

#[test]
fn a_line_that_is_not_json_is_quoted_in_part() {
    let line = format!("Loading {}", "é".repeat(500));
    let message = problem(words(&line, "one"));
    assert!(message.starts_with("the line `Loading é"), "{message}");
    assert!(
        message.contains("…` cannot be read: expected value"),
        "{message}"
    );
    assert!(message.chars().count() < 200, "{message}");
    assert!(decode(b"\xff\xfe\n", 0, "one", NOTHING).is_err());
}

#[test]
fn sentences_lose_the_blanks_around_them() {
    assert_eq!(sentences("  One two. \n", 0, 12), ["One two."]);
    assert_eq!(sentences("One\ntwo.", 0, 8), ["One\ntwo."]);
    assert_eq!(sentences(" \n ", 0, 3), [""; 0]);
}

#[test]
fn sentences_end_at_blank_lines() {
    assert_eq!(
        sentences("CHAPTER ONE\r\n \r\n\r\nIt was\r\ndark.", 0, 31),
        ["CHAPTER ONE", "It was\r\ndark."]
    );
}

#[test]
fn the_declared_annotator_is_greeted() {
    let line = br#"{"annotator": "tagger 1.0", "protocol": 1, "gpu": false}"#;
    assert_eq!(check_greeting(line, "tagger 1.0"), Ok(()));
    assert_eq!(
        check_greeting(line, "tagger 1.1").unwrap_err().to_string(),
        "it calls itself `tagger 1.0`, and the spec declares `tagger 1.1`: install that version, or declare \
         this one (texts are then annotated anew)"
    );
    let line = br#"{"annotator": "tagger 1.0", "protocol": 2}"#;
    assert_eq!(
        check_greeting(line, "tagger 1.0").unwrap_err().to_string(),
        "it speaks protocol 2, and only 1 is understood here"
    );
}

#[test]
fn a_first_line_that_is_no_greeting_is_shown() {
    let error = check_greeting(b"Loading the model...\n", "tagger 1.0").unwrap_err();
    let message = error.to_string();
    assert!(
        message.ends_with("and is `Loading the model...` (expected value at line 1 column 1)"),
        "{message}"
    );
}

#[test]
fn a_long_text_without_breaks_takes_one_pass() {
    // Walking from the start for each word would take 4 * 10^10 steps: minutes.
    let text = "é".repeat(400_000);
    let places: Vec<String> = (0..400_000)
        .step_by(2)
        .map(|start| format!("[{start},{},\"NN\"]", start + 1))
        .collect();
    let line = format!("{{\"id\":0,\"words\":[{}]}}", places.join(","));
    let reply = words(&line, &text).unwrap();
    assert_eq!(reply.annotations.words.len(), 200_000);
    assert_eq!(
        reply.annotations.words[199_999].span,
        Span::new(799_996, 799_998)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn spans_survive_the_way_out_and_back(text in any::<String>(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let mut ends: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
        ends.push(text.len());
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| ends[cut.index(ends.len())]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let spans: Vec<Span> = cuts
            .chunks_exact(2)
            .map(|pair| Span::new(pair[0], pair[1]))
            .filter(|span| span.of(&text).trim().len() == span.len())
            .collect();
        let character = |byte: usize| text[..byte].chars().count();
        let written: Vec<(usize, usize, &str)> = spans
            .iter()
            .map(|span| (character(span.start), character(span.end), "NN"))
            .collect();
        let line = serde_json::json!({"id": 0, "words": written}).to_string();
        let found = words(&line, &text).unwrap().annotations.words;
        let found: Vec<Span> = found.iter().map(|word| word.span).collect();
        prop_assert_eq!(found, spans);
    }

    #[test]
    fn any_places_are_spans_of_the_text_or_an_error(
        text in "[a-zé🎻 \r\n]{0,30}",
        places in prop::collection::vec((0_usize..35, 0_usize..35), 0..6),
    ) {
        let words: Vec<(usize, usize, &str)> = places.iter().map(|&(a, b)| (a, b, "VB")).collect();
        let line = serde_json::json!({"id": 0, "sentences": places, "words": words}).to_string();
        let want = Want { entities: false, ..ALL };
        if let Ok(reply) = decode(line.as_bytes(), 0, &text, want) {
            let mut last = 0;
            for span in &reply.annotations.sentences {
                let sentence = &text[span.start..span.end];
                prop_assert!(last <= span.start && !sentence.is_empty());
                prop_assert_eq!(sentence.trim(), sentence);
                prop_assert!(!sentence.replace([' ', '\r'], "").contains("\n\n"));
                last = span.end;
            }
            prop_assert_eq!(reply.annotations.words.len(), places.len());
        }
    }
}
