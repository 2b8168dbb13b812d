//! Any sequence of puts, kills and reopenings behaves like one sorted map.

use std::collections::BTreeMap;
use std::io::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use tribunal::base::key::Digest;
use tribunal::cache::CallStore;

use super::noise;

#[derive(Debug, Clone)]
enum Step {
    Put(u8, u16),
    PutElsewhere(u8, u16),
    Get(u8),
    Refresh,
    Reopen,
    /// Close, and leave this many bytes of an unfinished record behind.
    Tear(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..12u8, 0..600u16).prop_map(|(key, length)| Step::Put(key, length)),
        2 => (0..12u8, 0..600u16).prop_map(|(key, length)| Step::PutElsewhere(key, length)),
        4 => (0..12u8).prop_map(Step::Get),
        1 => Just(Step::Refresh),
        1 => Just(Step::Reopen),
        1 => (1..170u8).prop_map(Step::Tear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_is_a_map_in_which_the_first_value_stays(steps in vec(step(), 1..40)) {
        let root = tempfile::tempdir().unwrap();
        // Part of an unfinished record, to be left behind.
        let other = tempfile::tempdir().unwrap();
        let torn = Digest::of("torn");
        CallStore::open(other.path()).unwrap().put(&torn, &noise(&torn, 120), 0).unwrap();
        let torn = fs_err::read(other.path().join("v1/calls/00.seg")).unwrap();

        let mut model = BTreeMap::new();
        let mut tears = 0_u32;
        let mut store = Some(CallStore::open(root.path()).unwrap());
        let key = |number: u8| Digest::of([number]);
        for step in steps {
            let open = store.take().unwrap();
            match step {
                Step::Put(number, length) => {
                    let value = noise(&key(number), usize::from(length));
                    open.put(&key(number), &value, 1).unwrap();
                    model.entry(number).or_insert(value);
                }
                Step::PutElsewhere(number, length) => {
                    let value = noise(&key(number), usize::from(length));
                    let second = CallStore::open(root.path()).unwrap();
                    second.put(&key(number), &value, 1).unwrap();
                    open.refresh().unwrap();
                    model.entry(number).or_insert(value);
                }
                Step::Get(number) => {
                    prop_assert_eq!(open.get(&key(number)).unwrap(), model.get(&number).cloned());
                }
                Step::Refresh => open.refresh().unwrap(),
                Step::Reopen => {
                    drop(open);
                    store = Some(CallStore::open(root.path()).unwrap());
                    continue;
                }
                Step::Tear(length) => {
                    drop(open);
                    // A killed process tears what it appends itself, so it was the writer just before.
                    let number = u8::try_from(200 + tears % 50).unwrap();
                    tears += 1;
                    let value = vec![number; 9];
                    let killed = CallStore::open(root.path()).unwrap();
                    killed.put(&key(number), &value, 1).unwrap();
                    model.entry(number).or_insert(value);
                    drop(killed);
                    let path = root.path().join("v1/calls/00.seg");
                    let mut file = fs_err::OpenOptions::new().append(true).open(&path).unwrap();
                    file.write_all(&torn[..usize::from(length)]).unwrap();
                    store = Some(CallStore::open(root.path()).unwrap());
                    continue;
                }
            }
            store = Some(open);
        }
        let open = store.take().unwrap();
        prop_assert_eq!(open.count().unwrap(), model.len());
        for (number, value) in &model {
            prop_assert_eq!(open.get(&key(*number)).unwrap(), Some(value.clone()));
        }
        prop_assert_eq!(open.take_damages(), []);
    }
}
