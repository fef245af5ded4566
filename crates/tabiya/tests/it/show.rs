//! `tabiya show`.

use crate::support::run;

#[test]
fn a_position_as_text() {
    let expected = "\
8 . . . . . . . .
7 . . . . . . . .
6 . . . . k . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . K . . .
2 . . . . P . . .
1 . . . . . . . .
  a b c d e f g h
Black to move
";
    assert_eq!(
        run(&["show", "8/8/4k3/8/8/4K3/4P3/8 b - - 0 1"]).fine(),
        expected
    );
}

#[test]
fn figures_and_the_other_side() {
    let out = run(&["show", "startpos", "--figures", "--flip"]).fine();
    assert_eq!(out.lines().next(), Some("1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖"));
    assert_eq!(out.lines().nth(8), Some("  h g f e d c b a"));
}

#[test]
fn a_bad_fen_is_refused() {
    assert!(
        run(&["show", "nothing"])
            .refused()
            .starts_with("tabiya: bad FEN, field 1")
    );
}
