//! How well a share of the win is known where comparisons come in clusters, and whether it is a half.
//!
//! It must not know whose share it is.

use crate::stats::cluster::ClusteredMean;
use crate::stats::measure::{Code, NoValue};
use crate::stats::{Tail, t_interval, t_p};

/// What clusters say of a share.
pub(super) struct OfClusters {
    /// The ends of its interval: t with clusters less one degrees of freedom, cut to 0 to 1.
    pub(super) ends: Result<(f64, f64), NoValue>,
    /// The two-sided p-value of its distance from a half, by the same t.
    pub(super) p: Result<f64, NoValue>,
}

/// The interval of a mean share and the p-value that goes with it; clusters that do not differ say nothing of either.
pub(super) fn of_clusters(about: &ClusteredMean, level: f64) -> OfClusters {
    let flat = || NoValue::new(Code::ZeroError, "clusters do not differ");
    let known = about.mean.clone().and_then(|mean| {
        let (se, df) = (about.se_cr1.clone()?, about.df()?);
        Ok((mean, (se > 0.0).then_some(se).ok_or_else(flat)?, df))
    });
    let ends = known.clone().and_then(|(mean, se, df)| {
        let ends = t_interval(mean, se, df, level).ok_or_else(flat)?;
        Ok((ends.low.max(0.0), ends.high.min(1.0)))
    });
    let p = known
        .and_then(|(mean, se, df)| t_p((mean - 0.5) / se, df, Tail::TwoSided).ok_or_else(flat));
    OfClusters { ends, p }
}
