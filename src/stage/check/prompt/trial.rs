//! Templates with stand-ins for what a row holds: whether they can be rendered, and what a model sees then.

use super::{PromptCheck, Written};
use crate::models::template::{Failing, Unseen, judged};
use crate::toml::{Place, Problem, Problems};

impl PromptCheck<'_> {
    /// What is judged has to be in the prompt whatever else the row has, and so do the metrics. Says whether a prompt
    /// ends with how the reply begins.
    pub(super) fn shows(
        &self,
        written: &Written<'_>,
        partly: &[String],
        problems: &mut Problems,
    ) -> bool {
        let name = self.name;
        let judged = judged(self.given.iter().map(String::as_str));
        let metrics = written.metrics.unwrap_or_default();
        let trial = self
            .templates()
            .trial(name, &self.given, partly, metrics, &written.scale);
        if let Some(why) = trial.endless {
            let problem = Problem::error("lint::endless-template", why)
                .label_at(self.named(), "cannot be rendered, whatever the row holds");
            problems.push(problem.help("make loops, macros and `set` produce less"));
            return false;
        }
        if let Some(failing) = trial.failing {
            self.failing(failing, problems);
            return false;
        }
        let unseen = trial.unseen.is_some();
        if let Some((column, unseen)) = judged.zip(trial.unseen) {
            let (code, message, label) = match unseen {
                Unseen::Never => (
                    "lint::unused-variable",
                    format!("template `{name}` uses `{column}` and never shows it"),
                    format!("the model would never see `{column}`"),
                ),
                Unseen::When(apart) => (
                    "lint::dropped-variable",
                    format!("template `{name}` leaves out `{column}` {apart}"),
                    format!("the model would not see `{column}`"),
                ),
            };
            let parts = self.templates().with_includes(name);
            let mut texts = parts.iter().filter_map(|part| self.templates().text(part));
            let also = if texts.any(|text| text.contains('~')) {
                format!("; in `{{{{ a if b else c ~ {column} }}}}` it belongs to `c`")
            } else {
                String::new()
            };
            let help = format!(
                "put `{{{{ {column} }}}}` into `templates/{name}.j2` outside of conditions{also}"
            );
            let problem = Problem::error(code, message).label_at(self.named(), label);
            problems.push(problem.help(help));
        }
        // What is never shown is not also shown in part.
        if let Some(lost) = trial.lost.filter(|_| !unseen) {
            let problem = Problem::error("lint::lost-text", lost.message);
            let problem = problem.label_at(self.named(), "the model would not see all it is given");
            problems.push(problem.help(lost.hint.unwrap_or_default()));
        }
        for metric in trial.unasked.iter().filter(|_| written.named) {
            self.not_asked(metric, problems);
        }
        trial.begins
    }

    /// A template that no row can be put into.
    fn failing(&self, failing: Failing, problems: &mut Problems) {
        let line = |number: usize| {
            let text = self.templates().text(&failing.name)?;
            let source = *self.context.templates.sources.get(&failing.name)?;
            let before = number.checked_sub(1)?;
            let start = text.split_inclusive('\n').take(before).map(str::len).sum();
            let line = text.lines().nth(before)?;
            Some(Place::new(source, start..start + line.len()))
        };
        let message = format!(
            "template `{}` cannot be rendered, whatever a row holds: {}",
            failing.name, failing.message
        );
        let mut problem = Problem::error("lint::failing-template", message)
            .label_at(failing.line.and_then(line), "here")
            .label_at(self.named(), "used here");
        if let Some(hint) = failing.hint {
            problem = problem.help(hint);
        }
        problems.push(problem);
    }
}
