//! From a spec file to a checked spec: the only place where specs and templates are read.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use super::args::ChangeArgs;
use super::output::Terminal;
use super::project::{name_of, root_of};
use super::shelf::{Shelf, is_named};
use crate::base::exit::{Error, Exit};
use crate::base::paths::names_in;
use crate::engine::{Loaded, has_title};
use crate::plan::Plan;
use crate::publish::{OVERRIDES, settle};
use crate::spec::{Input, Layers, Problem, Problems, Sources, Spec, TemplateFiles, check};

/// Shows what the check of specs had to say beside errors.
pub(super) fn warn(loaded: &[Loaded], terminal: &mut Terminal) {
    for one in loaded.iter().filter(|one| !one.warnings.is_empty()) {
        terminal.drawn(&one.warnings);
    }
}

/// What reading a spec came to.
pub(super) struct Checked {
    pub(super) loaded: Option<Loaded>,
    pub(super) problems: Problems,
    pub(super) sources: Sources,
}

/// Reads and checks a spec; problems are drawn, and errors among them end the command.
pub(super) fn load(
    spec: &Path,
    changes: &ChangeArgs,
    terminal: &mut Terminal,
) -> Result<Loaded, Error> {
    let mut checked = read(spec, changes, &Shelf::default());
    let read = checked.loaded.as_mut();
    settle(read.map_or(&mut [], std::slice::from_mut), changes.trust)?;
    let drawn = || checked.problems.render(&checked.sources, terminal.style());
    match checked.loaded {
        Some(loaded) if checked.problems.is_empty() => Ok(loaded),
        Some(loaded) if !checked.problems.has_errors() => Ok(Loaded {
            warnings: checked.problems.render(&checked.sources, terminal.style()),
            ..loaded
        }),
        _ => Err(Error::drawn(Exit::Spec, drawn())),
    }
}

/// The variables of the environment that may set parameters.
pub(super) fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Reads and checks a spec.
pub(super) fn read(spec: &Path, changes: &ChangeArgs, shelf: &Shelf) -> Checked {
    read_with(spec, changes, &environment(), shelf)
}

/// The same with these variables.
pub(super) fn read_with(
    spec: &Path,
    changes: &ChangeArgs,
    env: &[(String, String)],
    shelf: &Shelf,
) -> Checked {
    let root = root_of(spec);
    let local = root.join("tribunal.local.toml");
    let bundled = root.join(OVERRIDES);
    let input = Input {
        spec: spec.to_owned(),
        withs: changes.withs.clone(),
        bundled: shelf.has(&bundled).then_some(bundled),
        local: shelf.has(&local).then_some(local),
        env: env.to_vec(),
        sets: changes.sets.clone(),
        defaults: None,
    };
    let files = RefCell::new(Vec::new());
    let read_file = |path: &Path| {
        files.borrow_mut().push(path.to_owned());
        shelf.spec(path).map_err(|error| match error.kind() {
            // Not the same as nothing: whoever made the link meant something by it.
            ErrorKind::NotFound if is_named(path) => {
                std::io::Error::other("it is a broken symbolic link")
            }
            _ => error,
        })
    };
    let mut layers = match Layers::load(input, &read_file, &names_in) {
        Ok(layers) => layers,
        Err((sources, problems)) => {
            return Checked {
                loaded: None,
                problems,
                sources,
            };
        }
    };
    let outside = ["tribunal.local.toml", OVERRIDES].map(|name| root.join(name));
    let mut files = files.into_inner();
    files.retain(|file| !outside.contains(file));
    let name = name_of(spec);
    let path = spec.to_owned();
    let spec_folder = spec.parent().unwrap_or(Path::new("")).to_owned();
    let templates = templates(&mut layers, &root, shelf);
    let (checked, mut problems) = check(&layers, &name, &templates, &root);
    let checked = checked.map(|checked| {
        taken_folders(&layers, spec, &checked, &mut problems);
        let plan = Plan::new(&checked);
        if !problems.has_errors() {
            problems.extend(plan.check_rows(&layers));
        }
        (checked, plan)
    });
    Checked {
        sources: layers.sources().clone(),
        problems,
        loaded: checked.map(|(spec, plan)| Loaded {
            spec,
            plan,
            layers,
            templates: templates.templates,
            path,
            folder: spec_folder,
            files,
            root,
            absent: Arc::default(),
            warnings: String::new(),
        }),
    }
}

/// Refuses ablations whose folder is that of another experiment: `a.toml` with an ablation `b` beside `a/b.toml`.
fn taken_folders(layers: &Layers, spec: &Path, checked: &Spec, problems: &mut Problems) {
    for (name, _) in &checked.ablations {
        let other = spec.with_extension("").join(format!("{name}.toml"));
        if !other.is_file() || !has_title(&other) {
            continue;
        }
        let place = (0..).map_while(|index: usize| {
            let at = ["ablation".to_owned(), index.to_string(), "name".to_owned()];
            let whole = layers.tree().get(&at[..2])?;
            let written = whole.get(&["name"]).and_then(|tree| tree.as_str());
            Some((written == Some(name)).then(|| layers.place_of(&at)))
        });
        problems.push(
            Problem::error(
                "spec::bad-name",
                format!(
                    "`{}` writes its reports where this ablation does",
                    other.display()
                ),
            )
            .label_at(place.flatten().next().flatten(), "one folder for both")
            .help("give the ablation or the other experiment another name"),
        );
    }
}

/// The project's templates; their texts join the sources, so that problems can point into them.
fn templates(layers: &mut Layers, root: &Path, shelf: &Shelf) -> TemplateFiles {
    let folder = match layers
        .tree()
        .get(&["paths", "templates"])
        .and_then(|tree| tree.as_str())
    {
        Some(moved) => layers
            .base_dir(&["paths".to_owned(), "templates".to_owned()])
            .join(moved),
        None => root.join("templates"),
    };
    let folder = shelf.folder(&folder);
    let texts = folder.texts.iter();
    let sources = texts.map(|(name, (path, text))| {
        let source = layers.sources_mut().add(path.clone(), text);
        (name.clone(), source)
    });
    TemplateFiles {
        sources: sources.collect(),
        templates: folder.templates.clone(),
        unreadable: folder.unreadable.clone(),
    }
}
