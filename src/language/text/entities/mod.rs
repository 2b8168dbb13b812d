//! Mentions of named entities, found by rules and lists of names: no model, no download, no tagger.
//!
//! [`entities`] reads a text in four steps: it cuts the text into tokens (`token`, `heading`), counts
//! for each capitalised word how the document writes it elsewhere (`census`), cuts stretches of
//! capitals into candidates (`run`, `candidate`, `structure`) and decides what each is (`evidence`,
//! `decide`). Dates and languages have rules of their own (`date`, `language`). The lists stand in
//! `data` and are read by `list` and `cue`; they were collected for this program and are not complete.
//!
//! Measured on 80 passages from 32 books in English, printed after 1900, that the rules were hardly made on
//! (`tests/data/entities`, whose README says what was seen): 335 of 381 labelled mentions are found with the right
//! letters and kind, and 335 of the 366 mentions found are right. It errs most often by taking persons for places of the same name
//! (`Calonne`, a minister; `Venus`), makers' and foreign words for persons (`Basketmakers`), and by missing
//! names that are words of the language (`Pope`, `Marmot`) or stand once with nothing beside them that
//! says what they are. Of the places and institutions that a statistical model finds in these books a fifth
//! are persons and a fifth no names; that is not imitated.
//!
//! A word that is in no dictionary (`strange`) is asked for less than one that is; with nothing asked of it
//! more is found and Table 3.5 of the thesis left behind (see `decide`).
//!
//! Parts of speech were tried as a filter and left out: of the 2 % that they would drop, most are
//! names. It does not resolve who or what a name refers to, and knows English prose only.

mod candidate;
mod census;
mod cue;
mod date;
mod decide;
mod detect;
mod evidence;
mod heading;
mod language;
mod list;
mod reading;
mod run;
mod strange;
mod structure;
#[cfg(test)]
mod tests;
mod token;

pub use detect::entities;
