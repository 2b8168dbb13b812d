//! Progress: bars on a terminal, lines elsewhere, JSON for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar};

use super::bars::Bars;
use super::said::{Label, Look, labelled, plain};
use super::{gate, gate_json, visible, write_out};
use crate::base::lock::lock;
use crate::base::wording::{many, thousands, time, wrap_lines};
use crate::cluster::crew::Crew;
use crate::engine::{Event, money};

/// Shows events as they come.
pub struct Progress {
    form: Drawing,
    look: Look,
    layout: Bars,
    state: Mutex<State>,
    /// Draws where in a spec a node that failed stands.
    place: Option<Placed>,
}

/// Where in a spec a node stands, by its title and what is said of it.
pub type Placed = Box<dyn Fn(&str, &str) -> Option<String> + Send + Sync>;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bars, for a terminal.
    Bars,
    /// A line for every node that ran.
    Lines,
    /// Every event as JSON, for programs.
    Json,
    /// Warnings and failures only.
    Silent,
}

enum Drawing {
    Bars(MultiProgress),
    Lines,
    Json,
    Silent,
}

#[derive(Default)]
struct State {
    total: Option<ProgressBar>,
    /// Bars of nodes that ask for something.
    bars: BTreeMap<String, ProgressBar>,
    done: usize,
    nodes: usize,
    /// What was last said of a server that is asked again.
    held: String,
    /// The same, until a call is answered.
    held_on_bar: String,
    /// What was spent.
    spent: String,
    /// How the jobs of each crew stand.
    jobs: BTreeMap<Crew, String>,
    /// Warnings of nodes: what is said of which nodes of a stage.
    warnings: BTreeMap<(String, String), BTreeSet<String>>,
    /// Whether anything was said that stays.
    spoke: bool,
}

impl State {
    fn clear(&mut self) {
        for bar in self.bars.values().chain(&self.total) {
            bar.finish_and_clear();
        }
        self.bars.clear();
        self.total = None;
    }

    /// What stands beside the total: money, and what is waited for.
    fn beside(&self) -> String {
        let jobs = self
            .jobs
            .iter()
            .map(|(crew, what)| format!("{crew}: {what}"));
        let jobs = jobs.collect::<Vec<_>>().join("; ");
        let parts = [
            self.spent.as_str(),
            jobs.as_str(),
            self.held_on_bar.as_str(),
        ];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("  ")
    }
}

impl Progress {
    /// Progress in this form, with messages that look so.
    pub fn new(form: Form, look: Look, place: Option<Placed>) -> Arc<Self> {
        let form = match form {
            Form::Json => Drawing::Json,
            Form::Silent => Drawing::Silent,
            Form::Bars => Drawing::Bars(MultiProgress::new()),
            Form::Lines => Drawing::Lines,
        };
        Arc::new(Self {
            form,
            look,
            layout: Bars::new(look.width),
            state: Mutex::default(),
            place,
        })
    }

