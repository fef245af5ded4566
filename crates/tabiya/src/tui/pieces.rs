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
    pub(crate) fn glyph(self, piece: Piece) -> String {
        match self {
            PieceStyle::Letters => piece.char().into(),
            PieceStyle::Figures | PieceStyle::Drawn | PieceStyle::Fine => {
                let mut figure = String::from(piece.figure());
                // Some terminals draw the black pawn, and no other figure, as an emoji of two cells, unless a variation
                // selector asks them not to.
                if piece == Role::Pawn.of(Color::Black) {
                    figure.push('\u{fe0e}');
                }
                figure
            }
        }
    }
}
