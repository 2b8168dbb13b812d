//! What help and man pages say of each verb beside its flags: a paragraph where one is needed, and examples.
//!
//! A test takes every example from here as it would be typed; those on the quickstart are run.

/// What there is to know of a verb.
pub(super) struct About {
    /// The verb; with what it is about, where it has verbs of its own.
    pub(super) verb: &'static str,
    /// What a newcomer would not guess; often nothing.
    pub(super) more: &'static str,
    /// What an example does, and how it is typed.
    pub(super) examples: &'static [(&'static str, &'static str)],
}

/// The verbs by what they are for, in the order in which somebody meets them.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    ("Start", &["init", "new", "lint", "schema"]),
    ("Run", &["plan", "run", "verify", "report"]),
    ("Inspect", &["view", "show", "call", "why", "diff"]),
    ("Share", &["bundle", "unbundle", "import"]),
    ("Clusters", &["jobs", "work", "doctor"]),
    ("Maintain", &["gc", "completions", "man"]),
];

/// What is said of the command as a whole.
pub(super) const FIRST: &[(&str, &str)] = &[
    ("an experiment of your own", "tribunal init my-experiment"),
    (
        "the calls it would make, before anything is spent",
        "tribunal plan my-experiment/experiments/first.toml",
    ),
    (
        "its tables; a second time nothing is left to do",
        "tribunal run my-experiment/experiments/first.toml",
    ),
];

