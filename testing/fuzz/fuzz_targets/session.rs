//! Any commands, one after another: refusals change nothing, undo and redo lose nothing, and a saved
//! game comes back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::session(bytes));
