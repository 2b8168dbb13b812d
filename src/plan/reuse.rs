//! What counts several times although nothing says so: replies recorded once and used for several levels of an axis,
//! sections that are taken for documents, ablations that are the experiment itself or each other.

use std::collections::{BTreeMap, BTreeSet};

use super::{Node, Plan};
use crate::base::wording::{choice_of, list_of};
use crate::stage::{
    Columns, Derive, Expression, Kind, Mistake, SPLIT_COLUMNS, Select, Stage, StageName, Value,
};

/// What rows are matched by: nodes alike in it get the same replies, if these come from one place.
type Matched<'p> = (&'p StageName, usize, Vec<Value>);

/// Stages that use the replies recorded for a document under several values of an axis.
pub(super) fn replies<'p>(plan: &'p Plan, given: &[Columns]) -> Vec<(&'p Node, Mistake)> {
    let mut seen: BTreeMap<Matched<'p>, Vec<&'p Node>> = BTreeMap::new();
    let mut found: BTreeMap<&StageName, (&Node, String, BTreeSet<&String>)> = BTreeMap::new();
    for node in &*plan.nodes {
        let Some((model, matched)) = matched(node, given) else {
            continue;
        };
        let alike = seen.entry(matched).or_default();
        let provider = |node: &'p Node| node.stage.model().map(|model| &model.provider);
        let Some(first) = alike.iter().find(|one| provider(one) == provider(node)) else {
            alike.push(node);
            continue;
        };
        // The same question under another reading, such as another scale, has the same reply.
        let prompt = |node: &Node| node.stage.asking().map(|asking| asking.prompt.clone());
        if first.inputs == node.inputs && prompt(first) == prompt(node) {
            continue;
        }
        let differing = node
            .settings
            .iter()
            .filter(|setting| !first.settings.contains(setting));
        let axes: Vec<&String> = differing.map(|(axis, _)| axis).collect();
        if axes.is_empty() {
            continue;
        }
        let entry = found.entry(&node.name);
        entry
            .or_insert((node, model, BTreeSet::new()))
            .2
            .extend(axes);
    }
    found
        .into_iter()
        .map(|(name, (node, model, axes))| (node, lack(name, model, &axes)))
        .collect()
}

fn matched<'p>(node: &'p Node, given: &[Columns]) -> Option<(String, Matched<'p>)> {
    let model = node.stage.model()?;
    let provider = model.provider.local()?;
    provider.reads()?.table?;
    let [input] = node.inputs.as_slice() else {
        return None;
    };
    let columns = &given[input.0];
    let [values] = <[Vec<Value>; 1]>::try_from(columns.sorts(&provider.looks_at())).ok()?;
    let is_known = !values.contains(&Value::Unknown);
    let matched = (&node.name, columns.origin()?, values);
    is_known.then(|| (model.name.clone(), matched))
}

fn lack(name: &StageName, model: String, axes: &BTreeSet<&String>) -> Mistake {
    let axes: Vec<&String> = axes.iter().copied().collect();
    let (axis, are) = match axes.as_slice() {
        [one] => (format!("axis `{one}`"), "is"),
        several => (format!("axes {}", list_of(several)), "are"),
    };
    let first = axes.first().map_or("", |axis| axis.as_str());
    Mistake {
        place: None,
        code: "lint::replies-used-twice",
        at: (vec!["models".to_owned(), model, "match".to_owned()], None),
        message: format!(
            "one recorded reply serves several values of {axis}, which {are} named neither in `match` nor in `where`"
        ),
        label: "does not distinguish them",
        help: format!(
            "name the recorded column that holds the value of a reply: `match = {{ ..., its_column = \"{first}\" }}`, let an axis set `where`, or keep {} from varying `{name}`",
            choice_of(&axes)
        ),
    }
}

/// Statistics over documents of rows that are sections of documents, or elements of their lists.
pub(super) fn sections(plan: &Plan) -> Vec<(&Node, Mistake)> {
    let mut cut: Vec<Option<Cut<'_>>> = Vec::with_capacity(plan.nodes.len());
    let mut found = Vec::new();
    for node in &*plan.nodes {
        // What a join brings along from the right makes no more rows, or as many as it is told to.
        let read = match &*node.stage {
            Stage::Join(_) => node.inputs.get(..1).unwrap_or_default(),
            _ => node.inputs.as_slice(),
        };
        let below = || read.iter().find_map(|input| cut[input.0].clone());
        let here = match &*node.stage {
            Stage::Split(_) | Stage::Explode(_) => Some(Cut::by(node)),
            Stage::Select(select) if below().is_some_and(|cut| picks(select, &cut)) => None,
            Stage::Group(group) => {
                below().filter(|cut| group.by.iter().any(|name| cut.tells_apart(name)))
            }
            Stage::Derive(derive) => below().map(|cut| cut.renamed(derive)),
            stage if matches!(stage.kind(), Kind::Memo | Kind::Stats | Kind::Export) => None,
            _ => below(),
        };
        if let (Stage::Stats(stats), Some(split)) = (&*node.stage, below()) {
            let pairs = stats.pair.iter().map(|pair| &pair.axis);
            let asked = stats.condition.iter().flat_map(Expression::columns);
            let mut named = stats.by.iter().chain(&stats.over).chain(pairs).chain(asked);
            let by_document = stats.over.iter().any(|name| name == "doc_id");
            if by_document && !named.any(|name| split.tells_apart(name)) {
                found.push((node, of_sections(split.by)));
            }
        }
        cut.push(here);
    }
    found
}

