//! The structure of the code, as rules that a build breaks on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use fs_err as fs;
use tribunal::stats::statistic::STATISTICS;

/// What folders may use at most, beside themselves: other folders, or parts of them. A folder that is not listed may use
/// whatever makes no circle. Whoever adds to a line should first ask whether the dependency points the right way.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base/draw", &[]),
    ("base/failure", &[]),
    ("base/fetch", &["base/wording"]),
    ("base/json", &[]),
    ("base/key", &[]),
    ("base/regular", &["base/wording"]),
    ("base/wording", &[]),
    ("frame", &["base"]),
    ("stats", &[]),
    ("toml", &["base", "frame"]),
    ("language/text", &["base"]),
    ("language/clean", &["base", "language/text"]),
    ("language/manipulate", &["base", "language/text"]),
    ("cache", &["base/key", "base/whole"]),
    ("models/score", &[]),
    ("models/parse", &["models/score"]),
    ("models/template", &["base", "frame", "models/score"]),
    (
        "models/ask",
        &["base/wording", "frame", "language/text", "models/parse"],
    ),
    (
        "models/spec",
        &["language/text", "models/ask", "models/parse"],
    ),
    ("models/key", &["base/key", "models/ask", "models/spec"]),
    (
        "models/traffic",
        &["base/wording", "models/ask", "models/spec"],
    ),
    (
        "models/wire",
        &["base", "models/ask", "models/parse", "models/spec"],
    ),
    ("models/batch", &["base", "cache", "models/wire"]),
    // Of `stats` the list of statistics, which says what each is called; see below.
    ("output/report", &["base/wording", "stats"]),
    ("output/chart", &["base/wording", "output/report", "stats"]),
    ("output/page", &["base/wording", "output/report"]),
    (
        "stage",
        &[
            "base",
            "frame",
            "language",
            "models/ask",
            "models/parse",
            "models/score",
            "models/spec",
            "models/template",
            "output/chart",
            "output/report",
            "stats",
            "toml",
        ],
    ),
    (
        "spec",
        &[
            "base",
            "frame",
            "language",
            "models/ask",
            "models/parse",
            "models/score",
            "models/spec",
            "models/template",
            "output/chart",
            "output/report",
            "stage",
            "stats",
            "toml",
        ],
    ),
    ("plan", &["base", "frame", "models/spec", "spec", "stage"]),
    ("import", &["base", "frame", "models/parse"]),
    ("publish/bundle", &["base", "cache"]),
];

/// Folders that touch no file, start nothing, and wait for nobody.
const PURE: &[&str] = &[
    "base/draw",
    "base/failure",
    "base/json",
    "base/key",
    "base/wording",
    "language/clean",
    "language/manipulate",
    "models/key",
    "models/parse",
    "models/score",
    "models/spec",
    "models/template",
    "output",
    "plan",
    "spec",
    "stage",
    "stats",
    "toml",
];

#[test]
fn no_folder_uses_one_that_uses_it() {
    let tree = sources("src");
    for depth in [Depth::Folders, Depth::Parts] {
        let uses = uses(&tree, depth);
        assert!(uses.len() > 30, "{uses:?}");
        if let Some(circle) = circle(&uses) {
            panic!("folders of src use each other:\n{}", told(&circle, &uses));
        }
    }
}

