//! The layout of the repository: what a file's path says of its content.
//!
//! Pure functions from paths to keys. Models, prompts, settings, lengths and tasks are taken as they
//! are written; nothing depends on which there are.

/// What one output is of: the columns of `responses.parquet` that form its key.
///
/// The order of the fields is the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) document: Document,
    pub(super) stage: Stage,
    /// Of a section and its summary, from 1.
    pub(super) section: Option<i16>,
    /// The result folder of the memory judge; empty elsewhere.
    pub(super) variant: String,
    /// How the memory judge was set; empty elsewhere.
    pub(super) settings: String,
    /// The prompt's version.
    pub(super) prompt: String,
}

/// What was judged, and by whom: rows of one document stand together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Document {
    pub(super) suite: Suite,
    pub(super) model: String,
    pub(super) doc_id: String,
    pub(super) length: String,
    /// `gold`, or the number of a manipulation.
    pub(super) task: String,
    /// The structural unit that was manipulated, where the path has one.
    pub(super) unit: String,
    /// The experiment's number.
    pub(super) exp: i16,
}

/// Which experiments an output belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Suite {
    JudgeMemo,
    Matrix,
    Prompts,
    Vanilla,
}

impl Suite {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::JudgeMemo => "judgememo",
            Self::Matrix => "matrix",
            Self::Prompts => "prompts",
            Self::Vanilla => "vanilla",
        }
    }
}

/// What kind of text an output is, in the order in which the memory judge makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    SectionSummary,
    Section,
    Memory,
    Report,
    Final,
}

impl Stage {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SectionSummary => "section_summary",
            Self::Section => "section",
            Self::Memory => "memory",
            Self::Report => "report",
            Self::Final => "final",
        }
    }

    /// Whether it is a model's reply, which ends with how it ended.
    pub(super) fn is_reply(self) -> bool {
        matches!(self, Self::Section | Self::Final)
    }
}

/// The folder of vanilla judgements, prompt series and matrix.
pub(super) const PLAIN: &str = "experiments";

/// The folder of the memory judge's runs.
pub(super) const MEMORY: &str = "experiments_JM";

/// Rendered prompts, which are no outputs.
pub(super) const RENDERED: [&str; 2] = ["experiments/full_prompts", "experiments_JM/full_prompts"];

/// The output a path names; the experiment's number is `None` where the path has none, which is so for
/// all but final judgements.
pub(super) fn output(path: &str) -> Option<(Key, Option<i16>)> {
    let steps: Vec<&str> = path.split('/').collect();
    let (root, model, rest) = match steps.as_slice() {
        [root, model, rest @ ..] => (*root, *model, rest),
        _ => return None,
    };
    let (suite, variant, settings, prompt, rest) = match (root, rest) {
        (PLAIN, [run, rest @ ..]) => {
            let (suite, prompt) = plain_run(run)?;
            (suite, "", "", prompt, rest)
        }
        (MEMORY, [run, settings, rest @ ..]) => {
            (Suite::JudgeMemo, *run, *settings, memory_run(run)?, rest)
        }
        _ => return None,
    };
    let (sample, rest) = rest.split_first()?;
    let (gold, length) = sample_length(sample)?;
    let (task, unit, rest) = if gold {
        ("gold", "", rest)
    } else {
        manipulation(rest)?
    };
    let file = file(rest)?;
    if file.stage != Stage::Final && suite != Suite::JudgeMemo {
        return None;
    }
    let key = Key {
        document: Document {
            suite,
            model: model.to_owned(),
            doc_id: file.doc_id.to_owned(),
            length: length.to_owned(),
            task: task.to_owned(),
            unit: unit.to_owned(),
            exp: file.exp.unwrap_or(1),
        },
        stage: file.stage,
        section: file.section,
        variant: variant.to_owned(),
        settings: settings.to_owned(),
        prompt: prompt.to_owned(),
    };
    Some((key, file.exp))
}

