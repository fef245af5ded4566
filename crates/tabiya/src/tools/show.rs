//! `tabiya show`: a position drawn as text.

use tabiya_rules::{Color, DiagramPieces};

use crate::cli::Show;
use crate::failure::Failure;
use crate::output::Output;
use crate::position::{self, Mode};

pub(crate) fn run(asked: &Show) -> Result<(), Failure> {
    let position = position::read(&asked.fen, Mode::AsWritten)?;
    let pieces = if asked.figures {
        DiagramPieces::Figures
    } else {
        DiagramPieces::Letters
    };
    let bottom = if asked.flip {
        Color::Black
    } else {
        Color::White
    };
    let diagram = position.board().diagram().pieces(pieces).bottom(bottom);

    let mut output = Output::new();
    output.text(&diagram.to_string())?;
    output.line(&format!("{} to move", position.turn()))?;
    output.finish()
}
