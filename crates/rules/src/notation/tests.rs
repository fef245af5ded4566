//! Tests of the short texts, which the notations are built on.

extern crate std;

use std::format;

use crate::short_text::ShortText;

#[test]
fn a_short_text_is_the_bytes_pushed_into_it() {
    let mut text = ShortText::<4>::new();
    assert_eq!(&*text, "");
    text.push(b'e');
    text.push_all("4+");
    assert_eq!(&*text, "e4+");
    assert_eq!(format!("{text}|{text:>5}|{text:?}"), "e4+|  e4+|\"e4+\"");
}

#[test]
fn texts_with_the_same_bytes_are_equal() {
    let (mut one, mut other) = (ShortText::<4>::new(), ShortText::<4>::new());
    one.push_all("Nf3");
    assert_ne!(one, other);
    other.push_all("Nf3");
    assert_eq!(one, other);
}
