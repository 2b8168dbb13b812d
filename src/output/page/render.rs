//! The page as bytes: one file that needs nothing else.
//!
//! The same page gives the same bytes. Everything from data is escaped here or by the template; the fragments of tables,
//! audits and figures come escaped from `report` and from the drawing of figures.

use std::io::{self, Write};
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::store::Keep;
use super::{Page, Store, assets, embedded, view, visible};

/// Where the judgements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In the page: a file that is opened from disk.
    File,
    /// Beside it, under `chunks/<name>`: a page that `tribunal view` serves. Opened from disk it shows the notes instead.
    Served,
    /// Not to be had here: the page says where they are (`Page::elsewhere`, `Store::notes`).
    Bare,
}

/// What stands between the page and its end, where the chunks go.
const END: &str = "</body>\n</html>\n";

static TEMPLATES: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    environment.add_filter("text", |text: &str| {
        Value::from_safe_string(visible::html(text))
    });
    environment.add_filter("exact", |text: &str| {
        Value::from_safe_string(visible::exact(text))
    });
    environment.add_filter("plain", |text: &str| visible::plain(text));
    environment.add_template("page.html", assets::TEMPLATE)?;
    Ok(environment)
});

/// Writes the page, with the chunks from what keeps them where they are in it.
///
/// # Errors
///
/// When `out` takes no more bytes, or a chunk cannot be had.
pub fn render(
    page: &Page,
    (store, kept): (&Store, &mut dyn Keep),
    mode: Mode,
    out: &mut impl Write,
) -> io::Result<()> {
    let environment = TEMPLATES.as_ref().map_err(io::Error::other)?;
    let values = view::values(page, store, mode);
    let template = environment.get_template("page.html");
    let text = template
        .and_then(|template| {
            template.render(minijinja::context! {
                policy => assets::policy(mode),
                style => assets::STYLE,
                early => assets::EARLY,
                script => assets::SCRIPT,
                ..values
            })
        })
        .map_err(io::Error::other)?;
    out.write_all(text.as_bytes())?;
    if mode == Mode::File {
        embedded::write(store, kept, text.len(), out)?;
    }
    out.write_all(END.as_bytes())
}
