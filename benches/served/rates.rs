//! How much of an allowance per minute is used, and how much is refused.
//!
//! The server counts what it admitted in the last sixty seconds and refuses what exceeds 300 requests or 100,000
//! tokens. Three minutes for each of two sorts of documents: short ones, where requests are what is scarce, and long
//! ones of very different lengths, where tokens are.

use std::time::Duration;

use crate::lab::{Corpus, Lab};
use crate::measure::say;
use crate::server::{Manner, Server};

const REQUESTS: usize = 300;
const TOKENS: u64 = 100_000;

pub(crate) fn measure() {
    // Some 900 requests of 130 tokens, and 300,000 tokens in requests of 130 to 2,100.
    let short = (0..900).map(|_| 100).collect();
    let long = (0..270).map(|number| 100 + number * 137 % 1_900).collect();
    for (name, words) in [("requests", short), ("tokens", long)] {
        let corpus = Corpus::of(words);
        let server = Server::start(Manner {
            latency: Duration::from_millis(200),
            allowance: Some((REQUESTS, TOKENS)),
            ..Manner::default()
        });
        let limits =
            format!("requests-per-minute = {REQUESTS}\ntokens-per-minute = {TOKENS}\nretries = 20");
        let lab = Lab::new(&corpus);
        server.answers(corpus.calls(), || {
            lab.run("first", server.url(), 16, &limits)
        });
        let tally = server.tally();
        let minutes = tally.span.map_or(f64::NAN, |(first, last)| {
            (last - first).as_secs_f64() / 60.0
        });
        let share = |part: f64, whole: f64| 100.0 * part / whole;
        say(&format!(
            "limits, {name} are scarce: {minutes:.2} min, {:.1} % of the requests and {:.1} % of the tokens allowed; {} of {} refused, {:.2} %; aim 90 % of one of them, refused < 1 %",
            share(tally.answered as f64, minutes * REQUESTS as f64),
            share(tally.tokens as f64, minutes * TOKENS as f64),
            tally.refused,
            tally.answered + tally.refused,
            share(
                tally.refused as f64,
                (tally.answered + tally.refused) as f64
            )
        ));
    }
}
