//! Any bytes as lines of the protocol, in both directions.

use fuzz_properties::{random_line, uci_command, uci_reply};
use tabiya_rules::SplitMix64;

#[test]
fn any_bytes_in_both_directions() {
    let mut random = SplitMix64::new(2026);
    for _ in 0..100_000 {
        let line = random_line(&mut random);
        uci_command(&line);
        uci_reply(&line);
    }
}

/// Replays the seeds of fuzzing, and what it found.
#[test]
fn the_fuzz_corpora_hold() {
    test_suites::replay("uci_command", uci_command);
    test_suites::replay("uci_reply", uci_reply);
}
