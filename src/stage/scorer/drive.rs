//! Driving the program: several of it side by side, started again where one dies.
//!
//! A program that dies may have read far ahead, so the row at which it died is not known. It is handed the first row that
//! it did not answer by itself; if it dies twice at that, the row is to blame and is given up. If not, it is handed two
//! rows, four, and so on, and at last all that are left.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Scorer;
use super::answer::{self, Answer};
use super::row::Asked;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::program::{LINE, Program, Run, Trouble, complained};
use crate::base::wording::count;
use crate::stage::inputs::World;

/// What became of a row that was asked about.
pub(super) enum Told {
    /// It was answered.
    Answer(Box<Answer>),
    /// It was given up.
    Failed(String),
}

/// How many bytes a reply may have, and how many more for each byte of the row.
const REPLY: u64 = 16 * LINE;
const REPLY_PER_BYTE: u64 = 128;

/// How often the program is handed a row by itself before the row is given up.
const TRIES: u32 = 2;

/// After so many rows at once that went well it is handed all.
const CAREFUL: usize = 64;

/// How often replies are put away.
const KEEP: Duration = Duration::from_secs(1);

/// A program and the rows that it is asked about.
pub(super) struct Drive<'d> {
    scorer: &'d Scorer,
    world: &'d dyn World,
    asked: &'d [Asked],
    /// One of the programs failed: the others need not go on.
    halted: AtomicBool,
}

/// What the rows of one program came to.
#[derive(Default)]
struct Part {
    told: Vec<Told>,
    /// How often it was started again.
    restarts: u32,
    /// How it ended, where that was not well, the last time.
    ended: Option<String>,
}

/// Why rows are left.
enum End {
    /// The program died or said nothing for too long; in words.
    Died(String),
    /// Nothing can be done.
    Failed(Failure),
    /// The run is to stop, or another program failed.
    Stopped,
}

impl<'d> Drive<'d> {
    pub(super) fn new(scorer: &'d Scorer, world: &'d dyn World, asked: &'d [Asked]) -> Self {
        Self {
            scorer,
            world,
            asked,
            halted: AtomicBool::new(false),
        }
    }