/// Every verb.
pub(super) const ABOUT: &[About] = &[
    About {
        verb: "jobs",
        more: "Looks at files only; the scheduler is asked by the run itself, and by `--cancel`.",
        examples: &[
            ("the jobs of all runs of this project", "tribunal jobs"),
            (
                "end them; replies that were stored stay",
                "tribunal jobs --cancel",
            ),
        ],
    },
    About {
        verb: "doctor",
        more: "Makes a few small files in the cache folder and removes them again. Ends with 1 where results would not be safe.",
        examples: &[
            ("this project's cache", "tribunal doctor"),
            (
                "a folder where the cache could be",
                "tribunal doctor --cache /scratch/me/cache",
            ),
        ],
    },
    About {
        verb: "work",
        more: "Started by the jobs that `tribunal run --on slurm` submits, and by nobody else.",
        examples: &[(
            "what a job's script ends with",
            "tribunal work cache/v1/jobs/tribunal-1a2b3c4d tribunal-1a2b3c4d-0",
        )],
    },
    About {
        verb: "run",
        more: "Results and replies are cached: nothing is computed or asked twice, and a run that was \
stopped resumes where it stopped. Tables are written to `reports`, by the name of the spec.",
        examples: &[
            (
                "everything that is not cached, and the tables",
                "tribunal run experiments/quickstart.toml",
            ),
            (
                "all experiments of a folder; what they share is run once",
                "tribunal run experiments/judgememo --keep-going",
            ),
            (
                "one table, with another parameter",
                "tribunal run experiments/quickstart.toml --only table.effect --set stats.effect.correct=holm",
            ),
            (
                "a live model, and no more than five dollars",
                "tribunal run experiments/judgememo/table-5-1.toml --with experiments/live/judgememo.toml --max-cost 5",
            ),
        ],
    },
    About {
        verb: "plan",
        more: "Stages upstream of every model are run, since their rows decide \
how many calls there are.",
        examples: &[
            (
                "what is cached, what would run and why, and what it would cost",
                "tribunal plan experiments/quickstart.toml",
            ),
            (
                "every node on a line of its own",
                "tribunal plan experiments/quickstart.toml --all",
            ),
            (
                "the graph, for Graphviz",
                "tribunal plan experiments/quickstart.toml --dot",
            ),
        ],
    },
    About {
        verb: "why",
        more: "",
        examples: &[
            (
                "everything that would run, and what changed",
                "tribunal why experiments/quickstart.toml",
            ),
            (
                "one stage, as if a parameter were different",
                "tribunal why experiments/quickstart.toml stats.effect --set stats.effect.correct=holm",
            ),
            (
                "all that the result of one node depends on",
                "tribunal why experiments/quickstart.toml table.effect --key",
            ),
        ],
    },
    About {
        verb: "verify",
        more: "A table names its published values in `expect`, and reasons why they differ \
in `notes`. The exit code is 5 if a difference is not explained.",
        examples: &[
            (
                "one table of a paper",
                "tribunal verify experiments/judgememo/table-5-1.toml",
            ),
            (
                "all of them, with every cell and every reason on one page",
                "tribunal verify experiments/judgememo --write audit.md",
            ),
        ],
    },
    About {
        verb: "report",
        more: "All results must be cached: nothing is run and no model is called.",
        examples: &[(
            "after a title, a format or a figure was changed",
            "tribunal report experiments/quickstart.toml",
        )],
    },
    About {
        verb: "view",
        more: "For runs with more judgements than the page can hold. All results must be cached: \
nothing is run, no model is called, and only this machine can reach the page.",
        examples: &[
            ("until Ctrl-C", "tribunal view experiments/quickstart.toml"),
            (
                "several experiments on one page, always at the same address",
                "tribunal view experiments/judgememo --port 8017",
            ),
        ],
    },
    About {
        verb: "diff",
        more: "A run is named by its report folder, a folder of several, its spec, its `run.json`, \
or a revision in git, where reports are committed.",
        examples: &[
            (
                "what changed since the reports that were committed",
                "tribunal diff HEAD reports/quickstart",
            ),
            (
                "an experiment and one of its ablations, as a page",
                "tribunal diff reports/judges reports/judges/warm --write diff.html",
            ),
        ],
    },
    About {
        verb: "lint",
        more: "",
        examples: &[
            ("one spec", "tribunal lint experiments/quickstart.toml"),
            (
                "all of a folder, warnings counted as errors",
                "tribunal lint experiments/judgememo --strict",
            ),
        ],
    },
    About {
        verb: "show",
        more: "What was taken out of a text is shown as [-so-], what was put in as {+so+}.",
        examples: &[
            (
                "the documents that the experiment makes",
                "tribunal show experiments/quickstart.toml --where length=800",
            ),
            (
                "one of them, with its edits in place",
                "tribunal show experiments/quickstart.toml the-tide-clerk --where length=800 --where damage=typos",
            ),
            (
                "the changed places alone",
                "tribunal show experiments/quickstart.toml the-tide-clerk --where length=800 --where damage=typos --diff",
            ),
        ],
    },
    About {
        verb: "call",
        more: "It makes one call at most; a cached reply is shown without a call.",
        examples: &[
            (
                "the first prompt of the experiment, and its reply",
                "tribunal call experiments/quickstart.toml",
            ),
            (
                "the prompt alone",
                "tribunal call experiments/quickstart.toml the-tide-clerk --where length=800 --dry-run",
            ),
        ],
    },
    About {
        verb: "import",
        more: "",
        examples: &[(
            "documents, outputs and prompts of the thesis",
            "tribunal import judgememo ../JudgeMemo",
        )],
    },
    About {
        verb: "import inspect",
        more: "Writes answers.jsonl, what was judged, and judgements.jsonl, what each scorer said of it: columns `verdict`, \
`value`, `no_value` (why there is none) and `reply`, the words of the scorer.",
        examples: &[(
            "all logs of a folder",
            "tribunal import inspect logs/a.eval logs/b.eval",
        )],
    },
    About {
        verb: "import promptfoo",
        more: "The same two tables; each assertion is a judge, and `all` stands for them together.",
        examples: &[("an export", "tribunal import promptfoo results.json")],
    },
    About {
        verb: "import lm-eval",
        more: "The same two tables; each metric is a judge. The task is read off the name of the file, the model off that \
of its folder.",
        examples: &[(
            "the samples of a task",
            "tribunal import lm-eval results/model/samples_task_2026-01-01T00-00-00.jsonl",
        )],
    },
    About {
        verb: "import judgememo",
        more: "Writes documents.parquet and responses.parquet, the prompts as templates, and \
problems.csv, the list of files that are damaged, missing or not recognised; everything else is imported.\n\n\
The data are (c) 2025 Hermine Kleiner, CC BY-NC-SA 4.0; `git clone https://github.com/hkleiner/JudgeMemo.git` \
fetches them.",
        examples: &[
            (
                "into the project here",
                "tribunal import judgememo ../JudgeMemo",
            ),
            (
                "somewhere else",
                "tribunal import judgememo ../JudgeMemo --into data/judgememo",
            ),
        ],
    },
    About {
        verb: "schema",
        more: "Editors complete and check specs whose first line is \
`#:schema tribunal.schema.json`.",
        examples: &[(
            "for editors, beside the specs",
            "tribunal schema > tribunal.schema.json",
        )],
    },
    About {
        verb: "init",
        more: "Writes a spec that runs at once, its template, tribunal.local.toml for what belongs to this machine, and a \
.gitignore. Data stays where it is.",
        examples: &[
            ("in a new folder", "tribunal init my-experiment"),
            ("in this one", "tribunal init"),
            (
                "on your answers, in a csv or a jsonl",
                "tribunal init judged --from answers.csv",
            ),
            (
                "pairs that people compared, judged by a model of yours",
                "tribunal init duels --from pairs.jsonl --pairs=one,other --ratings=winner --server http://127.0.0.1:8000/v1 --model qwen3-32b",
            ),
            (
                "with small data to begin with",
                "tribunal init tried --data csv --pairs --ratings",
            ),
        ],
    },
    About {
        verb: "new",
        more: "The lines are written at the end of the spec, which is checked with them first; nothing is run.",
        examples: &[
            (
                "a second judge of the same documents",
                "tribunal new judge my-experiment/experiments/first.toml strict",
            ),
            (
                "a table of statistics that are there",
                "tribunal new table my-experiment/experiments/first.toml again --from scores",
            ),
            (
                "a figure of them",
                "tribunal new figure my-experiment/experiments/first.toml drawn",
            ),
        ],
    },
    About {
        verb: "bundle",
        more: "The archive holds specs, templates, results and replies. The texts that were \
judged are left out by default.",
        examples: &[
            (
                "one finished experiment",
                "tribunal bundle experiments/quickstart.toml",
            ),
            (
                "a whole paper, without the replies of models",
                "tribunal bundle experiments/judgememo --output paper.tar.zst --without-replies",
            ),
        ],
    },
    About {
        verb: "unbundle",
        more: "",
        examples: &[
            (
                "to a folder with the archive's name",
                "tribunal unbundle quickstart.tar.zst",
            ),
            (
                "elsewhere",
                "tribunal unbundle quickstart.tar.zst --into somewhere",
            ),
        ],
    },
    About {
        verb: "gc",
        more: "Without `--delete` it only prints what would be removed.",
        examples: &[
            (
                "what none of these specs needs",
                "tribunal gc experiments/quickstart.toml",
            ),
            (
                "what was not used for a month",
                "tribunal gc --older 30d --delete",
            ),
            (
                "the oldest, until no more than two gigabytes are left",
                "tribunal gc --size 2G --delete",
            ),
        ],
    },
    About {
        verb: "completions",
        more: "",
        examples: &[
            (
                "bash",
                "tribunal completions bash > ~/.local/share/bash-completion/completions/tribunal",
            ),
            (
                "zsh, in a folder of $fpath",
                "tribunal completions zsh > ~/.zfunc/_tribunal",
            ),
            (
                "fish",
                "tribunal completions fish > ~/.config/fish/completions/tribunal.fish",
            ),
        ],
    },
    About {
        verb: "man",
        more: "",
        examples: &[
            ("to look at it", "tribunal man | man -l -"),
            ("that of a command", "tribunal man run | man -l -"),
            (
                "for `man tribunal` and `man tribunal-run`",
                "tribunal man --into ~/.local/share/man/man1",
            ),
        ],
    },
];

