//! Choosing rows by the lengths of their texts.

/// When the lengths of texts are looked at.
#[derive(Clone, Copy)]
pub(super) enum Lengths<'f> {
    /// With the other conditions.
    Here,
    /// They were before: whether the text of each row fits, if it has one.
    Known(&'f [Option<bool>]),
    /// When the texts are read.
    Later,
}

/// The rows whose lengths were asked for, and those of them that have none: what is absent is not short.
#[derive(Default)]
pub(super) struct Asked {
    rows: usize,
    without: usize,
}

impl Asked {
    /// Those of some rows that fit.
    pub(super) fn of_these(
        &mut self,
        rows: &[usize],
        fits: impl Iterator<Item = Option<bool>>,
    ) -> Vec<usize> {
        self.rows += rows.len();
        let both = rows.iter().zip(fits);
        both.filter_map(|(&row, fits)| {
            self.without += usize::from(fits.is_none());
            fits?.then_some(row)
        })
        .collect()
    }

    /// That some rows have no text.
    pub(super) fn told(&self) -> Option<String> {
        let said = without(self.without, self.rows, "text");
        (self.without > 0).then(|| format!("{said} and no length, and are not kept"))
    }
}

/// That some of so many rows have no value in a column.
pub(super) fn without(absent: usize, all: usize, name: &str) -> String {
    let have = if all == 1 {
        "1 row has".to_owned()
    } else {
        format!("{all} rows have")
    };
    format!("{absent} of {have} no value in `{name}`")
}

#[cfg(test)]
mod tests {
    use super::super::Select;
    use super::super::tests::everything;
    use crate::frame::{ColumnData, Frame};
    use crate::stage::{Kind, StageName};

    /// The rows that are kept, and what is said of others.
    fn kept(select: &Select) -> (Vec<String>, Vec<String>) {
        let texts = [Some("One two three. Four."), None, Some("")];
        let texts = texts.map(|text| text.map(str::to_owned)).to_vec();
        let frame = Frame::new(vec![
            (
                "doc_id".to_owned(),
                ColumnData::text(["long", "absent", "empty"]),
            ),
            ("text".to_owned(), ColumnData::Text(texts)),
        ]);
        let name = StageName::new(Kind::Select, "some");
        let output = select.choose(&frame.unwrap(), &name, 0).unwrap();
        let ids = output.frame.column("doc_id").unwrap();
        let ids = (0..output.frame.rows()).filter_map(|row| ids.text(row));
        let ids = ids.map(std::borrow::Cow::into_owned).collect();
        (ids, output.warnings)
    }

    #[test]
    fn a_text_that_is_absent_is_of_no_length_and_is_counted() {
        let said = ["1 of 3 rows have no value in `text` and no length, and are not kept"];
        for (select, ids) in [
            (
                Select {
                    tokens: Some((0, 9)),
                    ..everything()
                },
                &["long", "empty"][..],
            ),
            (
                Select {
                    sentences: Some((0, 9)),
                    ..everything()
                },
                &["long", "empty"],
            ),
            // A text without sentences has no mean of their lengths.
            (
                Select {
                    sentence_characters: Some((2, 200)),
                    ..everything()
                },
                &["long"],
            ),
        ] {
            let (kept, warnings) = kept(&select);
            assert_eq!(kept, ids);
            assert_eq!(warnings, said);
        }
    }
}
