//! The memory judge of the `JudgeMemo` thesis as it is asked live: templates, the method as a composition.

mod method;
mod templates;

use std::collections::BTreeMap;
use std::path::Path;

/// The templates of the repository by name.
fn texts() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut texts = BTreeMap::new();
    let mut open = vec![folder.clone()];
    while let Some(at) = open.pop() {
        for entry in fs_err::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            texts.insert(name, fs_err::read_to_string(path).unwrap());
        }
    }
    texts
}
