//! Reading all recorded replies: scores and issues, one thread, in this process.
//!
//! Compared with cutting off the trailers alone, which looks at the end of every reply, and with counting every byte
//! that is a line break, which looks at all of it. Reading the parquet file is not part of the time. Needs the
//! recorded data.

mod measure;

use std::hint::black_box;
use std::time::Instant;

use measure::{Run, own_peak, recorded_data, repeat, report, say};
use tribunal::frame::Frame;
use tribunal::models::parse::{Finish, Parser, Reader, Thoughts, trailer};
use tribunal::models::score::Scale;

fn main() {
    let Some(data) = recorded_data() else { return };
    let bytes = std::fs::read(data.join("responses.parquet")).expect("the file is there");
    let frame = Frame::from_parquet(bytes, Some(&["raw_text"])).expect("the file is well formed");
    let column = frame.column("raw_text").expect("the column is there");
    let replies: Vec<String> = (0..frame.rows())
        .map(|row| column.text(row).unwrap_or_default().into_owned())
        .collect();
    let size: usize = replies.iter().map(String::len).sum();
    say(&format!(
        "{} replies, {:.1} MB",
        replies.len(),
        size as f64 / 1e6
    ));
    let metrics = ["fluency", "coherence"].map(str::to_owned);
    let reader = Reader::new(Parser::EvaluationForm, &metrics).expect("two plain names");
    let runs = repeat(10, || {
        timed(|| {
            replies
                .iter()
                .map(|reply| reply.bytes().filter(|&byte| byte == b'\n').count())
                .sum()
        })
    });
    report("baseline: counting lines", &runs, "none");
    let runs = repeat(10, || {
        timed(|| {
            replies
                .iter()
                .map(|reply| trailer::strip(reply).0.len())
                .sum()
        })
    });
    report("baseline: trailers", &runs, "none");
    let runs = repeat(10, || {
        timed(|| {
            let mut found = 0;
            for reply in &replies {
                let (text, finish) = trailer::strip(reply);
                let form = reader.read(
                    text,
                    finish.unwrap_or(Finish::Unknown),
                    &Scale::ANY_1_TO_5,
                    Thoughts::default(),
                );
                found += form.issues.len();
                found += form
                    .readings
                    .iter()
                    .filter(|reading| reading.outcome.score().is_some())
                    .count();
            }
            found
        })
    });
    report("parse", &runs, "< 1 s");
}

fn timed(work: impl FnOnce() -> usize) -> Run {
    let started = Instant::now();
    black_box(work());
    let wall = started.elapsed().as_secs_f64();
    Run {
        wall,
        cpu: wall,
        peak: own_peak(),
    }
}
