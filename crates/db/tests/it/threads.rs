//! Every public type can go to another thread and be shared with it.

use tabiya_db::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<ColumnKind>();
    both::<Damage>();
    both::<DbError>();
    both::<Effort>();
    both::<ReadFrom>();
    both::<ManifestError>();
    both::<MergeFault>();
    both::<Speed>();
    both::<Answer>();
    both::<Batch>();
    both::<BuildOptions>();
    both::<Builder>();
    both::<Built>();
    both::<Collector>();
    both::<Database>();
    both::<Facts>();
    both::<Filter>();
    both::<Game>();
    both::<Info>();
    both::<MoveStats>();
    both::<ParseShareError>();
    both::<ParseSpeedError>();
    both::<Player<'_>>();
    both::<PositionKey>();
    both::<Query<'_>>();
    both::<Scope>();
    both::<ResultCounts>();
    both::<Share>();
    both::<ParquetWriter<Vec<u8>>>();
    both::<SourceFile>();
    both::<TableInfo>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("db", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
