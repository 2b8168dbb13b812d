//! The pictures of `docs/screens`, made by hand from the pages that are in `reports`:
//!
//! ```text
//! cargo run --release -- run experiments/quickstart.toml
//! cargo run --release -- run experiments/judgememo
//! cargo test --test it -- --ignored browser::screens
//! pngquant --force --ext .png 128 docs/screens/*.png
//! ```

use std::path::{Path, PathBuf};

use base64::Engine as _;

use super::{Tab, one, or_skip};

const WIDE: (u32, u32) = (1440, 900);
const PHONE: (u32, u32) = (390, 844);

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    let path = project().join("reports").join(name);
    assert!(
        path.is_file(),
        "{} is missing: run the experiment first",
        path.display()
    );
    format!("file://{}", path.display())
}

fn save(tab: &Tab, name: &str) {
    let folder: PathBuf = project().join("docs/screens");
    fs_err::create_dir_all(&folder).unwrap();
    // Fonts and drawings that come a moment later.
    tab.value("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))");
    let png = base64::engine::general_purpose::STANDARD
        .decode(tab.picture())
        .unwrap();
    fs_err::write(folder.join(format!("{name}.png")), png).unwrap();
}

#[test]
#[ignore = "writes docs/screens from the pages in reports"]
fn are_taken() {
    let Some(tab) = or_skip() else { return };
    for (report, address) in [
        ("quickstart", page("quickstart/index.html")),
        ("thesis", page("judgememo/index.html")),
    ] {
        for scheme in ["light", "dark"] {
            for (size, (width, height)) in [("wide", WIDE), ("phone", PHONE)] {
                tab.open("about:blank");
                tab.size(width, height);
                tab.scheme(scheme);
                tab.go(&address);
                tab.wait("document.readyState === 'complete'");
                save(&tab, &format!("{report}-{size}-{scheme}"));
                if report == "thesis" {
                    // Its first judgements are of outputs that nobody recorded.
                    tab.go(&format!(
                        "{address}#judgements?judge=vanilla&task=17&model=LI"
                    ));
                    tab.wait("document.querySelector('.found')?.textContent.includes(' of ')");
                }
                tab.value("document.getElementById('judgements').scrollIntoView()");
                tab.wait(&one(".list-row"));
                save(&tab, &format!("{report}-{size}-{scheme}-judgements"));
                // The thesis's documents are not ours to show.
                if report == "thesis" {
                    continue;
                }
                // A judgement of a text that was damaged, with most issues.
                tab.go(&format!(
                    "{address}#judgements?damage=typos&metric=fluency&sort=-issues"
                ));
                tab.wait("document.querySelector('.found')?.textContent.includes(' of ')");
                tab.click(&one(".list-row"));
                tab.wait(&one(".detail-body section"));
                tab.press(&["n"]);
                save(&tab, &format!("{report}-{size}-{scheme}-judgement"));
            }
        }
    }
}
