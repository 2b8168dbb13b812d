//! Texts that are no random ones: hostile shapes, and one whose edits are known.

use super::{ALL, Ask, check_edits, manipulate, manipulated};
use crate::language::manipulate::density::Density;
use crate::language::manipulate::punctuation::Marks;
use crate::language::manipulate::word_order::Shuffle;

#[test]
fn hostile_texts_give_a_result_or_a_reason() {
    let texts = [
        String::new(),
        " \r\n\t\n ".to_owned(),
        "\0\u{feff}\0".to_owned(),
        "a".repeat(30_000),
        "word ".repeat(6_000),
        "\n".repeat(30_000),
        format!("a{}b c d e.", " \n".repeat(15_000)),
        "x\n\n".repeat(5_000),
        "X.\r\n\r\nÉ!\r\n\r\n".repeat(3_000),
        "漢字かな交じり文。".repeat(3_000),
        "👩\u{200d}🚀 ".repeat(4_000),
        "(".repeat(4_000),
        "'-".repeat(3_000),
        "e\u{301}".repeat(5_000),
        "\u{1F}a \u{85}\u{2028}b ".repeat(3_000),
    ];
    let mut applied = 0;
    for text in &texts {
        for number in ALL {
            for (operations, density) in [
                (1, Density::Dense),
                (500, Density::Dense),
                (500, Density::Widespread),
            ] {
                let ask = Ask {
                    operations,
                    density,
                    shuffle: Shuffle::Sentence,
                    marks: Marks::Typographic,
                    seed: 1,
                };
                check_edits(number, text, ask);
                applied += usize::from(manipulate(number, text, ask).is_ok());
            }
            let too_many = Ask {
                operations: usize::MAX,
                density: Density::Dense,
                shuffle: Shuffle::Pair,
                marks: Marks::Ascii,
                seed: 1,
            };
            assert!(manipulate(number, text, too_many).is_err());
        }
    }
    assert!(applied > 90, "only {applied} of them applied");
}

/// Published results depend on these bytes: what changes them needs a new version of the stage.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    let text = "CHAPTER I\n\n\nThe old man walked slowly home, and nobody saw him.\n\n\
                “Who is there?” she asked without much hope.\n\nIt rained all night on the roof.";
    let ask = Ask {
        operations: 1,
        density: Density::Widespread,
        shuffle: Shuffle::Sentence,
        marks: Marks::Ascii,
        seed: 7,
    };
    let results: Vec<String> = ALL
        .into_iter()
        .map(|number| {
            let (_, edits) = manipulated(number, text, ask).unwrap();
            let edits: Vec<String> = edits
                .iter()
                .map(|edit| format!("{} {:?}", edit.before.start, edit.new))
                .collect();
            format!("[{number}] {}", edits.join(", "))
        })
        .collect();
    let expected = [
        r#"[11] 0 "“Who is there?” she asked without much hope.", 65 "CHAPTER I""#,
        r#"[12] 0 """#,
        r#"[13] 63 "\n\nTwo.""#,
        r#"[14] 9 "\n\nCHAPTER I""#,
        r#"[17] 12 "Three.""#,
        r#"[24] 63 " The smart speaker in the kitchen read out the news.""#,
        r#"[41] 21 "w""#,
        r#"[43] 16 "man", 20 "walked", 24 "saw", 31 "and", 38 "nobody", 44 "old", 48 "home", 55 "slowly""#,
        r#"[44] 42 """#,
        r#"[45] 16 """#,
    ];
    assert_eq!(results, expected);
}
