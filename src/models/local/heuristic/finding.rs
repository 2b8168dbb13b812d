//! What a signal reports: places in the text and a rate per 1,000 words.
//!
//! A finding holds token positions and a fixed sentence, never a copy of the text, so that a long and
//! badly damaged document costs little.

use std::ops::Range;

/// One place found wanting.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    /// Kind of issue, in capitals, as it stands in brackets in the form.
    pub(super) label: &'static str,
    /// The tokens to quote.
    pub(super) tokens: Range<usize>,
    /// What is wrong, to be read after the quotation.
    pub(super) note: &'static str,
    /// How sure and how serious, 0 to 1 and above 1 for whole sentences or paragraphs.
    pub(super) weight: f64,
}

/// The outcome of one signal: its rate (unit named by the signal) and its findings in text order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Signal {
    pub(super) rate: f64,
    pub(super) findings: Vec<Finding>,
}

impl Signal {
    /// Adds a finding.
    pub(super) fn add(
        &mut self,
        label: &'static str,
        tokens: Range<usize>,
        note: &'static str,
        weight: f64,
    ) {
        self.findings.push(Finding {
            label,
            tokens,
            note,
            weight,
        });
    }

    /// The sum of the weights, in text order.
    pub(super) fn weight(&self) -> f64 {
        self.findings.iter().map(|f| f.weight).sum()
    }
}
