//! Pages of several experiments: what they are called, what they were made from, and setting aside those that show an
//! experiment as it was before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::made::Made;
use crate::base::exit::Error;
use crate::engine::{Loaded, has_title};
use crate::output::report::folder::PAGE;
use crate::publish::folder::{outdate as outdate_in, shared_folder};

/// What the page of all is called that lies in the folder that they share. In the folder of another experiment it must
/// not take the place of that one's own; no table has a name with a dot.
pub(super) fn name(one: &Loaded, shared: Option<&str>) -> &'static str {
    let is_experiment = |below: &str, name: &str| {
        let spec = one.root.join(below).join(format!("{name}.toml"));
        spec.is_file() && has_title(&spec)
    };
    let taken = |name: &str| ["experiments", ""].iter().any(|at| is_experiment(at, name));
    if shared.is_some_and(taken) {
        "index.all.html"
    } else {
        PAGE
    }
}

/// Digests of what a page shows of each experiment.
pub(super) fn records(made: &[Made<'_>]) -> BTreeMap<String, String> {
    let digest = |made: &Made<'_>| (made.spec().name.clone(), made.digest.to_string());
    made.iter().map(digest).collect()
}

/// Sets aside every page of several experiments that shows one of these otherwise than it is now, but for the one in the
/// folder `own`; hands back which experiment each showed, and where it is now.
pub(super) fn outdate(
    made: &[Made<'_>],
    own: Option<&Path>,
) -> Result<Vec<(String, PathBuf)>, Error> {
    let now = records(made);
    let mut outdated = Vec::new();
    for made in made {
        let mut folder = Some(made.spec().name.as_str());
        while let Some(name) = folder {
            folder = name.rsplit_once('/').map(|(above, _)| above);
            let at = shared_folder(made.spec(), folder);
            if own == Some(&at) {
                continue;
            }
            if let Some(aside) = outdate_in(&at, &now)? {
                outdated.push((made.spec().name.clone(), aside));
            }
        }
    }
    Ok(outdated)
}
