//! How the board is shown, as settings and commands name it.

use tabiya_rules::{Color, Piece, Role};

/// When the board is shown with pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// If the terminal says that it can show them.
    #[default]
    Auto,
    /// The same, but a terminal that does not report its size in pixels is asked too.
    On,
    Off,
}

/// How pieces are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceStyle {
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
    pub const ALL: [PieceStyle; 4] = [
        PieceStyle::Drawn,
        PieceStyle::Fine,
        PieceStyle::Figures,
        PieceStyle::Letters,
    ];

    pub fn name(self) -> &'static str {
        match self {
            PieceStyle::Letters => "letters",
            PieceStyle::Figures => "figures",
            PieceStyle::Drawn => "drawn",
            PieceStyle::Fine => "fine",
        }
    }

    /// A piece in one cell.
    pub fn glyph(self, piece: Piece) -> String {
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
