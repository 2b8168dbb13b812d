//! `tribunal new`: a judge, a table or a figure at the end of a spec.

use std::fmt::Write as _;

use super::args::{Addition, ChangeArgs, NewArgs};
use super::choose;
use super::load::load;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::regular;
use crate::engine::Loaded;
use crate::publish::whole;
use crate::stage::{Kind, Stage, StageName};
use crate::toml::Tree;

pub(super) fn run(args: &NewArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let plain = ChangeArgs::default();
    let loaded = load(&args.spec, &plain, terminal)?;
    check_name(&loaded, args)?;
    let lines = match args.what {
        Addition::Judge => judge(&loaded, args)?,
        Addition::Table => table(&loaded, args)?,
        Addition::Figure => figure(&loaded, args)?,
    };
    let before = regular::read(&args.spec, regular::SPEC)?;
    let mut text = String::from_utf8_lossy(&before).trim_end().to_owned();
    // Writing to it fails never.
    let _ = write!(text, "\n\n{lines}");
    whole::replace(&args.spec, text.as_bytes())?;
    if let Err(wrong) = load(&args.spec, &plain, terminal) {
        whole::replace(&args.spec, &before)?;
        return Err(wrong);
    }
    terminal.out(lines.trim_end());
    terminal.note(&format!("added to {}", args.spec.display()));
    Ok(Exit::Done)
}

/// The kinds of stages that an addition makes.
fn kinds(what: Addition) -> &'static [&'static str] {
    match what {
        Addition::Judge => &["judge", "stats", "table"],
        // Both are written to one folder.
        Addition::Table | Addition::Figure => &["table", "figure"],
    }
}

fn check_name(loaded: &Loaded, args: &NewArgs) -> Result<(), Error> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let begins = args
        .name
        .starts_with(|letter: char| letter.is_ascii_alphanumeric());
    if !begins || !args.name.chars().all(plain) {
        let wrong = format!("`{}` cannot be the name of a stage", args.name);
        let hint = "use letters, digits, `-` and `_`, beginning with a letter or digit";
        return Err(Error::new(Exit::Usage, wrong).hint(hint));
    }
    let tree = loaded.layers.tree();
    let taken = kinds(args.what)
        .iter()
        .chain(["figure"].iter())
        .find(|kind| tree.get(&[**kind, args.name.as_str()]).is_some());
    match taken {
        Some(kind) => Err(Error::new(
            Exit::Usage,
            format!("the spec has `{kind}.{}` already", args.name),
        )
        .hint("choose another name")),
        None => Ok(()),
    }
}

/// The last stage of some kinds, or the one that is named.
fn source<'p>(
    loaded: &'p Loaded,
    args: &NewArgs,
    fits: impl Fn(Kind) -> bool,
    none: &str,
) -> Result<&'p StageName, Error> {
    let stages = choose::stages(&loaded.plan, fits);
    let found = match &args.from {
        Some(named) => {
            let missing = format!("there is no stage `{named}` to read");
            choose::named(&stages, named, missing, "the stages are")?
        }
        None => stages,
    };
    found.last().copied().ok_or_else(|| {
        Error::new(Exit::Usage, format!("the spec has no {none}"))
            .hint("write one, or begin with `tribunal init`")
    })
}

/// The settings of a judge as they are written.
fn written<'l>(loaded: &'l Loaded, judge: &StageName, key: &str) -> Option<&'l Tree> {
    loaded
        .layers
        .tree()
        .get(&["judge", judge.name.as_str(), key])
}

