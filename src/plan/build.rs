//! From a checked spec to nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Known, Node, NodeId, Plan, Read};
use crate::spec::{Design, Spec};
use crate::stage::{BASE, Gathers, Heads, Stage, StageName, Table, Variant};

impl Plan {
    /// Instantiates every stage of the base experiment and of its ablations; what they share is
    /// there once.
    pub fn new(spec: &Spec) -> Self {
        let mut plan = Self::default();
        let mut known = Known::default();
        let ablations = spec
            .ablations
            .iter()
            .map(|(name, design)| (name.as_str(), design));
        let mut compared: BTreeMap<&StageName, Compared> = BTreeMap::new();
        for (variant, design) in std::iter::once(("", &spec.base)).chain(ablations) {
            let mut builder = Builder {
                design,
                variant,
                plan: &mut plan,
                known: &mut known,
                built: BTreeMap::new(),
                gathered: BTreeMap::new(),
            };
            for name in needed(spec, design) {
                if let Some(table) = comparing(spec, name) {
                    let inputs = builder.shown(table);
                    compared.entry(name).or_default().add(variant, inputs);
                    continue;
                }
                for combo in 0..design.combos.len() {
                    builder.instance(name, combo);
                }
            }
        }
        for (name, shown) in compared {
            let (Some(table), design) = (comparing(spec, name), &spec.base) else {
                continue;
            };
            let mut builder = Builder {
                design,
                variant: "",
                plan: &mut plan,
                known: &mut known,
                built: BTreeMap::new(),
                gathered: BTreeMap::new(),
            };
            let table = Table {
                variants: shown.variants,
                ..table.clone()
            };
            let stage = Arc::new(Stage::Table(Box::new(table)));
            builder.node(name, stage, std::iter::empty(), shown.inputs);
        }
        plan.settle();
        plan
    }

    /// Settles what stages leave open, from what the spec alone says of the columns that they read: files are not looked
    /// at, and a key says the same on every machine.
    fn settle(&mut self) {
        if !self.nodes.iter().any(|node| node.stage.is_open()) {
            return;
        }
        let given = self.columns(&Heads::default(), |_, _| ());
        for node in Arc::make_mut(&mut self.nodes)
            .iter_mut()
            .filter(|node| node.stage.is_open())
        {
            if let Some(input) = node.inputs.first() {
                Arc::make_mut(&mut node.stage).settle(&given[input.0]);
            }
        }
    }
}

/// What a table is handed of the experiment itself and of its ablations.
#[derive(Default)]
struct Compared {
    variants: Vec<Variant>,
    inputs: Vec<NodeId>,
}

impl Compared {
    fn add(&mut self, variant: &str, inputs: Vec<NodeId>) {
        let name = if variant.is_empty() { BASE } else { variant };
        self.variants.push(Variant {
            name: name.to_owned(),
            inputs: inputs.len(),
        });
        self.inputs.extend(inputs);
    }
}

/// A table that shows ablations beside the experiment itself: it belongs to the latter alone.
fn comparing<'s>(spec: &'s Spec, name: &StageName) -> Option<&'s Table> {
    let mut variants = spec.base.stages.get(name)?.variants.values();
    match &**variants.next()? {
        Stage::Table(table) if table.compares() => Some(table),
        _ => None,
    }
}

/// The stages that a design needs, in the spec's order: those that nothing reads in any design, and all that they
/// read here. What only another design reads costs this one nothing.
fn needed<'d>(spec: &Spec, design: &'d Design) -> Vec<&'d StageName> {
    let designs =
        || std::iter::once(&spec.base).chain(spec.ablations.iter().map(|(_, other)| other));
    let read: BTreeSet<&StageName> = designs().flat_map(reads).collect();
    let names = || design.stages.keys();
    let mut needed: BTreeSet<&StageName> = names().filter(|name| !read.contains(name)).collect();
    let mut open: Vec<&StageName> = needed.iter().copied().collect();
    while let Some(name) = open.pop() {
        let variants = design.stages[name].variants.values();
        for from in variants.flat_map(|stage| stage.reads()) {
            if needed.insert(from) {
                open.push(from);
            }
        }
    }
    names().filter(|name| needed.contains(name)).collect()
}

/// Everything that stages of a design read.
fn reads(design: &Design) -> BTreeSet<&StageName> {
    let variants = design
        .stages
        .values()
        .flat_map(|declared| declared.variants.values());
    variants.flat_map(|stage| stage.reads()).collect()
}

struct Builder<'p> {
    design: &'p Design,
    variant: &'p str,
    plan: &'p mut Plan,
    known: &'p mut Known,
    /// Instances by stage and the values of the axes that reach it.
    built: BTreeMap<(&'p StageName, Vec<usize>), NodeId>,
    /// For stages that gather, the combinations by the values of the axes that they do not gather.
    gathered: BTreeMap<Vec<usize>, BTreeMap<Vec<usize>, Vec<usize>>>,
}

