//! What a judge asks, and who reads its answers.

use std::sync::Arc;

use super::compare::{Compare, ORDER};
use super::expecting::Expects;
use super::read::read_reply;
use super::{Judge, Replies, Said, Structured, Until, table};
use crate::base::draw::Source;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::models::spec::ModelSpec;
use crate::stage::asking::{Expected, Read, ReadsAnswers};
use crate::stage::contract::Ask;
use crate::stage::{Answer, Asking, Missing, Output, StageName};

impl Ask for Judge {
    fn asking(&self) -> Asking {
        Asking {
            from: self.from.clone(),
            model: self.model.clone(),
            prompt: self.prompt.clone(),
            metrics: self.metrics.clone().into(),
            scale: self.scale.clone(),
            repeats: self.repeats,
            retry_cut: self.retry_cut,
            schema: self.structure().map(Arc::new),
            batch: self.batch,
            adds: self.adds().map(str::to_owned).collect(),
        }
    }

    fn asked(
        &self,
        input: Arc<Frame>,
        stage: &StageName,
        seed: u64,
    ) -> Result<Arc<Frame>, Failure> {
        match &self.compare {
            Some(compare) => {
                let source = Source::new(seed, &[&stage.to_string(), ORDER]);
                Ok(Arc::new(compare.rows(&input, &source)?))
            }
            None => Ok(input),
        }
    }

    fn makes_rows(&self) -> bool {
        self.compare.is_some()
    }

    fn asks_for_each(&self) -> Option<u64> {
        self.compare.as_ref().map_or(Some(1), Compare::for_each)
    }

    fn model(&self) -> &ModelSpec {
        &self.model
    }

    fn repeats(&self) -> u32 {
        self.repeats
    }

    fn looks_back(&self) -> bool {
        false
    }

    fn in_parts(&self) -> bool {
        self.compare.is_none()
    }

    fn until(&self) -> Option<&Until> {
        self.until.as_ref()
    }

    fn reader(&self, said: &Arc<Said>) -> Result<Box<dyn ReadsAnswers>, Failure> {
        let expects = self.expected.map(|how| Expects::new(how, &self.scale));
        Ok(Box::new(JudgeReader {
            replies: Replies::of(self.clone(), said)?,
            expects: expects.transpose()?,
        }))
    }

    fn expected(&self) -> Expected {
        Expected {
            what: Missing::Unscored,
            limit: self.max_unscored,
            parts: self.metrics.len() as u64,
        }
    }
}

/// What reads the answers to a judge.
struct JudgeReader {
    replies: Replies,
    expects: Option<Expects>,
}

impl ReadsAnswers for JudgeReader {
    fn read(&self, answer: &Answer) -> Read {
        let expects = self.expects.as_ref();
        Read::Scores(read_reply(&self.replies, expects, &answer.reply))
    }

    fn tabulate(&self, input: &Frame, answers: Vec<(Answer, Read)>) -> Result<Output, Failure> {
        let scores = answers.into_iter();
        let scores = scores.filter_map(|(answer, read)| Some((answer, read.scores()?)));
        table::tabulate(self.replies.judge(), input, scores.collect())
    }
}

impl Judge {
    /// The JSON schema that the server holds the reply to, where it is made of its metrics and scale.
    fn structure(&self) -> Option<serde_json::Value> {
        let structured = self.structured?;
        let schema = self.parse.schema()?;
        let reasoning = structured != Structured::Scores;
        let issues = structured == Structured::Issues;
        Some(schema(&self.metrics, &self.scale, reasoning, issues))
    }
}
