//! The closed word classes of English, as bits of a [`Classes`] set.
//!
//! Only words whose class is settled without context stand here (`her` and `his` are both determiner
//! and pronoun and carry both bits). Open classes come from the word list, never from this table.

/// A set of closed classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Classes(pub(super) u32);

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $bit:literal : $($words:literal)|+ ;)+) => {
        impl Classes {
            $($(#[$doc])* pub(super) const $name: Self = Self(1 << $bit);)+

            /// The classes of a lower-case word; empty for open-class words.
            pub(super) fn of(word: &str) -> Self {
                let mut bits = 0;
                $(if matches!(word, $($words)|+) { bits |= 1 << $bit; })+
                Self(bits)
            }
        }
    };
}

classes! {
    /// Articles.
    ARTICLE = 0: "the" | "a" | "an";
    /// Possessive determiners that are nothing else.
    POSSESSIVE = 1: "my" | "your" | "our" | "their" | "its";
    /// `his` and `her`.
    HIS_HER = 2: "his" | "her";
    /// Demonstratives.
    DEMONSTRATIVE = 3: "this" | "these" | "those";
    /// Prepositions that must be followed by their noun phrase in nearly all uses.
    TIGHT = 4: "of" | "from" | "with" | "into" | "upon" | "at" | "among" | "amongst" | "towards"
        | "toward" | "between" | "beneath" | "concerning" | "during" | "beside" | "amid" | "onto";
    /// Other prepositions.
    LOOSE = 5: "in" | "on" | "by" | "for" | "to" | "under" | "over" | "through" | "about"
        | "against" | "without" | "within" | "across" | "behind" | "beyond" | "above" | "below"
        | "near" | "along" | "around" | "up" | "down" | "off" | "out";
    /// Pronouns that can only be subjects.
    SUBJECT = 6: "i" | "he" | "she" | "we" | "they";
    /// Pronouns that can only be objects.
    OBJECT = 7: "me" | "him" | "us" | "them";
    /// `it` and `you`.
    IT_YOU = 8: "it" | "you";
    /// Coordinators.
    AND = 9: "and" | "or" | "but" | "nor";
    /// Subordinators that are nothing else.
    BECAUSE = 10: "because" | "although" | "if" | "unless" | "whereas" | "lest" | "until" | "when"
        | "while" | "whilst" | "though";
    /// Finite forms of `be`.
    BE = 11: "is" | "was" | "am" | "are" | "were";
    /// Modals that are nothing else.
    MODAL = 12: "could" | "would" | "should" | "shall" | "must" | "cannot" | "can't" | "won't"
        | "couldn't" | "wouldn't" | "shouldn't" | "mustn't" | "shan't";
    /// Modals that are also nouns, verbs or names.
    MODAL_TOO = 13: "can" | "will" | "may" | "might";
    /// Forms of `have`.
    HAVE = 14: "have" | "has" | "had" | "having" | "haven't" | "hasn't" | "hadn't";
    /// Forms of `do` that take a bare verb.
    DO = 15: "do" | "does" | "did" | "don't" | "doesn't" | "didn't";
    /// Negation.
    NOT = 16: "not" | "never" | "n't";
    /// Relative and interrogative words.
    WH = 17: "who" | "whom" | "whose" | "which" | "what" | "where" | "why" | "how" | "that";
    /// `to`, preposition and infinitive mark.
    TO = 18: "to";
    /// Words that only measure or compare.
    DEGREE = 19: "very" | "quite" | "rather" | "too" | "so" | "as" | "than" | "such";
    /// Adverbs that may stand between an auxiliary and its verb.
    BETWEEN = 20: "not" | "never" | "always" | "ever" | "often" | "also" | "only" | "just"
        | "already" | "now" | "then" | "still" | "even" | "soon" | "hardly" | "scarcely"
        | "really" | "certainly" | "probably" | "perhaps" | "almost";
    /// Determiners and quantifiers besides articles and possessives.
    QUANTIFIER = 21: "every" | "each" | "some" | "any" | "no" | "all" | "both" | "many" | "few"
        | "much" | "more" | "most" | "several" | "another" | "other" | "such" | "one" | "two"
        | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten";
    /// Other words of grammar, so that they never count as content.
    OTHER = 22: "there" | "here" | "himself" | "herself" | "itself" | "themselves" | "myself"
        | "yourself" | "ourselves" | "been" | "being" | "be" | "done" | "doing" | "before"
        | "after" | "since" | "yet" | "thus" | "therefore" | "however" | "indeed" | "well"
        | "again" | "once" | "mine" | "yours" | "hers" | "ours" | "theirs"
        | "own" | "same" | "like" | "said" | "say" | "says" | "made" | "make" | "came" | "come"
        | "went" | "go" | "got" | "get" | "o" | "oh" | "yes" | "it's" | "that's" | "i'm" | "i'll"
        | "i've" | "i'd" | "he's" | "he'd" | "he'll" | "she's" | "she'd" | "we'll" | "we've"
        | "you're" | "you'll" | "you've" | "they're" | "there's" | "ain't"
        | "thou" | "thee" | "thy" | "thine" | "ye" | "unto" | "whether" | "either" | "neither"
        | "nothing" | "something" | "anything" | "everything" | "nobody" | "somebody" | "none"
        | "everybody" | "anybody" | "till" | "ere" | "whatever" | "whoever" | "whenever"
        | "wherever" | "per" | "via" | "mr" | "mrs" | "st" | "dr";
}

impl Classes {
    /// Every preposition.
    pub(super) const PREPOSITION: Self = Self::TIGHT.with(Self::LOOSE);
    /// Words that open a noun phrase and cannot close one.
    pub(super) const OPENER: Self = Self::ARTICLE.with(Self::POSSESSIVE);

    /// The union of two sets.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Whether the two sets share a class.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
    /// Whether the word belongs to no closed class.
    pub(super) const fn is_open(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Classes;

    #[test]
    fn a_word_may_belong_to_two_classes_and_most_words_to_none() {
        let to = Classes::of("to");
        assert!(to.meets(Classes::TO) && to.meets(Classes::PREPOSITION));
        assert!(Classes::of("ghost").is_open());
        assert!(!Classes::of("the").meets(Classes::POSSESSIVE));
    }
}