/// Suite and prompt of a folder below `experiments/<MODEL>`.
fn plain_run(run: &str) -> Option<(Suite, &str)> {
    let suites = [
        ("project_gutenberg_", Suite::Vanilla),
        ("sub_sample_", Suite::Matrix),
        ("test_", Suite::Prompts),
    ];
    suites
        .into_iter()
        .find_map(|(start, suite)| Some((suite, run.strip_prefix(start)?)))
        .filter(|(_, prompt)| !prompt.is_empty())
}

/// The prompt of a folder below `experiments_JM/<MODEL>`: what follows the name of the data and is not
/// said of the context.
fn memory_run(run: &str) -> Option<&str> {
    let (_, prompt) = run.split_once('_')?;
    let prompt = prompt.strip_suffix("_context").unwrap_or(prompt);
    (!prompt.is_empty()).then_some(prompt)
}

/// Whether a folder holds gold texts (else manipulated ones), and of which length: `gold_pg-1900_full`,
/// `manipulated_sanity_1000`, `gold_full_20`.
pub(super) fn sample_length(folder: &str) -> Option<(bool, &str)> {
    let (gold, sample) = match folder.strip_prefix("gold_") {
        Some(sample) => (true, sample),
        None => (false, folder.strip_prefix("manipulated_")?),
    };
    let (head, tail) = sample.rsplit_once('_')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (head, tail) {
        // Here the number counts documents.
        ("full", _) => Some((gold, "full")),
        (_, length) if length == "full" || number(length) => Some((gold, length)),
        _ => None,
    }
}

/// Task and unit of `<metric>/<category>/<task>[/<unit>]`, and the steps that follow.
pub(super) fn manipulation<'p, 's>(
    steps: &'s [&'p str],
) -> Option<(&'p str, &'p str, &'s [&'p str])> {
    let [_, _, task, rest @ ..] = steps else {
        return None;
    };
    // A unit is a folder, and no folder of the memory judge's.
    let folders = ["sec_evaluations", "memory", "reports"];
    match rest {
        [unit, _, ..] if !folders.contains(unit) && !unit.starts_with("exp_") => {
            Some((*task, *unit, &rest[1..]))
        }
        _ => Some((*task, "", rest)),
    }
}

/// What the last steps of an output's path say.
struct File<'p> {
    stage: Stage,
    section: Option<i16>,
    doc_id: &'p str,
    exp: Option<i16>,
}

fn file<'p>(steps: &[&'p str]) -> Option<File<'p>> {
    let whole = |stage, doc_id| File {
        stage,
        section: None,
        doc_id,
        exp: None,
    };
    let file = match steps {
        [name] => {
            let (exp, doc_id) = name
                .strip_prefix("eval_exp_")?
                .strip_suffix(".txt")?
                .split_once('_')?;
            File {
                exp: Some(exp.parse().ok()?),
                ..whole(Stage::Final, doc_id)
            }
        }
        ["sec_evaluations", folder, name] => {
            let number = name.strip_prefix("section_")?.strip_suffix(".txt")?;
            File {
                section: Some(number.parse().ok()?),
                ..whole(Stage::Section, folder.strip_prefix("sec_evaluation_")?)
            }
        }
        ["memory", name] => {
            let doc_id = name.strip_prefix("memory_file-")?.strip_suffix(".json")?;
            whole(Stage::Memory, doc_id)
        }
        ["reports", name] => {
            let name = name.strip_prefix("report_file-")?;
            let doc_id = name
                .strip_suffix(".txt")
                .or_else(|| name.strip_suffix(".json"))?;
            whole(Stage::Report, doc_id)
        }
        _ => return None,
    };
    is_document(file.doc_id).then_some(file)
}

/// Whether a name is a document's: `JM-<Gutenberg number>`.
pub(super) fn is_document(name: &str) -> bool {
    name.strip_prefix("JM-")
        .is_some_and(|rest| !rest.is_empty())
}

