//! Any bytes as a table of openings: no panic, and what is read is bounded.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::openings_table(bytes));
