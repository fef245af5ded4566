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
    /// Drawn as finely as the terminal is known to show it.
    Auto,
    /// Drawn in eighths of a cell.
    Octants,
    /// Drawn in sixths of a cell.
    Sextants,
    /// Drawn in quarters of a cell, which every font has.
    Blocks,
    /// `♘` and `♞`.
    Figures,
    /// `N` and `n`.
    Letters,
}

impl PieceStyle {
    pub const ALL: [PieceStyle; 6] = [
        PieceStyle::Auto,
        PieceStyle::Octants,
        PieceStyle::Sextants,
        PieceStyle::Blocks,
        PieceStyle::Figures,
        PieceStyle::Letters,
    ];

    /// The names that two styles once had.
    const FORMER: [(&str, PieceStyle); 2] = [
        ("drawn", PieceStyle::Blocks),
        ("fine", PieceStyle::Sextants),
    ];

    pub fn name(self) -> &'static str {
        match self {
            PieceStyle::Auto => "auto",
            PieceStyle::Octants => "octants",
            PieceStyle::Sextants => "sextants",
            PieceStyle::Blocks => "blocks",
            PieceStyle::Figures => "figures",
            PieceStyle::Letters => "letters",
        }
    }

    /// The style with this name, or that had it once.
    pub fn find(name: &str) -> Option<PieceStyle> {
        let known = PieceStyle::ALL
            .map(|style| (style.name(), style))
            .into_iter();
        let mut all = known.chain(PieceStyle::FORMER);
        Some(all.find(|&(known, _)| known == name)?.1)
    }

    /// Whether pieces are drawn where the squares are large enough; elsewhere they are figures.
    pub fn is_drawn(self) -> bool {
        match self {
            PieceStyle::Auto | PieceStyle::Octants | PieceStyle::Sextants | PieceStyle::Blocks => {
                true
            }
            PieceStyle::Figures | PieceStyle::Letters => false,
        }
    }

    /// A piece in one cell.
    pub fn glyph(self, piece: Piece) -> String {
        match self {
            PieceStyle::Letters => piece.char().into(),
            PieceStyle::Auto
            | PieceStyle::Octants
            | PieceStyle::Sextants
            | PieceStyle::Blocks
            | PieceStyle::Figures => {
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