/// The metric that a manipulation aims at, by its first folder.
pub(super) fn metric(folder: &str) -> Option<&'static str> {
    match folder {
        "F" => Some("fluency"),
        "C" => Some("coherence"),
        _ => None,
    }
}

/// The order of lengths among documents: the whole text first, then by number.
pub(super) fn length_order(length: &str) -> (bool, u64) {
    (length != "full", length.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str) -> String {
        let Some((key, exp)) = output(path) else {
            return "nothing".to_owned();
        };
        let of = &key.document;
        [
            of.suite.name(),
            &of.model,
            &key.variant,
            &key.settings,
            &key.prompt,
            &of.length,
            &of.task,
            &of.unit,
            &exp.map_or(String::new(), |exp| exp.to_string()),
            &of.doc_id,
            key.stage.name(),
            &key.section.map_or(String::new(), |n| n.to_string()),
        ]
        .join("|")
    }

    #[test]
    fn a_path_says_what_an_output_is_of() {
        let memory = "experiments_JM/M/JM-sub-sample_v6-3_context/sr-2000_sor-0.1";
        for (path, key) in [
            (
                "experiments/A_THINK/project_gutenberg_v6-3/gold_pg-1900_full/eval_exp_1_JM-7.txt"
                    .to_owned(),
                "vanilla|A_THINK|||v6-3|full|gold||1|JM-7|final|",
            ),
            (
                "experiments/A/test_v5-8_fluency/manipulated_test_2000/C/1/17/paragraph/eval_exp_5_JM-7.txt"
                    .to_owned(),
                "prompts|A|||v5-8_fluency|2000|17|paragraph|5|JM-7|final|",
            ),
            (
                "experiments/A/sub_sample_v1/manipulated_full_20/F/4/41/eval_exp_11_JM-7.txt"
                    .to_owned(),
                "matrix|A|||v1|full|41||11|JM-7|final|",
            ),
            (
                format!("{memory}/gold_pg-1900_2000/sec_evaluations/sec_evaluation_JM-7/section_12.txt"),
                "judgememo|M|JM-sub-sample_v6-3_context|sr-2000_sor-0.1|v6-3|2000|gold|||JM-7|section|12",
            ),
            (
                format!("{memory}/manipulated_pg-1900_2000/F/4/41/memory/memory_file-JM-7.json"),
                "judgememo|M|JM-sub-sample_v6-3_context|sr-2000_sor-0.1|v6-3|2000|41|||JM-7|memory|",
            ),
            (
                format!("{memory}/manipulated_pg-1900_2000/C/3/32/document/reports/report_file-JM-7.json"),
                "judgememo|M|JM-sub-sample_v6-3_context|sr-2000_sor-0.1|v6-3|2000|32|document||JM-7|report|",
            ),
        ] {
            assert_eq!(shown(&path), key, "{path}");
        }
    }

    #[test]
    fn a_path_that_says_something_else_is_nothing() {
        for path in [
            "experiments/scores.csv",
            "experiments/A/project_gutenberg_v6-3/gold_pg-1900_full/notes.txt",
            "experiments/A/project_gutenberg_v6-3/gold_pg-1900_long/eval_exp_1_JM-7.txt",
            "experiments/A/project_gutenberg_v6-3/gold_pg-1900_full/eval_exp_x_JM-7.txt",
            "experiments/A/project_gutenberg_v6-3/gold_pg-1900_full/eval_exp_1_PG-7.txt",
            "experiments/A/other_v6-3/gold_pg-1900_full/eval_exp_1_JM-7.txt",
            "experiments/A/project_gutenberg_v6-3/manipulated_pg-1900_full/F/4/eval_exp_1_JM-7.txt",
            // Only the memory judge has sections.
            "experiments/A/test_v1/gold_test_full/memory/memory_file-JM-7.json",
        ] {
            assert_eq!(shown(path), "nothing", "{path}");
        }
    }
}
