//! Which shapes hold a score, which do not, and which of several places decides.

use super::*;

#[test]
fn every_supported_shape_is_read() {
    let wrong = [
        // the number alone
        "4",
        " 4\r\n",
        "4.",
        "4.0",
        "4,0",
        "**4**",
        "*4*.",
        "`4`",
        "\"4\"",
        "[4]",
        "(4)",
        "$4$",
        "# 4",
        "- 4",
        "4!",
        "4/5",
        "4 / 5.",
        "4 out of 5",
        "4 of 5",
        "4 (out of 5)",
        "4 stars",
        "```\n4\n```",
        "<think>1</think>4",
        // with what it means
        "4 - good",
        "4 – good",
        "4: good",
        "**4** - good",
        "4 (good)",
        "4, because it reads well",
        // first or last line
        "4\n\nThe text reads well, with 3 slips.",
        "The text reads well, with 3 slips.\n\n4",
        "4 - good\nIt reads well.",
        "It reads well.\n**4/5**",
        // in marks
        "[[4]]",
        "I think [[ 4 ]] fits.",
        "Thus \\boxed{4}.",
        "$\\boxed{\\text{4}}$",
        "<score>4</score>",
        "<rating> 4/5 </rating>",
        "<final_answer>**4**</final_answer> and <score>x</score>",
        "<fluency>4</fluency>",
        // behind labels
        "Score: 4",
        "score:4",
        "**Score:** 4",
        "**Score**: **4**",
        "Score = 4",
        "Score - 4",
        "Score 4",
        "Score: [4]",
        "Score: \"4\"",
        "Score:\n4",
        "Score (1-5): 4",
        "Score (1-5) - 4/5",
        "Score on a scale of 1 to 5: 4",
        "Rating: 4/5",
        "Rating: 4 - good",
        "Rating: 4 (out of 5)",
        "Overall rating: 4",
        "Likert score: 4",
        "My rating is 4.",
        "Grade → 4",
        "- Score: 4\n- Why: 2 slips",
        "It reads well. Score: 4 The rest is fine.",
        "The answer is 4",
        "The answer is: 4",
        "So the answer would be **4**.",
        "This merits a score of 4.",
        "a rating of 4 out of 5 stars",
        "Fluency: 4",
        "fluency - 4",
        "Fluency 4/5",
        "Fluency score: 4",
        "**Fluency** (1-5): 4",
        "The fluency is 4.",
        "| Fluency | 4 |",
        "FINAL Fluency Score: 4",
        // in sentences
        "I would give this a 4.",
        "I would give this text a solid 4 out of 5.",
        "I'd rate it 4",
        "I rate the fluency of the text as **4**, since it has 2 slips.",
        "Written in 1984 and 3 pages long, it deserves a \"4\" overall.",
        "It has 3 slips, but earns a 4 because it flows.",
        "On a scale of 1 to 5, I would say 4.",
        "It gets a 4/5 for its flow.",
        "All in all, 4/5.",
        // in words
        "four",
        "Four.",
        "**Four**",
        "Score: four",
        "Four out of five",
        "I would give this a four.",
    ]
    .map(|reply| (reply, one(reply)))
    .into_iter()
    .filter(|(_, outcome)| *outcome != Outcome::Scored(4.0))
    .collect::<Vec<_>>();
    assert_eq!(wrong, []);
}

#[test]
fn what_is_no_score_is_not_taken_for_one() {
    let wrong = [
        "The text is fluent.",
        "It was written in 1984.",
        "I like this.\n1984",
        "It has 3 slips.",
        "It has 3",
        "See chapter 4.",
        "4. The text reads well.",
        "4) The text reads well.",
        "1. It reads well.\n2. It has slips.",
        "4th",
        "4-page text",
        "4:30 is when it starts",
        "4+",
        "4 slips",
        "Score: 4 slips were found",
        "Score: N/A",
        "Score:",
        "Score (1-5)",
        "Score: 1-5",
        "Scores: good",
        "Coherence score: 4",
        "Readability rating: 4",
        "Underscore: 4",
        "éscore: 4",
        "they négive it a 4.",
        "Fluency: 3 typos in the text",
        "Disfluency: 4",
        "I would give 3 reasons.",
        "I would not give it a 4.",
        "I can't give this a 4.",
        "To give it a 4, I would need more.",
        "She says \"I give it a 4.\"",
        "> I give it a 4.",
        "He wrote “all in all, 4/5.”",
        "3/4 of the text is fine.",
        "on 4/5/2020",
        "4/5 of the text is fine.",
        "4 out of 5 times it fails.",
        "give it this one.",
        "The answer is one of style.",
        "fourteen",
        "<score>4",
    ]
    .map(|reply| (reply, one(reply)))
    .into_iter()
    .filter(|(_, outcome)| outcome.score().is_some())
    .collect::<Vec<_>>();
    assert_eq!(wrong, []);
    assert_eq!(one("one"), Outcome::Scored(1.0));
    for half in ["4½", "4 ½", "4 1/2", "4 and a half", "four and a half"] {
        assert_eq!(one(half), Outcome::Scored(4.5), "{half}");
    }
}

