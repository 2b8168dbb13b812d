//! The spec of a person's data, its template, and the settings of their machine.

use std::path::Path;

use serde_json::Value;

use super::super::args::InitArgs;
use super::columns::is_plain;
use super::data::{Data, Judged, Ratings, Table};
use super::files::{Files, LOCAL, SPEC};
use crate::base::wording::count;

const GRADE: &str = include_str!("starter/grade.j2");
const COMPARE: &str = include_str!("starter/compare.j2");
const STAND_IN: &str = include_str!("starter/stand-in.toml");

/// The spec and what it needs beside the data.
pub(super) fn files(data: &Data, args: &InitArgs) -> Files {
    let pair = matches!(&data.table, Some(table) if !matches!(table.judged, Judged::One(_)));
    let mut shown = match variables(data).1 {
        Some(question) => format!("Question:\n{{{{ {question} }}}}\n\n"),
        None => String::new(),
    };
    if let Some(reference) = data
        .table
        .as_ref()
        .and_then(|table| table.reference.as_ref())
    {
        add(
            &mut shown,
            &format!("A correct answer:\n{{{{ {reference} }}}}\n\n"),
        );
    }
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
        None | Some(Judged::One(_)) => texts(data, from, args, &mut text),
        Some(_) => pairs(data, from, args, &mut text),
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
            let shown = shown.chain(&table.reference).chain(&table.writer);
            (judged, shown.collect::<Vec<_>>())
        }
        (Judged::Between(judged, writer), question) => {
            (judged, question.iter().chain([writer]).collect())
        }
        // What both answer is the text of a row; without it, one of the two is.
        (Judged::Pair(first, second), Some(question)) => (question, vec![first, second]),
        (Judged::Pair(first, second), None) => (first, vec![second]),
    };
    add(text, &format!("text  = {}\n", quoted(judged)));
    columns.extend(data.ratings.iter().flat_map(|ratings| &ratings.columns));
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
    if let Some(ratings) = &data.ratings {
        let several = ratings.columns.len() > 1;
        let odd = |column: &String| !is_plain(column) && (several || column != "human");
        for (number, column) in ratings
            .columns
            .iter()
            .enumerate()
            .filter(|(_, name)| odd(name))
        {
            let name = called(ratings, number);
            renamed.push(format!("{name} = {}", quoted(column)));
        }
    }
    if !renamed.is_empty() {
        lines = format!("rename = {{ {} }}\n{lines}", renamed.join(", "));
    }
    if let Some(ratings) = data
        .ratings
        .as_ref()
        .filter(|ratings| ratings.columns.len() > 1)
    {
        let names = (0..ratings.columns.len()).map(|number| called(ratings, number));
        let names: Vec<String> = names.collect();
        add(
            &mut lines,
            &format!(
                "compute.human = \"({}) / {}\"    # what people say on average\n",
                names.join(" + "),
                names.len()
            ),
        );
    }
    if let Some(ratings) = &data.ratings
        && let Some([one, two]) = &ratings.sides
    {
        let column = called(ratings, 0);
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

/// What a column of people's verdicts is called below the source.
fn called(ratings: &Ratings, number: usize) -> String {
    let column = &ratings.columns[number];
    match (&ratings.sides, ratings.columns.len()) {
        _ if is_plain(column) => column.clone(),
        (Some(_), _) if column != "human" => "said".to_owned(),
        (_, 1) | (Some(_), _) => "human".to_owned(),
        _ => format!("rater_{}", number + 1),
    }
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
            Judged::Between(..) => (None, question(table)),
        },
    };
    let reference = data
        .table
        .as_ref()
        .and_then(|table| table.reference.as_deref());
    let all = text.into_iter().chain(question).chain(reference);
    let all: Vec<String> = all.map(quoted).collect();
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
    let writer = data.table.as_ref().and_then(|table| table.writer.as_ref());
    let (by, rows) = match writer {
        Some(writer) => (
            format!("by   = [\"{writer}\", \"metric\"]\n"),
            format!("\"{writer}\", \"metric\""),
        ),
        None => (String::new(), "\"metric\"".to_owned()),
    };
    add(
        text,
        &format!(
            "\n[stats.scores]\nfrom = \"graded\"\n{by}\n[table.scores]\nfrom   = \"scores\"\nrows   = [{rows}]\nshow-n = true                # how many documents are behind each number\n"
        ),
    );
    let Some(ratings) = &data.ratings else { return };
    let column = match ratings.columns.len() {
        1 => called(ratings, 0),
        _ => "human".to_owned(),
    };
    add(
        text,
        &format!(
            "\n[stats.agreement]            # do the judge's scores rise and fall with people's?\nfrom      = \"graded\"\ntest      = \"correlation\"\nreference = \"{column}\"\n\n[table.agreement]\nfrom   = \"agreement\"\nvalue  = \"spearman\"\nrows   = [\"metric\"]\nshow-n = true\n"
        ),
    );
    if ratings.columns.len() > 1 {
        let [one, other] = [0, 1].map(|number| called(ratings, number));
        add(
            text,
            &format!(
                "\n[stats.people]               # and how far do two people agree? a judge can hardly do better\nfrom      = \"{from}\"\ntest      = \"correlation\"\nvalue     = \"{one}\"\nreference = \"{other}\"\n\n[table.people]\nfrom  = \"people\"\nvalue = [\"n\", \"spearman\"]\nrows  = [\"statistic\"]\n"
            ),
        );
    }
}

