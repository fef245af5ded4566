use super::sequence;

#[test]
fn nothing_of_the_text_gets_into_the_sequence_as_it_is() {
    assert_eq!(sequence("\u{7}\u{1b}"), "\u{1b}]52;c;Bxs=\u{7}");
}
