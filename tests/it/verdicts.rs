//! Replies of every form in which judges answer, and what a careful person reads off each.
//!
//! Every `tests/data/verdicts/<form>.jsonl` holds replies of one form, one a line: `gives` says what a careful person
//! takes from it for each metric (a number, a label, or null where the reply gives no verdict), `why` says so in a few
//! words. All parsers are held against all replies: none may read anything else (precision 1). How many verdicts the
//! parser of a form reads (recall) is printed as a table, and must not fall below the floor that is stated here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tribunal::frame::Frame;
use tribunal::models::parse::{ErrorSpan, Finish, ItemPlace, Parser, Reader, Thoughts};
use tribunal::models::score::{Label, Scale};

/// A form: its file, its parser, its scale unless a reply has one of its own, and the verdicts that are read at least.
struct Form {
    file: &'static str,
    parser: Parser,
    scale: fn() -> Scale,
    floor: usize,
}

const FORMS: [Form; 9] = [
    form("evaluation-form", Parser::EvaluationForm, halves, 45),
    form("json", Parser::Json, halves, 28),
    form("likert", Parser::Likert, halves, 23),
    form("evaluation-form-labels", Parser::EvaluationForm, five, 51),
    form("json-labels", Parser::Json, five, 24),
    form("likert-labels", Parser::Likert, five, 30),
    form("choice", Parser::Choice, sides, 24),
    form("yes-no", Parser::Choice, Scale::yes_or_no, 26),
    form("error-spans", Parser::ErrorSpans, five, 31),
];

const fn form(file: &'static str, parser: Parser, scale: fn() -> Scale, floor: usize) -> Form {
    Form {
        file,
        parser,
        scale,
        floor,
    }
}

fn halves() -> Scale {
    Scale::HALF_POINTS_1_TO_5
}

fn five() -> Scale {
    listed(["Unacceptable", "Poor", "Fair", "Good", "Excellent"].map(str::to_owned))
}

fn sides() -> Scale {
    let label = |name: &str, value: f64, aliases: &[&str]| Label {
        name: name.to_owned(),
        value,
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
    };
    let labels = vec![
        label("A", 1.0, &["Answer A", "first"]),
        label("B", 0.0, &["Answer B", "second"]),
        label("tie", 0.5, &["both equally good"]),
    ];
    Scale::of_labels(labels).unwrap()
}

/// A scale of labels that stand for 1, 2, 3 and so on.
fn listed(names: impl IntoIterator<Item = String>) -> Scale {
    let labels = (1..).zip(names).map(|(value, name)| Label {
        name,
        value: f64::from(value),
        aliases: Vec::new(),
    });
    Scale::of_labels(labels.collect()).unwrap()
}

/// One line of a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    reply: String,
    #[serde(default)]
    metrics: Vec<String>,
    scale: Option<Written>,
    #[serde(default)]
    finish: Finish,
    gives: BTreeMap<String, Value>,
    /// The errors that the reply marks, each with its words and how grave it is.
    #[serde(default)]
    spans: Option<Vec<(Option<String>, Value)>>,
    why: String,
}

/// A scale as a spec writes it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Labels { labels: Value },
    Numbers { min: f64, max: f64, step: f64 },
}

impl Written {
    fn scale(&self) -> Scale {
        let labels = match self {
            Self::Numbers { min, max, step } => return Scale::new(*min, *max, *step).unwrap(),
            Self::Labels { labels } => labels,
        };
        match labels {
            Value::Array(names) => listed(names.iter().map(|name| name.as_str().unwrap().into())),
            labels => {
                let labels = labels.as_object().unwrap().iter();
                let labels = labels.map(|(name, value)| Label {
                    name: name.clone(),
                    value: value.as_f64().unwrap(),
                    aliases: Vec::new(),
                });
                Scale::of_labels(labels.collect()).unwrap()
            }
        }
    }
}

/// What a careful person reads, as a score of the scale.
fn wanted(given: &Value, scale: &Scale) -> Option<f64> {
    match given {
        Value::Null => None,
        Value::String(label) => Some(scale.label(label).expect(label).value),
        number => Some(number.as_f64().unwrap()),
    }
}

/// How the parsers fare on one form.
#[derive(Default)]
struct Tally {
    replies: usize,
    verdicts: usize,
    /// Verdicts that the form's parser reads.
    read: usize,
    /// Those that any parser reads.
    scores: usize,
    wrong: String,
    lost: String,
}

