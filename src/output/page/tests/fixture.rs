//! A page as a run would make it: tables, drawings, an audit, stages, warnings, judgements, and texts that mean harm.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use serde_json::{Value, json};

use crate::output::page::store::{Builder, Cell, Column, Holds, Row};
use crate::output::page::{
    Audit, Chunk, Experiment, Figure, Grade, Graph, Page, Stage, State, Store, Table, Warning,
};

/// Texts that try to be more than texts.
pub(crate) const HOSTILE: [&str; 6] = [
    "<script>document.title = 'owned'</script>",
    "</style></template></pre></script><b>bold</b>",
    "<img src=x onerror=\"document.title='owned'\">",
    "abc \u{202e}txt.exe\u{2066} def \u{200b}|\u{feff}|",
    "\u{1b}[31mred\u{1b}[0m \u{0}\u{0}\u{0}\u{7} bell",
    "{{ 7 * 7 }} {% raw %} ${alert(1)} &amp; &lt; שלום עולם مرحبا",
];

/// A page of one experiment, or of many.
pub(crate) fn page(experiments: usize) -> Page {
    let names: Vec<String> = (0..experiments)
        .map(|at| match at {
            0 => "quickstart".to_owned(),
            at => format!("memory-{at}"),
        })
        .collect();
    let several = experiments > 1;
    let mut warnings: Vec<Warning> = (0..36)
        .map(|at| Warning {
            grade: if at < 14 { Grade::Warning } else { Grade::Note },
            subject: if at % 3 == 0 { "effect".to_owned() } else { format!("{}manipulate.damaged", front(&names[at % names.len()], several)) },
            text: format!("{} of 48 documents have too few sentences for 10 % of `verb-tenses`: not applicable", at + 1),
        })
        .collect();
    for text in [
        "2 printed values are not reproduced and no reason is given",
        "12 of 96 replies have no score that could be read",
    ] {
        warnings.insert(
            0,
            Warning {
                grade: Grade::Error,
                subject: "scores".to_owned(),
                text: text.to_owned(),
            },
        );
    }
    warnings.push(Warning {
        grade: Grade::Note,
        subject: HOSTILE[3].to_owned(),
        text: HOSTILE[0].to_owned(),
    });
    Page {
        title: "Six stories, whole and cut to 800 words, and damaged in three ways".to_owned(),
        outcome: [
            (
                names.len().to_string().as_str(),
                if several { "experiments" } else { "experiment" },
            ),
            ("2,000", "judgements"),
            ("37", "unscored"),
            ("61 of 64", "printed cells reproduced"),
        ]
        .map(|(number, words)| (number.to_owned(), words.to_owned()))
        .to_vec(),
        warnings,
        experiments: names.iter().map(|name| experiment(name, several)).collect(),
        graph: Graph {
            stages: names
                .iter()
                .enumerate()
                .flat_map(|(at, name)| stages(front(name, several).as_str(), 12 * at))
                .collect(),
        },
        facts: vec![
            ("tribunal".to_owned(), "0.1.0".to_owned()),
            ("started".to_owned(), "2026-11-22 11:56:02 UTC".to_owned()),
            ("models".to_owned(), HOSTILE[2].to_owned()),
        ],
        records: names
            .iter()
            .map(|name| (format!("{name}/run.json"), record(name)))
            .collect(),
        elsewhere: None,
    }
}

fn front(name: &str, several: bool) -> String {
    if several {
        format!("{name}/")
    } else {
        String::new()
    }
}

fn record(name: &str) -> String {
    let value = json!({ "experiment": name, "tribunal": "0.1.0", "git": null, "spec": { "title": HOSTILE[1], "seed": 7 } });
    serde_json::to_string_pretty(&value).unwrap()
}

