//! `tabiya show`: draws a position as text, or as a picture in a file.

use tabiya_rules::{Color, DiagramPieces};
use tabiya_svg::{BEGINNING, Picture};

use crate::failure::Failure;
use crate::flags::Show;
use crate::output::Output;
use crate::position::{self, Mode};
use crate::tools::made_file::{self, Kind};

const PICTURE: Kind = Kind {
    beginning: BEGINNING,
    name: "picture of a board",
};

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
    if let Some(path) = &asked.svg {
        let picture = Picture {
            bottom,
            ..Picture::of(position.board())
        };
        return made_file::write(path, &picture.svg(), PICTURE);
    }
    let diagram = position.board().diagram().pieces(pieces).bottom(bottom);

    let mut output = Output::new();
    output.text(&diagram.to_string())?;
    output.line(&format!("{} to move", position.turn()))?;
    output.finish()
}
