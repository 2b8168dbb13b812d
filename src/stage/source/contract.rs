//! What `source` stages say of themselves.

use super::{BOOK_COLUMNS, Source};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::{list_of, nearest};
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Download, Gathers, Gives, Named, Role, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName};

impl Work for Source {
    fn about() -> About {
        About {
            // 2: more forms of headers, credits, title pages and lists of contents are known. 3: whole numbers
            // keep all their digits, and doubled keys of JSON and numbers that are not finite are refused. 4: numbers of csv
            // that are texts elsewhere stay as they are written, and numbers too small for a computer are texts. 5: columns
            // of lists and objects are JSON, not text. 6: `-0` is a whole number.
            version: 6,
            reads: &[],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        Vec::new()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = if self.gutenberg.is_empty() {
            self.of_files(looking)
        } else {
            self.of_books()
        };
        let metadata = self
            .metadata
            .as_deref()
            .and_then(|file| looking.heads().of(file));
        match metadata {
            Some(metadata) => {
                for head in metadata {
                    if let Some(more) = &head.columns {
                        self.joined(&mut columns, more, looking);
                    }
                }
            }
            None if self.metadata.is_some() => columns.set_open(true),
            None => {}
        }
        for name in &self.key {
            looking.needs(&columns, &["key"], name, "the source");
        }
        columns
    }

    fn files(&self) -> Vec<Named> {
        let files = Named {
            at: vec!["files".to_owned()],
            patterns: self.files.clone(),
            role: Role::Documents,
            table: true,
        };
        let metadata = self.metadata.iter().map(|file| Named {
            table: true,
            ..Named::one(&["metadata"], "metadata", file)
        });
        std::iter::once(files).chain(metadata).collect()
    }

    fn downloads(&self) -> Vec<Download> {
        let pattern = Digest::of(&self.mirror).to_string();
        let book = |&id: &u64| Download {
            id,
            url: self.mirror.replace("{id}", &id.to_string()),
            name: format!("gutenberg/{id}-{}", &pattern[..16]),
        };
        self.gutenberg.iter().map(book).collect()
    }
}

impl Compute for Source {
    fn run(&self, _: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        if let Some(output) = self.in_parts(world)? {
            return Ok(output);
        }
        let mut files = world.read(&self.files)?;
        files.extend(world.downloads()?);
        let metadata = self.metadata.as_slice();
        let metadata = world.read(metadata)?.into_iter().next();
        self.read(files, metadata)
    }
}

impl Source {
    fn of_books(&self) -> Columns {
        let listed: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let names = if listed.is_empty() {
            BOOK_COLUMNS.to_vec()
        } else {
            listed
        };
        let names = ["doc_id", "text"].into_iter().chain(names);
        Columns::of(names.map(|name| (name.to_owned(), Holds::Unknown)), false)
    }

    fn of_files(&self, looking: &mut Looking<'_>) -> Columns {
        let mut tables: Vec<Columns> = Vec::new();
        for pattern in &self.files {
            let Some(files) = looking.heads().of(pattern) else {
                tables.push(Columns::unknown());
                continue;
            };
            for head in files {
                let table = match &head.columns {
                    None => Columns::of(
                        ["doc_id", "text"].map(|name| (name.to_owned(), Holds::Text)),
                        false,
                    ),
                    Some(columns) => self.of_table(columns, &head.path.display(), looking),
                };
                if !tables.contains(&table) {
                    tables.push(table);
                }
            }
        }
        Columns::stacked(tables.iter())
    }

    /// The columns of one file, by the names that they get.
    fn of_table(
        &self,
        file: &Columns,
        path: &dyn std::fmt::Display,
        looking: &mut Looking<'_>,
    ) -> Columns {
        let path = path.to_string();
        let (id, text) = (
            self.id.as_deref().unwrap_or("doc_id"),
            self.text.as_deref().unwrap_or("text"),
        );
        for (step, named) in [("id", &self.id), ("text", &self.text)] {
            if let Some(name) = named {
                looking.needs(file, &[step], name, &path);
            }
        }
        if self.id.is_none() && file.lacks("doc_id") {
            looking.lack(Mistake {
                place: None,
                code: NO_COLUMN,
                at: (vec!["files".to_owned()], None),
                message: format!("`{path}` has no column `doc_id`"),
                label: "its rows have no names",
                help: match nearest("doc_id", &file.names()) {
                    Some(near) => format!("name the column that has them: `id = \"{near}\"`"),
                    None if file.names().is_empty() => "the file has no rows".to_owned(),
                    None => format!(
                        "name the column that has them with `id`; the columns are {}",
                        list_of(&file.names())
                    ),
                },
            });
        }
        for name in &self.columns {
            if name != "doc_id" {
                looking.needs(file, &["columns"], name, &path);
            }
        }
        for (name, from) in [("doc_id", id), ("text", text)] {
            if from != name && file.has(from) && file.has(name) {
                looking.lack(Mistake {
                    place: None,
                    code: NO_COLUMN,
                    at: (
                        vec![if name == "text" { "text" } else { "id" }.to_owned()],
                        None,
                    ),
                    message: format!(
                        "`{path}` already has a column `{name}`, which `{from}` would become"
                    ),
                    label: "named here",
                    help: "rename one of the two in the file".to_owned(),
                });
            }
        }
        let mut columns = Columns::default();
        columns.set_open(file.is_open() && self.columns.is_empty());
        columns.set("doc_id", Holds::Text);
        let listed: Vec<&str> = if self.columns.is_empty() {
            file.names()
        } else {
            let mut listed: Vec<&str> = self.columns.iter().map(String::as_str).collect();
            if !file.lacks(text) {
                listed.push(text);
            }
            listed
        };
        for name in listed {
            if name == text {
                columns.set("text", Holds::Text);
            } else if name != id {
                columns.keep(name, file);
            }
        }
        columns
    }

    fn joined(&self, columns: &mut Columns, metadata: &Columns, looking: &mut Looking<'_>) {
        let id = self.id.as_deref().unwrap_or("doc_id");
        looking.needs(metadata, &["metadata"], id, "the metadata");
        for name in metadata.names().into_iter().filter(|name| *name != id) {
            if columns.has(name) {
                looking.lack(Mistake {
                    place: None,
                    code: NO_COLUMN,
                    at: (vec!["metadata".to_owned()], None),
                    message: format!(
                        "the metadata has a column `{name}`, and so have the documents"
                    ),
                    label: "joined here",
                    help: "rename the column in the metadata, or remove it".to_owned(),
                });
            }
            columns.keep(name, metadata);
        }
        columns.no_surer_than(metadata);
    }
}
