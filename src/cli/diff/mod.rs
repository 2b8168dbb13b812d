//! `tribunal diff`: what is different between two runs, as text, as JSON, and as a page.

mod side;

use std::path::Path;

use super::args::DiffArgs;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::output::page;
use crate::output::report::diff::{Comparison, Side, compare, html, markdown, terminal as text};
use crate::output::report::json;
use crate::publish::whole;

/// Changed cells of a table that the terminal shows unless all are asked for.
const MOST: usize = 40;

pub(super) fn run(args: &DiffArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    // Before anything is read: a slip in a file name must not come after the work.
    let written = match &args.write {
        Some(path) => Some((path, Written::of(path)?)),
        None => None,
    };
    let (a, b) = side::both(&args.a, &args.b, terminal)?;
    let comparison = between(&a, &b)?;
    if let Some((path, written)) = written {
        let bytes = match written {
            Written::Markdown => markdown(&comparison),
            Written::Page => page::difference(&html(&comparison)),
        };
        whole::replace(path, bytes.as_bytes())?;
    }
    if args.json {
        terminal.out(&json::pretty(&comparison));
    } else {
        let most = if args.all { usize::MAX } else { MOST };
        terminal.out(&text(
            &comparison,
            terminal.width,
            terminal.results.color,
            most,
        ));
        if let Some(path) = &args.write {
            terminal.note(&format!("wrote {}", path.display()));
        }
    }
    Ok(if args.exit_code && !comparison.same_values() {
        Exit::NotReproduced
    } else {
        Exit::Done
    })
}

/// What a comparison is written as.
enum Written {
    Markdown,
    Page,
}

impl Written {
    fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("md") => Ok(Self::Markdown),
            Some("html") => Ok(Self::Page),
            _ => Err(Error::new(
                Exit::Usage,
                format!("can't tell what to write to `{}`", path.display()),
            )
            .hint("name a file that ends with `.html` or `.md`")),
        }
    }
}

/// Compares what lies in two places: one experiment with one, or many with many by name.
fn between(a: &side::Place, b: &side::Place) -> Result<Comparison, Error> {
    let mut comparison = Comparison {
        a: a.shown.clone(),
        b: b.shown.clone(),
        ..Comparison::default()
    };
    let (names_a, names_b) = (a.experiments()?, b.experiments()?);
    // One experiment on either side is compared whatever the two are called.
    if let ([one], [other]) = (names_a.as_slice(), names_b.as_slice())
        && (one == other || one.is_empty() || other.is_empty())
    {
        comparison.experiments.push(pair(a, one, b, other)?);
        return Ok(comparison);
    }
    for name in &names_a {
        if names_b.contains(name) {
            comparison.experiments.push(pair(a, name, b, name)?);
        } else {
            comparison.only_a.push(name.clone());
        }
    }
    let new = names_b.iter().filter(|name| !names_a.contains(name));
    comparison.only_b = new.cloned().collect();
    Ok(comparison)
}

fn pair(
    a: &side::Place,
    name_a: &str,
    b: &side::Place,
    name_b: &str,
) -> Result<crate::output::report::diff::Difference, Error> {
    let (told_a, told_b) = (a.experiment(name_a)?, b.experiment(name_b)?);
    // A variant is compared with a variant: of a whole experiment, with its base.
    let alone = a.variant.is_some() || b.variant.is_some();
    let variant = |place: &'_ side::Place| -> Option<String> {
        alone.then(|| place.variant.clone().unwrap_or_default())
    };
    let (variant_a, variant_b) = (variant(a), variant(b));
    let of = |told: &'_ side::Experiment| told.record["experiment"].as_str().map(str::to_owned);
    let name = of(&told_b).unwrap_or_else(|| name_b.to_owned());
    Ok(compare(
        &name,
        Side {
            record: &told_a.record,
            tables: &told_a.tables,
            variant: variant_a.as_deref(),
        },
        Side {
            record: &told_b.record,
            tables: &told_b.tables,
            variant: variant_b.as_deref(),
        },
    ))
}
