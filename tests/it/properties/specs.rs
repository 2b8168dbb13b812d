//! Random specs: stages of every kind that read earlier ones, under random axes.
//!
//! They are correct by construction, so the check must accept them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tribunal::models::template::Templates;
use tribunal::spec::{Input, Layers, Spec, Style, TemplateFiles, check};

/// A spec as sections with lines, so that both can be put in another order.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// `[kind.name]` and the lines under it.
    sections: Vec<(String, Vec<String>)>,
}

impl Text {
    /// The spec with its sections, and the lines within each, in the order that numbers give. The axes keep theirs:
    /// it is the order of the rows.
    pub(super) fn written(&self, order: &[u32]) -> String {
        let mut numbers = order.iter().cycle().copied();
        let mut next = || numbers.next().unwrap_or(0);
        let mut sections: Vec<(u32, String)> = Vec::new();
        for (head, lines) in &self.sections {
            let mut lines: Vec<(u32, &String)> = lines.iter().map(|line| (next(), line)).collect();
            if head != "[axes]" {
                lines.sort();
            }
            let body: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
            sections.push((next(), format!("{head}\n{}\n", body.join("\n"))));
        }
        sections.sort();
        let texts: Vec<String> = sections.into_iter().map(|(_, text)| text).collect();
        texts.join("\n")
    }

    /// The spec in the order in which it was made.
    pub(super) fn plain(&self) -> String {
        self.written(&[0])
    }
}

/// Choices from which a spec is made: each is taken modulo what there is to choose from.
pub(super) fn spec() -> impl Strategy<Value = Text> {
    let documents = prop::collection::vec((any::<u8>(), any::<u8>(), any::<bool>()), 0..6);
    let judges = prop::collection::vec((any::<u8>(), any::<bool>()), 1..4);
    let statistics = prop::collection::vec((any::<u8>(), any::<u8>()), 1..4);
    (documents, judges, statistics, any::<u8>()).prop_map(
        |(documents, judges, statistics, table)| made(&documents, &judges, &statistics, table),
    )
}

fn made(
    documents: &[(u8, u8, bool)],
    judges: &[(u8, bool)],
    statistics: &[(u8, u8)],
    table: u8,
) -> Text {
    let section = |head: String, lines: &[String]| (format!("[{head}]"), lines.to_vec());
    let mut axes = Vec::new();
    let mut sections = vec![section(
        "source.docs".into(),
        &["files = \"docs.csv\"".into()],
    )];
    let mut names = vec!["docs".to_owned()];
    for (index, (from, what, axis)) in documents.iter().enumerate() {
        let name = format!("d{index}");
        let from = format!("from = {:?}", names[usize::from(*from) % names.len()]);
        if what % 2 == 0 {
            let lines = [from, "tokens = \"full\"".into()];
            sections.push(section(format!("truncate.{name}"), &lines));
            if *axis {
                let of = format!("\"truncate.{name}.tokens\"");
                axes.push(format!(
                    "a{index} = {{ set = {of}, values = [10, \"full\"] }}"
                ));
            }
        } else {
            let lines = [
                from,
                format!("sample = {}", what % 5 + 1),
                "where = \"year > 1900\"".into(),
            ];
            sections.push(section(format!("select.{name}"), &lines));
            if *axis {
                let of = format!("\"select.{name}.sample\"");
                axes.push(format!("a{index} = {{ set = {of}, values = [1, 2, 3] }}"));
            }
        }
        names.push(name);
    }
    for (index, (from, axis)) in judges.iter().enumerate() {
        let name = format!("j{index}");
        let from = format!("from = {:?}", names[usize::from(*from) % names.len()]);
        let lines = [
            from,
            "model = \"heuristic\"".into(),
            "prompt = \"p\"".into(),
        ];
        sections.push(section(format!("judge.{name}"), &lines));
        if *axis {
            let of = format!("\"judge.{name}.scale.step\"");
            axes.push(format!("r{index} = {{ set = {of}, values = [0, 0.5] }}"));
        }
    }
    for (index, (from, second)) in statistics.iter().enumerate() {
        let judge =
            |number: &u8| format!("{:?}", format!("j{}", usize::from(*number) % judges.len()));
        let mut from = vec![judge(from), judge(second)];
        from.dedup();
        let lines = [
            format!("from = [{}]", from.join(", ")),
            "level = 0.9".into(),
        ];
        sections.push(section(format!("stats.s{index}"), &lines));
    }
    let from = usize::from(table) % statistics.len();
    let lines = [
        format!("from = \"s{from}\""),
        "rows = [\"metric\"]".into(),
        "columns = []".into(),
    ];
    sections.push(section("table.t".into(), &lines));
    sections.push(section("axes".into(), &axes));
    Text { sections }
}

/// The checked spec, or everything that is wrong with it.
pub(super) fn checked(text: &[u8], sets: &[String]) -> Result<Spec, String> {
    let templates = BTreeMap::from([("p".to_owned(), "{{ text }} fluency coherence".to_owned())]);
    let templates = Templates::new(templates);
    let templates = TemplateFiles {
        templates,
        sources: BTreeMap::new(),
        unreadable: BTreeMap::new(),
    };
    let input = Input {
        spec: PathBuf::from("x.toml"),
        sets: sets.to_vec(),
        ..Input::default()
    };
    let read = |path: &Path| {
        if path == Path::new("x.toml") {
            Ok(text.to_vec())
        } else {
            Err(io::Error::from(io::ErrorKind::NotFound))
        }
    };
    let layers = Layers::load(input, &read, &|_| Vec::new())
        .map_err(|(sources, problems)| problems.render(&sources, Style::default()))?;
    let (spec, problems) = check(&layers, "x", &templates, Path::new(""));
    spec.ok_or_else(|| problems.render(layers.sources(), Style::default()))
}
