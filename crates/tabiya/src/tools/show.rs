//! `tabiya show`: draws a position as text, or as a picture in a file.

use tabiya_rules::{Color, DiagramPieces};
use tabiya_svg::{BEGINNING, Picture};

use crate::failure::Failure;
use crate::flags::Show;
use crate::output::Output;
use crate::position;
use crate::tools::made_file::{self, Kind};

const PICTURE: Kind = Kind {
    beginning: BEGINNING,
    name: "picture of a board",
};

pub(crate) fn run(args: &Show) -> Result<(), Failure> {
    let position = position::read(&args.fen, None)?;
    let pieces = if args.figures {
        DiagramPieces::Figures
    } else {
        DiagramPieces::Letters
    };
    let bottom = if args.flip {
        Color::Black
    } else {
        Color::White
    };
    if let Some(path) = &args.svg {
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
