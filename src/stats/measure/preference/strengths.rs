//! `bradley-terry` and `davidson`: a line for each contender.

use crate::stats::StatsError;
use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, Tested, Whole};
use crate::stats::measure::rows::nothing;
use crate::stats::measure::{
    Code, Data, Given, Line, Measure, NoValue, Role, Setting, Settings, column,
};
use crate::stats::normal::normal_interval;
use crate::stats::preference::{Comparison, ELO_STEP, bradley_terry, davidson, ranks};

use super::read::{Compared, compared};

/// What a strength of 0 is on Elo's scale.
const ELO_BASE: f64 = 1000.0;

pub(super) const BRADLEY_TERRY: Measure = Measure {
    name: "bradley-terry",
    about: "how strong each contender is, from comparisons of two; a tie is half a win of each",
    unit: "comparison",
    needs: &[Role::Contender, Role::Opponent, Role::Value],
    takes: &[Role::Item, Role::Cluster],
    settings: &[Setting::Level, Setting::Base, Setting::Resamples],
    keys: &["contender"],
    gives: &[
        column("strength", Tested, "log-strength; those of all sum to 0"),
        column(
            "se",
            Number,
            "its standard error, of clusters where there are some",
        ),
        column("ci_low", Number, "the lower end of its interval"),
        column("ci_high", Number, "its upper end"),
        column(
            "elo",
            Number,
            "the strength on Elo's scale: 1000 + 400/ln 10 · `strength`",
        ),
        column("elo_se", Number, "its standard error"),
        column("elo_low", Number, "the lower end of its interval"),
        column("elo_high", Number, "its upper end"),
        column("rank", Whole, "1 is the strongest"),
        column(
            "rank_low",
            Whole,
            "the better end of the interval of `rank`, by drawing comparisons (or clusters) again",
        ),
        column("rank_high", Whole, "its worse end"),
        column("difference", Number, "the strength less that of `base`"),
        column("difference_se", Number, "its standard error"),
        column(
            "win_rate",
            Number,
            "the mean share of the win over all its comparisons",
        ),
        column("resamples", Whole, "how many resamples have strengths"),
    ],
    compute: by_bradley_terry,
};

pub(super) const DAVIDSON: Measure = Measure {
    name: "davidson",
    about: "how strong each contender is where ties are outcomes of their own",
    unit: "comparison",
    needs: &[Role::Contender, Role::Opponent, Role::Value],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Base],
    keys: &["contender"],
    gives: &[
        column("strength", Tested, "log-strength; those of all sum to 0"),
        column("se", Number, "its standard error"),
        column("ci_low", Number, "the lower end of its interval"),
        column("ci_high", Number, "its upper end"),
        column("difference", Number, "the strength less that of `base`"),
        column("difference_se", Number, "its standard error"),
        column(
            "nu",
            Number,
            "how likely ties are: of two equals a tie against a win of one",
        ),
        column("log_nu", Number, "its logarithm"),
        column("log_nu_se", Number, "the standard error of `log_nu`"),
        column("ties", Whole, "ties among all comparisons"),
        column(
            "win_rate",
            Number,
            "the mean share of the win over all its comparisons",
        ),
    ],
    compute: by_davidson,
};

/// Of a contender, its number, its comparisons and how much of them it won.
struct Own<'c> {
    number: usize,
    name: &'c str,
    n: usize,
    won: f64,
}

fn own(found: &Compared) -> Vec<Own<'_>> {
    let empty = |(number, name)| Own {
        number,
        name,
        n: 0,
        won: 0.0,
    };
    let mut own: Vec<Own<'_>> = found
        .names
        .iter()
        .map(String::as_str)
        .enumerate()
        .map(empty)
        .collect();
    for comparison in &found.comparisons {
        let Comparison {
            contender,
            opponent,
            share,
        } = *comparison;
        own[contender].n += 1;
        own[contender].won += share;
        own[opponent].n += 1;
        own[opponent].won += 1.0 - share;
    }
    own
}

impl Own<'_> {
    fn line(&self, dropped: usize) -> Line {
        let mut line = Line::of(self.n, dropped);
        line.keys = vec![self.name.to_owned()];
        line.set("win_rate", self.won / self.n as f64);
        line
    }
}