    /// Shows one event.
    pub fn take(&self, event: &Event) {
        if let Drawing::Json = self.form {
            if let Ok(line) = serde_json::to_string(event) {
                write_out(&gate_json(&line));
            }
            return;
        }
        match event {
            Event::Started { nodes } => self.start(*nodes),
            Event::Reused { node, .. } => {
                self.end(node);
                self.step();
            }
            Event::Skipped { .. } => self.step(),
            Event::Fetching {
                node,
                book,
                done,
                of,
            } => self.fetching(node, *book, *done, *of),
            Event::Running { node, questions } => self.begin(node, *questions),
            Event::Answered { node, asked, spent } => self.answered(node, *asked, *spent),
            Event::Finished {
                node,
                rows,
                seconds,
                counts,
            } => {
                self.end(node);
                self.step();
                let outcomes = |there: u64, missing: &BTreeMap<String, u64>, words: [&str; 2]| {
                    let not = missing.values().sum::<u64>();
                    let mut parts = vec![String::new()];
                    for (n, word) in [(there, words[0]), (not, words[1])] {
                        parts.extend((n > 0).then(|| format!("{} {word}", thousands(n))));
                    }
                    parts.join(", ")
                };
                let scored = outcomes(counts.scored, &counts.unscored, ["scored", "unscored"]);
                let written = outcomes(counts.written, &counts.unwritten, ["written", "missing"]);
                let relation = counts.relation.as_ref();
                let did = relation.map_or(String::new(), |did| format!("; {}", did.words()));
                self.line(&format!(
                    "ran {node}: {}{scored}{written}, {}{did}",
                    many(*rows, "row"),
                    time(*seconds)
                ));
            }
            Event::Batch { node, what } => self.batch(node, what),
            Event::Held { model, why } => self.held(model, why),
            Event::Jobs { crew, what } => self.jobs(crew, what),
            Event::Scheduler { what } => self.say(&visible(what)),
            Event::Failed {
                node,
                message,
                hint,
            } => {
                self.end(node);
                self.step();
                let mut text = self.labelled(Label::Failed, &format!("{node}: {message}"));
                let place = self.place.as_ref().and_then(|place| place(node, message));
                if let Some(place) = place {
                    text = format!("{text}\n{}", visible(&place));
                }
                if let Some(hint) = hint {
                    text = format!("{text}\n{}", self.labelled(Label::Hint, hint));
                }
                self.write(&text);
            }
            // Many nodes of one stage often have the same to say; it is said once, at the end.
            Event::Warning {
                node: Some(node),
                message,
            } => {
                let stage = node.split('[').next().unwrap_or(node).to_owned();
                let mut state = self.state();
                let nodes = state.warnings.entry((stage, message.clone())).or_default();
                nodes.insert(node.clone());
            }
            Event::Warning {
                node: None,
                message,
            } => self.warn(message),
            Event::Done(_) => {}
        }
    }

    /// Shows a message, above the bars where there are some; even when silent.
    pub fn say(&self, text: &str) {
        self.write(&plain(text, self.look));
    }

    /// Writes a text in which everything that comes from data was made visible.
    fn write(&self, text: &str) {
        self.state().spoke = true;
        let text = gate(text, self.look.color);
        match &self.form {
            Drawing::Bars(bars) => {
                bars.suspend(|| {
                    let _ = writeln!(std::io::stderr(), "{text}");
                });
            }
            Drawing::Lines | Drawing::Silent => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
            Drawing::Json => {}
        }
    }

    /// Removes the bars, so that no half line stays.
    pub fn clear(&self) {
        self.state().clear();
    }

    /// Removes the bars and ends the process: what other threads have to say comes too late to draw one.
    pub fn leave(&self, code: i32) -> ! {
        let mut state = self.state();
        state.clear();
        std::process::exit(code)
    }

    /// Removes the bars and says what nodes had to say; whether anything was said at all.
    pub fn finish(&self) -> bool {
        self.clear();
        let warnings = std::mem::take(&mut self.state().warnings);
        let mut warnings: Vec<_> = warnings.into_iter().collect();
        // Beside each other what is about the same nodes, whoever spoke first.
        warnings.sort_by(|((one, _), mine), ((other, _), theirs)| {
            (one, mine.first()).cmp(&(other, theirs.first()))
        });
        for ((stage, message), nodes) in warnings {
            let nodes: Vec<String> = nodes.into_iter().collect();
            match nodes.as_slice() {
                [one] => self.warn(&format!("{one}: {message}")),
                [first, ..] => self.warn(&format!(
                    "{} of {stage}, such as {}: {message}",
                    many(nodes.len() as u64, "stage"),
                    settings(first)
                )),
                [] => {}
            }
        }
        self.state().spoke
    }

    fn warn(&self, message: &str) {
        self.write(&self.labelled(Label::Warning, message));
    }

    fn start(&self, nodes: usize) {
        let mut state = self.state();
        state.nodes = nodes;
        state.done = 0;
        if let Drawing::Bars(bars) = &self.form {
            // A run that starts over counts from the beginning.
            if let Some(bar) = state.total.take() {
                bar.finish_and_clear();
            }
            let bar = bars.add(Bars::whole(nodes as u64, "stages"));
            // Nothing is drawn for a run that is over at once.
            bar.enable_steady_tick(Duration::from_millis(200));
            state.total = Some(bar);
        }
    }

