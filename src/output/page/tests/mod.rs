//! What the page promises: one file, nothing from elsewhere, texts stay texts, the same bytes for the same page.

pub(crate) mod fixture;
mod taken_over;

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;
use sha2::{Digest, Sha256};

use super::graph_layout::{HEIGHT, WIDTH, components, place};
use super::{Grade, Mode, Page, Store, assets, render, visible};

fn text(page: &Page, (store, kept): &(Store, Vec<u8>), mode: Mode) -> String {
    let mut out = Vec::new();
    render(page, (store, &mut kept.clone()), mode, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn example(mode: Mode) -> String {
    text(&fixture::page(2), &fixture::store(40, 100), mode)
}

/// What stands before, between and after the scripts, styles and drawings, which are ours.
fn markup(html: &str) -> String {
    let ours = Regex::new("(?s)<script[^>]*>.*?</script>|<style>.*?</style>").unwrap();
    ours.replace_all(html, "").into_owned()
}

#[test]
fn the_same_page_is_the_same_bytes() {
    assert_eq!(example(Mode::File), example(Mode::File));
}

#[test]
fn an_empty_page_can_be_drawn() {
    let html = text(&Page::default(), &Default::default(), Mode::File);
    assert!(html.contains("<li>no warnings</li>") && !html.contains("id=\"warnings\""));
    assert!(html.ends_with("</body>\n</html>\n"));
}

#[test]
fn the_policy_allows_exactly_the_script_and_the_style_that_are_there() {
    let html = example(Mode::File);
    let policy = Regex::new("Content-Security-Policy\" content=\"([^\"]+)\"").unwrap();
    let policy = policy.captures(&html).unwrap()[1].to_owned();
    let inline = Regex::new("(?s)<(script|style)>(.*?)</(?:script|style)>").unwrap();
    let mut seen = 0;
    for found in inline.captures_iter(&html) {
        let digest = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(&found[2])));
        assert!(
            policy.contains(&digest),
            "{} is not allowed: {policy}",
            &found[1]
        );
        seen += 1;
    }
    assert_eq!(seen, 3);
    for rule in [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "trusted-types 'none'",
    ] {
        assert!(policy.contains(rule), "{rule}: {policy}");
    }
    assert!(
        !policy.contains("unsafe") && !policy.contains("connect-src"),
        "{policy}"
    );
}

#[test]
fn only_a_served_page_may_ask_for_more_and_only_where_it_came_from() {
    let html = example(Mode::Served);
    assert!(html.contains("connect-src 'self';"));
    assert!(!html.contains("data-chunk="));
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    let html = markup(&example(Mode::File));
    let address = Regex::new("(?:src|href|action|data|poster|srcset)=\"([^\"]*)\"").unwrap();
    for found in address.captures_iter(&html) {
        let to = &found[1];
        assert!(
            to.starts_with('#') || to.starts_with("data:image/svg+xml,"),
            "{to}"
        );
    }
    assert!(!assets::STYLE.contains("url(") && !assets::STYLE.contains("@import"));
    assert!(!assets::SCRIPT.contains("http"));
}

#[test]
fn texts_that_mean_harm_stay_texts() {
    let html = example(Mode::File);
    for raw in [
        "<script>document.title",
        "</style></template>",
        "<img",
        "\u{202e}",
        "\u{1b}",
        "\u{0}",
        "\u{200b}",
    ] {
        assert!(!html.contains(raw), "{raw:?} stands in the page as it is");
    }
    assert!(html.contains("&lt;script&gt;document.title"));
    assert!(html.contains("<span class=\"sign\">U+202E</span>"));
    assert_eq!(html.matches("</body>").count(), 1);
}

#[test]
fn no_element_has_a_style_or_a_handler_of_its_own() {
    let html = markup(&example(Mode::File));
    let tag = Regex::new("<[a-z][^>]*>").unwrap();
    let value = Regex::new("\"[^\"]*\"").unwrap();
    let wrong = Regex::new("\\s(?:style|on[a-z]+)\\s*=").unwrap();
    for found in tag.find_iter(&html) {
        let names = value.replace_all(found.as_str(), "\"\"");
        assert!(!wrong.is_match(&names), "{}", found.as_str());
    }
}

#[test]
fn the_script_makes_no_markup_of_texts() {
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "setAttribute(\"style\"",
    ] {
        // The comment that says so may name the first.
        let code = assets::SCRIPT
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        assert!(!code.collect::<String>().contains(word), "{word}");
    }
}

#[test]
fn the_script_shows_the_same_hidden_signs_as_the_page() {
    let class = Regex::new(r"(?s)const HIDDEN =\s+/\((\[[^\]]+\])\|").unwrap();
    let class = class.captures(assets::SCRIPT).unwrap()[1].to_owned();
    let class = Regex::new(&class).unwrap();
    let all: String = ('\u{0}'..=char::MAX).collect();
    let shown: String = class.find_iter(&all).map(|found| found.as_str()).collect();
    let expected: String = all
        .chars()
        .filter(|letter| visible::is_hidden(*letter))
        .collect();
    assert!(shown == expected, "{:?}", shown.escape_unicode());
}

#[test]
fn the_chunks_stand_in_the_page_as_they_are() {
    let store = fixture::store(200, 100);
    let html = text(&fixture::page(1), &store, Mode::File);
    let chunk =
        Regex::new("<script type=\"text/plain\" data-chunk=\"([^\"]+)\">([^<]*)</script>").unwrap();
    let found: Vec<(String, Vec<u8>)> = chunk
        .captures_iter(&html)
        .flat_map(|found| {
            let names = found[1].split(' ').map(str::to_owned);
            let texts = found[2].lines().map(|text| STANDARD.decode(text).unwrap());
            names.zip(texts).collect::<Vec<_>>()
        })
        .collect();
    let expected: Vec<(String, Vec<u8>)> = store
        .0
        .chunks
        .into_iter()
        .map(|chunk| {
            (
                chunk.name,
                store.1[chunk.at as usize..][..chunk.length].to_vec(),
            )
        })
        .collect();
    assert!(found == expected);
}

