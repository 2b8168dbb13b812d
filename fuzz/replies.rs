//! What each target of the parsers does with its bytes. Nothing but the parsers is needed for it: `parsers/` builds in a
//! minute.

use std::sync::LazyLock;

use tribunal::models::parse::{Finish, Parser, Reader, Thoughts, trailer};
use tribunal::models::score::Scale;

/// The readers of one metric and of two, by parser: made once, for making them takes longer than reading a reply.
static READERS: LazyLock<[[Reader; 2]; 3]> = LazyLock::new(|| {
    [Parser::EvaluationForm, Parser::Likert, Parser::Json].map(|parser| {
        [&["fluency"][..], &["fluency", "coherence"]].map(|metrics| {
            let metrics: Vec<String> = metrics.iter().map(|name| (*name).to_owned()).collect();
            let Ok(reader) = Reader::new(parser, &metrics) else {
                panic!("plain names are fine metrics");
            };
            reader
        })
    })
});

/// A judge's reply, recorded or not.
pub fn evaluation_form(bytes: &[u8]) {
    reply(0, bytes);
}

/// A reply that may hold JSON.
pub fn json(bytes: &[u8]) {
    reply(2, bytes);
}

/// A reply that may be a number.
pub fn likert(bytes: &[u8]) {
    reply(1, bytes);
}

/// A reply that all parsers read, finished or cut: two of them never give different numbers.
pub fn differential(bytes: &[u8]) {
    let Ok(reply) = std::str::from_utf8(bytes) else {
        return;
    };
    for (metrics, finish) in [
        (0, Finish::Stop),
        (1, Finish::Stop),
        (0, Finish::Length),
        (1, Finish::Length),
    ] {
        let forms = READERS.each_ref().map(|readers| {
            readers[metrics].read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default())
        });
        for metric in 0..=metrics {
            let readings = forms.iter().map(|form| &form.readings[metric]);
            let scores: Vec<f64> = readings
                .filter_map(|reading| reading.outcome.score())
                .collect();
            let same = |pair: &[f64]| pair[0].total_cmp(&pair[1]).is_eq();
            assert!(scores.windows(2).all(same), "{finish:?} {scores:?}");
        }
    }
}

fn reply(parser: usize, bytes: &[u8]) {
    let Ok(reply) = std::str::from_utf8(bytes) else {
        return;
    };
    let reader = &READERS[parser][1];
    let (body, finish) = trailer::strip(reply);
    for (text, finish) in [
        (reply, Finish::Stop),
        (body, finish.unwrap_or(Finish::Length)),
    ] {
        for scale in [Scale::ANY_1_TO_5, Scale::HALF_POINTS_1_TO_5] {
            let form = reader.read(text, finish, &scale, Thoughts::default());
            assert_eq!(form.readings.len(), 2);
            for reading in &form.readings {
                if let Some(score) = reading.outcome.score() {
                    assert!(scale.contains(score));
                }
                let placed = |span: &std::ops::Range<usize>| text.get(span.clone()).is_some();
                assert!(reading.span.as_ref().is_none_or(placed));
            }
            assert!(
                form.issues
                    .iter()
                    .all(|issue| text.get(issue.span.clone()).is_some())
            );
        }
    }
}
