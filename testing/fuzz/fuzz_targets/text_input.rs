//! Any bytes are read as a file of games in whatever format: compressed, in UTF-16, or neither.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::text_input(bytes));