fn experiment(name: &str, several: bool) -> Experiment {
    Experiment {
        name: name.to_owned(),
        title: if several { format!("What a memory of {name} changes in the scores of long stories") } else { "Six stories".to_owned() },
        asked: vec!["heuristic scores fluency, 1 to 5 \u{b7} damage: none, typos".to_owned()],
        tables: vec![
            table("scores", "Scores of the stories as they are", 3, 2, 1),
            table("effect", "Change of the score by damage", 8, 6, 2),
            Table { variant: "no-cut".to_owned(), ..table("effect", "Change of the score by damage", 40, 16, 2) },
        ],
        figures: vec![figure("t-statistics", "t-statistics by task and model"), figure("means", "Means per prompt")],
        audits: vec![Audit {
            name: "scores".to_owned(),
            title: "Scores of the stories as they are".to_owned(),
            sentence: "61 of 64 printed cells are reproduced to the printed digit; 1 differs for a reason that is given; 2 are open.".to_owned(),
            html: audit(),
            open: 2,
        }],
        files: vec!["rows.parquet".to_owned(), format!("{}/rows.csv", HOSTILE[0])],
    }
}

/// A table in the form of `report::html`.
fn table(name: &str, title: &str, rows: usize, columns: usize, levels: usize) -> Table {
    let mut words = Words(7 + rows as u64);
    let mut html =
        format!("<div class=\"report-table\">\n<table>\n<caption>{title}</caption>\n<thead>\n");
    let groups = columns.div_ceil(2);
    if levels > 1 {
        let _ = write!(
            html,
            "<tr><th scope=\"col\" rowspan=\"2\">damage</th><th scope=\"col\" rowspan=\"2\">model</th>"
        );
        for at in 0..groups {
            let _ = write!(
                html,
                "<th scope=\"colgroup\" colspan=\"2\">first {} words</th>",
                800 * (at + 1)
            );
        }
        html.push_str("</tr>\n<tr>");
    } else {
        html.push_str("<tr><th scope=\"col\">metric</th><th scope=\"col\">model</th>");
    }
    for at in 0..columns {
        let _ = write!(
            html,
            "<th scope=\"col\">{}</th>",
            ["fluency", "coherence"][at % 2]
        );
    }
    html.push_str("</tr>\n</thead>\n<tbody>\n");
    let mut csv = String::from("damage,model,value\n");
    for row in 0..rows {
        let damage = ["typos", "verb tenses", "foreign paragraphs", "none"][row % 4];
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{damage}</th><th scope=\"row\">model-{}</th>",
            row / 4
        );
        for column in 0..columns {
            if (row + column) % 11 == 10 {
                html.push_str(
                    "<td class=\"none\"><abbr title=\"no value\">—</abbr><sup>a</sup></td>",
                );
                continue;
            }
            let value = words.next(500) as f64 / 100.0 - 2.5;
            let stars = ["", "*", "", "***"][words.next(4)];
            let shown = format!("{value:.2}").replace('-', "\u{2212}");
            let _ = write!(
                html,
                "<td>{shown}<sup>{stars}</sup> <span class=\"n\">(24)</span></td>"
            );
            let _ = writeln!(csv, "{damage},model-{},{value}", row / 4);
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n<ul class=\"table-notes\">\n<li><sup>a</sup> no pair is complete</li>\n</ul>\n<p class=\"table-remark\">summed over 12 cells: n = 72, unscored 3, 0 incomplete pairs dropped; 0 cells without a value.</p>\n</div>\n");
    Table {
        name: name.to_owned(),
        variant: String::new(),
        title: title.to_owned(),
        html,
        latex: format!("\\begin{{table}}\n\\caption{{{title}}}\n% 100 % < & >\n\\end{{table}}\n"),
        csv,
    }
}

fn audit() -> String {
    let mut html = String::from(
        "<div class=\"report-table\">\n<table>\n<thead>\n<tr><th scope=\"col\">cell</th><th scope=\"col\">printed</th><th scope=\"col\">ours</th><th scope=\"col\">difference</th></tr>\n</thead>\n<tbody>\n",
    );
    for at in 0..6 {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">model-{at}, fluency</th><td>4.7{at}</td><td>4.7{}</td><td>{}</td></tr>",
            at / 2,
            if at < 2 { "0.00" } else { "\u{2212}0.02" }
        );
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    html
}

