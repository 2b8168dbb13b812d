//! The page as a person meets it: opened in a real browser, looked at, clicked, read aloud and printed.
//!
//! Where Chromium or its driver is absent, or does not start, these tests say that they are skipped.

mod driver;
mod judgements;
mod measure;
mod project;
pub(crate) mod sample;
mod screens;
mod served;
mod tab;
mod tables;
mod verdicts;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use driver::Driver;
pub(crate) use tab::{Tab, one, with_text};

/// The one browser of all these tests, since starting it takes longer than most of them. It ends with this process.
static BROWSER: OnceLock<Option<Mutex<Tab>>> = OnceLock::new();

/// Opens a page, and after `work` makes sure that nothing was asked of anybody but `home`, nothing was complained of, and no
/// dialog is open.
#[track_caller]
pub(crate) fn calmly(tab: &Tab, url: &str, home: &str, work: impl FnOnce()) {
    tab.open(url);
    work();
    assert!(!tab.has_dialog(), "a dialog is open");
    let requests = tab.requests();
    assert!(!requests.is_empty(), "nothing was noted");
    let foreign: Vec<_> = requests
        .iter()
        .filter(|url| !url.starts_with(home))
        .collect();
    assert!(foreign.is_empty(), "{foreign:#?}");
    let complaints = tab.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// The browser, for one test at a time; where there is none, says so (past the capture of test output) and gives
/// nothing.
pub(crate) fn or_skip() -> Option<MutexGuard<'static, Tab>> {
    let started = BROWSER.get_or_init(|| match Driver::start() {
        Ok(driver) => Some(Mutex::new(Tab::new(driver))),
        Err(why) => {
            let told = format!("skipped: tests in a browser: {why}\n");
            std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes()).unwrap();
            None
        }
    });
    let tab = started.as_ref()?;
    // What the last test left behind is no matter: each opens its own page.
    Some(tab.lock().unwrap_or_else(PoisonError::into_inner))
}

#[test]
fn a_browser_does_what_it_is_told_and_notes_what_happens() {
    let Some(tab) = or_skip() else { return };
    let page = "data:text/html,<title>a page</title>\
        <meta name=viewport content='width=device-width'>\
        <button onclick=\"document.title='clicked'\">b</button><input>\
        <script>console.error('a complaint')</script>";
    tab.open(page);
    assert_eq!(tab.text("document.title"), "a page");
    tab.click(&one("button"));
    tab.wait("document.title === 'clicked'");
    tab.press(&["Tab", "x", "y"]);
    assert_eq!(tab.text("document.querySelector('input').value"), "xy");
    let complaints = tab.complaints();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("a complaint"), "{complaints:?}");
    assert!(tab.requests().is_empty());
    tab.size(390, 844);
    assert!(tab.value("innerWidth") == 390);
    tab.scheme("dark");
    assert!(tab.value("matchMedia('(prefers-color-scheme: dark)').matches") == true);
    assert!(!tab.has_dialog());
    tab.value("setTimeout(() => alert('hello'), 0)");
    while !tab.has_dialog() {}
}
