//! What a template does with its variables, read off its syntax tree: which it asks for, which it shows, under what
//! conditions and through which filters.
//!
//! A variable is *asked for* where only its being there or its equality with something written in the template
//! decides (`{% if thinking %}`, `style == "long"`, `title is none`); every other use is one of its content, which the
//! prompt then has to show. Nothing is rendered here.

mod conditions;
mod paths;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use minijinja::machinery::ast::{Expr, Stmt};
use minijinja::machinery::parse;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;

pub(super) use self::paths::{Access, How, Part, Path, Step};
use super::condition::Condition;

/// What a template and all it includes do with variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Uses of a variable's content, in the order of the text.
    pub(super) uses: Vec<Use>,
    /// Uses of columns and of what lies within them.
    pub(super) parts: Vec<Part>,
    /// Where it takes columns apart.
    pub(super) accesses: Vec<Access>,
    /// What conditions ask for that lies within a column, by its name there.
    pub(super) within: BTreeMap<String, Path>,
    /// Whether a loop goes through what it has found in its elements.
    pub(super) recursive: bool,
    /// Into how many names elements of lists are unpacked.
    pub(super) widths: BTreeMap<String, usize>,
    /// The variables of which it asks whether they have a value.
    pub(super) asked: BTreeSet<String>,
    /// The filters through which something is shown that leave all of it there.
    pub(super) chains: Vec<Chain>,
    /// The filters and tests it names.
    pub(super) words: Vec<Word>,
    /// Variables that it takes for numbers: it counts with them, or compares them with one.
    pub(super) numbers: BTreeSet<String>,
    /// Whether its templates include each other in more ways than are read.
    pub(super) endless: bool,
}

/// A use of a variable's content.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) name: String,
    /// The template it stands in, and the line.
    pub(super) template: String,
    pub(super) line: usize,
    /// What must hold for it to be reached.
    pub(super) guards: Vec<Condition>,
}

/// Filters, one after the other, each with its arguments.
pub(super) type Chain = Vec<(String, Vec<Value>)>;

/// Something named that the language has to know.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) kind: WordKind,
    pub(super) name: String,
    pub(super) template: String,
    pub(super) range: Range<usize>,
}

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    Filter,
    Test,
    /// A comparison with `none`, which nothing equals.
    EqualsNone,
}

/// So many times templates are read because others include them, each under conditions of its own.
pub(super) const READINGS: usize = 1_000;

/// Reads a template of `texts` with all it includes.
pub(super) fn read(texts: &BTreeMap<String, String>, name: &str, syntax: &SyntaxConfig) -> Reading {
    let mut calls = Calls::new();
    for _ in 0..PASSES {
        let mut reader = Reader::new(texts, syntax, &calls);
        reader.template(name);
        if reader.called == calls {
            return reader.reading;
        }
        calls = reader.called;
    }
    // Macros that hand on what they are given to each other: what they do with it is not followed.
    let calls = Calls::new();
    let mut reader = Reader::new(texts, syntax, &calls);
    reader.template(name);
    reader.reading
}

impl<'t> Reader<'t> {
    fn new(
        texts: &'t BTreeMap<String, String>,
        syntax: &'t SyntaxConfig,
        calls: &'t Calls,
    ) -> Self {
        Self {
            texts,
            syntax,
            reading: Reading::default(),
            guards: Vec::new(),
            open: Vec::new(),
            scope: Vec::new(),
            read: BTreeMap::new(),
            readings: 0,
            macros: BTreeMap::new(),
            calls,
            called: Calls::new(),
        }
    }
}

/// A macro and one of its parameters → what it is always called with; nothing, if that is not the same everywhere.
type Calls = BTreeMap<(String, String), Option<Path>>;

/// So often a template is read, to follow what macros are given.
const PASSES: usize = 5;

/// Conditions, and what is bound.
type Around = (Vec<Condition>, Vec<(String, Option<Path>)>);

struct Reader<'t> {
    texts: &'t BTreeMap<String, String>,
    syntax: &'t SyntaxConfig,
    reading: Reading,
    guards: Vec<Condition>,
    /// The templates being read, each included by the one before.
    open: Vec<&'t str>,
    /// What names stand for that tags bind, the last first.
    scope: Vec<(String, Option<Path>)>,
    /// The conditions under which templates were read, and what was bound around them.
    read: BTreeMap<&'t str, Vec<Around>>,
    readings: usize,
    /// The parameters of macros.
    macros: BTreeMap<String, Vec<String>>,
    /// What macros are known to be called with, and what they are called with.
    calls: &'t Calls,
    called: Calls,
}