fn figure(name: &str, title: &str) -> Figure {
    let mut words = Words(3 + name.len() as u64);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"300\" viewBox=\"0 0 640 300\" font-family=\"sans-serif\" font-size=\"12\"><rect x=\"60\" y=\"110\" width=\"560\" height=\"60\" fill=\"#e5e5e5\"/><line x1=\"60\" y1=\"140\" x2=\"620\" y2=\"140\" stroke=\"#333\"/>",
    );
    for at in 0..12 {
        let (x, y) = (90 + 44 * at, 40 + words.next(200));
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{}\"/><text x=\"{x}\" y=\"285\" text-anchor=\"middle\">task {at}</text>",
            ["#0072b2", "#d55e00", "#009e73"][at % 3]
        );
    }
    svg.push_str("<text x=\"16\" y=\"150\" transform=\"rotate(-90 16 150)\" text-anchor=\"middle\">t</text></svg>");
    Figure {
        name: name.to_owned(),
        variant: String::new(),
        title: title.to_owned(),
        caption: "Each point is a model's paired t-statistic (n = 24 per point, 3 unscored); between the grey lines p ≥ 0.05.".to_owned(),
        svg,
        description: "Points of three models over twelve tasks; most lie outside the band in which nothing is significant.".to_owned(),
        csv: "task,model,t\n0,a,1.5\n".to_owned(),
    }
}

/// Name, kind, what it reads, instances, known ones, rows, seconds, state.
type Line = (
    &'static str,
    &'static str,
    &'static [usize],
    usize,
    usize,
    u64,
    f64,
    State,
);

fn stages(front: &str, first: usize) -> Vec<Stage> {
    let list: [Line; 12] = [
        ("source.stories", "source", &[], 1, 1, 6, 0.02, State::Done),
        (
            "truncate.cut",
            "truncate",
            &[0],
            2,
            2,
            12,
            0.11,
            State::Done,
        ),
        (
            "manipulate.damaged",
            "manipulate",
            &[1, 0],
            8,
            6,
            48,
            3.4,
            State::Done,
        ),
        ("judge.vanilla", "judge", &[2], 8, 0, 96, 812.0, State::Done),
        (
            "judge.memory",
            "judge",
            &[2, 0],
            8,
            3,
            71,
            4_022.0,
            State::Failed,
        ),
        (
            "measure.lengths",
            "measure",
            &[1],
            2,
            2,
            12,
            0.1,
            State::Done,
        ),
        ("stats.scores", "stats", &[3], 1, 0, 16, 0.01, State::Done),
        ("stats.effect", "stats", &[3], 1, 0, 24, 0.02, State::Done),
        (
            "stats.memory-effect-by-length-and-damage",
            "stats",
            &[4, 3],
            1,
            0,
            0,
            0.0,
            State::Skipped,
        ),
        ("table.scores", "table", &[6, 5], 1, 0, 4, 0.0, State::Done),
        ("table.effect", "table", &[7], 1, 0, 12, 0.0, State::Done),
        (
            "figure.t-statistics",
            "figure",
            &[8, 7],
            1,
            0,
            0,
            0.0,
            State::Skipped,
        ),
    ];
    list.into_iter()
        .map(
            |(name, kind, reads, instances, known, rows, seconds, state)| Stage {
                name: format!("{front}{name}"),
                kind: kind.to_owned(),
                reads: reads.iter().map(|read| read + first).collect(),
                instances,
                known,
                rows,
                seconds,
                state,
                notes: if kind == "judge" {
                    vec![
                        "96 scores, 3 unscored".to_owned(),
                        "2 replies were cut".to_owned(),
                    ]
                } else {
                    Vec::new()
                },
            },
        )
        .collect()
}