#[test]
fn a_number_off_the_scale_is_named() {
    for (reply, found) in [
        ("0", "0"),
        ("6", "6"),
        ("-1", "-1"),
        ("1984", "1984"),
        ("4/10", "4/10"),
        ("8 out of 10", "8 out of 10"),
        ("80%", "80%"),
        ("Score: 85", "85"),
        ("Score: 4/10", "4/10"),
        ("Score: 4 (out of 10)", "4 (out of 10)"),
        ("Rating: 2023", "2023"),
        ("I would give this a 7.", "7"),
        ("I would give this 8 out of 10.", "8 out of 10"),
        ("It reads well.\n\n7", "7"),
        ("six", "six"),
        ("[[0]]", "0"),
    ] {
        assert_eq!(one(reply), off_scale(found), "{reply}");
    }
}

#[test]
fn different_numbers_with_no_rule_to_prefer_one_are_ambiguous() {
    for (reply, found) in [
        ("3-4", &["3-4"][..]),
        ("3 or 4", &["3 or 4"]),
        ("Score: 3 to 4", &["3 to 4"]),
        ("3\n4", &["3", "4"]),
        ("Score: 3\nScore: 4", &["3", "4"]),
        ("[[3]] or rather [[4]]", &["3", "4"]),
        (
            "I give it a 3. No, I give it a 4.",
            &["3. No, I give it a 4.", "4"],
        ),
        ("I give it a 3.\n4", &["3.", "4"]),
        ("Fluency: 3. Fluency: 4. Fluency: 3.", &["3", "4"]),
    ] {
        let Outcome::Unscored(Reason::Ambiguous(mut offered)) = one(reply) else {
            panic!("{reply}: {:?}", one(reply));
        };
        offered.sort();
        assert_eq!(offered, names(found), "{reply}");
    }
    assert_eq!(one("4\n\nA good text, 4/5.\n**4**"), Outcome::Scored(4.0));
    assert_eq!(one("Score: 4\nRating: 4.0"), Outcome::Scored(4.0));
}

#[test]
fn the_strongest_place_decides_and_weaker_ones_may_contradict_it() {
    for (reply, contradicted) in [
        ("Score: 4", false),
        ("Score: 4. I give it a 4.", false),
        ("Score: 3\nFluency: 4", true),
        ("Fluency: 3\nFinal score: 4", true),
        ("Final score: 3\nFINAL fluency score: 4", true),
        ("FINAL fluency score: 3\n[[4]]", true),
        ("Score: 3\nScore: 2\nFinal answer: 4", true),
        ("Score: four. I give it a four.", false),
    ] {
        let form = read(&["fluency"], reply, Finish::Stop, &Scale::ANY_1_TO_5);
        let reading = &form.readings[0];
        let expected = (&Outcome::Scored(4.0), contradicted);
        assert_eq!(
            (&reading.outcome, reading.contradicted),
            expected,
            "{reply}"
        );
    }
    // What a later sentence says of the score may have changed it.
    assert_eq!(one("Score: 4.\nI give it a 3.").score(), None);
    // Words count only where no number does.
    assert_eq!(one("Score: four\n3"), Outcome::Scored(3.0));
}

#[test]
fn with_several_metrics_each_needs_its_name() {
    let both = [Outcome::Scored(4.0), Outcome::Scored(2.5)];
    for reply in [
        "Fluency: 4\nCoherence: 2.5",
        "- **Fluency**: 4/5\n- **Coherence**: 2.5/5",
        "1. Fluency: 4\n2. Coherence: 2.5",
        "Fluency - 4\nCoherence - 2.5",
        "Fluency = 4, Coherence = 2,5",
        "Fluency 4, coherence 2.5.",
        "fluency 4/5 and coherence 2.5/5",
        "| Metric | Score |\n|---|---|\n| Coherence | 2.5 |\n| Fluency | 4 |",
        "Fluency score: 4. Coherence score: 2.5.",
        "The fluency is 4, the coherence is 2.5.",
        "5\nScore: 1\nFluency: 4\nCoherence: 2.5",
        "Fluency (1-5): 4\nCoherence (1-5): 2.5",
        "<fluency>4</fluency><coherence>2.5</coherence>",
        "Fluency: 1\nCoherence: 2.5\nFINAL Fluency Score: 4",
    ] {
        assert_eq!(two(reply), both, "{reply}");
    }
    for reply in [
        "4",
        "Score: 4",
        "[[4]]",
        "I give it a 4.",
        "4/5",
        "four",
        "Fluency and coherence",
    ] {
        assert_eq!(two(reply), [unscored(), unscored()], "{reply}");
    }
    let reply = "Fluency: 3 or 4\nCoherence: 6";
    assert_eq!(two(reply), [ambiguous(&["3 or 4"]), off_scale("6")]);
    assert_eq!(
        two("Fluency: four\nCoherence: two"),
        [4.0, 2.0].map(Outcome::Scored)
    );
}

