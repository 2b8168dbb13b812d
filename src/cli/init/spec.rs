//! The spec of a person's data, its template, and the settings of their machine.

use std::path::Path;

use serde_json::Value;

use super::super::args::InitArgs;
use super::data::{Data, Judged, Ratings, Table};
use super::files::{Files, LOCAL, SPEC};
use crate::base::wording::count;
use crate::stage::check::columns::taken as is_taken;

const GRADE: &str = include_str!("starter/grade.j2");
const COMPARE: &str = include_str!("starter/compare.j2");
const STAND_IN: &str = include_str!("starter/stand-in.toml");

/// The spec and what it needs beside the data.
pub(super) fn files(data: &Data, args: &InitArgs) -> Files {
    let pair = matches!(&data.table, Some(table) if matches!(table.judged, Judged::Pair(..)));
    let shown = match variables(data).1 {
        Some(question) => format!("Question:\n{{{{ {question} }}}}\n\n"),
        None => String::new(),
    };
    let mut files = vec![(SPEC.to_owned(), written(data, args))];
    if pair {
        files.push((
            "templates/compare.j2".to_owned(),
            COMPARE.replacen("[question]\n", &shown, 1),
        ));
        if args.server.is_none() {
            files.push(("experiments/stand-in.toml".to_owned(), STAND_IN.to_owned()));
        }
    } else {
        let template = GRADE.replacen("Text:\n", &format!("{shown}Text:\n"), 1);
        files.push(("templates/grade.j2".to_owned(), template));
    }
    files.push((LOCAL.to_owned(), local(data.elsewhere.as_deref())));
    files
}

/// The settings of this machine, which git ignores.
pub(super) fn local(data: Option<&Path>) -> String {
    let mut text =
        "# What belongs to this machine, laid over every spec of the project; git ignores it.\n"
            .to_owned();
    match data {
        Some(folder) => {
            let folder = quoted(&folder.to_string_lossy());
            add(&mut text, &format!("\n[paths]\ndata = {folder}\n"));
        }
        None => text.push_str("#\n# [paths]\n# data = \"/where/the/data/lies\"\n"),
    }
    text.push_str("#\n# [models.judge]\n# base-url    = \"http://127.0.0.1:8000/v1\"\n# api-key-env = \"MY_KEY\"    # the variable that holds the key\n");
    text
}

/// The column with the question, under a name that a template can use.
fn question(table: &Table) -> Option<&str> {
    table.question.as_deref().filter(|name| is_plain(name))
}

/// Whether a column may be called so from the source to the tables, and in a template.
fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !is_taken(name)
        && !["metrics", "scale", "first", "second", "loop", "human"].contains(&name)
}

/// Puts a piece at the end of a text.
fn add(text: &mut String, piece: &str) {
    text.push_str(piece);
}

/// A text as TOML writes it, which reads the escapes of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn written(data: &Data, args: &InitArgs) -> String {
    let mut text = String::from(
        "#:schema ../tribunal.schema.json\n# Written by `tribunal init`; every line is meant to be changed.\n",
    );
    text.push_str("title = \"A first experiment\"\n");
    let mut from = "documents";
    source(data, &mut text);
    let changes = changes(data);
    if !changes.is_empty() {
        text.push_str("\n[derive.prepared]            # columns under the names that the rest uses\nfrom = \"documents\"\n");
        text.push_str(&changes);
        from = "prepared";
    }
    match data.table.as_ref().map(|table| &table.judged) {
        Some(Judged::Pair(..)) => pairs(data, from, args, &mut text),
        _ => texts(data, from, args, &mut text),
    }
    text.push_str(&model(data, args));
    text
}

