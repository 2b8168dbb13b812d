//! Whole runs against a server in memory, in paused time.

mod crash;
mod endings;
mod fake;
mod lab;
mod leftovers;
mod shared;
mod trouble;
