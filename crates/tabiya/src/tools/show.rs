//! `tabiya show`: a position drawn as text, or as a picture in a file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use tabiya_rules::{Color, DiagramPieces};
use tabiya_store::disk::{self, Computer, NewFile, draft_of};
use tabiya_svg::Picture;

use crate::failure::Failure;
use crate::flags::Show;
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
    if let Some(path) = &asked.svg {
        let picture = Picture {
            bottom,
            ..Picture::of(position.board())
        };
        return write(path, &picture.svg());
    }
    let diagram = position.board().diagram().pieces(pieces).bottom(bottom);

    let mut output = Output::new();
    output.text(&diagram.to_string())?;
    output.line(&format!("{} to move", position.turn()))?;
    output.finish()
}

/// Writes a picture to a file. A picture that is there already is replaced, and nothing else is.
fn write(path: &Path, svg: &str) -> Result<(), Failure> {
    let name = path.display().to_string();
    let failed = |error: io::Error| Failure::file(&name, &error);
    let written = match fs::metadata(path) {
        Ok(there) if there.is_file() => {
            if !is_picture(path).map_err(failed)? {
                return Err(Failure::Unusable(format!(
                    "{name}: there is a file that is no picture of a board; it was left alone"
                )));
            }
            // A link to a picture stays one.
            fs::canonicalize(path).and_then(|target| {
                disk::replace(&Computer, &target, &draft_of(&target), svg.as_bytes())
            })
        }
        // Pipes and terminals are written to.
        Ok(_) => fs::write(path, svg),
        Err(error) if error.kind() == ErrorKind::NotFound => NewFile::write_text(path, svg),
        Err(error) => Err(error),
    };
    written.map_err(failed)
}

/// Whether a file is a picture of a board, or empty.
fn is_picture(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?
        .take(tabiya_svg::BEGINNING.len() as u64)
        .read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == tabiya_svg::BEGINNING.as_bytes())
}
