//! Stages that follow each other, ask until it is enough, or get no answer: as on one machine.

use super::cluster::Cluster;
use super::{QUICK, Servers, forward, lab, local, ran};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;

/// What is written by one model is graded by the other, and a third stage stops when its mean has settled.
const STAGES: &str = r#"
[generate.summaries]
from = "texts"
model = "small"
prompt = "summarise"
into = "summary"
max-unwritten = 1.0

[judge.of-summaries]
from = "summaries"
model = "large"
prompt = "compare"
variables = ["text", "summary"]
metrics = ["fluency"]
max-unscored = 1.0

[judge.settled]
from = "texts"
model = "small"
prompt = "settle"
metrics = ["fluency", "coherence"]
max-unscored = 1.0
until = { least = 8, window = 4, within = 0.5, order = "given" }

[export.of-summaries]
from = "of-summaries"
format = "csv"

[export.settled]
from = "settled"
format = "csv"
"#;

const TEXTS: usize = 24;

fn project() -> Lab {
    let lab = lab(TEXTS)
        .template(
            "settle",
            "Grade fluency and coherence, and say when it is enough.\n\n{{ text }}\n",
        )
        .template("summarise", "Summarise in one sentence.\n\n{{ text }}\n")
        .template(
            "compare",
            "Grade fluency and coherence.\n\n{{ text }}\n\nSummary: {{ summary }}\n",
        );
    lab.append(STAGES);
    lab
}

/// Servers that refuse some prompts when they are asked for the first time, the same whoever asks: a call that was
/// refused and asked again would show.
fn servers() -> Servers {
    let faults = || Faults::none().share(0.2, [Fault::ContextTooLong]);
    Servers {
        small: ChatServer::setup().faults(faults()).start(),
        large: ChatServer::setup().faults(faults()).start(),
    }
}

#[test]
fn stages_that_follow_each_other_or_get_no_answer_come_out_as_on_one_machine() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let here = servers();
    let set =
        |model: &str, server: &ChatServer| format!("models.{model}.base-url={}", server.url());
    let alone = project().run(&[
        "--set",
        &set("small", &here.small),
        "--set",
        &set("large", &here.large),
    ]);
    assert!(
        alone.tables.contains_key("of-summaries.csv"),
        "{}",
        alone.err
    );
    assert!(
        alone.tables["of-summaries.csv"].contains("context"),
        "nothing was refused"
    );

    let there = servers();
    let text = local(
        QUICK,
        &forward::command(&there.small.url()),
        &forward::command(&there.large.url()),
    );
    let lab = project().file("tribunal.local.toml", text);
    let divided = ran(&lab, &cluster, &[]);
    assert_eq!(divided.tables, alone.tables, "{}", divided.err);
    assert_eq!(divided.code, alone.code, "{}", divided.err);
    for (one, other) in [(&here.small, &there.small), (&here.large, &there.large)] {
        let answered = |server: &ChatServer| server.answered();
        assert_eq!(answered(one), answered(other));
    }
}
