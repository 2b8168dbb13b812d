//! The names of the cleaning steps and their usual order.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::Cleaned;
use super::steps::{
    asterisk_lines, blank_lines, boilerplate, brackets, chapter_headings, contents, false_splits,
    line_ends, paragraph_breaks, title_page, underscores, unwrap, wikipedia_sections,
};

/// One step of cleaning.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Every line ends with one LF and without trailing blanks.
    LineEnds,
    /// Removes Project Gutenberg's header, credits and licence.
    Boilerplate,
    /// Removes text in square brackets.
    Brackets,
    /// Removes lines with an asterisk.
    AsteriskLines,
    /// Removes underscores.
    Underscores,
    /// Removes lists of contents and of illustrations.
    Contents,
    /// Ends a paragraph where a line ends a sentence.
    ParagraphBreaks,
    /// Joins the parts of a paragraph that was broken in the middle of a sentence.
    FalseSplits,
    /// Every heading stands alone, as `CHAPTER: …`.
    ChapterHeadings,
    /// Removes what is between the title and the first heading, unless it is prose.
    TitlePage,
    /// One blank line between paragraphs, two around headings.
    BlankLines,
    /// Not a default step: makes each paragraph of wrapped prose one line.
    Unwrap,
    /// For articles of Wikipedia instead of books: removes section headers, tables and references.
    WikipediaSections,
}

impl Step {
    /// Every step for books, in the order in which they belong: each finds the text as those before leave it.
    pub const ALL: [Self; 11] = [
        Self::LineEnds,
        Self::Boilerplate,
        Self::Brackets,
        Self::AsteriskLines,
        Self::Underscores,
        Self::Contents,
        Self::ParagraphBreaks,
        Self::FalseSplits,
        Self::ChapterHeadings,
        Self::TitlePage,
        Self::BlankLines,
    ];

    /// Its name in a spec, such as `asterisk-lines`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LineEnds => "line-ends",
            Self::Boilerplate => "boilerplate",
            Self::Brackets => "brackets",
            Self::AsteriskLines => "asterisk-lines",
            Self::Underscores => "underscores",
            Self::Contents => "contents",
            Self::ParagraphBreaks => "paragraph-breaks",
            Self::FalseSplits => "false-splits",
            Self::ChapterHeadings => "chapter-headings",
            Self::TitlePage => "title-page",
            Self::BlankLines => "blank-lines",
            Self::Unwrap => "unwrap",
            Self::WikipediaSections => "wikipedia-sections",
        }
    }

    /// Takes the step.
    pub fn clean(self, text: &str) -> Cleaned<'_> {
        match self {
            Self::LineEnds => line_ends::clean(text),
            Self::Boilerplate => boilerplate::clean(text),
            Self::Brackets => brackets::clean(text),
            Self::AsteriskLines => asterisk_lines::clean(text),
            Self::Underscores => underscores::clean(text),
            Self::Contents => contents::clean(text),
            Self::ParagraphBreaks => paragraph_breaks::clean(text),
            Self::FalseSplits => false_splits::clean(text),
            Self::ChapterHeadings => chapter_headings::clean(text),
            Self::TitlePage => title_page::clean(text),
            Self::BlankLines => blank_lines::clean(text),
            Self::Unwrap => unwrap::clean(text),
            Self::WikipediaSections => wikipedia_sections::clean(text),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_spec() {
        for step in Step::ALL
            .into_iter()
            .chain([Step::Unwrap, Step::WikipediaSections])
        {
            let json = serde_json::to_string(&step).unwrap();
            assert_eq!(json, format!("\"{step}\""));
            assert_eq!(serde_json::from_str::<Step>(&json).unwrap(), step);
        }
    }

    #[test]
    fn the_usual_order_has_every_step_once() {
        assert!(Step::ALL.is_sorted());
        assert!(Step::ALL.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
