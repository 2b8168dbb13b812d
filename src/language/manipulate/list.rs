//! The list of all manipulations, in the order of their numbers: whoever adds one adds a line here.

/// Hands the list to a macro, which makes of it an enum, the tables of a spec or a choice between all manipulations.
///
/// A line says which table of a stage holds the settings, and whose: each manipulation has its own, but for the needles,
/// which share one. The sentence is what editors show of the table.
macro_rules! manipulations {
    ($make:ident) => {
        $make! {
            /// \[11\] Passages change places.
            swap_content: swap::SwapContent;
            /// \[12\] Passages are taken out.
            remove_content: remove::RemoveContent;
            /// \[13\] Passages of another document are put in.
            insert_content: insert::InsertContent;
            /// \[14\] Passages are repeated.
            repeat_content: repeat::RepeatContent;
            /// \[17\] Passages are replaced by those of other documents.
            exchange_content: exchange::ExchangeContent;
            /// \[21\] Names of persons change places in a circle.
            swap_entities: entities::SwapEntities;
            /// \[22\] Names are replaced by names that the document does not hold.
            exchange_entities: entities::ExchangeEntities;
            /// \[24\] Sentences about things of the 21st century are added to paragraphs.
            temporal_inconsistencies: anachronism::TemporalInconsistencies;
            /// \[31\] Names of places and organisations become `it`.
            entity_to_pronoun: entities::EntityToPronoun;
            /// \[32\] Names of places and organisations become `thing` or `stuff`.
            entity_to_term: entities::EntityToTerm;
            /// \[41\] Letters become their neighbours on the keyboard.
            typos: typos::Typos;
            /// \[42\] Verbs change between past and present.
            verb_tenses: verb_tenses::VerbTenses;
            /// \[43\] Words change places within sentences.
            word_order: word_order::WordOrder;
            /// \[44\] Punctuation marks are taken out.
            punctuation_removal: punctuation::PunctuationRemoval;
            /// \[45\] Words are taken out.
            word_removal: word_removal::WordRemoval;
            /// Where the changed sentence of a needle (`negation`, `conjunction-swap`, `entity-replacement`)
            /// stands.
            needle: needle::Negation, needle::ConjunctionSwap, needle::EntityReplacement;
        }
    };
}

pub(crate) use manipulations;