/// The stage that cut the rows of a node, and the columns that tell those of one document apart.
#[derive(Clone)]
struct Cut<'p> {
    by: &'p Node,
    names: BTreeSet<&'p str>,
}

impl<'p> Cut<'p> {
    fn by(node: &'p Node) -> Self {
        let names = match &*node.stage {
            Stage::Explode(explode) => explode.names().collect(),
            _ => SPLIT_COLUMNS.into_iter().collect(),
        };
        Self { by: node, names }
    }

    /// The same where columns got other names, or sections were made documents: by a name that is computed of theirs.
    fn renamed(mut self, derive: &'p Derive) -> Self {
        for (new, old) in &derive.rename {
            if self.names.contains(old.as_str()) {
                self.names.insert(new);
            }
        }
        let named = derive.compute.iter().find(|(name, _)| name == "doc_id");
        if let Some((name, value)) = named
            && value
                .columns()
                .iter()
                .any(|column| self.tells_apart(column))
        {
            self.names.insert(name);
        }
        self
    }

    fn tells_apart(&self, column: &str) -> bool {
        self.names.contains(column)
    }
}

/// Whether one section of each document may be left.
fn picks(select: &Select, cut: &Cut<'_>) -> bool {
    let is_of_sections = |name: &str| cut.tells_apart(name);
    select.top.is_some()
        || select.distinct
        || select.ids.is_some()
        || select.keep.columns().any(is_of_sections)
        || select
            .condition
            .iter()
            .flat_map(Expression::columns)
            .any(|name| is_of_sections(name))
}

fn of_sections(cut: &Node) -> Mistake {
    let (what, label, help) = match &*cut.stage {
        Stage::Explode(explode) => (
            "elements",
            "a document of two elements has two rows",
            match explode.number() {
                Some(number) => format!(
                    "write `over = [\"doc_id\", \"{number}\"]` to count elements, put it into `by`, or make one row of each document in a `group` stage"
                ),
                None => format!(
                    "number the elements with `index = \"item\"` in `{}` and write `over = [\"doc_id\", \"item\"]`, or make one row of each document in a `group` stage",
                    cut.name
                ),
            },
        ),
        _ => (
            "sections",
            "a document of two sections has two rows",
            "write `over = [\"doc_id\", \"section\"]` to count sections, put them into `by`, or combine the judgements of each document in a `memo` stage".to_owned(),
        ),
    };
    Mistake {
        place: None,
        code: "lint::sections-as-documents",
        at: (vec!["from".to_owned()], None),
        message: format!(
            "its rows are {what} from `{}`, and nothing distinguishes those of one document",
            cut.name
        ),
        label,
        help,
    }
}

/// Ablations whose every stage is one of the experiment, or which are another ablation.
pub(super) fn ablations(plan: &Plan) -> Vec<(&str, Mistake)> {
    let mut nodes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, node) in plan.nodes.iter().enumerate() {
        for variant in &node.variants {
            nodes.entry(variant).or_default().push(index);
        }
    }
    let mut seen: BTreeMap<&[usize], &str> = BTreeMap::new();
    let mut found = Vec::new();
    for (variant, nodes) in &nodes {
        let first = *seen.entry(nodes).or_insert(variant);
        if first == *variant {
            continue;
        }
        let message = match first {
            "" => {
                format!(
                    "ablation `{variant}` equals the experiment: what it sets is set already, or reaches no result"
                )
            }
            first => format!("ablations `{first}` and `{variant}` are the same"),
        };
        let lack = Mistake {
            place: None,
            code: "lint::idle-ablation",
            at: (Vec::new(), None),
            message,
            label: "changes nothing",
            help: "set something else, or remove it; the built-in judge and recorded outputs read no prompt"
                .to_owned(),
        };
        found.push((*variant, lack));
    }
    found
}
