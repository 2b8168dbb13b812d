//! A browser that can be told what to do: `chromedriver` on loopback and a headless session of Chromium, spoken to in
//! plain JSON over HTTP. It knows no page.
//!
//! The browser is a process group, watched by a shell that reads from a pipe of this process. When the pipe closes, be it
//! that the session is dropped, a test panicked or this process was killed, the shell ends the group and removes the profile.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Waits until the pipe is closed, ends the group `$1` and removes the folder `$2`.
const KEEPER: &str =
    r#"read -r _; kill -s KILL -- "-$1"; rm -rf "$2" || { sleep 1; rm -rf "$2"; }"#;

/// Chromium without a window, an account, an update or a word to anybody.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--enable-precise-memory-info",
    "--window-size=1440,900",
];

/// How long a command may take. Pages of fifty thousand judgements open in a few seconds.
const PATIENCE: Duration = Duration::from_mins(2);

/// A session of a browser.
#[derive(Debug)]
pub(crate) struct Driver {
    process: Child,
    keeper: Child,
    // Kept open: the driver ends when it cannot write.
    said: Option<BufReader<ChildStdout>>,
    wire: Wire,
    session: String,
}

#[derive(Debug)]
struct Wire {
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    base: String,
}

/// A program, on the path or where Debian puts it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/bin")])
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

impl Driver {
    /// Starts a browser with an empty profile.
    ///
    /// # Errors
    /// Why there is none: a program that is missing, or that does not start here, in its own words.
    pub(crate) fn start() -> Result<Self, String> {
        let driver = program("chromedriver").ok_or("`chromedriver` is not installed")?;
        let chromium = ["chromium", "chromium-browser", "google-chrome"];
        let chromium = chromium.iter().find_map(|name| program(name));
        let chromium = chromium.ok_or("`chromium` is not installed")?;
        let profile = tempfile::tempdir().unwrap().keep();
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .env("HOME", &profile)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper", &driver.id().to_string()])
            .arg(&profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let keeper = match keeper {
            Ok(keeper) => keeper,
            Err(error) => {
                driver.kill().unwrap();
                return Err(format!("no shell to watch the browser: {error}"));
            }
        };
        let said = driver.stdout.take().map(BufReader::new);
        // From here on whatever goes wrong ends both.
        let mut this = Self {
            process: driver,
            keeper,
            said,
            wire: Wire::new(),
            session: String::new(),
        };
        let port = this.said.as_mut().and_then(port);
        let port = port.ok_or("`chromedriver` does not say where it listens")?;
        this.wire.base = format!("http://127.0.0.1:{port}");
        this.session = this.begin(&chromium, &profile)?;
        // A browser that starts and shows nothing, as in some containers, is none either.
        this.post("url", &json!({ "url": "data:," }))?;
        Ok(this)
    }

    fn begin(&self, chromium: &Path, profile: &Path) -> Result<String, String> {
        let mut flags: Vec<String> = FLAGS.iter().map(|&flag| flag.to_owned()).collect();
        flags.push(format!("--user-data-dir={}/profile", profile.display()));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "binary": chromium, "args": flags },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            // A dialog stays open, so that one which nobody expected is seen.
            "unhandledPromptBehavior": "ignore",
        } } });
        let began = self.wire.send("/session", Some(&wanted))?;
        let session = began["sessionId"].as_str().unwrap_or_default();
        Ok(format!("/session/{session}"))
    }

    /// A command of the session that takes something.
    ///
    /// # Errors
    /// What the driver says is wrong.
    pub(crate) fn post(&self, command: &str, body: &Value) -> Result<Value, String> {
        let path = format!("{}/{command}", self.session);
        self.wire.send(&path, Some(body))
    }

    /// A command of the session that only asks.
    ///
    /// # Errors
    /// What the driver says is wrong.
    pub(crate) fn get(&self, command: &str) -> Result<Value, String> {
        self.wire.send(&format!("{}/{command}", self.session), None)
    }

    /// The bytes that the largest process that shows pages has in memory; none where the system does not say.
    pub(crate) fn memory(&self) -> usize {
        let listed = Command::new("ps")
            .args(["-e", "-o", "pgid=,rss=,args="])
            .output();
        let listed = listed.map_or(Vec::new(), |output| output.stdout);
        let listed = String::from_utf8_lossy(&listed);
        let group = self.process.id().to_string();
        let sizes = listed.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let ours = words.next() == Some(&group) && line.contains("--type=renderer");
            let kilobytes: usize = words.next()?.parse().ok()?;
            ours.then_some(kilobytes * 1024)
        });
        sizes.max().unwrap_or_default()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
        let _ = self.process.wait();
    }
}

/// The port, which the driver names in its first lines.
fn port(said: &mut BufReader<ChildStdout>) -> Option<u16> {
    let mut said = said.take(10_000);
    let mut line = String::new();
    while said.read_line(&mut line).ok()? > 0 {
        let digits = line.trim().trim_end_matches('.').rsplit(' ').next()?;
        match digits.parse() {
            Ok(port) if port > 0 && line.contains("successfully") => return Some(port),
            _ => line.clear(),
        }
    }
    None
}

impl Wire {
    fn new() -> Self {
        // Whoever was faster installed the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .timeout(PATIENCE);
        Self {
            runtime: runtime.enable_all().build().unwrap(),
            client: client.build().unwrap(),
            base: String::new(),
        }
    }

    fn send(&self, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let url = format!("{}{path}", self.base);
        let request = match body {
            Some(body) => self.client.post(url).body(body.to_string()),
            None => self.client.get(url),
        };
        let request = request.header("content-type", "application/json");
        let bytes = self.runtime.block_on(async {
            let reply = request.send().await.map_err(|error| error.to_string())?;
            reply.bytes().await.map_err(|error| error.to_string())
        })?;
        let mut reply: Value =
            serde_json::from_slice(&bytes).map_err(|error| format!("{path}: {error}"))?;
        let value = reply["value"].take();
        match value["error"].as_str() {
            Some(error) => {
                let message = value["message"].as_str().unwrap_or_default();
                Err(format!("{error}: {message}"))
            }
            None => Ok(value),
        }
    }
}
