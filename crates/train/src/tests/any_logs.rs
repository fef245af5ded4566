//! Replays the corpus of the fuzz target, and logs with random changes.

use tabiya_rules::SplitMix64;

#[test]
fn the_corpus_holds() {
    test_suites::replay("train_log", fuzz_properties::train_log);
}

#[test]
fn changed_logs_do_no_harm() {
    let random = std::cell::RefCell::new(SplitMix64::new(29));
    test_suites::replay("train_log", |bytes| {
        let mut random = random.borrow_mut();
        for _ in 0..300 {
            let mut changed = bytes.to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(changed.len());
                changed[at] = random.next_u64() as u8;
            }
            fuzz_properties::train_log(&changed);
        }
    });
}
