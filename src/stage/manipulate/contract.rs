//! What `manipulate` stages say of themselves.

use super::check::key_of;
use super::{DAMAGE_COLUMNS, Manipulate, POSITION_COLUMNS};
use crate::language::text::TokenizerSpec;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, Program, RowsOf, StageName};

impl Work for Manipulate {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter, names and tags changed with them; other
            // statements for \[24\], no `a stuff` by default in \[32\], and names in the needle
            // `entity-replacement` that are really others. 3: of a line whose words all go, its indentation goes too.
            version: 3,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &DAMAGE_COLUMNS,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        let other = self.other.iter().filter(|other| **other != self.from);
        std::iter::once(&self.from).chain(other).collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        if let Some(recipe) = &self.recipe {
            columns.set("text", Holds::Text);
            if !recipe.settings.positions().is_empty() {
                for name in POSITION_COLUMNS {
                    columns.set(name, Holds::Numbers);
                }
            }
            if let Some(key) = key_of(recipe.settings.takes())
                && let Some((other, giving)) = looking.inputs().get(1)
            {
                for name in ["doc_id", "text"] {
                    looking.needs(giving, &[key], name, &other.to_string());
                }
            }
        }
        for name in DAMAGE_COLUMNS {
            match name {
                "unaltered" => columns.may_have(name, Holds::Text),
                "candidates" | "operations" => columns.set(name, Holds::Numbers),
                _ => columns.set(name, Holds::Text),
            }
        }
        columns
    }

    fn tokenizer(&self) -> Option<&TokenizerSpec> {
        self.tokenizer.as_ref()
    }

    fn program(&mut self) -> Option<&mut Program> {
        self.annotator.as_mut()?.program()
    }

    fn draws(&self) -> bool {
        self.recipe.is_some()
    }
}
