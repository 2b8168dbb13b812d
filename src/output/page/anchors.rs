//! Where on the page things stand: an anchor for each, and which one a warning means.
//!
//! It must not know what things look like.

use std::collections::{BTreeMap, BTreeSet};

/// The anchors of a page, given out in the order in which things stand there.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    taken: BTreeSet<String>,
    subjects: BTreeMap<String, String>,
}

impl Anchors {
    /// A new anchor: a letter for the kind, and the names in letters that addresses may have. The subject may be looked
    /// up under each of `known_as`; the first to use a name keeps it.
    pub(super) fn give(&mut self, kind: &str, names: &[&str], known_as: &[String]) -> String {
        let mut slug = kind.to_owned();
        for name in names.iter().filter(|name| !name.is_empty()) {
            slug.push('-');
            slug.push_str(&plain(name));
        }
        let mut anchor = slug.clone();
        let mut copy = 2;
        while !self.taken.insert(anchor.clone()) {
            anchor = format!("{slug}-{copy}");
            copy += 1;
        }
        for name in known_as {
            self.subjects
                .entry(name.clone())
                .or_insert_with(|| anchor.clone());
        }
        anchor
    }

    /// The anchor of what a warning is about: its whole subject, or else the last word of it (`table effect`).
    pub(super) fn of(&self, subject: &str) -> Option<&str> {
        let subject = subject.trim().trim_matches('`');
        let last = subject.rsplit(' ').next().unwrap_or_default();
        let found = self.subjects.get(subject);
        found
            .or_else(|| self.subjects.get(last.trim_matches('`')))
            .map(String::as_str)
    }
}

/// Small letters, digits and single hyphens; what has none of them becomes `x`.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars().take(80) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() {
        "x".to_owned()
    } else {
        out.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_anchors_of_their_own() {
        let mut anchors = Anchors::default();
        assert_eq!(anchors.give("t", &["a", "", "Effect!"], &[]), "t-a-effect");
        assert_eq!(anchors.give("t", &["a", "effect"], &[]), "t-a-effect-2");
        assert_eq!(anchors.give("t", &["雪"], &[]), "t-x");
    }

    #[test]
    fn a_warning_finds_its_subject_by_name_or_by_its_last_word() {
        let mut anchors = Anchors::default();
        let at = anchors.give("t", &["effect"], &["effect".to_owned()]);
        assert_eq!(anchors.of("effect"), Some(at.as_str()));
        assert_eq!(anchors.of("table `effect`"), Some(at.as_str()));
        assert_eq!(anchors.of("table other"), None);
    }
}
