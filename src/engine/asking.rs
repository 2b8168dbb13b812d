//! Running a stage that asks a model: every row becomes a question, many are under way at once, and
//! the answers are put back in the order of the rows.
//!
//! Of a long table the rows that are answered are written away while others are still asked about, so
//! that memory is bounded by what is under way.

use std::sync::Arc;

use super::answers::{self, Answers};
use super::batch;
use super::in_flight::{Takes, Tally, each};
use super::outcome::NodeError;
use super::portions::Portions;
use super::product::Product;
use super::questions::Questions;
use super::ready;
use super::shared::Shared;
use super::until;
use super::workers::blocking;
use crate::base::key::Digest;
use crate::frame::Frame;
use crate::models::ask::Needs;
use crate::plan::NodeId;
use crate::stage::{Answer, Ask, Long, Read, ReadsAnswers};

/// What came of the work.
pub(super) struct Asked {
    pub(super) product: Product,
    /// Calls that failed: the result is good for this run and not reused by the next.
    pub(super) failed_calls: bool,
}

/// Asks about every row of `input` and reads the answers.
pub(super) async fn run(
    shared: &Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
    input: Arc<Frame>,
) -> Result<Asked, NodeError> {
    let input = blocking({
        let shared = Arc::clone(shared);
        move || ready::asked(shared.plan.node(id), input)
    })
    .await??;
    let questions = Questions::new(shared, id, script, Arc::clone(&input)).await?;
    let questions = Arc::new(questions);
    let total = input.rows() * questions.asking.repeats as usize;
    let asks = shared.plan.node(id).stage.asks();
    let looks_back = asks.is_some_and(Ask::looks_back);
    let whole = questions.model.needs() != Needs::Prompt || looks_back;
    let mut portions = Portions::of_one(&questions);
    portions.rehearse().await?;
    if questions.asking.batch && !shared.offline && !questions.on_cluster() {
        batch::hand_in(&questions).await?;
    }
    let (product, tally, total) = if let Some(rule) = asks.and_then(Ask::until) {
        until::run(&mut portions, rule).await?
    } else {
        let answers = Answers::new(shared, id, input, questions.asking.repeats, whole);
        let mut put = Put {
            answers,
            tally: Tally::default(),
        };
        each(&questions, 0..total, &mut put).await?;
        (put.answers.end(&questions.reader).await?, put.tally, total)
    };
    let (failed, mut warnings) = tally.said(total)?;
    // Of documents that were chosen, the replies to the others are left over by intention.
    if matches!(questions.model.needs(), Needs::Columns(_)) && !shared.plan.chooses_before(id) {
        let asked = questions.rows.matched()?;
        warnings.extend(questions.model.left_over(&asked));
    }
    Ok(Asked {
        product: product.with_warnings(warnings),
        failed_calls: failed,
    })
}

/// Asks about every row of a table of which a part is in memory at a time.
pub(super) async fn run_in_parts(
    shared: &Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
    input: Arc<dyn Long>,
) -> Result<Asked, NodeError> {
    let mut portions = Portions::new(shared, id, script, input);
    portions.rehearse().await?;
    let until = shared.plan.node(id).stage.asks().and_then(Ask::until);
    let (product, tally, total) = match until {
        Some(rule) => until::run(&mut portions, rule).await?,
        None => all(&portions).await?,
    };
    let (failed, warnings) = tally.said(total)?;
    Ok(Asked {
        product: product.with_warnings(warnings),
        failed_calls: failed,
    })
}

/// Asks about every row, part by part.
async fn all(portions: &Portions) -> Result<(Product, Tally, usize), NodeError> {
    let (mut file, mut tally, mut total) = (None, Tally::default(), 0);
    for at in 0..portions.long.rows().len() {
        let questions = portions.part(at).await?;
        let (shared, id, repeats) = (&questions.shared, questions.id, questions.asking.repeats);
        let part = Arc::clone(questions.rows.frame());
        let count = part.rows() * repeats as usize;
        total += count;
        let mut put = Put {
            answers: Answers::new(shared, id, part, repeats, false).after(file),
            tally,
        };
        each(&questions, 0..count, &mut put).await?;
        file = put.answers.close(&questions.reader).await?;
        tally = put.tally;
    }
    Ok((answers::product(file).await?, tally, total))
}

/// Answers that are put into a table as they come.
struct Put {
    answers: Answers,
    tally: Tally,
}

impl Takes for Put {
    fn has_room(&self, index: usize) -> bool {
        self.answers.has_room(index)
    }

    async fn take(
        &mut self,
        index: usize,
        answer: (Answer, Read),
        reader: &Arc<dyn ReadsAnswers>,
    ) -> Result<(), NodeError> {
        self.tally.count(&answer.0);
        self.answers.put(index, answer, reader).await
    }

    fn give_up(&mut self) {
        self.answers.give_up();
    }
}
