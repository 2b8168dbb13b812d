//! What the program answers, checked: greeting and annotations.
//!
//! Nothing is repaired that could hide a mistake: places must lie in the text, in order, without
//! overlap. What an annotator cannot know is done here: sentences lose the blanks around them and
//! are cut at blank lines. Whether the annotations are any good is not judged.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{Place, Problem, ReplyError};
use super::{PROTOCOL, Want};
use crate::base::wording::shorten;
use crate::language::text::{
    Annotations, Characters, Entity, EntityKind, Span, Tag, Word, WordList,
};

/// Longest piece of a line that a message quotes, in characters.
const QUOTED: usize = 80;

/// The labels of `OntoNotes` for what is no person, organisation or place. Usual models give them, and nobody need know.
static OTHER_LABELS: WordList = WordList::new(
    "CARDINAL DATE EVENT LANGUAGE LAW MONEY NORP ORDINAL PERCENT PRODUCT QUANTITY TIME WORK_OF_ART",
);

/// What a reply says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The annotations that were asked for.
    pub annotations: Annotations,
    /// How often it gave an entity a label that is unknown here, such as `PER`. Those of `OntoNotes` that nothing here asks
    /// for, such as `DATE`, are not counted.
    pub ignored: BTreeMap<String, usize>,
    /// How often it gave a word a tag that the Penn Treebank does not have, such as `VERB`.
    pub foreign: BTreeMap<String, usize>,
}

/// Checks the first line.
pub fn check_greeting(line: &[u8], declared: &str) -> Result<(), ReplyError> {
    #[derive(Deserialize)]
    struct Greeting {
        annotator: String,
        protocol: u64,
    }
    let greeting: Greeting =
        serde_json::from_slice(line).map_err(|error| ReplyError::NoGreeting {
            line: quoted(line),
            problem: error.to_string(),
        })?;
    if greeting.protocol != PROTOCOL {
        return Err(ReplyError::OtherProtocol {
            found: greeting.protocol,
        });
    }
    if greeting.annotator != declared {
        return Err(ReplyError::OtherAnnotator {
            declared: declared.to_owned(),
            found: greeting.annotator,
        });
    }
    Ok(())
}

/// Reads the reply to one document, which is `text` and was sent with the id `document`.
pub fn decode(line: &[u8], document: usize, text: &str, want: Want) -> Result<Reply, ReplyError> {
    read(line, document, text, want).map_err(|problem| ReplyError::Document { document, problem })
}

type Labelled = (usize, usize, String);

fn read(line: &[u8], document: usize, text: &str, want: Want) -> Result<Reply, Problem> {
    #[derive(Deserialize)]
    struct Written {
        id: u64,
        sentences: Option<Vec<(usize, usize)>>,
        words: Option<Vec<Labelled>>,
        entities: Option<Vec<Labelled>>,
    }
    let written: Written = serde_json::from_slice(line).map_err(|error| Problem::Unreadable {
        line: quoted(line),
        problem: error.to_string(),
    })?;
    if written.id != document as u64 {
        return Err(Problem::OtherDocument { found: written.id });
    }
    let mut reply = Reply::default();
    if want.sentences {
        let field = "sentences";
        let sentences = written.sentences.ok_or(Problem::Missing { field })?;
        let mut places = Places::new(field, text);
        for (start, end) in sentences {
            let span = places.next(start, end)?;
            cut_at_blank_lines(text, span, &mut reply.annotations.sentences);
        }
    }
    if want.words {
        let field = "words";
        let words = written.words.ok_or(Problem::Missing { field })?;
        let mut places = Places::new(field, text);
        for (start, end, tag) in words {
            let span = places.next_without_blanks(start, end)?;
            if !Tag::is_penn(&tag) {
                *reply.foreign.entry(tag.clone()).or_default() += 1;
            }
            let tag = Tag::from_penn(&tag);
            reply.annotations.words.push(Word { span, tag });
        }
    }
    if want.entities {
        let field = "entities";
        let entities = written.entities.ok_or(Problem::Missing { field })?;
        let mut places = Places::new(field, text);
        for (start, end, label) in entities {
            let span = places.next_without_blanks(start, end)?;
            match EntityKind::ALL
                .into_iter()
                .find(|kind| kind.name() == label)
            {
                Some(kind) => reply.annotations.entities.push(Entity { span, kind }),
                None if OTHER_LABELS.has(&label) => {}
                None => *reply.ignored.entry(label).or_default() += 1,
            }
        }
    }
    Ok(reply)
}

/// The entries of one list, checked one after the other.
struct Places<'t> {
    field: &'static str,
    text: &'t str,
    characters: Characters<'t>,
    index: usize,
    last: usize,
}

impl<'t> Places<'t> {
    fn new(field: &'static str, text: &'t str) -> Self {
        Self {
            field,
            text,
            characters: Characters::new(text),
            index: 0,
            last: 0,
        }
    }

    /// The next stretch, in bytes.
    fn next(&mut self, start: usize, end: usize) -> Result<Span, Problem> {
        let place = self.place(start, end);
        if start >= end {
            return Err(Problem::Empty(place));
        }
        if start < self.last {
            return Err(Problem::OutOfOrder(place));
        }
        let (Some(first), Some(behind)) = (self.characters.byte(start), self.characters.byte(end))
        else {
            let characters = self.text.chars().count();
            return Err(Problem::Outside { place, characters });
        };
        self.index += 1;
        self.last = end;
        Ok(Span::new(first, behind))
    }

    /// The next stretch, which may hold blanks but not at its ends.
    fn next_without_blanks(&mut self, start: usize, end: usize) -> Result<Span, Problem> {
        let place = self.place(start, end);
        let span = self.next(start, end)?;
        let stretch = span.of(self.text);
        if stretch.trim().len() < stretch.len() {
            return Err(Problem::Blank(place));
        }
        Ok(span)
    }

    fn place(&self, start: usize, end: usize) -> Place {
        Place {
            field: self.field,
            index: self.index,
            start,
            end,
        }
    }
}

/// Adds the pieces of a sentence between blank lines, without the blanks around them: annotators
/// know nothing of paragraphs, and sentences here end where one does.
fn cut_at_blank_lines(text: &str, sentence: Span, into: &mut Vec<Span>) {
    let mut piece: Option<Span> = None;
    let mut start = sentence.start;
    for line in sentence.of(text).split_inclusive('\n') {
        let from = start + (line.len() - line.trim_start().len());
        let to = start + line.trim_end().len();
        start += line.len();
        if from < to {
            piece = Some(Span::new(piece.map_or(from, |piece| piece.start), to));
        } else {
            into.extend(piece.take());
        }
    }
    into.extend(piece);
}

/// The start of a line, for a message.
fn quoted(line: &[u8]) -> String {
    // Four bytes are the most that a character takes.
    let start = &line[..line.len().min(4 * (QUOTED + 1))];
    shorten(&String::from_utf8_lossy(start), QUOTED)
}

#[cfg(test)]
mod tests;
