//! Whether a prompt shows the model what it is to judge, whatever the other variables are: found by rendering it
//! with stand-ins.
//!
//! A template may use a variable and yet not show it: where it only asks for it, or where a condition or an operator
//! that binds otherwise than meant leaves it out. This module tries values of the other variables one by one; it does
//! not prove anything about all of them together.

use std::collections::{BTreeMap, BTreeSet};

use super::failing::Unrendered;
use super::shown::replacements;
use super::tries::{self, Values, stand_in};
use super::{Rendered, Template, Templates, cell, judged, meter, reading, tags, values};
use crate::base::failure::Failure;
use crate::base::wording::thousands;
use crate::frame::Scalar;
use crate::models::ask::{Message, Role};
use crate::models::score::Scale;

/// So many steps all trials of a template take together, more or less: what they leave untried, the prompts of a stage
/// are looked at for before the first is sent.
const STEPS: u64 = meter::STEPS;

/// What one is taken to cost that fails when none was rendered before.
const FAILED: u64 = STEPS / 40;

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
    /// Why nothing could be rendered, whatever the values; then nothing else is known.
    pub failing: Option<Failing>,
    /// Whether a prompt ends with a turn of the assistant, with which the reply begins.
    pub begins: bool,
}

/// Why no prompt can be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The template.
    pub name: String,
    /// The line.
    pub line: Option<usize>,
    /// What is wrong there.
    pub message: String,
    /// How to repair it.
    pub hint: Option<String>,
}

impl From<Unrendered> for Failing {
    fn from(unrendered: Unrendered) -> Self {
        let (name, line, message) = unrendered.at;
        Self {
            name,
            line,
            message: tries::without_stand_ins(&message),
            hint: unrendered.failure.hint,
        }
    }
}

/// What a trial depends on.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tried {
    name: String,
    given: Vec<String>,
    partly: Vec<String>,
    metrics: Vec<String>,
    /// Its ends and its step, as bits: floats have no order.
    /// As it is printed, labels included.
    scale: String,
}

impl Templates {
    /// Renders a template that is given the columns `given` with stand-ins for their values, and looks whether each
    /// prompt has what is judged.
    ///
    /// A prompt that shows another column instead of it, as the template says (`{{ translation or text }}`), is fine.
    /// Values for which the template cannot be rendered are passed over, as long as there are others: they end the run
    /// with a message of their own.
    pub fn trial(
        &self,
        name: &str,
        given: &[String],
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Trial {
        let tried = Tried {
            name: name.to_owned(),
            given: given.to_vec(),
            partly: partly.to_vec(),
            metrics: metrics.to_vec(),
            scale: format!("{scale:?}"),
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
        let Some(template) = self.get(name) else {
            return Trial::default();
        };
        if template.reading.endless {
            let most = thousands(reading::READINGS as u64);
            let why = format!(
                "`templates/{name}.j2`: templates include each other in more than {most} ways"
            );
            return Trial {
                endless: Some(why),
                ..Trial::default()
            };
        }
        let shown = judged(given.iter().map(String::as_str));
        let shown = shown.filter(|name| !partly.iter().any(|partly| partly == name));
        let texts = self.with_includes(name);
        let texts = texts.iter().filter_map(|part| self.texts.get(part));
        let compared: BTreeSet<String> = texts.flat_map(|text| tags::compared(text)).collect();
        let mut trials = Trials {
            template: &template,
            metrics,
            scale,
            left: STEPS,
            dearest: None,
            failed: None,
        };
        let tries = tries::all(given, shown, &compared, &template.reading);
        let mut prompts: Vec<Prompt> = Vec::new();
        for values in tries {
            match trials.render(values) {
                Ok(prompt) => prompts.extend(prompt),
                // One is enough: each takes as long as any may.
                Err(endless) => {
                    return Trial {
                        endless: Some(endless),
                        ..Trial::default()
                    };
                }
            }
        }
        if prompts.is_empty() && template.reading.recursive {
            // What stands in for lists is not as deep as such loops go.
            return Trial::default();
        }
        if prompts.is_empty() {
            return Trial {
                failing: trials.fails_always(given),
                ..Trial::default()
            };
        }
        let asked = |metric: &&String| {
            let metric = metric.to_lowercase();
            prompts.iter().any(|prompt| prompt.text.contains(&metric))
        };
        Trial {
            unseen: shown.and_then(|shown| unseen(&prompts, shown, &template)),
            unasked: metrics.iter().filter(|m| !asked(m)).cloned().collect(),
            begins: prompts.iter().any(|prompt| prompt.begins),
            lost: trials.loses(given, partly),
            ..Trial::default()
        }
    }
}

/// The trials of a template, and what they may still take.
struct Trials<'t> {
    template: &'t Template,
    metrics: &'t [String],
    scale: &'t Scale,
    /// Steps.
    left: u64,
    /// The most that a prompt took.
    dearest: Option<u64>,
    /// The first that could not be rendered.
    failed: Option<Unrendered>,
}

impl Trials<'_> {
    /// A prompt, if it can be rendered and there are steps left.
    ///
    /// # Errors
    /// Why it comes to no end.
    fn render(&mut self, tried: Values) -> Result<Option<Prompt>, String> {
        let given = tried.values.iter();
        let given = given.map(|(name, value)| (name.as_str(), value.clone()));
        let turns = self.turns(&values(given))?;
        Ok(turns.map(|turns| Prompt {
            begins: turns
                .last()
                .is_some_and(|turn| turn.role == Role::Assistant),
            text: turns
                .iter()
                .map(|turn| turn.content.to_lowercase() + "\n")
                .collect(),
            values: tried.values,
            apart: tried.apart,
        }))
    }

