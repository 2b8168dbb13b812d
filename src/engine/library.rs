//! Models ready to answer, each loaded once per run however many judges share it, and given up when
//! the last of them is done: recorded outputs are large.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::file_error::FileError;
use super::files::Files;
use super::gauge::Gauge;
use crate::base::failure::Failure;
use crate::base::lock::lock;
use crate::cache::Aside;
use crate::frame::Frame;
use crate::models::ask::Model;
use crate::models::local::{LocalProvider, ReadsFiles, Recording, Table, Texts, Unread};
use crate::models::spec::{ModelSpec, Provider};
use crate::models::wire::{Client, Counted, Secrets, ServerModel};
use crate::plan::Node;
use crate::spec::Folders;
use crate::stage::Format;

/// Models by everything that makes them what they are, and the tables of recorded outputs that
/// several of them may share.
pub(super) struct Library {
    /// What the spec says about files that are not there.
    folders: Folders,
    /// One pool of connections for all models.
    client: Arc<Client>,
    models: Shelves<dyn Model>,
    recordings: Shelves<Recording>,
    /// The columns that are read of what stands under a name, by all judges together; known once somebody reads.
    columns: OnceLock<BTreeMap<String, Columns>>,
    nodes: Arc<Vec<Node>>,
    /// How many stages have yet to use what stands under a name.
    users: Mutex<BTreeMap<String, usize>>,
}

/// Columns of a table, each with whether rows are told by it; others are replies.
type Columns = BTreeMap<String, bool>;

type Shelves<T> = Mutex<BTreeMap<String, Shelf<T>>>;
type Shelf<T> = Arc<Mutex<Option<Arc<T>>>>;

/// What stands under a name, loaded if it was not yet; two callers wait for one load.
fn once<T: ?Sized>(
    shelves: &Shelves<T>,
    name: String,
    load: impl FnOnce() -> Result<Arc<T>, Failure>,
) -> Result<Arc<T>, Failure> {
    let shelf = Arc::clone(lock(shelves).entry(name).or_default());
    let mut slot = lock(&shelf);
    if let Some(there) = &*slot {
        return Ok(Arc::clone(there));
    }
    let loaded = load()?;
    *slot = Some(Arc::clone(&loaded));
    Ok(loaded)
}

/// The name under which the rows of files stand. Of parquet all that is read of it stands together; what other files hold
/// depends on which of their columns are read as they are written.
fn recording(files: &[PathBuf], table: &Table<'_>) -> String {
    let is_parquet = |file: &PathBuf| Format::of(&file.to_string_lossy()) == Some(Format::Parquet);
    if files.iter().all(is_parquet) {
        format!("{files:?}")
    } else {
        of_its_own(files, table)
    }
}

/// Adds the columns that are read of a table.
fn add(columns: &mut Columns, table: &Table<'_>) {
    for name in &table.columns {
        let told_by = table.told_by().any(|told| told == *name);
        *columns.entry((*name).to_owned()).or_default() |= told_by;
    }
}

/// The name under which the rows of files stand for those who read just the same of them.
fn of_its_own(files: &[PathBuf], table: &Table<'_>) -> String {
    let told_by: Vec<&str> = table.told_by().collect();
    format!(
        "{files:?} {:?} {told_by:?} {:?}",
        table.columns, table.written
    )
}

/// The names under which a model and its recorded outputs stand.
fn names(spec: &ModelSpec) -> (String, Option<String>) {
    let reads = spec.provider.local().and_then(LocalProvider::reads);
    let recording = reads.and_then(|reads| Some(recording(reads.files, &reads.table?)));
    let name = match spec.provider.server() {
        // All that is said to a server is part of it.
        Some(_) => format!("{spec:?}"),
        None => format!("{:?} {:?}", spec.provider, spec.model),
    };
    (name, recording)
}

impl Library {
    /// An empty library for the judges of a plan that knows the keys of servers.
    pub(super) fn new(secrets: Arc<Secrets>, folders: Folders, nodes: Arc<Vec<Node>>) -> Self {
        Self {
            folders,
            client: Arc::new(Client::new(secrets)),
            models: Mutex::default(),
            recordings: Mutex::default(),
            columns: OnceLock::new(),
            nodes,
            users: Mutex::default(),
        }
    }

