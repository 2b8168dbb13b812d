//! The list of all kinds of stage, in the order of a pipeline: whoever adds one adds a line here.

/// Hands the list to a macro, which makes of it an enum, a table of the spec or a choice between all kinds.
///
/// A line says how the kind is called in a spec and in Rust, and whether its stages compute their result or ask a model
/// for it. The sentence is what editors show of its table.
macro_rules! kinds {
    ($make:ident) => {
        $make! {
            /// Stages that read documents.
            source: Source computes,
            /// Stages that make raw books into clean text.
            clean: Clean computes,
            /// Stages that keep some rows.
            select: Select computes,
            /// Stages that compute, rename and number columns.
            derive: Derive computes,
            /// Stages that cut every text into parts.
            split: Split computes,
            /// Stages that make a row of every element of a list.
            explode: Explode computes,
            /// Stages that keep the beginning of every text.
            truncate: Truncate computes,
            /// Stages that damage every text in a recorded way.
            manipulate: Manipulate computes,
            /// Stages that count things in every text.
            measure: Measure computes,
            /// Stages in which a model writes a text for every row.
            generate: Generate asks,
            /// Stages in which a model scores every row.
            judge: Judge asks,
            /// Stages in which a program of yours scores or parses every row.
            scorer: Scorer computes,
            /// Stages that put the judgements of a document's sections together.
            memo: Memo computes,
            /// Stages that make one row of all that have the same key.
            group: Group computes,
            /// Stages that put rows of two stages together.
            join: Join computes,
            /// Stages that put rows of several stages, or of all values of axes, below each other.
            concat: Concat computes,
            /// Stages that compute statistics.
            stats: Stats computes,
            /// Tables for people.
            table: Table computes,
            /// Figures for people.
            figure: Figure computes,
            /// Files of rows for other programs.
            export: Export computes,
        }
    };
}

pub(crate) use kinds;
