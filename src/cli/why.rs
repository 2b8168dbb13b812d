//! `tribunal why`.

use serde_json::Value;

use super::args::WhyArgs;
use super::exit::{Error, Exit};
use super::forecast::outlook;
use super::output::Terminal;
use crate::engine::{Forecast, State, Why};
use crate::wording::{nearest, shorten, some_of};

pub(super) fn run(args: &WhyArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let outlook = outlook(&args.spec, false, terminal)?;
    let mut shown = 0;
    for (node, forecast) in outlook.plan.nodes.iter().zip(&outlook.forecasts) {
        let title = node.title();
        let wanted = match &args.node {
            Some(wanted) => {
                *wanted == title || *wanted == node.name.to_string() || *wanted == node.name.name
            }
            None => !matches!(forecast.state, State::Known { .. }) || !forecast.changed.is_empty(),
        };
        if wanted {
            shown += 1;
            terminal.out(&explain(&title, forecast, args.key));
        }
    }
    if shown > 0 {
        return Ok(Exit::Done);
    }
    let Some(node) = &args.node else {
        terminal.out("every result is known: a run would do nothing");
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
    let hint = match nearest(node, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the nodes are {}", some_of(&titles)),
    };
    Err(Error::new(Exit::Usage, format!("there is no node `{node}`")).hint(hint))
}

fn explain(title: &str, forecast: &Forecast, key: bool) -> String {
    let mut lines = vec![match &forecast.state {
        State::Known { .. } if forecast.changed.is_empty() => {
            format!("{title}: known, nothing changed")
        }
        State::Known { .. } => {
            format!("{title}: known already; since the last run this changed:")
        }
        State::Runs { why: Why::New } => {
            format!("{title}: would run, because it never ran in this experiment")
        }
        State::Runs { why: Why::Gone } => {
            format!("{title}: would run, because its result is gone or some of its calls failed")
        }
        State::Runs { why: Why::Changed } if forecast.changed.is_empty() => {
            format!(
                "{title}: would run, because its key changed; the earlier one is no longer stored"
            )
        }
        State::Runs { why: Why::Changed } => format!("{title}: would run, because this changed:"),
        State::Waits { on } => format!("{title}: waits for {on}"),
        State::Fails { message } => format!("{title}: cannot run: {message}"),
    }];
    for (path, before, after) in &forecast.changed {
        lines.push(format!("  {path}: {} → {}", shown(before), shown(after)));
    }
    if let (true, Some(fields)) = (key, &forecast.fields) {
        lines.push(serde_json::to_string_pretty(fields).unwrap_or_default());
    }
    lines.join("\n")
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        // A digest says enough in its first digits.
        Value::String(text) if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
            format!("{}…", &text[..8])
        }
        other => shorten(&other.to_string(), 60),
    }
}
