//! What tokenizers count, and where.

use proptest::prelude::*;

use super::*;

fn encoded(name: &str) -> Tokenizer {
    Tokenizer::named(name).unwrap()
}

#[test]
fn every_name_leads_to_its_tokenizer_and_others_to_an_answer() {
    for encoding in Encoding::ALL {
        assert!(
            matches!(encoded(encoding.name()), Tokenizer::Encoding(found) if found == encoding)
        );
    }
    assert!(matches!(encoded("spaces"), Tokenizer::Spaces));
    let message = Tokenizer::named("llama-3").unwrap_err().to_string();
    assert_eq!(
        message,
        "there is no tokenizer `llama-3`, did you mean `llama3`? (known: `whitespace`, `spaces`, \
         `o200k_base`, `cl100k_base`, `llama3`, `qwen2`, `deepseek_v3` or `mistral_v3`)"
    );
}

#[test]
fn blanks_separate_words_and_single_spaces_pieces() {
    let text = " Two\nlines,  é. ";
    assert_eq!(Tokenizer::Whitespace.count(text), Ok(3));
    assert_eq!(Tokenizer::Whitespace.ends(text), Ok(vec![4, 11, 16]));
    assert_eq!(Tokenizer::Spaces.count(text), Ok(5));
    assert_eq!(Tokenizer::Spaces.ends(text), Ok(vec![0, 11, 12, 16, 17]));
    assert_eq!(Tokenizer::Whitespace.count(""), Ok(0));
    assert_eq!(Tokenizer::Spaces.count(""), Ok(1));
}

#[test]
fn an_encoding_counts_the_pieces_of_words() {
    assert_eq!(encoded("cl100k_base").ends("hello world"), Ok(vec![5, 11]));
    assert_eq!(encoded("o200k_base").count("hello world"), Ok(2));
    assert_eq!(encoded("llama3").ends("hello world"), Ok(vec![5, 11]));
    // A letter of several tokens: they end in and after it.
    assert_eq!(encoded("cl100k_base").ends("\u{1f980}"), Ok(vec![2, 3, 4]));
}

#[test]
fn marks_of_a_model_are_ordinary_letters_and_none_is_added() {
    assert_eq!(encoded("llama3").count(""), Ok(0));
    assert!(encoded("llama3").count("<|begin_of_text|>").unwrap() > 1);
}

#[test]
fn the_tail_begins_with_a_whole_word() {
    let text = "One two three four.";
    assert_eq!(Tokenizer::Whitespace.tail(text, 2), Ok(8));
    assert_eq!(Tokenizer::Whitespace.tail(text, 0), Ok(text.len()));
    assert_eq!(Tokenizer::Whitespace.tail(text, 9), Ok(0));
    let text = "Extraordinarily unextraordinary antidisestablishmentarianism.";
    for n in 1..20 {
        let start = encoded("llama3").tail(text, n).unwrap();
        let word = text[..start].is_empty() || text[..start].ends_with(' ');
        assert!(
            word || !text[start..].contains(' '),
            "{n}: {}",
            &text[start..]
        );
    }
}

#[test]
fn a_file_that_is_no_tokenizer_is_refused() {
    let error = FileTokenizer::from_json(b"{}").unwrap_err();
    let expected = if cfg!(feature = "tokenizers") {
        "the file is not a tokenizer"
    } else {
        "this build reads no `tokenizer.json`"
    };
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[cfg(feature = "tokenizers")]
#[test]
fn a_tokenizer_is_read_from_its_file() {
    let json = br#"{ "version": "1.0", "truncation": { "direction": "Right", "max_length": 1,
        "strategy": "LongestFirst", "stride": 0 }, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": { "type": "Whitespace" }, "post_processor": null,
        "decoder": null, "model": { "type": "WordLevel", "vocab": { "one": 0, "two": 1 }, "unk_token": "one" } }"#;
    let tokenizer = Tokenizer::File(FileTokenizer::from_json(json).unwrap());
    assert_eq!(tokenizer.ends("é one, two"), Ok(vec![2, 6, 7, 11]));
    let strict =
        String::from_utf8_lossy(json).replace("\"unk_token\": \"one\"", "\"unk_token\": \"x\"");
    let strict = Tokenizer::File(FileTokenizer::from_json(strict.as_bytes()).unwrap());
    assert!(matches!(
        strict.count("three"),
        Err(TokenizerError::Text(_))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn there_are_as_many_ends_as_tokens_in_order_up_to_the_end(text in "[aB.é“”\u{1f980}\u{200d}\0\u{7f}這 \r\n]{0,60}") {
        for name in ["whitespace", "spaces", "llama3", "deepseek_v3"] {
            let ends = encoded(name).ends(&text).unwrap();
            prop_assert_eq!(ends.len(), encoded(name).count(&text).unwrap());
            prop_assert!(ends.windows(2).all(|pair| pair[0] <= pair[1]));
            let end = if name == "whitespace" { text.trim_end().len() } else { text.len() };
            prop_assert_eq!(ends.last().copied().unwrap_or(0), end);
        }
    }

    #[test]
    fn a_tail_is_a_whole_number_of_letters(text in "[aB.é\u{1f980}\u{200d} \n]{0,40}", n in 0usize..30) {
        for name in ["whitespace", "spaces", "llama3"] {
            let start = encoded(name).tail(&text, n).unwrap();
            prop_assert!(text.is_char_boundary(start));
        }
    }
}
