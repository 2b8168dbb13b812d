//! Filters that give probabilities: of a statistic that rows hold, such as one that a paper printed.

use minijinja::value::Value;

use super::kinds::Kind;
use super::mistake::Wrong;
use crate::base::wording::shorten;
use crate::stats::{Tail, t_p};

/// The two-sided p-value of t with so many degrees of freedom, or why it has none.
pub(super) fn p_of_t(t: &Value, arguments: &[Value]) -> Result<Result<f64, &'static str>, Wrong> {
    let [df] = arguments else {
        return Err(Wrong::Failed(
            "`t_p` takes the degrees of freedom: `t|t_p(n - 2)`".to_owned(),
        ));
    };
    let (t, df) = (number(t)?, number(df)?);
    if df < 1.0 {
        return Ok(Err("fewer than 1 degree of freedom"));
    }
    Ok(t_p(t, df, Tail::TwoSided).ok_or("t is too large"))
}

fn number(value: &Value) -> Result<f64, Wrong> {
    let number = (Kind::of(value) == Kind::Number)
        .then(|| f64::try_from(value.clone()).ok())
        .flatten();
    number.ok_or_else(|| {
        let shown = shorten(&value.to_string(), 30);
        Wrong::Failed(format!("`t_p` reads numbers, and this is none: `{shown}`"))
    })
}
