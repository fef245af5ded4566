//! Any bytes as a save or a journal: no panic, and what can be read comes back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::save_file(bytes));