fn source(data: &Data, text: &mut String) {
    add(
        text,
        &format!("\n[source.documents]\nfiles = {}", quoted(&data.files)),
    );
    if data.elsewhere.is_some() {
        text.push_str("    # `{data}` is a folder that tribunal.local.toml names");
    }
    text.push('\n');
    if let Some(metadata) = &data.metadata {
        add(
            text,
            &format!(
                "metadata = {}    # a row for each document\n",
                quoted(metadata)
            ),
        );
    }
    let Some(table) = &data.table else { return };
    add(text, &format!("id    = {}\n", quoted(&table.id)));
    let (judged, mut columns) = match (&table.judged, &table.question) {
        (Judged::One(judged), question) => {
            let shown = question.iter().filter(|name| is_plain(name));
            (judged, shown.collect::<Vec<_>>())
        }
        // What both answer is the text of a row; without it, one of the two is.
        (Judged::Pair(first, second), Some(question)) => (question, vec![first, second]),
        (Judged::Pair(first, second), None) => (first, vec![second]),
    };
    add(text, &format!("text  = {}\n", quoted(judged)));
    columns.extend(data.ratings.iter().map(|ratings| &ratings.column));
    columns.dedup();
    let columns: Vec<String> = columns.into_iter().map(|name| quoted(name)).collect();
    add(
        text,
        &format!(
            "columns = [{}]    # those kept beside them\n",
            columns.join(", ")
        ),
    );
    if table.empty > 0 {
        let rows = count(table.empty, "row");
        add(
            text,
            &format!("empty = \"drop\"    # {rows} without a text\n"),
        );
    }
}

/// The columns of a `derive` that gives columns names that nothing else has, and says in words of the judge what people
/// preferred; none, where nothing is to be changed.
fn changes(data: &Data) -> String {
    let mut lines = String::new();
    let mut renamed: Vec<String> = Vec::new();
    if let Some(table) = &data.table
        && let Judged::Pair(first, second) = &table.judged
    {
        let (one, two) = names(data);
        if two != second {
            renamed.push(format!("{two} = {}", quoted(second)));
        }
        if table.question.is_none() {
            add(&mut lines, &format!("compute.{one} = \"text\"\n"));
        } else if one != first {
            renamed.push(format!("{one} = {}", quoted(first)));
        }
    }
    if let Some(Ratings {
        column,
        sides: None,
    }) = &data.ratings
        && !is_plain(column)
        && column != "human"
    {
        renamed.push(format!("human = {}", quoted(column)));
    }
    if let Some(ratings) = &data.ratings
        && ratings.sides.is_some()
        && !is_plain(&ratings.column)
        && ratings.column != "human"
    {
        renamed.push(format!("said = {}", quoted(&ratings.column)));
    }
    if !renamed.is_empty() {
        lines = format!("rename = {{ {} }}\n{lines}", renamed.join(", "));
    }
    if let Some(Ratings {
        column,
        sides: Some([one, two]),
    }) = &data.ratings
    {
        let plain = is_plain(column) || column == "human";
        let column = if plain { column.as_str() } else { "said" };
        let (first, second) = names(data);
        let side = |values: &[String], name: &str| match values {
            [] => String::new(),
            values => format!("'{name}' if {column} in [{}] else ", values.join(", ")),
        };
        let said = format!("{}{}'tie'", side(one, first), side(two, second));
        add(
            &mut lines,
            &format!("compute.verdict_of_people = {}\n", quoted(&said)),
        );
    }
    lines
}

/// What the two texts of a pair are called below the source.
fn names(data: &Data) -> (&str, &str) {
    let Some(Judged::Pair(first, second)) = data.table.as_ref().map(|table| &table.judged) else {
        return ("one", "other");
    };
    let plain = |name, instead| if is_plain(name) { name } else { instead };
    (plain(first, "one"), plain(second, "other"))
}

/// The variables of the prompt, and the one of them that is a question.
fn variables(data: &Data) -> (String, Option<&str>) {
    let (text, question) = match &data.table {
        None => (Some("text"), None),
        Some(table) => match table.judged {
            Judged::One(_) => (Some("text"), question(table)),
            Judged::Pair(..) => (None, table.question.as_ref().map(|_| "text")),
        },
    };
    let all: Vec<String> = text.into_iter().chain(question).map(quoted).collect();
    (all.join(", "), question)
}