/// A judge that compares, whether it goes by the place of a text, and how often it agrees with people.
fn pairs(data: &Data, from: &str, args: &InitArgs, text: &mut String) {
    let model = if args.server.is_some() {
        "model     = \"judge\"          # the server below\n"
    } else {
        "model     = \"stand-in\"       # always chooses what it is shown first; then \"judge\", a model under [models]\n"
    };
    let between = data.table.as_ref().and_then(|table| match &table.judged {
        Judged::Between(_, writer) => Some((writer, table.question.as_deref()?)),
        _ => None,
    });
    let (compare, wins, over) = match between {
        Some((writer, question)) => (
            format!(
                "{{ between = {}, by = [{}] }}",
                quoted(writer),
                quoted(question)
            ),
            "how often the contender wins".to_owned(),
            format!("over = [{}]\n", quoted(question)),
        ),
        None => {
            let (first, second) = names(data);
            (
                format!("[{}, {}]", quoted(first), quoted(second)),
                format!("how often `{first}` wins"),
                String::new(),
            )
        }
    };
    add(
        text,
        &format!(
            "\n[judge.duel]\nfrom      = \"{from}\"\n{model}prompt    = \"compare\"        # templates/compare.j2\nvariables = [{}]\nparse     = \"choice\"\ncompare   = {compare}    # each pair is asked twice, in both orders\n",
            variables(data).0,
        ),
    );
    add(
        text,
        &format!(
            "\n[stats.wins]                 # {wins}; a tie is half\nfrom = \"duel\"\ntest = \"win-rate\"\n{over}\n[table.wins]\nfrom   = \"wins\"\nvalue  = \"win_rate\"\nrows   = [\"contender\", \"opponent\"]\nshow-n = true\n"
        ),
    );
    add(
        text,
        &format!(
            "\n[stats.position]             # the share of wins of what is shown first: 0.5 without a bias\nfrom      = \"duel\"\ntest      = \"position\"\n{}contender = \"contender\"\nopponent  = \"opponent\"\norder     = \"order\"\n\n[table.position]\nfrom   = \"position\"\nrows   = [\"metric\"]\nshow-n = true\n",
            over.replacen("over =", "over      =", 1)
        ),
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
        Some(Judged::Pair(..) | Judged::Between(..)) => {
            "\n[models.stand-in]\nprovider = \"scripted\"\nscript   = \"stand-in.toml\"\n"
        }
        _ => "",
    };
    format!(
        "{stand_in}\n# [models.judge]             # a server: vLLM, llama.cpp, Ollama, hosted ones; `tribunal plan` says what it would cost\n# provider    = \"openai\"\n# base-url    = \"http://127.0.0.1:8000/v1\"\n# model       = {own}\n# api-key-env = \"MY_KEY\"      # the variable with the key, which never goes into a spec\n"
    )
}
