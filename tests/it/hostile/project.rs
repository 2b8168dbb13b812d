//! A project in which everything that can be text is hostile.

use serde_json::json;

use crate::lab::Lab;

/// What would run if it were taken for markup; whatever does sets `window.__ran`.
pub(crate) const MARKUP: &[&str] = &[
    "<script>window.__ran='script';alert(1)</script>",
    "</script><script>window.__ran='after a script'</script>",
    "</style><script>window.__ran='after a style'</script>",
    "</title></textarea></template></noscript></pre></svg></math><script>window.__ran='closed'</script>",
    "]]><script>window.__ran='cdata'</script>",
    "<!-- <script> <!--<script>window.__ran='comment'</script> --!>",
    "<img src=x onerror=\"window.__ran='img'\">",
    "<svg onload=\"window.__ran='svg'\"><style>*{display:none}</style></svg>",
    "\" autofocus tabindex=1 onfocus=\"window.__ran='quote'",
    "' onmouseover='window.__ran=1' x='",
    "<a href=\"javascript:window.__ran='url'\">javascript:window.__ran='url'</a>",
    "<base href=//example.invalid/><meta http-equiv=refresh content=0;url=//example.invalid>",
    "<iframe srcdoc=\"<script>parent.__ran='frame'</script>\"></iframe>",
    "<link rel=stylesheet href=//example.invalid/x.css><object data=//example.invalid/x>",
    "{{ 7*7 }} {% raw %} {# no #} ${7*7} &lt;b&gt; &amp;amp; &#x3c;",
    "\\u003cscript\\u003e \\x3c \\n \\ $& $1 __proto__ constructor",
];

/// What would be obeyed rather than shown, by a terminal or by whoever lays out a line.
pub(crate) const SIGNS: &[&str] = &[
    "\u{1b}[2J\u{1b}[31mred\u{1b}]0;owned\u{7}\u{1b}]8;;http://example.invalid\u{1b}\\link",
    "\u{9b}31mred \u{9d}0;owned\u{9c} \u{85}",
    "nul \0 bell \u{7} back \u{8} vertical \u{b} form \u{c} shift \u{e}\u{f} delete \u{7f}",
    "1\u{202e}2\u{202d}3 \u{2066}left\u{2069} \u{2028}line\u{2029}paragraph",
    "\u{301}\u{301}lone marks\u{301} e\u{301} \u{feff}\u{200b}\u{200d}\u{fffe}\u{10ffff}",
    "𝔊\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{645}\u{631}",
];

/// One line of everything.
pub(crate) fn line() -> String {
    [MARKUP, SIGNS].concat().join(" ")
}

/// A document of prose that manipulations find something in, between paragraphs of everything.
pub(crate) fn document() -> String {
    let prose = "The ferry left at noon, and nobody had counted the sheep twice. \
        She walked home slowly because the rope was wet, and he waited at the mill.";
    let hostile = [MARKUP, SIGNS].concat();
    let paragraphs = hostile.iter().map(|line| format!("{prose} {line} {prose}"));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Text as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap();
    // The one character that JSON leaves and TOML does not.
    json.replace('\u{7f}', "\\u007f")
}

/// The project: three documents, of which one is also damaged; a judge on two models, one of which is silent on a
/// document; a table with labels.
pub(crate) fn lab() -> Lab {
    let line = line();
    // Literals of a condition have no escapes, and a quote ends them.
    let condition = format!("doc_id != '{}'", line.replace('\'', "’"));
    let spec = format!(
        r#"
title = {title}

[models.m]
provider = "scripted"
script = "script.toml"

[axes]
kept = {{ set = "select.some.where", values = ['true', {odd}] }}
task = {{ set = "manipulate.damaged.apply", values = ["none", "typos"] }}

[source.docs]
files = "docs.jsonl"

[select.some]
from = "docs"

[manipulate.damaged]
from = "some"
apply = "none"
typos = {{ percent = 20 }}

[judge.grades]
max-unscored = 1
from = "damaged"
model = "m"
prompt = "grade"
metrics = ["fluency"]

[stats.scores]
from = "grades"

[stats.documents]
from = "grades"
by = "title"

[table.scores]
title = {title}
rows = ["kept", "metric"]
columns = ["task"]

expect = "expected.csv"

[table.scores.labels]
task = {{ none = {title}, typos = {markup} }}
metric = {{ fluency = {signs} }}

[[table.scores.part]]
from = "scores"

[table.documents]
from = "documents"
rows = ["kept", "title"]
columns = ["task", "metric"]

[report]
formats = ["md", "csv", "tex", "html", "json"]
"#,
        title = quoted(&line),
        markup = quoted(&MARKUP.concat()),
        signs = quoted(&SIGNS.concat()),
        odd = quoted(&condition),
    );
    let documents = [
        json!({ "doc_id": line, "title": line, "author": line, "text": document() }),
        json!({ "doc_id": "prose", "title": "Prose", "author": line, "text": document() }),
        json!({ "doc_id": "plain", "title": line, "author": line, "text": "A plain line.\n\nAnother." }),
    ];
    let documents: String = documents.map(|row| row.to_string()).join("\n") + "\n";
    let reply = format!(
        "{line}\n\n1) Fluency Issues:\n- [{markup}] {line}: \"{prose}\"\n- [GRAMMAR] {signs}\n\nFINAL Fluency Score: 3.5\n",
        markup = "<script>window.__ran='label'</script>",
        prose = "nobody had counted the sheep twice",
        signs = SIGNS.concat(),
    );
    let script = format!(
        "[[reply]]\ncontains = [\"A plain\"]\nrefuse = {}\n\n[[reply]]\ntext = {}\n",
        quoted(&line),
        // The script's texts are templates.
        quoted(&format!(
            "{{{{ {} }}}}",
            serde_json::to_string(&reply).unwrap()
        )),
    );
    let mut expected = csv::Writer::from_writer(Vec::new());
    expected
        .write_record(["kept", "metric", "task", "printed"])
        .unwrap();
    expected
        .write_record([&condition, "fluency", "none", "4.5"])
        .unwrap();
    Lab::new()
        .file("expected.csv", expected.into_inner().unwrap())
        .spec(&spec)
        .file("docs.jsonl", documents)
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(&script)
}
