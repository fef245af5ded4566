//! Replays the corpora of the fuzz targets.

#[test]
fn the_corpora_hold() {
    test_suites::replay("openings_table", fuzz_properties::openings_table);
    test_suites::replay("polyglot_book", fuzz_properties::polyglot_book);
}