/// The lines of contenders, or one without a name where there is no comparison.
fn lines(
    found: &Compared,
    measure: &Measure,
    why: Option<&NoValue>,
    fill: impl Fn(&mut Line, usize),
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for own in own(found) {
        let mut line = own.line(found.dropped);
        match why {
            None => fill(&mut line, own.number),
            Some(why) => {
                let known = line.values;
                line.values = nothing(own.n, 0, measure.gives, why).values;
                line.values.extend(known);
                line.why = Some(why.clone());
            }
        }
        lines.push(line);
    }
    if lines.is_empty() {
        let why = NoValue::new(Code::TooFew, "there is no comparison");
        let mut line = nothing(0, found.dropped, measure.gives, &why);
        line.keys = vec!["none".to_owned()];
        lines.push(line);
    }
    lines
}

/// The number of the contender that others are held against.
fn base(found: &Compared, settings: &Settings) -> Result<usize, NoValue> {
    let Some(name) = settings.base.as_deref() else {
        return Err(NoValue::new(Code::InvalidParameter, "no `base` is named"));
    };
    let at = found.names.iter().position(|known| known == name);
    at.ok_or_else(|| {
        NoValue::new(
            Code::InvalidParameter,
            format!("`{name}` is in no comparison"),
        )
    })
}

fn by_bradley_terry(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let found = compared(data)?;
    let clusters = found.clusters.as_deref();
    let fitted = bradley_terry(found.names.len(), &found.comparisons, clusters);
    let fitted = match fitted {
        Ok(fitted) => fitted,
        Err(why) => return Ok(lines(&found, &BRADLEY_TERRY, Some(&why), |_, _| ())),
    };
    let strengths = &fitted.strengths;
    let resamples = settings.resamples as usize;
    let ranked = ranks(
        strengths,
        &found.comparisons,
        clusters,
        resamples,
        settings.seed,
        settings.level,
    );
    let base = base(&found, settings);
    Ok(lines(&found, &BRADLEY_TERRY, None, |line, at| {
        let (strength, se) = (strengths[at], fitted.se(at));
        set_strength(line, strength, se, settings.level);
        line.set("elo", ELO_BASE + ELO_STEP * strength);
        line.set("elo_se", ELO_STEP * se);
        let ends = normal_interval(
            ELO_BASE + ELO_STEP * strength,
            ELO_STEP * se,
            settings.level,
        );
        line.set_ends(["elo_low", "elo_high"], ends.clone());
        line.set("rank", ranked.ranks[at]);
        let rank = |end: usize| -> Given {
            let intervals = ranked.intervals.clone();
            intervals.map(|intervals| intervals[at][end]).into()
        };
        line.set("rank_low", rank(0));
        line.set("rank_high", rank(1));
        line.set("resamples", ranked.used);
        let difference = |base: usize| (strength - strengths[base], fitted.se_difference(at, base));
        let difference = base.clone().map(difference);
        line.set(
            "difference",
            difference.clone().map(|difference| difference.0),
        );
        line.set("difference_se", difference.map(|difference| difference.1));
    }))
}

fn by_davidson(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let found = compared(data)?;
    let ties = found
        .comparisons
        .iter()
        .filter(|comparison| (comparison.share - 0.5).abs() < 1e-12)
        .count();
    let fitted = match davidson(found.names.len(), &found.comparisons) {
        Ok(fitted) => fitted,
        Err(why) => {
            let mut lines = lines(&found, &DAVIDSON, Some(&why), |_, _| ());
            for line in &mut lines {
                line.set("ties", ties);
            }
            return Ok(lines);
        }
    };
    let base = base(&found, settings);
    Ok(lines(&found, &DAVIDSON, None, |line, at| {
        let strength = fitted.strengths[at];
        set_strength(line, strength, fitted.se(at), settings.level);
        let difference = |base: usize| {
            (
                strength - fitted.strengths[base],
                fitted.se_difference(at, base),
            )
        };
        let difference = base.clone().map(difference);
        line.set(
            "difference",
            difference.clone().map(|difference| difference.0),
        );
        line.set("difference_se", difference.map(|difference| difference.1));
        line.set("nu", fitted.log_nu.exp());
        line.set("log_nu", fitted.log_nu);
        line.set("log_nu_se", fitted.se_log_nu());
        line.set("ties", ties);
    }))
}

fn set_strength(line: &mut Line, strength: f64, se: f64, level: f64) {
    line.set("strength", strength);
    line.set("se", se);
    line.set_ends(["ci_low", "ci_high"], normal_interval(strength, se, level));
}
