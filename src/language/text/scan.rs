//! Scans: a text cut into the stretches that a judge reads one by one (thesis, Section 4.3.1).

use super::cuts::Cuts;
use super::paragraphs::Headings;
use super::{Span, Tokenizer, TokenizerError, sentences};

/// A stretch of a text that is read on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Which one it is, counted from 1.
    pub number: usize,
    /// Where it stands. The next begins where it ends: blanks between two belong to the first, and the
    /// scans of a text put together are the text.
    pub span: Span,
    /// The end of the scan before, shown again as what went before.
    pub context: Option<Span>,
}

/// Cuts a text between sentences into scans of about `range` tokens.
///
/// A scan is as many whole sentences as have at most `range` tokens together, counted on the scan
/// without the blanks at its end, or one sentence that has more. Headings at its end go to the next one,
/// unless it holds nothing else. Since a scan may stay a part of a
/// sentence below the range, there are now and then more than the `⌈L / range⌉` of Equation 4.1 (`L` is
/// the number of tokens of the text), never fewer but for a token or two that an edge saves.
///
/// With an `overlap` above 0 (stride mode; 0 is hard mode), every scan but the first has as its context
/// the last `⌊range · overlap⌋` tokens of the scan before it, from the first whole word on; with 1
/// or more, all of it. A text without a letter has no scans.
///
/// The recorded runs of the thesis count with the tokenizer of the model that judges. With
/// [`Encoding::Llama3`](super::Encoding::Llama3) and a range of 2000, 418 of its 420 texts have as many
/// scans here as there (and 418 with [`Encoding::Qwen2`](super::Encoding::Qwen2)); a scan that begins
/// where the recorded one does also ends there in 75 % (74 %) of cases. Elsewhere the sentences differ
/// (there they are spaCy's), or the few tokens between counting a scan and adding up its sentences.
///
/// # Errors
/// When a tokenizer from a file cannot read the text.
pub fn scans(
    text: &str,
    tokenizer: &Tokenizer,
    range: usize,
    overlap: f64,
) -> Result<Vec<Scan>, TokenizerError> {
    let shared = if overlap >= 1.0 {
        usize::MAX
    } else {
        (range as f64 * overlap) as usize
    };
    let (places, headings) = between_sentences(text);
    let cuts = Cuts::new(text, tokenizer, places)?;
    let mut found: Vec<Scan> = Vec::new();
    let (mut start, mut first) = (0, 0);
    while first < cuts.places().len() {
        let furthest = cuts.within(start, first, range)?;
        let last = (first..=furthest)
            .rev()
            .find(|&place| !headings.get(place).is_some_and(|&heading| heading))
            .unwrap_or(furthest);
        let Some(&end) = cuts.places().get(last) else {
            break;
        };
        let context = match found.last() {
            Some(before) if shared > 0 => {
                let seen = before.span.of(text);
                let tail = tokenizer.tail(seen.trim_end(), shared)?;
                // Less than a letter may be left of a letter of several tokens.
                (tail < seen.trim_end().len())
                    .then(|| Span::new(before.span.start + tail, before.span.end))
            }
            _ => None,
        };
        found.push(Scan {
            number: found.len() + 1,
            span: Span::new(start, end),
            context,
        });
        (start, first) = (end, last + 1);
    }
    Ok(found)
}

/// Cuts a text between sentences into chunks of at least `tokens` tokens, the last one excepted: a
/// chunk ends with the sentence in which the number is reached, or with the next one where that is a
/// heading.
///
/// HAMLET (Section 3.1.1, Appendix A) divides novels into chunks of about 4000 tokens at the ends of
/// sentences, and does not say more. The numbers in its Table 8 are possible with this rule for all
/// 16 novels (if a chunk exceeds 4000 by 13 to 28 tokens on average), whereas chunks of at most 4000
/// would be one more in three of them. Counted are the tokens of the whole text; one that reaches
/// over the cut belongs to the chunk after it.
///
/// # Errors
/// When a tokenizer from a file cannot read the text.
pub fn chunks(
    text: &str,
    tokenizer: &Tokenizer,
    tokens: usize,
) -> Result<Vec<Scan>, TokenizerError> {
    let (places, headings) = between_sentences(text);
    let cuts = Cuts::new(text, tokenizer, places)?;
    let places = cuts.places();
    let mut ends = Vec::new();
    let (mut start, mut first) = (0, 0);
    while first < places.len() {
        let mut last = cuts.reaching(start, first, tokens).min(places.len() - 1);
        while headings.get(last).is_some_and(|&heading| heading) {
            last += 1;
        }
        ends.push(places[last]);
        (start, first) = (places[last], last + 1);
    }
    Ok(numbered(&ends))
}

/// The scans between the beginning of a text and these places.
pub(super) fn numbered(ends: &[usize]) -> Vec<Scan> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts
        .zip(ends)
        .zip(1..)
        .map(|((start, &end), number)| Scan {
            number,
            span: Span::new(start, end),
            context: None,
        })
        .collect()
}

