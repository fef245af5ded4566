//! Boards as text diagrams.

use core::fmt;

use crate::{Board, Color, File, Rank, Square};

/// How a [`Diagram`] shows the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiagramPieces {
    /// Letters: `N` and `n`.
    #[default]
    Letters,
    /// Figures: `♘` and `♞`.
    Figures,
}

/// Whether a [`Diagram`] labels the files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiagramLabels {
    /// A digit before each rank and the letters below.
    #[default]
    Shown,
    /// Only the squares.
    Hidden,
}

/// A board as eight lines of text, made by [`Board::diagram`]. Use `to_string` or print it.
///
/// ```
/// use tabiya_rules::{Color, DiagramLabels, DiagramPieces, Position};
///
/// let drawing = Position::start().board().diagram().labels(DiagramLabels::Hidden).to_string();
/// assert_eq!(drawing.lines().next(), Some("r n b q k b n r"));
/// let mine = Position::start().board().diagram().pieces(DiagramPieces::Figures).bottom(Color::Black);
/// assert_eq!(mine.to_string().lines().next(), Some("1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    board: Board,
    pieces: DiagramPieces,
    labels: DiagramLabels,
    bottom: Color,
}

impl Board {
    /// Returns the board as text. By default it has letters for pieces, labels for files and ranks, and White at the
    /// bottom.
    #[must_use]
    pub const fn diagram(&self) -> Diagram {
        Diagram {
            board: *self,
            pieces: DiagramPieces::Letters,
            labels: DiagramLabels::Shown,
            bottom: Color::White,
        }
    }
}

impl Diagram {
    /// Chooses letters or figures for the pieces.
    #[must_use]
    pub const fn pieces(mut self, pieces: DiagramPieces) -> Diagram {
        self.pieces = pieces;
        self
    }

    /// Shows or hides the labels of files and ranks.
    #[must_use]
    pub const fn labels(mut self, labels: DiagramLabels) -> Diagram {
        self.labels = labels;
        self
    }

    /// Puts a side at the bottom.
    #[must_use]
    pub const fn bottom(mut self, color: Color) -> Diagram {
        self.bottom = color;
        self
    }

    fn symbol(&self, square: Square) -> char {
        match (self.board.piece_at(square), self.pieces) {
            (None, _) => '.',
            (Some(piece), DiagramPieces::Letters) => piece.char(),
            (Some(piece), DiagramPieces::Figures) => piece.figure(),
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut files = File::ALL;
        let mut ranks = Rank::ALL;
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        for rank in ranks {
            if self.labels == DiagramLabels::Shown {
                write!(f, "{rank} ")?;
            }
            for (index, file) in files.into_iter().enumerate() {
                let separator = if index == 0 { "" } else { " " };
                write!(f, "{separator}{}", self.symbol(Square::new(file, rank)))?;
            }
            f.write_str("\n")?;
        }
        if self.labels == DiagramLabels::Shown {
            f.write_str(" ")?;
            for file in files {
                write!(f, " {file}")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
