//! Whether a prompt shows the model what it is to judge, whatever the other variables are: found by rendering it
//! with stand-ins.
//!
//! A template may use a variable and yet not show it: where it only asks for it, or where a condition or an operator
//! that binds otherwise than meant leaves it out. This module tries values of the other variables one by one; it does
//! not prove anything about all of them together.

use std::collections::{BTreeMap, BTreeSet};

use super::shown::lost;
use super::{Template, Templates, Unrendered, shown, tags, values};
use crate::base::failure::Failure;
use crate::frame::Scalar;
use crate::models::score::Scale;

/// How a template fails to show a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// It shows it for no values that were tried.
    Never,
    /// It leaves it out for some values of the others, said in words: "when `thinking` is `false`".
    When(String),
}

/// What came of rendering a template with stand-ins.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trial {
    /// How it fails to show the variable, if it does.
    pub unseen: Option<Unseen>,
    /// Metrics that occur in no prompt.
    pub unasked: Vec<String>,
    /// Why a prompt with stand-ins would not be sent: a text that it shows cut, changed, or not at all.
    pub lost: Option<Failure>,
    /// Why rendering came to no end, if it did not; then nothing else is known.
    pub endless: Option<String>,
}

/// What a trial depends on.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tried {
    name: String,
    given: Vec<String>,
    shown: Option<String>,
    partly: Vec<String>,
    metrics: Vec<String>,
    /// Its ends and its step, as bits: floats have no order.
    scale: [u64; 3],
}

impl Templates {
    /// Renders a template that is given the columns `given` with stand-ins for their values, and looks whether each
    /// prompt has the column `shown`.
    ///
    /// A prompt that shows something else instead of it (`{{ translation or text }}`) is fine; one that shows no more
    /// than other prompts show beside it is not. Values for which the template cannot be rendered are passed over: they
    /// end the run with a message of their own.
    pub fn trial(
        &self,
        name: &str,
        given: &[String],
        shown: Option<&str>,
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Trial {
        let tried = Tried {
            name: name.to_owned(),
            given: given.to_vec(),
            shown: shown.map(str::to_owned),
            partly: partly.to_vec(),
            metrics: metrics.to_vec(),
            scale: [scale.min, scale.max, scale.step].map(f64::to_bits),
        };
        let known = self.found.trials.lock().ok();
        if let Some(trial) = known.and_then(|known| known.get(&tried).cloned()) {
            return trial;
        }
        let trial = self.try_out(&tried, scale);
        if let Ok(mut known) = self.found.trials.lock() {
            known.insert(tried, trial.clone());
        }
        trial
    }

    fn try_out(&self, tried: &Tried, scale: &Scale) -> Trial {
        let Tried {
            name,
            given,
            partly,
            metrics,
            ..
        } = tried;
        let shown = tried.shown.as_deref();
        let Some(template) = self.get(name) else {
            return Trial::default();
        };
        let texts = self.with_includes(name);
        let texts = texts.iter().filter_map(|part| self.texts.get(part));
        let compared: BTreeSet<String> = texts.flat_map(|text| tags::compared(text)).collect();
        let mut prompts: Vec<Prompt> = Vec::new();
        for values in tries(given, shown, &compared) {
            match Prompt::of(&template, values, metrics, scale) {
                Ok(prompt) => prompts.push(prompt),
                // One is enough: each takes as long as any may.
                Err(unrendered) if unrendered.endless => {
                    return Trial {
                        endless: Some(unrendered.failure.message),
                        ..Trial::default()
                    };
                }
                Err(_) => {}
            }
        }
        if prompts.is_empty() {
            return Trial::default();
        }
        let displayed: BTreeSet<String> = prompts
            .iter()
            .flat_map(|prompt| &prompt.shows)
            .cloned()
            .collect();
        for prompt in &mut prompts {
            prompt.look_for(&displayed);
        }
        let asked = |metric: &&String| {
            let metric = metric.to_lowercase();
            prompts.iter().any(|prompt| prompt.text.contains(&metric))
        };
        Trial {
            unseen: shown.and_then(|shown| unseen(&prompts, shown)),
            unasked: metrics.iter().filter(|m| !asked(m)).cloned().collect(),
            lost: template.loses(given, partly, metrics, scale),
            endless: None,
        }
    }
}

impl Template {
    /// Why the prompt would not be sent if all variables were texts: short ones, and ones as long as books, which a
    /// template may treat otherwise.
    fn loses(
        &self,
        given: &[String],
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Option<Failure> {
        let line = "Zqx, \"it's\" <1> & two.\n";
        [1, 4_000].into_iter().find_map(|lines| {
            let texts = given.iter().enumerate().map(|(index, name)| {
                let text = format!("{}: {}{index}", stand_in(index), line.repeat(lines));
                (name.as_str(), shown(Scalar::Text(text)))
            });
            let values = texts.collect();
            // What cannot be rendered with texts is for numbers.
            let prompt = self.render(&values, metrics, scale).ok()?;
            let lost = lost(&self.reading, &self.environment, &values, partly, &prompt)?;
            Some(Self::lost(&lost))
        })
    }
}

/// Values for the variables, and what sets them apart from the usual ones.
struct Values {
    values: BTreeMap<String, Scalar>,
    apart: String,
}

/// A prompt with stand-ins, in lower case.
struct Prompt {
    text: String,
    values: BTreeMap<String, Scalar>,
    /// The variables that are in it.
    shows: BTreeSet<String>,
    apart: String,
}

impl Prompt {
    fn of(
        template: &Template,
        tried: Values,
        metrics: &[String],
        scale: &Scale,
    ) -> Result<Self, Unrendered> {
        let given = tried.values.iter();
        let given = given.map(|(name, value)| (name.as_str(), value.clone()));
        let text = template.render(&values(given), metrics, scale)?;
        let text = text.to_lowercase();
        let names = tried.values.keys().enumerate();
        let shows = names
            .filter(|(index, _)| text.contains(&stand_in(*index)))
            .map(|(_, name)| name.clone())
            .collect();
        Ok(Self {
            text,
            values: tried.values,
            shows,
            apart: tried.apart,
        })
    }