    fn step(&self) {
        let mut state = self.state();
        state.done += 1;
        if let Some(bar) = &state.total {
            bar.inc(1);
        }
    }

    fn fetching(&self, node: &str, book: u64, done: usize, of: usize) {
        match &self.form {
            Drawing::Bars(bars) => {
                let mut state = self.state();
                let of = of as u64;
                let bar = state
                    .bars
                    .entry(node.to_owned())
                    .or_insert_with(|| bars.add(self.layout.part(of)));
                let name = format!("{node}: fetching book {book}");
                bar.set_message(self.layout.message(of, &visible(&name)));
                bar.set_position(done as u64);
            }
            Drawing::Lines => self.say(&format!(
                "fetching book {book} for {node} ({} of {of})",
                done + 1
            )),
            Drawing::Json | Drawing::Silent => {}
        }
    }

    fn begin(&self, node: &str, questions: Option<u64>) {
        self.end(node);
        let (Drawing::Bars(bars), Some(questions)) = (&self.form, questions) else {
            return;
        };
        // Held from before it is drawn: whoever clears the bars must know of it.
        let mut state = self.state();
        let bar = bars.add(self.layout.part(questions));
        bar.set_message(self.layout.message(questions, &visible(node)));
        state.bars.insert(node.to_owned(), bar);
    }

    fn answered(&self, node: &str, asked: bool, spent: Option<f64>) {
        let mut state = self.state();
        if let Some(bar) = state.bars.get(node) {
            bar.inc(1);
        }
        if asked {
            state.spent = spent.map(money).unwrap_or_default();
            state.held_on_bar.clear();
        }
        if let Some(total) = &state.total {
            total.set_message(visible(&state.beside()));
        }
    }

    /// Says why a model's server is not asked as fast as it could be: beside the total where there are
    /// bars, and elsewhere once until a call is answered.
    fn held(&self, model: &str, why: &str) {
        let mut state = self.state();
        let text = format!("{model}: {why}");
        if state.held == text {
            return;
        }
        state.held.clone_from(&text);
        state.held_on_bar.clone_from(&text);
        if let Some(total) = &state.total {
            total.set_message(visible(&state.beside()));
            return;
        }
        drop(state);
        if let Drawing::Lines = self.form {
            self.say(&format!("trying again: {text}"));
        }
    }

    /// Says how the jobs of a crew stand: beside the total where there are bars, and elsewhere in a line.
    fn jobs(&self, crew: &Crew, what: &str) {
        let mut state = self.state();
        state.jobs.insert(crew.clone(), what.to_owned());
        if let Some(total) = &state.total {
            total.set_message(visible(&state.beside()));
            return;
        }
        drop(state);
        if let Drawing::Lines = self.form {
            self.say(&visible(&format!("jobs of {crew}: {what}")));
        }
    }

    /// Says what happened to a batch: on the node's bar, or in a line of its own.
    fn batch(&self, node: &str, what: &str) {
        let state = self.state();
        if let Some(bar) = state.bars.get(node) {
            let name = format!("{node}: {what}");
            bar.set_message(
                self.layout
                    .message(bar.length().unwrap_or(0), &visible(&name)),
            );
            return;
        }
        drop(state);
        self.line(&format!("{node}: {what}"));
    }

    fn end(&self, node: &str) {
        if let Some(bar) = self.state().bars.remove(node) {
            bar.finish_and_clear();
        }
    }

    /// A line that a terminal with bars does not need.
    fn line(&self, text: &str) {
        if let Drawing::Lines = self.form {
            let mut state = self.state();
            state.spoke = true;
            let wide = state.nodes.to_string().len();
            let (done, nodes) = (state.done, state.nodes);
            let head = format!("[{done:>wide$}/{nodes}] ");
            let text = wrap_lines(&head, &visible(text), self.look.width.unwrap_or(usize::MAX));
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    fn labelled(&self, label: Label, text: &str) -> String {
        labelled(label, text, self.look)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Bars stay usable whatever happened to the thread that held them.
        lock(&self.state)
    }
}

/// The part of a node's title that tells it from others of its stage.
fn settings(title: &str) -> &str {
    title.find('[').map_or(title, |at| &title[at..])
}
