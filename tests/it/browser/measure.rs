//! Pages of fifty thousand judgements and of whole theses: how much of them is in the document, and, by hand, how long a
//! person waits:
//!
//! ```text
//! cargo test --test it -- --ignored --nocapture browser::measure
//! PAGE=reports/judgememo/index.html cargo test --test it -- --ignored --nocapture browser::measure::of_a_page
//! ```

use std::path::{Path, PathBuf};

use super::{Tab, calmly, one, or_skip, sample, with_text};

/// Fifty thousand judgements.
const MANY: usize = 50_000;

/// Notes when a table was first in sight, frame by frame.
const WATCH: &str = "(() => { const look = () => { \
    const box = document.querySelector('.report-table table')?.getBoundingClientRect(); \
    if (box?.height > 0 && box.top < innerHeight) window.__table = performance.now(); \
    else requestAnimationFrame(look); }; requestAnimationFrame(look); })()";

#[test]
fn fifty_thousand_judgements_are_a_few_thousand_elements() {
    let Some(tab) = or_skip() else { return };
    let (_folder, path) = sample::file(&sample::page("Many"), &sample::large(MANY, 30, 10));
    let url = format!("file://{}", path.display());
    let few = |when: &str| {
        let elements = tab.number(
            "document.querySelectorAll('*').length - document.querySelectorAll('script').length",
        );
        assert!(elements < 3_000.0, "{elements} elements {when}");
    };
    calmly(&tab, &url, &url, || {
        few("at first");
        tab.value("document.getElementById('judgements').scrollIntoView()");
        tab.wait("document.querySelector('.found')?.textContent === '50,000 judgements'");
        few("in the list");
        tab.press(&["Tab"]);
        tab.value("document.querySelector('[role=grid]').focus()");
        tab.press(&["End"]);
        tab.wait("document.querySelector('[aria-rowindex=\"50001\"]')");
        few("at the end of the list");
        tab.press(&["Enter"]);
        tab.wait(&one(".detail .document .text"));
        few("in a judgement");
    });
}

#[test]
#[ignore = "takes minutes: makes texts of seventy megabytes, and measures times"]
fn of_fifty_thousand_judgements() {
    let Some(tab) = or_skip() else { return };
    let store = sample::large(MANY, 2_000, 200);
    let (_folder, path) = sample::file(&sample::page("Fifty thousand judgements"), &store);
    eprintln!(
        "{MANY} judgements: {:.1} MB of chunks",
        store.0.size() as f64 / 1e6
    );
    measure(&tab, &path);
}

#[test]
#[ignore = "measures the page that the variable PAGE names"]
fn of_a_page() {
    let Some(tab) = or_skip() else { return };
    let page = PathBuf::from(std::env::var_os("PAGE").expect("PAGE names a page"));
    measure(&tab, &std::path::absolute(page).unwrap());
}

/// Opens a page three times and prints what the quickest took: each further is warm, as a page is that was just made.
fn measure(tab: &Tab, path: &Path) {
    let url = format!("file://{}", path.display());
    let bytes = fs_err::metadata(path).unwrap().len();
    eprintln!("{:.1} MB: {}", bytes as f64 / 1e6, path.display());
    tab.watch(WATCH);
    for round in 1..=3 {
        tab.open(&url);
        tab.wait("document.readyState === 'complete' && window.__table");
        let paint = tab
            .number("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN");
        let table = tab.number("window.__table");
        let whole = tab.number("performance.getEntriesByType('navigation')[0].loadEventEnd");
        let elements = tab.number("document.querySelectorAll('*').length");
        eprintln!(
            "round {round}: first paint {paint:.0} ms, first table {table:.0} ms, all of it {whole:.0} ms, {elements} elements"
        );
        if tab.value("document.getElementById('browser') === null") == true {
            continue;
        }
        let index = after(
            tab,
            "document.getElementById('judgements').scrollIntoView()",
            "document.querySelector('.list-row')",
        );
        let filter = after(
            tab,
            "document.querySelector('.facet li:not([hidden]) input').click()",
            "document.querySelector('.found').textContent.includes(' of ')",
        );
        let scroll = after(
            tab,
            "document.querySelector('[role=grid]').scrollTop = 1e6",
            "document.querySelector('.list-row')?.ariaRowIndex > 100",
        );
        tab.click(&with_text("button", "Clear filters"));
        let opened = after(
            tab,
            "document.querySelector('.list-row').click()",
            "document.querySelector('.detail-body section')",
        );
        let next = after(
            tab,
            "(document.querySelector('.detail-body').replaceChildren(), document.querySelector('.detail .steps button:last-child').click())",
            "document.querySelector('.detail-body section')",
        );
        eprintln!(
            "  list {index:.0} ms, filter {filter:.0} ms, far down {scroll:.0} ms, open {opened:.0} ms, next {next:.0} ms"
        );
        let heap = tab.number("performance.memory.usedJSHeapSize");
        eprintln!(
            "  {:.0} MB of objects, {:.0} MB in memory as a process",
            heap / 1e6,
            tab.memory() as f64 / 1e6
        );
    }
    tab.watch("");
}

/// The milliseconds from doing something until it can be seen, with the frame that shows it.
fn after(tab: &Tab, action: &str, done: &str) -> f64 {
    tab.number(&format!(
        "new Promise(tell => {{ \
            const began = performance.now(); \
            {action}; \
            const look = () => ({done}) ? requestAnimationFrame(() => tell(performance.now() - began)) : setTimeout(look, 1); \
            look(); }})"
    ))
}
