//! The styles in which pieces are shown.

use tabiya_rules::{Color, Piece, Role};

/// How pieces are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceStyle {
    /// `N` and `n`.
    Letters,
    /// `♘` and `♞`.
    Figures,
    /// Pictures if the squares are large enough, otherwise figures.
    Drawn,
    /// Pictures with smaller pixels, for terminals with characters for sixths of a cell.
    Fine,
}

impl PieceStyle {
    pub(crate) const ALL: [PieceStyle; 4] = [
        PieceStyle::Drawn,
        PieceStyle::Fine,
        PieceStyle::Figures,
        PieceStyle::Letters,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            PieceStyle::Letters => "letters",
            PieceStyle::Figures => "figures",
            PieceStyle::Drawn => "drawn",
            PieceStyle::Fine => "fine",
        }
    }

    /// A piece in one cell.
    pub(crate) fn glyph(self, piece: Piece) -> &'static str {
        match self {
            PieceStyle::Letters => letter(piece),
            PieceStyle::Figures | PieceStyle::Drawn | PieceStyle::Fine => figure(piece),
        }
    }
}

fn letter(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => "P",
        (Color::White, Role::Knight) => "N",
        (Color::White, Role::Bishop) => "B",
        (Color::White, Role::Rook) => "R",
        (Color::White, Role::Queen) => "Q",
        (Color::White, Role::King) => "K",
        (Color::Black, Role::Pawn) => "p",
        (Color::Black, Role::Knight) => "n",
        (Color::Black, Role::Bishop) => "b",
        (Color::Black, Role::Rook) => "r",
        (Color::Black, Role::Queen) => "q",
        (Color::Black, Role::King) => "k",
    }
}

/// Some terminals draw the black pawn, and no other figure, as an emoji of two cells, unless a variation selector asks
/// them not to.
fn figure(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => "♙",
        (Color::White, Role::Knight) => "♘",
        (Color::White, Role::Bishop) => "♗",
        (Color::White, Role::Rook) => "♖",
        (Color::White, Role::Queen) => "♕",
        (Color::White, Role::King) => "♔",
        (Color::Black, Role::Pawn) => "♟\u{fe0e}",
        (Color::Black, Role::Knight) => "♞",
        (Color::Black, Role::Bishop) => "♝",
        (Color::Black, Role::Rook) => "♜",
        (Color::Black, Role::Queen) => "♛",
        (Color::Black, Role::King) => "♚",
    }
}
