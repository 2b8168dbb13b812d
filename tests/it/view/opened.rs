//! Judgements as the script of the page has them.

use serde_json::Value;

use super::View;

/// The rows as the tests of the store open them.
#[path = "../../../src/output/page/store/opened.rs"]
pub(crate) mod rows;

/// All chunks of a store.
pub(super) struct Opened {
    pub(super) index: Value,
    pub(super) documents: Vec<Value>,
    pub(super) replies: Vec<Value>,
}

impl Opened {
    pub(super) fn of(view: &View) -> Self {
        let packed = |name: &str| {
            let answer = view.get(&format!("/chunks/{name}"));
            (answer.status == 200).then_some(answer.body)
        };
        let index = rows::index(&mut |name| packed(name)).expect("there is an index");
        let all = |what: &str| -> Vec<Value> {
            let per_chunk = index[format!("{what}_per_chunk")].as_u64().unwrap() as usize;
            let chunks = (0..).map_while(|k| chunk(view, &format!("{what}-{k}")));
            let mut all = Vec::new();
            for chunk in chunks {
                // Where the replies of a judge end there may be fewer.
                all.resize(all.len().next_multiple_of(per_chunk), Value::Null);
                all.extend(chunk.as_array().unwrap().iter().cloned());
            }
            all
        };
        Self {
            documents: all("documents"),
            replies: all("replies"),
            index,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.index["rows"].as_u64().unwrap() as usize
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> Vec<&str> {
        let columns = self.index["columns"].as_array().unwrap();
        columns
            .iter()
            .map(|column| column["name"].as_str().unwrap())
            .collect()
    }

    /// A cell; null where there is no value.
    pub(super) fn cell(&self, name: &str, row: usize) -> Value {
        let columns = self.index["columns"].as_array().unwrap();
        let column = columns.iter().find(|column| column["name"] == name);
        let column = column.unwrap_or_else(|| panic!("no column `{name}`: {:?}", self.names()));
        match column["kind"].as_str() {
            Some("number") => column["numbers"][row].clone(),
            Some("choice") => match column["codes"][row].as_i64().unwrap() {
                -1 => Value::Null,
                code => column["values"][code as usize].clone(),
            },
            other => panic!("a column of kind {other:?}"),
        }
    }

    /// The first row with these cells.
    pub(super) fn row(&self, cells: &[(&str, &str)]) -> usize {
        let fits = |row: &usize| {
            cells
                .iter()
                .all(|(name, cell)| self.cell(name, *row) == *cell)
        };
        (0..self.rows())
            .find(fits)
            .unwrap_or_else(|| panic!("no row {cells:?}"))
    }

    /// The document of a row.
    pub(super) fn document(&self, row: usize) -> &Value {
        &self.documents[self.index["documents"][row].as_u64().unwrap() as usize]
    }

    /// The reply of a row, if anybody was asked.
    pub(super) fn reply(&self, row: usize) -> Option<&Value> {
        let position = self.index["replies"][row].as_i64().unwrap();
        usize::try_from(position).ok().map(|at| &self.replies[at])
    }

    /// The text of a document, with its edits made in that of another where it is stored so.
    pub(super) fn text(&self, document: &Value) -> Option<String> {
        if let Some(text) = document["text"].as_str() {
            return Some(text.to_owned());
        }
        let like = &self.documents[document["like"].as_u64()? as usize];
        let before: Vec<u16> = self.text(like)?.encode_utf16().collect();
        let (mut text, mut at) = (Vec::new(), 0);
        for edit in document["edits"].as_array().unwrap() {
            let until = at + edit["start"].as_u64().unwrap() as usize - text.len();
            text.extend_from_slice(&before[at..until]);
            text.extend(edit["text"].as_str().unwrap().encode_utf16());
            at = until + edit["original"].as_str().unwrap().encode_utf16().count();
        }
        text.extend_from_slice(&before[at..]);
        Some(String::from_utf16(&text).unwrap())
    }

    /// The messages of the prompt about a row, put together: each with who speaks.
    pub(super) fn prompt(&self, row: usize) -> Vec<(String, String)> {
        let messages = self.reply(row).unwrap()["prompt"].as_array().unwrap();
        let part = |part: &Value| match part.as_str() {
            Some(text) => text.to_owned(),
            None => self.text(self.document(row)).unwrap(),
        };
        let message = |message: &Value| {
            let parts = message["parts"].as_array().unwrap();
            let role = message["role"].as_str().unwrap().to_owned();
            (role, parts.iter().map(part).collect())
        };
        messages.iter().map(message).collect()
    }
}

/// A chunk, if there is one of this name.
fn chunk(view: &View, name: &str) -> Option<Value> {
    let answer = view.get(&format!("/chunks/{name}"));
    if answer.status == 404 {
        return None;
    }
    Some(serde_json::from_slice(&rows::unpacked(&answer.body)).unwrap())
}

/// What stands at a place that counts UTF-16 code units.
pub(super) fn at(text: &str, place: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let end = |index: usize| place[index].as_u64().unwrap() as usize;
    String::from_utf16(&units[end(0)..end(1)]).unwrap()
}
