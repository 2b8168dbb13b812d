//! Specs for the tests of this folder: files in memory, and problems drawn without colour.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Input, Layers, Problems, Style};

/// A folder in memory with a spec `x.toml` in it.
#[derive(Default)]
pub(super) struct Folder {
    files: BTreeMap<PathBuf, Vec<u8>>,
    input: Input,
}

/// A folder with this spec.
pub(super) fn spec(text: &str) -> Folder {
    let input = Input {
        spec: "x.toml".into(),
        ..Input::default()
    };
    Folder {
        input,
        ..Folder::default()
    }
    .file("x.toml", text)
}

impl Folder {
    pub(super) fn file(self, name: &str, text: &str) -> Self {
        self.bytes(name, text.as_bytes())
    }

    pub(super) fn bytes(mut self, name: &str, bytes: &[u8]) -> Self {
        self.files.insert(name.into(), bytes.to_vec());
        self
    }

    pub(super) fn spec_at(mut self, path: &str) -> Self {
        self.input.spec = path.into();
        self
    }

    pub(super) fn with(self, name: &str, text: &str) -> Self {
        self.with_named(name).file(name, text)
    }

    pub(super) fn with_named(mut self, name: &str) -> Self {
        self.input.withs.push(name.into());
        self
    }

    pub(super) fn local(mut self, text: &str) -> Self {
        self.input.local = Some("tribunal.local.toml".into());
        self.file("tribunal.local.toml", text)
    }

    pub(super) fn defaults(mut self, text: &'static str) -> Self {
        self.input.defaults = Some(text);
        self
    }

    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.input.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn set(mut self, argument: &str) -> Self {
        self.input.sets.push(argument.to_owned());
        self
    }

    /// The layers, or what is drawn instead.
    pub(super) fn load(self) -> Result<Layers, String> {
        let Self { files, input } = self;
        let read = |path: &Path| {
            files
                .get(path)
                .cloned()
                .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let list = |folder: &Path| {
            let inside = files.keys().filter(|path| path.parent() == Some(folder));
            inside
                .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
                .collect()
        };
        Layers::load(input, &read, &list)
            .map_err(|(sources, problems)| problems.render(&sources, Style::default()))
    }

    pub(super) fn layers(self) -> Layers {
        self.load()
            .unwrap_or_else(|drawn| panic!("the spec should load:\n{drawn}"))
    }

    pub(super) fn problems(self) -> String {
        self.load().err().unwrap_or_default()
    }

    /// What reading the part at `path` as a `T` gives, and what is drawn.
    pub(super) fn read<T: serde::de::DeserializeOwned>(self, path: &str) -> (Option<T>, String) {
        let layers = self.layers();
        let mut problems = Problems::new();
        let value = super::read(&layers, &keys(path), &mut problems);
        (value, problems.render(layers.sources(), Style::default()))
    }
}

/// `a.b` as a path; the empty text is the empty path.
pub(super) fn keys(path: &str) -> Vec<String> {
    path.split('.')
        .filter(|key| !key.is_empty())
        .map(str::to_owned)
        .collect()
}
