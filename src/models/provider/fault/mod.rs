//! Errors of model servers: what a status and a body mean.
//!
//! A status says little: 400 is a prompt that is too long, one that a filter refused, a parameter that no call of the
//! model can have, or bad luck. Servers say more in the body, each in its own words, so those go first.

mod said;
mod words;

use std::time::Duration;

use serde_json::Value;

pub(super) use self::said::{Said, is_error};
use super::answer::{Answer, excerpt};
use crate::base::fetch::Status;
use crate::base::wording::{thousands, time};
use crate::models::ask::CallError;
use crate::models::spec::ModelSpec;

/// A wait that is told because whoever looks on would not expect it.
const LONG: Duration = Duration::from_mins(10);

/// Where Alibaba's servers are.
const ALIBABA: &str = ".aliyuncs.com";

/// An error as it arrived.
struct Fault<'f> {
    status: u16,
    /// How it is introduced: with the status, where it came as one.
    heading: String,
    said: Said,
    url: &'f str,
    after: Option<Duration>,
    spec: &'f ModelSpec,
}

/// What an answer means whose status is no success.
pub(super) fn of_answer(answer: &Answer, spec: &ModelSpec) -> CallError {
    let status = answer.status;
    if (300..400).contains(&status) {
        // It would be followed with the key in hand, to wherever.
        let place = answer.location.as_deref().unwrap_or("nowhere");
        let place = place.split(['?', '#']).next().unwrap_or_default();
        return CallError::Fatal(format!(
            "`{}` sends on to `{}` ({}), which is not followed; write the url that is meant as `base-url`",
            answer.url,
            excerpt(place.as_bytes(), 200),
            Status::of(status),
        ));
    }
    let fault = Fault {
        status,
        heading: format!("the server answers {}", Status::of(status)),
        said: Said::of_answer(answer),
        url: &answer.url,
        after: answer.after,
        spec,
    };
    fault.meaning()
}

/// What an error means that came within an answer, with its own status if it has one.
pub(super) fn within(status: Option<u16>, value: &Value, spec: &ModelSpec, url: &str) -> CallError {
    let said = Said::of(value);
    let status = status.or(said.status);
    let fault = Fault {
        status: status.unwrap_or_else(|| words::status(&said)),
        heading: "the server answers with an error".to_owned(),
        said,
        url,
        after: None,
        spec,
    };
    fault.meaning()
}

/// What a web page means that came with the status of a success.
pub(super) fn page(url: &str) -> String {
    let advice = if has_version(url) {
        ""
    } else {
        " most servers want `/v1` at its end"
    };
    format!("`{url}` answers with a web page, not with a reply: is `base-url` right?{advice}")
}

impl Fault<'_> {
    fn meaning(&self) -> CallError {
        let said = &self.said;
        if self.status == 413 || words::is_too_long(said, self.status) {
            return CallError::TooLong(self.with("the prompt does not fit"));
        }
        if words::is_filtered(said, self.status) {
            return CallError::Refused(self.with("the server refuses the prompt"));
        }
        if self.status == 402 || (words::is_unpaid(said) && !self.is_limit_of_alibaba()) {
            return CallError::Fatal(self.with(&self.unpaid()));
        }
        if words::is_about_key(said) {
            return CallError::Fatal(self.locked());
        }
        if words::is_about_model(said, self.status) {
            return CallError::Fatal(self.unknown_model());
        }
        if words::is_out_of_memory(said) {
            return CallError::Fatal(self.with("the server cannot load the model"));
        }
        match self.status {
            401 | 403 => CallError::Fatal(self.locked()),
            404 | 405 => CallError::Fatal(self.misplaced()),
            410 | 501 => CallError::Fatal(self.with(&self.heading)),
            // 498: Groq has no capacity left; 529: Anthropic is overloaded.
            429 | 498 | 503 | 529 => self.busy(),
            _ if words::is_overloaded(said) => self.busy(),
            // 424: TGI broke while it wrote.
            408 | 409 | 424 | 425 | 500.. => CallError::Broken(self.with(&self.heading)),
            400..500 => match words::parameter(said, self.spec) {
                // No document can be blamed for it.
                Some(name) => CallError::Fatal(self.not_taken(&name)),
                None => CallError::Failed(self.with(&self.heading)),
            },
            _ => CallError::Broken(self.with(&self.heading)),
        }
    }

    /// Whether it is a limit per minute, of which Alibaba speaks as OpenAI does of an empty account
    /// (`insufficient_quota`). Accounts that owe it something are told with another status.
    fn is_limit_of_alibaba(&self) -> bool {
        let url = url::Url::parse(self.url);
        let host = url.as_ref().ok().and_then(url::Url::host_str);
        self.status == 429 && host.is_some_and(|host| host.ends_with(ALIBABA))
    }

    fn busy(&self) -> CallError {
        let mut message = self.with(&self.heading);
        // Longer than anybody waits: see `traffic`.
        if let Some(after) = self.after.filter(|after| *after > LONG) {
            let seconds = after.as_secs_f64();
            let long = match seconds / (24.0 * 3600.0) {
                days @ 2.0.. => format!("{} days", thousands(days as u64)),
                _ => time(seconds),
            };
            message = format!("{message} (it asks to wait {long})");
        }
        CallError::Busy {
            message,
            after: self.after,
        }
    }

    /// A heading and what the server says.
    fn with(&self, heading: &str) -> String {
        match self.said.message.as_str() {
            "" => heading.to_owned(),
            message => format!("{heading}: {message}"),
        }
    }

    fn variable(&self) -> Option<&str> {
        self.spec.provider.server()?.key.as_deref()
    }

    fn unpaid(&self) -> String {
        match self.variable() {
            Some(variable) => format!("the account of the key in `{variable}` has nothing left"),
            None => "the account has nothing left".to_owned(),
        }
    }

    fn locked(&self) -> String {
        match self.variable() {
            Some(variable) if self.status == 403 => self.with(&format!(
                "the key in `{variable}` does not open this ({})",
                Status::of(403)
            )),
            Some(variable) => self.with(&format!(
                "the server does not accept the key in `{variable}`"
            )),
            None => format!(
                "{}; if it asks for a key, name its variable in `api-key-env`",
                self.with(&self.heading)
            ),
        }
    }

    fn unknown_model(&self) -> String {
        self.with(&format!(
            "the server does not have the model `{}`",
            self.spec.asked()
        ))
    }

    /// A field that no call of the model can have.
    fn not_taken(&self, name: &str) -> String {
        let said = self.with(&format!("the server does not take this `{name}`"));
        let server = self.spec.provider.server();
        let instead = server.and_then(|server| {
            let contract = server.dialect.contract();
            (contract.instead)(&self.said, name)
        });
        match instead {
            Some(instead) => format!("{said}; {instead}"),
            None => said,
        }
    }

    /// A url under which there is nothing, or something that lacks what was asked for.
    fn misplaced(&self) -> String {
        let says_nothing = words::is_nothing_found(&self.said);
        let mut said = if self.status == 404 && self.said.structured && !says_nothing {
            self.with(&format!("{} at `{}`", self.heading, self.url))
        } else {
            let heading = format!(
                "nothing is served at `{}` ({})",
                self.url,
                Status::of(self.status)
            );
            if says_nothing {
                heading
            } else {
                self.with(&heading)
            }
        };
        if !has_version(self.url) {
            said.push_str("; most servers want `/v1` at the end of `base-url`");
        }
        said
    }
}

/// Whether a url names the version of the API, as those of most servers do.
fn has_version(url: &str) -> bool {
    url.contains("/v1/")
}

#[cfg(test)]
mod tests;
