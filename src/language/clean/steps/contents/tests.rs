//! What goes as a list, and what stays.

use super::*;

fn cleaned(text: &str) -> String {
    clean(text).text.into_owned()
}

#[test]
fn a_list_with_page_numbers_goes() {
    let text = "THE SEA\n\nCONTENTS\n\nCHAPTER                PAGE\n\n  I. The Start          1\n II. A Very Long Title\n     of Two Lines ..... 17\n\n  Preface              vii\n\nPREFACE\n\nIt was late.";
    assert_eq!(cleaned(text), "THE SEA\n\n\n\nPREFACE\n\nIt was late.");
}

#[test]
fn a_list_whose_entries_come_again_goes() {
    let text = "Contents.\n\nTHE SEA\nTHE SHORE\n\n\nTHE SEA\n\nIt was late.\n\nTHE SHORE\n\nIt was early.";
    assert_eq!(
        cleaned(text),
        "\n\n\nTHE SEA\n\nIt was late.\n\nTHE SHORE\n\nIt was early."
    );
    let text =
        "CONTENTS\n\nCHAPTER I\n\nCHAPTER II\n\n\nCHAPTER I\n\nIt was late.\n\nCHAPTER II\n\nIt.";
    assert_eq!(
        cleaned(text),
        "\n\n\nCHAPTER I\n\nIt was late.\n\nCHAPTER II\n\nIt."
    );
}

#[test]
fn prose_under_such_a_word_stays() {
    for text in [
        "CONTENTS\n\nIt was late, and the box was empty.",
        "He listed the\ncontents\n\nof the box.",
        "CONTENTS",
        "PLATES\n\nThe plates were sold in 1912.",
    ] {
        assert_eq!(cleaned(text), text);
    }
}

#[test]
fn two_lists_in_a_row_both_go() {
    let text = "CONTENTS\n\nI. Sea   1\n\nILLUSTRATIONS\n\nA boat   3\n\nThe text.";
    assert_eq!(cleaned(text), "\n\n\n\nThe text.");
}

/// Checks that what stands under the heading goes, before the first chapter.
fn goes(list: &str) {
    let book = "\n\n\n\nCHAPTER I.\n\nThe Harbour.\n\n\nIt was late, and nobody had come.\n\n\n\n\
                CHAPTER II.\n\nThe Old Mint.\n\n\nIt was early.\n";
    let whole = format!("THE SEA\n\n\n{list}{book}");
    let done = clean(&whole);
    assert_eq!(done.text, format!("THE SEA\n\n\n{book}"));
    assert!(done.notes.is_empty());
    assert!(clean(&done.text).changes.is_empty());
}

#[test]
fn an_entry_may_be_wrapped_and_have_another_number_than_its_heading() {
    goes("CONTENTS\n\n\nCHAPTER\n\n  I  THE\n     HARBOUR\n\n II  THE OLD MINT");
}

#[test]
fn numbers_in_a_row_are_a_list_whatever_they_say() {
    goes("Table of Contents\n\nI\nII\nIII");
    goes("CONTENTS:\n\nCHAPTER I. The boat.--Nobody\ncomes.--Tom and Ann.\nCHAPTER II. A lantern.");
    goes("CONTENTS OF VOLUME I.\n\n1. A boat\n\n2. A lantern\n\n3. Home");
}

#[test]
fn parts_have_captions_and_begin_their_numbers_again() {
    goes(
        "CONTENTS.\n\nEPOCH THE FIRST, 1703.\nJONATHAN WILD.\n\nCHAPTER I. The Harbour    1\n       \
         II. The Old    13\n              Mint\n\n\nEPOCH THE SECOND.\n\nCHAPTER I. The Chapel 399\n       \
         II. The Leads\n      III. Home",
    );
}

#[test]
fn a_list_with_titles_that_come_twice_goes_whole_where_it_has_pages() {
    goes("ILLUSTRATIONS\n\nA boat      3\n\nTail-piece      9\n\nTail-piece     27.");
    goes("INHOUD.\n\nOP ZEE.\n\n                Bladz.\nREIZEN         3.\nAFSCHEID      17.");
}

#[test]
fn the_headings_of_the_book_itself_are_no_entries() {
    let text = "CONTENTS\n\nI. The Sea\nII. The Shore\n\n\nPART ONE\n\nCHAPTER I\n\nIt was late.\n\n\
                CHAPTER II\n\nIt was early.\n\nPART TWO\n\nCHAPTER I\n\nIt was noon.";
    let done = clean(text);
    assert!(
        done.text.contains("PART ONE\n\nCHAPTER I\n\nIt was late."),
        "{}",
        done.text
    );
    assert!(!done.text.contains("The Sea"));
}

#[test]
fn captions_alone_are_a_list_of_illustrations() {
    goes(
        "ILLUSTRATIONS.\n\nThe Boat\n\"He Shook His Head.\"\nGoing Home with a Lantern\n    in the Rain",
    );
    for text in [
        "ILLUSTRATIONS\n\nThe Boat was late.\nNobody came.\n\n\nIt was late.",
        "ILLUSTRATIONS\n\nThe boats of that year were\nmany, and so were the men\n\n\nIt was late.",
        "ILLUSTRATIONS\n\nThe Boat\nGoing Home",
    ] {
        assert_eq!(cleaned(text), text);
    }
}

#[test]
fn a_heading_whose_list_cannot_be_told_is_noted() {
    let done = clean("CONTENTS.\n\nThe Boat\nGoing Home\n\n\nIt was late.");
    assert!(done.changes.is_empty());
    assert_eq!(
        done.notes,
        ["1 heading of a list stays: what stands under it cannot be told from text"]
    );
    assert!(
        clean("He listed the\ncontents\n\nof the box.")
            .notes
            .is_empty()
    );
}
