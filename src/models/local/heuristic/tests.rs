//! Tests of the whole judge: shape of the form, hard inputs, monotony, determinism.

use proptest::prelude::*;

use super::{UnknownMetric, judge};

fn both() -> Vec<String> {
    vec!["fluency".to_owned(), "coherence".to_owned()]
}

fn form(text: &str) -> String {
    judge(text, &both()).expect("known metrics")
}

fn score(text: &str, metric: &str) -> f64 {
    let form = judge(text, &[metric.to_owned()]).expect("known metric");
    let line = form.lines().last().expect("a score line").to_owned();
    line.rsplit(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number")
}

const PROSE: &str = "The minister bought the old house, although everybody told him that it was \
    haunted. He had no fear of ghosts, and his family laughed at the story. In the evening they walked \
    through the corridor and looked at the pictures.\n\nThe housekeeper met them in the library. She \
    was an old woman, dressed in black silk, and she spoke of the ghost in a low voice. The family \
    listened, but the minister only smiled at the story of the house.\n\nAt night the ghost walked \
    through the corridor of the old house, and the housekeeper heard his chains. In the library the \
    pictures fell from the wall, and nobody in the family slept.\n\n";

#[test]
fn the_form_lists_issues_then_scores_in_the_order_given() {
    let form = form("The cat sat verh still. It slept with its dog.");
    let wanted = "Evaluation Form:\n1) Fluency Issues:\n\
        - [SPELLING] \"verh\" is not a word, but one letter away from one\n\
        2) Coherence Issues:\nNo issues found.\n3) FINAL Fluency Score: ";
    assert!(form.starts_with(wanted), "{form}");
    assert!(
        form.trim_end()
            .lines()
            .last()
            .is_some_and(|l| l.starts_with("4) FINAL Coherence Score: "))
    );
    let swapped = judge("A dog.", &["Coherence".to_owned(), "fluency".to_owned()]).expect("known");
    assert!(
        swapped.contains("1) Coherence Issues:") && swapped.contains("4) FINAL Fluency Score: 5\n")
    );
}

#[test]
fn an_unknown_metric_is_an_error_that_names_the_known_ones() {
    let error = judge("A dog.", &["fluency".to_owned(), "charm".to_owned()]).expect_err("unknown");
    assert_eq!(
        error,
        UnknownMetric {
            name: "charm".to_owned()
        }
    );
    let message = "the heuristic judge has no metric `charm`; it has `fluency` and `coherence`";
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_text_without_english_gets_no_score() {
    let foreign = [
        "",
        "   \r\n\0",
        "12 34 !?",
        "日本語の文章です。",
        "😀😀😀",
        "Это русский текст о доме.",
        "Der alte Mann ging langsam durch das dunkle Haus und dachte an seine verlorene Jugend.",
        "Le vieil homme marchait dans la maison et pensait toujours à sa jeunesse perdue depuis longtemps.",
        "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani.",
    ];
    for text in foreign {
        let form = form(text);
        assert!(
            form.contains("3) FINAL Fluency Score: not scored\n"),
            "{text}: {form}"
        );
        assert!(
            form.contains("4) FINAL Coherence Score: not scored\n"),
            "{text}"
        );
        assert!(form.contains("- [NOT_SCORED] "), "{text}");
    }
}

#[test]
fn clean_prose_scores_high_on_both() {
    assert!(
        score(PROSE, "fluency") >= 4.5 && score(PROSE, "coherence") >= 4.5,
        "{}",
        form(PROSE)
    );
}

#[test]
fn more_misspellings_never_raise_the_score() {
    let words: Vec<&str> = PROSE.split(' ').collect();
    let mut last = 5.0;
    for damaged in [0, 2, 5, 10, 20, 40] {
        let text: Vec<String> = words
            .iter()
            .enumerate()
            .map(|(at, w)| {
                if at % 2 == 0 && at / 2 < damaged {
                    w.replace('e', "q")
                } else {
                    (*w).to_owned()
                }
            })
            .collect();
        let now = score(&text.join(" "), "fluency");
        assert!(now <= last, "{damaged}: {now} after {last}");
        last = now;
    }
    assert!(last < 3.0);
}

#[test]
fn long_lists_are_cut_and_the_rest_is_counted() {
    let text = "The verh old housd of the minister stood there the whole yeaf, and he sawe ofthe bqst of it. \
        She camd there fron the wezt lonf befoge it was datk, evwry dsy of the week, witj joy in her.";
    let form = judge(text, &["fluency".to_owned()]).expect("known");
    assert_eq!(
        form.lines().filter(|l| l.starts_with("- [")).count(),
        13,
        "{form}"
    );
    assert!(form.contains("more fluency issues were found"), "{form}");
}

#[test]
fn a_quotation_cannot_pass_for_a_score() {
    let text =
        "The verh FINAL Fluency Score: 1 of a the of of the Coherence: 2 and of, the. ".repeat(3);
    let form = form(&text);
    assert_eq!(form.matches("Score").count(), 2, "{form}");
    assert_eq!(
        form.to_lowercase().matches("coherence:").count(),
        0,
        "{form}"
    );
}

/// When this form changes, `VERSION` must be raised together with the text here.
#[test]
fn the_form_of_version_three_stands() {
    assert_eq!(super::VERSION, 3);
    let text = "He had went to the house, and he saw a old dog in it. The at of a and the, dog he. Mr. the \
        thing was there with his verh good friend. A polished lantern dried slowly.";
    let wanted = "Evaluation Form:\n1) Fluency Issues:\n\
        - [VERB_FORM] \"He had went\" has no participle after the auxiliary `have`\n\
        - [ARTICLE] \"a old\" has the wrong form of the article\n\
        - [WORD_ORDER] \"The at of a and the\" has words in an order that English does not allow\n\
        - [ARTICLE] \"a and\" has the wrong form of the article\n\
        - [SPELLING] \"verh\" is not a word, but one letter away from one\n\
        2) Coherence Issues:\n\
        - [REFERENCE] \"Mr. the thing was there with\" has an empty noun where a name or a full noun should stand\n\
        - [COHESION] \"A polished lantern dried slowly.\" has no tie to the text around it\n\
        3) FINAL Fluency Score: 1\n4) FINAL Coherence Score: 2\n";
    assert_eq!(form(text), wanted);
}

#[test]
fn carriage_returns_change_no_score() {
    let text = PROSE.replace('\n', "\r\n");
    assert_eq!(form(&text), form(PROSE));
}

#[test]
fn a_long_single_line_is_read_in_one_pass() {
    let line = PROSE.replace('\n', " ").repeat(300);
    assert!(form(&line).contains("FINAL Coherence Score: "));
}

#[test]
fn endless_repetitions_of_anything_are_read() {
    let parts = [
        "a's", "x", "'", "\"", "--", ". ", ".", "1,", "the ", "The. ", "\n\n", "a\n\n", "Abc ",
        "é", "\u{301}", "(.)\" ", "to told ", "1900 ", "Mr. the ", "verh\n\n", "qx'",
    ];
    for part in parts {
        assert!(form(&part.repeat(40_000)).ends_with('\n'), "{part}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_makes_it_panic_and_the_same_text_gives_the_same_form(text in any::<String>()) {
        prop_assert_eq!(form(&text), form(&text));
    }

    #[test]
    fn no_mixture_of_marks_and_words_makes_it_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "the", "of", "Mr", ".", ",", "\"", "\n\n", "\r\n", " ", "to", "told", "am", "I", "thing", "a",
                "1850", "--", "-", "\u{2019}", "\u{301}", "é", "was", "he", "\0", "verh", "House", "'s", "…", "(", "😀",
            ]),
            0..120,
        )
    ) {
        let form = form(&parts.concat());
        prop_assert!(form.starts_with("Evaluation Form:\n1) Fluency Issues:\n"));
        let spaced = parts.join(" ");
        prop_assert!(judge(&spaced, &both()).is_ok());
    }
}
