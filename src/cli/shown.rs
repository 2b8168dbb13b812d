//! What a run shows on the terminal: its tables, and where its page is; and having it written.

use std::path::Path;

use super::output::Terminal;
use super::project::shorter;
use crate::base::exit::Error;
use crate::base::wording::thousands;
use crate::engine::{Ended, Loaded};
use crate::output::report::columns::{Column, Kind, draw};
use crate::output::report::terminal;
use crate::publish::{self, Published, Shown, TableOutline};

/// Writes what a run came to, and says what became of what earlier runs wrote, unless a program listens.
pub(super) fn publish<'r>(
    loaded: &'r [Loaded],
    ended: &'r Ended,
    silent: bool,
    terminal: &mut Terminal,
) -> Result<Published<'r>, Error> {
    let published = publish::publish(loaded, ended, &mut |doing| {
        if terminal.live {
            terminal.note(doing);
        }
    })?;
    if !silent {
        for note in &published.notes {
            terminal.note(note);
        }
        for (experiment, aside) in &published.outdated {
            terminal.note(&format!(
                "the page of several experiments showed `{experiment}` as it was before and is now {}",
                shorter(aside.clone()).display()
            ));
        }
    }
    Ok(published)
}

/// The tables that a run came to itself, as the terminal shows them: those of one experiment whole, of several a line for each.
pub(super) fn tables(
    loaded: &[Loaded],
    shown: &[Shown<'_>],
    ended: &Ended,
    terminal: &Terminal,
) -> Result<String, Error> {
    if let ([_], [shown]) = (loaded, shown) {
        let tables = shown.pictures()?.tables.iter();
        let tables = tables.filter(|table| ended.came_to(0, &table.variant, &table.name));
        let drawn = tables
            .map(|table| terminal::render(&table.grid, terminal.width, terminal.results.color));
        return Ok(drawn.collect::<Vec<String>>().join("\n"));
    }
    let each = loaded.iter().zip(shown).enumerate();
    let tables = each.flat_map(|(at, (loaded, shown))| {
        let name = loaded.spec.name.as_str();
        let tables = shown.outline().tables.iter();
        let tables = tables.filter(move |table| ended.came_to(at, &table.variant, &table.name));
        tables.map(move |table| (name, table))
    });
    let tables: Vec<(&str, &TableOutline)> = tables.collect();
    Ok(if tables.is_empty() {
        String::new()
    } else {
        overview(&tables, terminal)
    })
}

/// A line for each table of several experiments: whose it is, and how much of it is there.
fn overview(tables: &[(&str, &TableOutline)], shown: &Terminal) -> String {
    let count = |n: usize| thousands(n as u64);
    let places = tables
        .iter()
        .map(|(experiment, table)| match table.variant.as_str() {
            "" => format!("{experiment}/{}", table.name),
            variant => format!("{experiment}/{variant}/{}", table.name),
        });
    let cells = tables.iter().map(|(_, table)| count(table.cells));
    let without = tables.iter().map(|(_, table)| count(table.without));
    let columns = [
        Column::new("table", Kind::Name, places.collect()),
        Column::new("cells", Kind::Number, cells.collect()),
        Column::new("without a value", Kind::Number, without.collect()),
    ];
    draw(&columns, shown.width, shown.results.color)
}

/// Says where the page is, where it is said where the tables are: of a run that came to its end. `apart` says how to look at
/// the judgements of a page that has no room for them.
pub(super) fn page(
    page: Option<&Path>,
    apart: Option<&str>,
    ended: &Ended,
    terminal: &mut Terminal,
) {
    let summary = &ended.summary;
    if let Some(page) = page.filter(|_| !summary.interrupted && summary.failed == 0) {
        terminal.note(&format!(
            "the page is {}{}",
            shorter(page.to_owned()).display(),
            apart.map_or_else(String::new, |apart| format!("; {apart}"))
        ));
    }
}
