mod judges;

use serde_json::{Value, json};

use super::*;

/// A store in memory.
type Built = (Store, Vec<u8>);

fn packed((store, kept): &Built, name: &str) -> Option<Vec<u8>> {
    let chunk = store.chunks.iter().find(|chunk| chunk.name == name)?;
    Some(kept[chunk.at as usize..][..chunk.length].to_vec())
}

fn opened(built: &Built, name: &str) -> Value {
    if name == "index" {
        return opened::index(&mut |name| packed(built, name)).unwrap();
    }
    serde_json::from_slice(&opened::unpacked(&packed(built, name).unwrap())).unwrap()
}

fn begun(columns: Vec<Column>) -> Builder {
    Builder::new(columns, Vec::new(), None)
}

fn columns() -> Vec<Column> {
    let column = |name: &str, numbers, optional| Column {
        name: name.to_owned(),
        holds: if numbers {
            Holds::Numbers
        } else {
            Holds::Choices
        },
        optional,
    };
    vec![
        column("judge", false, false),
        column("repeat", true, true),
        column("score", true, false),
        column("unscored", false, false),
    ]
}

fn document(id: &str) -> Document<'_> {
    Document {
        id,
        label: id.to_owned(),
        text: Some(Text::new("It rained.")),
        ..Document::default()
    }
}

fn reply(text: &str) -> Packed {
    let reply = Reply {
        reply: Some(text),
        ..Reply::default()
    };
    reply.pack()
}

#[test]
fn equal_documents_and_replies_are_there_once() {
    let mut builder = begun(columns());
    let places = ["a", "b", "a"].map(|id| builder.document(&document(id)));
    assert_eq!(places, [0, 1, 0]);
    let places = ["4", "4", "5"].map(|text| builder.reply(Some(&reply(text))));
    assert_eq!(places, [0, 0, 1].map(Some));
}

#[test]
fn cells_of_several_lines_are_lists_and_columns_of_documents_tell_them_apart() {
    let labels = Column {
        name: "labels".to_owned(),
        holds: Holds::Lists,
        optional: true,
    };
    let mut builder = begun(vec![labels]);
    for (at, cell) in ["a\nb", "b", "", "a\nb"].into_iter().enumerate() {
        let id = format!("d{at}");
        let position = builder.document(&document(&id));
        builder.tell(position, "genre", if at < 2 { "tale" } else { "essay" });
        builder.tell(position, "year", &format!("{}", 1900 + at));
        builder.tell(position, "same", "one");
        builder.tell(position, "labels", "not twice");
        let cell = Some(cell).filter(|cell| !cell.is_empty());
        builder.row(Row {
            rank: 0,
            cells: &[cell.into()],
            document: Some(position),
            reply: None,
        });
    }
    let index = opened(&builder.build().unwrap(), "index");
    assert_eq!(
        index["columns"],
        json!([{ "name": "labels", "kind": "list", "values": ["a", "b"], "lists": [[0, 1], [1]], "codes": [0, 1, -1, 0] }])
    );
    assert_eq!(
        index["of_documents"],
        json!([
            { "name": "genre", "kind": "choice", "values": ["tale", "essay"], "codes": [0, 0, 1, 1] },
            { "name": "year", "kind": "choice", "values": ["1900", "1901", "1902", "1903"], "codes": [0, 1, 2, 3] },
        ])
    );
}

#[test]
fn texts_that_are_all_different_are_not_chosen_from_and_many_numbers_are_a_range() {
    let mut builder = begun(columns());
    for at in 0..100 {
        let id = format!("d{at}");
        let position = builder.document(&document(&id));
        builder.tell(position, "question", &format!("why {at}?"));
        builder.tell(position, "words", &format!("{at}.5"));
        builder.row(Row {
            rank: 0,
            cells: &[],
            document: Some(position),
            reply: None,
        });
    }
    let index = opened(&builder.build().unwrap(), "index");
    let told = index["of_documents"].as_array().unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["kind"], "number");
    assert_eq!(told[0]["numbers"][99], 99.5);
}

