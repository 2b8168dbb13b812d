//! \[32\] Entity to term: mentions become `thing` or `stuff` (Kleiner 2025, Eq. 3.15 and 3.16).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mention::{
    article_before, capitalized, drawn, is_free, replaceable, starts_sentence, word_before,
};
use crate::base::draw::Draw;
use crate::language::manipulate::edit::{Change, NotApplicable};
use crate::language::manipulate::{About, Damaged, Intensity, Job, Refusal, Target, Work};
use crate::language::text::{Annotations, Entity, EntityKind, Span, Want};

/// \[32\] Names of places and organisations become `thing` or `stuff` (Eq. 3.15, 3.16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntityToTerm {
    /// The kinds of entities that take part.
    pub kinds: Vec<EntityKind>,
    /// The words that stand in.
    pub terms: Vec<String>,
    /// What is done about articles.
    pub article: Article,
}

impl Default for EntityToTerm {
    fn default() -> Self {
        Self {
            kinds: EntityKind::NOT_PERSONS.to_vec(),
            terms: vec!["thing".to_owned(), "stuff".to_owned()],
            article: Article::default(),
        }
    }
}

impl Work for EntityToTerm {
    type Settings = Self;

    const ABOUT: About = About {
        usual: Some(Intensity::Percent { start: 35, end: 35 }),
        wants: Want::ENTITIES,
        ..About::of("entity-to-term", Some(32), Target::Coherence)
    };

    fn perform(settings: &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let Annotations {
            sentences,
            entities,
            ..
        } = job.subject.annotations;
        let kinds = &settings.kinds;
        let terms = Terms {
            words: settings.terms.iter().map(|term| Term::new(term)).collect(),
            article: settings.article,
        };
        job.make(replaceable(entities, kinds), |operations, draw| {
            entities_to_terms(text, sentences, entities, kinds, &terms, operations, draw)
        })
    }
}

/// A vague word to put in the place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// `thing`
    pub one: String,
    /// `things`; the same as `one` for words without a plural, such as `stuff`.
    pub many: String,
}

impl Term {
    /// A term with the plural that its letters suggest; `stuff` and `matter` have none.
    pub fn new(one: &str) -> Self {
        let hissing = ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| one.ends_with(end));
        let many = match one.strip_suffix('y') {
            _ if matches!(one, "stuff" | "matter") => one.to_owned(),
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            _ if hissing => format!("{one}es"),
            _ => format!("{one}s"),
        };
        Self {
            one: one.to_owned(),
            many,
        }
    }
}

/// Which article a term gets where the name had none; one that is there stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Article {
    /// `a` or `the`, drawn at random; always `the` in the plural and before a term without a plural, such as `stuff`.
    #[default]
    Either,
    /// `a` or `the`, drawn, also before `stuff`, as in the published documents; `the` in the plural.
    Drawn,
    /// `the`.
    The,
    /// None: `in thing`.
    Bare,
}

/// What replaces names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The terms, each as likely as the others.
    pub words: Vec<Term>,
    /// What stands before them.
    pub article: Article,
}

/// Draws as many mentions as there are operations and replaces each by one of the terms, drawn, in
/// the plural where the name is one (`the Alps` becomes `the things`) and with a capital at the start
/// of a sentence. A possessive ending stays (`London’s` becomes `the thing’s`). An article that stands
/// directly before the name stays; `a` and `an` are made to fit the term. After adjectives from a
/// short list, possessives and the like no article is added (`old London` becomes `old thing`).
pub fn entities_to_terms(
    text: &str,
    sentences: &[Span],
    entities: &[Entity],
    kinds: &[EntityKind],
    terms: &Terms,
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let names = drawn(entities, kinds, operations, draw)?;
    if terms.words.is_empty() {
        return Err(NotApplicable(
            "there is no term to put in the place of names".to_owned(),
        ));
    }
    let mut changes = Vec::with_capacity(operations);
    for (operation, name) in names.into_iter().enumerate() {
        let (drawn_term, definite) = (draw.below(terms.words.len()), draw.below(2) == 0);
        let plural = is_plural(name.of(text));
        let term = &terms.words[drawn_term];
        let countable = term.one != term.many;
        let word = if plural { &term.many } else { &term.one };
        let there = article_before(text, name.start).filter(|span| is_free(entities, *span));
        let mut span = name;
        let mut new = match (there, terms.article) {
            (Some(before), _) => {
                let old = before.of(text);
                let fitting = fitting_article(old, word);
                if fitting == old {
                    word.clone()
                } else {
                    span = Span::new(before.start, name.end);
                    format!("{fitting}{}{word}", &text[before.end..name.start])
                }
            }
            (None, Article::Bare) => word.clone(),
            (None, _) if forbids_article(text, name.start) => word.clone(),
            (None, article)
                if !definite
                    && !plural
                    && (article == Article::Drawn || article == Article::Either && countable) =>
            {
                format!("{} {word}", fitting_article("a", word))
            }
            (None, _) => format!("the {word}"),
        };
        if starts_sentence(text, sentences, span.start) {
            new = capitalized(&new);
        }
        changes.push(Change::new(operation, span, new));
    }
    Ok(changes)
}

