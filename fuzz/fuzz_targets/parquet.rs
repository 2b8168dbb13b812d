#![no_main]

// A panic of the decoder that the reader catches is an error of the file, as in the program.
libfuzzer_sys::fuzz_target!(init: tribunal::frame::silence_guarded_panics(), |bytes: &[u8]| bodies::parquet(bytes));
