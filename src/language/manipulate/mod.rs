//! Manipulations: controlled, recorded damage to a text.
//!
//! A manipulation is a pure function: a text, what it may touch (paragraphs, sentences, words, entities, found
//! by [`crate::language::text`]), how many operations, its parameters and a [`crate::base::draw::Draw`] give the
//! [`edit::Change`]s to make, or [`edit::NotApplicable`]; nothing is changed by a manipulation itself.
//! [`edit::apply`] makes the changes and records them. What a manipulation is called, which settings it has, what it
//! needs and how it is done to a document, it says itself ([`Work`]); `list` names them all. A [`Recipe`] says which one
//! with which settings, and [`Recipe::perform`] does that to one document.
//!
//! - [`intensity`] says how many operations, [`density`] where fluency manipulations lie;
//! - logical flow: [`swap`] \[11\], [`remove`] \[12\], [`insert`] \[13\], [`repeat`] \[14\], [`exchange`] \[17\];
//! - plot: [`entities`] \[21\] and \[22\], [`anachronism`] \[24\];
//! - anaphora: [`entities`] \[31\] and \[32\];
//! - fluency: [`typos`] \[41\], [`verb_tenses`] \[42\], [`word_order`] \[43\], [`punctuation`] \[44\],
//!   [`word_removal`] \[45\];
//! - meaning: [`needle`].
//!
//! The numbers are those of the thesis (Table A.3). No operations are no changes: a percentage of a short
//! text may round to none. Operations are numbered in the order of the text.

pub mod anachronism;
mod closing;
pub mod contract;
pub mod density;
pub mod donor;
pub mod edit;
pub mod entities;
pub mod exchange;
mod forms;
mod gap;
pub mod insert;
pub mod intensity;
mod keyboard;
mod layer;
mod list;
mod name;
pub mod needle;
mod perform;
#[cfg(test)]
mod properties;
pub mod punctuation;
mod recipe;
pub mod remove;
pub mod repeat;
mod shortage;
pub mod statements;
pub mod swap;
#[cfg(test)]
mod testing;
pub mod typos;
pub mod verb_tenses;
pub mod word_order;
pub mod word_removal;
mod words;

pub use self::contract::{About, Takes, Work};
pub use self::density::Density;
pub use self::donor::Donor;
pub use self::edit::{Edit, NotApplicable};
pub use self::entities::{Article, Mentions};
pub use self::forms::{Entities, Letters, Passages};
pub use self::intensity::Intensity;
pub use self::layer::{Layer, Placed, UndoError, layers, undo};
pub(crate) use self::list::manipulations;
pub use self::name::{Manipulation, Target};
pub use self::needle::{
    After as NegationAfter, Donor as HayDonor, Donors as HayDonors, Hay, NeedlePlace, Position,
};
pub use self::perform::{Damaged, Job, Others, Refusal, Subject};
pub use self::punctuation::Marks;
pub use self::recipe::{Recipe, Settings};
pub use self::statements::is_statement;
pub use self::word_order::Shuffle;
