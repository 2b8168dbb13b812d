//! Experiments that follow a paper whole, on data with known answers.

mod hamlet;
mod monocle;
