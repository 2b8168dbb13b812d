//! From judgements, as the engine hands them out, to the store of a page.
//!
//! Nothing fails here: what cannot be shown is said in the notes of the store or in the place of what is missing.

mod columns;
mod documents;
mod replies;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::columns::{Columns, Names, Part};
use self::documents::Documents;
use self::replies::Asked;
use crate::base::wording::{count, some_because, some_of};
use crate::engine::{Ended, Engine, Judged, Loaded, Run};
use crate::frame::{Frame, FrameError};
use crate::output::page::Store;
use crate::output::page::store::Builder;
use crate::plan::{NodeId, Plan};
use crate::stage::{Kind, Stage};

/// Rows that judges read which are made ready at once: their prompts and replies are in memory together.
const AT_ONCE: usize = 512;

/// The judgements of a run that came to an end, however it did. Of several experiments each row says in which of them it
/// is.
pub(super) fn store(loaded: &[Loaded], ended: &Ended) -> Store {
    let (engine, plan) = (&ended.engine, ended.engine.plan());
    let names = loaded.iter().map(|loaded| loaded.spec.name.as_str());
    let parts: Vec<Part<'_>> = names.zip(&ended.places).collect();
    let judges: Vec<NodeId> = plan
        .ids()
        .filter(|&id| plan.node(id).name.kind == Kind::Judge)
        .collect();
    let columns = Columns::new(plan, &judges, &parts);
    let mut walk = Walk {
        engine,
        run: &ended.whole,
        builder: Builder::new(columns.list()),
        columns,
        documents: Documents::default(),
        missing: Vec::new(),
    };
    let mut without: Vec<String> = Vec::new();
    let mut groups: BTreeMap<(bool, NodeId), Vec<NodeId>> = BTreeMap::new();
    let damaged = damaged(plan);
    for id in judges {
        match plan.node(id).inputs.first() {
            // Documents as they were come first, so that those that were damaged find them there.
            Some(&input) if ended.whole.done(id).is_some() => {
                let group = groups.entry((damaged[input.0], input)).or_default();
                group.push(id);
            }
            _ => without.push(plan.node(id).title()),
        }
    }
    for ((_, input), judges) in groups {
        walk.group(input, &judges);
    }
    let Walk {
        mut builder,
        missing,
        ..
    } = walk;
    if !without.is_empty() {
        builder.note(format!(
            "{} without a result: {}",
            count(without.len(), "judge"),
            some_of(&without)
        ));
    }
    if !missing.is_empty() {
        builder.note(format!(
            "the judgements of {} are not available: {}",
            count(missing.len(), "stage"),
            some_because(&missing)
        ));
    }
    note_of_texts(plan, &mut builder);
    builder.build()
}

/// For each node, whether its documents were manipulated.
fn damaged(plan: &Plan) -> Vec<bool> {
    let mut damaged: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    for node in &plan.nodes {
        let itself =
            matches!(&*node.stage, Stage::Manipulate(manipulate) if manipulate.recipe.is_some());
        let before = node.inputs.iter().any(|input| damaged[input.0]);
        damaged.push(itself || before);
    }
    damaged
}

/// Says that what `generate` stages wrote is not listed by itself.
fn note_of_texts(plan: &Plan, builder: &mut Builder) {
    let mut names: Vec<String> = Vec::new();
    for node in &plan.nodes {
        let name = node.name.to_string();
        if node.name.kind == Kind::Generate && !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        builder.note(format!(
            "judgements alone are listed: what {} wrote is shown where a judge read it",
            some_of(&names)
        ));
    }
}

struct Walk<'a> {
    engine: &'a Engine,
    run: &'a Run,
    builder: Builder,
    columns: Columns,
    documents: Documents,
    /// Judges whose rows are not here, and why.
    missing: Vec<(String, String)>,
}

impl Walk<'_> {
    /// The judges that read one node's rows, which are loaded once.
    fn group(&mut self, input: NodeId, judges: &[NodeId]) {
        let rows = match self.run.done(input) {
            Some(done) => self.engine.rows_of(done, None).map(Arc::new),
            None => Err("there is no result".to_owned()),
        };
        let mut positions = BTreeMap::new();
        for &id in judges {
            let Some(done) = self.run.done(id) else {
                continue;
            };
            let asked = rows.clone().and_then(|rows| {
                let asked = self.engine.asked(id, rows);
                asked.map_err(|failure| failure.message)
            });
            // Of pairs every judge makes its own.
            let same = matches!((&asked, &rows), (Ok(asked), Ok(rows)) if Arc::ptr_eq(asked, rows));
            let mut own = BTreeMap::new();
            let positions = if same || asked.is_err() {
                &mut positions
            } else {
                &mut own
            };
            let said = self
                .engine
                .judged(id, done, asked.clone(), self.columns.told_apart_by())
                .and_then(|judged| {
                    self.judge(id, input, &judged, asked.as_ref(), positions)
                        .map_err(|error| error.to_string())
                });
            if let Err(why) = said {
                self.missing
                    .push((self.engine.plan().node(id).title(), why));
            }
        }
    }

    fn judge(
        &mut self,
        id: NodeId,
        input: NodeId,
        judged: &Judged,
        rows: Result<&Arc<Frame>, &String>,
        positions: &mut BTreeMap<String, Vec<usize>>,
    ) -> Result<(), FrameError> {
        let plan = self.engine.plan();
        let column = rows.map_or_else(|_| String::new(), |rows| judged.judged_column(rows));
        let repeats = judged.judge().repeats as usize;
        let count = judged.asked();
        let documents = match positions.get(&column) {
            Some(known) => known.clone(),
            None => {
                let node = plan.node(input);
                let of_input = match rows {
                    Ok(rows) => self.documents.put(&mut self.builder, node, rows, &column)?,
                    Err(why) => {
                        let firsts = (0..count).map(|row| judged.reply_rows(row, 0).start);
                        Documents::named(&mut self.builder, node, judged.rows(), firsts, why)
                    }
                };
                positions.insert(column.clone(), of_input.clone());
                of_input
            }
        };
        let texts = match rows {
            Ok(rows) if rows.has(&column) => Some(rows.column(&column)?),
            _ => None,
        };
        let asked = Asked::new(judged, texts, &documents, self.columns.told_apart_by())?;
        let names = Names::of(plan.node(id), judged.judge());
        for first in (0..count).step_by(AT_ONCE) {
            let last = count.min(first + AT_ONCE);
            for (row, packed) in (first..last).zip(asked.pack(first..last)) {
                let replies: Vec<Option<usize>> = packed
                    .iter()
                    .map(|packed| packed.as_ref().map(|packed| self.builder.reply(packed)))
                    .collect();
                let document = documents.get(judged.about(row)).copied();
                for repeat in 0..repeats {
                    let reply = replies.get(repeat).copied().flatten();
                    for at in judged.reply_rows(row, repeat) {
                        self.columns.push(
                            &mut self.builder,
                            id,
                            &names,
                            &asked.cells,
                            at,
                            (document, reply),
                        );
                    }
                }
            }
        }
        Ok(())
    }
}