/// A judge with all settings of the last one: what it is to do otherwise is changed in it.
fn judge(loaded: &Loaded, args: &NewArgs) -> Result<String, Error> {
    let name = &args.name;
    let mut judges = choose::stages(&loaded.plan, |kind| kind == Kind::Judge);
    let mut lines = format!("[judge.{name}]\n");
    match judges.pop() {
        Some(last) => {
            let whole = loaded.layers.tree().entries(&["judge", last.name.as_str()]);
            let from = args.from.as_ref();
            for (key, value) in whole {
                let value = match from.filter(|_| key == "from") {
                    Some(from) => toml(&serde_json::Value::from(from.as_str())),
                    None => toml(&value.to_json()),
                };
                let _ = writeln!(lines, "{key} = {value}");
            }
            let _ = writeln!(lines, "# as `{last}` is: change what it is to do otherwise");
            if written(loaded, last, "items").is_some() {
                return Ok(lines);
            }
        }
        None => {
            let from = source(
                loaded,
                args,
                |kind| kind.gives_documents() && !kind.asks(),
                "documents",
            )?;
            let _ = writeln!(
                lines,
                "from  = \"{from}\"\nmodel = \"heuristic\"    # built in; then a model under [models]"
            );
        }
    }
    let _ = write!(
        lines,
        "\n[stats.{name}]\nfrom = \"judge.{name}\"\n\n[table.{name}]\nfrom   = \"stats.{name}\"\nrows   = {}\nshow-n = true\n",
        rows_of_judge(loaded)
    );
    Ok(lines)
}

/// What tells the mean scores of a judge apart that is as the last one: the rows of its statistics, if there are any.
fn rows_of_judge(loaded: &Loaded) -> String {
    let judges = choose::stages(&loaded.plan, |kind| kind == Kind::Judge);
    let of_last = |stats: &crate::stage::Stats| {
        stats.from.last() == judges.last().copied() && stats.from.len() == 1
    };
    let mut all = loaded
        .plan
        .nodes
        .iter()
        .filter_map(|node| match &*node.stage {
            Stage::Stats(stats) => Some(stats),
            _ => None,
        });
    let groups = all
        .find(|stats| of_last(stats))
        .map(|stats| stats.by.clone())
        .filter(|groups| !groups.is_empty());
    let groups = groups.unwrap_or_else(|| vec!["metric".to_owned()]);
    toml(&serde_json::Value::from(groups))
}

/// Statistics, and what tells their rows apart.
fn statistics<'p>(
    loaded: &'p Loaded,
    args: &NewArgs,
) -> Result<(&'p StageName, Vec<String>), Error> {
    let from = source(loaded, args, |kind| kind == Kind::Stats, "statistics")?;
    let node = loaded.plan.nodes.iter().find(|node| node.name == *from);
    let groups = match node.map(|node| &*node.stage) {
        Some(Stage::Stats(stats)) => stats.groups().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let own = node
        .into_iter()
        .flat_map(|node| node.labels.keys().cloned());
    let mut all: Vec<String> = own.collect();
    for group in groups {
        if !all.contains(&group) {
            all.push(group);
        }
    }
    match all.as_slice() {
        [] => Err(Error::new(
            Exit::Usage,
            format!("`{from}` has one row that nothing tells apart"),
        )
        .hint("group it with `by = [\"metric\"]`, or name other statistics with `--from`")),
        _ => Ok((from, all)),
    }
}

fn table(loaded: &Loaded, args: &NewArgs) -> Result<String, Error> {
    let (from, groups) = statistics(loaded, args)?;
    let (rows, columns) = match groups.as_slice() {
        [rows @ .., last] if !rows.is_empty() => (rows, Some(last)),
        all => (all, None),
    };
    let mut lines = format!(
        "[table.{}]\nfrom    = \"{from}\"\nrows    = {}\n",
        args.name,
        toml(&rows.into())
    );
    if let Some(column) = columns {
        let _ = writeln!(lines, "columns = [{}]", toml(&column.as_str().into()));
    }
    let _ = writeln!(lines, "show-n  = true");
    Ok(lines)
}

fn figure(loaded: &Loaded, args: &NewArgs) -> Result<String, Error> {
    let (from, groups) = statistics(loaded, args)?;
    let mut lines = format!("[figure.{}]\nfrom   = \"{from}\"\n", args.name);
    let (x, others) = groups.split_at(1);
    let (series, panels) = others.split_at(others.len().min(1));
    let (panels, more) = panels.split_at(panels.len().min(2));
    let x: Vec<String> = x.iter().chain(more).cloned().collect();
    for (key, names) in [("x", &x[..]), ("series", series), ("panels", panels)] {
        if !names.is_empty() {
            let _ = writeln!(lines, "{key:<6} = {}", toml(&names.into()));
        }
    }
    Ok(lines)
}

/// A value as TOML writes it.
fn toml(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                format!("{} = {}", Value::from(key.as_str()), toml(value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
