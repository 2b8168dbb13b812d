//! Results of other people's evaluation tools as two tables: the answers that were judged, and what judges said of them.
//!
//! Each tool has a file with its layout. What a file lacks is absent with a reason, what cannot be read is a [`Problem`];
//! nothing that a file says is obeyed, and no path in it is opened.

mod inspect;
mod lm_eval;
mod promptfoo;
mod rows;
mod zip;

use std::path::Path;

pub use self::rows::Evals;
use self::zip::LARGEST;
use super::{Kind, Problem};
use crate::base::regular;

/// A tool whose results can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Logs of `inspect_ai`: `.json`, and `.eval`, a zip of these.
    Inspect,
    /// `results.json` of promptfoo.
    Promptfoo,
    /// `samples_….jsonl` of lm-evaluation-harness.
    LmEval,
}

impl Tool {
    /// The name of the folder that tables go to.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Promptfoo => "promptfoo",
            Self::LmEval => "lm-eval",
        }
    }
}

impl Evals {
    /// Reads a file of a tool, and adds what it holds. The same file gives the same rows.
    pub fn read(&mut self, tool: Tool, path: &Path, problems: &mut Vec<Problem>) {
        let shown = path.display().to_string();
        let bytes = match regular::read(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) => {
                problems.push(Problem::new(Kind::Unreadable, &shown, error.to_string()));
                return;
            }
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            problems.push(Problem::new(Kind::Empty, &shown, ""));
            return;
        }
        match tool {
            Tool::Inspect => inspect::read(self, &bytes, &shown, problems),
            Tool::Promptfoo => promptfoo::read(self, &bytes, &shown, problems),
            Tool::LmEval => lm_eval::read(self, &bytes, &shown, problems),
        }
    }
}