impl Tally {
    fn of(form: &Form) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/verdicts");
        let text = fs_err::read_to_string(folder.join(format!("{}.jsonl", form.file))).unwrap();
        let mut tally = Self::default();
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", form.file, number + 1);
            let line: Line = serde_json::from_str(line).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(!line.why.trim().is_empty(), "{place} has no reason");
            tally.replies += 1;
            tally.verdicts += line.gives.values().filter(|given| !given.is_null()).count();
            for parser in Parser::ALL {
                tally.read(form, &place, &line, *parser);
            }
        }
        tally
    }

    fn read(&mut self, form: &Form, place: &str, line: &Line, parser: Parser) {
        let metrics: Vec<String> = match &line.metrics[..] {
            [] => line.gives.keys().cloned().collect(),
            metrics => metrics.to_vec(),
        };
        let scale = line.scale.as_ref().map_or_else(form.scale, Written::scale);
        let reader = Reader::new(parser, &metrics).unwrap();
        let reading = reader.read(&line.reply, line.finish, &scale, Thoughts::default());
        if parser == Parser::ErrorSpans && form.parser == parser {
            let marked = reading.spans.as_ref().map(|spans| {
                let span = |span: &ErrorSpan| {
                    let severity = serde_json::to_value(&span.severity).unwrap();
                    (span.location.clone(), severity)
                };
                spans.iter().map(span).collect::<Vec<_>>()
            });
            if !same_spans(marked.as_deref(), line.spans.as_deref()) {
                let (wanted, why, reply) = (&line.spans, &line.why, &line.reply);
                // A list that is not understood is absent.
                let list = if marked.is_some() {
                    &mut self.wrong
                } else {
                    &mut self.lost
                };
                writeln!(
                    list,
                    "{place}: errors {wanted:?} ({why}), read as {marked:?}: {reply:?}"
                )
                .unwrap();
            }
        }
        for reading in reading.readings {
            let wanted = wanted(&line.gives[&reading.metric], &scale);
            let score = reading.outcome.score();
            self.scores += usize::from(score.is_some());
            let own = parser == form.parser;
            let list = match (score, wanted) {
                (Some(score), Some(wanted)) if score.total_cmp(&wanted).is_eq() => {
                    self.read += usize::from(own);
                    // The label that is told is that of the score.
                    let told = reading.label.as_deref().map(|label| scale.label(label));
                    let told = told.map(|label| label.map(|label| label.value));
                    assert!(
                        told == (!scale.labels.is_empty()).then_some(Some(score)),
                        "{place}: {told:?}"
                    );
                    continue;
                }
                (Some(_), _) => &mut self.wrong,
                (None, Some(_)) if own => &mut self.lost,
                (None, _) => continue,
            };
            let (metric, given) = (&reading.metric, &line.gives[&reading.metric]);
            let (outcome, reply, why) = (&reading.outcome, &line.reply, &line.why);
            writeln!(
                list,
                "{place} {} {metric}: {given} ({why}), read as {outcome:?}: {reply:?}",
                parser.name()
            )
            .unwrap();
        }
    }
}

/// Whether the same errors are marked; numbers may be written as `4` or `4.0`.
fn same_spans(
    marked: Option<&[(Option<String>, Value)]>,
    wanted: Option<&[(Option<String>, Value)]>,
) -> bool {
    let same = |a: &Value, b: &Value| a == b || (a.is_number() && a.as_f64() == b.as_f64());
    match (marked, wanted) {
        (Some(marked), Some(wanted)) => {
            let mut pairs = marked.iter().zip(wanted);
            marked.len() == wanted.len() && pairs.all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1))
        }
        (marked, wanted) => marked.is_none() && wanted.is_none(),
    }
}

