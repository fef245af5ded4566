//! How bytes are cut into pieces never changes what is read.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::pgn_chunked(bytes));