/// A judge of single texts, and how its scores go with people's.
fn texts(data: &Data, from: &str, args: &InitArgs, text: &mut String) {
    let model = if args.server.is_some() {
        "model     = \"judge\"          # the server below\n"
    } else {
        "model     = \"heuristic\"      # built in, reads no prompt; then \"judge\", a model under [models]\n"
    };
    add(
        text,
        &format!(
            "\n[judge.graded]\nfrom      = \"{from}\"\n{model}prompt    = \"grade\"          # templates/grade.j2\nvariables = [{}]    # columns shown in it\nmetrics   = [\"fluency\", \"coherence\"]\nscale     = {{ min = 1, max = 5, step = 0.5 }}\n",
            variables(data).0
        ),
    );
    text.push_str(
        "\n[stats.scores]\nfrom = \"graded\"\n\n[table.scores]\nfrom   = \"scores\"\nrows   = [\"metric\"]\nshow-n = true                # how many documents are behind each number\n",
    );
    if let Some(ratings) = &data.ratings {
        let column = if is_plain(&ratings.column) || ratings.column == "human" {
            ratings.column.as_str()
        } else {
            "human"
        };
        add(
            text,
            &format!(
                "\n[stats.agreement]            # do the judge's scores rise and fall with people's?\nfrom      = \"graded\"\ntest      = \"correlation\"\nreference = \"{column}\"\n\n[table.agreement]\nfrom   = \"agreement\"\nvalue  = \"spearman\"\nrows   = [\"metric\"]\nshow-n = true\n"
            ),
        );
    }
}

/// A judge that compares, whether it goes by the place of a text, and how often it agrees with people.
fn pairs(data: &Data, from: &str, args: &InitArgs, text: &mut String) {
    let (first, second) = names(data);
    let model = if args.server.is_some() {
        "model     = \"judge\"          # the server below\n"
    } else {
        "model     = \"stand-in\"       # always chooses what it is shown first; then \"judge\", a model under [models]\n"
    };
    add(
        text,
        &format!(
            "\n[judge.duel]\nfrom      = \"{from}\"\n{model}prompt    = \"compare\"        # templates/compare.j2\nvariables = [{}]\nparse     = \"choice\"\ncompare   = [{}, {}]    # each pair is asked twice, in both orders\n",
            variables(data).0,
            quoted(first),
            quoted(second)
        ),
    );
    add(
        text,
        &format!(
            "\n[stats.wins]                 # how often `{first}` wins; a tie is half\nfrom = \"duel\"\ntest = \"win-rate\"\n\n[table.wins]\nfrom   = \"wins\"\nvalue  = \"win_rate\"\nrows   = [\"contender\", \"opponent\"]\nshow-n = true\n"
        ),
    );
    text.push_str(
        "\n[stats.position]             # the share of wins of what is shown first: 0.5 without a bias\nfrom      = \"duel\"\ntest      = \"position\"\ncontender = \"contender\"\nopponent  = \"opponent\"\norder     = \"order\"\n\n[table.position]\nfrom   = \"position\"\nrows   = [\"metric\"]\nshow-n = true\n",
    );
    if data.ratings.is_some() {
        text.push_str(
            "\n[stats.agreement]            # the same verdict as people, beyond chance\nfrom      = \"duel\"\ntest      = \"agreement\"\nover      = [\"doc_id\"]\nby        = [\"order\"]\nvalue     = \"choice\"\nreference = \"verdict_of_people\"\n\n[table.agreement]\nfrom   = \"agreement\"\nvalue  = \"cohen\"\nrows   = [\"order\"]\nshow-n = true\n",
        );
    }
}

/// The model: the server that was named, or how one would be written.
fn model(data: &Data, args: &InitArgs) -> String {
    let own = match (&args.server, &args.model) {
        (Some(url), model) => {
            let name = model.as_deref().unwrap_or("judge");
            let provider = if url.contains("anthropic") {
                "anthropic"
            } else {
                "openai"
            };
            return format!(
                "\n[models.judge]\nprovider    = \"{provider}\"\nbase-url    = {}\nmodel       = {}\n# api-key-env = \"MY_KEY\"      # the variable with the key, which never goes into a spec\ntemperature = 0.0\nmax-tokens  = 800\n",
                quoted(url),
                quoted(name)
            );
        }
        (None, Some(model)) => quoted(model),
        (None, None) => quoted("name-of-the-model"),
    };
    let stand_in = match data.table.as_ref().map(|table| &table.judged) {
        Some(Judged::Pair(..)) => {
            "\n[models.stand-in]\nprovider = \"scripted\"\nscript   = \"stand-in.toml\"\n"
        }
        _ => "",
    };
    format!(
        "{stand_in}\n# [models.judge]             # a server: vLLM, llama.cpp, Ollama, hosted ones; `tribunal plan` says what it would cost\n# provider    = \"openai\"\n# base-url    = \"http://127.0.0.1:8000/v1\"\n# model       = {own}\n# api-key-env = \"MY_KEY\"      # the variable with the key, which never goes into a spec\n"
    )
}
