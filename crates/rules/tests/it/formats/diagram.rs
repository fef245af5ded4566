//! Boards as text diagrams.

use tabiya_rules::{Color, DiagramLabels, DiagramPieces, Position};

use crate::support::{after, board};

#[test]
fn the_board_with_white_at_the_bottom() {
    let position = after(&Position::start(), "e4");
    let expected = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . P . . .
3 . . . . . . . .
2 P P P P . P P P
1 R N B Q K B N R
  a b c d e f g h
";
    assert_eq!(position.board().diagram().to_string(), expected);
}

#[test]
fn the_board_with_black_at_the_bottom() {
    let position = after(&Position::start(), "e4");
    let expected = "\
1 R N B K Q B N R
2 P P P . P P P P
3 . . . . . . . .
4 . . . P . . . .
5 . . . . . . . .
6 . . . . . . . .
7 p p p p p p p p
8 r n b k q b n r
  h g f e d c b a
";
    assert_eq!(
        position.board().diagram().bottom(Color::Black).to_string(),
        expected
    );
}

#[test]
fn the_board_in_figures_without_labels() {
    let position = board("rnbqk3/p7/8/8/8/8/P7/RNBQK3 w");
    let drawing = position
        .board()
        .diagram()
        .pieces(DiagramPieces::Figures)
        .labels(DiagramLabels::Hidden)
        .to_string();
    let expected = "\
♜ ♞ ♝ ♛ ♚ . . .
♟ . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
♙ . . . . . . .
♖ ♘ ♗ ♕ ♔ . . .
";
    assert_eq!(drawing, expected);
}

#[test]
fn labels_and_letters_are_the_default() {
    let drawing = board("4k3/8/8/8/8/8/8/4K3 w");
    let drawing = drawing.board().diagram();
    let explicit = drawing
        .pieces(DiagramPieces::default())
        .labels(DiagramLabels::default())
        .bottom(Color::White);
    assert_eq!(drawing, explicit);
    assert_eq!(drawing.to_string().lines().count(), 9);
}
