//! The structure of the code, as rules that a build breaks on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use fs_err as fs;
use tribunal::stats::statistic::STATISTICS;

/// What folders may use at most, beside themselves: other folders, or parts of them. A folder that is not listed may use
/// whatever makes no circle. Whoever adds to a line should first ask whether the dependency points the right way.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base/clock", &[]),
    ("base/coming", &[]),
    ("base/compact", &[]),
    ("base/draw", &[]),
    ("base/exit", &["base/failure"]),
    ("base/failure", &[]),
    ("base/fetch", &["base/retry", "base/wording"]),
    ("base/json", &[]),
    ("base/key", &[]),
    ("base/lock", &[]),
    ("base/paths", &[]),
    ("base/regular", &["base/wording"]),
    ("base/retry", &[]),
    ("base/whole", &[]),
    ("base/wording", &[]),
    ("frame", &["base"]),
    ("stats", &[]),
    ("toml", &["base", "frame"]),
    ("language/text", &["base"]),
    ("language/clean", &["base", "language/text"]),
    ("language/manipulate", &["base", "language/text"]),
    (
        "cache",
        &["base/digested", "base/exit", "base/key", "base/whole"],
    ),
    ("cluster", &["base"]),
    ("models/score", &[]),
    ("models/parse", &["models/score"]),
    // A prompt is a conversation.
    (
        "models/template",
        &["base", "frame", "models/ask", "models/score"],
    ),
    ("models/logprobs", &["models/score"]),
    ("models/ask", &["models/parse"]),
    (
        "models/local",
        &[
            "base",
            "frame",
            "language/text",
            "models/ask",
            "models/logprobs",
            "models/parse",
            "models/score",
        ],
    ),
    ("models/dialect", &[]),
    (
        "models/spec",
        &[
            "cluster/profile",
            "language/text",
            "models/dialect",
            "models/local",
            "models/parse",
        ],
    ),
    (
        "models/provider",
        &[
            "base",
            "models/ask",
            "models/dialect",
            "models/logprobs",
            "models/parse",
            "models/spec",
        ],
    ),
    (
        "models/key",
        &["base/compact", "base/key", "models/ask", "models/spec"],
    ),
    (
        "models/traffic",
        &["base/retry", "base/wording", "models/ask", "models/spec"],
    ),
    (
        "models/wire",
        &[
            "base",
            "models/ask",
            "models/dialect",
            "models/provider",
            "models/spec",
        ],
    ),
    (
        "models/batch",
        &["base", "cache", "models/dialect", "models/provider"],
    ),
    // Of `stats` the list of statistics, which says what each is called; see below.
    ("output/report", &["base/wording", "stats"]),
    ("output/chart", &["base/wording", "output/report", "stats"]),
    (
        "output/page",
        &[
            "base/coming",
            "base/compact",
            "base/key",
            "base/wording",
            "output/report",
        ],
    ),
    (
        "stage",
        &[
            "base",
            "cluster/profile",
            "frame",
            "language",
            "models/ask",
            "models/dialect",
            "models/local",
            "models/logprobs",
            "models/parse",
            "models/provider",
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
            "cluster/profile",
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

/// Folders in which files still use each other. The list may only become shorter.
const WITH_CIRCLES: &[&str] = &[
    "cache",
    "cache/calls",
    "frame",
    "import/judgememo",
    "language/manipulate",
    "language/manipulate/needle",
    "language/text/entities",
    "language/text/words",
    "models/local/heuristic",
    "models/batch",
    "models/parse",
    "models/parse/evaluation_form",
    "models/parse/value",
    "models/parse/visible",
    "models/provider/anthropic",
    "models/template",
    "output/page",
    "output/report",
    "output/report/diff",
    "plan",
    "spec/check",
    "stage",
    "stage/check",
    "stage/expression",
    "stage/manipulate",
    "stage/memo",
    "stage/stats",
    "toml",
];

/// Folders that touch no file, start nothing, and wait for nobody.
const PURE: &[&str] = &[
    "base/compact",
    "base/draw",
    "base/failure",
    "base/json",
    "base/key",
    "base/retry",
    "base/wording",
    "cluster/crew",
    "cluster/note",
    "cluster/polling",
    "cluster/profile",
    "cluster/script",
    "cluster/slurm",
    "cluster/waves",
    "language/clean",
    "language/manipulate",
    "models/dialect",
    "models/key",
    "models/logprobs",
    "models/parse",
    "models/provider",
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
fn no_file_uses_one_that_uses_it() {
    let tree = sources("src");
    let folders: BTreeSet<String> = tree
        .keys()
        .filter(|path| path.ends_with("mod.rs"))
        .map(|path| path.parent().unwrap().display().to_string())
        .collect();
    let mut found = Vec::new();
    for folder in &folders {
        let uses = uses(&tree, Depth::Files(folder));
        let known = WITH_CIRCLES.contains(&folder.as_str());
        match circle(&uses) {
            Some(circle) if !known => found.push(told(&circle, &uses)),
            None if known => found.push(format!(
                "`{folder}` has no circle any more: list it no longer"
            )),
            _ => {}
        }
    }
    assert!(
        found.is_empty(),
        "files use each other:\n{}",
        found.join("\n\n")
    );
}

#[test]
fn folders_use_what_the_architecture_says() {
    let uses = uses(&sources("src"), Depth::Modules);
    let mut wrong = Vec::new();
    for ((from, to), places) in &uses {
        let rule = MAY_USE.iter().find(|(name, _)| lies_in(from, name));
        let Some((own, allowed)) = rule else {
            continue;
        };
        let allowed = [own].into_iter().chain(allowed.iter());
        if !allowed.into_iter().any(|folder| lies_in(to, folder)) {
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

    let files = [
        (
            "f/mod.rs",
            "mod a;\nmod b;\n\npub use self::a::{One, Two as Other};\n",
        ),
        ("f/a.rs", "use super::b;\n"),
        ("f/b.rs", "fn f(_: crate::f::Other) {}\n"),
    ];
    assert_eq!(
        found(&files, Depth::Files("f")).unwrap(),
        "`a` uses `b`: f/a.rs:1\n`b` uses `a`: f/b.rs:1"
    );
    let own = [
        (
            "f/mod.rs",
            "mod a;\n\nstruct One;\nfn f() {\n    a::f();\n}\n",
        ),
        ("f/a.rs", "use super::One;\n"),
    ];
    assert_eq!(
        found(&own, Depth::Files("f")).unwrap(),
        "`a` uses `mod`: f/a.rs:1\n`mod` uses `a`: f/mod.rs:5"
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
        "sd",
        "share",
        "t",
    ];
    let names = STATISTICS.iter().map(|statistic| statistic.name);
    let names = names.filter(|name| !words.contains(name));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut found = naming(&names);
    assert!(found.len() >= names.len().saturating_sub(3), "{found:#?}");
    // Measures list their own columns, of which some mean just that.
    found.retain(|(path, _)| path != "stats/statistic" && !lies_in(path, "stats/measure"));
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
enum Depth<'f> {
    /// The folders of `src`.
    Folders,
    /// The same, and what a folder consists of that only lists its parts.
    Parts,
    /// What lies in the folders of `src`.
    Modules,
    /// What lies in one folder: a file, or a folder with all that it holds; `mod` is the folder's own file.
    Files(&'f str),
}

/// Who uses whom, and where.
type Uses = BTreeMap<(String, String), Vec<String>>;

/// What uses what, read off the paths in the code.
fn uses(tree: &BTreeMap<PathBuf, String>, depth: Depth<'_>) -> Uses {
    let groups: BTreeSet<String> = tree
        .iter()
        .filter(|(path, text)| path.ends_with("mod.rs") && only_lists_parts(text))
        .map(|(path, _)| path.parent().unwrap().display().to_string())
        .collect();
    let modules: BTreeSet<Vec<String>> = tree.keys().map(|path| module(path)).collect();
    let given_on = match depth {
        Depth::Files(folder) => given_on(tree, folder),
        _ => BTreeMap::new(),
    };
    let unit = |names: &[String]| -> Option<String> {
        let (first, rest) = names.split_first()?;
        match (depth, rest.first()) {
            (Depth::Parts, part) if groups.contains(first) => Some(format!("{first}/{}", part?)),
            (Depth::Modules, Some(part)) if modules.contains(&names[..2]) => {
                Some(format!("{first}/{part}"))
            }
            (Depth::Files(folder), _) => {
                let folder: Vec<String> = folder.split('/').map(str::to_owned).collect();
                let mut names = names;
                for _ in 0..5 {
                    let Some(name) = names.strip_prefix(&folder[..])?.first() else {
                        break;
                    };
                    if modules.contains(&[&folder[..], std::slice::from_ref(name)].concat()) {
                        return Some(name.clone());
                    }
                    match given_on.get(name) {
                        Some(from) => names = from,
                        None => break,
                    }
                }
                Some("mod".to_owned())
            }
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
        for (line, names) in paths(&without_tests(text), path, &modules) {
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

/// The names that a folder's own file gives on, each with where it is from.
fn given_on(tree: &BTreeMap<PathBuf, String>, folder: &str) -> BTreeMap<String, Vec<String>> {
    let path = Path::new(folder).join("mod.rs");
    let own = module(&path);
    let code = without_tests(&tree[&path]);
    let mut found = BTreeMap::new();
    for (start, end) in given_on_in(&code) {
        let tree = code[start..end].trim_start_matches("self::");
        let mut ways = Vec::new();
        match tree.strip_prefix("crate::") {
            Some(tree) => branches(tree, &[], &mut ways),
            None => branches(tree, &own, &mut ways),
        }
        for way in ways {
            let name = way.last().unwrap().clone();
            if let Some((_, other)) = tree.split_once(&format!("{name} as ")) {
                let end = other.find([',', '}', '\n']).unwrap_or(other.len());
                found.insert(other[..end].trim().to_owned(), way.clone());
            }
            found.insert(name, way);
        }
    }
    found
}

/// Where code gives names on: the trees of `pub use`.
fn given_on_in(code: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("\npub") {
        let rest = &code[at + 4..];
        let rest = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map_or(rest, |(_, rest)| rest),
            None => rest,
        };
        if let Some(tree) = rest.strip_prefix(" use ") {
            let start = code.len() - tree.len();
            found.push((start, start + tree.find(';').unwrap_or(tree.len())));
        }
    }
    found
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

/// The paths from the root of the crate that a file names, each with its line. What a folder's own file gives on it does
/// not use.
fn paths(code: &str, path: &Path, modules: &BTreeSet<Vec<String>>) -> Vec<(usize, Vec<String>)> {
    let own = module(path);
    let (mut children, mut given) = (Vec::new(), Vec::new());
    if path.ends_with("mod.rs") {
        given = given_on_in(code);
        let below = modules
            .iter()
            .filter(|other| other.len() == own.len() + 1 && other.starts_with(&own));
        children = below
            .map(|other| format!("{}::", other[own.len()]))
            .collect();
    }
    let mut found = Vec::new();
    let words = ["crate::", "super::", "self::"].into_iter();
    for word in words.chain(children.iter().map(String::as_str)) {
        for (at, _) in code.match_indices(word) {
            let before = &code[..at];
            if before.ends_with(|c: char| c.is_alphanumeric() || ['_', ':', '$'].contains(&c))
                || before.ends_with("(in ")
                || given.iter().any(|(start, end)| (start..end).contains(&&at))
            {
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
            } else if word != "crate::" {
                base.clone_from(&own);
                if word != "self::" {
                    rest = &code[at..];
                }
            }
            let line = before.matches('\n').count() + 1;
            let mut ways = Vec::new();
            branches(rest, &base, &mut ways);
            found.extend(ways.into_iter().map(|way| (line, way)));
        }
    }
    found
}

/// The paths of a tree such as `a::{b::c, d}`, below a base.
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
    if name == "self" {
        found.push(base.to_vec());
    }
    if name.is_empty() || name == "self" {
        return;
    }
    let way = [base, &[name.to_owned()]].concat();
    match rest.strip_prefix("::") {
        Some(rest) => branches(rest, &way, found),
        None => found.push(way),
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
