//! What the page promises: one file, nothing from elsewhere, texts stay texts, the same bytes for the same page.

pub(crate) mod fixture;