/// A store of so many judgements (two per reply); the first documents mean harm, the first has a line of `line` letters.
pub(crate) fn store(judgements: usize, line: usize) -> (Store, Vec<u8>) {
    let documents = (judgements / 20).clamp(HOSTILE.len() + 2, 370);
    let replies = judgements / 2;
    let metrics = ["fluency", "coherence"];
    let ids: Vec<String> = (0..documents)
        .map(|at| {
            HOSTILE
                .get(at)
                .map_or_else(|| format!("story-{at}"), |text| (*text).to_owned())
        })
        .collect();
    let (damages, reasons) = (
        ["none", "typos", "verb-tenses", "exchange-content"],
        ["no_score", "not_a_number", "refused", "not_applicable"],
    );
    let of = |row: usize| (row / 2) % documents;
    let rows = 0..judgements;
    let unscored = |row: usize| (row % 53 == 7).then_some(row % reasons.len());
    let score = |row: usize| {
        if unscored(row).is_some() {
            Value::Null
        } else {
            json!((row * 7919 % 9) as f64 / 2.0 + 1.0)
        }
    };
    let columns = [
        "judge", "model", "damage", "length", "seed", "doc_id", "metric", "score", "unscored",
        "issues",
    ];
    let column = |name: &str| Column {
        name: name.to_owned(),
        holds: match name {
            "score" | "issues" => Holds::Numbers,
            _ => Holds::Choices,
        },
        optional: false,
    };
    let mut builder = Builder::new(columns.map(column).to_vec(), Vec::new(), None);
    for row in rows {
        let cells = [
            Cell::Text(["vanilla", "memory"][row / 2 / documents % 2]),
            Cell::Text(["llama-3.1-70b-instruct", "qwen-2.5-72b", "gpt-4o"][row / 2 % 3]),
            Cell::Text(damages[of(row) % 4]),
            Cell::Text(["800", "full"][of(row) / 4 % 2]),
            Cell::Text("7"),
            Cell::Text(&ids[of(row)]),
            Cell::Text(metrics[row % 2]),
            score(row).as_f64().map_or(Cell::None, Cell::Number),
            unscored(row).map(|code| reasons[code]).into(),
            Cell::Number((row / 2 % 3) as f64),
        ];
        builder.row(Row {
            rank: 0,
            cells: &cells,
            document: Some(of(row)),
            reply: Some(row / 2),
        });
    }
    let (mut store, mut kept) = builder.build().unwrap();
    let mut chunk = |name: String, value: &Value| {
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::fast());
        gzip.write_all(value.to_string().as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let (at, length) = (kept.len() as u64, gzip.len());
        store.chunks.push(Chunk { name, at, length });
        kept.extend(gzip);
    };
    let all: Vec<Value> = (0..documents)
        .map(|at| document(at, &ids[at], line))
        .collect();
    for (at, part) in all.chunks(16).enumerate() {
        chunk(format!("documents-{at}"), &json!(part));
    }
    let mut at = 0;
    while at < replies {
        let part: Vec<Value> = (at..(at + 64).min(replies))
            .map(|reply| reply_of(reply, &score, &unscored, &reasons))
            .collect();
        chunk(format!("replies-{}", at / 64), &json!(part));
        at += 64;
    }
    (store, kept)
}

