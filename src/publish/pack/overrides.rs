//! What a project's values from outside its specs (from `tribunal.local.toml`, the environment, `--set`)
//! become in a bundle: those that results may depend on are brought along, those of one machine are not.

use serde_json::{Map, Value};

use crate::base::exit::{Error, Exit};
use crate::spec::Layers;

/// Parameters of models that are in no key and belong to a machine or a purse.
const OF_MACHINES: [&str; 12] = [
    "base-url",
    "api-key-env",
    "concurrency",
    "requests-per-minute",
    "tokens-per-minute",
    "retries",
    "timeout",
    "batch-poll",
    "input-price",
    "output-price",
    "batch-price",
    "serve",
];

/// Parameters that say where something lies, which the spec says too.
const PLACES: [&str; 4] = ["files", "metadata", "script", "command"];

/// The values from outside that a bundle brings along, as a table, with `templates` for where the
/// templates stand in it. Empty, if there are none.
///
/// # Errors
/// A value that may be a secret.
pub(super) fn overrides(
    layers: &Layers,
    templates: Option<&str>,
) -> Result<Map<String, Value>, Error> {
    let files = layers.from_files();
    let mut table = match layers.from_outside().to_json() {
        Value::Object(table) => table,
        _ => Map::new(),
    };
    let has = |path: &[&str]| files.get(path).is_some();
    table.remove("hints");
    table.remove("slurm");
    let placed = |kind: &str, name: &str, key: &str| {
        PLACES.contains(&key) && files.get(&[kind, name, key]).is_some()
    };
    each(&mut table, "models", |name, model| {
        model.retain(|key, _| !OF_MACHINES.contains(&&**key));
        model.retain(|key, _| !placed("models", name, key));
    });
    each(&mut table, "source", |name, source| {
        source.remove("mirror");
        source.retain(|key, _| !placed("source", name, key));
    });
    each(&mut table, "annotators", |name, annotator| {
        annotator.retain(|key, _| !placed("annotators", name, key));
    });
    each(&mut table, "scorer", |name, scorer| {
        scorer.retain(|key, _| !placed("scorer", name, key));
    });
    secret(&mut Vec::new(), &Value::Object(table.clone()))?;
    let named = match table.remove("paths") {
        Some(Value::Object(named)) => named,
        _ => Map::new(),
    };
    let mut paths = Map::new();
    for (name, _) in named {
        // A folder of data: the spec says where it should be; else any place will do.
        if !has(&["paths", &name]) && !["cache", "reports", "templates"].contains(&&*name) {
            paths.insert(name.clone(), format!("data/{name}").into());
        }
    }
    // The project's own folders, where the spec moves them.
    for name in ["cache", "reports"] {
        if has(&["paths", name]) {
            paths.insert(name.to_owned(), name.into());
        }
    }
    if let Some(folder) = templates {
        paths.insert("templates".to_owned(), folder.into());
    }
    if !paths.is_empty() {
        table.insert("paths".to_owned(), Value::Object(paths));
    }
    Ok(table)
}

/// The tables below `name`, changed; those without anything left in them are removed.
fn each(
    table: &mut Map<String, Value>,
    name: &str,
    change: impl Fn(&str, &mut Map<String, Value>),
) {
    let Some(Value::Object(inner)) = table.get_mut(name) else {
        return;
    };
    for (name, value) in &mut *inner {
        if let Value::Object(value) = value {
            change(name, value);
        }
    }
    inner.retain(|_, value| value.as_object().is_none_or(|value| !value.is_empty()));
    if inner.is_empty() {
        table.remove(name);
    }
}

/// Refuses values whose name says that nobody may see them.
fn secret(path: &mut Vec<String>, value: &Value) -> Result<(), Error> {
    let Value::Object(table) = value else {
        return Ok(());
    };
    for (key, value) in table {
        path.push(key.clone());
        let name = key.to_lowercase();
        let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
        if matches!(last, "key" | "secret" | "password" | "token" | "credentials" | "authorization")
            && !value.is_object()
            // The columns that identify a row.
            && path.first().is_none_or(|first| first != "source")
        {
            return Err(Error::new(
                Exit::Spec,
                format!(
                    "`{}` is set outside of the spec and may be a secret, so it does not go into a bundle",
                    path.join(".")
                ),
            )
            .hint("leave it out of `tribunal.local.toml`, the environment and `--set`, run again and bundle then"));
        }
        secret(path, value)?;
        path.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Input;
    use std::io;
    use std::path::Path;

    fn of(spec: &str, local: &str) -> Result<Value, String> {
        let read = |path: &Path| match path.to_str() {
            Some("spec.toml") => Ok(spec.as_bytes().to_vec()),
            Some("local.toml") => Ok(local.as_bytes().to_vec()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let input = Input {
            spec: "spec.toml".into(),
            local: Some("local.toml".into()),
            ..Input::default()
        };
        let Ok(layers) = Layers::load(input, &read, &|_| Vec::new()) else {
            panic!("the layers can be read");
        };
        let table = overrides(&layers, None).map_err(|error| error.message)?;
        Ok(Value::Object(table))
    }

    #[test]
    fn what_belongs_to_a_machine_stays_there() {
        let spec = "[paths]\ndata = \"../data\"\n[models.m]\nprovider = \"openai\"";
        let local = "[paths]\ndata = \"/home/me\"\n[models.m]\nbase-url = \"http://x/v1\"\n\
                     api-key-env = \"KEY\"\nconcurrency = 3\n[source.s]\nmirror = \"https://x/{id}\"";
        assert_eq!(of(spec, local), Ok(serde_json::json!({})));
    }

    #[test]
    fn what_results_depend_on_comes_along() {
        let local = "seed = 3\n[paths]\nmine = \"/home/me\"\n[models.m]\ntemperature = 0.5";
        let wanted = serde_json::json!({
            "seed": 3,
            "models": { "m": { "temperature": 0.5 } },
            "paths": { "mine": "data/mine" },
        });
        assert_eq!(of("", local), Ok(wanted));
    }

    #[test]
    fn what_may_be_a_secret_is_refused() {
        let message = of("", "[models.m.extra]\napi_key = \"abc\"").unwrap_err();
        assert!(
            message.starts_with("`models.m.extra.api_key` is set outside"),
            "{message}"
        );
    }
}
