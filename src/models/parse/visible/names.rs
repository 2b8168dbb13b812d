//! What the name of a tag says: thoughts, an answer, plain markup, or nothing that is known.
//!
//! Must not look at what stands between tags.

/// Names of thoughts that do not end in one of [`THOUGHT_ENDS`]; compared without `_`, `-` and capitals.
const THOUGHTS: [&str; 12] = [
    "reason",
    "reasons",
    "reasoning",
    "analysis",
    "reflection",
    "reflections",
    "deliberation",
    "cot",
    "chainofthoughts",
    "cotbudgetreflect",
    "thinkingprocess",
    "reasoningprocess",
];

/// How names of thoughts end: also `antThinking`, `longcat_think`, `inner_monologue`, `chain-of-thought`.
const THOUGHT_ENDS: [&str; 6] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "monologue",
    "scratchpad",
];

/// Words of which the names of tags around answers are made: `final_answer`, `overall-score`, `ratings`.
const ANSWER_WORDS: [&str; 45] = [
    "answer",
    "answers",
    "aspect",
    "aspects",
    "assessment",
    "assistant",
    "box",
    "criteria",
    "criterion",
    "decision",
    "evaluation",
    "evaluations",
    "final",
    "form",
    "grade",
    "grades",
    "grading",
    "item",
    "judge",
    "judgement",
    "judgment",
    "json",
    "label",
    "mark",
    "marks",
    "metric",
    "metrics",
    "number",
    "output",
    "overall",
    "point",
    "points",
    "rating",
    "ratings",
    "reply",
    "response",
    "result",
    "results",
    "root",
    "score",
    "scores",
    "solution",
    "total",
    "value",
    "verdict",
];

/// HTML that says how a text looks and not what it means. Struck, quoted and folded text is not among it.
const MARKUP: [&str; 49] = [
    "a", "article", "b", "big", "body", "br", "caption", "center", "code", "col", "colgroup", "dd",
    "div", "dl", "dt", "em", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "head",
    "header", "hr", "html", "i", "kbd", "li", "main", "mark", "ol", "p", "pre", "section", "small",
    "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u", "ul",
];

/// Words of the tokens that chat templates put around turns: `<|im_end|>`, `<|end_of_text|>`.
const TURN_WORDS: [&str; 9] = [
    "im", "turn", "header", "id", "text", "sentence", "message", "eot", "of",
];

/// The words of a name, in small letters: `finalScore` and `final_score` have the same two.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if "_-.: \u{2581}".contains(c) || (small && c.is_uppercase()) {
            words.push(String::new());
        }
        small = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a tag of this name stands around thoughts. A namespace (`seed:think`) does not matter.
pub(super) fn is_thought(name: &str) -> bool {
    let name = name.rsplit(':').next().unwrap_or(name);
    let joined = words(name).concat();
    let known = THOUGHTS.contains(&&*joined);
    let ends = || THOUGHT_ENDS.iter().any(|end| joined.ends_with(end));
    let begins = || joined.starts_with("think") || joined.starts_with("thought");
    known || ((ends() || begins()) && !joined.starts_with("no"))
}

/// Whether thoughts are meant even where only one of two brackets is there: `[THINK]`, and not the label
/// `[REASONING]`.
pub(super) fn is_thought_in_brackets(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let letters = letters.flat_map(char::to_lowercase);
    THOUGHT_ENDS[..4]
        .iter()
        .any(|known| letters.clone().eq(known.chars()))
}

/// Whether a tag of this name is plain markup or stands around answers.
pub(super) fn is_plain(name: &str) -> bool {
    let markup = || MARKUP.iter().any(|known| known.eq_ignore_ascii_case(name));
    markup() || words(name).iter().all(|word| is_answer_word(word))
}

/// Whether a token of this name stands around turns or answers.
pub(super) fn is_plain_token(name: &str) -> bool {
    let known = |word: &String| is_answer_word(word) || TURN_WORDS.contains(&&**word);
    words(name).iter().all(known)
}

/// Whether a word of a name says that an answer follows; numbers tell several of them apart.
pub(super) fn is_answer_word(word: &str) -> bool {
    ANSWER_WORDS.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_thoughts_are_known_however_they_are_written() {
        for name in [
            "think",
            "THINK",
            "Thinking",
            "thoughts",
            "antThinking",
            "ant_thinking",
            "seed:think",
            "longcat_think",
            "think_fast",
            "inner_monologue",
            "inner-monologue",
            "innerMonologue",
            "scratch_pad",
            "chain_of_thought",
            "reasoning",
            "analysis",
        ] {
            assert!(is_thought(name), "{name}");
        }
        for name in [
            "no_think",
            "nothink",
            "answer",
            "reasonable",
            "reasoning_score",
            "p",
            "channel",
        ] {
            assert!(!is_thought(name), "{name}");
        }
    }

    #[test]
    fn names_of_answers_and_markup_are_plain() {
        for name in [
            "answer",
            "final_answer",
            "Overall-Score",
            "finalRating",
            "score_1",
            "TD",
            "h3",
            "evaluation_form",
        ] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "foo",
            "draft",
            "del",
            "s",
            "blockquote",
            "details",
            "text",
            "fluency",
        ] {
            assert!(!is_plain(name), "{name}");
        }
        assert!(is_plain_token("im") && is_plain_token("TEXT") && !is_plain_token("draft"));
    }
}
