//! What each target of the parsers does with its bytes. Nothing but the parsers is needed for it: `parsers/` builds in a
//! minute.

use std::sync::LazyLock;

use tribunal::models::parse::{Finish, ItemPlace, Parser, Reader, Thoughts, trailer};
use tribunal::models::score::Scale;

/// The readers of one metric and of two, of every parser: made once, for making them takes longer than reading a reply.
static READERS: LazyLock<Vec<(Parser, [Reader; 2])>> = LazyLock::new(|| {
    let readers = |&parser: &Parser| {
        let readers = [&["fluency"][..], &["fluency", "coherence"]].map(|metrics| {
            let metrics: Vec<String> = metrics.iter().map(|name| (*name).to_owned()).collect();
            let Ok(reader) = Reader::new(parser, &metrics) else {
                panic!("plain names are fine metrics");
            };
            reader
        });
        (parser, readers)
    };
    Parser::ALL.iter().map(readers).collect()
});

/// A judge's reply, recorded or not.
pub fn evaluation_form(bytes: &[u8]) {
    read(Parser::EvaluationForm, bytes);
}

/// A reply that may hold JSON.
pub fn json(bytes: &[u8]) {
    read(Parser::Json, bytes);
}

/// A reply that may be a number.
pub fn likert(bytes: &[u8]) {
    read(Parser::Likert, bytes);
}

/// A reply that may mark errors.
pub fn error_spans(bytes: &[u8]) {
    read(Parser::ErrorSpans, bytes);
}

/// A reply about the elements of a list: whatever it says, each has one place or a reason.
pub fn items(bytes: &[u8]) {
    read(Parser::Items, bytes);
    let Ok(reply) = std::str::from_utf8(bytes) else {
        return;
    };
    let Some((_, [reader, _])) = READERS.iter().find(|(one, _)| *one == Parser::Items) else {
        panic!("every parser has readers");
    };
    let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, Thoughts::default());
    let Some(items) = form.items else {
        panic!("its form has items");
    };
    for elements in 1..4 {
        if let Ok(places) = items.places(elements, None) {
            assert_eq!(places.len(), elements);
            let at = |place: &ItemPlace| match place {
                ItemPlace::At(at) => Some(*at),
                ItemPlace::Nowhere(_) => None,
            };
            let mut found: Vec<usize> = places.iter().filter_map(at).collect();
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            assert!(found.len() == count && found.iter().all(|at| *at < items.list.len()));
        }
    }
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
        let read = |readers: &[Reader; 2]| {
            readers[metrics].read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default())
        };
        let forms: Vec<_> = READERS.iter().map(|(_, readers)| read(readers)).collect();
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

/// What a parser must keep to with any reply.
fn read(parser: Parser, bytes: &[u8]) {
    let Ok(reply) = std::str::from_utf8(bytes) else {
        return;
    };
    let Some((_, [_, reader])) = READERS.iter().find(|(one, _)| *one == parser) else {
        panic!("every parser has readers");
    };
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
