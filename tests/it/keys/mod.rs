//! What invalidates a result, and what does not: one spec with every kind of stage, one change at a
//! time, and exactly the stages that depend on it run again.
//!
//! Where a result comes out the same although its key changed, what reads it is not run: the lists
//! below end where that happens, and say so.

mod calls;
mod corpus;
mod figures;
mod golden;
mod indifferent;
mod manipulations;
mod model;
mod prompt;
mod server;
mod sources;
mod stages;
mod statistics;

use super::lab::{ANY_SCORE, Lab, Ran, SPEC};

/// Every kind of stage, two lengths, and a second branch (`baseline`) that most changes leave alone.
pub(crate) const WIDE: &str = r#"
title = "Every kind of stage"
seed = 7

[axes]
length = { set = "truncate.cut.tokens", values = [6, "full"] }

[models.fake]
provider = "scripted"
script = "script.toml"
temperature = 0.0

[source.docs]
files = "docs.csv"
id = "name"
text = "body"
columns = ["year", "genre", "body"]

[select.some]
from = "docs"
where = "year >= 1900"

[truncate.cut]
from = "some"
tokens = "full"

[judge.grades]
from = "cut"
model = "fake"
prompt = "grade"
metrics = ["fluency", "coherence"]

[judge.baseline]
from = "some"
model = "heuristic"
prompt = "grade"

[stats.scores]
from = "grades"

[stats.shorter]
from = "grades"
test = "paired-t"
pair = { axis = "length", against = "full" }

[stats.plain]
from = "baseline"

[table.scores]
from = "scores"
rows = ["metric"]
columns = ["length"]

[table.shorter]
from = "shorter"
rows = ["metric"]
columns = ["length"]

[table.plain]
from = "plain"
rows = ["metric"]
"#;

/// Five documents; one is too old to be selected. The last two columns are read by nobody.
pub(crate) const DOCS: &str = "\
name,body,year,genre,notes,code
oldest,The well was dug by hand. It is dry now.,1890,Fiction,x,o1
ferry,The ferry left at noon. It came back at night with nobody aboard.,1910,Fiction,x,f2
mill,The mill stood still for years. Nobody in the village knew why.,1950,Poetry,x,m3
letter,A letter came on Monday. She never opened it.,1990,Fiction,x,l4
garden,Nothing grew in the garden. Then the rain came and everything did.,1995,Poetry,x,g5
";

/// A template that names the metrics itself and includes another one.
pub(crate) const GRADE: &str =
    "{% include \"head.j2\" %}\nGrade fluency and coherence.\n\n{{ text }}\n";

/// All stages that the scripted judge's replies reach.
pub(crate) const BELOW_JUDGE: [&str; 5] = [
    "judge.grades",
    "stats.scores",
    "stats.shorter",
    "table.scores",
    "table.shorter",
];

/// [`WIDE`] in a project of its own.
pub(crate) fn wide() -> Lab {
    Lab::new()
        .spec(WIDE)
        .file("docs.csv", DOCS)
        .template("grade", GRADE)
        .template("head", "You are a careful reader.")
        .script(ANY_SCORE)
}

/// [`wide`] after its first run.
pub(crate) fn wide_known() -> Lab {
    let lab = wide();
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.stages().len(), 11, "{:?}", ran.stages());
    assert_eq!(ran.asked, 8);
    lab
}

/// `tribunal why` says this, and then exactly these stages run.
#[track_caller]
pub(crate) fn runs(lab: &Lab, why: &str, stages: &[&str]) -> Ran {
    // In a copy of the cache: stages that cost nothing are run in order to say what would run.
    lab.copy("cache", "cache.why");
    let said = lab.cmd(&["why", "--set", "paths.cache=cache.why"]).ok().out;
    assert!(said.contains(why), "`{why}` is not in\n{said}");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.stages(), stages, "\n{said}");
    ran
}

/// One change of the spec at a time: from, to, what `why` says, the stages that run. Taking the
/// change back runs nothing and asks nothing.
#[track_caller]
pub(crate) fn each(lab: &Lab, changes: &[(&str, &str, &str, &[&str])]) {
    let spec = lab.read(SPEC);
    for (from, to, why, stages) in changes {
        lab.change(from, to);
        runs(lab, why, stages);
        lab.write(SPEC, &spec);
        let back = lab.run(&["--json"]).ok();
        assert_eq!((back.nodes(), back.asked), (vec![], 0), "back from `{to}`");
    }
}
