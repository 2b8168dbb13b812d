use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use proptest::prelude::*;

use super::*;

const KEY: &str = "sk-Pl4nted/S3cret+0123456789";

/// A key that is made of words.
const WORDS: &str = "correct-horse-battery-staple";

fn clean(key: &str, text: &str, refuses: bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in Scrubber::of([key].into_iter())
        .find(text.as_bytes(), refuses)
        .into_iter()
        .rev()
    {
        bytes.splice(range, *b"[secret]");
    }
    String::from_utf8(bytes).unwrap()
}

fn each(key: &str, write: impl Fn(char) -> String) -> String {
    key.chars().map(write).collect()
}

#[test]
fn a_key_is_found_in_every_writing() {
    let json = each(KEY, |c| format!("\\u{:04x}", u32::from(c)));
    let writings = [
        KEY.to_owned(),
        KEY.to_uppercase(),
        KEY.replace('/', "\\/"),
        KEY.replace('s', "\\u0073").replace('+', "\\u002B"),
        json.clone(),
        json.replace('\\', "\\\\"),
        json.replace('\\', "\\\\\\\\"),
        each(KEY, |c| format!("%{:02X}", u32::from(c))),
        KEY.replace('/', "%2f").replace('+', "%2B"),
        each(KEY, |c| format!("&#{};", u32::from(c))),
        each(KEY, |c| format!("&#x{:x};", u32::from(c))),
        KEY.replace('/', "&sol;").replace('+', "&plus;"),
        KEY.replace('/', "%5C%2F"),
        each(KEY, |c| format!("{:02X}", u32::from(c))),
        each(KEY, |c| format!("\\x{:02x}", u32::from(c))),
        KEY.chars().rev().collect(),
        each(KEY, |c| format!("\\{:03o}", u32::from(c))),
        each(KEY, |c| format!("{c}\0"))
            .trim_end_matches('\0')
            .to_owned(),
        each(KEY, |c| wide(c).to_string()),
        each(KEY, |c| format!("\\u{:04x}", u32::from(wide(c)))),
        String::from_utf8(base32(KEY.as_bytes(), 0)).unwrap(),
    ];
    for writing in writings {
        let text = format!("{{\"a\": \"Key: {writing}!\"}}");
        assert_eq!(
            clean(KEY, &text, false),
            "{\"a\": \"Key: [secret]!\"}",
            "{writing}"
        );
    }
}

/// Written by Python's `base64.b32encode`, with other bytes before and behind.
const BASE32: [(&str, &str); 5] = [
    (
        "ONVS2UDMGRXHIZLEF5JTGY3SMV2CWMBRGIZTINJWG44DSPZBPI======",
        "[secret]SPZBPI======",
    ),
    (
        "PBZWWLKQNQ2G45DFMQXVGM3DOJSXIKZQGEZDGNBVGY3TQOJ7EF5A====",
        "PB[secret]J7EF5A====",
    ),
    (
        "PB4HG2ZNKBWDI3TUMVSC6UZTMNZGK5BLGAYTEMZUGU3DOOBZH4QXU===",
        "PB4H[secret]H4QXU===",
    ),
    (
        "PB4HQ43LFVIGYNDOORSWIL2TGNRXEZLUFMYDCMRTGQ2TMNZYHE7SC6Q=",
        "PB4HQ[secret]E7SC6Q=",
    ),
    (
        "PB4HQ6DTNMWVA3BUNZ2GKZBPKMZWG4TFOQVTAMJSGM2DKNRXHA4T6IL2",
        "PB4HQ6D[secret]T6IL2",
    ),
];

#[test]
fn a_key_is_found_within_base32() {
    let key = "sk-Pl4nted/S3cret+0123456789";
    for (encoded, cleaned) in BASE32 {
        assert_eq!(clean(key, encoded, false), cleaned, "{encoded}");
    }
}

#[test]
fn a_key_with_quotes_is_found_as_it_is() {
    let key = "sk-Pl4nt\\\"ed/S3cret+0123456789";
    let text = format!("{{\"m\": \"Key: {key}!\"}}");
    assert_eq!(clean(key, &text, false), "{\"m\": \"Key: [secret]!\"}");
    let read = format!("Key: {}!", key.replace("\\\"", "\""));
    assert_eq!(clean(key, &read, true), "Key: [secret][secret]!");
}

