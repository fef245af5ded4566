//! Changes of the files of a database whose checksums were made again: no panic, and a sentence for what is damaged.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::db_part(bytes));
