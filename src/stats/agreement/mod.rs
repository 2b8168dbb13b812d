//! Agreement: of raters with each other, of a judge with the truth, of two measurements of the same.
//!
//! | file | what it computes |
//! |---|---|
//! | `ratings` | labels of items by raters, raw agreement, weights of disagreements |
//! | `cohen` | Cohen's kappa of two raters |
//! | `chance` | Fleiss' kappa and Gwet's AC1 and AC2 of any number of raters, with gaps |
//! | `krippendorff` | Krippendorff's alpha on four levels of measurement |
//! | `icc` | intraclass correlations |
//! | `fisher` | tails and quantiles of the F distribution |
//! | `classification` | accuracy, precision, recall, F1 and the correlation of labels with the truth |
//! | `bland_altman` | bias and limits of agreement |
//!
//! A coefficient that does not exist is a reason, never NaN or 0. The order of items and raters cannot reach a result.

mod bland_altman;
mod chance;
mod classification;
mod cohen;
mod fisher;
mod icc;
mod krippendorff;
mod ratings;

pub use bland_altman::{BlandAltman, bland_altman};
pub use chance::{Chance, Corrected, corrected};
pub use classification::{Class, Classification, classification};
pub use cohen::{Cohen, cohen};
pub use fisher::{f_critical, f_p};
pub use icc::{Icc, Model, icc};
pub use krippendorff::{MOST_FOR_RATIO, Metric, krippendorff};
pub use ratings::{MOST_WEIGHTED, Ratings, Raw, Weights};
