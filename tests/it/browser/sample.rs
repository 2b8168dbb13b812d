//! Pages made without a run: as large as one likes, or with texts that no experiment would hold.

use std::path::PathBuf;

use tribunal::output::page::store::{
    Builder, Cell, Column, Document, Edit, Holds, Issue, Message, Part, Reply, Row, Score, Store,
    Text,
};
use tribunal::output::page::{Experiment, Mode, Page, Table, render};

/// Words of which texts are made; enough of them that the texts do not compress to nothing.
const WORDS: &str = "the ferry left at noon and nobody had counted sheep twice she walked home slowly because \
    rope was wet he waited by mill until lamp went out over harbour where surveyor drew his winter map of every field \
    that river took from orchard behind old glass works whose furnace cold since spring kept only ash letters quill \
    street came late in rain with names no clerk could read again though tide tables hung beside door";

/// The same numbers wherever and whenever: a linear congruential generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn words(&mut self, count: usize) -> String {
        let all: Vec<&str> = WORDS.split_whitespace().collect();
        let mut text = String::new();
        for number in 1..=count {
            text.push_str(all[self.roll(all.len())]);
            // Odd numbers, so that no two texts are the same for long.
            if number % 23 == 0 {
                text.push(' ');
                text.push_str(&self.roll(100_000).to_string());
            }
            text.push_str(match number {
                _ if number % 90 == 0 => ".\n\n",
                _ if number % 13 == 0 => ". ",
                _ => " ",
            });
        }
        text
    }
}

fn columns() -> Vec<Column> {
    let column = |name: &str, numbers| Column {
        name: name.to_owned(),
        holds: if numbers {
            Holds::Numbers
        } else {
            Holds::Choices
        },
        optional: false,
    };
    vec![
        column("judge", false),
        column("model", false),
        column("task", false),
        column("doc_id", false),
        column("metric", false),
        column("score", true),
        column("unscored", false),
        column("issues", true),
    ]
}

/// A text and what a judge said of it.
pub(crate) struct Case<'t> {
    pub(crate) model: &'t str,
    pub(crate) task: &'t str,
    pub(crate) id: &'t str,
    pub(crate) text: &'t str,
    /// The bytes of the text that are an edit, and what stood there.
    pub(crate) edit: Option<(std::ops::Range<usize>, &'t str)>,
    pub(crate) reply: &'t str,
    pub(crate) label: &'t str,
    pub(crate) issue: &'t str,
    pub(crate) score: Option<f64>,
}

/// Adds two judgements, fluency and coherence, of one reply.
pub(crate) fn judged(builder: &mut Builder, case: &Case<'_>) {
    let units = |byte: usize| case.text[..byte].encode_utf16().count();
    let edits = case.edit.iter().map(|(place, original)| Edit {
        kind: case.task,
        start: units(place.start),
        end: units(place.end),
        original,
        text: &case.text[place.clone()],
    });
    let document = builder.document(&Document {
        id: case.id,
        label: format!("{} · {}", case.id, case.task),
        text: Some(Text::new(case.text)),
        facts: vec![("title".to_owned(), case.id.to_owned())],
        edits: edits.collect(),
        ..Document::default()
    });
    let prompt = [Message {
        role: "user",
        parts: vec![
            Part::Text(format!("Grade {} for {}: ", case.id, case.model)),
            Part::Document,
        ],
    }];
    let quoted = case
        .edit
        .iter()
        .map(|(place, _)| [units(place.start), units(place.end)]);
    let metrics = ["fluency", "coherence"];
    let reason = case.score.is_none().then_some("no_score");
    let reply = Reply {
        prompt: Some(&prompt),
        reply: Some(case.reply),
        finish: Some("stop"),
        facts: vec![("model", case.model.to_owned())],
        scores: metrics
            .iter()
            .map(|metric| Score {
                about: None,
                item: None,
                metric,
                score: case.score,
                says: None,
                unscored: reason,
                detail: None,
                contradicted: false,
                spans: Vec::new(),
            })
            .collect(),
        issues: vec![Issue {
            metric: Some("fluency"),
            label: Some(case.label),
            text: case.issue,
            spans: Vec::new(),
            quotes: quoted.collect(),
        }],
        ..Reply::default()
    };
    let reply = builder.reply(Some(&reply.pack()));
    for metric in metrics {
        let score = case.score.map_or(Cell::None, Cell::Number);
        let cells = [
            Cell::Text("graded"),
            Cell::Text(case.model),
            Cell::Text(case.task),
            Cell::Text(case.id),
            Cell::Text(metric),
            score,
            Cell::from(reason),
            Cell::Number(1.0),
        ];
        builder.row(Row {
            rank: 0,
            cells: &cells,
            document: Some(document),
            reply,
        });
    }
}

