//! Shapes that look like others: a scale written down again, sums, bounds, counts.

use super::*;

/// The outcomes of replies that are not as expected.
fn wrong<'r>(cases: &[(&'r str, Option<f64>)]) -> Vec<(&'r str, Outcome)> {
    let all = cases
        .iter()
        .map(|(reply, score)| (*reply, one(reply), *score));
    all.filter(|(_, outcome, expected)| outcome.score() != *expected)
        .map(|(reply, outcome, _)| (reply, outcome))
        .collect()
}

#[test]
fn a_scale_that_is_written_down_again_is_no_score() {
    let cases = [
        ("5 - Excellent\n4 - Good\n3 - Fair\n\nThis is Good.", None),
        (
            "1: bad\n2: weak\n3: fair\n4: good\n5: great\nMy pick: 4",
            Some(4.0),
        ),
        ("1 = poor, 5 = excellent\n\n3", Some(3.0)),
        ("1=poor 2=weak 3=fair\n\n3", Some(3.0)),
        ("1 (poor) to 5 (excellent)\n\nScore: 3", Some(3.0)),
        ("1 - poor\n3 - fair\n5 - good", None),
        ("- 1: bad\n\n- 5: great\n\nIt is great.", None),
        ("1 (bad)\n5 (great)\n**4**", Some(4.0)),
        ("It is good.\n3 - fair\n4 - good", None),
        ("1-2: bad\n3-4: good\nIt is bad.", None),
        ("four: good\nfive: great\nIt is good.", None),
        ("Score: 1 = poor, 5 = excellent\n\n3", Some(3.0)),
        // One mark alone is the judge's.
        ("4 - good\nIt reads well.", Some(4.0)),
        ("4 - good\n\n1. It reads well.", Some(4.0)),
        ("4 - good\n2 slips only.", Some(4.0)),
        ("4 - good (1 is bad, 5 is great)", Some(4.0)),
        ("Score: 4 - good (1 - poor, 5 - great)", Some(4.0)),
        ("4, because sentence 2 - the long one - is weak", Some(4.0)),
        ("4 - good\n4", Some(4.0)),
    ];
    assert_eq!(wrong(&cases), []);
}

#[test]
fn what_is_reckoned_or_replaced_is_no_score() {
    let cases = [
        ("Score: 5 - 1 = 4", None),
        ("Score = 5 - 1 = 4", None),
        ("5 - 1 = 4", None),
        ("Score: 5 - 1", None),
        ("Score: 5 – **1**.", None),
        ("Score: 5 − 0.5 − 0.5", None),
        ("Score: 2 × 2", None),
        ("Score: 3 → 4", None),
        ("Score: **3** → **4**", None),
        ("Score: 3 -> 4", None),
        ("Score: 3->4", None),
        ("Score: 3 => 4", None),
        ("3 → 4", None),
        ("Fluency: 3 → 4", None),
        ("[[3 → 4]]", None),
        ("I give it a 3 → 4.", None),
        ("Score: 3 - 4", None),
        ("Score: 3 ~ 4", None),
        ("Score: 3...4", None),
        ("Score: 3…4", None),
        ("３～４", None),
        ("Score → 4", Some(4.0)),
        ("Score: 4 - 2 slips were found", Some(4.0)),
        ("4 - 2 slips", Some(4.0)),
        ("4 = good", Some(4.0)),
        ("Score: 4 = good", Some(4.0)),
        ("Score: 4...", Some(4.0)),
        // It may be taken off.
        ("Score: 4\n- 1", None),
        ("Score: 4\n→ good", Some(4.0)),
    ];
    assert_eq!(wrong(&cases), []);
}

#[test]
fn a_bound_is_no_score() {
    let cases = [
        ("Score: <3", None),
        ("Score: < 3", None),
        ("Score: >3", None),
        ("Score: ≤3", None),
        ("Score: ≥ 3", None),
        ("Score: ~3", None),
        ("Score < 3", None),
        ("<3", None),
        ("~3", None),
        ("Score: <4>", Some(4.0)),
        ("Score: [<4>]", Some(4.0)),
        ("Quality: <3/5", None),
        ("Quality: ≥ 3/5", None),
        ("<b>4/5</b>", Some(4.0)),
        ("So -> 4/5", Some(4.0)),
        ("No more than 2 out of 5", None),
        ("At most 2/5.", None),
        ("It is less than a 4/5.", None),
        ("Up to 4/5.", None),
        ("It is not a 4/5.", None),
        ("I would not give it a 4/5.", None),
        ("To give it a 5/5, I would need more.", None),
        ("I would give it no more than a 2.", None),
        ("I'd give it at most a 3.", None),
        ("It does not deserve a score of 4.", None),
        ("It is below a score of 4.", None),
        ("It could get a 5 with better flow.", None),
        ("It is not perfect, but 4/5.", Some(4.0)),
        ("It is not a 5 but a 4/5.", Some(4.0)),
        ("On a scale of 1 to 5, 4/5.", Some(4.0)),
        ("Without doubt a score of 4.", Some(4.0)),
    ];
    assert_eq!(wrong(&cases), []);
}

