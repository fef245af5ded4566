//! Labels are safe.

use super::label;

#[test]
fn names_cannot_act_in_a_picture() {
    assert_eq!(label("<b>&\u{1b}"), "&lt;b&gt;&amp;\\u{1b}");
    assert!(label(&"x".repeat(90)).ends_with("x…"));
}
