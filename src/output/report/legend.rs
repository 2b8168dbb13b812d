//! What the values, marks and parentheses of a table are, where the table itself does not say it.
//!
//! It words what cells carry; it must not count what is behind them (`account` does), nor say what is wrong with one of them
//! (`footnote` does).

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::footnote::listed;
use super::grid::Grid;
use super::layout::{Cell, Family, How};
use crate::base::wording::{self, choice_of, count, list_of};
use crate::stats::statistic::{self, Rests, USUAL, is_end, is_of_spread, is_p_value};

/// The lines, in the order in which they stand under the table.
pub(crate) fn lines(grid: &Grid) -> Vec<String> {
    let mut lines: Vec<String> = values(grid).into_iter().collect();
    lines.extend(bounds(grid));
    lines.extend(corrections(grid));
    lines.extend(sides(grid));
    lines.extend(variances(grid));
    lines.extend(levels(grid));
    lines.extend(in_parentheses(grid));
    lines
}

fn statistic(cell: &Cell) -> &str {
    cell.statistic.as_deref().unwrap_or_default()
}

/// Which statistic is shown, unless it is the mean of what was scored or a heading tells several apart.
fn values(grid: &Grid) -> Option<String> {
    let cells = grid.cells().filter(|cell| cell.statistic.is_some());
    let shown: IndexSet<String> = cells.map(called).collect();
    if shown.is_empty() || (shown.len() == 1 && shown[0] == USUAL) || told_apart(grid) {
        return None;
    }
    // A mean of a statistic is called as it is, and what that is stands there once.
    let told = |name: &str| {
        shown
            .iter()
            .any(|other| other.starts_with(&format!("{name} (")))
    };
    let shown: Vec<&str> = shown
        .iter()
        .map(String::as_str)
        .filter(|name| !told(name))
        .collect();
    Some(format!("Values: {}.", list_of(&shown).replace('`', "")))
}

/// What a cell shows.
fn called(cell: &Cell) -> String {
    let test = cell.how.as_ref().is_some_and(|how| how.test.is_some());
    let name = statistic(cell);
    let measure = cell.how.as_ref().and_then(|how| how.measure.as_deref());
    if let Some(about) = measure.and_then(|measure| statistic::about(measure, name)) {
        return format!("{name} ({about})");
    }
    if name == USUAL && cell.how.as_ref().is_some_and(|how| how.of_truth) {
        return "share of what is true".to_owned();
    }
    let called = statistic::named(name).and_then(|one| {
        let of_tests = one.called_of_tests.filter(|_| test);
        of_tests.or(one.called)
    });
    called.unwrap_or(name).to_owned()
}

/// Whether a cell shows a statistic of the tests here that rests on this.
pub(super) fn rests(cell: &Cell, on: Rests) -> bool {
    let measured = cell.how.as_ref().is_some_and(|how| how.measure.is_some());
    let name = statistic(cell);
    !measured && statistic::named(name).is_some_and(|one| one.rests == on)
}

/// Whether a field of the table says which of several statistics a cell shows.
fn told_apart(grid: &Grid) -> bool {
    let fields = grid.layout().fields().count();
    (0..fields).any(|field| {
        let mut of: IndexMap<&str, String> = IndexMap::new();
        let tells = grid.cells().all(|cell| {
            let key = cell.row.iter().chain(&cell.column).nth(field);
            let key = key.map_or("", String::as_str);
            let shown = called(cell);
            *of.entry(key).or_insert_with(|| shown.clone()) == shown
        });
        let shown: BTreeSet<&String> = of.values().collect();
        tells && shown.len() > 1
    })
}

/// Whether a mark of significance stands or could stand at a cell.
fn is_marked(grid: &Grid, cell: &Cell) -> bool {
    !grid.layout().stars.is_empty() && cell.value.is_some() && cell.p.is_some()
}

/// Whether a p-value is seen, by its mark or as it is.
fn shows_p(grid: &Grid, cell: &Cell) -> bool {
    is_marked(grid, cell) || (is_p_value(statistic(cell)) && cell.value.is_some())
}

/// Whether a p-value is seen or would be, were the test defined.
fn could_show_p(grid: &Grid, cell: &Cell) -> bool {
    !grid.layout().stars.is_empty() || is_p_value(statistic(cell))
}

/// What the marks stand for.
fn bounds(grid: &Grid) -> Option<String> {
    let mut stars = grid.layout().stars.clone();
    stars.sort_by(|left, right| left.0.total_cmp(&right.0));
    let bounds: Vec<String> = stars
        .iter()
        .map(|(bound, mark)| format!("{mark} p < {bound}"))
        .collect();
    let any = grid.cells().any(|cell| is_marked(grid, cell));
    any.then(|| format!("{}.", bounds.join(", ")))
}