#[test]
fn folders_use_what_the_architecture_says() {
    let uses = uses(&sources("src"), Depth::Parts);
    let mut wrong = Vec::new();
    for ((from, to), places) in &uses {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| name == from) else {
            continue;
        };
        if !allowed.iter().any(|folder| lies_in(to, folder)) {
            wrong.extend(
                places
                    .iter()
                    .map(|place| format!("{place}: `{from}` must not use `{to}`")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_rules_name_is_there() {
    let there: BTreeSet<String> = sources("src")
        .keys()
        .flat_map(|path| path.ancestors().map(Path::to_owned).collect::<Vec<_>>())
        .map(|path| path.with_extension("").display().to_string())
        .collect();
    let rules = MAY_USE
        .iter()
        .flat_map(|(from, to)| [*from].into_iter().chain(to.iter().copied()))
        .chain(PURE.iter().copied());
    let gone: Vec<&str> = rules.filter(|name| !there.contains(*name)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn a_circle_is_found_whichever_way_its_paths_are_written() {
    let tree = |files: &[(&str, &str)]| -> BTreeMap<PathBuf, String> {
        files
            .iter()
            .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
            .collect()
    };
    let group = ("low/mod.rs", "//! Parts.\n\npub mod a;\npub mod b;\n");
    let found = |files: &[(&str, &str)], depth| {
        let uses = uses(&tree(files), depth);
        circle(&uses).map(|circle| told(&circle, &uses))
    };

    let straight = [
        group,
        ("low/a.rs", "use crate::high::Thing;\n"),
        ("high/mod.rs", "//! High.\nuse crate::low::a::{One, Two};\n"),
    ];
    assert_eq!(
        found(&straight, Depth::Folders).unwrap(),
        "`high` uses `low`: high/mod.rs:2\n`low` uses `high`: low/a.rs:1"
    );
    assert_eq!(
        found(&straight, Depth::Parts).unwrap(),
        "`high` uses `low/a`: high/mod.rs:2\n`low/a` uses `high`: low/a.rs:1"
    );

    let parts = [
        group,
        ("low/a.rs", "fn f() {\n    super::b::g();\n}\n"),
        (
            "low/b/mod.rs",
            "use crate::{\n    low::{a::f, other},\n};\n",
        ),
    ];
    assert_eq!(found(&parts, Depth::Folders), None);
    assert_eq!(
        found(&parts, Depth::Parts).unwrap(),
        "`low/a` uses `low/b`: low/a.rs:2\n`low/b` uses `low/a`: low/b/mod.rs:1"
    );

    let tests_and_comments = [
        (
            "low/mod.rs",
            "// crate::high::Thing\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::high::Thing;\n}\n",
        ),
        ("low/tests.rs", "use crate::high::Thing;\n"),
        (
            "high/mod.rs",
            "#[cfg(test)]\nmod tests;\n\nuse crate::low::f;\n",
        ),
    ];
    assert_eq!(found(&tests_and_comments, Depth::Folders), None);
    let uses = uses(&tree(&tests_and_comments), Depth::Folders);
    assert_eq!(
        uses.into_iter().collect::<Vec<_>>(),
        [(
            ("high".to_owned(), "low".to_owned()),
            vec!["high/mod.rs:4".to_owned()]
        )]
    );
}

#[test]
fn pure_folders_touch_no_file_and_wait_for_nobody() {
    let words = [
        "fs_err",
        "reqwest::",
        "std::fs",
        "std::net",
        "std::process",
        "tokio::",
    ];
    let mut found = naming(&words);
    found.retain(|(path, _)| PURE.iter().any(|folder| lies_in(path, folder)));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn polars_is_named_in_frame_only() {
    let mut found = naming(&["polars::", "polars_io::"]);
    found.retain(|(path, _)| !lies_in(path, "frame"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn only_the_command_line_reads_the_environment_or_writes_to_the_terminal() {
    let mut found = naming(&["std::env::", "stdout()", "stderr()"]);
    found.retain(|(path, line)| !lies_in(path, "cli") && !line.contains("current_exe"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn reports_read_the_list_of_statistics_and_compute_none() {
    let mut found = naming(&["crate::stats"]);
    found.retain(|(path, line)| lies_in(path, "output") && !line.contains("stats::statistic::"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_statistic_is_named_in_the_list_of_statistics_only() {
    // Words that mean something else elsewhere, or are names of tests and keys.
    let words = [
        "count",
        "difference",
        "max",
        "mean",
        "median",
        "min",
        "p",
        "share",
        "t",
    ];
    let names = STATISTICS.iter().map(|statistic| statistic.name);
    let names = names.filter(|name| !words.contains(name));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut found = naming(&names);
    assert!(found.len() >= names.len().saturating_sub(3), "{found:#?}");
    found.retain(|(path, _)| path != "stats/statistic");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_module_with_parts_of_its_own_is_a_folder() {
    let beside: Vec<String> = ["src", "tests/it"]
        .into_iter()
        .flat_map(|folder| {
            let tree = sources(folder);
            let folders: BTreeSet<PathBuf> = tree
                .keys()
                .flat_map(|path| path.ancestors().skip(1).map(Path::to_owned))
                .collect();
            tree.into_keys()
                .filter(move |path| folders.contains(&path.with_extension("")))
                .map(move |path| {
                    let own = path.with_extension("").join("mod.rs");
                    format!(
                        "`{folder}/{}` belongs into its folder, as `{folder}/{}`",
                        path.display(),
                        own.display()
                    )
                })
        })
        .collect();
    assert!(beside.is_empty(), "{}", beside.join("\n"));
}

#[test]
fn every_folder_of_src_is_described_once() {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let modules: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut described: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! - [`")?.split('`').next())
        .collect();
    described.sort_unstable();
    assert_eq!(described, modules);
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let unsaid: Vec<&str> = modules
        .into_iter()
        .filter(|name| {
            !architecture.contains(&format!("`{name}`"))
                && !architecture.contains(&format!("`{name}/"))
        })
        .collect();
    assert!(
        unsaid.is_empty(),
        "not in ARCHITECTURE.md: {}",
        unsaid.join(", ")
    );
}

#[test]
fn files_stay_small() {
    let long: Vec<String> = sources("src")
        .into_iter()
        .filter(|(path, text)| text.lines().count() > 600 && !is_test(path))
        .map(|(path, text)| format!("{}: {} lines", path.display(), text.lines().count()))
        .collect();
    assert!(long.is_empty(), "split by idea:\n{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let silent: Vec<String> = sources("src")
        .into_iter()
        .filter(|(path, text)| !text.starts_with("//!") && !is_test(path))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(
        silent.is_empty(),
        "no `//!` in front of:\n{}",
        silent.join("\n")
    );
}

/// What is told apart.
#[derive(Clone, Copy)]
enum Depth {
    /// The folders of `src`.
    Folders,
    /// The same, and what a folder consists of that only lists its parts.
    Parts,
}

/// Who uses whom, and where.
type Uses = BTreeMap<(String, String), Vec<String>>;

/// Which folder uses which, read off the paths in the code.
fn uses(tree: &BTreeMap<PathBuf, String>, depth: Depth) -> Uses {
    let groups: BTreeSet<String> = tree
        .iter()
        .filter(|(path, text)| path.ends_with("mod.rs") && only_lists_parts(text))
        .map(|(path, _)| path.parent().unwrap().display().to_string())
        .collect();
    let unit = |names: &[String]| -> Option<String> {
        let (first, rest) = names.split_first()?;
        match (depth, rest.first()) {
            (Depth::Parts, part) if groups.contains(first) => Some(format!("{first}/{}", part?)),
            _ => Some(first.clone()),
        }
    };
    let folders: BTreeSet<String> = tree.keys().map(|path| module(path)[..1].join("")).collect();
    let mut uses = Uses::new();
    for (path, text) in tree {
        let own = module(path);
        if is_test(path) || ["lib", "main"].contains(&own[0].as_str()) {
            continue;
        }
        let Some(from) = unit(&own) else {
            continue;
        };
        for (line, names) in paths(&without_tests(text), &own) {
            if let Some(to) = unit(&names)
                && to != from
                && folders.contains(&names[0])
            {
                let places = uses.entry((from.clone(), to)).or_default();
                let place = format!("{}:{line}", path.display());
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
    }
    uses
}

/// Whether a module is nothing but its parts.
fn only_lists_parts(text: &str) -> bool {
    text.lines().all(|line| {
        line.is_empty()
            || line.starts_with("//")
            || (line.starts_with("pub mod ") && line.ends_with(';'))
    })
}

/// The shortest way from a folder back to itself, if there is any.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    let next = |from: &str| {
        uses.keys()
            .filter(move |(a, _)| a == from)
            .map(|(_, to)| to.clone())
            .collect::<Vec<_>>()
    };
    let starts: BTreeSet<&String> = uses.keys().map(|(from, _)| from).collect();
    let mut shortest: Option<Vec<String>> = None;
    for start in starts {
        let mut seen = BTreeSet::new();
        let mut open = VecDeque::from([vec![start.clone()]]);
        while let Some(way) = open.pop_front() {
            if shortest
                .as_ref()
                .is_some_and(|known| known.len() <= way.len())
            {
                break;
            }
            for to in next(way.last().unwrap()) {
                if to == *start {
                    shortest = Some(way.clone());
                    open.clear();
                    break;
                }
                if seen.insert(to.clone()) {
                    open.push_back([way.clone(), vec![to]].concat());
                }
            }
        }
    }
    shortest
}

/// A circle, edge by edge, with a few places for each.
fn told(circle: &[String], uses: &Uses) -> String {
    let edges = circle.iter().zip(circle.iter().cycle().skip(1));
    edges
        .map(|(from, to)| {
            let places = &uses[&(from.clone(), to.clone())];
            let some = &places[..places.len().min(5)];
            format!("`{from}` uses `{to}`: {}", some.join(", "))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The names of a file's module.
fn module(path: &Path) -> Vec<String> {
    let path = if path.ends_with("mod.rs") {
        path.parent().unwrap().to_owned()
    } else {
        path.with_extension("")
    };
    path.iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// Code without comments and tests, with as many lines.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            let indent = &line[..line.len() - line.trim_start().len()];
            let ends = [format!("{indent}}}"), format!("{indent}}};")];
            code.push('\n');
            for (index, line) in lines.by_ref().enumerate() {
                code.push('\n');
                let short = index == 0 && line.ends_with([';', ',', '}']);
                if short || ends.iter().any(|end| end == line) {
                    break;
                }
            }
        } else {
            if !line.trim_start().starts_with("//") {
                code.push_str(line);
            }
            code.push('\n');
        }
    }
    code
}

/// The paths from the root of the crate that a module names, each with its line and as far as its second name.
fn paths(code: &str, own: &[String]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for word in ["crate::", "super::"] {
        for (at, _) in code.match_indices(word) {
            let before = &code[..at];
            if before.ends_with(|c: char| c.is_alphanumeric() || ['_', ':', '$'].contains(&c)) {
                continue;
            }
            let mut rest = &code[at + word.len()..];
            let mut base = Vec::new();
            if word == "super::" {
                let mut up = 1;
                while let Some(further) = rest.strip_prefix("super::") {
                    rest = further;
                    up += 1;
                }
                base = own[..own.len().saturating_sub(up)].to_vec();
            }
            let line = before.matches('\n').count() + 1;
            let mut ways = Vec::new();
            branches(rest, &base, &mut ways);
            found.extend(ways.into_iter().map(|way| (line, way)));
        }
    }
    found
}

/// The paths of a tree such as `a::{b::c, d}`, below a base, as far as their second name.
fn branches(tree: &str, base: &[String], found: &mut Vec<Vec<String>>) {
    if let Some(list) = tree.strip_prefix('{') {
        let mut depth = 0;
        let mut start = 0;
        for (at, sign) in list.char_indices() {
            match sign {
                ',' | '}' if depth == 0 => {
                    branches(list[start..at].trim(), base, found);
                    start = at + 1;
                    if sign == '}' {
                        return;
                    }
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }
    let end = tree
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(tree.len());
    let (name, rest) = tree.split_at(end);
    if name.is_empty() {
        return;
    }
    let way = [base, &[name.to_owned()]].concat();
    match rest.strip_prefix("::") {
        Some(rest) if way.len() < 2 => branches(rest, &way, found),
        _ => found.push(way),
    }
}

/// Lines outside tests that hold one of these words: their files and where they are, below `src`.
fn naming(words: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, text) in sources("src") {
        if is_test(&path) {
            continue;
        }
        for (index, line) in without_tests(&text).lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                let file = path.with_extension("").display().to_string();
                found.push((file, format!("{}: {}", index + 1, line.trim())));
            }
        }
    }
    found
}

/// Whether a path is a folder or lies in it.
fn lies_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a file below `src` is of tests alone.
fn is_test(path: &Path) -> bool {
    path.with_extension("").iter().any(|name| name == "tests")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file of a folder of the project, by its path below it.
fn sources(folder: &str) -> BTreeMap<PathBuf, String> {
    fn walk(folder: &Path, base: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.insert(path.strip_prefix(base).unwrap().to_owned(), text);
            }
        }
    }
    let base = root().join(folder);
    let mut found = BTreeMap::new();
    walk(&base, &base, &mut found);
    found
}
