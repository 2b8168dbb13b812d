//! What keys and results looked like when they were last looked at, so that no change of either goes
//! unnoticed: a changed key makes every result be computed again and every call be paid for again,
//! a changed result under an old key makes old and new numbers stand side by side.

use std::collections::BTreeMap;
use std::fmt::Write;

use tribunal::base::key::{Digest, KEY_FORMAT, encode};
use tribunal::frame::{Frame, Scalar};
use tribunal::models::ask::{Message, Role};
use tribunal::models::key::CallKey;
use tribunal::models::spec::Sampling;
use tribunal::stage::Kind;

use super::wide_known;
use crate::lab::{Lab, Ran};
use crate::server::Server;

/// Kind, version, and the digest of what its stages in [`every_case`] result in.
const GOLDEN: [(&str, u32, &str); Kind::ALL.len()] = [
    (
        "source",
        6,
        "d5eb2c25c8b5bee23ee08ef8e3c138a85842df43b9b1ec59078e85d247fa1894",
    ),
    (
        "clean",
        3,
        "7a5217461a8a860aa1eeea80fe0f85377a04686c4cde86a0732860dc8c26a12a",
    ),
    (
        "select",
        4,
        "c7f49e2f15dc04091c97bffeea0120e4e6c12549defff8dbc04dca3f317953c2",
    ),
    (
        "derive",
        1,
        "0d213892e3acc62395078c5769e5284863f925ef2dcc56e3929935fdf47d8041",
    ),
    (
        "split",
        2,
        "f0058b68a0a38dc60cc4375e42a2c930e307f821d18eb0a6a0beaf3545e65205",
    ),
    (
        "explode",
        2,
        "dcd56c8513000cbc8b31ce2a945c5c5deb2eb2059e7b22dd981158f5e51283cd",
    ),
    (
        "truncate",
        2,
        "6ea16b9e7ed7ef828d271d14512312dfe485499cdc246c601abfcaafc75c18ad",
    ),
    (
        "manipulate",
        3,
        "7e459246fff77c91cce1b362300ae0a79a05162b1fb41c38da2ea875368db13b",
    ),
    (
        "measure",
        2,
        "842183df379b9c12d2451b28fc40bd84b8080786e781ec6eae875594edd225e1",
    ),
    (
        "generate",
        4,
        "ef99dbcb498b69e8d9dc80d049abd2e9496b8caffc6e2e9627e4a381c4ada6ee",
    ),
    (
        "judge",
        6,
        "4c1207491c928f4566b09c356637a42b678163f5f057cd3f6377b2a4f63ce70d",
    ),
    (
        "scorer",
        1,
        "477bf18558379877d7b0b2095136c9fada136a524844473d6fcc1367b29c1540",
    ),
    (
        "memo",
        1,
        "03bf9546f6af12e5188026a8bbd29fde9fb0da3b3c142b3821f22ee0636a886d",
    ),
    (
        "group",
        3,
        "4b0c750527bd44929c70788a3e747ad057e68f4174943ab088329132e6dffe7c",
    ),
    (
        "join",
        1,
        "eff5064a90356dad116218cc9465c22d2735785e824262fb2fac4bff0b8688a9",
    ),
    (
        "concat",
        1,
        "11e85557ee5e415ca773c9fcf41222c373d364c9c0b0c175ddcbcd0534e6b463",
    ),
    (
        "stats",
        3,
        "2457a1f8fb5d859e0a3b55f4d42c4f9b5e61e502261d5861c7df206e54c6b251",
    ),
    (
        "table",
        3,
        "3c4727c0e40ec2f3e4affa89385f3257bb84cbe35929f4da4bb9f20eeb78b6ec",
    ),
    (
        "figure",
        4,
        "ef51746f5fdf3930b24ea5d496650cffc798ed73a75739d6d709da58cd61d87d",
    ),
    (
        "export",
        1,
        "ade74c07587442de15f0672dae266940e420ea77e048073dec7e6b799b453321",
    ),
];

