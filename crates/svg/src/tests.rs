//! Every public type can go to another thread and be shared with it.

use crate::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<BarGroup>();
    both::<Coverage>();
    both::<CurveMark>();
    both::<GameCurve<'_>>();
    both::<Picture<'_>>();
    both::<PieceRaster>();
    both::<ResultBar>();
    both::<ResultBars>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("svg", include_str!("tests.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