    /// Counts other values of variables that prompts show as shown, too. Of others that would be chance: many a
    /// prompt has a 1 in it.
    fn look_for(&mut self, displayed: &BTreeSet<String>) {
        for name in displayed {
            let value = self.values.get(name).map(ToString::to_string);
            let value = value.unwrap_or_default().to_lowercase();
            if !value.is_empty() && self.text.contains(&value) {
                self.shows.insert(name.clone());
            }
        }
    }
}

/// A word that no template has, for the variable at this place in the order of names.
fn stand_in(index: usize) -> String {
    format!("zqx{index}xqz")
}

/// The values to try: all variables there, the others absent, and each of the others with values that conditions
/// may ask for, first those that they compare it with.
fn tries(given: &[String], shown: Option<&str>, compared: &BTreeSet<String>) -> Vec<Values> {
    let names: BTreeSet<&String> = given.iter().collect();
    let there: BTreeMap<String, Scalar> = names
        .iter()
        .enumerate()
        .map(|(index, &name)| (name.clone(), Scalar::Text(stand_in(index))))
        .collect();
    let others = || names.iter().filter(|name| Some(name.as_str()) != shown);
    let mut absent = there.clone();
    for name in others() {
        absent.insert((*name).clone(), Scalar::Null);
    }
    let one_by_one = |values: &[(Scalar, String)]| {
        let mut all = Vec::new();
        for name in others() {
            for (value, words) in values {
                for base in [&there, &absent] {
                    let mut values = base.clone();
                    values.insert((*name).clone(), value.clone());
                    let apart = format!("when `{name}` {words}");
                    all.push(Values { values, apart });
                }
            }
        }
        all
    };
    let mut all = one_by_one(&said(compared));
    all.push(Values {
        values: there.clone(),
        apart: "when the other variables have values".to_owned(),
    });
    all.extend(one_by_one(&usual()));
    all.push(Values {
        values: absent.clone(),
        apart: "when the other variables have no values".to_owned(),
    });
    all
}

/// What conditions compare variables with, and numbers beside it, in words.
fn said(compared: &BTreeSet<String>) -> Vec<(Scalar, String)> {
    let mut all = Vec::new();
    for value in compared {
        if let Ok(number) = value.parse::<i32>() {
            for near in [number.saturating_sub(1), number, number.saturating_add(1)] {
                all.push((Scalar::Int(near.into()), format!("is {near}")));
            }
        }
        all.push((Scalar::Text(value.clone()), format!("is `{value}`")));
    }
    all
}

/// What a condition may ask for without saying so, in words.
fn usual() -> Vec<(Scalar, String)> {
    vec![
        (Scalar::Bool(false), "is `false`".to_owned()),
        (Scalar::Bool(true), "is `true`".to_owned()),
        (Scalar::Null, "has no value".to_owned()),
        (Scalar::Int(0), "is 0".to_owned()),
        (Scalar::Int(1), "is 1".to_owned()),
        (Scalar::Text(String::new()), "is empty".to_owned()),
    ]
}

/// How the prompts fail to show a variable, if they do.
fn unseen(prompts: &[Prompt], shown: &str) -> Option<Unseen> {
    let (with, without): (Vec<&Prompt>, Vec<&Prompt>) = prompts
        .iter()
        .partition(|prompt| prompt.shows.contains(shown));
    if with.is_empty() {
        return Some(Unseen::Never);
    }
    // What stands in its place is never shown beside it.
    let lacks = |prompt: &&&Prompt| with.iter().any(|with| prompt.shows.is_subset(&with.shows));
    let lacking = without.iter().find(lacks)?;
    // Where all variables have values, none of them is to blame by its value; one may be by having another.
    let differs = |with: &&&Prompt| {
        let pairs = with.values.iter().zip(&lacking.values);
        pairs.filter(|(with, without)| with != without).count() == 1
    };
    let usual = lacking
        .values
        .keys()
        .enumerate()
        .all(|(index, name)| lacking.values.get(name) == Some(&Scalar::Text(stand_in(index))));
    let unless = with.iter().find(differs).filter(|_| usual);
    Some(Unseen::When(match unless {
        Some(prompt) => prompt.apart.replacen("when", "unless", 1),
        None => lacking.apart.clone(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(text: &str, given: &[&str], shown: &str) -> Option<Unseen> {
        let (templates, errors) =
            Templates::new(BTreeMap::from([("a".to_owned(), text.to_owned())]));
        assert_eq!(errors, []);
        let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
        let scale = Scale::HALF_POINTS_1_TO_5;
        templates
            .trial("a", &given, Some(shown), &[], &[], &scale)
            .unseen
    }

    fn when(words: &str) -> Unseen {
        Unseen::When(words.to_owned())
    }

    #[test]
    fn a_prompt_that_shows_it_always_is_fine() {
        for text in [
            "{{ report }}",
            "{% if thinking %}Think.{% endif %}\n{{ report }}",
            "{{ 'Think.' if thinking else 'Do not.' }} {{ report | upper }}",
            "{% if thinking %}Think: {{ report }}{% else %}{{ report }}{% endif %}",
            "{% set r = report %}{% for word in r.split(' ') %}{{ word }}{% endfor %}",
        ] {
            assert_eq!(
                trial(text, &["report", "thinking"], "report"),
                None,
                "{text}"
            );
        }
    }

    #[test]
    fn a_condition_that_drops_it_is_found_with_the_value_that_does() {
        for (text, words) in [
            (
                "{% if thinking %}{{ report }}{% endif %}",
                "when `thinking` is `false`",
            ),
            ("{{ report if thinking }}", "when `thinking` is `false`"),
            (
                "{{ 'No.' if not thinking else 'Yes.' ~ report }}",
                "when `thinking` is `false`",
            ),
            (
                "{{ 'No.' if thinking else '' ~ report }}",
                "unless `thinking` is `false`",
            ),
            (
                "{% if thinking == 'off' %}No.{% else %}{{ report }}{% endif %}",
                "when `thinking` is `off`",
            ),
            (
                "{% if thinking == 'on' %}{{ report }}{% endif %}",
                "unless `thinking` is `on`",
            ),
            (
                "{% if thinking != 3 %}{{ report }}{% endif %}",
                "when `thinking` is 3",
            ),
            (
                "{% if thinking > 1000 %}No.{% else %}{{ report }}{% endif %}",
                "when `thinking` is 1001",
            ),
            (
                "{% if thinking is none %}{% else %}{{ report }}{% endif %}",
                "when `thinking` has no value",
            ),
        ] {
            assert_eq!(
                trial(text, &["report", "thinking"], "report"),
                Some(when(words)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_only_asked_for_is_never_shown() {
        let text = "{% if report %}Grade the text by its report.{% endif %}";
        assert_eq!(trial(text, &["report"], "report"), Some(Unseen::Never));
        let text = "It has {{ text | length }} characters.";
        assert_eq!(trial(text, &["text"], "text"), Some(Unseen::Never));
    }

    #[test]
    fn something_else_may_stand_in_its_place_but_nothing_that_stands_beside_it() {
        let given = ["text", "other"];
        let text = "{{ other or text }}";
        assert_eq!(trial(text, &given, "text"), None);
        let text = "{{ other }} {% if other != 'x' %}{{ text }}{% endif %}";
        assert_eq!(
            trial(text, &given, "text"),
            Some(when("when `other` is `x`"))
        );
    }

    #[test]
    fn values_that_cannot_be_rendered_are_passed_over() {
        assert_eq!(
            trial("{{ part + 1 }} {{ text }}", &["text", "part"], "text"),
            None
        );
        assert_eq!(
            trial("{{ part.a.b }} {{ text }}", &["text", "part"], "text"),
            None
        );
    }
}
