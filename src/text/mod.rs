//! Texts: stretches of them.

mod span;

pub use self::span::Span;
