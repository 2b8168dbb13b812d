//! The script and the style of the page, put together from their files, and what the browser is allowed to run.
//!
//! The page holds one small script in its head (the theme, before anything is drawn), one at its end, and one style. The
//! policy names the digests of exactly these bytes, so nothing else that may get into the page can run or style it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Mode;

/// Runs before the page is drawn.
pub(super) const EARLY: &str = include_str!("script/theme.js");

/// All files in one scope of their own; `start.js` is the only one that does something when it is read.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/basics.js"),
    include_str!("script/visible.js"),
    include_str!("script/copy.js"),
    include_str!("script/tables.js"),
    include_str!("script/contents.js"),
    include_str!("script/unpack.js"),
    include_str!("script/embedded.js"),
    include_str!("script/chunks.js"),
    include_str!("script/cells.js"),
    include_str!("script/rows.js"),
    include_str!("script/words.js"),
    include_str!("script/search.js"),
    include_str!("script/filters.js"),
    include_str!("script/list.js"),
    include_str!("script/marks.js"),
    include_str!("script/texts.js"),
    include_str!("script/document.js"),
    include_str!("script/lists.js"),
    include_str!("script/prompt.js"),
    include_str!("script/detail.js"),
    include_str!("script/browser.js"),
    include_str!("script/keys.js"),
    include_str!("script/start.js"),
    "})();\n"
);

/// The style.
pub(super) const STYLE: &str = concat!(
    include_str!("style/colours.css"),
    include_str!("style/page.css"),
    include_str!("style/parts.css"),
    include_str!("style/tables.css"),
    include_str!("style/graph.css"),
    include_str!("style/browser.css"),
    include_str!("style/detail.css"),
    include_str!("style/texts.css"),
    include_str!("style/lists.css"),
    include_str!("style/media.css"),
);

/// The template of the page.
pub(super) const TEMPLATE: &str = include_str!("page.html");

/// What a page is drawn with, for whoever asks whether it would be drawn the same.
pub fn drawn_with() -> [&'static str; 4] {
    [EARLY, SCRIPT, STYLE, TEMPLATE]
}

/// What the browser may load and run: the two scripts and the style, pictures in the page itself; from elsewhere nothing,
/// but for the chunks of a page that is served. Scripts cannot make markup of texts at all (trusted types).
pub(super) fn policy(mode: Mode) -> String {
    let connect = match mode {
        Mode::Served => " connect-src 'self';",
        Mode::File | Mode::Bare => "",
    };
    format!(
        "default-src 'none'; script-src {} {}; style-src {};{connect} img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        digest(EARLY),
        digest(SCRIPT),
        digest(STYLE)
    )
}

fn digest(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}
