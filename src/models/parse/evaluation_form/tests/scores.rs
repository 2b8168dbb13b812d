//! Scores: which shapes count, which do not, and which of several places decides.

use super::*;

#[test]
fn every_supported_shape_is_read() {
    for reply in [
        "FINAL Fluency Score: 3.5",
        "4) FINAL Fluency Score: 3.5",
        "4. FINAL Fluency Score: 3.5  \n",
        "-> 2) FINAL Fluency Score: 3.5",
        "### FINAL Fluency Score: 3.5",
        "**FINAL Fluency Score: 3.5**",
        "**FINAL Fluency Score:** 3.5",
        "**FINAL Fluency Score**: 3.5",
        "FINAL Fluency Score: **3.5**",
        "4) **FINAL Fluency Score**: **3.5**",
        "4. **FINAL Fluency Score:** **3.5**",
        "**4) FINAL Fluency Score:** 3.5",
        "FINAL **Fluency** Score: 3.5",
        "__FINAL Fluency Score:__ 3.5",
        "final fluency SCORE : 3.5",
        "FINAL\r\nFluency \t Score:\n\n3.5",
        "FINAL Fluency Score:\u{a0}3.5",
        "FINAL Fluency Score: [3.5]",
        "4) FINAL Fluency Score: [ 3.5 ]",
        "FINAL Fluency Score: **[3.5]**",
        "FINAL Fluency Score: 3.5 (between 1 and 5)",
        "FINAL Fluency Score: 3.5/5",
        "FINAL Fluency Score: 3.5 out of 5",
        "FINAL Fluency Score: 3,5",
        "FINAL OVERALL Fluency Score: 3.5",
        "Fluency Score: 3.5",
        "* Fluency: 3.5",
        "**Fluency:** 3.5",
        "-Fluency: 3.5",
        "Fluency: [3.5]",
        "Rating: Coherence: 2, Fluency: 3.5",
        "Score for FLUENCY: 3.5",
        "My view (Fluency: 3.5) is firm.",
    ] {
        assert_eq!(fluency(reply), Some(3.5), "{reply:?}");
    }
}

#[test]
fn shapes_outside_the_rule_are_unscored() {
    for reply in [
        "**FINAL Fluency Score:** [4]",
        "**FINAL Fluency Score**: [4]",
        "**FINAL Fluency Score: [4]**",
        "**3) FINAL Fluency Score: [4]**",
        "**Fluency**: [4]",
        "Rating: 4",
        "Fluency Rating: 4",
        "Fluency - 4",
        "Fluency (4)",
        "Fluency (4/5): good",
        "| Fluency | 4 |",
        "The fluency score is 4",
        "FINAL Fluency Score: [SCORE]",
        "FINAL Fluency Score: **",
        "disfluency: 4",
        "Fluency: 4th chapter drags",
        "Fluency: 3D scenes",
        "Fluency: 1.2.3",
        "FINAL Coherence Score: 4",
    ] {
        assert_eq!(
            why(reply, Finish::Stop),
            Some(Reason::NoScoreFound),
            "{reply:?}"
        );
    }
}

#[test]
fn a_list_below_a_label_is_no_score() {
    assert_eq!(fluency("**Fluency:**\n1. **Long sentences**: many"), None);
    let reply = "3) FINAL Fluency Score:\n4) FINAL Coherence Score: 2";
    assert_eq!(fluency(reply), None);
    assert_eq!(form(reply).readings[1].outcome, Outcome::Scored(2.0));
    assert_eq!(
        fluency("FINAL Fluency Score: 4) FINAL Coherence Score: 2"),
        None
    );
    assert_eq!(fluency("FINAL Fluency Score: 4) and so on"), Some(4.0));
}

#[test]
fn the_strongest_label_decides_wherever_it_stands() {
    let reply = "Fluency: 1. Then Fluency Score: 2, but FINAL Fluency Score: 3.";
    assert_eq!(fluency(reply), Some(3.0));
    // A weaker label right below may say what the score has become.
    let reply = "FINAL Fluency Score: [3]\nFluency Score: 2\nFluency: 1";
    assert_eq!(fluency(reply), None);
    assert_eq!(fluency("Fluency: 1\nFluency Score: 2"), Some(2.0));
}

#[test]
fn of_final_scores_that_differ_none_counts_unless_the_last_is_presented_as_the_final_one() {
    let blocks = |between: &str| {
        format!(
            "FINAL Fluency Score: 4.5\nFINAL Coherence Score: 3\n{between}\n4) FINAL Fluency Score: 4\nFINAL Coherence Score: 3.0"
        )
    };
    for between in [
        "",
        "Once more:",
        "The plot is thin.",
        "Fluency Issues: none",
    ] {
        let form = form(&blocks(between));
        assert_eq!(form.readings[0].outcome.score(), None, "{between}");
        assert!(form.readings[0].contradicted, "{between}");
        assert_eq!(form.readings[1].outcome, Outcome::Scored(3.0));
        assert!(!form.readings[1].contradicted, "{between}");
    }
    for between in [
        "# Final scores",
        "**Final verdict:**",
        "Revised after a second reading:",
        "On reflection I was too lenient.",
        "became",
        "Wait, that was too much.",
    ] {
        let form = form(&blocks(between));
        assert_eq!(form.readings[0].outcome.score(), Some(4.0), "{between}");
        assert!(form.readings[0].contradicted, "{between}");
        assert_eq!(form.readings[1].outcome.score(), Some(3.0), "{between}");
    }
}

#[test]
fn the_first_of_several_final_scores_counts_where_that_is_wanted() {
    let reader = Reader::new(Parser::EvaluationForm, &["fluency".to_owned()]).unwrap();
    let reader = reader.with_finals(Finals::First);
    let reply = "FINAL Fluency Score: 4.5\nFINAL Fluency Score: 4";
    let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
    assert_eq!(form.readings[0].outcome.score(), Some(4.5));
    assert!(form.readings[0].contradicted);
}

