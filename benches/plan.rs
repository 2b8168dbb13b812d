//! Planning 100,000 calls: `tribunal plan` as a whole process, in two shapes.
//!
//! *Wide*: 500 documents under 200 combinations (10 models, 20 lengths). *Deep*: 100 documents under 1,000 combinations
//! (10 models, 100 lengths). The documents have 400 words. Free stages run before a plan is shown, since nobody could
//! count calls without their rows: the cold figure includes cutting the documents to every length, the warm one finds
//! them known. Compared with `--version`, below which no plan can get.

mod measure;

use std::path::Path;

use measure::{binary, documents, process, repeat, report, words};

fn main() {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let runs = repeat(20, || {
        process(&binary(), &words(&["--version"]), folder.path())
    });
    report("baseline: --version", &runs, "none");
    for (name, count, lengths) in [("wide", 500, 20), ("deep", 100, 100)] {
        let folder = folder.path().join(name);
        project(&folder, count, lengths);
        let cold = || {
            let _ = std::fs::remove_dir_all(folder.join("cache"));
            process(&binary(), &words(&["plan", "x.toml"]), &folder)
        };
        report(&format!("{name}, cold"), &repeat(3, cold), "none");
        let warm = || process(&binary(), &words(&["plan", "x.toml"]), &folder);
        report(
            &format!("{name}, warm"),
            &repeat(10, warm),
            "< 500 ms and < 300 MB",
        );
    }
}

fn project(folder: &Path, count: usize, lengths: usize) {
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(folder)).expect("a folder can be made");
        std::fs::write(file, text).expect("a file can be written");
    };
    write("docs.csv", &documents(count, 400));
    write(
        "templates/p.j2",
        "Score fluency and coherence.\n{{ text }}\n",
    );
    write(
        "script.toml",
        "[[reply]]\ntext = \"FINAL Fluency Score: 4\\nFINAL Coherence Score: 3\"\n",
    );
    let models: Vec<String> = (0..10)
        .map(|model| {
            format!("[models.m{model}]\nprovider = \"scripted\"\nscript = \"script.toml\"\n")
        })
        .collect();
    let names: Vec<String> = (0..10).map(|model| format!("\"m{model}\"")).collect();
    let values: Vec<String> = (1..=lengths)
        .map(|length| (length * 4).to_string())
        .collect();
    let axes = format!(
        "[axes]\nmodel = {{ set = \"judge.j.model\", values = [{}] }}\nlength = {{ set = \"truncate.cut.tokens\", values = [{}] }}\n",
        names.join(", "),
        values.join(", ")
    );
    let stages = "[source.docs]\nfiles = \"docs.csv\"\n[truncate.cut]\nfrom = \"docs\"\ntokens = \"full\"\n\
        [judge.j]\nfrom = \"cut\"\nmodel = \"m0\"\nprompt = \"p\"\n[stats.means]\nfrom = \"j\"\n\
        [table.t]\nfrom = \"means\"\nrows = [\"length\", \"metric\"]\ncolumns = [\"model\"]\n";
    write("x.toml", &format!("{axes}{}{stages}", models.concat()));
}
