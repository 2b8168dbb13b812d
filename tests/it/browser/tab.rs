//! What a person does in a browser, and what a test asks of it: opens a page, clicks, types, waits, reads what the
//! browser noted. It knows no page of ours.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::driver::Driver;

/// How long something may take that a person waits for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The name under which `WebDriver` passes elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A tab of a browser.
#[derive(Debug)]
pub(crate) struct Tab {
    driver: Driver,
    watching: RefCell<Option<Value>>,
}

impl Tab {
    pub(crate) fn new(driver: Driver) -> Self {
        Self {
            driver,
            watching: RefCell::default(),
        }
    }

    /// Opens an address as if for the first time: as wide as a desk, light, with nothing noted yet.
    #[track_caller]
    pub(crate) fn open(&self, url: &str) {
        // A test before this one may have left a dialog.
        let _ = self.driver.post("alert/dismiss", &json!({}));
        self.go("about:blank");
        self.size(1440, 900);
        self.scheme("light");
        self.notes("browser");
        self.notes("performance");
        self.go(url);
    }

    /// Goes to an address and leaves everything else as it is.
    #[track_caller]
    pub(crate) fn go(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Has every page that is opened from now on run a script first, in the place of one that was given before.
    #[track_caller]
    pub(crate) fn watch(&self, script: &str) {
        let source = json!({ "source": script });
        let added = self.cdp("Page.addScriptToEvaluateOnNewDocument", &source);
        let before = self.watching.replace(Some(added));
        if let Some(before) = before {
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", &before);
        }
    }

    /// The bytes that the largest process of the browser that shows pages has in memory.
    pub(crate) fn memory(&self) -> usize {
        self.driver.memory()
    }

    /// The window's inside in CSS pixels.
    #[track_caller]
    pub(crate) fn size(&self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.cdp("Emulation.setDeviceMetricsOverride", &size);
    }

    /// What the reader prefers: `light` or `dark`.
    #[track_caller]
    pub(crate) fn scheme(&self, scheme: &str) {
        // Nothing is on its way to somewhere when it is looked at.
        self.prefer(scheme, "reduce");
    }

    /// The same, and how much movement: `reduce` or `no-preference`.
    #[track_caller]
    pub(crate) fn prefer(&self, scheme: &str, motion: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.cdp(
            "Emulation.setEmulatedMedia",
            &json!({ "media": "", "features": features }),
        );
    }

    /// The value of an expression in the page; a promise is waited for.
    #[track_caller]
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.ask(expression)
            .unwrap_or_else(|error| panic!("{expression}\n{error}"))
    }

    fn ask(&self, expression: &str) -> Result<Value, String> {
        let script = format!("return ({expression});");
        self.driver
            .post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The same, as text.
    #[track_caller]
    pub(crate) fn text(&self, expression: &str) -> String {
        let value = self.value(expression);
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// The same, as a number.
    #[track_caller]
    pub(crate) fn number(&self, expression: &str) -> f64 {
        let value = self.value(expression);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits until an expression holds.
    #[track_caller]
    pub(crate) fn wait(&self, expression: &str) {
        let began = Instant::now();
        // The page looks on each of its frames, so that nothing is polled from here.
        let frames = format!(
            "new Promise(done => {{
                const began = performance.now();
                const look = () => {{
                    const holds = Boolean({expression});
                    if (holds || performance.now() - began > 5000) done(holds);
                    else setTimeout(look, 5);
                }};
                look();
            }})"
        );
        // A page that is just being left says so.
        while self.ask(&frames).ok() != Some(Value::Bool(true)) {
            assert!(
                began.elapsed() < PATIENCE,
                "never came true: {expression}\n{}",
                self.text("document.body.innerText.slice(0, 3000)")
            );
        }
    }

    /// Clicks the element that an expression gives, as a mouse does: where it is, if it can be seen and nothing covers it.
    #[track_caller]
    pub(crate) fn click(&self, element: &str) {
        self.wait(element);
        let command = format!("element/{}/click", self.element(element));
        self.post(&command, &json!({}));
    }

