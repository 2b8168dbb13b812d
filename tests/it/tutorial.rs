//! The tutorial is carried out as it is written, and what is written for people leads somewhere, in the project and on the site.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::lab::Lab;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs_err::read_to_string(root().join(name)).unwrap()
}

/// The blocks of a page by their language, each with the last line of text before it.
fn blocks(text: &str) -> Vec<(String, String, String)> {
    let mut blocks = Vec::new();
    let mut before = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("```") {
            Some(language) => {
                let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                blocks.push((language.to_owned(), before.clone(), block.join("\n")));
            }
            None if line.trim().is_empty() => {}
            None => line.clone_into(&mut before),
        }
    }
    blocks
}

/// Words alone: how far apart columns are is the terminal's affair.
fn words(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with(['─', '═']));
    lines
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_step_of_the_tutorial_comes_to_what_it_says() {
    let lab = Lab::new().file("answers.csv", page("docs/tutorial/answers.csv"));
    let mut ran = 0;
    for (language, before, block) in blocks(&page("docs/tutorial.md")) {
        if language == "toml" {
            // Save as `judge.toml`.
            let name = before.split('`').nth(1).unwrap();
            lab.write(name, block);
            continue;
        }
        if language != "console" {
            continue;
        }
        let (command, shown) = block.split_once('\n').unwrap();
        let arguments: Vec<&str> = command
            .strip_prefix("$ tribunal ")
            .unwrap()
            .split(' ')
            .collect();
        let output = lab.exactly(&arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{told}");
        let (printed, shown) = (
            words(&String::from_utf8(output.stdout).unwrap()),
            words(shown),
        );
        assert!(
            printed.windows(shown.len()).any(|words| words == shown),
            "`{command}` prints\n{printed:?}\nand the tutorial shows\n{shown:?}"
        );
        ran += 1;
    }
    assert_eq!(ran, 4);
    let shown = lab
        .exactly(&["show", "judge.toml", "echo-stone"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("The ear need a tenth"));
}

/// The links of a page to files of the project, with the headings that they lead to.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let mut links = Vec::new();
    for rest in text.split("](").skip(1) {
        let Some((link, _)) = rest.split_once(')') else {
            continue;
        };
        if link.contains("://") || link.contains([' ', '\n']) {
            continue;
        }
        let (path, heading) = match link.split_once('#') {
            Some((path, heading)) => (path, Some(heading.to_owned())),
            None => (link, None),
        };
        links.push((path.to_owned(), heading));
    }
    links
}

/// The heading as links name it.
fn slug(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().chars();
    let kept = letters.filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| {
        if letter == ' ' {
            '-'
        } else {
            letter.to_ascii_lowercase()
        }
    })
    .collect()
}

/// The contents of the site, which are no page.
const SUMMARY: &str = "docs/SUMMARY.md";

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(PathBuf::from)
        .into();
    let experiments = fs_err::read_dir(root().join("experiments")).unwrap();
    let readmes = experiments.map(|entry| {
        let name = entry.unwrap().file_name();
        Path::new("experiments").join(name).join("README.md")
    });
    pages.extend(readmes.filter(|page| root().join(page).exists()));
    for folder in ["docs", "docs/statistics"] {
        let entries = fs_err::read_dir(root().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(
            names
                .map(|name| Path::new(folder).join(name))
                .filter(|page| page.extension().is_some_and(|ending| ending == "md")),
        );
    }
    pages.retain(|page| page != Path::new(SUMMARY));
    pages.sort();
    pages
}

#[test]
fn the_site_has_every_page_of_the_documentation_once() {
    let mut listed: Vec<PathBuf> = links(&page(SUMMARY))
        .into_iter()
        .filter(|(path, _)| !path.is_empty())
        .map(|(path, _)| Path::new("docs").join(path))
        .collect();
    listed.sort();
    let mut there = pages();
    there.retain(|page| page.starts_with("docs"));
    assert_eq!(listed, there);
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let mut broken = Vec::new();
    for from in pages() {
        let text = page(from.to_str().unwrap());
        for (path, heading) in links(&text) {
            let target = match path.as_str() {
                "" => root().join(&from),
                path => root().join(from.parent().unwrap()).join(path),
            };
            let there = match &heading {
                _ if !target.exists() => false,
                Some(heading) => fs_err::read_to_string(&target).is_ok_and(|text| {
                    let mut headings = text.lines().filter(|line| line.starts_with('#'));
                    headings.any(|line| slug(line) == *heading)
                }),
                None => true,
            };
            if !there {
                broken.push(format!(
                    "{}: {path}#{}",
                    from.display(),
                    heading.unwrap_or_default()
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_is_reached_from_the_index() {
    let mut reached = BTreeSet::from([PathBuf::from("docs/README.md")]);
    let mut open = vec![PathBuf::from("docs/README.md")];
    while let Some(from) = open.pop() {
        for (path, _) in links(&page(from.to_str().unwrap())) {
            let target = from.parent().unwrap().join(path);
            let is_page = target.extension().is_some_and(|ending| ending == "md");
            if is_page && root().join(&target).exists() {
                let target = tribunal::base::paths::tidy(&target);
                if target.starts_with("docs") && reached.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
    }
    let lost: Vec<PathBuf> = pages()
        .into_iter()
        .filter(|page| page.starts_with("docs") && !reached.contains(page))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
