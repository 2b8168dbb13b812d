//! Which rows are asked about next, and where a group ends.

use std::collections::VecDeque;

use super::{Group, Until};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::stage::relation::Ended;

/// What of a difference is rounding.
const ROUNDING: f64 = 1e-9;

/// The scores of a row, metric by metric; nothing where there is none.
type Scores = Vec<Option<f64>>;

/// A judge that asks about groups of rows until their means settle.
pub(crate) struct Stopping<'u> {
    until: &'u Until,
    groups: Vec<Asked>,
    /// For each row the group and the number in its order.
    places: Vec<Option<(usize, usize)>>,
    /// How many answers of each metric the longest group has, once all have ended.
    longest: Option<Vec<usize>>,
}

/// A group, and what is known of it.
struct Asked {
    group: Group,
    /// How many of its rows were handed out to be asked about.
    handed: usize,
    /// What they said.
    said: Vec<Option<Scores>>,
    /// How many of these were looked at, in their order.
    looked: usize,
    means: Vec<Mean>,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    /// The mean has settled.
    Settled,
    /// There are no more rows, or no more may be asked about.
    Out,
}

/// The mean of one metric's scores, row after row.
#[derive(Clone, Default)]
struct Mean {
    sum: f64,
    count: usize,
    /// The last ones.
    last: VecDeque<f64>,
}

impl Mean {
    fn add(&mut self, score: f64, window: usize) {
        self.sum += score;
        self.count += 1;
        self.last.push_back(self.sum / self.count as f64);
        if self.last.len() > window + 1 {
            self.last.pop_front();
        }
    }

    fn settled(&self, until: &Until) -> bool {
        let most = self.last.iter().copied().fold(f64::MIN, f64::max);
        let least = self.last.iter().copied().fold(f64::MAX, f64::min);
        let rounding = ROUNDING * most.abs().max(least.abs()).max(1.0);
        self.count >= until.least
            && self.last.len() > until.window
            && most - least <= until.within + rounding
    }
}

impl<'u> Stopping<'u> {
    /// With the groups of so many rows.
    pub(crate) fn new(until: &'u Until, groups: Vec<Group>, rows: usize, metrics: usize) -> Self {
        let mut places = vec![None; rows];
        for (at, group) in groups.iter().enumerate() {
            for (number, &row) in group.rows.iter().enumerate() {
                places[row] = Some((at, number));
            }
        }
        let groups = groups.into_iter().map(|group| Asked {
            said: vec![None; group.rows.len()],
            group,
            handed: 0,
            looked: 0,
            means: vec![Mean::default(); metrics],
            end: End::Open,
        });
        Self {
            until,
            groups: groups.collect(),
            places,
            longest: None,
        }
    }

    /// The rows to ask about next; none, when all groups have ended. All that were handed out before have answers.
    ///
    /// `at_once` are asked at a time: as many are tried beyond what is needed for certain, and no more.
    pub(crate) fn next(&mut self, at_once: usize) -> Vec<usize> {
        for group in &mut self.groups {
            group.look(self.until);
        }
        let open = self.groups.iter().filter(|group| group.end == End::Open);
        let each = at_once.checked_div(open.count()).unwrap_or(0).max(1);
        let mut rows = Vec::new();
        for group in self
            .groups
            .iter_mut()
            .filter(|group| group.end == End::Open)
        {
            let counted = group.means.iter().map(|mean| mean.count).min().unwrap_or(0);
            let needed = self.until.least.saturating_sub(counted);
            rows.extend(group.hand_out(needed.max(each)));
        }
        if rows.is_empty() && self.until.align {
            rows = self.align();
        }
        rows
    }

    /// What the groups lack that have fewer answers than the longest.
    fn align(&mut self) -> Vec<usize> {
        let groups = &mut self.groups;
        let longest = self.longest.get_or_insert_with(|| {
            let metrics = groups.first().map_or(0, |group| group.means.len());
            let counts = |metric: usize| groups.iter().map(move |group| group.means[metric].count);
            (0..metrics)
                .map(|of| counts(of).max().unwrap_or(0))
                .collect()
        });
        let mut rows = Vec::new();
        for group in groups {
            rows.extend(group.reach(longest, self.until.window));
        }
        rows
    }

    /// Takes what a row said.
    pub(crate) fn said(&mut self, row: usize, scores: Vec<Option<f64>>) {
        if let Some((group, number)) = self.places.get(row).copied().flatten() {
            self.groups[group].said[number] = Some(scores);
        }
    }

    /// The rows that the result is about, in the order of the table, each with its number in the order of its group.
    pub(crate) fn kept(&self) -> Vec<(usize, usize)> {
        let rows = self.groups.iter().flat_map(|group| {
            let rows = group.group.rows.iter().take(group.looked);
            rows.enumerate().map(|(number, &row)| (row, number + 1))
        });
        let mut rows: Vec<(usize, usize)> = rows.collect();
        rows.sort_unstable();
        rows
    }

    /// Where each group ended.
    pub(crate) fn ended(&self) -> Vec<Ended> {
        let groups = self.groups.iter().map(|group| Ended {
            group: group.group.name.clone(),
            asked: group.looked as u64,
            counted: group
                .means
                .iter()
                .map(|mean| mean.count as u64)
                .min()
                .unwrap_or(0),
            settled: group.end == End::Settled,
        });
        groups.collect()
    }
}

impl Asked {
    /// Looks at the next answer, if it is there.
    fn step(&mut self, window: usize) -> bool {
        let Some(Some(scores)) = self.said.get(self.looked) else {
            return false;
        };
        for (mean, score) in self.means.iter_mut().zip(scores) {
            if let Some(score) = score {
                mean.add(*score, window);
            }
        }
        self.looked += 1;
        true
    }

    /// Looks at answers until the means have settled.
    fn look(&mut self, until: &Until) {
        while self.end == End::Open {
            if self.looked > 0 && self.means.iter().all(|mean| mean.settled(until)) {
                self.end = End::Settled;
            } else if self.looked == self.group.rows.len() {
                self.end = End::Out;
            } else if !self.step(until.window) {
                break;
            }
        }
    }

    /// Looks at answers until there are so many of each metric; the rows that are needed for that.
    fn reach(&mut self, longest: &[usize], window: usize) -> Vec<usize> {
        loop {
            let counts = self.means.iter().map(|mean| mean.count);
            let lacks = counts
                .zip(longest)
                .map(|(count, most)| most.saturating_sub(count));
            let lacks = lacks.max().unwrap_or(0);
            if lacks == 0 {
                return Vec::new();
            }
            if !self.step(window) {
                return self.hand_out(lacks);
            }
        }
    }

    /// Hands out so many rows behind those that were looked at, but for those that were handed out before.
    fn hand_out(&mut self, rows: usize) -> Vec<usize> {
        let end = self.group.rows.len().min(self.looked.saturating_add(rows));
        let from = self.handed.min(end);
        self.handed = self.handed.max(end);
        self.group.rows[from..end].to_vec()
    }
}

/// The rows with their numbers, as the table shows them.
pub(crate) fn numbered(rows: &Frame, kept: &[(usize, usize)]) -> Result<Frame, FrameError> {
    let (rows_kept, numbers): (Vec<usize>, Vec<usize>) = kept.iter().copied().unzip();
    let numbers = numbers.into_iter().map(|number| i64::try_from(number).ok());
    let frame = rows.take(&rows_kept)?;
    frame.with_column(super::ASKED, ColumnData::Int(numbers.collect()))
}