/// A program that scores rows by whether their number is odd.
const PARITY: &str = r#"echo '{"scorer": "parity 1", "protocol": 1}'
id=0
while read -r line; do
  odd=$((id % 2)); name="\"row $id\""; [ $id = 1 ] && name=7
  echo "{\"id\": $id, \"scores\": {\"odd\": $odd, \"even\": null}, \"reason\": \"not asked\", \"gives\": {\"place\": $id, \"name\": $name}, \"explanation\": \"counted\"}"
  id=$((id + 1))
done
"#;

#[test]
fn the_key_of_a_judge_is_what_it_was() {
    let lab = wide_known();
    let node = "judge.grades[length=6]";
    let said = lab.cmd(&["why", node, "--key"]).ok().out;
    let json = &said[said.find('{').expect("a key is printed")..];
    let fields: serde_json::Value = serde_json::from_str(json).unwrap();
    let (_, digest) = encode(&fields);
    let record = lab.cmd(&["run", "--json"]).ok().record;
    let nodes = record["nodes"].as_array().unwrap();
    let recorded = nodes.iter().find(|entry| entry["node"] == node).unwrap();
    assert_eq!(
        recorded["key"],
        digest.to_string(),
        "what is printed is what is hashed"
    );
    // How tables are written to disk is not what this is about.
    let mut fields = fields;
    fields["inputs"] = serde_json::json!([Digest::of("the table that is read")]);
    let (fields, digest) = encode(&fields);
    let json = serde_json::to_string_pretty(&fields).unwrap();
    insta::assert_snapshot!("judge-key", format!("{json}\n{digest}"));
}

#[test]
fn the_key_of_a_call_is_what_it_was() {
    let lab = wide_known();
    let record = lab.cmd(&["run", "--json"]).ok().record;
    let table = result(&lab, &record, "judge.grades[length=full]");
    let prompt = "You are a careful reader.Grade fluency and coherence.\n\nThe ferry left at noon. It came back at night with nobody aboard.";
    let messages = [Message {
        role: Role::User,
        content: prompt.to_owned(),
    }];
    let sampling = Sampling {
        temperature: Some(0.0),
        ..Sampling::default()
    };
    let (fields, digest) = encode(&CallKey {
        format: KEY_FORMAT,
        model: "fake",
        revision: None,
        messages: &messages,
        sampling: &sampling,
        thinking: None,
        extra: &serde_json::Map::new(),
        dialect: None,
        schema: None,
        script: Some(Digest::of(lab.read("script.toml"))),
        repeat: 0,
        attempt: 0,
    });
    let call = table.column("call").unwrap();
    assert_eq!(
        call.text(0).as_deref(),
        Some(&*digest.to_string()),
        "the call that was made"
    );
    let json = serde_json::to_string_pretty(&fields).unwrap();
    insta::assert_snapshot!("call-key", format!("{json}\n{digest}"));
}

