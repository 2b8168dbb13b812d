//! Which mentions a manipulation may touch, and what stands around them.

use crate::base::draw::Draw;
use crate::base::wording::count;
use crate::language::manipulate::edit::NotApplicable;
use crate::language::text::abbreviation::NO_NAMES;
use crate::language::text::{Entity, EntityKind, Span};

/// How many mentions of these kinds there are, of one word or several: the pool of \[31\] and \[32\].
pub fn replaceable(entities: &[Entity], kinds: &[EntityKind]) -> usize {
    of_kinds(entities, kinds).count()
}

/// The mentions of these kinds.
pub(super) fn of_kinds(entities: &[Entity], kinds: &[EntityKind]) -> impl Iterator<Item = Entity> {
    entities
        .iter()
        .filter(|entity| kinds.contains(&entity.kind) && !entity.span.is_empty())
        .copied()
}

/// As many of these mentions as there are operations, in the order of the text.
///
/// # Errors
/// When there are too few.
pub(super) fn drawn(
    entities: &[Entity],
    kinds: &[EntityKind],
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Span>, NotApplicable> {
    let pool: Vec<Entity> = of_kinds(entities, kinds).collect();
    if pool.len() < operations {
        return Err(NotApplicable(format!(
            "cannot replace {} of entities: there {}",
            count(operations, "mention"),
            there_are(pool.len())
        )));
    }
    let drawn = draw.some(pool.len(), operations).into_iter();
    Ok(drawn.map(|mention| pool[mention].span).collect())
}

/// The mentions of these kinds that are one word: no blanks inside, and no initial or abbreviation, which
/// in the place of a name would show (`Major C.,`) and for which a name would leave its full stop.
pub(super) fn single_words(text: &str, entities: &[Entity], kinds: &[EntityKind]) -> Vec<Entity> {
    of_kinds(entities, kinds)
        .filter(|entity| {
            let name = entity.span.of(text);
            !name.contains(char::is_whitespace) && !is_abbreviation(text, entity.span)
        })
        .collect()
}

/// Whether a word is a letter, letters with full stops between (`U.S`), or abbreviated: with its full stop
/// in it, or before one and known or without a vowel (`Wm.`).
fn is_abbreviation(text: &str, span: Span) -> bool {
    let name = span.of(text);
    if name.ends_with('.') || name.split('.').all(|part| part.chars().count() < 2) {
        return true;
    }
    let vowel = |letter: char| !letter.is_ascii() || "aeiouyAEIOUY".contains(letter);
    NO_NAMES.have(name) || text[span.end..].starts_with('.') && !name.contains(vowel)
}

/// Whether a stretch belongs to no entity.
pub(super) fn is_free(entities: &[Entity], span: Span) -> bool {
    let next = entities.partition_point(|entity| entity.span.end <= span.start);
    entities
        .get(next)
        .is_none_or(|entity| entity.span.start >= span.end)
}

/// The article directly before a place in the text, with nothing but blanks between.
pub(super) fn article_before(text: &str, at: usize) -> Option<Span> {
    let word = word_before(text, at)?;
    matches!(
        word.of(text),
        "the" | "The" | "THE" | "a" | "A" | "an" | "An" | "AN"
    )
    .then_some(word)
}

/// The word directly before a place in the text, with nothing but blanks between.
pub(super) fn word_before(text: &str, at: usize) -> Option<Span> {
    let before = &text[..at];
    let end = before.trim_end().len();
    // A line break is a blank, an empty line is the end of a paragraph.
    if end == at || before[end..].matches('\n').count() > 1 {
        return None;
    }
    let word = before[..end]
        .char_indices()
        .rev()
        .take_while(|(_, letter)| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-'))
        .last()?;
    Some(Span::new(word.0, end))
}

/// The possessive ending that starts at a place in the text: `’s`, or the apostrophe after an `s`
/// where a word follows.
pub(super) fn possessive_after(text: &str, at: usize) -> Option<Span> {
    let after = &text[at..];
    let mark = after.chars().next().filter(|c| matches!(c, '\'' | '’'))?;
    let rest = &after[mark.len_utf8()..];
    if let Some(rest) = rest.strip_prefix(['s', 'S']) {
        let ends = !rest.starts_with(char::is_alphanumeric);
        return ends.then(|| Span::new(at, at + mark.len_utf8() + 1));
    }
    let plural = text[..at].ends_with(['s', 'S']);
    let mut rest = rest.chars();
    let word = rest.next() == Some(' ') && rest.next().is_some_and(char::is_alphabetic);
    (plural && word).then(|| Span::new(at, at + mark.len_utf8()))
}

/// Whether only marks and blanks stand between the beginning of a sentence, or of direct speech, and
/// this place.
pub(super) fn starts_sentence(text: &str, sentences: &[Span], at: usize) -> bool {
    let before = text[..at].trim_end_matches(['“', '"', '‘', '\'', '«', '_']);
    if before.len() < at && before.trim_end().ends_with([',', ':', '—', '-']) {
        return true;
    }
    let next = sentences.partition_point(|sentence| sentence.start <= at);
    next.checked_sub(1)
        .and_then(|index| sentences.get(index))
        .is_some_and(|sentence| {
            // Longer openings hold words.
            text.get(sentence.start..at).is_some_and(|opening| {
                opening.len() < 40 && !opening.contains(char::is_alphanumeric)
            })
        })
}

/// `is 1` or `are 3`.
pub(super) fn there_are(n: usize) -> String {
    match n {
        1 => "is 1".to_owned(),
        many => format!("are {many}"),
    }
}

/// A word with a capital at its start.
pub(super) fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}
