//! The JSON that describes gold documents, manipulations and samples.

use std::fmt;
use std::path::Path;

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::Samples;
use super::exchanges::Exchanged;
use crate::base::json;
use crate::import::{Kind, Problem, files};

/// A gold document as the metadata describes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Gold {
    pub(super) id: String,
    /// From the repository's root on, with a `/` in front.
    #[serde(rename = "gold_text")]
    pub(super) text: String,
    #[serde(rename = "gold_source")]
    pub(super) source: Source,
}

/// Where a gold document comes from.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Source {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) year: Option<i64>,
    #[serde(default)]
    pub(super) gutenberg: Gutenberg,
}

/// What Project Gutenberg says of it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Gutenberg {
    pub(super) url: Option<String>,
    pub(super) genre: Option<String>,
}

/// A manipulated document as the metadata describes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Manipulated {
    pub(super) gold_id: String,
    #[serde(rename = "manipulated_text")]
    pub(super) text: Option<String>,
    #[serde(default, rename = "manipulated_char_spans")]
    spans: Value,
    #[serde(default)]
    range_type: Value,
    #[serde(default)]
    affected_metric: Value,
    #[serde(default, rename = "manipulation_category")]
    category: Value,
    #[serde(default, rename = "manipulation_type")]
    kind: Value,
    #[serde(default)]
    random_seed: Value,
    #[serde(default)]
    params: Params,
}

/// A manipulation's parameters, without the texts of other documents among them, which are some
/// megabytes for every document.
#[derive(Clone, Debug, Default)]
struct Params(Map<String, Value>);

/// The parameter that is left out.
const TEXTS: &str = "texts_to_insert";

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Params;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with parameters")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params, A::Error> {
                let mut params = Map::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == TEXTS {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        params.insert(name, map.next_value()?);
                    }
                }
                Ok(Params(params))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl Manipulated {
    /// What `meta_json` says of it; of an exchange also what the texts say.
    pub(super) fn to_json(&self, exchanged: Option<&Exchanged>) -> String {
        let mut meta = Map::new();
        let mut put = |name: &str, value: &Value| meta.insert(name.to_owned(), value.clone());
        put("manipulation_type", &self.kind);
        put("manipulation_category", &self.category);
        put("affected_metric", &self.affected_metric);
        put("range_type", &self.range_type);
        put("random_seed", &self.random_seed);
        put("params", &Value::Object(self.params.0.clone()));
        put("manipulated_char_spans", &self.spans);
        if let Some(exchanged) = exchanged {
            put("exchanges", &exchanged.exchanges);
        }
        put("source", &Value::from("upstream metadata"));
        written(&meta)
    }
}

/// What `meta_json` says of an exchange without metadata.
pub(super) fn derived_json(unit: &str, exchanged: &Exchanged) -> String {
    let mut meta = Map::new();
    let mut put = |name: &str, value: Value| meta.insert(name.to_owned(), value);
    put("manipulation_type", "exchange_content".into());
    put("manipulation_category", "logical_flow_disruptions".into());
    put("affected_metric", "coherence".into());
    put("range_type", unit.into());
    put("manipulated_char_spans", exchanged.spans.clone());
    put("exchanges", exchanged.exchanges.clone());
    put(
        "source",
        "derived by paragraph diff against gold (upstream metadata not available)".into(),
    );
    written(&meta)
}

/// JSON as Python writes it, with blanks behind commas and colons, which is how the repacked data has it.
fn written(meta: &Map<String, Value>) -> String {
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_array_value<W: ?Sized + std::io::Write>(
            &mut self,
            writer: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            writer.write_all(if first { b"" } else { b", " })
        }

        fn begin_object_key<W: ?Sized + std::io::Write>(
            &mut self,
            writer: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            writer.write_all(if first { b"" } else { b", " })
        }

        fn begin_object_value<W: ?Sized + std::io::Write>(
            &mut self,
            writer: &mut W,
        ) -> std::io::Result<()> {
            writer.write_all(b": ")
        }
    }
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    // Writing a map of texts to memory has no way to fail.
    let _ = meta.serialize(&mut serializer);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads a JSON file.
///
/// # Errors
/// A file that cannot be read, is not UTF-8, or not this JSON.
pub(super) fn read<T: DeserializeOwned>(root: &Path, path: &str) -> Result<T, Problem> {
    let text = files::text(root, path)?;
    json::read_as(&text).map_err(|error| Problem::new(Kind::Json, path, error.to_string()))
}

/// The samples that the metadata lists.
pub(super) fn samples(root: &Path, problems: &mut Vec<Problem>) -> Samples {
    #[derive(Deserialize)]
    struct Listed {
        id: String,
    }
    let mut samples = Samples::default();
    for folder in ["data/JM-sub-sample", "data/sub_sample", "data/test"] {
        for (path, name) in gold_lists(root, folder, problems) {
            let listed: Vec<Listed> = match read(root, &path) {
                Ok(listed) => listed,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let sample = match folder {
                "data/JM-sub-sample" => &mut samples.judgememo,
                _ if folder == "data/test" || name.contains("_test_") => &mut samples.prompts,
                _ => &mut samples.matrix,
            };
            sample.extend(listed.into_iter().map(|document| document.id));
        }
    }
    samples
}

/// The lists of gold documents in a folder: path and name, sorted.
pub(super) fn gold_lists(
    root: &Path,
    folder: &str,
    problems: &mut Vec<Problem>,
) -> Vec<(String, String)> {
    files::names(root, folder, problems)
        .into_iter()
        .filter(|name| {
            let is_json = Path::new(name)
                .extension()
                .is_some_and(|ending| ending == "json");
            is_json && name.starts_with("gold_") && name.contains("_meta")
        })
        .map(|name| (format!("{folder}/{name}"), name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_written_as_the_repacked_data_has_it() {
        let text = r#"{"id": "JM-1_C_1_17", "gold_id": "JM-1", "manipulation_type": "exchange_content",
            "manipulation_category": "c", "affected_metric": "coherence", "range_type": "paragraph",
            "random_seed": 31, "manipulated_char_spans": [[1, 2], [3, 3]],
            "params": {"n": 0, "ratio": true, "texts_to_insert": ["A whole book."], "terms": ["ä", null]}}"#;
        let manipulated: Manipulated = serde_json::from_str(text).unwrap();
        assert_eq!(
            manipulated.to_json(None),
            "{\"manipulation_type\": \"exchange_content\", \"manipulation_category\": \"c\", \
             \"affected_metric\": \"coherence\", \"range_type\": \"paragraph\", \"random_seed\": 31, \
             \"params\": {\"n\": 0, \"ratio\": true, \"terms\": [\"ä\", null]}, \
             \"manipulated_char_spans\": [[1, 2], [3, 3]], \"source\": \"upstream metadata\"}"
        );
    }
}