    /// Notes how many judges will use each model.
    pub(super) fn expect<'n>(&self, judges: impl Iterator<Item = &'n Node>) {
        let mut users = lock(&self.users);
        users.clear();
        for model in judges.filter_map(|node| node.stage.model()) {
            let (model, recording) = names(model);
            for name in [Some(model), recording].into_iter().flatten() {
                *users.entry(name).or_default() += 1;
            }
        }
    }

    /// The columns that are read by all judges of the plan together of what stands under each name.
    fn columns(&self) -> &BTreeMap<String, Columns> {
        self.columns.get_or_init(|| {
            let mut columns: BTreeMap<String, Columns> = BTreeMap::new();
            for model in self.nodes.iter().filter_map(|node| node.stage.model()) {
                let reads = model.provider.local().and_then(LocalProvider::reads);
                if let Some((table, files)) =
                    reads.and_then(|reads| Some((reads.table?, reads.files)))
                {
                    add(columns.entry(recording(files, &table)).or_default(), &table);
                }
            }
            columns
        })
    }

    /// A judge is done with its model.
    pub(super) fn release(&self, spec: &ModelSpec) {
        let mut users = lock(&self.users);
        let mut last = |name: &String| {
            let left = users.entry(name.clone()).or_default();
            *left = left.saturating_sub(1);
            *left == 0
        };
        let (model, recording) = names(spec);
        if last(&model) {
            let mut shelves = lock(&self.models);
            shelves.remove(&model);
        }
        if let Some(recording) = recording.filter(|name| last(name)) {
            let mut shelves = lock(&self.recordings);
            shelves.remove(&recording);
        }
    }

    /// The model, loaded if it was not yet; one on a server counts with this gauge. Blocks; two callers
    /// wait for one load.
    pub(super) fn model(
        &self,
        spec: &ModelSpec,
        gauge: &Arc<Gauge>,
        files: &Files,
    ) -> Result<Arc<dyn Model>, Failure> {
        once(&self.models, names(spec).0, || {
            self.load(spec, gauge, files)
        })
    }

    /// The model of a spec, if it is on a server.
    pub(super) fn server(&self, spec: &ModelSpec, gauge: &Arc<Gauge>) -> Option<ServerModel> {
        let gauge = Arc::clone(gauge);
        let count = move |text: &str| Counted {
            tokens: gauge.count(text),
            exact: gauge.is_exact(),
        };
        let client = Arc::clone(&self.client);
        ServerModel::new(spec.clone(), client, Arc::new(count))
    }

    /// What requests are made with.
    pub(super) fn client(&self) -> &Arc<Client> {
        &self.client
    }

    fn load(
        &self,
        spec: &ModelSpec,
        gauge: &Arc<Gauge>,
        files: &Files,
    ) -> Result<Arc<dyn Model>, Failure> {
        match &spec.provider {
            Provider::Local(local) => {
                let files = FilesOf {
                    library: self,
                    files,
                };
                local.provider().load(&spec.name, spec.asked(), &files)
            }
            Provider::Served(_) => {
                let model = self.server(spec, gauge);
                let model = model.ok_or_else(|| Failure::new("the model is on no server"))?;
                Ok(Arc::new(model))
            }
        }
    }
}

impl Texts for Aside {
    fn text(&self, row: usize) -> io::Result<String> {
        self.text(row)
    }
}

/// What providers read of a run's files; tables stay in the library for others that read them.
struct FilesOf<'l> {
    library: &'l Library,
    files: &'l Files,
}

/// Replies are set aside where they take more than so many bytes.
const MUCH: usize = 4 << 20;

impl FilesOf<'_> {
    /// Some columns of the rows of files. Replies are looked at one by one, and where they are much they wait for that on the disk;
    /// if that cannot be, in memory.
    fn read(
        &self,
        paths: &[PathBuf],
        table: &Table<'_>,
        columns: &Columns,
    ) -> Result<Arc<Recording>, Failure> {
        let names: Vec<&str> = columns.keys().map(String::as_str).collect();
        let mut rows = self.rows(paths, table, &names)?;
        let mut aside: BTreeMap<String, Box<dyn Texts>> = BTreeMap::new();
        for (name, told_by) in columns {
            let Some(column) = rows.column(name).ok().filter(|_| !told_by) else {
                continue;
            };
            let cells = || (0..column.len()).map(|row| column.text(row).unwrap_or_default());
            let bytes: usize = cells().map(|cell| cell.len()).sum();
            if bytes > MUCH
                && let Ok(texts) = Aside::of(&self.library.folders.cache, cells())
            {
                aside.insert(name.clone(), Box::new(texts));
            }
        }
        let names: Vec<&str> = aside.keys().map(String::as_str).collect();
        rows = rows.without(&names);
        Ok(Arc::new(Recording { rows, aside }))
    }

    fn rows(
        &self,
        paths: &[PathBuf],
        table: &Table<'_>,
        columns: &[&str],
    ) -> Result<Frame, Failure> {
        let mut frames = Vec::new();
        let failure = |error: FileError| error.failure(&self.library.folders);
        for path in self.files.all(paths).map_err(failure)? {
            let bytes = self.files.read(&path).map_err(failure)?;
            let name = path.to_string_lossy();
            let frame = match Format::of(&name) {
                Some(Format::Parquet) => Frame::from_foreign_parquet(bytes, Some(columns)),
                Some(Format::JsonLines) => Frame::from_jsonl(&bytes),
                Some(Format::Csv) => Frame::from_csv(&bytes, &table.written),
                _ => {
                    return Err(Failure::new(
                        "recorded outputs cannot be read from this type of file",
                    )
                    .at(path.display())
                    .hint("use parquet, jsonl or csv"));
                }
            };
            frames.push(frame.map_err(|error| Failure::from(error).at(path.display()))?);
        }
        Ok(Frame::stack(&frames)?)
    }
}

impl ReadsFiles for FilesOf<'_> {
    fn bytes(&self, file: &Path) -> Result<Vec<u8>, Unread> {
        let bytes = self.files.one(file).and_then(|path| self.files.read(&path));
        bytes.map_err(|error| match error {
            FileError::NotHere { .. } => Unread::NotHere(error.to_string()),
            error => Unread::Failed(error.failure(&self.library.folders)),
        })
    }

    fn table(&self, files: &[PathBuf], table: &Table<'_>) -> Result<Arc<Recording>, Failure> {
        let recordings = &self.library.recordings;
        let name = recording(files, table);
        let all = self.library.columns().get(&name);
        let mut all = all.cloned().unwrap_or_default();
        add(&mut all, table);
        let together = once(recordings, name, || self.read(files, table, &all));
        // What cannot be read may be a column that only others want.
        together.or_else(|_| {
            let mut own = Columns::new();
            add(&mut own, table);
            let name = of_its_own(files, table);
            once(recordings, name, || self.read(files, table, &own))
        })
    }
}
