//! Collecting what a bundle holds: the files of the project that the specs are read from, and of its
//! cache what their tables rest on.

mod layout;
mod overrides;
mod rehearse;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::layout::{Layout, slashes, within};
use self::overrides::overrides;
use self::rehearse::rehearse;
use super::bundle::{Content, Draft, Experiment, Given, Head, Input, What};
use super::unpacked::OVERRIDES;
use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::base::paths::{plain, tidy};
use crate::base::wording::some_of;
use crate::cache::{CallStore, FORMAT, NodeStore};
use crate::engine::{
    Engine, Gathered, Interrupt, Loaded, NotReady, Pattern, Sink, books_of, folder_of, options,
    patterns_of,
};
use crate::spec::Spec;
use crate::stage::Stage;

/// What a person wants of a bundle.
pub(crate) struct Wanted {
    /// Whether rows that hold texts go along.
    pub(crate) texts: bool,
    /// Whether replies, and rows that hold them, do.
    pub(crate) replies: bool,
    /// The licence that it is given under.
    pub(crate) licence: Option<String>,
}

/// Everything that is to go into a bundle.
pub(crate) struct Collected {
    pub(crate) head: Head,
    pub(crate) drafts: Vec<Draft>,
    /// How many stored replies are in it.
    pub(crate) replies: usize,
    /// Keep the caches from being trimmed, and what was put together for the bundle, until it is written.
    pub(crate) _open: (Vec<Engine>, Option<tempfile::TempPath>),
}

/// Collects what the bundle of these specs holds.
///
/// # Errors
/// Results that are not there yet, files outside of the project, values that do not go along.
pub(crate) fn collect(
    wanted: &Wanted,
    specs: &[Loaded],
    output: &Path,
    sink: &Sink,
) -> Result<Collected, Error> {
    let root = root(specs)?;
    let mut packing = Packing {
        wanted,
        root,
        layout: Layout::default(),
        inputs: BTreeMap::new(),
        books: BTreeMap::new(),
        withheld: BTreeSet::new(),
        calls: BTreeMap::new(),
        experiments: Vec::new(),
    };
    // The overrides of all are the same, as is the folder they are read in.
    for loaded in specs {
        packing.written(loaded, &loaded.path)?;
    }
    packing.overrides(specs)?;
    let texts = packing.layout.texts()?;
    let mut engines = Vec::new();
    for loaded in specs {
        engines.push(packing.experiment(loaded, &loaded.path, &texts, sink)?);
    }
    let (replies, segment) = packing.segment(output)?;
    Ok(Collected {
        head: Head {
            tribunal: env!("CARGO_PKG_VERSION").to_owned(),
            cache_format: FORMAT,
            experiments: packing.experiments,
            texts: wanted.texts,
            replies: wanted.replies && !specs.iter().any(|loaded| loaded.absent.without_replies),
            licence: wanted.licence.clone(),
            inputs: packing.inputs.into_values().collect(),
            books: packing.books,
            withheld: packing.withheld,
        },
        drafts: packing.layout.into_drafts(),
        replies,
        _open: (engines, segment),
    })
}

/// The folder of the project that all specs belong to.
fn root(specs: &[Loaded]) -> Result<PathBuf, Error> {
    let mut roots = BTreeSet::new();
    for loaded in specs {
        roots.insert(plain(&loaded.root));
    }
    let mut roots = roots.into_iter();
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(one), Some(other)) => Err(Error::new(
            Exit::Usage,
            format!(
                "the specs belong to different projects: `{}` and `{}`",
                one.display(),
                other.display()
            ),
        )
        .hint("bundle those of one project at a time")),
        _ => Err(Error::new(Exit::Usage, "there is no spec to bundle")),
    }
}

/// A bundle in the making.
struct Packing<'a> {
    wanted: &'a Wanted,
    root: PathBuf,
    layout: Layout,
    /// By pattern.
    inputs: BTreeMap<String, Input>,
    books: BTreeMap<String, Digest>,
    withheld: BTreeSet<Digest>,
    /// Keys of calls by the cache that holds them.
    calls: BTreeMap<PathBuf, BTreeSet<Digest>>,
    experiments: Vec<Experiment>,
}