    /// Has all rows answered, in their order.
    pub(super) fn all(&self, warnings: &mut Vec<String>) -> Result<Vec<Told>, Failure> {
        let jobs = rayon::current_num_threads();
        let processes = (self.scorer.processes as usize).min(jobs).max(1);
        let each = self.asked.len().div_ceil(processes).max(1);
        let parts: Vec<Result<Part, End>> = thread::scope(|scope| {
            let parts = self.asked.chunks(each);
            let started: Vec<_> = parts.map(|rows| scope.spawn(|| self.part(rows))).collect();
            let joined = started.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let (mut whole, mut stopped) = (Part::default(), false);
        for part in parts {
            match part {
                Ok(part) => {
                    whole.told.extend(part.told);
                    whole.restarts += part.restarts;
                    whole.ended = part.ended.or(whole.ended);
                }
                Err(End::Failed(failure)) => return Err(failure),
                Err(End::Died(_) | End::Stopped) => stopped = true,
            }
        }
        if stopped {
            return Err(Failure::new("the scorer was stopped"));
        }
        if let Some(ended) = whole.ended {
            warnings.push(match whole.restarts {
                0 => format!("the program {ended}, after its last reply"),
                restarts => format!(
                    "the program {ended}, and was started again ({})",
                    count(restarts, "time")
                ),
            });
        }
        Ok(whole.told)
    }

    /// Has some rows answered by one program at a time. What was answered is kept, however it ends.
    fn part(&self, rows: &[Asked]) -> Result<Part, End> {
        let mut part = Part::default();
        let mut kept = Kept::new(self.world);
        let ended = self.answered(rows, &mut part, &mut kept);
        let lost = part.told.iter().any(|told| matches!(told, Told::Failed(_)));
        if ended.is_err() {
            self.halted.store(true, Ordering::Relaxed);
        }
        let kept = if ended.is_err() || lost {
            kept.put_away()
        } else {
            Ok(())
        };
        // What went wrong first is what there is to repair.
        ended?;
        kept.map_err(End::Failed)?;
        Ok(part)
    }

    fn answered(&self, rows: &[Asked], part: &mut Part, kept: &mut Kept<'_>) -> Result<(), End> {
        // How many rows it is handed at once, where that is not all, and how often the first of them by itself.
        let (mut size, mut tries) = (None, 0);
        while part.told.len() < rows.len() {
            let first = part.told.len();
            let last = size.map_or(rows.len(), |size| rows.len().min(first + size));
            let how = match self.session(&rows[first..last], part, kept) {
                Ok(()) => None,
                Err(End::Died(how)) => Some(how),
                Err(end) => return Err(end),
            };
            part.ended = how.clone().or(part.ended.take());
            let Some(how) = how.filter(|_| part.told.len() < last) else {
                // All were answered, however it ended then.
                tries = 0;
                size = size.map(|size| 2 * size).filter(|&size| size <= CAREFUL);
                continue;
            };
            let alone = last - first == 1;
            tries = if alone { tries + 1 } else { 0 };
            if tries == TRIES {
                part.told.push(Told::Failed(format!("the program {how}")));
                (size, tries) = (None, 0);
                if part.told.len() == rows.len() {
                    return Ok(());
                }
            } else {
                size = Some(1);
            }
            if part.restarts == self.scorer.restarts {
                return Err(End::Failed(self.too_often(&how, part, rows)));
            }
            part.restarts += 1;
        }
        Ok(())
    }

    /// Starts the program for some rows and reads its answers.
    fn session(&self, rows: &[Asked], part: &mut Part, kept: &mut Kept<'_>) -> Result<(), End> {
        let stop = || self.world.is_stopped() || self.halted.load(Ordering::Relaxed);
        let limit = |asked: &Asked| {
            REPLY.saturating_add(REPLY_PER_BYTE.saturating_mul(asked.fields.len() as u64))
        };
        let run = Run {
            command: &self.scorer.program.command,
            lines: [LINE].into_iter().chain(rows.iter().map(limit)).collect(),
            patience: Some(self.scorer.timeout),
            stop: &stop,
        };
        let lines = rows.iter().enumerate();
        let lines = lines.map(|(id, row)| format!("{{\"id\":{id},{}}}", row.fields).into_bytes());
        let mut program = Program::start(run, lines).map_err(|trouble| self.end(trouble, None))?;
        let greeting = match program.line() {
            Ok(line) => line,
            // No row can be to blame.
            Err(Trouble::Ended(status)) => {
                let what = format!("ended ({status}) before it had greeted");
                return Err(End::Failed(self.failed(&what, &mut program)));
            }
            Err(Trouble::Silent(patience)) => {
                let seconds = patience.as_secs_f64();
                let what = format!("said nothing for {seconds} s and had not greeted");
                let failure = self.failed(&what, &mut program);
                return Err(End::Failed(failure.hint(
                    "have it greet when it is ready, or give it longer with `timeout`",
                )));
            }
            Err(trouble) => return Err(self.end(trouble, Some(&mut program))),
        };
        let greeted = answer::check_greeting(&greeting, &self.scorer.program.version);
        greeted.map_err(|what| self.invalid(&what, &mut program))?;
        for (id, row) in rows.iter().enumerate() {
            let line = match program.line() {
                Ok(line) => line,
                Err(trouble) => return Err(self.end(trouble, Some(&mut program))),
            };
            let answer = Answer::read(&line).and_then(|answer| match answer.id {
                found if found == id as u64 => Ok(answer),
                found => Err(format!(
                    "`id` is {found}: there must be one reply for each row, in the order of the rows"
                )),
            });
            let answer = answer.map_err(|what| {
                let document = row.document.as_ref();
                let document = document.map_or_else(String::new, |name| format!(" (`{name}`)"));
                let what = format!("in the reply to row {}{document}, {what}", row.row + 1);
                self.invalid(&what, &mut program)
            })?;
            part.told.push(Told::Answer(Box::new(answer)));
            kept.add(row.key, line).map_err(End::Failed)?;
        }
        match program.finish() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.end(Trouble::Ended(status), Some(&mut program))),
            Err(trouble) => Err(self.end(trouble, Some(&mut program))),
        }
    }

