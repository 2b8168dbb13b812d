//! The rows of a store as tests look at them: all of them, each column as a list of codes or numbers.

use std::io::Read as _;

use serde_json::{Value, json};

/// What is packed in a chunk.
pub(crate) fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut packed = flate2::read::GzDecoder::new(gzip);
    packed.read_to_end(&mut bytes).unwrap();
    bytes
}

/// The index with `codes` or `numbers` in every column, and the `documents` and `replies` of all rows; `chunk` hands out
/// packed chunks by their names.
pub(crate) fn index(chunk: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Option<Value> {
    let mut index: Value = serde_json::from_slice(&unpacked(&chunk("index")?)).unwrap();
    let count = |value: &Value| value.as_u64().unwrap() as usize;
    let rows = count(&index["rows"]);
    let mut all: Vec<Vec<Value>> = Vec::new();
    for (k, runs) in index["blocks"].as_array().unwrap().iter().enumerate() {
        let bytes = unpacked(&chunk(&format!("rows-{k}")).unwrap());
        let runs = runs.as_array().unwrap().iter();
        let places = runs.flat_map(|run| count(&run[0])..count(&run[0]) + count(&run[1]));
        let places: Vec<usize> = places.collect();
        let (mut left, mut at) = (&*bytes, 0);
        while !left.is_empty() {
            if all.len() == at {
                all.push(vec![Value::Null; rows]);
            }
            let cells = cells(&mut left, places.len());
            for (place, cell) in places.iter().zip(cells) {
                all[at][*place] = cell;
            }
            at += 1;
        }
    }
    index.as_object_mut().unwrap().remove("blocks");
    index["replies"] = all.pop().unwrap().into();
    index["documents"] = all.pop().unwrap().into();
    for column in index["columns"].as_array_mut().unwrap() {
        let column = column.as_object_mut().unwrap();
        let cells = all[count(&column.remove("at").unwrap())].clone();
        if column["kind"] == "number" {
            column.insert("numbers".to_owned(), json!(cells));
            continue;
        }
        let numbered = column.remove("numbered");
        let code = |code: Value| match (&numbered, code.as_u64()) {
            (Some(numbered), Some(code)) => numbered[code as usize].clone(),
            _ => code,
        };
        let cells = cells.into_iter().map(code).collect();
        column.insert("codes".to_owned(), cells);
    }
    Some(index)
}

/// The next cells: numbers as they are, codes and positions from 0, -1 for none.
fn cells(left: &mut &[u8], rows: usize) -> Vec<Value> {
    fn take<const N: usize>(left: &mut &[u8]) -> [u8; N] {
        let (taken, rest) = left.split_first_chunk::<N>().unwrap();
        *left = rest;
        *taken
    }
    let code = |code: u32| json!(i64::from(code) - 1);
    let number = |number: f64| {
        if number.fract() == 0.0 {
            json!(number as i64)
        } else {
            json!(number)
        }
    };
    let [kind] = take(left);
    let mut before = 0_u32;
    let mut each = |_| match kind {
        1 => code(u32::from(take::<1>(left)[0])),
        2 => code(u32::from(u16::from_le_bytes(take(left)))),
        4 => code(u32::from_le_bytes(take(left))),
        12 => match i16::from_le_bytes(take(left)) {
            i16::MIN => Value::Null,
            short => json!(short),
        },
        18 => number(f64::from_le_bytes(take(left))),
        24 => {
            before = before.wrapping_add(u32::from_le_bytes(take(left)));
            code(before)
        }
        other => panic!("cells of kind {other}"),
    };
    match kind {
        0 => vec![code(u32::from_le_bytes(take(left))); rows],
        10 => vec![number(f64::from_le_bytes(take(left))); rows],
        _ => (0..rows).map(&mut each).collect(),
    }
}