#[test]
fn nothing_is_read_off_a_reply_that_is_not_its_verdict() {
    let mut faults = String::new();
    eprintln!("form                    replies  verdicts  read  recall  precision of all parsers");
    for form in &FORMS {
        let tally = Tally::of(form);
        assert!(tally.replies >= 40, "{} has too few replies", form.file);
        let wrong = tally.wrong.lines().count();
        eprintln!(
            "{:<23} {:>7}  {:>8}  {:>4}  {:>6.2}  {:.3} ({} scores)",
            form.file,
            tally.replies,
            tally.verdicts,
            tally.read,
            tally.read as f64 / tally.verdicts as f64,
            (tally.scores - wrong) as f64 / tally.scores as f64,
            tally.scores,
        );
        for lost in tally.lost.lines() {
            eprintln!("  not read: {lost}");
        }
        faults += &tally.wrong;
        if tally.read < form.floor {
            let (file, floor) = (form.file, form.floor);
            writeln!(
                faults,
                "{file}: {} verdicts read, {floor} wanted",
                tally.read
            )
            .unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// One line of the form of lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    reply: String,
    elements: usize,
    scale: Option<Written>,
    #[serde(default)]
    finish: Finish,
    /// The key of the elements' ids, and these.
    id: Option<String>,
    ids: Option<Vec<Option<String>>>,
    items: Vec<Value>,
    why: String,
}

/// The score of each element of a list that a reply has a verdict on.
fn scores(line: &Listed, scale: &Scale) -> Vec<Option<f64>> {
    let elements = line.elements;
    let reader = Reader::new(Parser::Items, &["met".to_owned()]).unwrap();
    let form = reader.read(&line.reply, line.finish, scale, Thoughts::default());
    let items = form.items.unwrap();
    let score = |place| match place {
        ItemPlace::At(at) => items.list[at].readings[0].outcome.score(),
        ItemPlace::Nowhere(_) => None,
    };
    let ids = line.id.as_deref().zip(line.ids.as_deref());
    match items.places(elements, ids) {
        Ok(places) => places.into_iter().map(score).collect(),
        Err(None) if elements == 1 => vec![form.readings[0].outcome.score()],
        Err(_) => vec![None; elements],
    }
}

#[test]
fn verdicts_on_a_list_are_each_on_its_own_element_or_none() {
    for (file, floor) in [("items", 67), ("items-odd", 320)] {
        let path = format!(
            "{}/tests/data/verdicts/{file}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = fs_err::read_to_string(path).unwrap();
        let (mut replies, mut verdicts, mut read, mut given) = (0, 0, 0, 0);
        let mut faults = String::new();
        for (number, line) in text.lines().enumerate() {
            let place = format!("{file}:{}", number + 1);
            let line: Listed =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(!line.why.trim().is_empty(), "{place} has no reason");
            assert_eq!(line.items.len(), line.elements, "{place}");
            let scale = line
                .scale
                .as_ref()
                .map_or_else(Scale::yes_or_no, Written::scale);
            let scores = scores(&line, &scale);
            replies += 1;
            for (at, (score, item)) in scores.iter().zip(&line.items).enumerate() {
                let wanted = wanted(item, &scale);
                verdicts += usize::from(wanted.is_some());
                given += usize::from(score.is_some());
                match (score, wanted) {
                    (Some(score), Some(wanted)) if score.total_cmp(&wanted).is_eq() => read += 1,
                    (Some(score), _) => writeln!(
                        faults,
                        "{place} element {}: {item} ({}), read as {score}: {:?}",
                        at + 1,
                        line.why,
                        line.reply
                    )
                    .unwrap(),
                    (None, Some(_)) => eprintln!(
                        "  not read: {place} element {} ({}): {:?}",
                        at + 1,
                        line.why,
                        line.reply
                    ),
                    (None, None) => {}
                }
            }
        }
        let wrong = faults.lines().count();
        eprintln!(
            "{file}: {replies} replies, {verdicts} verdicts, {read} read, recall {:.2}, precision {:.3}",
            f64::from(read) / verdicts as f64,
            (given - wrong) as f64 / given as f64,
        );
        assert!(faults.is_empty(), "\n{faults}");
        assert!(
            read >= floor,
            "{file}: {read} verdicts read, {floor} wanted"
        );
    }
}

/// The recorded replies of a study of error annotations, where they are there.
fn recorded() -> Option<Vec<String>> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/faithfulness/model_outputs.parquet");
    if !file.exists() {
        eprintln!("skipped: there is no {}", file.display());
        return None;
    }
    let frame = Frame::from_parquet(fs_err::read(file).unwrap(), Some(&["text"])).unwrap();
    let texts = frame.column("text").unwrap();
    let text = |row| texts.text(row).unwrap_or_default().into_owned();
    // Every third: all of them take minutes in a build for tests.
    Some((0..frame.rows()).step_by(3).map(text).collect())
}

#[test]
fn severities_are_no_verdict_on_any_scale_of_numbers() {
    let Some(replies) = recorded() else { return };
    for (metric, min, max) in [("overall", 1.0, 5.0), ("coherence", 0.0, 10.0)] {
        let scale = Scale::new(min, max, 0.0).unwrap();
        for parser in Parser::ALL {
            let reader = Reader::new(*parser, &[metric.to_owned()]).unwrap();
            for reply in &replies {
                let form = reader.read(reply, Finish::Stop, &scale, Thoughts::default());
                let score = form.readings[0].outcome.score();
                assert_eq!(score, None, "{} {metric}: {reply}", parser.name());
            }
        }
    }
}

#[test]
fn every_parser_reads_the_overall_label_of_recorded_replies_or_none() {
    let Some(replies) = recorded() else { return };
    let scale = five();
    // The label behind the last `Overall score`, whatever marks stand around it.
    let stated = |reply: &str| {
        let small = reply.to_lowercase();
        let at = small.rfind("overall score:")? + "overall score:".len();
        let behind = small[at..].trim_start_matches(|c: char| !c.is_alphabetic());
        let word = behind.split(|c: char| !c.is_alphabetic()).next()?;
        Some(scale.label(word)?.value)
    };
    for parser in Parser::ALL {
        let reader = Reader::new(*parser, &["overall".to_owned()]).unwrap();
        let mut read = 0;
        for reply in &replies {
            let form = reader.read(reply, Finish::Stop, &scale, Thoughts::default());
            if let Some(score) = form.readings[0].outcome.score() {
                assert_eq!(stated(reply), Some(score), "{}: {reply}", parser.name());
                read += 1;
            }
        }
        eprintln!("{}: {read} of {} labels read", parser.name(), replies.len());
        // The form and the line are read; no reply holds an object.
        let lines = matches!(
            parser,
            Parser::EvaluationForm | Parser::Likert | Parser::Choice
        );
        assert!(
            !lines || read * 100 > replies.len() * 95,
            "{}: {read}",
            parser.name()
        );
    }
}
