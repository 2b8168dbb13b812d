//! The settings of measures, as a spec gives them; what is not given has its default.

/// A setting, for the list of those that a measure looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// `level`: of confidence.
    Level,
    /// `alternative`: the direction of a test.
    Alternative,
    /// `method`: which of several definitions.
    Method,
    /// `categories`: all labels in their order.
    Categories,
    /// `weights`: how much a disagreement counts.
    Weights,
    /// `positive`: the label that counts as a hit.
    Positive,
    /// `scale`: the ends of the scale.
    Scale,
    /// `at`: the points for which it is computed.
    At,
    /// `resamples` and `seed`: how often is drawn.
    Resamples,
    /// `base`: the level of an axis that others are measured from.
    Base,
    /// `power`: the planned power of a test.
    Power,
    /// `least`: the fewest rows of a part that counts.
    Least,
}

/// The settings of one computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Of confidence; between 0 and 1.
    pub level: f64,
    /// The direction of a test.
    pub alternative: crate::stats::Tail,
    /// Which of several definitions.
    pub method: Option<String>,
    /// All labels in their order, which decides distances where weights are not those of identity.
    pub categories: Vec<String>,
    /// How much a disagreement counts: `identity`, `linear`, `quadratic`; or the level of measurement.
    pub weights: Option<String>,
    /// The label that counts as a hit.
    pub positive: Option<String>,
    /// The least and the greatest value of the scale.
    pub scale: Option<[f64; 2]>,
    /// The points for which it is computed: numbers of repeats, distances from the ends of a scale.
    pub at: Vec<f64>,
    /// How often is drawn.
    pub resamples: u32,
    /// What draws start from.
    pub seed: u64,
    /// The level that others are measured from.
    pub base: Option<String>,
    /// The planned power of a test.
    pub power: f64,
    /// The fewest rows of a part that counts.
    pub least: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            level: crate::stats::DEFAULT_LEVEL,
            alternative: crate::stats::Tail::TwoSided,
            method: None,
            categories: Vec::new(),
            weights: None,
            positive: None,
            scale: None,
            at: Vec::new(),
            resamples: 10_000,
            seed: 0,
            base: None,
            power: 0.8,
            least: 2,
        }
    }
}
