//! `measure` stages.

use super::{Context, annotator};
use crate::spec::Problems;
use crate::spec::raw::RawMeasure;
use crate::stage::{Measure, Metric, StageName};

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawMeasure,
    from: StageName,
    problems: &mut Problems,
) -> Option<Measure> {
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
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` has no `metrics`", at.join(".")),
                    at,
                    "`metrics` is missing here",
                )
                .help("say what is counted: `metrics = [\"tokens\", \"sentences\"]`"),
        );
        return None;
    };
    let mut metrics: Vec<Metric> = Vec::new();
    for name in written {
        let place = context.element(&path("metrics"), name);
        match name.parse::<Metric>() {
            Ok(metric) if metrics.contains(&metric) => problems.push(
                context
                    .problem(
                        "spec::bad-value",
                        format!("`{name}` is counted twice"),
                        &place,
                        "named twice",
                    )
                    .help("remove one of the two"),
            ),
            Ok(metric) => metrics.push(metric),
            Err(why) => problems.push(
                context
                    .problem(
                        "spec::unknown-metric",
                        format!("`{name}` cannot be counted"),
                        &place,
                        "not a measure",
                    )
                    .help(why),
            ),
        }
    }
    let annotator = annotator?;
    let mut measure = Measure {
        from,
        metrics,
        annotator: None,
    };
    // Who annotates says nothing about what needs no annotation.
    measure.annotator = (!measure.wants().is_nothing()).then_some(annotator);
    Some(measure)
}
