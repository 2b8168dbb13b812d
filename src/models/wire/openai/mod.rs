//! Chat completions: what OpenAI, vLLM, llama.cpp, Ollama and most hosts of open models speak.
//!
//! Field names are those of OpenAI's API reference; where servers go beyond it, or differ, it is said beside the code.

mod reply;
mod request;

pub(super) use self::reply::reply;
pub(super) use self::request::request;