#[test]
fn a_long_piece_from_the_middle_of_a_key_is_found() {
    let key = "sk-proj-Abc123Def456Ghi789Jkl012Mno345";
    for (text, cleaned) in [
        // Twelve characters, more, in other writings, and beside others.
        ("of Def456Ghi789 here", "of [secret] here"),
        ("(123Def456Ghi789Jkl0)", "([secret])"),
        ("xxDEF456ghi789xx", "xx[secret]xx"),
        ("a Def456\\u0047hi789Jk b", "a [secret] b"),
        // Eleven are none.
        ("of Def456Ghi78 here", "of Def456Ghi78 here"),
    ] {
        assert_eq!(clean(key, text, false), cleaned, "{text}");
    }
    // A key that is made of words has words in its middle.
    let text = "a horse-battery of theirs";
    assert_eq!(clean(WORDS, text, true), text);
    // So may one that was made by chance.
    let key = "sk-12-organizational-x9y8z7";
    assert_eq!(
        clean(key, "our organizational chart", false),
        "our organizational chart"
    );
}

#[test]
fn a_key_in_base64_is_found_wherever_it_begins() {
    for before in ["", "a", "ab", "abc", "Bearer ", "someone:"] {
        for after in ["", "x", "xy"] {
            let told = format!("{before}{KEY}{after}");
            for encoded in [STANDARD.encode(&told), URL_SAFE.encode(&told)] {
                let said = clean(KEY, &format!("Basic {encoded}"), false);
                assert!(said.contains("[secret]"), "{told}: {said}");
                assert!(said.len() < 36, "{told}: {said}");
            }
        }
    }
}

#[test]
fn the_ends_of_a_masked_key_are_found() {
    for masked in [
        "sk-Pl4***************6789",
        "sk-Pl4nted…456789",
        "sk-Pl4nt...89",
        "sk-Pl4nt\\u2026456789",
        "sk-Pl4nt••••••••",
        "SK-PL4NT****456789",
        "sk-Pl4nted/S3cxxxxxxxxxxxxx6789",
        "\\u0073k-Pl4nted****56789",
    ] {
        for refuses in [false, true] {
            let text = format!("{{\"m\":\"Incorrect API key provided:\\n{masked}. You can\"}}");
            let said = clean(KEY, &text, refuses);
            let expected = "{\"m\":\"Incorrect API key provided:\\n[secret]. You can\"}";
            // The point behind three points is one more of them.
            assert_eq!(
                said.replace("[secret] You", "[secret]. You"),
                expected,
                "{masked}"
            );
        }
    }
    assert_eq!(clean(KEY, "****456789", false), "****[secret]");
    assert_eq!(clean(WORDS, "correct****", false), "[secret]");
}

#[test]
fn the_ends_of_a_key_are_found_where_nothing_stands_for_the_rest() {
    assert_eq!(
        clean(KEY, "It begins with sk-Pl4 and", false),
        "It begins with [secret] and"
    );
    assert_eq!(
        clean(KEY, "ends with cret+0123456789.", false),
        "ends with [secret]."
    );
    assert_eq!(
        clean(WORDS, "no key like correct-horse-b", false),
        "no key like [secret]"
    );
    assert_eq!(
        clean(WORDS, "the key correct is wrong", true),
        "the key [secret] is wrong"
    );
}

#[test]
fn words_and_numbers_are_left_alone() {
    for text in [
        "A correct reading, staple of the genre, correctly put.",
        "The horse-battery stapler. A risk-Pl4y.",
        "C:\\temp \\u00e9 100% &amp; \\\\",
    ] {
        assert_eq!(clean(WORDS, text, false), text);
        assert_eq!(clean(KEY, text, false), text);
    }
    assert_eq!(
        clean(KEY, "In 456789 cases, 456789.", false),
        "In 456789 cases, 456789."
    );
}

#[test]
fn a_key_behind_backslashes_leaves_json_that_can_be_read() {
    for count in 0..12 {
        let text = format!("{}{KEY}\\", "\\".repeat(count));
        let json = serde_json::to_string(&text).unwrap();
        let said = clean(KEY, &json, false);
        let read: String = serde_json::from_str(&said).unwrap();
        assert!(read.ends_with("[secret]\\"), "{said}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn json_stays_json_and_keeps_no_key(parts in prop::collection::vec(prop_oneof![
        Just(KEY.to_owned()), Just("\\".to_owned()), Just("\"".to_owned()), Just("&#11".to_owned()),
        Just("%".to_owned()), Just("sk-Pl4***".to_owned()), "\\PC{0,4}",
    ], 0..12)) {
        let mut json = serde_json::to_string(&parts.concat()).unwrap();
        for _ in 0..2 {
            let said = clean(KEY, &json, true);
            let read: Result<String, _> = serde_json::from_str(&said);
            prop_assert!(read.is_ok(), "{said}");
            prop_assert!(!read.unwrap().contains(KEY));
            json = serde_json::to_string(&json).unwrap();
        }
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(prop_oneof![
        any::<u8>(), Just(b'\\'), Just(b'&'), Just(b'%'), Just(b's'), Just(b'#'), Just(b'u'),
    ], 0..60)) {
        for range in Scrubber::of([KEY].into_iter()).find(&bytes, true) {
            prop_assert!(range.start < range.end && range.end <= bytes.len());
        }
    }
}
