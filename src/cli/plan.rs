//! `tribunal plan`.

use indexmap::IndexMap;
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use super::args::PlanArgs;
use super::forecast::{Outlook, outlook};
use super::output::Terminal;
use super::spending;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{many, some_of, thousands, wrap, wrap_lines};
use crate::engine::{Forecast, State, Why};
use crate::plan::dot;
use crate::stage::StageName;

pub(super) fn run(args: &PlanArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let outlook = outlook(&args.spec, args.json, terminal)?;
    if args.dot {
        terminal.out(&dot(&outlook.plan));
    } else if args.json {
        terminal.json(&as_json(&outlook));
    } else {
        terminal.out(&tree(&outlook, args.all, terminal.results.width));
    }
    let fails = outlook
        .forecasts
        .iter()
        .any(|forecast| matches!(forecast.state, State::Fails { .. }));
    Ok(if fails { Exit::Stage } else { Exit::Done })
}

fn as_json(outlook: &Outlook) -> String {
    let nodes: Vec<_> = outlook
        .plan
        .nodes
        .iter()
        .zip(&outlook.forecasts)
        .map(|(node, forecast)| {
            json!({
                "node": node.title(),
                "reads": node.inputs.iter().map(|&id| outlook.plan.node(id).title()).collect::<Vec<_>>(),
                "forecast": forecast.state,
                "questions": forecast.questions,
                "calls": forecast.calls,
                "key": forecast.fields,
            })
        })
        .collect();
    serde_json::to_string_pretty(&nodes).unwrap_or_default()
}

/// The heading, one line per stage (or per node) in running order, and the totals.
fn tree(outlook: &Outlook, all: bool, width: Option<usize>) -> String {
    let mut stages: IndexMap<&StageName, Vec<usize>> = IndexMap::new();
    for (index, node) in outlook.plan.nodes.iter().enumerate() {
        stages.entry(&node.name).or_default().push(index);
    }
    let rows: Vec<Row> = stages
        .iter()
        .map(|(name, nodes)| Row::of(outlook, name, nodes))
        .collect();
    let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let numbers = rows.iter().filter_map(|row| row.states.find(' ')).max();
    let width = width.unwrap_or(usize::MAX);
    let mut text = String::new();
    for (row, nodes) in rows.iter().zip(stages.values()) {
        text.push_str(&row.line(names, numbers.unwrap_or(0), width));
        for &index in nodes.iter().filter(|_| all) {
            let title = outlook.plan.nodes[index].title();
            let state = state(&outlook.forecasts[index]);
            let settings = title.find('[').map_or("", |at| &title[at..]);
            let colon = if settings.is_empty() { "" } else { ": " };
            text.push_str(&wrap("      ", &format!("{settings}{colon}{state}"), width));
        }
    }
    let heading = wrap_lines("", &heading(outlook), width);
    let totals = wrap_lines("", &totals(outlook), width);
    let failing = failing(outlook, width);
    format!("{heading}\n\n{text}\n{totals}{failing}")
}

/// What cannot run, each mistake once, and how to repair it.
fn failing(outlook: &Outlook, width: usize) -> String {
    let mut told: IndexMap<(&String, &Option<String>), Vec<String>> = IndexMap::new();
    for (node, forecast) in outlook.plan.nodes.iter().zip(&outlook.forecasts) {
        if let State::Fails { message, hint } = &forecast.state {
            told.entry((message, hint)).or_default().push(node.title());
        }
    }
    let mut text = String::new();
    for ((message, hint), nodes) in told {
        let hint = hint
            .as_ref()
            .map_or(String::new(), |hint| format!("\nhint: {hint}"));
        let said = format!("{} cannot run: {message}{hint}", some_of(&nodes));
        text = format!("{text}\n\n{}", wrap_lines("", &said, width));
    }
    text
}

/// What is said of a stage in one line.
struct Row {
    name: String,
    /// How many of its nodes are known, would run, wait or fail, and what they would ask.
    states: String,
    /// The stages that it reads.
    reads: String,
}

impl Row {
    fn of(outlook: &Outlook, name: &StageName, nodes: &[usize]) -> Self {
        let forecasts: Vec<&Forecast> = nodes
            .iter()
            .map(|&index| &outlook.forecasts[index])
            .collect();
        Self {
            name: name.to_string(),
            states: states(&forecasts),
            reads: reads(outlook, nodes),
        }
    }

    /// The line, with first numbers below each other; broken below them, where it is too long.
    fn line(&self, names: usize, numbers: usize, width: usize) -> String {
        let wide = self.states.find(' ').unwrap_or(0);
        let blanks = " ".repeat(numbers.saturating_sub(wide));
        let (name, states, reads) = (&self.name, &self.states, &self.reads);
        let head = format!("  {name:<names$}  {blanks}");
        let below = " ".repeat(head.width() + wide + 1);
        if reads.is_empty() {
            return wrap(&head, states, width);
        }
        let line = format!("{head}{states}  ← {reads}\n");
        if line.trim_end().width() <= width {
            return line;
        }
        wrap(&head, states, width) + &wrap(&format!("{below}← "), reads, width)
    }
}

fn heading(outlook: &Outlook) -> String {
    let spec = &outlook.loaded.spec;
    let title = spec
        .title
        .as_ref()
        .map_or(String::new(), |title| format!(": {title}"));
    let axes: Vec<String> = spec
        .base
        .axes
        .iter()
        .map(|axis| format!("{} {}", axis.values.len(), axis.name))
        .collect();
    let axes = if axes.is_empty() {
        String::new()
    } else {
        format!("\naxes: {}", axes.join(" × "))
    };
    format!("{}{title}{axes}", spec.name)
}

