//! Whatever stands in a file, reading it ends in a value or in a message.

use proptest::prelude::*;
use tribunal::frame::Frame;

use super::specs::{checked, spec};

/// Bytes that are nearly csv, JSON lines or TOML, and some that are nothing.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 44] = [
        ",",
        "\"",
        "\n",
        "\r\n",
        "\r",
        "a",
        "b",
        "1",
        "-0",
        "1e999",
        "0.5",
        "007",
        "true",
        "nan",
        "\u{feff}",
        "é",
        "{",
        "}",
        "[",
        "]",
        "[[",
        ":",
        " ",
        "\t",
        "{\"a\":1}\n",
        "{\"a\":[]}",
        "null",
        "\\u0000",
        "\"a\"",
        "=",
        "'",
        "\"\"\"",
        "#",
        ".",
        "[judge.j]\n",
        "[axes]\n",
        "from = \"docs\"\n",
        "[source.docs]\n",
        "files = \"x\"\n",
        "[table.t]\n",
        "a = { set = \"judge.j.model\", values = [1] }\n",
        "extends = \"x.toml\"\n",
        "[[ablation]]\n",
        "rows = []\n",
    ];
    let pieces = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        pieces
            .clone()
            .prop_map(|pieces| pieces.concat().into_bytes()),
        (pieces, any::<u8>(), any::<prop::sample::Index>()).prop_map(|(pieces, byte, at)| {
            let mut bytes = pieces.concat().into_bytes();
            bytes.push(byte);
            let place = at.index(bytes.len());
            bytes[place] = byte;
            bytes
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_as_csv_or_refused(bytes in bytes()) {
        if let Ok(frame) = Frame::from_csv(&bytes) {
            prop_assert!(frame.names().iter().all(|name| frame.column(name).is_ok()));
        }
    }

    #[test]
    fn any_bytes_are_read_as_json_lines_or_refused(bytes in bytes()) {
        if let Ok(frame) = Frame::from_jsonl(&bytes) {
            prop_assert!(frame.names().iter().all(|name| frame.column(name).is_ok()));
        }
    }

    #[test]
    fn any_bytes_are_read_as_a_spec_or_refused_with_a_reason(bytes in bytes()) {
        if let Err(why) = checked(&bytes, &[]) {
            prop_assert!(!why.is_empty());
        }
    }

    #[test]
    fn any_argument_is_taken_or_refused_with_a_reason(argument in any::<String>()) {
        if let Err(why) = checked(b"", &[argument]) {
            prop_assert!(!why.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_spec_with_one_byte_changed_is_read_or_refused_with_a_reason(
        text in spec(),
        byte in any::<u8>(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut bytes = text.plain().into_bytes();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        if let Err(why) = checked(&bytes, &[]) {
            prop_assert!(!why.is_empty());
        }
    }
}
