//! Any lines as the log of a training.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::train_log(bytes));
