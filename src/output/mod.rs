//! What people read: tables, figures, and the page that shows all of it.

pub mod chart;
pub mod page;
pub mod report;
