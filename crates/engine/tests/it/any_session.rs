//! Any bytes as what an interface says to the server.

/// Replays what fuzzing starts from, and what it found.
#[test]
fn the_fuzz_corpus_holds() {
    test_suites::replay("uci_session", fuzz_properties::uci_session);
}