#[test]
fn number_words_count_on_short_scales_only() {
    let ten = Scale::new(1.0, 10.0, 1.0).unwrap();
    let eleven = Scale::new(0.0, 11.0, 1.0).unwrap();
    let score = |scale| {
        read(&["fluency"], "Ten", Finish::Stop, scale).readings[0]
            .outcome
            .score()
    };
    assert_eq!(score(&ten), Some(10.0));
    assert_eq!(score(&eleven), None);
}

#[test]
fn the_last_number_of_a_cut_reply_counts_if_it_cannot_go_on() {
    let whole = Scale::new(1.0, 5.0, 1.0).unwrap();
    let ten = Scale::new(1.0, 10.0, 1.0).unwrap();
    let (halves, any) = (Scale::HALF_POINTS_1_TO_5, Scale::ANY_1_TO_5);
    for (reply, scale, score) in [
        ("4", &whole, Some(4.0)),
        ("Score: 4", &whole, Some(4.0)),
        ("4", &halves, None),
        ("4.5", &halves, Some(4.5)),
        ("4,5", &halves, Some(4.5)),
        ("4.5", &any, None),
        ("1", &ten, None),
        ("2", &ten, Some(2.0)),
        ("10", &ten, Some(10.0)),
        ("4\n", &any, Some(4.0)),
        ("4, sin", &any, Some(4.0)),
        ("Score: 4. It rea", &halves, Some(4.0)),
        ("four", &whole, Some(4.0)),
        ("four", &halves, None),
        ("4/5", &whole, Some(4.0)),
        ("4/1", &ten, None),
        ("The text is", &whole, None),
    ] {
        let outcome = read(&["fluency"], reply, Finish::Length, scale)
            .readings
            .remove(0)
            .outcome;
        let expected = score.map_or(Outcome::Unscored(Reason::CutByLength), Outcome::Scored);
        assert_eq!(outcome, expected, "{reply:?} on {scale:?}");
        let outcome = read(&["fluency"], reply, Finish::Stop, scale)
            .readings
            .remove(0)
            .outcome;
        let scored = !["The text is", "4/1"].contains(&reply);
        assert_eq!(outcome.score().is_some(), scored, "{reply:?}");
    }
}

#[test]
fn thoughts_are_not_the_answer() {
    let why = |reply: &str, finish| {
        let mut form = read(&["fluency"], reply, finish, &Scale::ANY_1_TO_5);
        form.readings.remove(0).outcome
    };
    for reply in ["<think>Score: 1", "Score: 1</think>"] {
        assert_eq!(
            why(reply, Finish::Length),
            Outcome::Unscored(Reason::ThinkNotClosed)
        );
    }
    assert_eq!(why(" \n", Finish::Stop), Outcome::Unscored(Reason::NoReply));
    assert_eq!(
        why("<think>1</think>\n", Finish::Stop),
        Outcome::Unscored(Reason::NoReply)
    );
    assert_eq!(
        one("<think>Score: 1</think>\nIt reads well.\n4"),
        Outcome::Scored(4.0)
    );
    let reader = Reader::new(Parser::Likert, &names(&["fluency"])).unwrap();
    let why = Thoughts {
        tag: "why",
        opened: false,
    };
    let form = reader.read("<why>1</why>4", Finish::Stop, &Scale::ANY_1_TO_5, why);
    assert_eq!(form.readings[0].outcome, Outcome::Scored(4.0));
}

#[test]
fn the_span_covers_label_and_number() {
    for (reply, span) in [
        ("é 4. **Score**: 3.5/5, so", "Score**: 3.5/5"),
        ("**3.5**", "3.5"),
        ("I give it a 3.5.", "3.5"),
        ("x [[3.5]]", "[[3.5"),
        ("Score: 3.5\nScore: 4", "Score: 3.5\nScore: 4"),
    ] {
        let form = read(&["fluency"], reply, Finish::Stop, &Scale::ANY_1_TO_5);
        assert_eq!(&reply[form.readings[0].span.clone().unwrap()], span);
        assert!(form.issues.is_empty());
    }
}

#[test]
fn the_sentences_on_one_side_of_a_verdict_are_its_explanation() {
    let why = Some("The text reads very well.");
    for (reply, said) in [
        ("4\n\nThe text reads very well.", why),
        ("Score: 4\nExplanation: The text reads very well.", why),
        ("The text reads very well.\n\n**Score: 4**", why),
        ("Reasoning: The text reads very well.\nScore: 4", why),
        (
            "Score: 4 - The text reads very well.",
            Some("The text reads very well"),
        ),
        ("4", None),
        ("4 - good", None),
        (
            "It reads well.\nScore: 4\nNothing is amiss here at all.",
            None,
        ),
        ("I would give this text a 4.", None),
    ] {
        let reader = Reader::new(Parser::Likert, &["fluency".to_owned()]).unwrap();
        let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
        assert_eq!(form.readings[0].outcome.score(), Some(4.0), "{reply}");
        assert_eq!(form.readings[0].explanation.as_deref(), said, "{reply}");
    }
}
