//! What a call costs beside waiting for a model: scripted calls at no latency, each stored before it is used.
//!
//! Compared with the same run a second time under another stage name, when every reply is stored already and only
//! read: what is left of the difference is asking, locking and storing.

mod measure;

use std::path::Path;

use measure::{Run, binary, documents, process, report, say, spread, words};

fn main() {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    for (count, times) in [(1_000, 5), (20_000, 3)] {
        let folder = folder.path().join(count.to_string());
        std::fs::create_dir_all(folder.join("templates")).expect("a folder can be made");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).expect("a file can be written");
        };
        write("docs.csv", &documents(count, 100));
        write(
            "templates/p.j2",
            "Score fluency and coherence.\n{{ text }}\n",
        );
        write(
            "script.toml",
            "[[reply]]\ntext = \"FINAL Fluency Score: {{ 1 + digest % 5 }}\\nFINAL Coherence Score: 3\"\n",
        );
        for name in ["first", "second"] {
            write(&format!("{name}.toml"), &spec(name));
        }
        let (mut asked, mut reused) = (Vec::new(), Vec::new());
        for _ in 0..times {
            let _ = std::fs::remove_dir_all(folder.join("cache"));
            asked.push(run(&folder, "first"));
            reused.push(run(&folder, "second"));
        }
        describe(&format!("{count} calls, asked"), &asked, count);
        describe(&format!("{count} calls, stored already"), &reused, count);
    }
}

fn run(folder: &Path, name: &str) -> Run {
    process(
        &binary(),
        &words(&["run", "--quiet", &format!("{name}.toml")]),
        folder,
    )
}

fn spec(name: &str) -> String {
    // Another scale is another stage, with the same calls.
    let scale = if name == "first" { 1.0 } else { 0.5 };
    format!(
        "[models.m]\nprovider = \"scripted\"\nscript = \"script.toml\"\nconcurrency = 64\n[source.docs]\n\
        files = \"docs.csv\"\n[judge.j]\nfrom = \"docs\"\nmodel = \"m\"\nprompt = \"p\"\nscale.step = {scale}\n\
        [stats.means]\nfrom = \"j\"\n[table.t]\nfrom = \"means\"\nrows = [\"metric\"]\ncolumns = []\n"
    )
}

fn describe(name: &str, runs: &[Run], calls: usize) {
    report(name, runs, "none stated");
    let [_, wall, _] = spread(runs.iter().map(|run| run.wall));
    let [_, cpu, _] = spread(runs.iter().map(|run| run.cpu));
    say(&format!(
        "    {:.0} calls/s, {:.0} µs CPU per call",
        calls as f64 / wall,
        cpu * 1e6 / calls as f64
    ));
}