    /// Types into the element that an expression gives.
    #[track_caller]
    pub(crate) fn type_into(&self, element: &str, text: &str) {
        let command = format!("element/{}/value", self.element(element));
        self.post(&command, &json!({ "text": text }));
    }

    #[track_caller]
    fn element(&self, expression: &str) -> String {
        let found = self.value(expression);
        let id = found[ELEMENT].as_str();
        id.unwrap_or_else(|| panic!("{expression} is {found}"))
            .to_owned()
    }

    /// Presses keys one after the other, wherever the focus is: characters, or names of [`key`].
    #[track_caller]
    pub(crate) fn press(&self, keys: &[&str]) {
        let strokes = keys.iter().flat_map(|name| {
            let value = key(name);
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": value }))
        });
        let strokes: Vec<Value> = strokes.collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("actions", &json!({ "actions": [keyboard] }));
    }

    /// A command of the protocol of the browser's own tools.
    #[track_caller]
    pub(crate) fn cdp(&self, command: &str, parameters: &Value) -> Value {
        self.post(
            "goog/cdp/execute",
            &json!({ "cmd": command, "params": parameters }),
        )
    }

    /// What was noted since this was last asked: `browser` has the console, `performance` every request.
    #[track_caller]
    pub(crate) fn notes(&self, of: &str) -> Vec<Value> {
        let notes = self.post("se/log", &json!({ "type": of }));
        notes.as_array().unwrap().clone()
    }

    /// What the console holds of errors and warnings, violations of the page's policy among them.
    #[track_caller]
    pub(crate) fn complaints(&self) -> Vec<String> {
        let notes = self.notes("browser").into_iter();
        let grave = notes.filter(|note| note["level"] != "INFO" && note["level"] != "DEBUG");
        grave
            .map(|note| note["message"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The addresses that were asked for since the page was opened; `data:` and the like leave no browser and are
    /// left out.
    #[track_caller]
    pub(crate) fn requests(&self) -> Vec<String> {
        let notes = self.notes("performance").into_iter();
        let urls = notes.filter_map(|note| {
            let message: Value = serde_json::from_str(note["message"].as_str()?).unwrap();
            let message = &message["message"];
            let method = message["method"].as_str()?;
            let url = match method {
                "Network.requestWillBeSent" => &message["params"]["request"]["url"],
                "Network.webSocketCreated" => &message["params"]["url"],
                _ => return None,
            };
            Some(url.as_str()?.to_owned())
        });
        urls.filter(|url| !url.starts_with("data:") && !url.starts_with("blob:"))
            .collect()
    }

    /// Whether a dialog is open, as `alert` opens one.
    pub(crate) fn has_dialog(&self) -> bool {
        self.driver.get("alert/text").is_ok()
    }

    /// The page as a picture, PNG in base64.
    #[track_caller]
    pub(crate) fn picture(&self) -> String {
        let taken = self.cdp("Page.captureScreenshot", &json!({ "format": "png" }));
        taken["data"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        self.driver
            .post(command, body)
            .unwrap_or_else(|error| panic!("{command} {body}\n{error}"))
    }
}

/// An element by its selector, as an expression.
pub(crate) fn one(selector: &str) -> String {
    format!("document.querySelector({})", json!(selector))
}

/// The visible element of a selector that has this text, as an expression.
pub(crate) fn with_text(selector: &str, text: &str) -> String {
    format!(
        "[...document.querySelectorAll({})].find(one => one.textContent.trim() === {} && one.checkVisibility())",
        json!(selector),
        json!(text)
    )
}

/// A key by its name, as `WebDriver` writes it.
fn key(name: &str) -> &str {
    match name {
        "Tab" => "\u{e004}",
        "Enter" => "\u{e007}",
        "Shift" => "\u{e008}",
        "Escape" => "\u{e00c}",
        "Space" => " ",
        "PageDown" => "\u{e00f}",
        "End" => "\u{e010}",
        "Home" => "\u{e011}",
        "Left" => "\u{e012}",
        "Up" => "\u{e013}",
        "Right" => "\u{e014}",
        "Down" => "\u{e015}",
        character => character,
    }
}
