//! The published documents of `CoFluEval-LC` and `CoFluEval-SC`, gold and manipulated.

use serde_json::Value;
use tribunal::frame::Frame;

use super::data::Data;

/// One document.
pub(super) struct Document {
    pub(super) id: String,
    /// `2000` or `full`.
    pub(super) length: String,
    /// `gold`, or the manipulation's number.
    pub(super) task: String,
    pub(super) text: String,
    /// Places in the gold text that were changed, in characters; one for each operation.
    pub(super) changed: Vec<(usize, usize)>,
}

/// All 910, in the order of the file.
pub(super) fn documents(data: &Data) -> Vec<Document> {
    let columns = ["doc_id", "length", "task", "text", "meta_json"];
    let bytes = fs_err::read(data.file("documents.parquet")).unwrap();
    let frame = Frame::from_parquet(bytes, Some(&columns)).unwrap();
    let [id, length, task, text, meta] = columns.map(|name| frame.column(name).unwrap());
    (0..frame.rows())
        .map(|row| Document {
            id: id.text(row).unwrap().into_owned(),
            length: length.text(row).unwrap().into_owned(),
            task: task.text(row).unwrap().into_owned(),
            text: text.text(row).unwrap().into_owned(),
            changed: meta.text(row).map(|meta| spans(&meta)).unwrap_or_default(),
        })
        .collect()
}

/// The 65 gold texts, whole.
pub(super) fn gold(data: &Data) -> Vec<Document> {
    let mut gold = documents(data);
    gold.retain(|document| document.length == "full" && document.task == "gold");
    assert_eq!(gold.len(), 65);
    gold
}

fn spans(meta: &str) -> Vec<(usize, usize)> {
    let meta: Value = serde_json::from_str(meta).unwrap();
    let spans = meta["manipulated_char_spans"].as_array().unwrap();
    let place = |span: &Value, end: usize| usize::try_from(span[end].as_u64().unwrap()).unwrap();
    spans
        .iter()
        .map(|span| (place(span, 0), place(span, 1)))
        .collect()
}
