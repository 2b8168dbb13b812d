//! The page of every key is made from the schema, so that it cannot say something else than the command.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value};

const HEAD: &str = "# Every key\n\nMade from the schema by a test (`INSTA_UPDATE=always cargo test keys_page`). What a key is for, with examples, is on the pages that the\n[index](README.md) names; in an editor the same words appear beside the key.\n";

struct Schema(Value);

/// A table of keys that is still to be described: its heading, and where it stands in the schema.
type Open<'s> = (String, &'s Map<String, Value>);

impl Schema {
    fn definition(&self, reference: &str) -> Option<(&str, &Value)> {
        let name = reference.strip_prefix("#/definitions/")?;
        let (name, found) = self.0["definitions"].as_object()?.get_key_value(name)?;
        Some((name, found))
    }

    /// A value or what it refers to, and the name of that.
    fn followed<'s>(&'s self, value: &'s Value) -> (Option<&'s str>, &'s Value) {
        let reference = value["$ref"].as_str();
        // A reference beside a default.
        let reference = reference.or_else(|| value["allOf"][0]["$ref"].as_str());
        match reference.and_then(|reference| self.definition(reference)) {
            Some((name, found)) => (Some(name), found),
            None => (None, value),
        }
    }

    /// What may stand behind a key, in words; tables that are described apart go to `tables`.
    fn says<'s>(
        &'s self,
        value: &'s Value,
        path: &str,
        tables: &mut Vec<(&'s str, Open<'s>)>,
    ) -> String {
        let (name, value) = self.followed(value);
        let alternatives = ["anyOf", "oneOf"]
            .iter()
            .find_map(|key| value[key].as_array());
        if let Some(alternatives) = alternatives {
            let mut said: Vec<String> = Vec::new();
            for one in alternatives {
                let one = self.says(one, path, tables);
                if !said.contains(&one) {
                    said.push(one);
                }
            }
            return said.join(" or ");
        }
        let quoted = |value: &Value| format!("`{value}`");
        if let Some(values) = value["enum"].as_array() {
            return values.iter().map(quoted).collect::<Vec<_>>().join(", ");
        }
        if !value["const"].is_null() {
            return quoted(&value["const"]);
        }
        if let Some(types) = value["type"].as_array() {
            let said = types
                .iter()
                .filter_map(Value::as_str)
                .filter(|one| *one != "null");
            return said.map(word).collect::<Vec<_>>().join(" or ");
        }
        match value["type"].as_str() {
            Some("array") => format!("list of {}", self.says(&value["items"], path, tables)),
            Some("object") => match value["properties"].as_object() {
                Some(keys) => {
                    let heading = format!("`{path}`");
                    tables.push((
                        name.unwrap_or(path).to_owned().leak(),
                        (heading.clone(), keys),
                    ));
                    "table, below".to_owned()
                }
                None if value["additionalProperties"].is_object() => {
                    let of = self.says(
                        &value["additionalProperties"],
                        &format!("{path}.NAME"),
                        tables,
                    );
                    format!("table of names, each with: {of}")
                }
                None => "table".to_owned(),
            },
            Some(one) => word(one).to_owned(),
            None => "any value".to_owned(),
        }
    }
}

fn word(kind: &str) -> &str {
    match kind {
        "string" => "text",
        "integer" => "whole number",
        "boolean" => "`true` or `false`",
        other => other,
    }
}

/// A cell of a table in Markdown.
fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

fn page() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = fs_err::read_to_string(root.join("tribunal.schema.json")).unwrap();
    let schema = Schema(serde_json::from_str(&schema).unwrap());
    let mut page = HEAD.to_owned();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let top = schema.0["properties"].as_object().unwrap();
    let mut open: Vec<(&str, Open<'_>)> = vec![("", ("A spec".to_owned(), top))];
    while !open.is_empty() {
        let (name, (heading, keys)) = open.remove(0);
        if !seen.insert(name) {
            continue;
        }
        write!(page, "\n## {heading}\n\n| key | value | |\n|---|---|---|\n").unwrap();
        for (key, value) in keys {
            let path = match heading.as_str() {
                "A spec" => key.clone(),
                heading => format!("{}.{key}", heading.trim_matches('`')),
            };
            let mut tables = Vec::new();
            let says = schema.says(value, &path, &mut tables);
            // What is described in several places is described once.
            let about = value["description"]
                .as_str()
                .or_else(|| schema.followed(value).1["description"].as_str());
            writeln!(
                page,
                "| `{key}` | {} | {} |",
                cell(&says),
                cell(about.unwrap_or_default())
            )
            .unwrap();
            let new = tables.into_iter().filter(|(name, _)| !seen.contains(name));
            let new: Vec<_> = new
                .filter(|(name, _)| !open.iter().any(|(other, _)| other == name))
                .collect();
            open.extend(new);
        }
    }
    page
}

#[test]
fn every_key_of_the_schema_has_its_entry() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference.md");
    let page = page();
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs_err::write(&path, page).unwrap();
        return;
    }
    let there = fs_err::read_to_string(&path).unwrap_or_default();
    assert!(
        there == page,
        "run `INSTA_UPDATE=always cargo test keys_page`"
    );
    assert!(page.matches("\n| `").count() > 300);
}