    fn turns(
        &mut self,
        values: &BTreeMap<&str, minijinja::Value>,
    ) -> Result<Option<Vec<Message>>, String> {
        if self.left == 0 {
            return Ok(None);
        }
        match self.template.render(values, self.metrics, self.scale) {
            Ok(Rendered { turns, steps }) => {
                let length: usize = turns.iter().map(|turn| turn.content.len()).sum();
                let took = steps + length as u64 / 16;
                self.left = self.left.saturating_sub(took);
                self.dearest = self.dearest.max(Some(took));
                Ok(Some(turns))
            }
            Err(unrendered) if unrendered.endless => Err(unrendered.failure.message),
            Err(unrendered) => {
                // How much it took is not known.
                self.left = self.left.saturating_sub(self.dearest.unwrap_or(FAILED));
                self.failed.get_or_insert(unrendered);
                Ok(None)
            }
        }
    }

    /// Why nothing can be rendered, if that is so for values of many forms.
    fn fails_always(&mut self, given: &[String]) -> Option<Failing> {
        // What cannot be read as a number says nothing of other texts.
        let failed = self
            .failed
            .take()
            .filter(|failed| !failed.at.2.contains("invalid"))?;
        self.left = self.left.max(STEPS / 2);
        for values in tries::forms(given, &self.template.reading) {
            if self.render(values).is_ok_and(|prompt| prompt.is_some()) {
                return None;
            }
        }
        Some(failed.into())
    }

    /// Why the prompt would not be sent if all variables were texts: short ones, and ones as long as books, which a
    /// template may treat otherwise.
    fn loses(&mut self, given: &[String], partly: &[String]) -> Option<Failure> {
        [1, 4_000].into_iter().find_map(|lines| {
            let lost = self.lost(given, partly, lines, &BTreeSet::new());
            let lost = lost.ok().flatten()?;
            // What is counted with is a number, and need not be shown as it is written.
            let numbers = &self.template.reading.numbers;
            let judged = judged(given.iter().map(String::as_str));
            let counted = |name: &&String| Some(name.as_str()) != judged;
            let numbers: BTreeSet<String> = numbers.iter().filter(counted).cloned().collect();
            if numbers.is_empty() {
                return Some(lost);
            }
            let counted = self.lost(given, partly, lines, &numbers);
            counted.unwrap_or(Some(lost))
        })
    }

    /// What is lost of texts of so many lines.
    ///
    /// # Errors
    /// They cannot be rendered.
    fn lost(
        &mut self,
        given: &[String],
        partly: &[String],
        lines: usize,
        numbers: &BTreeSet<String>,
    ) -> Result<Option<Failure>, Unfit> {
        let texts = tries::books(given, lines, numbers, &self.template.reading);
        let values: BTreeMap<&str, minijinja::Value> = texts
            .into_iter()
            .map(|(name, scalar)| (name, cell(name, scalar)))
            .collect();
        let turns = self.turns(&values).ok().flatten().ok_or(Unfit)?;
        Ok(self.template.lost(&values, partly, &turns))
    }
}

/// A template is not for such values.
struct Unfit;

/// A prompt with stand-ins, in lower case.
struct Prompt {
    text: String,
    begins: bool,
    values: BTreeMap<String, Scalar>,
    apart: String,
}

impl Prompt {
    /// Whether it shows a variable by its stand-in or, of another text, that.
    fn shows(&self, name: &str) -> bool {
        let at = self.values.keys().position(|known| known == name);
        if at.is_some_and(|at| self.text.contains(&stand_in(at))) {
            return true;
        }
        match self.values.get(name) {
            Some(Scalar::Text(text)) => {
                !text.trim().is_empty() && self.text.contains(&text.to_lowercase())
            }
            _ => false,
        }
    }

    /// Whether another variable stands where it would show this one.
    fn replaces(&self, name: &str, template: &Template) -> bool {
        let given = self.values.iter();
        let given = values(given.map(|(name, value)| (name.as_str(), value.clone())));
        let others = replacements(&template.reading, name, &given);
        others.into_iter().any(|other| {
            let is_text = match self.values.get(other) {
                Some(Scalar::Text(text)) => !text.trim().is_empty(),
                _ => false,
            };
            // What is no text in a trial may be one in a row.
            self.shows(other) || !is_text && !template.reading.numbers.contains(other)
        })
    }
}

/// How the prompts fail to show a variable, if they do.
fn unseen(prompts: &[Prompt], shown: &str, template: &Template) -> Option<Unseen> {
    let empty = |prompt: &&Prompt| match prompt.values.get(shown) {
        Some(Scalar::Text(text)) => text.trim().is_empty(),
        _ => false,
    };
    let (with, without): (Vec<&Prompt>, Vec<&Prompt>) = prompts
        .iter()
        .filter(|prompt| !empty(prompt))
        .partition(|prompt| prompt.shows(shown));
    if with.is_empty() {
        return Some(Unseen::Never);
    }
    let lacking = without
        .iter()
        .find(|prompt| !prompt.replaces(shown, template))?;
    // Where all variables have values, none of them is to blame by its value; one may be by having another.
    let differs = |with: &&&Prompt| {
        let pairs = with.values.iter().zip(&lacking.values);
        pairs.filter(|(with, without)| with != without).count() == 1
    };
    let usual = lacking.apart == tries::USUAL;
    let unless = with.iter().find(differs).filter(|_| usual);
    Some(Unseen::When(match unless {
        Some(prompt) => prompt.apart.replacen("when", "unless", 1),
        None => lacking.apart.clone(),
    }))
}

#[cfg(test)]
mod tests;
