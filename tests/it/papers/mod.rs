//! Experiments that follow a paper whole, on data with known answers.

mod faithfulness;
mod hamlet;
mod monocle;

/// The lines of files as `wc -l` counts them, with blank lines and comments.
fn lines(folder: &str, ending: &str) -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs_err::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|one| one == ending));
    files
        .map(|path| fs_err::read_to_string(path).unwrap().lines().count())
        .sum()
}

#[test]
fn a_paper_whole_is_less_than_600_lines_of_specs_and_templates() {
    for paper in ["monocle", "hamlet"] {
        let specs = lines(&format!("experiments/{paper}"), "toml");
        let templates = lines(&format!("templates/{paper}"), "j2");
        let whole = specs + templates;
        assert!(whole < 600, "{paper}: {specs} and {templates} lines");
    }
}

#[test]
fn the_readmes_of_papers_have_the_same_sections_in_one_order() {
    for paper in ["judgememo", "faithfulness", "needles", "monocle", "hamlet"] {
        let path = format!(
            "{}/experiments/{paper}/README.md",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = fs_err::read_to_string(path).unwrap();
        let heads = text.lines().filter_map(|line| line.strip_prefix("## "));
        let heads: Vec<&str> = heads.take(3).collect();
        assert_eq!(
            heads,
            [
                "What is real, what is made up, what differs from print",
                "A real model",
                "The data"
            ],
            "{paper}"
        );
    }
}