impl Packing<'_> {
    /// Adds what a spec is read from: its own text, what it extends, the templates of its prompts.
    fn written(&mut self, loaded: &Loaded, spec: &Path) -> Result<(), Error> {
        for file in &loaded.files {
            let place = within(&self.root, file)?;
            self.layout
                .add(place, What::Spec, Content::File(file.clone()));
        }
        self.experiments.push(Experiment {
            spec: within(&self.root, spec)?,
            title: loaded.spec.title.clone(),
        });
        let folder = self.templates(loaded);
        // Every template that the spec names anywhere: also one that nobody is given here, such as that
        // of recorded replies, has to be there for the spec to be read.
        let mut names = BTreeSet::new();
        said(&loaded.layers.tree().to_json(), &mut |text| {
            names.extend(loaded.templates.with_includes(text));
        });
        for name in names {
            let file = loaded.spec.folders.templates.join(format!("{name}.j2"));
            let place = format!("{folder}/{name}.j2");
            self.layout.add(place, What::Template, Content::File(file));
        }
        Ok(())
    }

    /// Where the templates stand in the bundle: where they are, or in `templates`, if that is elsewhere.
    fn templates(&self, loaded: &Loaded) -> String {
        let folder = plain(&loaded.spec.folders.templates);
        match folder.strip_prefix(&self.root) {
            Ok(below) if !below.as_os_str().is_empty() => slashes(below),
            _ => "templates".to_owned(),
        }
    }

    /// Adds the values from outside the specs that results depend on.
    fn overrides(&mut self, specs: &[Loaded]) -> Result<(), Error> {
        let mut all = BTreeMap::new();
        for loaded in specs {
            let folder = self.templates(loaded);
            let moved = (folder != "templates"
                || plain(&loaded.spec.folders.templates) != self.root.join("templates"))
            .then_some(folder);
            let table = overrides(&loaded.layers, moved.as_deref())?;
            all.extend(table);
        }
        if all.is_empty() {
            return Ok(());
        }
        let text = toml::to_string(&all).map_err(|error| {
            Error::new(
                Exit::Spec,
                format!("values from outside the spec cannot be written down: {error}"),
            )
        })?;
        let text = format!(
            "# What came from outside the specs when the bundle was made. Stronger than they, weaker\n\
             # than tribunal.local.toml.\n{text}"
        );
        let content = Content::Bytes(text.into_bytes());
        self.layout
            .add(OVERRIDES.to_owned(), What::Overrides, content);
        Ok(())
    }

    /// Adds what one experiment's tables rest on.
    fn experiment(
        &mut self,
        loaded: &Loaded,
        spec: &Path,
        texts: &BTreeMap<String, Vec<u8>>,
        sink: &Sink,
    ) -> Result<Engine, Error> {
        let plan = &loaded.plan;
        let place = within(&self.root, spec)?;
        let (theirs, their_plan) = rehearse(loaded, plan, &place, texts)?;
        let engine = Engine::new(
            plan.clone(),
            loaded.templates.clone(),
            &options(std::slice::from_ref(loaded)),
            Interrupt::default(),
            Arc::clone(sink),
        )?;
        let gathered = engine.gather();
        let gathered = gathered.map_err(|missing| not_ready(spec, &missing))?;
        self.looks(&loaded.spec, &theirs)?;
        let mut licences: Vec<BTreeSet<String>> = Vec::new();
        for ((node, their), found) in engine
            .plan()
            .nodes
            .iter()
            .zip(&*their_plan.nodes)
            .zip(&gathered)
        {
            let mut own = self.inputs(loaded, &their.stage, found)?;
            own.extend(node.inputs.iter().flat_map(|id| licences[id.0].clone()));
            if let (Stage::Generate(ours), Stage::Generate(theirs)) = (&*node.stage, &*their.stage)
                && let (Some(ours), Some(theirs)) = (&ours.schema, &theirs.schema)
            {
                self.file(theirs, What::Schema, ours)?;
            }
            self.result(loaded, found, &own)?;
            licences.push(own);
        }
        Ok(engine)
    }

    /// Adds printed values and notes.
    fn looks(&mut self, ours: &Spec, theirs: &Spec) -> Result<(), Error> {
        for (ours, theirs) in ours.designs().zip(theirs.designs()) {
            for (name, look) in &ours.looks {
                let Some(there) = theirs.looks.get(name) else {
                    continue;
                };
                for (what, from, to) in [
                    (What::Expected, &look.expect, &there.expect),
                    (What::Notes, &look.notes, &there.notes),
                ] {
                    if let (Some(from), Some(to)) = (from, to) {
                        self.file(to, what, from)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a file that stands at `place` in the bundle.
    fn file(&mut self, place: &Path, what: What, from: &Path) -> Result<(), Error> {
        if place.is_absolute() || place.starts_with("..") {
            // Says where it lies.
            within(&self.root, from)?;
        }
        let place = slashes(&tidy(place));
        self.layout.add(place, what, Content::File(from.to_owned()));
        Ok(())
    }

    /// Notes the files that a node's key is made from, by where the receiver looks for them; hands back
    /// their licences.
    fn inputs(
        &mut self,
        loaded: &Loaded,
        theirs: &Stage,
        found: &Gathered,
    ) -> Result<BTreeSet<String>, Error> {
        let mut licences = BTreeSet::new();
        let patterns = patterns_of(theirs);
        let one_for_all = patterns.len() == 1 && found.files.len() > 1;
        if patterns.len() != found.files.len() && !one_for_all {
            return Err(Error::new(
                Exit::Spec,
                "files are named outside of the spec in a way that a bundle cannot keep",
            )
            .hint("name them in the spec, and their folder in its table `[paths]`"));
        }
        for (index, Pattern { pattern, files }) in found.files.iter().enumerate() {
            let Some(there) = patterns.get(if one_for_all { 0 } else { index }) else {
                continue;
            };
            let licence = loaded.spec.folders.licence_of(pattern).map(str::to_owned);
            licences.extend(licence.clone());
            let name = slashes(there);
            let given = files.iter().map(|(path, digest)| Given {
                path: elsewhere(pattern, path, there),
                digest: *digest,
            });
            let input = self.inputs.entry(name.clone()).or_insert(Input {
                pattern: name,
                files: Vec::new(),
                licence,
            });
            for given in given {
                if !input.files.contains(&given) {
                    input.files.push(given);
                }
            }
        }
        for (name, (_, digest)) in books_of(theirs).into_iter().zip(&found.books) {
            self.books.insert(name, *digest);
        }
        Ok(licences)
    }

    /// Adds what is known of a node's result, its rows and its calls, or notes that the rows are left out.
    fn result(
        &mut self,
        loaded: &Loaded,
        found: &Gathered,
        licences: &BTreeSet<String>,
    ) -> Result<(), Error> {
        let cache = &loaded.spec.folders.cache;
        let nodes = NodeStore::open(cache)?;
        let licences: Vec<String> = licences.iter().cloned().collect();
        let mut add = |path: PathBuf, what| {
            let below = path.strip_prefix(cache).map(slashes).unwrap_or_default();
            let content = Content::File(path);
            let place = format!("cache/{below}");
            self.layout
                .with_licences(place, what, content, licences.clone());
        };
        add(nodes.path_of_entry(&found.key), What::Entry);
        let wanted = self.wanted;
        let withheld = (found.texts && !wanted.texts) || (found.replies && !wanted.replies);
        if withheld || !found.here {
            if wanted.texts && !withheld {
                return Err(Error::new(
                    Exit::Stage,
                    "the texts are missing: they were left out of the bundle that this project came from",
                )
                .hint("bundle without `--with-texts`"));
            }
            self.withheld.insert(found.output);
        } else {
            add(nodes.path_of(&found.output), What::Result);
        }
        if wanted.replies {
            let calls = self.calls.entry(cache.clone()).or_default();
            calls.extend(&found.calls);
        }
        Ok(())
    }

    /// Puts the calls into one file, beside the archive to come, where there is room for them; hands back
    /// how many there are.
    fn segment(&mut self, output: &Path) -> Result<(usize, Option<tempfile::TempPath>), Error> {
        let folder = match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut file = tempfile::Builder::new()
            .prefix(".tribunal-")
            .tempfile_in(folder)?;
        let mut copied = 0;
        let mut place = None;
        let mut done = BTreeSet::new();
        for (cache, keys) in &self.calls {
            let store = CallStore::open(cache)?;
            let keys: BTreeSet<Digest> = keys.difference(&done).copied().collect();
            copied += store.copy(&keys, &mut file)?;
            done.extend(keys);
            let path = store.path_of_first();
            let below = path.strip_prefix(cache).map(slashes).unwrap_or_default();
            place = Some(format!("cache/{below}"));
        }
        let Some(place) = place.filter(|_| copied > 0) else {
            return Ok((0, None));
        };
        let path = file.into_temp_path();
        let content = Content::File(path.to_path_buf());
        self.layout.add(place, What::Calls, content);
        Ok((copied, Some(path)))
    }
}

/// Every text in a spec.
fn said(value: &serde_json::Value, take: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => take(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| said(value, take)),
        serde_json::Value::Object(table) => table.values().for_each(|value| said(value, take)),
        _ => {}
    }
}

/// Where a file that fits a pattern would stand to fit another one.
fn elsewhere(pattern: &Path, file: &Path, there: &Path) -> String {
    let below = match file.strip_prefix(folder_of(pattern)) {
        Ok(below) => below,
        Err(_) => Path::new(file.file_name().unwrap_or_default()),
    };
    slashes(&folder_of(there).join(below))
}

/// What has to run first.
fn not_ready(spec: &Path, missing: &[NotReady]) -> Error {
    if let Some((node, why)) = missing
        .iter()
        .find_map(|one| Some((&one.node, one.why.as_ref()?)))
    {
        return Error::new(Exit::Stage, format!("{node}: {why}"));
    }
    let mut names: Vec<&str> = missing
        .iter()
        .map(|one| one.node.split('[').next().unwrap_or(&one.node))
        .collect();
    names.dedup();
    Error::new(
        Exit::Stage,
        format!(
            "`{}` has not been run to completion: there is no result of {}",
            spec.display(),
            some_of(&names)
        ),
    )
    .hint(format!("run it first: `tribunal run {}`", spec.display()))
}
