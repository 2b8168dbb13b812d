//! Reading a bundled spec as its receiver will: from the files of the bundle and nothing else.
//!
//! What comes out must be the same nodes with the same keys, or the results in the bundle would be
//! nobody's. Nothing is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::exit::{Error, Exit};
use crate::base::key::{differences, encode};
use crate::base::paths::tidy;
use crate::engine::Loaded;
use crate::frame::FrameError;
use crate::models::template::Templates;
use crate::plan::{Node, NodeKey, Plan};
use crate::publish::unpacked::OVERRIDES;
use crate::spec::{Input, Layers, Problems, Sources, Spec, Style, TemplateFiles, check};

/// The spec as the receiver has it; its paths are relative to the folder of the bundle.
///
/// # Errors
/// When it cannot be read there, or says something else.
pub(super) fn rehearse(
    loaded: &Loaded,
    plan: &Plan,
    spec: &str,
    texts: &BTreeMap<String, Vec<u8>>,
) -> Result<(Spec, Plan), Error> {
    let read = |path: &Path| {
        let name = super::layout::slashes(&tidy(path));
        let found = texts.get(&name).cloned();
        found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let input = Input {
        spec: PathBuf::from(spec),
        bundled: texts.contains_key(OVERRIDES).then(|| OVERRIDES.into()),
        ..Input::default()
    };
    let refused = |problems: &Problems, sources: &Sources| {
        Error::drawn(
            Exit::Spec,
            format!(
                "{}\nerror: the bundle's own copy of `{spec}` cannot be read without the rest of this machine",
                problems.render(sources, Style::default()).trim_end()
            ),
        )
        .hint("put into the spec what comes from `tribunal.local.toml`, the environment or `--set`")
    };
    let layers = Layers::load(input, &read, &|_| Vec::new())
        .map_err(|(sources, problems)| refused(&problems, &sources))?;
    let templates = templates(&layers, texts);
    let (checked, problems) = check(&layers, &loaded.spec.name, &templates, Path::new(""));
    let checked = checked.ok_or_else(|| refused(&problems, layers.sources()))?;
    let theirs = Plan::new(&checked);
    same(plan, &theirs)?;
    Ok((checked, theirs))
}

fn templates(layers: &Layers, texts: &BTreeMap<String, Vec<u8>>) -> TemplateFiles {
    let path = ["paths".to_owned(), "templates".to_owned()];
    let moved = layers.tree().get(&path).and_then(|tree| tree.as_str());
    let folder = match moved {
        Some(moved) => tidy(&layers.base_dir(&path).join(moved)),
        None => PathBuf::from("templates"),
    };
    let folder = super::layout::slashes(&folder);
    let mut found = BTreeMap::new();
    for (path, bytes) in texts {
        let name = path
            .strip_prefix(&*folder)
            .and_then(|name| name.strip_prefix('/')?.strip_suffix(".j2"));
        if let (Some(name), Ok(text)) = (name, FrameError::decode(bytes)) {
            found.insert(name.to_owned(), text.to_owned());
        }
    }
    let templates = Templates::new(found);
    TemplateFiles {
        templates,
        sources: BTreeMap::new(),
        unreadable: BTreeMap::new(),
    }
}

/// Whether two plans have the same nodes, apart from where files lie.
fn same(ours: &Plan, theirs: &Plan) -> Result<(), Error> {
    let differs = |what: String| {
        Error::new(
            Exit::Spec,
            format!("the bundle would not give the same results: {what}"),
        )
        .hint("put into the spec what comes from `tribunal.local.toml`, the environment or `--set`")
    };
    if ours.nodes.len() != theirs.nodes.len() {
        return Err(differs(format!(
            "there are {} nodes here and {} there",
            ours.nodes.len(),
            theirs.nodes.len()
        )));
    }
    let none = BTreeMap::new();
    let key = |node: &Node| encode(&NodeKey::new(node, &none, Vec::new()));
    for (ours, theirs) in ours.nodes.iter().zip(&*theirs.nodes) {
        let (here, there) = (key(ours), key(theirs));
        let fields = differences(&here.0, &there.0);
        if let Some((field, here, there)) = fields.first() {
            return Err(differs(format!(
                "`{field}` of {} is {here} here and {there} there",
                ours.title()
            )));
        }
        if ours.title() != theirs.title() || ours.inputs != theirs.inputs {
            return Err(differs(format!("{} is another node there", ours.title())));
        }
    }
    Ok(())
}
