//! Experiments that follow a paper whole, on data with known answers.

mod faithfulness;
mod hamlet;
mod monocle;
