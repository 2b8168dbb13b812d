//! The rows that are asked about: a row for each pair and order, with the texts as the template shows them.

use super::pairs::{Pair, Side};
use super::{CONTENDER, Compare, Contenders, MADE, OPPONENT, ORDER, Order, Orders, SHOWN};
use crate::base::draw::Source;
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame, FrameError, Scalar};
use crate::stage::{Reasons, passed_on, reason_column, why_absent};

impl Compare {
    /// The rows; an order that is drawn depends on the source, the pair and nothing else.
    ///
    /// # Errors
    /// A column that is not there, contenders that cannot be told apart.
    pub(crate) fn rows(&self, input: &Frame, source: &Source) -> Result<Frame, Failure> {
        let pairs = self.pairs(input)?;
        let mut asked: Vec<(&Pair, Order)> = Vec::with_capacity(2 * pairs.len());
        for pair in &pairs {
            match self.orders {
                Orders::Both => asked.extend([(pair, Order::Given), (pair, Order::Swapped)]),
                Orders::Given => asked.push((pair, Order::Given)),
                Orders::Swapped => asked.push((pair, Order::Swapped)),
                Orders::Drawn => asked.push((pair, self.drawn(input, pair, source)?)),
            }
        }
        let base: Vec<usize> = asked.iter().map(|(pair, _)| pair.row).collect();
        let mut frame = self.kept(input)?.take(&base)?;
        if let Some(name) = MADE.into_iter().find(|name| frame.has(name)) {
            let message = format!("the rows have a column `{name}`, which pairs have");
            return Err(Failure::new(message).hint("rename it in a `derive` stage"));
        }
        for (at, name) in [CONTENDER, OPPONENT].into_iter().enumerate() {
            let names = asked.iter().map(|(pair, _)| pair.sides[at].name.as_str());
            frame = frame.with_column(name, ColumnData::text(names))?;
        }
        let orders = asked.iter().map(|(_, order)| order.word());
        frame = frame.with_column(ORDER, ColumnData::text(orders))?;
        for (at, name) in SHOWN.into_iter().enumerate() {
            let sides = asked.iter().map(|(pair, order)| match order {
                Order::Given => &pair.sides[at],
                Order::Swapped => &pair.sides[1 - at],
            });
            let sides: Vec<&Side> = sides.collect();
            frame = frame.beside(&self.shown(input, &sides, name)?)?;
            let mut reasons = Reasons::default();
            for side in sides {
                reasons.push(self.why_absent(input, side));
            }
            frame = reasons.add(frame, name)?;
        }
        Ok(frame)
    }

    /// What the pairs keep of their rows: not the texts, of which there are two now.
    fn kept(&self, input: &Frame) -> Result<Frame, Failure> {
        let across = match &self.of {
            Contenders::Columns(names) => {
                let mut without: Vec<String> = names.to_vec();
                without.extend(names.iter().map(|name| reason_column(name)));
                let without: Vec<&str> = without.iter().map(String::as_str).collect();
                return Ok(input.without(&without));
            }
            Contenders::Rows(across) => across,
        };
        let mut kept: Vec<String> = Vec::new();
        for name in across.kept() {
            for name in [name.clone(), reason_column(name)] {
                if input.has(&name) && !kept.contains(&name) {
                    kept.push(name);
                }
            }
        }
        Ok(input.select(&kept)?)
    }

    /// The texts as a column of this name.
    fn shown(&self, input: &Frame, sides: &[&Side], name: &str) -> Result<Frame, Failure> {
        if let Contenders::Rows(across) = &self.of {
            let rows: Vec<Option<usize>> = sides.iter().map(|side| side.row).collect();
            let texts = input.select(std::slice::from_ref(&across.column))?;
            return Ok(texts.renamed(|_| name.to_owned())?.take_or_absent(&rows)?);
        }
        let cell = |side: &&Side| {
            let column = input.column(&side.name)?;
            Ok(side.row.map_or(Scalar::Null, |row| column.scalar(row)))
        };
        let cells = sides.iter().map(cell).collect::<Result<_, FrameError>>()?;
        Ok(Frame::new(vec![(
            name.to_owned(),
            ColumnData::infer(cells),
        )])?)
    }

    /// Why there is no text, if there is none.
    fn why_absent(&self, input: &Frame, side: &Side) -> Option<String> {
        let column = match &self.of {
            Contenders::Columns(_) => &side.name,
            Contenders::Rows(across) => &across.column,
        };
        match side.row {
            Some(row) => why_absent(input, column, row).map(|why| passed_on(column, &why)),
            None => Some(format!("`{}` has no row", side.name)),
        }
    }

    /// The order of a pair where it is drawn: it depends on what tells the pair apart, so that other rows change nothing.
    fn drawn(&self, input: &Frame, pair: &Pair, source: &Source) -> Result<Order, Failure> {
        let own = ["doc_id".to_owned()];
        let by: &[String] = match &self.of {
            Contenders::Columns(_) => &own,
            Contenders::Rows(across) => &across.by,
        };
        let mut parts = Vec::new();
        for name in by {
            let cell = input.column(name)?.scalar(pair.row);
            parts.push(cell.to_string());
        }
        parts.extend(pair.sides.iter().map(|side| side.name.clone()));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        Ok(match source.draw(&parts).bits() & 1 {
            0 => Order::Given,
            _ => Order::Swapped,
        })
    }
}