#[test]
fn points_that_a_text_earns_are_its_score_unless_they_count_something() {
    let cases = [
        ("It earns 4 points.", Some(4.0)),
        ("The text deserves **4** stars!", Some(4.0)),
        ("It gets four points", Some(4.0)),
        ("It receives 4 points out of 5.", Some(4.0)),
        ("It earns 2 points for style and 2 for flow.", None),
        ("It gets 3 points across.", None),
        ("It gets 4 readers.", None),
        ("It never earns 4 points.", None),
        ("It would need to earn 5 points.", None),
        ("It earns no more than 3 points.", None),
    ];
    assert_eq!(wrong(&cases), []);
}

#[test]
fn further_labels_are_known() {
    let cases = [
        ("Total: 4", Some(4.0)),
        ("It reads well.\n**Total**: 4/5", Some(4.0)),
        ("Total = 4", Some(4.0)),
        ("Total score: 4", Some(4.0)),
        ("Grammar: 2\nStyle: 2\nTotal: 4", None),
        ("Total: 4 slips", None),
        ("Error total: 4", None),
        ("The total is 4.", None),
        ("In total 4", None),
        ("New score: 4", Some(4.0)),
        ("Old score: 3. Revised score: 4", Some(4.0)),
        ("My pick: 4", Some(4.0)),
        ("Choice: 4", Some(4.0)),
        ("Decision: 4", Some(4.0)),
        ("评分：4", Some(4.0)),
        ("得分: 4", Some(4.0)),
        ("**评分**：**4/5**", Some(4.0)),
        ("文本流畅。\n评分：４．０", Some(4.0)),
        ("分數：4，因為很好", Some(4.0)),
        ("评分：3\n最终评分：4", Some(4.0)),
        ("连贯性评分：4", None),
        ("他得分4次", None),
    ];
    assert_eq!(wrong(&cases), []);
}

#[test]
fn digits_of_full_width_count_as_others() {
    let cases = [
        ("４", Some(4.0)),
        ("Score： ３．５／５", Some(3.5)),
        ("[[４]]", Some(4.0)),
        ("I give it a ４.", Some(4.0)),
        ("４ out of ５", Some(4.0)),
        ("4．5", Some(4.5)),
        ("４th", None),
    ];
    assert_eq!(wrong(&cases), []);
    assert_eq!(one("Score: ４／１０"), off_scale("４／１０"));
    assert_eq!(one("４％"), off_scale("４％"));
    assert_eq!(one("３ or ４"), ambiguous(&["３ or ４"]));
    let reply = "é４字. Score: ４, so";
    let form = read(&["fluency"], reply, Finish::Stop, &Scale::ANY_1_TO_5);
    let span = form.readings[0].span.clone().unwrap();
    assert_eq!(&reply[span], "Score: ４");
    // `４` may have become `４．５`.
    let cut = |scale: Scale| {
        let form = read(&["fluency"], "４", Finish::Length, &scale);
        form.readings[0].outcome.score()
    };
    assert_eq!(cut(Scale::HALF_POINTS_1_TO_5), None);
    assert_eq!(cut(Scale::new(1.0, 5.0, 1.0).unwrap()), Some(4.0));
}

#[test]
fn a_sign_before_a_number_belongs_to_it() {
    let scale = Scale::new(-2.0, 2.0, 1.0).unwrap();
    for (reply, score) in [
        ("I give it a -1.", Some(-1.0)),
        ("I give it a \u{2212}1.", Some(-1.0)),
        ("I give it a +1.", Some(1.0)),
        ("I give it a 1.", Some(1.0)),
        ("Score: -1", Some(-1.0)),
    ] {
        let form = read(&["fluency"], reply, Finish::Stop, &scale);
        assert_eq!(form.readings[0].outcome.score(), score, "{reply}");
    }
}
