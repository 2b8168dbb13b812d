//! The columns of pairs, before any row is there.

use super::{
    CHOICE, CONTENDER, Compare, Contenders, OPPONENT, ORDER, Order, Orders, POSITION, SHOWN,
};
use crate::frame::Scalar;
use crate::stage::columns::Looking;
use crate::stage::{Columns, Holds, reason_column};

/// Who is shown first and who second in a row of pairs, by the cells of its columns.
pub(crate) fn shown(cell: impl Fn(&str) -> Option<String>) -> Option<[String; 2]> {
    let (contender, opponent) = (cell(CONTENDER)?, cell(OPPONENT)?);
    Some(match Order::of(&cell(ORDER)?) {
        Order::Given => [contender, opponent],
        Order::Swapped => [opponent, contender],
    })
}

impl Compare {
    /// The columns of the rows that are asked about; what is needed and not there it tells the one who looks.
    pub(in crate::stage::judge) fn columns(
        &self,
        read: &Columns,
        looking: &mut Looking<'_>,
    ) -> Columns {
        let from = looking.from();
        let mut columns = read.clone();
        let held = match &self.of {
            Contenders::Columns(names) => {
                for name in names {
                    looking.needs(read, &["compare"], name, &from);
                    columns.remove(name);
                    columns.remove(&reason_column(name));
                }
                columns.fix(CONTENDER, [Scalar::from(names[0].as_str())]);
                columns.fix(OPPONENT, [Scalar::from(names[1].as_str())]);
                let held = names.clone().map(|name| read.holds(&name));
                if held[0] == held[1] {
                    held[0]
                } else {
                    Holds::Unknown
                }
            }
            Contenders::Rows(across) => {
                looking.needs(read, &["compare", "column"], &across.column, &from);
                looking.needs(read, &["compare", "between"], &across.between, &from);
                for name in &across.by {
                    looking.needs(read, &["compare", "by"], name, &from);
                }
                for name in &across.columns {
                    looking.needs(read, &["compare", "columns"], name, &from);
                }
                columns.set_open(false);
                let kept = |name: &str| {
                    let mut all = across.kept();
                    all.any(|known| known == name || reason_column(known) == name)
                };
                for name in read.names() {
                    if !kept(name) {
                        columns.remove(name);
                    }
                }
                for name in across.by.iter().chain(&across.columns) {
                    if columns.lacks(name) {
                        columns.set(name, Holds::Unknown);
                    }
                }
                columns.set(CONTENDER, Holds::Text);
                columns.set(OPPONENT, Holds::Text);
                read.holds(&across.column)
            }
        };
        let orders = match self.orders {
            Orders::Both | Orders::Drawn => vec![Order::Given, Order::Swapped],
            Orders::Given => vec![Order::Given],
            Orders::Swapped => vec![Order::Swapped],
        };
        columns.fix(ORDER, orders.into_iter().map(|order| order.word().into()));
        for name in SHOWN {
            columns.set(name, held);
            columns.may_have(&reason_column(name), Holds::Text);
        }
        columns.new_rows();
        columns
    }

    /// Those of a judge's table: without the texts, and with what was chosen.
    pub(in crate::stage::judge) fn judged(&self, columns: &mut Columns) {
        for name in Self::texts() {
            columns.remove(&name);
        }
        if self.chooses {
            for name in [CHOICE, POSITION] {
                columns.set(name, Holds::Text);
                columns.may_have(&reason_column(name), Holds::Text);
            }
        }
    }

    /// The columns of the texts and of the reasons for there being none.
    pub(in crate::stage::judge) fn texts() -> Vec<String> {
        let with_reasons = |name: &str| [name.to_owned(), reason_column(name)];
        SHOWN.into_iter().flat_map(with_reasons).collect()
    }
}
