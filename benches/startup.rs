//! How long the binary takes to start: `tribunal --version`.
//!
//! Compared with `/bin/true` started the same way, which is what the operating system and this measurement cost by
//! themselves.

mod measure;

use measure::{binary, process, repeat, report, words};

fn main() {
    let folder = std::env::temp_dir();
    let runs = repeat(50, || process("/bin/true", &[], &folder));
    report("baseline /bin/true", &runs, "none");
    let runs = repeat(50, || process(&binary(), &words(&["--version"]), &folder));
    report("startup", &runs, "< 10 ms");
}
