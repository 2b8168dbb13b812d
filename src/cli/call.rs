//! `tribunal call`: one document's question to a model, and what becomes of the reply.

use std::sync::Arc;

use serde_json::{Value, json};

use super::args::CallArgs;
use super::choose::{self, no_document, wheres};
use super::forecast::{Told, engine, results};
use super::load::load;
use super::output::Terminal;
use super::secrets::secrets;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, list_of, thousands};
use crate::cli::events::visible;
use crate::engine::{Loaded, Tried, asked};
use crate::frame::Frame;
use crate::models::ask::{CallError, Reply, Role};
use crate::models::logprobs::Likelihood;
use crate::models::score::{Outcome, Reason};
use crate::output::report::number::fixed;
use crate::plan::{Node, Plan};
use crate::stage::{Kind, Reading, Stage, StageName, Verdict, Written};

pub(super) fn run(args: &CallArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.changes, terminal)?;
    let plan = &loaded.plan;
    let wheres = wheres(&args.wheres)?;
    let stage = stage(plan, args.stage.as_deref())?;
    let node = node(plan, &stage, &wheres)?;
    let (input, row) = row(
        &loaded,
        plan,
        node,
        args.document.as_deref(),
        &wheres,
        terminal,
    )?;
    // With the node, all that it reads; none of it is run.
    let title = node.title();
    let alone = plan.only_nodes(|node| node.title() == title);
    let told = Told::new(args.json, terminal);
    let keys = secrets(&alone);
    let engine = engine(&loaded, alone, &told, args.dry_run, keys)?;
    let id = engine.plan().ids().last();
    let id = id.ok_or_else(|| Error::new(Exit::Usage, "the stage is gone"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let asks = engine.try_one(id, input, row, args.repeat.get() - 1, !args.dry_run);
    let tried = runtime.block_on(asks);
    let tried = tried.map_err(|failure| failure.at(&title))?;
    told.tell(terminal);
    let asked = Asked::of(node);
    if args.json {
        let text = serde_json::to_string_pretty(&as_json(&title, &tried, &asked));
        terminal.json(&text.unwrap_or_default());
    } else {
        terminal.out(&in_words(&title, &tried, &asked));
    }
    Ok(match tried.reply {
        Some(Err(_)) => Exit::Stage,
        _ => Exit::Done,
    })
}

/// What a stage asks for.
struct Asked {
    /// Its metrics.
    metrics: Vec<String>,
    /// Whether their scores are expectations.
    expected: bool,
}

impl Asked {
    fn of(node: &Node) -> Self {
        let asking = node.stage.asking();
        Self {
            metrics: asking.map_or(Vec::new(), |asking| asking.metrics.to_vec()),
            expected: matches!(&*node.stage, Stage::Judge(judge) if judge.expected.is_some()),
        }
    }
}

/// The stage that is meant: the one named, or the first that asks.
fn stage(plan: &Plan, named: Option<&str>) -> Result<StageName, Error> {
    let asking = choose::stages(plan, Kind::asks);
    let found = match named {
        Some(named) => {
            let missing = format!("no stage `{named}` asks a model");
            choose::named(&asking, named, missing, "the stages that do are")?
        }
        None => asking,
    };
    let first = found.first().map(|name| (*name).clone());
    first.ok_or_else(|| Error::new(Exit::Usage, "no stage of the spec asks a model"))
}

/// The first node of a stage with these axis values. Values that are no axis of it belong to rows.
fn node<'p>(plan: &'p Plan, stage: &StageName, wheres: &[(&str, &str)]) -> Result<&'p Node, Error> {
    let nodes: Vec<&Node> = plan
        .nodes
        .iter()
        .filter(|node| node.name == *stage)
        .collect();
    let fits = |node: &&&Node| {
        node.settings.iter().all(|(axis, value)| {
            let mut wanted = wheres.iter().filter(|(name, _)| name == axis);
            wanted.all(|(_, wanted)| value.to_string() == *wanted)
        })
    };
    nodes.iter().find(fits).copied().ok_or_else(|| {
        let titles: Vec<String> = nodes.iter().map(|node| node.title()).collect();
        Error::new(
            Exit::Usage,
            format!("`{stage}` is not run with these values"),
        )
        .hint(format!("it is run as {}", list_of(&titles)))
    })
}

