//! Choosing documents by words, years and lengths, and their columns.

use super::{column, result};
use crate::lab::Lab;

/// Books with what is known about them.
const BOOKS: &str = "\
doc_id,genre,year,text
tales,Short stories,1895,Anna sat down. She wrote. Nobody came.
verse,Poetry; love,1905,\"O rose, thou art sick!\"
play,Fiction,1920,\"DRAMA in three acts. Anna: where is he? Thomas: gone, all gone, and nobody knows where he went.\"
novel,Fiction,1950,\"The ferry left at noon, and it came back in the evening with everybody aboard. It rained.\"
undated,Fiction,,One sentence only
";

/// The ids that `[select.some]` with these lines keeps.
fn kept(lines: &str) -> Vec<String> {
    let lab = lab(lines);
    let ran = lab.run(&["--json"]).ok();
    column(&result(&lab, &ran, "select.some"), "doc_id")
}

fn lab(lines: &str) -> Lab {
    Lab::new()
        .spec(&format!(
            "[source.docs]\nfiles = \"books.csv\"\n\n[select.some]\nfrom = \"docs\"\n{lines}\n"
        ))
        .file("books.csv", BOOKS)
}

#[test]
fn documents_are_left_out_by_the_words_of_their_genre() {
    assert_eq!(
        kept("keywords = { columns = [\"genre\"], none = [\"poetry\", \"drama\"] }"),
        ["tales", "play", "novel", "undated"]
    );
    assert_eq!(
        kept("keywords = { columns = \"genre\", any = [\"short stories\", \"poetry\"] }"),
        ["tales", "verse"]
    );
    assert_eq!(
        kept(
            "keywords = { columns = [\"genre\", \"text\"], first = 20, none = [\"poetry\", \"drama\"] }"
        ),
        ["tales", "novel", "undated"]
    );
    // The text is searched where no column is named.
    assert_eq!(kept("keywords = { any = \"anna\" }"), ["tales", "play"]);
}

#[test]
fn documents_are_chosen_by_year_and_those_without_one_are_left_out() {
    assert_eq!(
        kept("where = \"year >= 1900 and year < 1950\""),
        ["verse", "play"]
    );
    assert_eq!(
        kept("where = \"year > 1900\"\nkeywords = { columns = \"genre\", none = \"poetry\" }"),
        ["play", "novel"]
    );
}

#[test]
fn documents_are_chosen_by_ranges_with_both_ends() {
    assert_eq!(kept("sentences = [3, 3]"), ["tales", "play"]);
    assert_eq!(kept("sentences = { max = 1 }"), ["verse", "undated"]);
    assert_eq!(kept("tokens = [3, 5]"), ["verse", "undated"]);
    assert_eq!(kept("tokens = { min = 18 }"), ["play"]);
    // 38 characters in 3 sentences: 12.7 each.
    assert_eq!(kept("sentence-characters = [12, 13]"), ["tales"]);
    assert_eq!(kept("sentence-characters = { min = 40 }"), ["novel"]);
}

#[test]
fn only_the_columns_asked_for_are_kept_in_their_order() {
    let lab = lab("columns = [\"text\", \"doc_id\"]\nwhere = \"year == 1950\"");
    let ran = lab.run(&["--json"]).ok();
    let some = result(&lab, &ran, "select.some");
    assert_eq!(some.names(), ["text", "doc_id"]);
    assert_eq!(some.rows(), 1);
    lab.change(
        "[\"text\", \"doc_id\"]",
        "[\"text\", \"doc_id\", \"gerne\"]",
    );
    let ran = lab.run(&[]).exit(3);
    assert!(ran.err.contains("did you mean `genre`?"), "{}", ran.err);
}

#[test]
fn the_first_of_every_genre_are_kept_and_those_that_lack_are_told() {
    let lines = "top = { by = \"year\", n = 1, within = [\"genre\"] }";
    assert_eq!(kept(lines), ["tales", "verse", "novel"]);
    let ran = lab(lines).run(&["--json"]).ok();
    assert_eq!(
        ran.warnings(),
        ["1 of 5 rows have no value in `year` and cannot be among the first"]
    );
    let two = lab("top = { by = \"year\", n = 2, within = \"genre\" }");
    let ran = two.run(&["--json"]).ok();
    assert_eq!(
        ran.warnings()[1],
        "2 of 3 groups have fewer rows with a value than the 2 asked for: `genre=Short stories` and `genre=Poetry; love`"
    );
}
