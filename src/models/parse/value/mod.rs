//! The one reader of values: what follows a label, or stands alone, as a score.
//!
//! On a scale with labels a value is one of these, by a small grammar of its own (see `labels`); on others a number.
//!
//! A clause is understood whole or not at all. The grammar:
//!
//! ```text
//! value    = marks, [opening], [sign], number, [part], [closing], [units], [top], remark
//! number   = digits of any script, with a decimal point or comma; where allowed a word up to ten
//! part     = `½`, ` 1/2`, ` and a half`
//! top      = `/5`, `of 5`, `out of 5`, `(out of 5)`, `on a scale of 1 to 5`
//! remark   = nothing, or words up to the end of the line that cannot change the number
//! ```
//!
//! A remark may hold numbers only where it says what they count (`2 slips`), what place they name
//! (`chapter 4`) or that they are the scale (`1-5`). Everything else, such as ranges, choices, sums, changes,
//! corrections, bounds and conditions, is *unclear*: it makes the place ambiguous, with its words. The scale
//! written down again is no value at all. Must not know where labels stand, or choose between places.

mod after;
mod amending;
mod anew;
mod back;
mod before;
mod found;
mod labels;
mod lead;
mod leading;
mod number;
mod remark;
mod scale;
mod sentence;
mod stated;
mod table;
mod token;
mod whole;
mod words;

pub(super) use self::after::{is_given_anew, takes_back};
pub(super) use self::before::{Standing, is_example, is_within_sentence, names_another, standing};
pub(super) use self::found::{Found, Value};
pub(super) use self::labels::{Around, Spelt, explains, mentions};
pub(super) use self::lead::is_known;
pub(super) use self::number::{How, begins_sentence, goes_on, read};
pub(super) use self::scale::{is_other_scale, states_other};
pub(super) use self::stated::states_near;
pub(super) use self::table::standing as standing_in_table;
pub(super) use self::token::digit;
pub(super) use self::whole::is_whole;
pub(super) use self::words::{DOUBTS, begins_with_word, has};