#[test]
fn rows_stand_in_the_order_of_their_ranks_and_values_are_numbered_as_they_come() {
    let mut builder = begun(columns());
    for (rank, judge, score) in [(7, "late", 2.0), (1, "first", 4.5), (7, "late", 3.0)] {
        builder.row(Row {
            rank,
            cells: &[Cell::Text(judge), Cell::None, Cell::Number(score)],
            document: Some(rank),
            reply: None,
        });
    }
    let store = builder.build().unwrap();
    assert_eq!(store.0.judgements, 3);
    let index = opened(&store, "index");
    assert_eq!(
        index["columns"],
        json!([
            { "name": "judge", "kind": "choice", "values": ["first", "late"], "codes": [0, 1, 1] },
            { "name": "score", "kind": "number", "numbers": [4.5, 2, 3] },
            { "name": "unscored", "kind": "choice", "values": [], "codes": [-1, -1, -1] },
        ]),
        "`repeat` says nothing and is left out; `unscored` is always there"
    );
    assert_eq!(index["documents"], json!([1, 7, 7]));
    assert_eq!(index["replies"], json!([-1, -1, -1]));
}

#[test]
fn every_document_is_in_the_chunk_that_its_position_says() {
    let mut builder = begun(columns());
    let ids: Vec<String> = (0..200).map(|n| format!("d{n}")).collect();
    for id in &ids {
        builder.document(&document(id));
        builder.reply(Some(&reply(id)));
    }
    builder.row(Row {
        rank: 0,
        cells: &[],
        document: None,
        reply: None,
    });
    let store = builder.build().unwrap();
    let index = opened(&store, "index");
    for (what, field, key) in [
        ("documents", "documents_per_chunk", "id"),
        ("replies", "replies_per_chunk", "reply"),
    ] {
        let per_chunk = index[field].as_u64().unwrap() as usize;
        for (position, id) in ids.iter().enumerate() {
            let chunk = opened(&store, &format!("{what}-{}", position / per_chunk));
            assert_eq!(chunk[position % per_chunk][key], json!(id));
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let built = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut builder = begun(columns());
            for n in 0..200 {
                let text = format!("{n} ").repeat(50);
                let document = Document {
                    text: Some(Text::new(&text)),
                    ..document("a")
                };
                let at = builder.document(&document);
                let reply = builder.reply(Some(&reply(&text)));
                builder.row(Row {
                    rank: n % 3,
                    cells: &[Cell::Text("j")],
                    document: Some(at),
                    reply,
                });
            }
            builder.build().unwrap()
        })
    };
    let (one, four) = (built(1), built(4));
    assert_eq!(one.0.chunks, four.0.chunks);
    assert!(one.1 == four.1, "other bytes");
}

#[test]
fn rows_of_several_chunks_stand_where_they_belong() {
    let mut builder = begun(columns());
    for n in 0..40_000 {
        builder.row(Row {
            rank: usize::from(n < 100 || n % 30_000 == 0),
            cells: &[
                Cell::Text(if n < 50 { "b" } else { "a" }),
                Cell::Number(f64::from(n)),
            ],
            document: None,
            reply: (n % 7 > 0).then_some(n as usize),
        });
    }
    let built = builder.build().unwrap();
    let names: Vec<&str> = built.0.chunks.iter().map(|chunk| &*chunk.name).collect();
    assert_eq!(names, ["index", "rows-0", "rows-1", "rows-2"]);
    let index = opened(&built, "index");
    let order = (100..40_000).filter(|n| n % 30_000 > 0);
    let order: Vec<i64> = order.chain(0..100).chain([30_000]).collect();
    let replies = order.iter().map(|&n| if n % 7 > 0 { n } else { -1 });
    assert_eq!(index["replies"], json!(replies.collect::<Vec<_>>()));
    assert_eq!(index["columns"][1]["numbers"], json!(order));
    let judge = &index["columns"][0];
    assert_eq!(judge["values"], json!(["a", "b"]));
    let codes = order.iter().map(|&n| i64::from(n < 50));
    assert_eq!(judge["codes"], json!(codes.collect::<Vec<_>>()));
}

