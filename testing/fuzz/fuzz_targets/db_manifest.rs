//! Any bytes as the manifest of a database: no panic, and a sentence for what is none.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::db_manifest(bytes));
