//! Judgements read back from a page: as they were written, or not at all.

use std::io::Cursor;

use super::{fixture, text};
use crate::base::key::Digest;
use crate::output::page::{Mode, Store, embedded};

fn page() -> (Store, Vec<u8>, String) {
    let (mut store, kept) = fixture::store(400, 100);
    store.made_from = Some(Digest::of("this"));
    store.notes = vec!["a note with </script> and <!-- -->".to_owned()];
    let html = text(
        &fixture::page(1),
        &(store.clone(), kept.clone()),
        Mode::File,
    );
    (store, kept, html)
}

fn read(html: &[u8]) -> Option<(Store, Vec<u8>)> {
    let mut chunks = Vec::new();
    let read = embedded(&mut Cursor::new(html), html.len() as u64, &mut chunks);
    read.unwrap().map(|store| (store, chunks))
}

#[test]
fn what_was_put_into_a_page_is_read_from_it() {
    let (store, kept, html) = page();
    let (again, chunks) = read(html.as_bytes()).unwrap();
    let bytes = |store: &Store, kept: &[u8]| -> Vec<(String, Vec<u8>)> {
        let chunks = store.chunks.iter();
        let bytes = chunks.map(|chunk| {
            let bytes = &kept[chunk.at as usize..][..chunk.length];
            (chunk.name.clone(), bytes.to_vec())
        });
        bytes.collect()
    };
    assert!(bytes(&again, &chunks) == bytes(&store, &kept));
    assert_eq!(again.judgements, store.judgements);
    assert_eq!(again.notes, store.notes);
    assert_eq!(again.made_from, store.made_from);
    // And comes to the same page.
    assert!(text(&fixture::page(1), &(again, chunks), Mode::File) == html);
}

#[test]
fn a_page_without_judgements_holds_none_to_be_read() {
    let (store, kept, _) = page();
    let bare = text(&fixture::page(1), &(store, kept), Mode::Bare);
    assert!(read(bare.as_bytes()).is_none());
    assert!(read(b"").is_none());
}

#[test]
fn no_changed_or_missing_byte_of_a_chunk_or_of_what_is_said_of_it_is_taken() {
    let (_, _, html) = page();
    let bytes = html.as_bytes();
    let first = html.find("<script type=\"text/plain\"").unwrap();
    let foot = html.rfind("<script type=\"application/json\"").unwrap();
    let end = html[foot + 1..].find('<').unwrap() + foot + 1;
    let places = (first..foot).step_by(97).chain(foot - 40..end);
    for at in places {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x01;
        let mut cut = bytes.to_vec();
        cut.remove(at);
        assert!(read(&changed).is_none(), "byte {at} changed");
        assert!(read(&cut).is_none(), "byte {at} cut");
    }
}