#[test]
fn what_cannot_be_kept_is_said_at_the_end() {
    struct Full;
    impl Keep for Full {
        fn add(&mut self, _: &[u8]) -> std::io::Result<()> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn read(&mut self, _: u64, _: usize) -> std::io::Result<Vec<u8>> {
            Err(std::io::ErrorKind::UnexpectedEof.into())
        }
    }
    let mut builder = Builder::new(columns(), Full, None);
    builder.row(Row {
        rank: 0,
        cells: &[],
        document: None,
        reply: None,
    });
    let error = builder.build().err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn nothing_judged_is_a_store_without_chunks_that_still_says_why() {
    let mut builder = begun(columns());
    builder.document(&document("a"));
    builder.note("it failed".to_owned());
    builder.note("it failed".to_owned());
    let (store, kept) = builder.build().unwrap();
    assert_eq!((store.chunks.len(), store.judgements), (0, 0));
    assert_eq!(store.notes, ["it failed"]);
    assert!(kept.is_empty());
}

/// The text of a document, as the script of the page finds it.
fn text_of(documents: &[Value], position: usize) -> Option<String> {
    let document = &documents[position];
    if let Some(text) = document["text"].as_str() {
        return Some(text.to_owned());
    }
    let like = document["like"].as_u64()? as usize;
    let before: Vec<u16> = text_of(documents, like)?.encode_utf16().collect();
    let (mut text, mut at) = (Vec::new(), 0);
    for edit in document["edits"].as_array().unwrap() {
        let until = at + edit["start"].as_u64().unwrap() as usize - text.len();
        text.extend_from_slice(&before[at..until]);
        text.extend(edit["text"].as_str().unwrap().encode_utf16());
        at = until + edit["original"].as_str().unwrap().encode_utf16().count();
    }
    text.extend_from_slice(&before[at..]);
    Some(String::from_utf16(&text).unwrap())
}

#[test]
fn a_text_is_there_once_and_those_of_damaged_documents_follow_from_their_edits() {
    let mut builder = begun(columns());
    let (plain, damaged) = ("😀 It rained, “hard”.", "😀 It raind, harder!");
    let edit = |start, end, original, text| Edit {
        kind: "typos",
        start,
        end,
        original,
        text,
    };
    let with = |label: &str, text, edits: &[Edit<'static>], before| Document {
        id: "a",
        label: label.to_owned(),
        text: Some(Text::new(text)),
        edits: edits.to_vec(),
        before,
        ..Document::default()
    };
    let first = builder.document(&with("2000", plain, &[], None));
    let again = builder.document(&with("full", plain, &[], None));
    let edits = [
        edit(6, 11, "rained", "raind"),
        edit(13, 19, "“hard”", "harder"),
        edit(19, 20, ".", "!"),
    ];
    let changed = builder.document(&with("typos", damaged, &edits, Some(again)));
    builder.row(Row {
        rank: 0,
        cells: &[],
        document: Some(changed),
        reply: None,
    });
    let documents = opened(&builder.build().unwrap(), "documents-0");
    let documents = documents.as_array().unwrap();
    assert_eq!(documents[first]["text"], json!(plain));
    assert_eq!(
        (&documents[again]["text"], &documents[again]["like"]),
        (&Value::Null, &json!(first))
    );
    assert_eq!(documents[changed]["text"], Value::Null);
    assert_eq!(text_of(documents, again).as_deref(), Some(plain));
    assert_eq!(text_of(documents, changed).as_deref(), Some(damaged));
}