/// Where sentences begin, but for the first, and the end of the text, and whether a heading stands
/// before each but the last; nothing for a text without a sentence.
fn between_sentences(text: &str) -> (Vec<usize>, Vec<bool>) {
    let found = sentences(text);
    let headings = Headings::of(text);
    let mut places: Vec<usize> = found.iter().skip(1).map(|span| span.start).collect();
    let after_heading = found.iter().take(places.len());
    let after_heading = after_heading.map(|span| headings.hold(*span)).collect();
    places.extend((!found.is_empty()).then_some(text.len()));
    (places, after_heading)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "One two. Three four five.\n\nSix. Seven eight nine ten. End.\n";

    fn words(range: usize, overlap: f64) -> Vec<Scan> {
        scans(TEXT, &Tokenizer::Whitespace, range, overlap).unwrap()
    }

    fn texts(scans: &[Scan]) -> Vec<&str> {
        scans.iter().map(|scan| scan.span.of(TEXT)).collect()
    }

    #[test]
    fn a_scan_is_as_many_whole_sentences_as_fit() {
        let found = words(6, 0.0);
        assert_eq!(
            texts(&found),
            [
                "One two. Three four five.\n\nSix. ",
                "Seven eight nine ten. End.\n"
            ]
        );
        assert_eq!(found[1].number, 2);
        assert_eq!(found[1].span, Span::new(32, TEXT.len()));
    }

    #[test]
    fn a_sentence_that_is_too_long_is_a_scan_of_its_own() {
        assert_eq!(words(4, 0.0).len(), 4);
        assert_eq!(words(3, 0.0).len(), 5);
        assert_eq!(words(0, 0.0).len(), 5);
        assert_eq!(texts(&words(100, 0.0)), [TEXT]);
    }

    #[test]
    fn hard_mode_has_no_context_and_stride_mode_the_end_of_the_scan_before() {
        assert!(words(6, 0.0).iter().all(|scan| scan.context.is_none()));
        let found = words(6, 0.4);
        assert_eq!(texts(&found), texts(&words(6, 0.0)));
        assert_eq!(found[0].context, None);
        let context = found[1].context.map(|context| context.of(TEXT));
        assert_eq!(context, Some("five.\n\nSix. "));
        assert_eq!(words(6, 1.0)[1].context, Some(found[0].span));
        assert_eq!(words(6, 0.1)[1].context, None);
        assert_eq!(words(6, f64::NAN)[1].context, None);
    }

    #[test]
    fn a_chunk_ends_with_the_sentence_that_reaches_the_number() {
        let found = chunks(TEXT, &Tokenizer::Whitespace, 3).unwrap();
        assert_eq!(
            texts(&found),
            [
                "One two. Three four five.\n\n",
                "Six. Seven eight nine ten. ",
                "End.\n"
            ]
        );
        assert_eq!(chunks(TEXT, &Tokenizer::Whitespace, 0).unwrap().len(), 5);
    }

    #[test]
    fn no_heading_is_left_at_the_end_of_a_part() {
        let text = "One two.\n\nCHAPTER I\n\nTHE STORM\n\nThree four. Five.\n\nTHE END\n";
        let texts = |scans: Vec<Scan>| -> Vec<&str> {
            scans.iter().map(|scan| scan.span.of(text)).collect()
        };
        let end = "CHAPTER I\n\nTHE STORM\n\nThree four. Five.\n\nTHE END\n";
        let found = scans(text, &Tokenizer::Whitespace, 6, 0.0).unwrap();
        assert_eq!(texts(found)[..2], ["One two.\n\n", &end[..34]]);
        let found = chunks(text, &Tokenizer::Whitespace, 3).unwrap();
        assert_eq!(
            texts(found),
            [
                "One two.\n\nCHAPTER I\n\nTHE STORM\n\nThree four. ",
                "Five.\n\nTHE END\n"
            ]
        );
        // A list of headings is cut like anything else.
        let list = scans("ONE\n\nTWO\n\nTHREE", &Tokenizer::Whitespace, 2, 0.0).unwrap();
        assert_eq!(list.len(), 2);
    }

    #[test]
    fn a_text_without_a_letter_has_no_scans() {
        for text in ["", " \n\n ", "\u{feff}"] {
            assert_eq!(scans(text, &Tokenizer::Spaces, 5, 0.5), Ok(vec![]));
            assert_eq!(chunks(text, &Tokenizer::Spaces, 5), Ok(vec![]));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn scans_put_together_are_the_text_and_none_is_too_long(
            text in "([A-Za-z\u{e9}\u{1f980}]{1,9}[.!?,\"”]{0,2}[ \n]{1,3}){1,14}",
            range in 0usize..30,
            overlap in 0.0f64..1.2,
        ) {
            for name in ["whitespace", "spaces", "llama3"] {
                let tokenizer = Tokenizer::named(name).unwrap();
                let ends: Vec<usize> = sentences(&text).iter().map(|span| span.end).collect();
                let found = scans(&text, &tokenizer, range, overlap).unwrap();
                let whole: String = found.iter().map(|scan| scan.span.of(&text)).collect();
                prop_assert_eq!(&whole, &text);
                for (index, scan) in found.iter().enumerate() {
                    let inside = ends.iter().filter(|&&end| scan.span.start < end && end <= scan.span.end);
                    let count = tokenizer.count(scan.span.of(&text).trim_end()).unwrap();
                    prop_assert!(count <= range || inside.count() == 1);
                    if let Some(context) = scan.context {
                        let before = found[index - 1].span;
                        prop_assert!(before.contains(context) && context.end == scan.span.start);
                        prop_assert!(!context.of(&text).trim().is_empty());
                    }
                }
                let found = chunks(&text, &tokenizer, range).unwrap();
                let whole: String = found.iter().map(|scan| scan.span.of(&text)).collect();
                prop_assert_eq!(&whole, &text);
            }
        }
    }
}
