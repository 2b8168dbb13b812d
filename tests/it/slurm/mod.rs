//! Runs on a real Slurm, of three nodes on this machine: what comes out is what a run on one machine gives, whatever happens
//! to nodes, jobs, servers, the scheduler and the run itself. What counts is what the models' servers saw.
//!
//! Each test starts a cluster of its own with `tests/data/slurm/local-cluster`, and says that it skips where Slurm is not
//! installed.

mod cluster;
mod computed;
mod failures;
mod forward;
mod happy;
mod live;
mod looking_after;
mod shim;
mod stages;

use std::collections::BTreeMap;
use std::process::Command;

use self::cluster::Cluster;
use crate::chat::ChatServer;
use crate::lab::{Lab, Ran};
use crate::models::{WORDS, texts_csv};

/// Two judges on servers, a table of both, and all rows.
const SPEC: &str = r#"
title = "Two judges on a cluster"

[models.small]
provider = "openai"
base-url = "http://127.0.0.1:9/v1"
tokenizer = "tokenizer.json"
concurrency = 4
retries = 2

[models.large]
provider = "openai"
base-url = "http://127.0.0.1:9/v1"
tokenizer = "tokenizer.json"
concurrency = 4
retries = 2

[axes.model]
set = "judge.grades.model"
values = ["small", "large"]

[source.texts]
files = "texts.csv"

[judge.grades]
from = "texts"
prompt = "grade"
metrics = ["fluency", "coherence"]

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]
columns = ["model"]

[export.grades]
from = "grades"
format = "csv"
"#;

/// The servers that answer, one for each model: jobs reach them through a door of their own.
struct Servers {
    small: ChatServer,
    large: ChatServer,
}

impl Servers {
    fn start() -> Self {
        Self {
            small: ChatServer::start(),
            large: ChatServer::start(),
        }
    }

    /// How often each prompt was asked, by model.
    fn asked(&self) -> [BTreeMap<String, usize>; 2] {
        [self.small.asked(), self.large.asked()]
    }

    /// How many calls came.
    fn count(&self) -> usize {
        self.small.count() + self.large.count()
    }
}

/// A project with so many texts.
fn lab(texts: usize) -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("texts.csv", texts_csv(texts))
        .file("tokenizer.json", WORDS)
        .template(
            "grade",
            "Grade fluency and coherence from 1 to 5.\n\n{{ text }}\n",
        )
}

/// The file of this machine: where jobs go and how models are served.
fn local(slurm: &str, small: &str, large: &str) -> String {
    format!(
        "[slurm]\n{slurm}\n\n[models.small.serve]\ncommand = '''{small}'''\nhealth = \"/v1/models\"\n\n\
         [models.large.serve]\ncommand = '''{large}'''\nhealth = \"/v1/models\"\n"
    )
}

/// The usual one: patience is short, because nothing here is far away.
const QUICK: &str =
    "time = \"10\"\ntasks = 3\ncalls = 10\nlost-after = 4\nidle = 20\nmemory = \"200M\"";

/// What a run on one machine gives, with servers of its own.
fn undisturbed(texts: usize) -> BTreeMap<String, String> {
    let servers = Servers::start();
    let set =
        |model: &str, server: &ChatServer| format!("models.{model}.base-url={}", server.url());
    let ran = lab(texts)
        .run(&[
            "--set",
            &set("small", &servers.small),
            "--set",
            &set("large", &servers.large),
        ])
        .ok();
    assert_eq!(servers.count(), 2 * texts);
    assert!(
        ran.tables.contains_key("scores.csv"),
        "{:?}",
        ran.tables.keys()
    );
    ran.tables
}

/// A run on the cluster.
fn command(lab: &Lab, cluster: &Cluster, more: &[&str]) -> Command {
    let mut command = lab.command(&[&["run", "--on", "slurm"], more].concat());
    command.env("SLURM_CONF", cluster.conf());
    command
}

/// What it came to.
fn ran(lab: &Lab, cluster: &Cluster, more: &[&str]) -> Ran {
    // The lab's own way of running it knows which tables came out.
    let output = command(lab, cluster, more).output().unwrap();
    lab.came_to(output, more)
}