/// What there is to know of a verb.
pub(super) fn about(verb: &str) -> Option<&'static About> {
    ABOUT.iter().find(|about| about.verb == verb)
}

/// Examples as help shows them: what each does, and below it how it is typed.
pub(super) fn shown(examples: &[(&str, &str)], width: usize) -> String {
    let lines = examples
        .iter()
        .map(|(what, typed)| format!("  # {what}\n  {}", folded(typed, width)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A command in lines that fit, as a shell takes them: broken before a flag or a redirection, with a backslash at the end.
pub(super) fn folded(typed: &str, width: usize) -> String {
    // Two blanks in front, a blank and the backslash at the end.
    let room = width.saturating_sub(4);
    let mut lines = vec![String::new()];
    let parts = typed.replace(" --", "\n--").replace(" > ", "\n> ");
    for part in parts.split('\n') {
        let Some(line) = lines.last_mut() else {
            continue;
        };
        if line.is_empty() {
            line.push_str(part);
        } else if line.len() + 1 + part.len() <= room {
            line.push(' ');
            line.push_str(part);
        } else {
            line.push_str(" \\");
            lines.push(format!("    {part}"));
        }
    }
    lines.join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_broken_before_a_flag() {
        assert_eq!(
            folded("tribunal gc --older 1d", 80),
            "tribunal gc --older 1d"
        );
        let long = "tribunal run experiments/quickstart.toml --only table.effect --set stats.effect.correct=holm";
        assert_eq!(
            folded(long, 80),
            "tribunal run experiments/quickstart.toml --only table.effect \\\n      --set stats.effect.correct=holm"
        );
    }
}
