//! Putting text together: formatted appending.
//!
//! It must not know what the text says.

/// Appends formatted text to a `String` without a second one in between.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        use std::fmt::Write as _;
        $out.write_fmt(format_args!($($text)*)).expect("a `String` takes any text");
    }};
}
pub(crate) use put;
