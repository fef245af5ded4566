//! What the fuzz targets start from and have found, tried again.

#[test]
fn the_corpora_hold() {
    test_suites::replay("openings_table", fuzz_properties::openings_table);
    test_suites::replay("polyglot_book", fuzz_properties::polyglot_book);
}
