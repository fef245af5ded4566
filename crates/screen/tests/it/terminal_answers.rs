//! Any bytes as the answers of a terminal.

use fuzz_properties::terminal_answers;
use tabiya_rules::SplitMix64;

/// Any bytes as answers, seeded; the fuzz target goes on from here.
#[test]
fn any_bytes_are_taken_as_answers() {
    let mut random = SplitMix64::new(11);
    let parts: [&[u8]; 9] = [
        b"\x1b",
        b"[?",
        b"c",
        b"\x1b\\",
        b"_Gi=31",
        b"]11;rgb:",
        b"P>|",
        b"ff/ff",
        b";4",
    ];
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(12) {
            if random.below(3) == 0 {
                bytes.push(random.next_u64() as u8);
            } else {
                bytes.extend_from_slice(parts[random.below(parts.len())]);
            }
        }
        terminal_answers(&bytes);
    }
    test_suites::replay("terminal_answers", terminal_answers);
}
