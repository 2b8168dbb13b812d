use proptest::prelude::*;

use super::*;
use crate::models::parse::{Parser, Reader};
use crate::models::score::{Outcome, Reason, Scale};

fn shown(reply: &str) -> (String, bool) {
    read(reply, Finish::Stop, Thoughts::default())
}

fn read(reply: &str, finish: Finish, thoughts: Thoughts<'_>) -> (String, bool) {
    let found = visible(reply, finish, thoughts);
    let text = found.parts.into_iter().map(|part| &reply[part]).collect();
    (text, found.unclosed)
}

#[test]
fn a_reply_without_tags_is_all_answer() {
    for reply in [
        "all of it",
        "a < b > c, <3, <br>, <p>x</p>, List<u8>",
        "[GRAMMAR] [REASONING] [1] [think](link)",
        "\u{201c}quoted\u{201d} ◁ ▷",
        "analysis: fine",
        "Here is my response: fine",
        "<no_think>x",
        "x<|im_end|>",
        "```json\n{}\n```",
    ] {
        assert_eq!(shown(reply), (reply.to_owned(), false));
    }
}

#[test]
fn thoughts_are_left_out_wherever_they_stand() {
    let reply = "a<think>x</think>b<think>y</think>c";
    assert_eq!(shown(reply), ("abc".to_owned(), false));
}

#[test]
fn every_known_form_is_left_out() {
    for (open, close) in FORMS {
        let reply = format!("{open}x{close}a");
        assert_eq!(shown(&reply), ("a".to_owned(), false), "{reply}");
    }
}

#[test]
fn thoughts_within_thoughts_end_where_the_outer_ones_do() {
    for (reply, answer) in [
        ("<think>x<think>y</think>z</think>a", Some("a")),
        ("<think>x<reason>y</think>a", Some("a")),
        ("<think>x<think>y</think>a", None),
        ("<think>x</think>a</think>b", None),
        ("<think>x</thinking>a", None),
        ("<think>\"</think>\"x</think>a", None),
        ("```thinking\n```json\n{}\n```\nx\n```\na", Some("\na")),
        ("````think\n```\nx\n````\na", Some("\na")),
    ] {
        let expected = (answer.unwrap_or_default().to_owned(), answer.is_none());
        assert_eq!(shown(reply), expected, "{reply}");
    }
}

#[test]
fn with_only_one_tag_nothing_is_answer() {
    for reply in [
        "a <think> b",
        "a </think> b",
        "a <THINKING mode=\"x\"> b",
        "a ◁/think▷ b",
        "a [/THINK] b",
        "a <|END_THINKING|> b",
        "a <channel|> b",
        "a\n <!-- b",
        "<|channel|>analysis<|message|>a",
        "analysisSo a",
        "x assistantfinal a assistantfinal b",
    ] {
        assert_eq!(shown(reply), (String::new(), true), "{reply}");
    }
}

#[test]
fn thinking_that_is_reopened_hides_the_answer_before_it() {
    let reply = "<think>x</think>a<think>y";
    assert_eq!(shown(reply), (String::new(), true));
}

#[test]
fn of_several_channels_the_final_one_is_the_answer() {
    let turn = |channel: &str, text: &str| {
        format!("<|start|>assistant<|channel|>{channel}<|message|>{text}<|end|>")
    };
    for (reply, answer) in [
        (turn("analysis", "x") + &turn("final", "a"), Some("a")),
        (
            turn("final", "a") + &turn("commentary", "x") + &turn("final", "b"),
            Some("ab"),
        ),
        (turn("final <|constrain|>json", "{}"), Some("{}")),
        (turn("analysis", "x"), None),
        (
            turn("final", "a") + "<|start|>assistant<|channel|>analysis<|message|>x",
            None,
        ),
        ("x<|end|>".to_owned() + &turn("final", "a"), Some("a")),
    ] {
        let expected = (answer.unwrap_or_default().to_owned(), answer.is_none());
        assert_eq!(shown(&reply), expected, "{reply}");
    }
}

#[test]
fn where_the_prompt_opens_the_tag_the_answer_stands_behind_the_closing_one() {
    let thoughts = Thoughts {
        tag: "why",
        opened: true,
    };
    for (reply, answer) in [
        ("t</why>\n\na", Some("\n\na")),
        ("</why>a", Some("a")),
        ("t</WHY >a", Some("a")),
        ("t</why>", Some("")),
        // The tag is named in thoughts, or thinking is opened again.
        ("t <why> t</why>a", Some("a")),
        ("t</why>a<why>t</why>b", Some("ab")),
        ("t</why>a<why>t", None),
        // Which of them ends the thoughts cannot be told.
        ("t</why>a</why>b", None),
        ("t<why>t", None),
        // The model opened them itself all the same.
        ("\n<why>t</why>a", Some("\na")),
        ("<why>t", None),
        // Another tag.
        ("t</think>a", None),
        ("<think>t</think>a", Some("a")),
    ] {
        let expected = (answer.unwrap_or_default().to_owned(), answer.is_none());
        assert_eq!(read(reply, Finish::Stop, thoughts), expected, "{reply}");
    }
}

