//! Joins of random tables against the plainest way to put rows together: every row held against every other.

use proptest::prelude::*;
use tribunal::frame::{ColumnData, Frame, Pairs, Unpaired};

/// A key of a row: a text with absences, blanks and letters of several scripts, and a number.
type Key = (Option<String>, Option<i64>);

fn key() -> impl Strategy<Value = Key> {
    let text = prop::option::weighted(0.8, "[aäß雨 ]{0,1}");
    let number = prop::option::weighted(0.8, -1_i64..3);
    (text, number)
}

fn rows(most: usize) -> impl Strategy<Value = Vec<Key>> {
    prop::collection::vec(key(), 0..most)
}

/// A table with the two columns of the key; the numbers whole, or floats that are.
fn table(keys: &[Key], floats: bool) -> Frame {
    let texts = keys.iter().map(|(text, _)| text.clone()).collect();
    let numbers = keys.iter().map(|(_, number)| *number);
    let numbers = if floats {
        ColumnData::Float(numbers.map(|n| n.map(|n| n as f64)).collect())
    } else {
        ColumnData::Int(numbers.collect())
    };
    let columns = vec![
        ("text".to_owned(), ColumnData::Text(texts)),
        ("number".to_owned(), numbers),
    ];
    Frame::new(columns).unwrap()
}

fn same(one: &Key, two: &Key, both: bool) -> bool {
    let text = one.0.is_some() && one.0 == two.0;
    text && (!both || one.1.is_some() && one.1 == two.1)
}

/// The pairs that there have to be, or two rows of the right side with one key.
fn plainly(left: &[Key], right: &[Key], both: bool, unique: bool) -> Result<Pairs, ()> {
    let twice = |(at, one): (usize, &Key)| right[..at].iter().any(|two| same(one, two, both));
    if unique && right.iter().enumerate().any(twice) {
        return Err(());
    }
    let mut pairs = Pairs::default();
    for (row, one) in left.iter().enumerate() {
        let partners = right
            .iter()
            .enumerate()
            .filter(|(_, two)| same(one, two, both));
        let mut partners: Vec<Option<usize>> = partners.map(|(at, _)| Some(at)).collect();
        if partners.is_empty() {
            partners.push(None);
        }
        pairs.left.extend(std::iter::repeat_n(row, partners.len()));
        pairs.right.extend(partners);
    }
    Ok(pairs)
}

fn on(both: bool) -> Vec<(String, String)> {
    let names = if both {
        &["text", "number"][..]
    } else {
        &["text"]
    };
    let names = names.iter().map(|name| (*name).to_owned());
    names.map(|name| (name.clone(), name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_are_put_together_as_if_each_were_held_against_each(
        left in rows(12),
        right in rows(12),
        both: bool,
        unique: bool,
        floats: bool,
    ) {
        let (one, two) = (table(&left, false), table(&right, floats));
        let found = one.pairs(&two, &on(both), unique);
        match (plainly(&left, &right, both, unique), found) {
            (Ok(wanted), Ok(found)) => prop_assert_eq!(found, wanted),
            (Err(()), Err(Unpaired::Twice(first, second))) => {
                prop_assert!(first < second);
                prop_assert!(same(&right[first], &right[second], both));
            }
            (wanted, found) => prop_assert!(false, "{wanted:?} {found:?}"),
        }
    }
}

#[test]
fn many_rows_are_put_together_in_order() {
    let keys = |rows: usize, step: usize| -> Vec<Key> {
        let row = |at: usize| {
            let at = at * step % 997;
            (Some(format!("d{}", at % 101)), i64::try_from(at % 13).ok())
        };
        (0..rows).map(row).collect()
    };
    let (left, right) = (keys(20_000, 7), keys(300, 3));
    let wanted = plainly(&left, &right, true, false).unwrap();
    let found = table(&left, false).pairs(&table(&right, false), &on(true), false);
    assert!(found.unwrap() == wanted);
}