    /// What it means that there is no line.
    fn end(&self, trouble: Trouble, program: Option<&mut Program<'_>>) -> End {
        let command = || self.scorer.program.command.join(" ");
        let said = |program: Option<&mut Program<'_>>| {
            complained(&program.map(Program::last_words).unwrap_or_default())
        };
        match trouble {
            Trouble::Stopped => End::Stopped,
            Trouble::Ended(status) => End::Died(format!("ended ({status}){}", said(program))),
            Trouble::Silent(patience) => End::Died(format!(
                "said nothing for {} s{}",
                patience.as_secs_f64(),
                said(program)
            )),
            Trouble::Start(problem) => {
                let name = self.scorer.program.command.first();
                End::Failed(Failure::new(format!(
                    "cannot start the scorer `{}`: {problem}",
                    name.map_or("", String::as_str)
                )))
            }
            Trouble::NoCommand => End::Failed(self.scorer.program.not_started("scorer")),
            Trouble::Talk(problem) => End::Failed(Failure::new(format!(
                "cannot talk to the scorer `{}`: {problem}",
                command()
            ))),
            Trouble::Long(limit) => End::Failed(Failure::new(format!(
                "the scorer `{}` wrote a line of more than {limit} bytes{}",
                command(),
                said(program)
            ))),
            Trouble::More => End::Failed(
                Failure::new(format!(
                    "the scorer `{}` wrote more lines than there are rows{}",
                    command(),
                    said(program)
                ))
                .hint(ONE_LINE),
            ),
        }
    }

    /// The failure of a program that says something else than it should.
    fn invalid(&self, what: &str, program: &mut Program<'_>) -> End {
        let what = format!("gave an invalid answer: {what}");
        End::Failed(self.failed(&what, program).hint(ONE_LINE))
    }

    fn failed(&self, what: &str, program: &mut Program<'_>) -> Failure {
        Failure::new(format!(
            "the scorer `{}` {what}{}",
            self.scorer.program.command.join(" "),
            complained(&program.last_words())
        ))
    }

    fn too_often(&self, how: &str, part: &Part, rows: &[Asked]) -> Failure {
        let given_up = |told: &&Told| matches!(told, Told::Failed(_));
        Failure::new(format!(
            "the scorer `{}` {how}, having answered {} of {}, and was started again {} before",
            self.scorer.program.command.join(" "),
            part.told.len() - part.told.iter().filter(given_up).count(),
            count(rows.len(), "row"),
            count(part.restarts, "time")
        ))
        .hint("what it answered is kept: repair it and run again; `restarts` says how often it may be started again")
    }
}

/// How to repair answers.
const ONE_LINE: &str =
    "write one line of JSON for each row to standard output, and anything else to standard error";

/// Replies that are not put away yet.
struct Kept<'w> {
    world: &'w dyn World,
    waiting: Vec<(Digest, Vec<u8>)>,
    since: Instant,
}

impl<'w> Kept<'w> {
    fn new(world: &'w dyn World) -> Self {
        Self {
            world,
            waiting: Vec::new(),
            since: Instant::now(),
        }
    }

    /// Takes a reply, and puts all away every now and then. What a quick program said in less time is not worth it.
    fn add(&mut self, key: Digest, line: Vec<u8>) -> Result<(), Failure> {
        self.waiting.push((key, line));
        if self.since.elapsed() >= KEEP {
            return self.put_away();
        }
        Ok(())
    }

    fn put_away(&mut self) -> Result<(), Failure> {
        self.since = Instant::now();
        let waiting = std::mem::take(&mut self.waiting);
        self.world.keep(&waiting)
    }
}