fn reads(outlook: &Outlook, nodes: &[usize]) -> String {
    let mut from: Vec<String> = nodes
        .iter()
        .flat_map(|&index| outlook.plan.nodes[index].stage.reads())
        .map(ToString::to_string)
        .collect();
    from.sort();
    from.dedup();
    from.join(", ")
}

fn states(forecasts: &[&Forecast]) -> String {
    let n = |test: &dyn Fn(&State) -> bool| {
        forecasts
            .iter()
            .filter(|forecast| test(&forecast.state))
            .count()
    };
    let known = n(&|state| matches!(state, State::Known { .. }));
    let runs = n(&|state| matches!(state, State::Runs { .. }));
    let waits = n(&|state| matches!(state, State::Waits { .. }));
    let fails = n(&|state| matches!(state, State::Fails { .. }));
    let mut parts = Vec::new();
    let why = reasons(forecasts);
    for (n, word) in [
        (known, "cached"),
        (runs, why.as_str()),
        (waits, "waiting"),
        (fails, "failing"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {word}"));
        }
    }
    let questions: u64 = forecasts
        .iter()
        .filter_map(|forecast| forecast.questions)
        .sum();
    if questions > 0 {
        parts.push(many(questions, "prompt"));
    }
    let estimates = forecasts
        .iter()
        .filter_map(|forecast| forecast.calls.as_ref());
    parts.extend(spending::remarks(&spending::sum(estimates)));
    parts.join(", ")
}

/// Why the nodes of a stage would run: `to run (changed: parameters.tokens)`.
fn reasons(forecasts: &[&Forecast]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    let mut fields: Vec<&str> = Vec::new();
    for forecast in forecasts {
        if let State::Runs { why } = forecast.state {
            reasons.push(match why {
                Why::New => "new",
                Why::Changed => "changed",
                Why::Gone => "its result is missing, or calls failed",
            });
            fields.extend(forecast.changed.iter().map(|(path, _, _)| path.as_str()));
        }
    }
    reasons.sort_unstable();
    reasons.dedup();
    fields.sort_unstable();
    fields.dedup();
    let mut text = reasons.join(", ");
    if !fields.is_empty() {
        text = text.replace("changed", &format!("changed: {}", fields.join(", ")));
    }
    format!("to run ({text})")
}

fn state(forecast: &Forecast) -> String {
    match &forecast.state {
        State::Known { rows } => format!("cached, {}", many(*rows, "row")),
        State::Runs { why } => {
            let fields: Vec<&str> = forecast
                .changed
                .iter()
                .map(|(path, _, _)| path.as_str())
                .collect();
            match why {
                Why::New => "to run: new".to_owned(),
                Why::Gone => {
                    "to run: the result is missing, or some of its calls failed".to_owned()
                }
                Why::Changed if fields.is_empty() => {
                    "to run: changed since the last run".to_owned()
                }
                Why::Changed => format!("to run: changed in {}", fields.join(", ")),
            }
        }
        State::Waits { on } => format!("waits for {on}"),
        State::Fails { message, .. } => format!("cannot run: {message}"),
    }
}

fn totals(outlook: &Outlook) -> String {
    let to_run = outlook
        .forecasts
        .iter()
        .filter(|forecast| !matches!(forecast.state, State::Known { .. }))
        .count();
    let known = outlook.forecasts.len() - to_run;
    let (mut asked, mut least, mut free, mut unknown) = (0, 0, 0, 0);
    for (node, forecast) in outlook.plan.nodes.iter().zip(&outlook.forecasts) {
        let Some(model) = node.stage.model() else {
            continue;
        };
        let questions = forecast.questions.unwrap_or(0);
        if !model.provider.reads_prompts() {
            free += questions;
        } else if matches!(forecast.state, State::Waits { .. }) {
            unknown += 1;
        } else {
            let estimate = forecast.calls.as_ref();
            let calls = estimate.map_or(questions, |estimate| estimate.calls);
            asked += calls;
            least += estimate.and_then(|one| one.least_calls).unwrap_or(calls);
        }
    }
    let later = match unknown {
        0 => String::new(),
        n => format!(
            ", and those of {} that {} for rows",
            many(n, "stage"),
            if n == 1 { "waits" } else { "wait" }
        ),
    };
    let local = match free {
        0 => String::new(),
        n => format!(
            " and {} answered here without a model server",
            many(n, "prompt")
        ),
    };
    let mut lines = vec![format!(
        "{} cached, {} to run: {}{later}{local}",
        many(known as u64, "stage"),
        thousands(to_run as u64),
        if least == asked {
            many(asked, "call")
        } else {
            format!("{} to {}", thousands(least), many(asked, "call"))
        }
    )];
    let estimates = outlook.forecasts.iter();
    let estimates = estimates.filter_map(|forecast| forecast.calls.as_ref());
    lines.extend(spending::totals(&spending::sum(estimates)));
    if outlook.computed > 0 {
        let (which, are) = match (outlook.computed, known) {
            (1, 1) => ("it".to_owned(), "was"),
            (computed, known) if computed == known => ("all of these".to_owned(), "were"),
            (1, _) => ("1 of these".to_owned(), "was"),
            (computed, _) => (format!("{} of these", thousands(computed as u64)), "were"),
        };
        lines.push(format!("{which} {are} computed just now, without a model"));
    }
    lines.join("\n")
}