#[test]
fn a_page_without_judgements_says_where_they_are() {
    let mut page = fixture::page(1);
    page.elsewhere = Some((
        "all experiments together".to_owned(),
        "../index.html".to_owned(),
    ));
    let html = text(&page, &fixture::store(200, 100), Mode::Bare);
    assert!(
        html.contains("<a href=\"..&#x2f;index.html\"><bdi>all experiments together</bdi></a>")
    );
    assert!(!html.contains("data-chunk=") && !html.contains("id=\"browser\""));
    let mut store = fixture::store(200, 100);
    store.0.notes = vec![
        "80 MB of judgements are too many for a page: `tribunal view quickstart.toml` shows them"
            .to_owned(),
    ];
    let html = text(&fixture::page(1), &store, Mode::Bare);
    assert!(html.contains("`tribunal view quickstart.toml` shows them"));
}

#[test]
fn every_link_within_the_page_leads_somewhere() {
    let id = Regex::new(" id=\"([^\"]+)\"").unwrap();
    let named = "(?:href=\"#|aria-controls=\"|labelledby=\"|for=\")([^\"]+)\"";
    let named = Regex::new(named).unwrap();
    for experiments in [1, 3] {
        let page = fixture::page(experiments);
        let html = markup(&text(&page, &fixture::store(40, 100), Mode::File));
        let ids: Vec<&str> = id
            .captures_iter(&html)
            .filter_map(|found| found.get(1))
            .map(|found| found.as_str())
            .collect();
        let once: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(once.len(), ids.len(), "an id is there twice");
        for found in named.captures_iter(&html) {
            assert!(once.contains(&found[1]), "{}", &found[0]);
        }
    }
}

#[test]
fn warnings_stand_on_top_by_grade_and_lead_to_what_they_are_about() {
    let html = example(Mode::File);
    let order: Vec<usize> = [
        "class=\"grade error\" open",
        "class=\"grade warning\">",
        "class=\"grade note\">",
        "class=\"experiment\"",
    ]
    .iter()
    .map(|part| html.find(part).unwrap_or_else(|| panic!("{part}")))
    .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(html.contains("<a href=\"#t-quickstart-scores\"><bdi>scores</bdi></a>"));
    assert!(html.contains("<a href=\"#s-quickstart-manipulate-damaged\">"));
}

#[test]
fn what_was_asked_stands_on_top_and_a_single_warning_is_a_line() {
    let mut page = fixture::page(1);
    page.warnings.retain(|warning| warning.grade == Grade::Note);
    page.warnings.truncate(1);
    let html = text(&page, &Default::default(), Mode::File);
    let order = [
        "<ul class=\"asked\"",
        "heuristic scores fluency",
        "<p class=\"grade note\">",
        "<article",
    ];
    let order = order.map(|part| html.find(part).unwrap_or_else(|| panic!("{part}")));
    assert!(order.is_sorted(), "{order:?}");
    let html = text(&fixture::page(3), &Default::default(), Mode::File);
    let asked = html.matches("<ul class=\"asked\"").count();
    assert_eq!(asked, 3, "each experiment says its own");
}

#[test]
fn each_experiment_has_its_stages_drawn_apart() {
    let graph = fixture::page(3).graph;
    let groups = components(&graph);
    assert_eq!(
        groups.iter().map(Vec::len).collect::<Vec<_>>(),
        [12, 12, 12]
    );
    let html = text(&fixture::page(3), &Default::default(), Mode::File);
    assert!(html.contains("<h3><bdi>quickstart</bdi></h3>"));
}

#[test]
fn boxes_of_the_graph_do_not_touch_and_lines_run_from_left_to_right() {
    let graph = fixture::page(1).graph;
    let members: Vec<usize> = (0..graph.stages.len()).collect();
    let layout = place(&graph, &members);
    for (one, a) in layout.boxes.iter().enumerate() {
        assert!(
            a.0 >= 0.0
                && a.1 >= 0.0
                && a.0 + WIDTH <= layout.width
                && a.1 + HEIGHT <= layout.height
        );
        for b in &layout.boxes[one + 1..] {
            let apart = (a.0 - b.0).abs() >= WIDTH || (a.1 - b.1).abs() >= HEIGHT;
            assert!(apart, "{a:?} and {b:?}");
        }
    }
    let reads: usize = graph.stages.iter().map(|stage| stage.reads.len()).sum();
    assert_eq!(layout.lines.len(), reads);
    for line in &layout.lines {
        assert!(
            line.points.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "{line:?}"
        );
        let (from, to) = (layout.boxes[line.from], layout.boxes[line.to]);
        assert_eq!(line.points[0], (from.0 + WIDTH, from.1 + HEIGHT / 2.0));
        assert_eq!(*line.points.last().unwrap(), (to.0, to.1 + HEIGHT / 2.0));
    }
}

#[test]
fn files_of_the_script_and_the_style_stay_small() {
    let base = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/output/page/assets");
    for folder in ["script", "style"] {
        for entry in fs_err::read_dir(base.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let lines = fs_err::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= 300, "{}: {lines} lines", path.display());
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let used = concat!(
                include_str!("../assets/mod.rs"),
                include_str!("../difference.rs")
            )
            .contains(&format!("{folder}/{name}\""));
            assert!(used, "{name} is not part of the page");
        }
    }
}
