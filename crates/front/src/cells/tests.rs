use super::{fitted, width, wrap};

#[test]
fn chess_figures_take_one_cell() {
    for figure in "♔♕♖♗♘♙♚♛♜♝♞♟".chars() {
        assert_eq!(width(&figure.to_string()), 1, "{figure}");
        assert_eq!(width(&format!("{figure}\u{fe0e}")), 1, "{figure}");
    }
}

#[test]
fn what_does_not_fit_is_cut_with_a_sign() {
    assert_eq!(fitted("Nf3", 3), "Nf3");
    assert_eq!(fitted("Nf3+", 3), "Nf…");
    assert_eq!(fitted("Nf3", 0), "");
    assert_eq!(fitted("\u{1b}[2J", 20), "\\u{1b}[2J");
}

#[test]
fn words_are_wrapped_and_long_ones_broken() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(wrap("a\nb", 3), ["a", "b"]);
    // Two cells each.
    assert_eq!(wrap("将棋盤", 5), ["将棋", "盤"]);
    assert_eq!(wrap("将棋", 1), ["将", "棋"]);
}