#[test]
fn a_reply_that_never_closes_what_the_prompt_opened_is_an_answer_only_if_it_finished() {
    let thoughts = Thoughts {
        opened: true,
        ..Thoughts::default()
    };
    let all = ("Score: 4".to_owned(), false);
    assert_eq!(read("Score: 4", Finish::Stop, thoughts), all);
    for finish in [Finish::Length, Finish::Unknown] {
        let nothing = (String::new(), true);
        assert_eq!(read("Score: 4", finish, thoughts), nothing);
    }
    // Where nothing is opened, cut replies are read as far as they go.
    assert_eq!(read("Score: 4", Finish::Length, Thoughts::default()), all);
}

#[test]
fn a_verdict_in_an_unknown_tag_is_ambiguous_unless_the_rest_agrees() {
    let two =
        |one: &str, other: &str| Some(Reason::Ambiguous(vec![one.to_owned(), other.to_owned()]));
    let one = |one: &str| Some(Reason::Ambiguous(vec![one.to_owned()]));
    for (reply, reason) in [
        ("<foo>Fluency: 2</foo>\nFluency: 4", two("<foo> 2", "4")),
        (
            "Fluency: 4\n<Foo x=\"1\">Fluency: 2</Foo>",
            two("<Foo> 2", "4"),
        ),
        ("Fluency: 2</foo>\nFluency: 4", two("<foo> 2", "4")),
        ("[FOO]Fluency: 2[/FOO]\nFluency: 4", two("<FOO> 2", "4")),
        ("<foo>Fluency: 4</foo>", one("<foo> 4")),
        ("<foo>Fluency: 9</foo>\nFluency: 4", two("<foo> 9", "4")),
        ("<foo>Fluency: 4</foo>\nFluency: 4", None),
        ("<foo>It flows.</foo>\nFluency: 4", None),
        ("<foo>\nFluency: 4", None),
        ("Fluency: 4</foo>", None),
        ("<fluency>Fluency: 4</fluency>", None),
        ("<s>Fluency: 4</s>", None),
        ("<answer><b>Fluency: 4</b></answer>", None),
    ] {
        let reader = Reader::new(Parser::EvaluationForm, &["fluency".to_owned()]).unwrap();
        let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
        let outcome = &form.readings[0].outcome;
        let expected = reason.map_or(Outcome::Scored(4.0), Outcome::Unscored);
        assert_eq!(*outcome, expected, "{reply}");
    }
}

/// A begin and an end of every way to mark thoughts.
const FORMS: [(&str, &str); 23] = [
    ("<think>", "</think>"),
    ("<THINK depth=\"2\">", "</ Think >"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reason>", "</reason>"),
    ("<analysis>", "</analysis>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<reflection>", "<\\/reflection>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("[REASONING]", "[/REASONING]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<!--", "-->"),
    ("<details type=\"reasoning\">", "</details>"),
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    ("analysis", "assistantfinal"),
];

/// Texts without anything that could be a part of a tag.
fn plain() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "FINAL Fluency Score: ",
        "Fluency: ",
        "2",
        "3.5",
        "\n",
        " ",
        "good",
        "{\"fluency\": 3}",
        "**",
        "/5",
        "- ",
        "é",
    ]);
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

fn outcomes(reply: &str) -> Vec<Outcome> {
    let metrics = ["fluency".to_owned()];
    [Parser::EvaluationForm, Parser::Json, Parser::Likert]
        .map(|parser| {
            let reader = Reader::new(parser, &metrics).unwrap();
            let mut form =
                reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
            form.readings.remove(0).outcome
        })
        .into()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn thoughts_before_a_reply_never_change_its_score(
        form in prop::sample::select(FORMS.to_vec()), thought in plain(), reply in plain()
    ) {
        let score = |reply: &str| outcomes(reply).iter().map(Outcome::score).collect::<Vec<_>>();
        let thinking = format!("{}x{thought}{}{reply}", form.0, form.1);
        prop_assert_eq!(score(&thinking), score(&reply), "{}", thinking);
    }

    #[test]
    fn thoughts_alone_never_score(form in prop::sample::select(FORMS.to_vec()), thought in plain()) {
        let closed = format!("{}x{thought}{}", form.0, form.1);
        // One bracket alone may be the label of an issue.
        let open = (form.0 != "[REASONING]").then(|| format!("{}x{thought}", form.0));
        for reply in [Some(closed), open].into_iter().flatten() {
            prop_assert!(outcomes(&reply).iter().all(|outcome| outcome.score().is_none()), "{}", reply);
        }
    }

    #[test]
    fn parts_lie_in_the_reply_in_order(pieces in prop::collection::vec(prop::sample::select(vec![
        "<think>", "</think>", "<foo>", "</foo>", "<|channel|>", "final", "<|message|>", "[/B]", "[B]", "◁think▷", "◁", "<",
        ">", "<!--", "-->", "```", "```think\n", "\n", "assistantfinal", "<details>", "</details>", "é", "<|", "|>", "x",
        "Thinking...", "...done thinking.",
    ]), 0..24)) {
        let reply = pieces.concat();
        let found = visible(&reply, Finish::Stop, Thoughts::default());
        let mut at = 0;
        for part in &found.parts {
            prop_assert!(part.start >= at && part.end > part.start && reply.get(part.clone()).is_some());
            at = part.end;
        }
        prop_assert!(!found.unclosed || found.parts.is_empty());
        for outcome in outcomes(&reply) {
            prop_assert_eq!(outcome.score(), None);
        }
    }
}
