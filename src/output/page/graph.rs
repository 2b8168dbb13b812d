//! The stages as they hang together.

use std::collections::BTreeSet;

use indexmap::IndexMap;

/// The stages of what was run, each after those it reads.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The stages.
    pub stages: Vec<Stage>,
}

/// One stage with all its instances.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name, such as `judge.vanilla`; of several experiments with the experiment's in front.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The positions of the stages it reads.
    pub reads: Vec<usize>,
    /// How many instances there are: one per combination of the axes that reach it.
    pub instances: usize,
    /// How many of them were known already.
    pub known: usize,
    /// The rows of all results.
    pub rows: u64,
    /// How long its instances took, in seconds, when they were computed, be it in this run or an earlier one.
    pub seconds: f64,
    /// How it ended.
    pub state: State,
    /// What it came to: counts and warnings, a line each.
    pub notes: Vec<String>,
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// All instances have a result.
    Done,
    /// An instance failed.
    Failed,
    /// Some instances did not run, because something before them failed or the run was stopped.
    Skipped,
}

/// One instance of a stage, after those it reads.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its stage, such as `judge.vanilla`.
    pub stage: String,
    /// The stage's kind.
    pub kind: String,
    /// The positions of the instances it reads.
    pub reads: Vec<usize>,
    /// Whether its result was known already.
    pub known: bool,
    /// The rows of its result.
    pub rows: u64,
    /// How long it took when it was computed, in seconds.
    pub seconds: f64,
    /// How it ended.
    pub state: State,
    /// Warnings.
    pub notes: Vec<String>,
}

impl Graph {
    /// The stages of these instances.
    pub fn of(instances: &[Instance]) -> Self {
        let mut groups: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (index, instance) in instances.iter().enumerate() {
            groups.entry(&instance.stage).or_default().push(index);
        }
        let reads: Vec<BTreeSet<usize>> = groups
            .values()
            .enumerate()
            .map(|(at, members)| {
                let reads = members.iter().flat_map(|&member| &instances[member].reads);
                let stages = reads.filter_map(|&read| groups.get_index_of(&*instances[read].stage));
                stages.filter(|&read| read != at).collect()
            })
            .collect();
        // An ablation may read what stands after its namesake: what is read decides, not what came first.
        let order = in_order(&reads);
        let mut position = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            position[old] = new;
        }
        let stages = order.iter().filter_map(|&old| {
            let (name, members) = groups.get_index(old)?;
            let members: Vec<&Instance> =
                members.iter().map(|&member| &instances[member]).collect();
            let reads: BTreeSet<usize> = reads[old].iter().map(|&read| position[read]).collect();
            Some(stage(
                (*name).to_owned(),
                &members,
                reads.into_iter().collect(),
            ))
        });
        Self {
            stages: stages.collect(),
        }
    }

    /// The graphs of several experiments side by side, each stage named after its experiment. What experiments share
    /// is there in each of them.
    pub fn side_by_side(graphs: Vec<(String, Self)>) -> Self {
        let mut stages: Vec<Stage> = Vec::new();
        for (experiment, graph) in graphs {
            let before = stages.len();
            stages.extend(graph.stages.into_iter().map(|stage| Stage {
                name: format!("{experiment}: {}", stage.name),
                reads: stage.reads.iter().map(|read| read + before).collect(),
                ..stage
            }));
        }
        Self { stages }
    }
}

/// The positions of stages, each after those it reads where that is possible, else as they come.
fn in_order(reads: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(reads.len());
    let mut placed = vec![false; reads.len()];
    while order.len() < reads.len() {
        let waiting = || (0..reads.len()).filter(|&at| !placed[at]);
        let ready = waiting().find(|&at| reads[at].iter().all(|&read| placed[read]));
        let Some(next) = ready.or_else(|| waiting().next()) else {
            break;
        };
        placed[next] = true;
        order.push(next);
    }
    order
}

fn stage(name: String, members: &[&Instance], reads: Vec<usize>) -> Stage {
    let state = if members
        .iter()
        .any(|instance| instance.state == State::Failed)
    {
        State::Failed
    } else if members
        .iter()
        .any(|instance| instance.state == State::Skipped)
    {
        State::Skipped
    } else {
        State::Done
    };
    let mut notes: Vec<String> = Vec::new();
    for note in members.iter().flat_map(|instance| &instance.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    Stage {
        name,
        kind: members
            .first()
            .map_or_else(String::new, |first| first.kind.clone()),
        reads,
        instances: members.len(),
        known: members.iter().filter(|instance| instance.known).count(),
        rows: members.iter().map(|instance| instance.rows).sum(),
        seconds: members.iter().map(|instance| instance.seconds).sum(),
        state,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(stage: &str, reads: &[usize], state: State) -> Instance {
        Instance {
            stage: stage.to_owned(),
            kind: stage.split('.').next().unwrap_or_default().to_owned(),
            reads: reads.to_vec(),
            known: reads.is_empty(),
            rows: 10,
            seconds: 0.5,
            state,
            notes: vec!["cut".to_owned()],
        }
    }

    #[test]
    fn instances_of_a_stage_are_one_stage_after_those_it_reads() {
        let instances = [
            instance("source.docs", &[], State::Done),
            // Of an ablation, which reads what came later in the plan.
            instance("judge.a", &[0, 2], State::Done),
            instance("select.few", &[0], State::Done),
            instance("judge.a", &[2], State::Skipped),
        ];
        let graph = Graph::of(&instances);
        let names: Vec<&str> = graph
            .stages
            .iter()
            .map(|stage| stage.name.as_str())
            .collect();
        assert_eq!(names, ["source.docs", "select.few", "judge.a"]);
        let judge = &graph.stages[2];
        assert_eq!((judge.instances, judge.known, judge.rows), (2, 0, 20));
        assert_eq!((judge.state, judge.seconds), (State::Skipped, 1.0));
        assert_eq!(
            (judge.reads.as_slice(), judge.notes.len()),
            (&[0, 1][..], 1)
        );
        assert_eq!(graph.stages[0].known, 1);
    }

    #[test]
    fn stages_of_several_experiments_are_named_after_them() {
        let graph = || {
            Graph::of(&[
                instance("source.docs", &[], State::Done),
                instance("judge.a", &[0], State::Failed),
            ])
        };
        let both = Graph::side_by_side(vec![
            ("one".to_owned(), graph()),
            ("two".to_owned(), graph()),
        ]);
        assert_eq!(both.stages[3].name, "two: judge.a");
        assert_eq!(both.stages[3].reads, [2]);
    }
}
