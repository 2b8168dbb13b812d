//! The smooth shape of a distribution: a Gaussian kernel density (Silverman, "Density Estimation", 1986, eq. 3.31).

/// A distribution, described for drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    /// Places along the axis of values and the density there, as a share of the highest.
    pub(super) points: Vec<(f64, f64)>,
    /// The highest density, per unit of the values; of values that are all one there is none.
    pub(super) highest: f64,
    /// The standard deviation of the kernel, if there is a density.
    pub(super) width: Option<f64>,
    /// First quartile, median and third quartile.
    pub(super) quartiles: [f64; 3],
    /// How many values there are.
    pub(super) n: u64,
}

const STEPS: usize = 64;

/// The curve over values, each with how often it occurs; `None` without values. It ends at the least and the greatest
/// of them: nothing is shown where nothing was seen. The kernel is as wide as is asked for.
pub(super) fn curve(values: &[(f64, u64)], width: Option<f64>) -> Option<Curve> {
    let mut values: Vec<(f64, u64)> = values
        .iter()
        .copied()
        .filter(|(_, times)| *times > 0)
        .collect();
    values.sort_by(|left, right| left.0.total_cmp(&right.0));
    let n: u64 = values.iter().map(|(_, times)| times).sum();
    let (low, high) = (values.first()?.0, values.last()?.0);
    let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&values, n, share));
    let total = n as f64;
    let mean = values
        .iter()
        .map(|(value, times)| value * *times as f64)
        .sum::<f64>()
        / total;
    let variance = values
        .iter()
        .map(|(value, times)| (value - mean).powi(2) * *times as f64)
        .sum::<f64>()
        / (total - 1.0).max(1.0);
    let spread = match (quartiles[2] - quartiles[0]) / 1.34 {
        range if range > 0.0 => range.min(variance.sqrt()),
        _ => variance.sqrt(),
    };
    let width = width.unwrap_or(0.9 * spread * total.powf(-0.2));
    if width <= 0.0 || !width.is_finite() || low >= high {
        return Some(Curve {
            points: vec![(low, 1.0)],
            highest: 0.0,
            width: None,
            quartiles,
            n,
        });
    }
    let density = |at: f64| -> f64 {
        let weights = values.iter().map(|(value, times)| {
            let z = (at - value) / width;
            (-0.5 * z * z).exp() * *times as f64
        });
        weights.sum()
    };
    let mut points: Vec<(f64, f64)> = (0..=STEPS)
        .map(|step| low + (high - low) * step as f64 / STEPS as f64)
        .map(|at| (at, density(at)))
        .collect();
    let highest = points.iter().map(|point| point.1).fold(0.0, f64::max);
    for point in &mut points {
        point.1 /= highest;
    }
    Some(Curve {
        points,
        highest: highest / (total * width * std::f64::consts::TAU.sqrt()),
        width: Some(width),
        quartiles,
        n,
    })
}

/// The value below which a share of all lies, interpolated between neighbours.
fn quantile(sorted: &[(f64, u64)], n: u64, share: f64) -> f64 {
    let at = |index: u64| {
        let mut seen = 0;
        let found = sorted.iter().find(|(_, times)| {
            seen += times;
            seen > index
        });
        found.or(sorted.last()).map_or(0.0, |(value, _)| *value)
    };
    let place = share * (n - 1) as f64;
    let below = place.floor();
    let (low, high) = (at(below as u64), at(place.ceil() as u64));
    low + (high - low) * (place - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_values_one_by_one() {
        // numpy.quantile([1, 1, 2, 3, 4, 4, 4, 9], [.25, .5, .75])
        let values = [(1.0, 2), (2.0, 1), (3.0, 1), (4.0, 3), (9.0, 1)];
        let curve = curve(&values, None).unwrap();
        let expected = [1.75, 3.5, 4.0];
        let mut pairs = curve.quartiles.iter().zip(expected);
        assert!(pairs.all(|(ours, theirs)| (ours - theirs).abs() < 1e-12));
        assert_eq!(curve.n, 8);
    }

    #[test]
    fn a_curve_ends_where_values_end_and_is_highest_where_they_are_dense() {
        let curve = curve(&[(1.0, 1), (3.0, 10), (5.0, 1)], None).unwrap();
        let ends = [curve.points.first(), curve.points.last()].map(|point| point.unwrap().0);
        assert!((ends[0] - 1.0).abs() < 1e-12 && (ends[1] - 5.0).abs() < 1e-12);
        let top = curve
            .points
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        assert!((top.0 - 3.0).abs() < 0.1 && (top.1 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_density_with_a_given_width_is_the_sum_of_its_kernels() {
        // scipy.stats.norm(loc, 0.5).pdf(2) for loc 1, 2 and 3, added up over 3
        let curve = curve(&[(1.0, 1), (2.0, 1), (3.0, 1)], Some(0.5)).unwrap();
        assert_eq!(curve.width, Some(0.5));
        assert!(
            (curve.highest - 0.337_949_1).abs() < 1e-6,
            "{}",
            curve.highest
        );
    }

    #[test]
    fn one_value_and_none_at_all_have_no_width() {
        assert_eq!(curve(&[(3.0, 7)], None).unwrap().points, [(3.0, 1.0)]);
        assert_eq!(curve(&[], None), None);
    }
}
