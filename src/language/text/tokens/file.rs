//! Tokenizers read from a `tokenizer.json`, the format of the Hugging Face library `tokenizers`.
//!
//! Only with the cargo feature `tokenizers`; without it, reading one says so.

#[cfg(feature = "tokenizers")]
pub use with_library::FileTokenizer;
#[cfg(not(feature = "tokenizers"))]
pub use without_library::FileTokenizer;

#[cfg(feature = "tokenizers")]
mod with_library {
    use std::sync::Arc;

    use tokenizers::Tokenizer;

    use crate::language::text::TokenizerError;

    /// A tokenizer read from a file; copies share it.
    #[derive(Clone, Debug)]
    pub struct FileTokenizer(Arc<Tokenizer>);

    impl FileTokenizer {
        /// Reads the bytes of a `tokenizer.json`. What it says of cutting and filling up texts to
        /// a length is ignored, and so are the marks it puts around a text.
        ///
        /// # Errors
        /// When the bytes are no tokenizer.
        pub fn from_json(bytes: &[u8]) -> Result<Self, TokenizerError> {
            let refused = |error: tokenizers::Error| TokenizerError::File(error.to_string());
            let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(refused)?;
            tokenizer.with_truncation(None).map_err(refused)?;
            tokenizer.with_padding(None);
            Ok(Self(Arc::new(tokenizer)))
        }

        pub(in crate::language::text::tokens) fn ends(
            &self,
            text: &str,
        ) -> Result<Vec<usize>, TokenizerError> {
            let encoded = self
                .0
                .encode(text, false)
                .map_err(|error| TokenizerError::Text(error.to_string()))?;
            // In order and within the text, whatever a normalizer made of the letters.
            let mut last = 0;
            let ends = encoded.get_offsets().iter().map(|&(_, end)| {
                last = end.clamp(last, text.len());
                last
            });
            Ok(ends.collect())
        }
    }
}

#[cfg(not(feature = "tokenizers"))]
mod without_library {
    use std::convert::Infallible;

    use crate::language::text::TokenizerError;

    /// A tokenizer read from a file: in this build there is none.
    #[derive(Clone, Debug)]
    pub struct FileTokenizer(Infallible);

    impl FileTokenizer {
        /// Refuses to read the bytes of a `tokenizer.json`.
        ///
        /// # Errors
        /// Always.
        pub fn from_json(_: &[u8]) -> Result<Self, TokenizerError> {
            Err(TokenizerError::Unsupported)
        }

        pub(in crate::language::text::tokens) fn ends(
            &self,
            _: &str,
        ) -> Result<Vec<usize>, TokenizerError> {
            match self.0 {}
        }
    }
}
