//! Issues: headings, bullets, labels, and what is no issue.

use super::*;

/// Metric, label and text of each issue of a reply.
fn issues(reply: &str) -> Vec<(String, String, String)> {
    let form = form(reply);
    for issue in &form.issues {
        assert!(
            reply
                .get(issue.span.clone())
                .is_some_and(|span| !span.is_empty())
        );
    }
    let part = |issue: Issue| {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        (or_dash(issue.metric), or_dash(issue.label), issue.text)
    };
    form.issues.into_iter().map(part).collect()
}

/// The same in one line per issue.
fn lines(reply: &str) -> Vec<String> {
    let line = |(metric, label, text)| format!("{metric}|{label}|{text}");
    issues(reply).into_iter().map(line).collect()
}

#[test]
fn a_plain_form_is_read() {
    let reply = "Evaluation Form:\n1) Fluency Issues: \n- [GRAMMAR] wrong tense\n* [SPELLING] teh\n2) Coherence Issues:\n- [LOGIC] gap\n3) FINAL Coherence Score: 3\n4) FINAL Fluency Score: 4\n- [STYLE] late";
    assert_eq!(
        lines(reply),
        [
            "fluency|GRAMMAR|wrong tense",
            "fluency|SPELLING|teh",
            "coherence|LOGIC|gap",
            "-|STYLE|late"
        ]
    );
}

#[test]
fn headings_come_in_many_shapes() {
    for heading in [
        "Fluency Issues:",
        "1. Fluency Issues:",
        "1) **Fluency Issues**:",
        "**1) Fluency Issues:**",
        "**Fluency Issues:**",
        "### **Fluency Issues**",
        "#### FLUENCY ISSUES:",
        "### **Fluency Issues (Score: 2/5)**",
        "Fluency issues",
        "Issues affecting fluency:",
        "**Issues Affecting Fluency:**",
        "The main issues with fluency are:",
        "As for fluency, the text has the following issues:",
        "Issues:\n**Fluency:**",
        "Issues:\n#### Fluency (3/5)",
    ] {
        let reply = format!("{heading}\n- a slip\n");
        assert_eq!(lines(&reply), ["fluency|-|a slip"], "{heading}");
    }
}

#[test]
fn a_heading_without_a_metric_gives_issues_without_one() {
    assert_eq!(lines("-> 1) Issues:\n[LOGIC] a gap"), ["-|LOGIC|a gap"]);
    assert_eq!(
        lines("Issues: [LOGIC] a gap; [PLOT] thin."),
        ["-|LOGIC|a gap", "-|PLOT|thin."]
    );
    assert_eq!(
        lines("Issues:\n- [COHERENCE] a gap"),
        ["coherence|COHERENCE|a gap"]
    );
}

#[test]
fn labels_come_in_many_shapes() {
    for bullet in [
        "- [LOGIC] a gap",
        "* **[LOGIC]** a gap",
        "* **[LOGIC]**: a gap",
        "1. [LOGIC] – a gap",
        "2) **[LOGIC]** - a gap",
        "   - [LOGIC] a gap",
        "[LOGIC] - a gap",
        "• [LOGIC]: a gap",
        "-[LOGIC] a gap",
        "**[LOGIC]**  \n   a gap",
        "- [LOGIC]\n  - a gap",
    ] {
        let reply = format!("Coherence Issues:\n{bullet}\n\nFINAL Coherence Score: 3");
        assert_eq!(lines(&reply), ["coherence|LOGIC|a gap"], "{bullet}");
    }
}

#[test]
fn a_bullet_with_several_labels_makes_an_issue_of_each() {
    for bullet in [
        "- [LOGIC], [PLOT] a gap",
        "- **[LOGIC][PLOT]**: a gap",
        "- [LOGIC] and [PLOT] a gap",
    ] {
        let reply = format!("Coherence Issues:\n{bullet}");
        assert_eq!(
            lines(&reply),
            ["coherence|LOGIC|a gap", "coherence|PLOT|a gap"],
            "{bullet}"
        );
    }
}

#[test]
fn a_form_on_one_line_is_read() {
    let reply = "1) Fluency Issues: - [GRAMMAR] tense - [SPELLING] teh 2) Coherence Issues: - [LOGIC] gap 3) FINAL Coherence Score: 3 4) FINAL Fluency Score: 4";
    assert_eq!(
        lines(reply),
        [
            "fluency|GRAMMAR|tense",
            "fluency|SPELLING|teh",
            "coherence|LOGIC|gap"
        ]
    );
    assert_eq!(fluency(reply), Some(4.0));
}

#[test]
fn nothing_to_report_is_no_issue() {
    for nothing in [
        "None",
        "- None.",
        "- [None]",
        "- **None**",
        "- [None detected]",
        "* None significant",
        "No issues found.",
        "- [SPELLING] No major errors",
        "-",
        "- [SPELLING] \"a\" should be \"a\" (no issue)",
        "n/a",
    ] {
        let reply = format!("1) Fluency Issues:\n{nothing}\n2) FINAL Fluency Score: 5");
        assert_eq!(lines(&reply), Vec::<String>::new(), "{nothing}");
    }
    assert!(issues("Fluency Issues: None\nCoherence Issues: - [None]").is_empty());
    assert_eq!(
        lines("Coherence Issues:\n- No clear ending"),
        ["coherence|-|No clear ending"]
    );
}

