//! What a call costs beside waiting for a model: scripted calls at no latency, each stored before it is used.
//!
//! Compared with the same run a second time under another stage name, when every reply is stored already and only
//! read: what is left of the difference is asking, locking and storing.

mod measure;
mod scripted;

use measure::report_each;
use scripted::Lab;

fn main() {
    for (count, times) in [(1_000, 5), (20_000, 3)] {
        let lab = Lab::new(count, 100, 1);
        let (mut asked, mut reused) = (Vec::new(), Vec::new());
        for _ in 0..times {
            lab.forget();
            asked.push(lab.run("first"));
            reused.push(lab.run("second"));
        }
        let name = |how: &str| format!("{count} calls, {how}");
        report_each(&name("asked"), &asked, "none stated", count, "call");
        report_each(
            &name("stored already"),
            &reused,
            "none stated",
            count,
            "call",
        );
    }
}
