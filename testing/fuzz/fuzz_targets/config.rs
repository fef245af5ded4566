//! Any text as `config.toml`: no panic, and what is written into it can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::config(bytes));
