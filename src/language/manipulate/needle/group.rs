//! From a finite verb to the verb that carries the meaning: `had` to `conquered`.

use super::token::Token;
use crate::language::text::Tag;

const BE: [&str; 13] = [
    "am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "art", "wert", "wast",
];
const HAVE: [&str; 8] = ["have", "has", "had", "having", "'ve", "'d", "hast", "hath"];
const DO: [&str; 7] = ["do", "does", "did", "dost", "doth", "didst", "doest"];

/// Where the group that begins with the finite verb at `finite` has its last, lexical verb: `finite`
/// itself for `walked`, and for `was` in `was a king`.
///
/// Adverbs may stand between the verbs (`had long since gone`), and after the first its subject: a
/// pronoun (`did he go`), or a few nouns where a base form follows (`did the old man go`). A past
/// tense after `have` or `be` is taken for the participle it must be.
pub(super) fn lexical(tokens: &[&Token], finite: usize) -> usize {
    let mut verb = finite;
    loop {
        let mut next = verb + 1;
        if verb == finite {
            next += subject(&tokens[next..], tokens[verb]);
        }
        while tokens.get(next).is_some_and(|token| token.tag == Tag::Rb) {
            next += 1;
        }
        match tokens.get(next) {
            Some(token) if follows(tokens[verb], token) => verb = next,
            _ => return verb,
        }
    }
}

/// How many words of a subject stand between the first auxiliary and the rest of the group.
fn subject(tokens: &[&Token], verb: &Token) -> usize {
    /// As many words as a subject in this place may have.
    const MOST: usize = 5;
    if tokens.first().is_some_and(|token| token.is_subject()) {
        return 1;
    }
    let inverted = verb.tag == Tag::Md || verb.is(&DO);
    let words = tokens.iter().take(MOST).take_while(|token| {
        token.is_noun() || matches!(token.tag, Tag::Dt | Tag::PrpS | Tag::Jj | Tag::Cd)
    });
    let words = words.count();
    let completed = tokens.get(words).is_some_and(|next| next.tag == Tag::Vb);
    if inverted && completed { words } else { 0 }
}

/// Whether `next` completes the auxiliary `verb`.
fn follows(verb: &Token, next: &Token) -> bool {
    let participle = next.tag == Tag::Vbn || (next.tag == Tag::Vbd && !is_auxiliary(next));
    let base = next.tag == Tag::Vb || (next.tag == Tag::Vbp && !is_auxiliary(next));
    if verb.tag == Tag::Md || verb.is(&DO) {
        base
    } else if verb.is(&BE) || (verb.is(&["'s"]) && verb.tag.is_verb()) {
        participle || next.tag == Tag::Vbg
    } else {
        verb.is(&HAVE) && participle
    }
}

fn is_auxiliary(token: &Token) -> bool {
    token.tag == Tag::Md || token.is(&BE) || token.is(&HAVE) || token.is(&DO) || token.is(&["'s"])
}