impl<'p> Builder<'p> {
    /// The instance of a stage under one combination of axis values.
    fn instance(&mut self, name: &'p StageName, combo: usize) -> NodeId {
        let design = self.design;
        let values = &design.combos[combo];
        let relevant: Vec<usize> = design.stages[name]
            .reach
            .iter()
            .map(|&axis| values[axis])
            .collect();
        if let Some(&id) = self.built.get(&(name, relevant.clone())) {
            return id;
        }
        let declared = &design.stages[name];
        let own: Vec<usize> = declared.axes.iter().map(|&axis| values[axis]).collect();
        let stage = &declared.variants[&own];
        let combos: Vec<usize> = match name.kind.gathers() {
            Gathers::Nothing => vec![combo],
            Gathers::All => self.alike(&declared.axes, combo),
            Gathers::Over => {
                let apart = |axis: &&usize| !stage.gathers().contains(&design.axes[**axis].name);
                let apart: Vec<usize> = declared.reach.iter().filter(apart).copied().collect();
                self.alike(&apart, combo)
            }
        };
        let inputs = self.inputs(&stage.reads(), &combos);
        // An axis that another variant of the stage does not gather may reach it all the same.
        let own = |axis: &usize| {
            declared.axes.contains(axis) || !stage.gathers().contains(&design.axes[*axis].name)
        };
        let labels = declared.labels.iter().copied().filter(own);
        let labels = labels.map(|axis| (axis, values[axis]));
        let id = self.node(name, Arc::clone(stage), labels, inputs);
        self.built.insert((name, relevant), id);
        id
    }

    /// What a table shows of this design.
    fn shown(&mut self, table: &Table) -> Vec<NodeId> {
        let reads = match self.variant {
            "" => table.reads_of_all(),
            _ => table.reads_of_ablations(),
        };
        let combos: Vec<usize> = (0..self.design.combos.len()).collect();
        self.inputs(&reads, &combos)
    }

    /// The instances of stages under these combinations, stage by stage.
    fn inputs(&mut self, reads: &[&StageName], combos: &[usize]) -> Vec<NodeId> {
        let design = self.design;
        let mut inputs: Vec<NodeId> = Vec::new();
        for from in reads {
            let (from, _) = design
                .stages
                .get_key_value(*from)
                .expect("the check refuses a spec whose stages read unknown stages");
            let mut of_stage: Vec<NodeId> = Vec::new();
            let mut seen = BTreeSet::new();
            for &combo in combos {
                let id = self.instance(from, combo);
                if seen.insert(id) {
                    of_stage.push(id);
                }
            }
            inputs.extend(of_stage);
        }
        inputs
    }

    /// All combinations that have the values of one on these axes.
    fn alike(&mut self, axes: &[usize], combo: usize) -> Vec<usize> {
        let combos = &self.design.combos;
        let of =
            |combo: usize| -> Vec<usize> { axes.iter().map(|&axis| combos[combo][axis]).collect() };
        let all = self.gathered.entry(axes.to_vec()).or_insert_with(|| {
            let mut alike: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
            for index in 0..combos.len() {
                alike.entry(of(index)).or_default().push(index);
            }
            alike
        });
        all[&of(combo)].clone()
    }

    fn node(
        &mut self,
        name: &StageName,
        stage: Arc<Stage>,
        labels: impl Iterator<Item = (usize, usize)>,
        inputs: Vec<NodeId>,
    ) -> NodeId {
        let axes = &self.design.axes;
        let labels: BTreeMap<_, _> = labels
            .map(|(axis, value)| (axes[axis].name.clone(), axes[axis].values[value].clone()))
            .collect();
        let rest = format!("{name} {labels:?} {inputs:?} {}", self.design.seed);
        if let Some(id) = self.known.find(&rest, self.plan, &stage, |_| true) {
            Arc::make_mut(&mut self.plan.nodes)[id.0]
                .variants
                .insert(self.variant.to_owned());
            return id;
        }
        let settings = self.settings(&stage, &labels, &inputs);
        let reads = if stage.names_stages() {
            self.named(&inputs)
        } else {
            Vec::new()
        };
        let id = NodeId(self.plan.nodes.len());
        Arc::make_mut(&mut self.plan.nodes).push(Node {
            name: name.clone(),
            seed: stage.uses_seed().then_some(self.design.seed),
            stage,
            labels,
            settings,
            inputs,
            reads,
            variants: BTreeSet::from([self.variant.to_owned()]),
        });
        self.known.add(rest, id);
        id
    }

    /// The stages that inputs are instances of, which stand together.
    fn named(&self, inputs: &[NodeId]) -> Vec<Read> {
        let name = |id: &NodeId| &self.plan.node(*id).name;
        let stages = inputs.chunk_by(|one, other| name(one) == name(other));
        let read = |instances: &[NodeId]| Read {
            stage: name(&instances[0]).to_string(),
            inputs: instances.len(),
        };
        stages.map(read).collect()
    }

    /// The axis values that reach a node, in the order of the axes.
    fn settings(
        &self,
        stage: &Stage,
        labels: &BTreeMap<String, crate::frame::Scalar>,
        inputs: &[NodeId],
    ) -> Vec<(String, crate::frame::Scalar)> {
        let mut all = labels.clone();
        if stage.kind().gathers() != Gathers::All {
            for input in inputs {
                let settings = self.plan.node(*input).settings.iter();
                let reach = settings.filter(|(axis, _)| !stage.gathers().contains(axis));
                all.extend(reach.cloned());
            }
        }
        self.design
            .axes
            .iter()
            .filter_map(|axis| all.remove_entry(&axis.name))
            .collect()
    }
}
