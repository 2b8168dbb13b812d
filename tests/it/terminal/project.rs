//! A small project that has something of everything to say, and the commands that make it say so.

use crate::lab::Lab;

const SPEC: &str = r#"
title = "What three small damages do to two short stories, as a judge that reads nothing sees it"
seed = 7

[axes]
task = { set = "manipulate.damaged.apply", values = ["none", "typos", "remove-content"] }
length = { set = "truncate.cut.tokens", values = [20, "full"] }

[models.fake]
provider = "scripted"
script = "script.toml"

[source.stories]
files = "stories.jsonl"

[truncate.cut]
from = "stories"
tokens = 20

[manipulate.damaged]
from = "cut"
apply = "none"
typos = { count = 2 }
remove-content = { count = 2 }

[judge.grades]
from = "damaged"
model = "fake"
prompt = "grade"
metrics = ["fluency", "coherence"]
max-unscored = 0.5

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
title = "Mean scores of the damaged stories, for each of the damages and both lengths"
rows = ["task"]
columns = ["length", "metric"]
expect = "expected.csv"
notes = "expected.notes.toml"
decimals = 2

[table.scores.labels.task]
remove-content = "removed sentences, the strongest of the damages"
"#;

const STORIES: &str = r#"{"doc_id": "the-ferry-at-the-end-of-the-world", "title": "The Ferry at the End of the World, and What It Carried", "text": "Thomas kept the ferry. He rowed people over the river for a penny. He liked the stories better than the pennies.\n\nOne night Anna told him of the house in the hills. Her mother slept in the belief that the war was over.\n\nThe garden was green. Nobody knew why."}
{"doc_id": "note", "title": "A Note", "text": "Anna said nothing."}
"#;

/// One printed value is ours, one is not and is explained, the others are neither.
const EXPECTED: &str = "task,length,metric,printed\n\
    none,20,fluency,3.00\n\
    none,20,coherence,3.00\n\
    none,full,fluency,3.00\n\
    typos,20,fluency,4.75\n";

const NOTES: &str = r#"
[[note]]
cells = { task = "typos" }
text = """
The printed mean is that of an earlier sample, in which each of the stories was told by somebody else and much longer.
"""
"#;

/// Every reply names the same scores; the reply to the short note, none.
const SCRIPT: &str = r#"
[[reply]]
contains = ["said nothing"]
text = "I would rather not say."

[[reply]]
text = """
Evaluation Form:
1) Fluency Issues:
- [TYPO] "krpt" is not a word
FINAL Fluency Score: 3
FINAL Coherence Score: 4
"""
"#;

/// The project, before anything was run.
pub(super) fn project() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("stories.jsonl", STORIES)
        .file("expected.csv", EXPECTED)
        .file("expected.notes.toml", NOTES)
        .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
        .file("script.toml", SCRIPT)
        .file(
            "wrong.toml",
            SPEC.replace("from = \"cut\"", "form = \"cut\"")
                .replace("\"typos\", ", "\"typo\", "),
        )
}

/// Something that is typed, by the name of what it shows; before some of them something is changed.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) before: fn(&Lab),
    pub(super) typed: &'static str,
}

const fn step(name: &'static str, typed: &'static str) -> Step {
    Step {
        name,
        before: |_| {},
        typed,
    }
}

const fn after(before: fn(&Lab), name: &'static str, typed: &'static str) -> Step {
    Step {
        name,
        before,
        typed,
    }
}

/// What a person might type, in this order.
pub(super) const STEPS: &[Step] = &[
    step("overview", ""),
    step("help-run", "help run"),
    step("help-why", "why --help"),
    step("no-such-verb", "runn"),
    step("no-spec", "run"),
    step("no-such-flag", "plan experiment.toml --al"),
    step("no-such-file", "run experimnt.toml"),
    step("lint", "lint experiment.toml"),
    step("lint-mistakes", "lint wrong.toml experiment.toml"),
    step("plan", "plan experiment.toml"),
    step("why-new", "why experiment.toml"),
    step("run", "run experiment.toml --jobs 1"),
    step("run-again", "run experiment.toml --jobs 1"),
    step("run-quiet", "run experiment.toml --quiet"),
    step("plan-known", "plan experiment.toml --all"),
    step("why-known", "why experiment.toml"),
    step(
        "why-parameter",
        "why experiment.toml --set judge.grades.scale.step=0.25",
    ),
    step("why-node", "why experiment.toml judge.grades"),
    step("why-no-node", "why experiment.toml judge.grade"),
    after(
        |lab| lab.edit("templates/grade.j2", "Grade", "Grade with care the"),
        "why-prompt",
        "why experiment.toml",
    ),
    after(
        |lab| lab.edit("templates/grade.j2", "Grade with care the", "Grade"),
        "verify",
        "verify experiment.toml --jobs 1",
    ),
    step("show", "show experiment.toml"),
    step(
        "show-document",
        "show experiment.toml note --where task=typos --where length=full",
    ),
    step(
        "show-diff",
        "show experiment.toml the-ferry-at-the-end-of-the-world --where task=typos --where length=full --diff",
    ),
    step("show-no-document", "show experiment.toml the-fery"),
    step(
        "call",
        "call experiment.toml the-ferry-at-the-end-of-the-world",
    ),
    step("call-unscored", "call experiment.toml note"),
    step("gc", "gc --older 1d"),
    step("gc-nothing", "gc"),
    step("bundle", "bundle experiment.toml --licence CC0"),
    step("unbundle", "unbundle experiment.tar.zst --into elsewhere"),
    step("init", "init another"),
    step("init-again", "init another"),
    step("import-nothing", "import judgememo nowhere"),
    step("man", "man --into man"),
];