/// The rows that a node asks about, and that of a document among them.
fn row(
    loaded: &Loaded,
    plan: &Plan,
    node: &Node,
    document: Option<&str>,
    wheres: &[(&str, &str)],
    terminal: &mut Terminal,
) -> Result<(Arc<Frame>, usize), Error> {
    let Some(&input) = node.inputs.first() else {
        return Err(Error::new(Exit::Usage, "the stage reads nothing"));
    };
    let source = plan.node(input);
    let title = source.title();
    let upstream = plan.only_nodes(|node| node.title() == title);
    let asks = upstream.before_models().nodes.len() < upstream.nodes.len();
    let results = results(loaded, upstream, &source.name, terminal);
    let (_, frames) = results.map_err(|error| {
        if asks {
            let first = format!(
                "run what it reads first: `tribunal run … --only {}`",
                source.name
            );
            error.hint(format!("`call` makes only one call; {first}"))
        } else {
            error
        }
    })?;
    let frame = frames.into_iter().next().map(|(_, frame)| frame);
    let frame = frame.ok_or_else(|| Error::new(Exit::Stage, format!("`{title}` has no result")))?;
    let frame = asked(node, frame).map_err(|failure| failure.at(node.title()))?;
    let cell = |name: &str, row: usize| {
        let column = frame.column(name).ok()?;
        column.text(row).map(std::borrow::Cow::into_owned)
    };
    let fits = |row: &usize| {
        let columns = wheres.iter().filter(|(name, _)| frame.has(name));
        document.is_none_or(|id| cell("doc_id", *row).as_deref() == Some(id))
            && columns
                .into_iter()
                .all(|(name, value)| cell(name, *row).as_deref() == Some(value))
    };
    let found = (0..frame.rows()).find(fits);
    found.map(|row| (Arc::clone(&frame), row)).ok_or_else(|| {
        let ids = (0..frame.rows()).filter_map(|row| cell("doc_id", row));
        no_document(document.unwrap_or("?"), &source.name, ids.collect())
    })
}

fn as_json(title: &str, tried: &Tried, asked: &Asked) -> Value {
    let reply = tried.reply.as_ref().map(|reply| match reply {
        Ok(reply) => json!(reply),
        Err(error) => json!({ "error": error.to_string() }),
    });
    let read = tried.read.as_ref().map(|read| match read {
        Ok(reading) => {
            let scores = verdicts(reading, &asked.metrics).map(|(metric, verdict)| {
                let reason = verdict.outcome.reason();
                let mut said = json!({
                    "metric": metric,
                    "score": verdict.outcome.score(),
                    "label": verdict.label,
                    "unscored": reason.map(Reason::code),
                    "detail": reason.and_then(Reason::detail),
                    "explanation": verdict.explanation,
                    "issues": verdict.issues,
                });
                if asked.expected {
                    said["written"] = json!(verdict.written);
                    said["mass"] = json!(verdict.mass);
                    said["mass_off_scale"] = json!(verdict.mass.map(|mass| 1.0 - mass));
                }
                said
            });
            Value::Array(scores.collect())
        }
        Err(Ok(text)) => json!({ "text": text }),
        Err(Err(reason)) => json!({ "missing": reason.code(), "detail": reason.detail() }),
    });
    let mut said = json!({
        "node": title,
        "messages": tried.messages,
        "prompt_tokens": tried.tokens.0,
        "prompt_tokens_exact": tried.tokens.1,
        "key": tried.key,
        "stored": tried.stored,
        "reply": reply,
        "read": read,
    });
    if let Some(likelihood) = &tried.likelihood {
        said["likelihood"] = match likelihood {
            Ok(known) => json!({
                "logprob": known.logprob,
                "perplexity": known.perplexity(),
                "tokens": known.tokens,
            }),
            Err(reason) => json!({ "missing": reason.code(), "detail": reason.detail() }),
        };
    }
    said
}

fn in_words(title: &str, tried: &Tried, asked: &Asked) -> String {
    let (tokens, exact) = tried.tokens;
    let about = if exact { "" } else { "about " };
    let mut parts = Vec::new();
    for (at, message) in tried.messages.iter().enumerate() {
        let last = at + 1 == tried.messages.len();
        let who = match message.role {
            Role::System => "system",
            Role::User if last => "prompt",
            Role::User => "user",
            Role::Assistant if last => "the reply begins",
            Role::Assistant => "assistant",
        };
        parts.push(format!(
            "── {who} ──\n{}",
            visible(message.content.trim_end())
        ));
    }
    if tried.messages.is_empty() {
        parts.push(format!(
            "{title}: the model reads the text itself, no prompt"
        ));
    } else {
        parts.push(format!("{title}: {about}{} tokens", thousands(tokens)));
    }
    match &tried.reply {
        None => {}
        Some(Err(error)) => parts.push(format!(
            "── {} ──\n{}",
            came_to(error),
            visible(&error.to_string())
        )),
        Some(Ok(reply)) => parts.push(self::reply(reply, tried.stored)),
    }
    match &tried.read {
        Some(Ok(reading)) if tried.reply.as_ref().is_some_and(Result::is_ok) => {
            parts.push(scores(reading, asked));
        }
        Some(Err(written)) => parts.push(text(written)),
        _ => {}
    }
    if let Some(known) = &tried.likelihood {
        parts.push(likely(known));
    }
    parts.join("\n\n")
}

