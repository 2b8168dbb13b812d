//! A million rows joined to a million on two keys, and these grouped to a hundred thousand, in this process.
//!
//! Compared with polars' own left join and mean of the same tables, keys and columns, which count nothing and give no reasons.
//! Tables are made before the time begins. `cargo bench --bench relations -- 10000` does it with fewer rows.

mod measure;

use std::hint::black_box;
use std::time::Instant;

use measure::{Run, own_peak, repeat, report, say};
use polars::prelude::{
    Column, DataFrame, DataFrameJoinOps, JoinArgs, JoinType, MaintainOrderJoin, NamedFrom, Series,
};
use tribunal::frame::{ColumnData, Frame};
use tribunal::stage::{Expression, Group, Join, JoinHow, Kind, StageName};

/// Rows of each side.
const ROWS: usize = 1_000_000;

/// Rows of one document.
const PARTS: usize = 10;

/// Of how many rows on the right one has no partner.
const ODD: usize = 50;

/// The columns of one side: a document, its part, a number.
struct Side {
    documents: Vec<String>,
    parts: Vec<i64>,
    numbers: Vec<f64>,
}

impl Side {
    /// Every key once, in an order of its own; `odd` documents are of this side alone.
    fn new(rows: usize, step: usize, odd: bool) -> Self {
        let order = (0..rows).map(|at| at * step % rows);
        let name = |at: usize| {
            let other = if odd && (at / PARTS).is_multiple_of(ODD) {
                "other-"
            } else {
                ""
            };
            format!("{other}document-{:06}", at / PARTS)
        };
        Self {
            documents: order.clone().map(name).collect(),
            parts: order
                .clone()
                .map(|at| i64::try_from(at % PARTS).unwrap_or_default())
                .collect(),
            numbers: order.map(|at| at as f64 / 7.0).collect(),
        }
    }

    fn ours(&self, number: &str) -> Frame {
        let columns = vec![
            ("doc_id".to_owned(), ColumnData::text(&self.documents)),
            (
                "part".to_owned(),
                ColumnData::Int(self.parts.iter().copied().map(Some).collect()),
            ),
            (
                number.to_owned(),
                ColumnData::Float(self.numbers.iter().copied().map(Some).collect()),
            ),
        ];
        Frame::new(columns).expect("the columns are of one length")
    }

    fn theirs(&self, number: &str) -> DataFrame {
        let columns: Vec<Column> = vec![
            Series::new("doc_id".into(), &self.documents).into(),
            Series::new("part".into(), &self.parts).into(),
            Series::new(number.into(), &self.numbers).into(),
        ];
        DataFrame::new(self.parts.len(), columns).expect("the columns are of one length")
    }
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let rows: usize = asked.unwrap_or(ROWS);
    // Prime to the number of rows, so that every key is met once.
    let (left, right) = (
        Side::new(rows, 7_919, false),
        Side::new(rows, 104_729, true),
    );
    say(&format!("{rows} rows on each side, two keys"));
    let (one, two) = (left.theirs("one"), right.theirs("two"));
    let args = JoinArgs {
        maintain_order: MaintainOrderJoin::Left,
        ..JoinArgs::new(JoinType::Left)
    };
    let theirs = || {
        let keys = ["doc_id", "part"];
        let joined = one.join(&two, keys, keys, args.clone(), None);
        joined.expect("polars joins them")
    };
    let runs = repeat(7, || timed(|| theirs().height()));
    report("baseline: polars, join", &runs, "none");
    #[expect(
        deprecated,
        reason = "the lazy engine, which replaces it, is left out of the build"
    )]
    let mean = |joined: &DataFrame| {
        let groups = joined.group_by_stable(["doc_id"]);
        let groups = groups.expect("polars groups them").select(["two"]);
        groups.mean().expect("polars makes means").height()
    };
    let runs = repeat(7, || timed(|| mean(&theirs())));
    report("baseline: polars, join and mean", &runs, "none");
    drop((one, two));
    let (one, two) = (left.ours("one"), right.ours("two"));
    let key = |name: &str| (name.to_owned(), name.to_owned());
    let join = Join {
        from: StageName::new(Kind::Source, "one"),
        with: StageName::new(Kind::Source, "two"),
        on: vec![key("doc_id"), key("part")],
        how: JoinHow::Left,
        columns: None,
        many: false,
        axes: Vec::new(),
        alone: Vec::new(),
    };
    let ours = || join.join(&one, &two).expect("they are joined").frame;
    let runs = repeat(7, || timed(|| ours().rows()));
    report("relations: join", &runs, "2 x baseline");
    let mean = Expression::of_groups("mean(two)").expect("it is an expression");
    let group = Group {
        from: StageName::new(Kind::Join, "both"),
        axes: Vec::new(),
        by: vec!["doc_id".to_owned()],
        order: Vec::new(),
        compute: vec![("mean".to_owned(), mean)],
        columns: Vec::new(),
        complete: Vec::new(),
        every: None,
        over: Vec::new(),
        pool: Vec::new(),
    };
    let grouped = || group.group(&ours(), None).expect("they are grouped");
    let runs = repeat(7, || timed(|| grouped().rows()));
    report("relations: join and group", &runs, "2 x baseline");
}

fn timed(work: impl Fn() -> usize) -> Run {
    let begun = Instant::now();
    let rows = black_box(work());
    assert!(rows > 0, "nothing was joined");
    let wall = begun.elapsed().as_secs_f64();
    Run {
        wall,
        cpu: f64::NAN,
        peak: own_peak(),
    }
}
