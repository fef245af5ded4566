//! Every public type is `Send` and `Sync`.

use tabiya_serve::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<BadGameLink>();
    both::<BadPublicUrl>();
    both::<BadShare>();
    both::<Client>();
    both::<Config>();
    both::<GameLink>();
    both::<JoinError>();
    both::<Limits>();
    both::<PublicUrl>();
    both::<Role>();
    both::<ServeError>();
    both::<Server>();
    both::<Share>();
    both::<ShutdownHandle>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("serve", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