impl Reader<'_> {
    fn template(&mut self, name: &str) {
        let Some((name, text)) = self.texts.get_key_value(name) else {
            return;
        };
        if self.open.contains(&name.as_str()) {
            return;
        }
        // What is reached under fewer conditions already adds nothing under more.
        let before = self.read.entry(name).or_default();
        let fewer = |(guards, scope): &Around| {
            *scope == self.scope && guards.iter().all(|one| self.guards.contains(one))
        };
        if before.iter().any(fewer) {
            return;
        }
        before.push((self.guards.clone(), self.scope.clone()));
        self.readings += 1;
        if self.readings > READINGS {
            self.reading.endless = true;
            return;
        }
        // One that cannot be read is reported where it is compiled.
        let Ok(tree) = parse(text, name, self.syntax.clone()) else {
            return;
        };
        self.open.push(name);
        let before = self.scope.len();
        self.statement(&tree);
        self.scope.truncate(before);
        self.open.pop();
    }

    fn include(&mut self, name: &Expr<'_>) {
        let Expr::Const(name) = name else { return };
        if let Some(name) = name
            .value
            .as_str()
            .and_then(|name| name.strip_suffix(".j2"))
        {
            self.template(name);
        }
    }

    fn body(&mut self, statements: &[Stmt<'_>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// What is reached only if a condition holds.
    fn under(&mut self, guard: Condition, inside: impl FnOnce(&mut Self)) {
        self.guards.push(guard);
        inside(self);
        self.guards.pop();
    }

    fn statement(&mut self, statement: &Stmt<'_>) {
        match statement {
            Stmt::Template(template) => self.body(&template.children),
            Stmt::EmitExpr(emit) => self.value(&emit.expr),
            Stmt::EmitRaw(_) => {}
            Stmt::ForLoop(of) => self.each(of),
            Stmt::IfCond(of) => {
                let condition = self.condition(&of.expr);
                self.under(condition.clone(), |me| me.body(&of.true_body));
                self.under(condition.not(), |me| me.body(&of.false_body));
            }
            Stmt::WithBlock(with) => {
                let before = self.scope.len();
                for (target, value) in &with.assignments {
                    self.call(target, value);
                }
                self.body(&with.body);
                self.scope.truncate(before);
            }
            Stmt::Set(set) => self.call(&set.target, &set.expr),
            Stmt::SetBlock(set) => {
                if let Some(filter) = &set.filter {
                    self.value(filter);
                }
                self.body(&set.body);
                if let Expr::Var(name) = &set.target {
                    self.bind(name.id, None);
                }
            }
            Stmt::AutoEscape(block) => self.body(&block.body),
            Stmt::FilterBlock(block) => {
                self.value(&block.filter);
                self.body(&block.body);
            }
            Stmt::Block(block) => self.body(&block.body),
            Stmt::Extends(extends) => self.include(&extends.name),
            Stmt::Include(include) => self.include(&include.name),
            Stmt::Import(import) => self.include(&import.expr),
            Stmt::FromImport(import) => self.include(&import.expr),
            Stmt::Macro(of) => {
                for default in &of.defaults {
                    self.value(default);
                }
                let names = of.args.iter().filter_map(|name| match name {
                    Expr::Var(name) => Some(name.id.to_owned()),
                    _ => None,
                });
                self.macros.insert(of.name.to_owned(), names.collect());
                self.parameters(of.name, &of.args, &of.body);
            }
            Stmt::CallBlock(block) => {
                self.arguments(&block.call.args);
                self.parameters("", &block.macro_decl.args, &block.macro_decl.body);
            }
            Stmt::Do(call) => self.arguments(&call.call.args),
        }
    }

    /// What a macro does with its parameters.
    fn parameters(&mut self, of: &str, names: &[Expr<'_>], body: &[Stmt<'_>]) {
        let before = self.scope.len();
        for name in names {
            if let Expr::Var(name) = name {
                let called = self.calls.get(&(of.to_owned(), name.id.to_owned()));
                self.bind(name.id, called.cloned().flatten());
            }
        }
        self.body(body);
        self.scope.truncate(before);
    }

    fn word(&mut self, kind: WordKind, name: &str, (start, end): (u32, u32)) {
        let template = self.open.last().copied().unwrap_or_default();
        let text = self.texts.get(template).map_or("", String::as_str);
        let range = start as usize..(end as usize).min(text.len());
        // The name itself, within what it is said of.
        let inside = text.get(range.clone()).unwrap_or_default();
        let range = match inside.rfind(name) {
            Some(at) => range.start + at..range.start + at + name.len(),
            None => range,
        };
        // Once, however often the template is read.
        if self.read.get(template).is_none_or(|read| read.len() == 1) {
            self.reading.words.push(Word {
                kind,
                name: name.to_owned(),
                template: template.to_owned(),
                range,
            });
        }
    }
}
