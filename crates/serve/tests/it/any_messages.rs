//! Replays the corpus of the fuzz target, and messages with random changes.

use tabiya_rules::SplitMix64;

#[test]
fn the_corpus_holds() {
    test_suites::replay("serve_messages", fuzz_properties::serve_messages);
}

#[test]
fn changed_messages_do_no_harm() {
    let random = std::cell::RefCell::new(SplitMix64::new(23));
    test_suites::replay("serve_messages", |bytes| {
        let mut random = random.borrow_mut();
        for _ in 0..100 {
            let mut changed = bytes.to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(changed.len());
                changed[at] = random.next_u64() as u8;
            }
            fuzz_properties::serve_messages(&changed);
        }
    });
}
