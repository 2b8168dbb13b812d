//! `tribunal verify --accept`: our values become the expected ones.
//!
//! What changes is shown cell by cell, then written: the files are the user's and under version control, where the change
//! is reviewed like that of a snapshot.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::args::VerifyArgs;
use super::output::Terminal;
use super::project::shorter;
use crate::base::exit::{Error, Exit};
use crate::base::wording::count;
use crate::output::report::accept::{Accepted, Change, Why};
use crate::output::report::one_line;
use crate::publish::{Drawn, Printed, whole};

/// So many cells of a kind are named of each file.
const NAMED: usize = 20;

/// What came of it.
pub(super) struct Outcome {
    /// Whether every value of every file is ours now, or has a note.
    pub(super) reproduced: bool,
    /// Whether a file was written.
    pub(super) written: bool,
}

/// Takes over the values of these tables.
pub(super) fn run(
    tables: Vec<(&Drawn, Printed<'_>)>,
    args: &VerifyArgs,
    terminal: &mut Terminal,
) -> Result<Outcome, Error> {
    let mut files: BTreeMap<&Path, (&Drawn, String)> = BTreeMap::new();
    let mut reproduced = true;
    let mut all = Vec::new();
    for (table, printed) in tables {
        let (path, notes) = (printed.path(), printed.notes());
        let accepted = printed.accept(table)?;
        let after = printed.with(accepted.text.clone());
        reproduced &= after.compare(table)?.reproduced();
        let Some((other, before)) = files.insert(path, (table, accepted.text.clone())) else {
            all.push((path, notes, accepted));
            continue;
        };
        if before != accepted.text {
            let (one, two) = (&other.layout.name, &table.layout.name);
            let message = format!(
                "`{one}` and `{two}` both expect `{}`, and differ in their values",
                path.display()
            );
            return Err(Error::new(Exit::Spec, message)
                .hint("give each a file of its own with `expect`; nothing was written"));
        }
    }
    let mut written = false;
    let (mut changed, mut kept) = (0, 0);
    for (path, notes, accepted) in &all {
        changed += accepted.changes.len();
        kept += accepted.kept.len();
        tell(path, *notes, accepted, args, terminal);
        if !args.dry_run && !accepted.changes.is_empty() {
            whole::replace(path, accepted.text.as_bytes())?;
            written = true;
        }
    }
    if !args.how.json {
        terminal.note(&sentence(changed, kept, args.dry_run));
    }
    Ok(Outcome {
        reproduced,
        written,
    })
}

fn sentence(changed: usize, kept: usize, dry_run: bool) -> String {
    let done = match (changed, dry_run) {
        (0, _) => "no expected value changes".to_owned(),
        (n, true) => format!(
            "{} would change; nothing was written",
            count(n, "expected value")
        ),
        (n, false) => format!("{} accepted", count(n, "value")),
    };
    match kept {
        0 => done,
        1 => format!("{done}; 1 value that is not ours stays"),
        n => format!("{done}; {} that are not ours stay", count(n, "value")),
    }
}

/// Says what changes in a file and what stays.
fn tell(
    path: &Path,
    notes: Option<&Path>,
    accepted: &Accepted,
    args: &VerifyArgs,
    terminal: &mut Terminal,
) {
    let file = shorter(path.to_owned()).display().to_string();
    if args.how.json {
        let event = json!({
            "event": "accepted",
            "file": file,
            "changed": accepted.changes.len(),
            "kept": accepted.kept.len(),
            "written": !args.dry_run && !accepted.changes.is_empty(),
        });
        terminal.json(&event.to_string());
        return;
    }
    let changes = accepted.changes.iter().map(|change| changed(&file, change));
    told(changes.collect(), "change", terminal);
    let notes = notes.map(|notes| shorter(notes.to_owned()).display().to_string());
    let kept = accepted.kept.iter().map(|kept| {
        let why = match kept.why {
            Why::Noted(line) => format!(
                "a note explains it ({}:{line}); remove the note to accept ours",
                notes.as_deref().unwrap_or("notes")
            ),
            Why::Published => {
                "the file has audited values, so this one is published; explain the difference in a note".to_owned()
            }
            Why::Incomplete => "ours is an average that lacks parts".to_owned(),
            Why::OtherTable => {
                "our table has none of the file's cells; check `expect`, or remove the file to write it anew".to_owned()
            }
        };
        format!("{file}:{}: {} stays: {why}", kept.line, one_line(&kept.place))
    });
    told(kept.collect(), "stay", terminal);
}

fn changed(file: &str, change: &Change) -> String {
    let what = if change.audited { " (audited)" } else { "" };
    let place = one_line(&change.place);
    let change_of = match (&change.before, &change.after) {
        (Some(before), Some(after)) if before.is_empty() => format!("nothing → {after}"),
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (Some(before), None) => format!("{before} → the line goes: our table has no such cell"),
        (None, after) => format!("new: {}", after.as_deref().unwrap_or_default()),
    };
    format!("{file}:{}: {place}{what}: {change_of}", change.line)
}

fn told(lines: Vec<String>, verb: &str, terminal: &mut Terminal) {
    let more = lines.len().saturating_sub(NAMED);
    for line in lines.into_iter().take(NAMED) {
        terminal.note(&line);
    }
    if more > 0 {
        terminal.note(&format!("{} more {verb}", count(more, "value")));
    }
}
