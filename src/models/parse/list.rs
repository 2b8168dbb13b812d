//! The list of all parsers: whoever adds one adds a line here.

/// Hands the list to a macro, which makes of it an enum or a choice between all parsers.
///
/// A line says how specs name the parser, which folder holds its `read`, and how it is called in Rust; where servers can
/// hold replies to a JSON schema, also which function of the folder makes it. The sentence is what editors show.
macro_rules! parsers {
    ($make:ident) => {
        $make! {
            /// Labelled issues and one score per metric, in the shapes models write.
            #[default]
            "evaluation-form": evaluation_form, EvaluationForm;
            /// A JSON object with a score per metric.
            "json": json, Json, held to schema;
            /// One number on the scale, or a line per metric.
            "likert": likert, Likert;
            /// A choice among the labels of the scale: yes or no, A or B.
            "choice": choice, Choice;
            /// Blocks of errors with location, explanation and severity, then one verdict on the whole.
            "error-spans": error_spans, ErrorSpans;
            /// A verdict for each element of a list: an array of JSON, numbered lines, a table.
            "items": items, Items;
        }
    };
}

pub(super) use parsers;
