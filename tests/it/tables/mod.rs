//! What tables show beside one value each: several columns of a row, ablations, whole numbers; and taking values over.

mod ablations;
mod accept;
mod columns;
