//! Byte pair encodings whose vocabularies are part of the program.
//!
//! The vocabulary of an encoding is unpacked when it is first used, once for the whole program. Time
//! grows with the length of a text, but for runs of one kind of letter (blanks, full stops, a word without
//! an end), where it is n log n: 10 MB of full stops take 15 s, 10 MB of prose 0.2 s.

use std::sync::LazyLock;

use tiktoken::CoreBpe;

static O200K: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::o200k_base);
static CL100K: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::cl100k_base);
static LLAMA3: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::llama3);
static QWEN2: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::qwen2);
static DEEPSEEK3: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::deepseek_v3);
static MISTRAL3: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::mistral_v3);

/// A byte pair encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and later.
    O200kBase,
    /// `cl100k_base`: GPT-4, GPT-3.5.
    Cl100kBase,
    /// `llama3`: Llama 3 to 3.3 and models made from them, such as Nemotron.
    Llama3,
    /// `qwen2`: Qwen 2, 2.5 and 3.
    Qwen2,
    /// `deepseek_v3`: the models V3 and R1.
    DeepseekV3,
    /// `mistral_v3`: Mistral models with the Tekken vocabulary.
    MistralV3,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 6] = [
        Self::O200kBase,
        Self::Cl100kBase,
        Self::Llama3,
        Self::Qwen2,
        Self::DeepseekV3,
        Self::MistralV3,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
            Self::Llama3 => "llama3",
            Self::Qwen2 => "qwen2",
            Self::DeepseekV3 => "deepseek_v3",
            Self::MistralV3 => "mistral_v3",
        }
    }

    /// How many tokens a text has.
    pub fn count(self, text: &str) -> usize {
        self.vocabulary().count(text)
    }

    pub(super) fn ends(self, text: &str) -> Vec<usize> {
        let vocabulary = self.vocabulary();
        let mut end = 0;
        vocabulary
            .encode(text)
            .into_iter()
            .map(|token| {
                end += vocabulary.decode(&[token]).len();
                end
            })
            .collect()
    }

    fn vocabulary(self) -> &'static CoreBpe {
        match self {
            Self::O200kBase => &O200K,
            Self::Cl100kBase => &CL100K,
            Self::Llama3 => &LLAMA3,
            Self::Qwen2 => &QWEN2,
            Self::DeepseekV3 => &DEEPSEEK3,
            Self::MistralV3 => &MISTRAL3,
        }
    }
}
