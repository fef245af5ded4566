//! Every public type can go to another thread and be shared with it.

use tabiya_engine::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<HeaderField>();
    both::<NetworkError>();
    both::<AlphaBeta>();
    both::<Bench>();
    both::<Budget>();
    both::<Clock>();
    both::<Control>();
    both::<Level>();
    both::<LocalEngine>();
    both::<MemoryLimit>();
    both::<Network>();
    both::<ParseLevelError>();
    both::<Report>();
    both::<Request>();
    both::<SearchHandle>();
    both::<SearchPool<AlphaBeta>>();
    both::<SearchPriority>();
    both::<Settings>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("engine", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
