//! `measure` stages.

use super::raw::RawMeasure;
use crate::stage::check::RowShape;
use crate::stage::check::annotator;
use crate::stage::check::{Checking, Written};
use crate::stage::{Measure, Metric};
use crate::toml::Problems;

impl Written for Measure {
    type Raw = RawMeasure;

    fn check(raw: &RawMeasure, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let annotator = annotator::named(
            context,
            &path("annotator"),
            raw.annotator.as_deref(),
            problems,
        );
        let Some(written) = raw.metrics.as_ref().filter(|metrics| !metrics.is_empty()) else {
            if raw.metrics.is_none() && context.is_written(at, "metrics") {
                return None;
            }
            context
                .missing(at, "metrics")
                .help("name what to count: `metrics = [\"tokens\", \"sentences\"]`")
                .tell(problems);
            return None;
        };
        let mut metrics: Vec<Metric> = Vec::new();
        for name in written {
            let place = context.element(&path("metrics"), name);
            match name.parse::<Metric>() {
                Ok(metric) if metrics.contains(&metric) => context
                    .problem(
                        "spec::bad-value",
                        format!("`{name}` is counted twice"),
                        &place,
                        "named twice",
                    )
                    .help("remove one of the two")
                    .tell(problems),
                Ok(metric) => metrics.push(metric),
                Err(why) => context
                    .problem(
                        "spec::unknown-metric",
                        format!("`{name}` cannot be counted"),
                        &place,
                        "not a measure",
                    )
                    .help(why)
                    .tell(problems),
            }
        }
        let compared = metrics
            .iter()
            .find(|metric| matches!(metric, Metric::Compared(_)));
        match (&raw.reference, compared) {
            (None, Some(metric)) if !context.is_written(at, "reference") => context
                .problem(
                    "spec::missing-key",
                    format!("`{metric}` compares texts with a reference, and none is named"),
                    &context.element(&path("metrics"), &metric.to_string()),
                    "with what?",
                )
                .help("name the column: `reference = \"...\"`")
                .tell(problems),
            (Some(_), None) if metrics.len() == written.len() => context
                .problem(
                    "spec::bad-value",
                    "nothing is compared with the reference".to_owned(),
                    &path("reference"),
                    "has no effect",
                )
                .help("add a measure that compares, such as `exact-match`, `rouge-l` or `bleu`, or remove it")
                .tell(problems),
            _ => {}
        }
        let annotator = annotator?;
        let mut measure = Measure {
            from,
            metrics,
            reference: raw.reference.clone(),
            annotator: None,
        };
        // Who annotates says nothing about what needs no annotation.
        measure.annotator = (!measure.wants().is_nothing()).then_some(annotator);
        Some(measure)
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_metric("value")
    }
}