/// What a call came to that has no reply to show.
fn came_to(error: &CallError) -> &'static str {
    match error {
        CallError::Fatal(_) | CallError::Broken(_) | CallError::Ambiguous(_) => "the call failed",
        _ => "no reply",
    }
}

fn reply(reply: &Reply, stored: bool) -> String {
    let mut facts = Vec::new();
    if stored {
        facts.push("stored".to_owned());
    }
    facts.extend(reply.model.clone());
    facts.extend(
        reply
            .usage
            .iter()
            .map(|(what, n)| format!("{} {}", thousands(*n), what.replace('_', " "))),
    );
    if reply.latency_ms > 0 {
        facts.push(format!("{:.2} s", reply.latency_ms as f64 / 1000.0));
    }
    facts.push(format!("finish: {}", reply.finish.word()));
    let thoughts = reply.thoughts.as_ref().map_or(String::new(), |thoughts| {
        format!("── thoughts ──\n{}\n\n", visible(thoughts.trim()))
    });
    format!(
        "{thoughts}── reply ──\n{}\n\n{}",
        visible(reply.text.trim_end()),
        visible(&facts.join(" · "))
    )
}

fn scores(reading: &Reading, asked: &Asked) -> String {
    let mut lines = vec!["── parsed ──".to_owned()];
    for (metric, verdict) in verdicts(reading, &asked.metrics) {
        lines.push(match &verdict.outcome {
            Outcome::Scored(score) => {
                let label = verdict.label.as_ref();
                let label = label.map_or(String::new(), |label| format!(" ({label})"));
                let issues = count(verdict.issues.len(), "issue");
                let other = if verdict.contradicted {
                    "; the reply names another score too"
                } else {
                    ""
                };
                format!("{metric}: {score}{label}, {issues}{other}")
            }
            Outcome::Unscored(reason) => format!("{metric}: unscored: {reason}"),
        });
        if asked.expected {
            lines.push(expectation(verdict));
        }
    }
    lines.join("\n")
}

/// What an expectation is made of, below its score.
fn expectation(verdict: &Verdict) -> String {
    let score = match verdict.outcome.score() {
        Some(_) => "the expectation over the scale",
        None => "no expectation over the scale",
    };
    let written = match verdict.written {
        Some(mark) => format!("the mark as written is {mark}"),
        None => "no mark was read".to_owned(),
    };
    let mass = verdict.mass.map_or(String::new(), |mass| {
        let (on, off) = (fixed(mass, 3), fixed(1.0 - mass, 3));
        format!("; probability on the scale {on}, off it {off}")
    });
    format!("  {score}; {written}{mass}")
}

fn likely(likelihood: &Result<Likelihood, Reason>) -> String {
    let said = match likelihood {
        Ok(known) => format!(
            "log-probability {}, perplexity {}, over {}",
            fixed(known.logprob, 3),
            fixed(known.perplexity(), 3),
            count(known.tokens, "token")
        ),
        Err(reason) => format!("no log-probability: {reason}"),
    };
    format!("── likelihood ──\n{said}")
}

/// The verdicts of a reading with what each is on; of a list the place of the element, too.
fn verdicts<'r>(
    reading: &'r Reading,
    metrics: &'r [String],
) -> impl Iterator<Item = (String, &'r Verdict)> {
    let metrics = metrics.iter().cycle();
    metrics
        .zip(&reading.verdicts)
        .enumerate()
        .map(|(at, (metric, verdict))| {
            let name = match reading.element(at) {
                Some(element) => format!("{metric} {element}"),
                None => metric.clone(),
            };
            (name, verdict)
        })
}

fn text(written: &Written) -> String {
    match written {
        Ok(text) => format!("── parsed ──\n{}", visible(text)),
        Err(reason) => format!("── parsed ──\nno text: {reason}"),
    }
}
