//! The estimate of a plan's calls, in words.

use crate::base::wording::{many, thousands};
use crate::engine::{Estimate, money};

/// What several nodes would come to together.
pub(super) fn sum<'e>(estimates: impl Iterator<Item = &'e Estimate>) -> Estimate {
    let mut sum = Estimate {
        exact: true,
        ..Estimate::default()
    };
    let add = |mine: Option<f64>, more: Option<f64>| match (mine, more) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
    };
    for (index, one) in estimates.enumerate() {
        let least = one.least_calls.unwrap_or(one.calls);
        sum.least_calls = match (sum.least_calls, one.least_calls) {
            (None, None) => None,
            (before, _) => Some(before.unwrap_or(sum.calls) + least),
        };
        sum.calls += one.calls;
        sum.stored += one.stored;
        sum.too_long += one.too_long;
        sum.not_applicable += one.not_applicable;
        sum.read += one.read;
        sum.exact &= one.exact;
        // Of replies that nobody can say anything about, the sum says nothing either.
        let both = |mine: Option<u64>, more: Option<u64>| match index {
            0 => more,
            _ => mine.zip(more).map(|(a, b)| a + b),
        };
        sum.written = both(sum.written, one.written);
        sum.most_written = both(sum.most_written, one.most_written);
        sum.cost = add(sum.cost, one.cost);
        sum.most_cost = add(sum.most_cost, one.most_cost);
        sum.batch |= one.batch;
    }
    sum
}

/// What is worth saying of a stage's calls beside their number.
pub(super) fn remarks(estimate: &Estimate) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(least) = estimate.least_calls {
        remarks.push(format!(
            "{} to {}",
            thousands(least),
            many(estimate.calls, "call")
        ));
    }
    if estimate.stored > 0 {
        remarks.push(format!("{} stored", many(estimate.stored, "reply")));
    }
    if estimate.not_applicable > 0 {
        remarks.push(format!(
            "{} without a text",
            many(estimate.not_applicable, "row")
        ));
    }
    if estimate.too_long > 0 {
        let them = if estimate.too_long == 1 { "it" } else { "them" };
        remarks.push(format!(
            "{} too long for the model (a `truncate` stage would cut {them})",
            many(estimate.too_long, "prompt")
        ));
    }
    remarks
}

/// The tokens and the money, in one or two lines; nothing where no server is asked.
pub(super) fn totals(estimate: &Estimate) -> Option<String> {
    if estimate.calls == 0 || estimate.read == 0 {
        return None;
    }
    let about = if estimate.exact { "" } else { "about " };
    let written = match (estimate.written, estimate.most_written) {
        (Some(mean), Some(most)) => format!(
            "about {} output tokens, going by earlier replies, and at most {}",
            thousands(mean),
            thousands(most)
        ),
        (Some(mean), None) => format!(
            "about {} output tokens, going by earlier replies",
            thousands(mean)
        ),
        (None, Some(most)) => format!("at most {} output tokens", thousands(most)),
        (None, None) => "no limit on output tokens (`max-tokens` is not set)".to_owned(),
    };
    let mut text = format!(
        "{about}{} input tokens, {written}",
        thousands(estimate.read)
    );
    if let Some(cost) = estimate.cost {
        let batch = if estimate.batch {
            ", at the price of batches where they are used"
        } else {
            ""
        };
        let cost = match estimate.most_cost {
            Some(most) if (most - cost).abs() > 1e-9 => {
                format!("{} to {}", money(cost), money(most))
            }
            Some(most) => format!("at most {}", money(most)),
            None => format!("{} and what output tokens beyond that cost", money(cost)),
        };
        text = format!("{text}\ncost: {cost}{batch}");
    }
    Some(text)
}