/// `a` or `an`, whichever fits the word, written as the article was; other articles stay.
fn fitting_article<'a>(article: &'a str, word: &str) -> &'a str {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    match (article, vowel) {
        ("a", true) => "an",
        ("A", true) => "An",
        ("an", false) => "a",
        ("An" | "AN", false) => "A",
        _ => article,
    }
}

/// Whether a word stands directly before that takes the place of an article or follows one.
fn forbids_article(text: &str, at: usize) -> bool {
    let Some(before) = word_before(text, at) else {
        return false;
    };
    let word = before.of(text).to_lowercase();
    let possessive = ["'s", "’s", "s'", "s’"]
        .iter()
        .any(|end| word.ends_with(end));
    possessive || one_of(NO_ARTICLE, &word)
}

/// Whether a name is a plural: `the Alps`, `Sandwich Islands`, `the United States`.
fn is_plural(name: &str) -> bool {
    let last = name.split_whitespace().next_back().unwrap_or(name);
    let one = ["ss", "us", "is"].iter().any(|end| last.ends_with(end));
    !one && (one_of(PLURAL, last)
        || name.contains(char::is_whitespace) && one_of(PLURAL_HEADS, last))
}

/// Whether a list, with blanks between, holds a word.
fn one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// What no article stands behind, or at least none of those added here. `that`, `which`, `what`, `this`
/// and `all` are no part of it: a clause may begin after them (`no doubt that the thing’s armies`), and
/// the published documents put an article there (`that` 104 times, without 5 times). They also put one
/// after possessives and most adjectives (`his a thing`, `old the thing`); that no English does, so these
/// go without.
const NO_ARTICLE: &str = "\
    my our your his her its their these those some any no every each another half two three four ancient beautiful beloved central dear distant eastern \
    famous fair first good great little lower medieval mediæval merry modern new northern \
    old poor present royal second small southern upper western whole young la le";

/// Names that are plurals by themselves.
const PLURAL: &str = "\
    Alleghanies Alleghenies Allies Alps Andes Antilles Apennines Appalachians Ardennes \
    Azores Balkans Bermudas Canaries Carolinas Carpathians Catskills Cotswolds Dardanelles \
    Dolomites Grampians Hebrides Highlands Himalayas Lowlands Midlands Netherlands Orkneys \
    Philippines Pyrenees Rockies States Tuileries Urals Vosges";

/// Last words of names that make them plurals.
const PLURAL_HEADS: &str = "\
    Armies Barracks Baths Brothers Buildings Caverns Caves Cliffs Courts Downs Falls Fens \
    Fields Flats Forks Galleries Gardens Guards Heights Hills Indies Islands Isles Lakes \
    Marshes Meadows Mills Mountains Plains Powers Provinces Rangers Rapids Rivers Rocks \
    Springs Straits Woods";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stuff_has_no_plural() {
        assert_eq!(Term::new("stuff").many, "stuff");
        assert_eq!(Term::new("thing").many, "things");
        assert_eq!(Term::new("body").many, "bodies");
        assert_eq!(Term::new("box").many, "boxes");
    }

    #[test]
    fn mountains_are_plural_and_paris_is_not() {
        assert!(is_plural("Alps"));
        assert!(is_plural("Sandwich Islands"));
        assert!(is_plural("United States"));
        assert!(!is_plural("Paris"));
        assert!(!is_plural("Wales"));
        assert!(!is_plural("Wells"));
    }
}