#[test]
fn repetitions_are_kept() {
    let reply = format!("Fluency Issues:\n{}", "- [REPEAT] again\n".repeat(500));
    assert_eq!(issues(&reply).len(), 500);
}

#[test]
fn indented_lines_and_remarks_belong_to_the_issue_above() {
    let reply = "Coherence Issues:\n1. **[LOGIC]** a gap\n   *Impact:* big\n\n   - Comment: odd\n2. plain\n   goes on\n\nThis paragraph ends the list.\n- not an issue";
    assert_eq!(
        lines(reply),
        [
            "coherence|LOGIC|a gap *Impact:* big Comment: odd",
            "coherence|-|plain goes on"
        ]
    );
}

#[test]
fn bullets_under_other_headings_are_no_issues() {
    assert!(issues("### Strengths\n- vivid\n\n**Summary**\n- short").is_empty());
    let reply = "Fluency Issues:\n- a slip\n### Strengths\n- vivid\nScores:\n- high";
    assert_eq!(lines(reply), ["fluency|-|a slip"]);
    assert!(issues("Given these issues, I rate the text as follows:\n- well").is_empty());
}

#[test]
fn an_issue_may_begin_with_the_word_final() {
    let reply = "Coherence Issues:\n- Final chapter is abrupt\n- more";
    assert_eq!(issues(reply).len(), 2);
}

#[test]
fn a_paragraph_right_below_a_heading_is_an_issue() {
    let reply = "Fluency Issues:\nThe tenses are mixed.\n\nAll in all good.";
    assert_eq!(lines(reply), ["fluency|-|The tenses are mixed."]);
}

#[test]
fn thoughts_hold_no_issues() {
    assert!(issues("<think>Fluency Issues:\n- [GRAMMAR] x</think> fine").is_empty());
}

#[test]
fn the_span_of_an_issue_covers_label_and_text() {
    let reply = "Fluency Issues:\r\n- **[GRAMMAR]** é  wrong \r\n";
    let issue = form(reply).issues.remove(0);
    assert_eq!(&reply[issue.span], "[GRAMMAR]** é  wrong");
    assert_eq!(issue.text, "é wrong");
}

/// Metric, label and text of each issue, where fluency alone is asked for.
fn of_fluency(reply: &str) -> Vec<String> {
    let metrics = ["fluency".to_owned()];
    let form = read(reply, Finish::Stop, &metrics, &Scale::ANY_1_TO_5).unwrap();
    let line = |issue: Issue| {
        let [metric, label] =
            [issue.metric, issue.label].map(|part| part.unwrap_or_else(|| "-".to_owned()));
        format!("{metric}|{label}|{}", issue.text)
    };
    form.issues.into_iter().map(line).collect()
}

#[test]
fn issues_and_scores_of_a_metric_that_is_not_asked_for_are_dropped() {
    for (reply, found) in [
        (
            "1) Fluency Issues:\n- none\n2) Coherence Issues:\n- [LOGIC] the rain\n3) FINAL Coherence Score: 3.5\n4) FINAL Fluency Score: 5",
            &[][..],
        ),
        (
            "1) Coherence Issues:\n- [LOGIC] the rain\n- too long\n2) Fluency Issues:\n- [GRAMMAR] tense\n3) FINAL Coherence Score: 3\n4) FINAL Fluency Score: 5",
            &["fluency|GRAMMAR|tense"],
        ),
        (
            "1) Fluency Issues: - [GRAMMAR] tense 2) Coherence Issues: - [LOGIC] the rain hurts fluency 3) FINAL Coherence Score: 3 4) FINAL Fluency Score: 4",
            &["fluency|GRAMMAR|tense"],
        ),
        (
            "### Fluency Issues\n- [GRAMMAR] tense\n\n### **Overall Quality Issues**\n**Key issues:**\n- [LOGIC] the rain\n\nThat is much.\n- [PLOT] thin",
            &["fluency|GRAMMAR|tense"],
        ),
        (
            "**Fluency Issues:**\n- [GRAMMAR] tense\n**Coherence Issues:** None\n**Fluency Score: 4**\n- Coherence Score: 3\n- [STYLE] late",
            &["fluency|GRAMMAR|tense", "-|STYLE|late"],
        ),
        (
            "Fluency Issues:\n- [GRAMMAR] tense\n- Coherence: 3.5/5\n- **Syntax**: [4]\n- [LEXICON] odd\nFluency: 4",
            &["fluency|GRAMMAR|tense", "fluency|LEXICON|odd"],
        ),
    ] {
        assert_eq!(of_fluency(reply), found, "{reply}");
    }
}

#[test]
fn a_heading_within_the_issues_of_a_metric_does_not_end_them() {
    for parting in [
        "Grammar issues:",
        "**Grammar Issues:**",
        "   1. Sentence structure issues:",
        "Main issues:",
    ] {
        let reply =
            format!("1) Fluency Issues:\n{parting}\n- [GRAMMAR] tense\n2) FINAL Fluency Score: 4");
        let found = of_fluency(&reply);
        assert!(
            found.iter().any(|issue| issue.ends_with("|GRAMMAR|tense")),
            "{parting}: {found:?}"
        );
    }
    assert_eq!(
        of_fluency(
            "Fluency Issues:\n- Word choice issues: some are odd\n- Final chapter is abrupt\n- in line 3: 2 slips"
        ),
        [
            "fluency|-|Word choice issues: some are odd",
            "fluency|-|Final chapter is abrupt",
            "fluency|-|in line 3: 2 slips"
        ]
    );
}