/// A store of so many judgements: replies of `reply` words about stories of `story` words, by eight models, at four tasks,
/// half of the stories damaged.
pub(crate) fn large(judgements: usize, story: usize, reply: usize) -> (Store, Vec<u8>) {
    let mut dice = Dice(1);
    let mut builder = Builder::new(columns(), Vec::new(), None);
    let tasks = ["none", "typos", "tenses", "foreign"];
    let models: Vec<String> = (1..=8).map(|number| format!("model-{number}")).collect();
    let replies = judgements / 2;
    let stories = replies.div_ceil(models.len());
    for number in 0..stories {
        let text = dice.words(story);
        let id = format!("story-{:04}", number / tasks.len());
        let start = text.find(' ').unwrap() + 1;
        let place = start..start + 20;
        let place = text.ceil_char_boundary(place.start)..text.ceil_char_boundary(place.end);
        for model in models.iter().take(replies - number * models.len()) {
            let score = 1.0 + dice.roll(9) as f64 / 2.0;
            judged(
                &mut builder,
                &Case {
                    model,
                    task: tasks[number % tasks.len()],
                    id: &id,
                    text: &text,
                    edit: (number % 2 == 1).then(|| (place.clone(), "as it was")),
                    reply: &dice.words(reply),
                    label: "SPELLING",
                    issue: "a word is not one",
                    score: (dice.roll(20) > 0).then_some(score),
                },
            );
        }
    }
    builder.build().unwrap()
}

/// So many letters without a blank, which take nearly as much room packed.
pub(crate) fn noise(seed: u64, letters: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut dice = Dice(seed);
    (0..letters)
        .map(|_| char::from(LETTERS[dice.roll(LETTERS.len())]))
        .collect()
}

/// A small store of these cases.
pub(crate) fn of(cases: &[Case<'_>]) -> (Store, Vec<u8>) {
    let mut builder = Builder::new(columns(), Vec::new(), None);
    for case in cases {
        judged(&mut builder, case);
    }
    builder.build().unwrap()
}

/// A store of judgements with more columns than a window has room for, of which each has a value in two.
pub(crate) fn wide() -> (Store, Vec<u8>) {
    let column = |name: String| Column {
        name,
        holds: Holds::Choices,
        optional: false,
    };
    let axes = (1..=20).map(|number| column(format!("a long axis {number}")));
    let mut builder = Builder::new(
        axes.chain([column("doc_id".to_owned())]).collect(),
        Vec::new(),
        None,
    );
    for (axis, (id, value)) in
        (0..20).flat_map(|axis| [(axis, ("one", "north")), (axis, ("two", "south"))])
    {
        let mut cells = [Cell::None; 21];
        (cells[axis], cells[20]) = (Cell::Text(value), Cell::Text(id));
        builder.row(Row {
            rank: 0,
            cells: &cells,
            document: None,
            reply: None,
        });
    }
    builder.build().unwrap()
}

/// A page with one small table, in which every text that a page may hold is `text`.
pub(crate) fn page(text: &str) -> Page {
    let table = Table {
        name: "scores".to_owned(),
        title: text.to_owned(),
        html: "<div class=\"report-table\"><table><thead><tr><th scope=\"col\">metric</th><th scope=\"col\">mean</th></tr></thead>\
            <tbody><tr><th scope=\"row\">fluency</th><td>4.50</td></tr><tr><th scope=\"row\">coherence</th><td>3.25</td></tr></tbody></table></div>"
            .to_owned(),
        latex: text.to_owned(),
        csv: text.to_owned(),
        ..Table::default()
    };
    Page {
        title: text.to_owned(),
        experiments: vec![Experiment {
            name: "sample".to_owned(),
            title: text.to_owned(),
            tables: vec![table],
            ..Experiment::default()
        }],
        facts: vec![(text.to_owned(), text.to_owned())],
        records: vec![(text.to_owned(), text.to_owned())],
        ..Page::default()
    }
}

/// The page as a file; the folder goes with what is handed back.
pub(crate) fn file(page: &Page, (store, kept): &(Store, Vec<u8>)) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.html");
    let mut bytes = Vec::new();
    render(page, (store, &mut kept.clone()), Mode::File, &mut bytes).unwrap();
    fs_err::write(&path, bytes).unwrap();
    (folder, path)
}
