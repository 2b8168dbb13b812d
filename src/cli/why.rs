//! `tribunal why`.

use indexmap::IndexMap;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::args::WhyArgs;
use super::forecast::outlook;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{excerpts, many, near_or, some_of};
use crate::engine::{Forecast, State, Why};

pub(super) fn run(args: &WhyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let outlook = outlook(&args.spec, false, terminal)?;
    // Nodes of one stage often have the same to say; it is said once.
    let mut said: IndexMap<(String, String), Vec<String>> = IndexMap::new();
    for (node, forecast) in outlook.plan.nodes.iter().zip(&outlook.forecasts) {
        let title = node.title();
        let wanted = match &args.node {
            Some(wanted) => {
                *wanted == title || *wanted == node.name.to_string() || *wanted == node.name.name
            }
            None => !matches!(forecast.state, State::Known { .. }) || !forecast.changed.is_empty(),
        };
        if wanted {
            let text = explain(forecast, args.key, terminal.results.width);
            let stage = node.name.to_string();
            said.entry((stage, text)).or_default().push(title);
        }
    }
    for ((stage, text), titles) in &said {
        let all = outlook.plan.nodes.iter();
        let all = all.filter(|node| node.name.to_string() == *stage).count();
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        terminal.tell(&format!("{}: {first}", whose(stage, titles, all)));
        if !rest.is_empty() {
            terminal.out(rest);
        }
    }
    if !said.is_empty() {
        return Ok(Exit::Done);
    }
    let Some(node) = &args.node else {
        terminal.out("every result is cached: a run would do nothing");
        return Ok(Exit::Done);
    };
    let titles: Vec<String> = outlook
        .plan
        .nodes
        .iter()
        .map(crate::plan::Node::title)
        .collect();
    let stages: Vec<String> = outlook
        .plan
        .nodes
        .iter()
        .map(|node| node.name.to_string())
        .collect();
    let known: Vec<&String> = stages.iter().chain(&titles).collect();
    let hint = near_or(node, &known, || {
        format!("the nodes are {}", some_of(&titles))
    });
    Err(Error::new(Exit::Usage, format!("there is no node `{node}`")).hint(hint))
}

/// Of which nodes something is said, out of `all` of their stage.
fn whose(stage: &str, titles: &[String], all: usize) -> String {
    match titles {
        [one] => one.clone(),
        some if some.len() == all => {
            format!("each of the {} of {stage}", many(all as u64, "stage"))
        }
        some => {
            let such = some
                .first()
                .and_then(|title| Some(&title[title.find('[')?..]));
            format!(
                "each of {} of {stage}, such as {}",
                many(some.len() as u64, "stage"),
                such.unwrap_or(stage)
            )
        }
    }
}

/// What is to be said of a node: in the first line what would become of it, in the others what changed.
fn explain(forecast: &Forecast, key: bool, width: Option<usize>) -> String {
    let mut lines = vec![match &forecast.state {
        State::Known { .. } if forecast.changed.is_empty() => "cached, nothing changed".to_owned(),
        State::Known { .. } => "cached; since the last run this changed:".to_owned(),
        State::Runs { why: Why::New } => {
            "would run, because it never ran in this experiment".to_owned()
        }
        State::Runs { why: Why::Gone } => {
            "would run, because its result is missing or some of its calls failed".to_owned()
        }
        State::Runs { why: Why::Changed } if forecast.changed.is_empty() => {
            "would run, because its key changed; the earlier one is no longer stored".to_owned()
        }
        State::Runs { why: Why::Changed } => "would run, because this changed:".to_owned(),
        State::Waits { on } => format!("waits for {on}"),
        State::Fails { message, .. } => format!("cannot run: {message}"),
    }];
    for (path, before, after) in &forecast.changed {
        let (before, after) = shown(before, after);
        let line = format!("  {path}: {before} → {after}");
        if width.is_none_or(|width| line.width() <= width) {
            lines.push(line);
        } else {
            lines.push(format!("  {path}:"));
            lines.push(format!("    - {before}"));
            lines.push(format!("    + {after}"));
        }
    }
    if let (true, Some(fields)) = (key, &forecast.fields) {
        lines.push(serde_json::to_string_pretty(fields).unwrap_or_default());
    }
    lines.join("\n")
}

/// Values are shown up to this length.
const LONGEST: usize = 60;

/// Two values as far as they fit on a line.
fn shown(before: &Value, after: &Value) -> (String, String) {
    excerpts(&plain(before), &plain(after), LONGEST)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        // A digest says enough in its first digits.
        Value::String(text) if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
            format!("{}…", &text[..8])
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_long_values_the_place_is_shown_where_they_differ() {
        let long = |end: &str| json!(format!("{} and {end}", "always the same words".repeat(9)));
        let (before, after) = shown(&long("typos"), &long("verb tenses"));
        assert_eq!(before, "…same words and typos\"");
        assert_eq!(after, "…same words and verb tenses\"");
        let (before, after) = shown(&json!(0.0), &Value::Null);
        assert_eq!((before.as_str(), after.as_str()), ("0.0", "nothing"));
    }

    #[test]
    fn what_is_said_of_several_is_said_once() {
        let titles = ["judge.a[x=1]", "judge.a[x=2]"].map(str::to_owned);
        assert_eq!(whose("judge.a", &titles[..1], 2), "judge.a[x=1]");
        assert_eq!(
            whose("judge.a", &titles, 2),
            "each of the 2 stages of judge.a"
        );
        assert_eq!(
            whose("judge.a", &titles, 3),
            "each of 2 stages of judge.a, such as [x=1]"
        );
    }
}
