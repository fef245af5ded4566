//! Names and dates of one game in two spellings.

use super::{are_like, dates_agree};

#[test]
fn names_are_alike_however_they_are_written() {
    for (one, other) in [
        ("Carlsen, Magnus", "Magnus Carlsen"),
        ("Carlsen,M", "Carlsen, Magnus"),
        ("CARLSEN", "Carlsen, M."),
        ("", "anybody"),
        ("?", "anybody"),
    ] {
        assert!(
            are_like(one, other) && are_like(other, one),
            "{one} {other}"
        );
    }
    for (one, other) in [
        ("Carlsen, Magnus", "Carlsen, Henrik"),
        ("Polgar, Judit", "Polgar, Zsuzsa"),
        ("M", "Magnus"),
        ("So, Wesley", "Sokolov, Ivan"),
    ] {
        assert!(!are_like(one, other), "{one} {other}");
    }
}

#[test]
fn dates_with_unknown_parts_agree() {
    assert!(dates_agree(b"2020.01.02", b"2020.??.??"));
    assert!(!dates_agree(b"2020.01.02", b"2020.02.??"));
}
