#![no_main]

#[path = "../../replies.rs"]
#[allow(dead_code, reason = "one of its targets")]
mod replies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| replies::error_spans(bytes));
