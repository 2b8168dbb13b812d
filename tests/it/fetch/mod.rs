//! Books of Project Gutenberg from servers that behave and servers that do not. All on this machine;
//! nothing sleeps.

mod client;