/// Sentences of which each holds for some cells; where there are others, it says for which.
fn each<'c>(grid: &Grid, cells: impl Iterator<Item = (&'c Cell, Option<String>)>) -> Vec<String> {
    let mut said: IndexMap<Option<String>, Vec<&Cell>> = IndexMap::new();
    for (cell, text) in cells {
        said.entry(text).or_default().push(cell);
    }
    let one = said.len() == 1;
    let texts = said
        .into_iter()
        .filter_map(|(text, cells)| Some((text?, cells)));
    texts
        .map(|(text, cells)| {
            if one {
                return format!("{text}.");
            }
            let places = listed(&cells, |cell| grid.place_of(cell));
            format!("{text} ({places}).")
        })
        .collect()
}

/// Whether, how and over how many tests p-values were corrected.
fn corrections(grid: &Grid) -> Vec<String> {
    let mut families: IndexMap<&str, BTreeSet<&Family>> = IndexMap::new();
    let seen = || grid.cells().filter(|cell| could_show_p(grid, cell));
    for family in seen().filter_map(|cell| cell.family.as_ref()) {
        families
            .entry(&family.correction)
            .or_default()
            .insert(family);
    }
    let cells = seen().filter_map(|cell| match &cell.family {
        Some(family) => {
            let over = over(&families[family.correction.as_str()]);
            Some((
                cell,
                Some(format!("p corrected ({}) {over}", family.correction)),
            ))
        }
        None => shows_p(grid, cell).then(|| (cell, Some("p not corrected".to_owned()))),
    });
    each(grid, cells)
}

/// `over 7 of 8 tests, 1 not defined`; of several families how many there are, and the size of each.
fn over(families: &BTreeSet<&Family>) -> String {
    let mut sizes: IndexMap<(u64, u64), u64> = IndexMap::new();
    for family in families {
        *sizes.entry((family.tests, family.undefined)).or_default() += 1;
    }
    let size = |(tests, undefined): (u64, u64)| {
        let all = count(tests + undefined, "test");
        match undefined {
            0 => format!("over {all}"),
            _ => format!("over {tests} of {all}, {undefined} not defined"),
        }
    };
    match sizes.iter().collect::<Vec<_>>().as_slice() {
        [(one, 1)] => size(**one),
        [(one, several)] => format!("in {several} families, each {}", size(**one)),
        several => {
            let each: Vec<String> = several
                .iter()
                .map(|(of, families)| format!("{families} {}", size(**of)))
                .collect();
            format!("in {} families: {}", families.len(), each.join("; "))
        }
    }
}

/// That p-values are of one side, where they are.
fn sides(grid: &Grid) -> Vec<String> {
    let tests = grid.cells().filter(|cell| shows_p(grid, cell));
    let cells = tests.map(|cell| {
        let how = cell.how.as_ref();
        (cell, how.and_then(one_sided))
    });
    each(grid, cells)
}

/// What a p-value of one side says; nothing of one of both.
pub(crate) fn one_sided(how: &How) -> Option<String> {
    let alternative = how.test.as_deref()?;
    let direction = match alternative {
        "greater" => "above",
        "less" => "below",
        _ => return None,
    };
    if how.measure.is_some() {
        return Some(format!("p one-sided ({alternative})"));
    }
    Some(format!(
        "p one-sided: that the mean difference is {direction} 0"
    ))
}

/// That variances are those of exactly these values, where they are.
fn variances(grid: &Grid) -> Vec<String> {
    let spread = grid
        .cells()
        .filter(|cell| is_of_spread(statistic(cell)) || is_marked(grid, cell));
    let cells = spread.map(|cell| {
        let over_n = cell.how.as_ref().is_some_and(|how| how.ddof == Some(0));
        (cell, over_n.then(|| OVER_N.to_owned()))
    });
    each(grid, cells)
}

/// What `ddof = 0` means.
pub(crate) const OVER_N: &str = "variances over n, not n − 1 (ddof = 0)";

/// The level of confidence of intervals whose ends are shown.
fn levels(grid: &Grid) -> Vec<String> {
    let ends = grid.cells().filter(|cell| is_end(statistic(cell)));
    let cells = ends.filter_map(|cell| {
        let level = cell.how.as_ref()?.level;
        Some((
            cell,
            Some(format!("{} confidence intervals", percent(level))),
        ))
    });
    each(grid, cells)
}

/// A level of confidence: `95 %`.
pub(crate) fn percent(level: f64) -> String {
    format!("{} %", (level * 1e6).round() / 1e4)
}

/// What the numbers in parentheses are.
fn in_parentheses(grid: &Grid) -> Option<String> {
    if !grid.layout().show_n {
        return None;
    }
    let cells = || grid.cells().filter(|cell| cell.value.is_some());
    let units: IndexSet<String> = cells()
        .filter(|cell| cell.n.is_some())
        .filter_map(|cell| cell.unit.as_deref().map(wording::plural))
        .collect();
    if cells().all(|cell| cell.n.is_none()) {
        let any = cells().any(|cell| rests(cell, Rests::OnSides));
        return any.then(|| "No n in parentheses: each of the two means has its own.".to_owned());
    }
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    let what = match units.as_slice() {
        [] => String::new(),
        units => format!(", the number of {}", choice_of(units).replace('`', "")),
    };
    let some = if cells().any(|cell| cell.n.is_none()) {
        ", where one number says it"
    } else {
        ""
    };
    Some(format!("In parentheses: n{what}{some}."))
}
