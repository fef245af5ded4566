//! Every public type can go to another thread and be shared with it.

use std::io::Cursor;

use tabiya_openings::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<BookBuilder>();
    both::<BookEntry>();
    both::<BookError>();
    both::<BookMove>();
    both::<Eco>();
    both::<Entries<'_, Cursor<Vec<u8>>>>();
    both::<Opening<'_>>();
    both::<Openings>();
    both::<ParseEcoError>();
    both::<PolyglotBook<Cursor<Vec<u8>>>>();
    both::<RawMove>();
    both::<TableError>();
    both::<TableErrorKind>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("openings", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
