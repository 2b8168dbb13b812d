//! What short replies choose. The replies are made up for these tests.

use crate::base::fixture::cpu_time;
use crate::models::parse::{Finish, Parser, Reader, Thoughts};
use crate::models::score::{Label, Outcome, Reason, Scale};

fn sides() -> Scale {
    let label = |name: &str, value: f64, alias: &str| Label {
        name: name.to_owned(),
        value,
        aliases: vec![alias.to_owned()],
    };
    let labels = vec![
        label("A", 1.0, "first"),
        label("B", 0.0, "second"),
        label("tie", 0.5, "both equally good"),
    ];
    Scale::of_labels(labels).unwrap()
}

fn outcome(reply: &str, scale: &Scale) -> Outcome {
    let reader = Reader::new(Parser::Choice, &["better".to_owned()]).unwrap();
    let mut form = reader.read(reply, Finish::Stop, scale, Thoughts::default());
    form.readings.remove(0).outcome
}

#[test]
fn a_choice_is_read_in_every_shape() {
    for (reply, score) in [
        ("A", 1.0),
        ("a", 1.0),
        ("b)", 0.0),
        ("**B**", 0.0),
        ("[[A]]", 1.0),
        ("Option A", 1.0),
        ("A. The first answer explains more.", 1.0),
        ("Choice: b", 0.0),
        ("Winner: **B**", 0.0),
        ("Final answer: \"A\"", 1.0),
        ("Better: first", 1.0),
        ("A wins.", 1.0),
        ("Answer B is better than answer A.", 0.0),
        ("The first is better because the second lies.", 1.0),
        ("I prefer A over B.", 1.0),
        ("I prefer B to A because it is shorter.", 0.0),
        ("The better answer is B.", 0.0),
        ("Is A better? Yes, A is better.", 1.0),
        ("It is not a tie; A is better.", 1.0),
        ("It's a tie.", 0.5),
        ("A is brief, B is exact. Therefore I choose B.", 0.0),
        ("Ich wähle B.", 0.0),
        ("La meilleure réponse est A.", 1.0),
        ("{\"winner\": \"A\"}", 1.0),
        ("{\"A\": 7, \"B\": 8, \"winner\": \"B\"}", 0.0),
        ("Answer A: good\nAnswer B: bad\nBetter: A", 1.0),
    ] {
        assert_eq!(outcome(reply, &sides()), Outcome::Scored(score), "{reply}");
    }
}

#[test]
fn what_is_discussed_denied_or_doubted_is_not_chosen() {
    for reply in [
        "I would not say A is better.",
        "A is not better than B.",
        "A is better than B in style, but B is better overall.",
        "If accuracy matters, A is better.",
        "Answer A is better written. Answer B is more accurate.",
        "Answer A is worse.",
        "A is better.\nB is better.",
        "Some people prefer A.",
        "The user asked whether A is better.",
        "[[A]] or [[B]]",
        "[[A]]\n[[B]]",
        "Response: A well-written answer.",
        "Answer: A lot of detail is missing.",
        "A: explains it well\nB: too short",
        "It could be a tie.",
        "I choose A or B.",
        "I choose between A and B.",
        "A=7, B=8",
        "Score A: 7\nScore B: 5",
        "{\"better\": \"neither\"}",
        "{\"better\": \"A and B\"}",
        "The answer is A if we value brevity, B otherwise.",
        "First, let us look at grammar.",
        "Second, B lacks sources.",
        "A\nB\nA",
        "Final answer: A/B",
        "Final answer: A & B",
        "Grade: A-",
        "Grade: B+",
        "Verdict: not B",
        "Verdict: anything but A",
        "Verdict: A? B?",
        "Verdict: A, no wait, B",
        "Verdict: A → B",
        "Verdict: mostly A",
        "Verdict: ~~A~~ B",
        "Do not write \"Verdict: A\".",
        "For example, \"Verdict: A\" would be a valid answer.",
        "Reviewer 2 said: Verdict: A",
        "Ground truth: A",
        "Human choice: A",
    ] {
        assert_eq!(outcome(reply, &sides()).score(), None, "{reply}");
    }
}

#[test]
fn yes_and_no_are_read_as_answers_and_not_as_words() {
    let scale = Scale::yes_or_no();
    for (reply, score) in [
        ("Yes", Some(1.0)),
        ("NO.", Some(0.0)),
        ("Yes! The text says so.", Some(1.0)),
        ("Yes, no errors were found.", None),
        ("No - the date is wrong.", Some(0.0)),
        ("I would say no, because the date is wrong.", Some(0.0)),
        ("{\"better\": true}", Some(1.0)),
        ("{\"answer\": \"Yes, the date is right\"}", Some(1.0)),
        ("No information is given. Answer: yes", Some(1.0)),
        ("Yes and no", None),
        ("Yes/No", None),
        ("No. Wait, yes.", None),
        ("No way to tell.", None),
        ("Answer: probably yes", None),
        ("Answer: not yes", None),
        ("Answer: no idea", None),
        ("If the date were right, the answer would be yes.", None),
        ("1. yes\n2. no", None),
        ("The statement is true.", None),
    ] {
        assert_eq!(outcome(reply, &scale).score(), score, "{reply}");
    }
}

#[test]
fn the_reason_says_what_stands_in_the_place_of_a_choice() {
    let ambiguous = |words: &[&str]| {
        let words = words.iter().map(|&words| words.to_owned());
        Reason::Ambiguous(words.collect())
    };
    for (reply, reason) in [
        ("Verdict: A or B", ambiguous(&["A or B"])),
        ("Verdict: not B", ambiguous(&["not B"])),
        ("Verdict: A\nVerdict: B", ambiguous(&["A", "B"])),
        ("Verdict: C", Reason::OffScale("C".to_owned())),
        ("Verdict: 1", Reason::OffScale("1".to_owned())),
        ("Both are good.", Reason::NoScoreFound),
    ] {
        assert_eq!(
            outcome(reply, &sides()),
            Outcome::Unscored(reason),
            "{reply}"
        );
    }
}

#[test]
fn long_replies_are_read_in_time() {
    let start = cpu_time();
    for part in [
        "A B ",
        "Answer A gets a B. ",
        "not\nA ",
        "A is better ",
        "I choose ",
        "\"A\" ",
        "[[A]] ",
        "Verdict: A\n",
        "Verdict: not ",
    ] {
        let reply = part.repeat(200_000 / part.len());
        let _ = outcome(&reply, &sides());
    }
    assert!(cpu_time().saturating_sub(start).as_secs() < 60);
}
