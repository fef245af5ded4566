//! Any bytes as a Polyglot book: no panic, and only legal moves are found.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::polyglot_book(bytes));
