//! What `derive` stages say of themselves.

use super::Derive;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::keys::lack_of_key;
use crate::stage::pile::Pile;
use crate::stage::stats::says_behind;
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName, reason_column};

impl Work for Derive {
    fn about() -> About {
        About {
            version: 1,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let (read, from) = (looking.input(), looking.from());
        for (new, old) in &self.rename {
            looking.needs(&read, &["rename", new], old, &from);
        }
        let names = self.names();
        for new in self.rename.keys() {
            // A name that is given away is free.
            if read.has(new) && names.called(new) == *new {
                looking.lack(Mistake {
                    code: NO_COLUMN,
                    at: (vec!["rename".to_owned(), new.clone()], None),
                    message: format!("`{from}` already has a column `{new}`"),
                    label: "renamed to this",
                    help: "use another name, rename that column too, or drop it in a `derive` stage before"
                        .to_owned(),
place: None,
                });
            }
        }
        let mut columns = read.renamed(&|name| names.called(name));
        for name in &self.drop {
            looking.needs(&columns, &["drop"], name, &from);
        }
        for name in &self.drop {
            columns.remove(name);
            columns.remove(&reason_column(name));
        }
        if says_behind(|name| read.knows(name)) {
            // Counts that are dropped stand there.
            columns.may_have("behind", Holds::Text);
        }
        for (name, value) in &self.compute {
            let holds = looking.value(&columns, &["compute", name], value, &from);
            columns.set(name, holds);
            columns.may_have(&reason_column(name), Holds::Text);
        }
        let read = columns.clone();
        for (name, number) in &self.number {
            let at = ["number", name.as_str(), "within"];
            for column in &number.within {
                looking.needs(&read, &at, column, &from);
                lack_of_key(looking, &read, &at, (column, column), &from);
            }
            if let Some(by) = &number.by {
                looking.needs(&read, &["number", name, "by"], by, &from);
                columns.may_have(&reason_column(name), Holds::Text);
            }
            if number.draw {
                looking.needs(&read, &["number", name, "draw"], "doc_id", &from);
            }
            columns.set(name, Holds::Numbers);
        }
        columns
    }

    fn draws(&self) -> bool {
        self.number.iter().any(|(_, number)| number.draw)
    }
}

impl Compute for Derive {
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        if inputs.is_long() {
            match self.derive_in_parts(inputs, world)? {
                Some(output) => return Ok(output),
                None => world.start_over(),
            }
        }
        let derived = self.derived(&*inputs.whole()?, world);
        derived.map(Output::of)
    }

    fn in_parts(&self) -> bool {
        // Rows are numbered among all others.
        self.number.is_empty()
    }
}

impl Derive {
    /// The rows with their new columns, or what is wrong and where the columns come from.
    fn derived(&self, input: &Frame, world: &dyn World) -> Result<Frame, Failure> {
        let derived = self.derive(input, world.name(), world.seed());
        derived.map_err(|failure| failure.or_hint(format!("the columns come from `{}`", self.from)))
    }

    /// The same for a table of which a part is in memory at a time; nothing, where only all rows together tell what a column
    /// holds, what is behind it, or which row is wrong.
    fn derive_in_parts(
        &self,
        inputs: &Inputs,
        world: &dyn World,
    ) -> Result<Option<Output>, Failure> {
        let mut pile = Pile::new(world);
        let mut like: Option<Frame> = None;
        for (at, part) in inputs.parts().enumerate() {
            let part = part?;
            if world.is_stopped() {
                return Err(Failure::new("stopped"));
            }
            if says_behind(|name| part.has(name)) {
                return Ok(None);
            }
            let derived = match self.derived(&part, world) {
                Ok(derived) => derived,
                // Rows are counted from the first of the table.
                Err(failure) if at == 0 => return Err(failure),
                Err(_) => return Ok(None),
            };
            if !derived.fits(like.get_or_insert_with(|| derived.emptied())) {
                return Ok(None);
            }
            pile.push_over(derived, part.into_packed())?;
        }
        Ok(Some(Output::of(pile.end()?)))
    }
}