#[test]
fn a_kind_whose_results_changed_has_another_version() {
    let server = crate::fetch::mirror();
    let lab = every_case(&server);
    let ran = lab.run(&["--json"]).ok();
    let mut wrong = String::new();
    for ((name, version, digest), kind) in GOLDEN.iter().zip(Kind::ALL) {
        assert_eq!(*name, kind.name());
        let now = contents(&lab, &ran, kind);
        let line = format!("(\"{name}\", {}, \"{now}\")", kind.version());
        if *version != kind.version() {
            let _ = writeln!(
                wrong,
                "`{name}` is at version {}, and the digest here is of version {version}: put in\n    {line},",
                kind.version()
            );
        } else if *digest != now.to_string() {
            let _ = writeln!(
                wrong,
                "the results of `{name}` stages changed, but `version` in src/stage/{name}/contract.rs still says {version}, so cached results of the old meaning would be reused: either make the results as before, or count the version up, say why in its history, and put in\n    {line},"
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// All that the stages of a kind result in, as a digest. Numbers count to nine digits, so that
/// another processor's last bit is no change; `call` is the key of a call, which has a test of its own.
fn contents(lab: &Lab, ran: &Ran, kind: Kind) -> Digest {
    let mut text = String::new();
    let nodes = ran.record["nodes"].as_array().unwrap();
    let mut nodes: Vec<&str> = nodes.iter().map(|n| n["node"].as_str().unwrap()).collect();
    // In which order they run is not what this is about.
    nodes.sort_unstable();
    for node in nodes {
        // The built-in judge has a version of its own, in its key.
        if !node.starts_with(&format!("{kind}.")) || node.contains("baseline") {
            continue;
        }
        let table = result(lab, &ran.record, node);
        let _ = writeln!(text, "{node}");
        for name in table.names().iter().filter(|name| !name.ends_with("call")) {
            let _ = writeln!(text, "{name}");
            for cell in table.column(name).unwrap().scalars() {
                match cell {
                    Scalar::Float(number) => writeln!(text, "{number:.8e}"),
                    other => writeln!(text, "{other:?}"),
                }
                .unwrap();
            }
        }
    }
    assert!(!text.is_empty(), "no {kind} stage ran");
    Digest::of(text)
}

/// A node's result, from the cache.
fn result(lab: &Lab, record: &serde_json::Value, node: &str) -> Frame {
    let outputs: BTreeMap<&str, &str> = record["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["node"].as_str().unwrap(),
                entry["output"].as_str().unwrap(),
            )
        })
        .collect();
    let output = outputs[node];
    let path = lab.path(&format!("cache/v1/blobs/{}/{output}", &output[..2]));
    Frame::from_parquet(fs_err::read(path).unwrap(), None).unwrap()
}

/// As many parameters as possible away from their defaults, and replies of every sort.
fn every_case(server: &Server) -> Lab {
    let spec = r#"
seed = 7

[axes]
length = { set = "truncate.cut.tokens", values = [6, "full"] }
strict = { set = "judge.grades.model", values = ["fake", "strict"] }
damage = { set = "manipulate.damaged.apply", values = ["none", 11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45, "negation", "conjunction-swap", "entity-replacement"] }

[models.fake]
provider = "scripted"
script = "script.toml"

[models.strict]
provider = "scripted"
script = "script.toml"
system = "Be strict."

[source.docs]
files = "docs.csv"
id = "name"
text = "body"

[source.texts]
files = "texts/*.txt"
metadata = "texts.csv"
empty = "drop"

[source.books]
gutenberg = [1342, 11]
mirror = "MIRROR"

[select.drawn]
from = "docs"
sample = 3

[select.picked]
from = "texts"
keep = { kind = ["letter", "list"] }
where = "year > 1900"
ids = ["a", "b", "c"]
tokens = [3, 100]
top = { by = "year", n = 2, smallest = true }

[derive.changed]
from = "judge.grades"
rename = { old = "score" }
drop = ["genre", "call", "reply"]
compute.step = "-1 if year > 1900 else 1"
compute.target = "[[old + step, 1] | max, 5] | min"
compute.moved = "target != old"
compute.pair = "[doc_id, metric]"
number.at = { within = ["metric"], by = "old", largest = true }
number.lot = { within = "doc_id", draw = true }
number.row = {}

[group.genres]
from = "judge.grades"
by = ["genre", "metric"]
order = ["year", "doc_id"]
complete = ["doc_id", "repeat"]
every = { metric = ["fluency", "coherence", "style"] }
compute.rows = "count()"
compute.high = "share(score >= 3)"
compute.passes = "all(score >= 2)"
compute.fails = "any(score < 2)"
compute.total = "sum(score)"
compute.average = "mean(score)"
compute.spread = "sd(score, 0)"
compute.gap = "max(score) - min(score)"
compute.middle = "median(score) / average"
compute.first = "first(doc_id)"
compute.scores = "list(doc_id, score, high = score > 3)"

[group.repeats]
from = "genres"
by = []
compute.gap = "mean(gap)"

[truncate.cut]
from = "docs"
tokens = "full"

[clean.tidy]
from = "books"

[split.scans]
from = "tidy"
tokens = 12
overlap = 0.25
tokenizer = "spaces"

[split.sections]
from = "tidy"
into = "sections"
characters = 80

[manipulate.damaged]
from = "tidy"
apply = "none"
donors = "tidy"
fill = "tidy"
swap-content = { count = 1, min-characters = 10 }
remove-content = { count = 1, min-characters = 10 }
insert-content = { count = 1, min-characters = 10 }
repeat-content = { count = 1, min-characters = 10, times = 2 }
exchange-content = { count = 1, min-characters = 10 }
temporal-inconsistencies = { per-thousand = 10, plus = 1, min-characters = 10 }
swap-entities = { percent = [50, 100] }
exchange-entities = { percent = 50 }
entity-to-pronoun = { percent = 50 }
entity-to-term = { percent = 50 }
typos = { percent = 10 }
verb-tenses = { percent = 20 }
word-order = { percent = 50 }
punctuation-removal = { percent = 20, density = "dense" }
word-removal = { percent = 10, density = "dense" }
needle = { before = 0, after = 1, room = 1 }

[explode.layers]
from = "damaged"
column = "edits"
into = "layer"
index = "layer_number"
empty = "keep"

[explode.edits]
from = "explode.layers"
column = "layer"
tree = { levels = { edit = "edits" }, text = "original" }
fields = { changed = "new" }

[measure.counts]
from = "damaged"
metrics = ["characters", "tokens", "tokens:cl100k_base", "words", "sentences", "paragraphs", "entities", "operations", "changed-words"]

[stats.counts]
from = "measure.counts"

[table.counts]
from = "stats.counts"
rows = ["damage"]
columns = ["metric"]

[export.all]
from = ["scans", "sections", "damaged"]
columns = ["doc_id", "section", "start", "end", "previous", "damage", "edits", "text"]
format = "jsonl"

[judge.grades]
max-unscored = 1
from = "cut"
model = "fake"
prompt = "grade"
repeats = 2
retry-cut = 1
scale = { min = 1, max = 5, step = 0.5 }

[judge.likely]
from = "docs"
model = "fake"
prompt = "likely"
metrics = ["fluency"]
parse = "likert"
scale = { min = 1, max = 5, step = 1 }
score = "expected"
min-mass = 0.4
logprobs = true
max-unscored = 1

[judge.duel]
from = "docs"
model = "fake"
prompt = "duel"
parse = "choice"
compare = ["text", "genre"]
max-unscored = 1

[judge.settled]
from = "docs"
model = "fake"
prompt = "likely"
metrics = ["fluency"]
parse = "likert"
max-unscored = 1
until = { by = ["genre"], least = 2, window = 1, within = 1, most = 2 }

[judge.listed]
from = "damaged"
model = "fake"
prompt = "check"
variables = "edits"
metrics = "met"
parse = "items"
items = "edits"
id = "manipulation"
fields = { because = "reason" }
scale.labels = { no = 0, yes = 1 }
max-unscored = 1

[generate.summary]
from = "cut"
model = "fake"
prompt = "sum"
into = "summary"
repeats = 2
retry-cut = 0

[scorer.parity]
from = "drawn"
command = ["sh", "parity.sh"]
version = "parity 1"
metrics = ["odd", "even"]
scale = { min = 0, max = 1, step = 1 }
max-unscored = 1
gives = { place = "number", name = "text" }

[memo.notes]
from = "grades"
section = "year"

[memo.labels]
from = "grades"
documents = "cut"
section = "year"
order = "label"
offsets = false
summaries = "genre"

[join.beside]
from = "grades"
with = "drawn"
on = "doc_id"
columns = { kind = "genre", published = "year" }

[join.others]
from = "docs"
with = "drawn"
on = "doc_id"
how = "anti"

[concat.gathered]
from = "grades"
over = "strict"

[concat.both]
from = ["docs", "drawn"]
columns = ["doc_id", "year"]
origin = "which"

[stats.scores]
from = "grades"
by = "genre"
ddof = 0
level = 0.9

[stats.shorter]
from = "grades"
test = "paired-t"
pair = { axis = "length", against = "full" }
correct = "holm"
family = "metric"
alternative = "less"

[stats.stricter]
from = "grades"
test = "paired-t"
pair = [{ axis = "length", against = "full" }, { axis = "strict", against = "fake" }]

[stats.means]
from = "scores"
value = "mean"
over = "genre"

[table.scores]
from = "scores"
rows = ["genre", "metric"]
columns = ["strict", "length"]

[table.compared]
rows = ["strict", "metric"]
columns = ["length"]

[[table.compared.part]]
from = "means"

[[table.compared.part]]
from = "shorter"
value = "t"
set = { length = "t" }

[figure.by-genre]
from = "scores"
x = ["genre", "metric"]
panels = "length"
series = "strict"
low = "ci_low"
high = "ci_high"
reference = "metric == 'fluency' and genre == 'Fiction'"

[figure.tested]
from = "shorter"
x = ["metric", "strict"]
value = "t"
nonsignificant = 0.05

[figure.spread]
from = "judge.grades"
type = "violins"
x = "metric"
series = "strict"
panels = "length"

[figure.counted]
type = "histogram"
bins = 4
panels = "of"

[[figure.counted.part]]
from = "select.drawn"
value = "year"
set = { of = "drawn" }

[[figure.counted.part]]
from = "source.docs"
value = "year"
set = { of = "all" }
"#;
    let mirror = server.url("/{id}.txt");
    super::wide()
        .spec(&spec.replace("MIRROR", &mirror))
        .file(
            "templates/likely.j2",
            "How likely is its fluency?\n{{ text }}\n",
        )
        .file(
            "templates/duel.j2",
            "Which of the two?\n{{ first }}\n{{ second }}\n",
        )
        .file("templates/sum.j2", "Sum up what follows.\n{{ text }}\n")
        .file(
            "templates/check.j2",
            "Check each change.\n{% if edits is not none %}{{ edits }}{% endif %}\n",
        )
        .file("parity.sh", PARITY)
        .file("texts/a.txt", "Dear Anne, the boat is here. Come soon.\n")
        .file("texts/b.txt", "Bread, salt, two lamps.\n")
        .file(
            "texts/c.txt",
            "Dear Bert, I can not come.\r\nThe road is closed.\n",
        )
        .file("texts/d.txt", "")
        .file(
            "texts.csv",
            "doc_id,kind,year\na,letter,1950\nb,list,1960\nc,letter,1940\nd,letter,1930\n",
        )
        .script(
            r#"
[[reply]]
contains = ["How likely", "ferry"]
text = "4"
logprobs = [["4", -0.5], ["5", -1.5], ["The", -2.0]]

[[reply]]
contains = ["How likely", "mill"]
text = "Fluency: 2"
logprobs = [[["Fluency:", -0.25]], [[" 2", -1.0], [" 1", -1.25]]]

[[reply]]
contains = ["How likely"]
text = "{{ digest % 5 + 1 }}"

[[reply]]
contains = ["Which of the two", "ferry"]
text = "[[A]]"

[[reply]]
contains = ["Which of the two", "mill"]
text = "A or B"

[[reply]]
contains = ["Which of the two"]
text = "{% if digest % 2 == 0 %}tie{% else %}B{% endif %}"

[[reply]]
contains = ["Check each change."]
text = "1. yes, it is marked"

[[reply]]
contains = ["Be strict.", "ferry"]
text = "I would rather not say."

[[reply]]
contains = ["mill"]
repeat = 1
text = "FINAL Fluency Score: 3"
finish = "length"

[[reply]]
contains = ["letter"]
repeat = 0
refuse = "no letters"

[[reply]]
contains = ["garden", "rain"]
repeat = 0
text = """
1) Fluency Issues:
- [GRAMMAR] a sentence without a verb
2) Coherence Issues:
- [LOGIC] the rain comes from nowhere
FINAL Fluency Score: 7
FINAL Coherence Score: 2.5
"""

[[reply]]
text = """
FINAL Fluency Score: {{ digest % 9 / 2 + 1 }}
FINAL Coherence Score: {{ digest // 9 % 5 + 1 }}
"""
"#,
        )
}