#[test]
fn a_number_off_the_scale_is_named() {
    for found in ["0", "6", "-1", "5.5", "10/10", "4/10", "80%", "9 out of 10"] {
        let reply = format!("FINAL Fluency Score: {found}\nfine");
        let expected = Some(Reason::OffScale(found.to_owned()));
        assert_eq!(why(&reply, Finish::Stop), expected);
    }
}

#[test]
fn the_scale_says_whether_quarter_points_count() {
    let read = |scale: &Scale| {
        let form = read("FINAL Fluency Score: 4.25", Finish::Stop, &metrics(), scale);
        form.unwrap().readings.swap_remove(0).outcome
    };
    assert_eq!(read(&Scale::ANY_1_TO_5), Outcome::Scored(4.25));
    let off = Outcome::Unscored(Reason::OffScale("4.25".to_owned()));
    assert_eq!(read(&Scale::HALF_POINTS_1_TO_5), off);
}

#[test]
fn several_numbers_in_one_place_are_ambiguous() {
    for found in ["3-4", "3–4", "3 or 4", "3 to 4"] {
        let reply = format!("FINAL Fluency Score: {found}");
        let words = vec![found.to_owned()];
        assert_eq!(why(&reply, Finish::Stop), Some(Reason::Ambiguous(words)));
    }
}

#[test]
fn thoughts_are_not_the_answer() {
    let reply = "<think>FINAL Fluency Score: 1</think>\nFluency: 4";
    assert_eq!(fluency(reply), Some(4.0));
    for reply in [
        "<think>FINAL Fluency Score: 1",
        "FINAL Fluency Score: 1</think>",
    ] {
        assert_eq!(why(reply, Finish::Stop), Some(Reason::ThinkNotClosed));
        assert_eq!(why(reply, Finish::Length), Some(Reason::ThinkNotClosed));
    }
    // What was said may be taken back.
    let reply = "<think>a</think>FINAL Fluency Score: 2<think>FINAL Fluency Score: 5";
    assert_eq!(why(reply, Finish::Stop), Some(Reason::ThinkNotClosed));
}

#[test]
fn a_cut_reply_is_scored_if_the_score_came_first() {
    let cut = "FINAL Fluency Score: 4\nFINAL Coh";
    let form = read(cut, Finish::Length, &metrics(), &Scale::ANY_1_TO_5).unwrap();
    assert_eq!(form.readings[0].outcome, Outcome::Scored(4.0));
    let expected = Outcome::Unscored(Reason::CutByLength);
    assert_eq!(form.readings[1].outcome, expected);
}

#[test]
fn a_blank_reply_is_no_reply() {
    for (finish, reason) in [
        (Finish::Stop, Reason::NoReply),
        (Finish::Unknown, Reason::NoReply),
        // All tokens went into thoughts that the server kept to itself.
        (Finish::Length, Reason::CutByLength),
    ] {
        assert_eq!(why("", finish), Some(reason.clone()));
        assert_eq!(why(" \r\n\t", finish), Some(reason));
    }
    let silent = "<think>hm</think>\n";
    assert_eq!(why(silent, Finish::Stop), Some(Reason::NoReply));
    assert_eq!(why(silent, Finish::Length), Some(Reason::CutByLength));
    assert_eq!(
        why("Please send the text.", Finish::Unknown),
        Some(Reason::NoScoreFound)
    );
}

#[test]
fn the_span_covers_label_and_number() {
    let reply = "é\n4) **FINAL Fluency Score**: **3.5** (fine)";
    let span = form(reply).readings[0].span.clone().unwrap();
    assert_eq!(&reply[span], "FINAL Fluency Score**: **3.5");
    assert_eq!(form("nothing").readings[0].span, None);
}

#[test]
fn metrics_may_have_any_name() {
    let metrics: Vec<String> = [
        "quality",
        "overall quality",
        "C++ style",
        "Flüssigkeit",
        "non-redundancy",
    ]
    .map(str::to_owned)
    .to_vec();
    let reply = "Overall Quality: 2\nQuality Score: 3\nC++ style: 4\nFLÜSSIGKEIT: 5\nFINAL Non-Redundancy Score: 1";
    let form = read(reply, Finish::Stop, &metrics, &Scale::ANY_1_TO_5).unwrap();
    let scores: Vec<_> = form.readings.iter().map(|r| r.outcome.score()).collect();
    assert_eq!(scores, [3.0, 2.0, 4.0, 5.0, 1.0].map(Some));
    let snake = ["overall_quality".to_owned()];
    let form = read(
        "overall quality: 2",
        Finish::Stop,
        &snake,
        &Scale::ANY_1_TO_5,
    )
    .unwrap();
    assert_eq!(form.readings[0].outcome, Outcome::Scored(2.0));
}

#[test]
fn names_that_cannot_be_told_apart_are_refused() {
    let new = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        Reader::new(Parser::EvaluationForm, &names).err()
    };
    assert_eq!(
        new(&["fluency", " * "]),
        Some(MetricError::Blank(" * ".to_owned()))
    );
    let twice = MetricError::Twice("a b".to_owned(), "A_B".to_owned());
    assert_eq!(new(&["a b", "A_B"]), Some(twice));
    let long = "x".repeat(101);
    assert_eq!(new(&[&long]), Some(MetricError::TooLong(long.clone())));
    assert_eq!(new(&[]), None);
    let many: Vec<_> = (0..64).map(|i| "字".repeat(97) + &i.to_string()).collect();
    assert_eq!(Reader::new(Parser::EvaluationForm, &many).err(), None);
}
