//! What a page of many judgements costs: 50,400 of them (28 repeats, two metrics) over 900 documents of 60 KB, which are 60
//! documents as they are and damaged by 14 amounts of typos, judged by a script that finds faults.
//!
//! Measured is `tribunal view` from its start until it says where the page is: looking up what is known, rendering 900 prompts,
//! reading 25,200 replies again, and compressing. Compared with `tribunal run` of the same when all is known, which looks
//! it up and does nothing more. The project is left in the folder that is named behind `--`.

mod measure;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use measure::{Run, binary, process, project, repeat, report, say, words};

/// Bytes of a document.
const LENGTH: usize = 60_000;

fn main() {
    let kept = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let made = tempfile::TempDir::new().expect("a folder can be made");
    let folder = kept.map_or_else(|| made.path().to_owned(), PathBuf::from);
    write(&folder);
    let first = process(&binary(), &words(&["run", "--quiet", "many.toml"]), &folder);
    report("run, nothing known", &[first], "none stated");
    let run = || process(&binary(), &words(&["run", "--quiet", "many.toml"]), &folder);
    report("run, everything known", &repeat(3, run), "none stated");
    let mut sizes = Vec::new();
    let views = repeat(3, || {
        let (run, found) = view(&folder);
        sizes = found;
        run
    });
    report("view, until the page is there", &views, "< 5 s");
    for (what, chunks, bytes) in sizes {
        say(&format!("    {what}: {bytes} bytes in {chunks} chunks"));
    }
}

/// The project.
fn write(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let parent = path.parent().expect("the file is in a folder");
        std::fs::create_dir_all(parent).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    let sentences = sentences();
    for number in 0..60 {
        write(
            &format!("docs/d{number:02}.txt"),
            &document(number, &sentences),
        );
    }
    write(
        "templates/grade.j2",
        "Grade fluency and coherence.\n\n{{ text }}\n",
    );
    write(
        "script.toml",
        "[[reply]]\ntext = \"\"\"\n1) Fluency Issues:\n- [SPELLING] a word is misspelt {{ digest % 97 }} lines from the end\n\
         - [GRAMMAR] a verb does not agree with its subject {{ digest % 89 }} times\n2) Coherence Issues:\n\
         - [STRUCTURE] what follows paragraph {{ digest % 83 }} does not follow from it\n\
         3) FINAL Fluency Score: {{ 1 + digest % 9 / 2 }}\n4) FINAL Coherence Score: {{ 1 + digest // 9 % 9 / 2 }}\n\"\"\"\n",
    );
    write(
        "many.toml",
        "title = \"Many judgements\"\nseed = 7\n[models.m]\nprovider = \"scripted\"\nscript = \"script.toml\"\nconcurrency = 64\n\
         [axes]\ntypos = { set = \"manipulate.damaged.typos.percent\", values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] }\n\
         [source.docs]\nfiles = \"docs/*.txt\"\n[manipulate.damaged]\nfrom = \"docs\"\napply = \"typos\"\ntypos = { percent = 2 }\n\
         [judge.worse]\nfrom = \"damaged\"\nmodel = \"m\"\nprompt = \"grade\"\nrepeats = 28\n\
         [judge.plain]\nfrom = \"docs\"\nmodel = \"m\"\nprompt = \"grade\"\nrepeats = 28\n\
         [stats.damages]\nfrom = \"worse\"\n[stats.plains]\nfrom = \"plain\"\n\
         [table.damages]\nfrom = \"damages\"\nrows = [\"typos\"]\ncolumns = [\"metric\"]\n[table.plains]\nfrom = \"plains\"\nrows = [\"metric\"]\n",
    );
}

/// The sentences of the stories of the quickstart.
fn sentences() -> Vec<String> {
    let stories = project().join("experiments/stories");
    let entries = std::fs::read_dir(stories).expect("the stories are there");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let texts = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "txt"));
    texts
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).expect("a story can be read");
            let sentences = text.split_inclusive(". ").map(str::to_owned);
            sentences.collect::<Vec<_>>()
        })
        .collect()
}

/// Sentences in another order for every document, each once.
fn document(number: usize, sentences: &[String]) -> String {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by_key(|&at| {
        (at + 1)
            .wrapping_mul(2_654_435_761)
            .rotate_left(number as u32 + 7)
    });
    let mut text = format!("Night {number}. ");
    for at in order {
        if text.len() < LENGTH {
            text.push_str(&sentences[at]);
        }
    }
    text
}

/// Starts `view`, waits for the page, asks for every chunk, and ends it.
fn view(folder: &Path) -> (Run, Vec<(&'static str, usize, usize)>) {
    let started = Instant::now();
    let mut process = Command::new(binary())
        .args(["view", "many.toml"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let mut line = String::new();
    let out = process.stdout.take().expect("it is piped");
    let read = BufReader::new(out).read_line(&mut line);
    let wall = started.elapsed().as_secs_f64();
    assert!(
        read.is_ok() && line.starts_with("http"),
        "view says `{line}`"
    );
    let host = line
        .trim()
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let mut sizes = vec![("index", 1, chunk(host, "index").expect("there is an index"))];
    for what in ["documents", "replies"] {
        let chunks: Vec<usize> = (0..)
            .map_while(|k| chunk(host, &format!("{what}-{k}")))
            .collect();
        sizes.push((what, chunks.len(), chunks.iter().sum()));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()));
    let status = status.unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let _ = process.kill();
    let _ = process.wait();
    let run = Run {
        wall,
        cpu: f64::NAN,
        peak: peak.map_or(f64::NAN, |kilobytes: f64| kilobytes / 1024.0),
    };
    (run, sizes)
}

/// The bytes of a chunk, if there is one of this name.
fn chunk(host: &str, name: &str) -> Option<usize> {
    let mut stream = TcpStream::connect(host).expect("the page is served");
    let request =
        format!("GET /chunks/{name} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    answer
        .starts_with(b"HTTP/1.1 200")
        .then(|| answer.len() - head - 4)
}