fn reply_of(
    reply: usize,
    score: &dyn Fn(usize) -> Value,
    unscored: &dyn Fn(usize) -> Option<usize>,
    reasons: &[&str],
) -> Value {
    let mut text = String::from("The story is well told, though some sentences break off. ");
    text.push_str(HOSTILE[reply % HOSTILE.len()]);
    text.push('\n');
    let mut scores = Vec::new();
    for (at, metric) in ["fluency", "coherence"].iter().enumerate() {
        let row = 2 * reply + at;
        let _ = write!(text, "{metric}: ");
        let start = units(&text);
        let value = score(row);
        let _ = if value.is_null() {
            write!(text, "n/a")
        } else {
            write!(text, "{value}")
        };
        let reason = unscored(row).map(|code| reasons[code]);
        scores.push(json!({ "metric": metric, "score": value, "unscored": reason, "detail": reason.map(|_| "`n/a` is no number"), "spans": [[start, units(&text)]] }));
        text.push('\n');
    }
    let mut issues = Vec::new();
    for at in 0..reply % 3 {
        let start = units(&text);
        let _ = write!(text, "- issue {}: a word is misspelled", at + 1);
        let metric = ["fluency", "coherence"][at];
        issues.push(json!({ "metric": metric, "label": "spelling", "text": format!("a word is misspelled {}", HOSTILE[at]), "spans": [[start, units(&text)]], "quotes": [[40 + 60 * at, 90 + 60 * at]] }));
        text.push('\n');
    }
    json!({
        "prompt": [
            { "role": "system", "parts": ["You grade stories. Answer with a number from 1 to 5 for each metric."] },
            { "role": "user", "parts": ["Grade this story.\n\n<story>\n", null, "\n</story>\n\nMetrics: fluency, coherence.\n"] },
        ],
        "prompt_note": null,
        "reply": text, "finish": if reply % 17 == 3 { "length" } else { "stop" },
        "facts": [["model", "llama-3.1-70b-instruct"], ["tokens read", "812"], ["tokens written", "64"]],
        "scores": scores, "issues": issues,
    })
}

/// A story of some thousand words with three kinds of edits; or, of the first ones, a text that means harm.
fn document(at: usize, id: &str, line: usize) -> Value {
    let undamaged = at.is_multiple_of(4);
    let mut words = Words(at as u64 + 1);
    let mut text = String::new();
    let mut edits = Vec::new();
    if let Some(hostile) = HOSTILE.get(at) {
        let _ = writeln!(text, "{hostile}\nAnd again: {hostile}");
    }
    if at == 0 {
        text.extend(std::iter::repeat_n("endless ", line / 8));
    }
    // Counted as it goes: only what comes first has letters of two units.
    let mut start = units(&text);
    for _ in 0..18 {
        for sentence in 0..6 {
            for place in 0..9 + words.next(9) {
                let word = WORDS[words.next(WORDS.len())];
                let (kind, original, now) = match words.next(90) {
                    0..3 if !undamaged => (
                        "typos",
                        word.to_owned(),
                        format!("{}{}", &word[1..], &word[..1]),
                    ),
                    3 if !undamaged => (
                        "exchange-content",
                        String::new(),
                        "a passage that stood in another story ".to_owned(),
                    ),
                    4 if !undamaged => ("verb-tenses", word.to_owned(), String::new()),
                    _ => ("", String::new(), String::new()),
                };
                let put = if kind.is_empty() { word } else { &now };
                text.push_str(put);
                let end = start + put.len();
                if !kind.is_empty() {
                    edits.push(json!({ "kind": kind, "start": start, "end": end, "original": original, "text": now }));
                }
                text.push(if place == 0 && sentence == 0 {
                    '\u{a0}'
                } else {
                    ' '
                });
                start = end + 1;
            }
            text.push_str("ended so. ");
            start += 10;
        }
        text.push_str("\n\n");
        start += 2;
    }
    let fits = at % 23 != 22;
    let damage = ["none", "typos", "verb-tenses", "exchange-content"][at % 4];
    json!({
        "id": id, "label": format!("{id} · {damage}"),
        "text": if fits { json!(text) } else { Value::Null },
        "why": if fits { Value::Null } else { json!("too few sentences for 10 % of `verb-tenses`") },
        "facts": [["title", "A lamp at Hallow Mere"], ["author", HOSTILE[at % 6]]],
        "edits": if fits { edits } else { Vec::new() }, "edits_note": null, "before": if undamaged { Value::Null } else { json!(at - at % 4) },
    })
}

const WORDS: [&str; 24] = [
    "the", "lamp", "was", "lit", "before", "anybody", "came", "down", "to", "water", "and", "old",
    "keeper", "counted", "his", "steps", "aloud", "while", "wind", "turned", "over", "marsh",
    "again", "slowly",
];

/// How many UTF-16 units a text has.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Numbers that look drawn and are always the same.
struct Words(u64);

impl Words {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}
