//! What a judge asks, and who reads its answers.

use std::sync::Arc;

use super::compare::{Compare, ORDER};
use super::expecting::Expects;
use super::read::read_reply;
use super::{Judge, OwnSchema, Structured, Until, table};
use crate::base::draw::Source;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::models::parse::Reader;
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

    fn reader(&self) -> Result<Box<dyn ReadsAnswers>, Failure> {
        let reader = self.parser()?;
        let expects = self.expected.map(|how| Expects::new(how, &self.scale));
        Ok(Box::new(JudgeReader {
            judge: self.clone(),
            reader,
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

/// A judge and the parser of its replies.
struct JudgeReader {
    judge: Judge,
    reader: Reader,
    expects: Option<Expects>,
}

impl ReadsAnswers for JudgeReader {
    fn read(&self, answer: &Answer) -> Read {
        let expects = self.expects.as_ref();
        Read::Scores(read_reply(
            &self.reader,
            expects,
            &self.judge,
            &answer.reply,
        ))
    }

    fn tabulate(&self, input: &Frame, answers: Vec<(Answer, Read)>) -> Result<Output, Failure> {
        let scores = answers.into_iter();
        let scores = scores.filter_map(|(answer, read)| Some((answer, read.scores()?)));
        table::tabulate(&self.judge, input, scores.collect())
    }
}

impl Judge {
    /// What reads the verdicts off its replies.
    ///
    /// # Errors
    /// When a metric has a name that no reply could hold.
    pub fn parser(&self) -> Result<Reader, Failure> {
        let reader = Reader::new(self.parse, &self.metrics);
        let reader = reader.map_err(|error| Failure::new(error.to_string()))?;
        let paths = self.schema.as_ref().map(OwnSchema::paths);
        Ok(reader
            .with_finals(self.finals.unwrap_or_default())
            .with_paths(paths))
    }

    /// The JSON schema that the server holds the reply to, where it is made of its metrics and scale.
    fn structure(&self) -> Option<serde_json::Value> {
        let structured = self.structured?;
        let schema = self.parse.schema()?;
        let reasoning = structured != Structured::Scores;
        let issues = structured == Structured::Issues;
        Some(schema(&self.metrics, &self.scale, reasoning, issues))
    }
}
