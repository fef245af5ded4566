//! A position editor: builds a setup piece by piece and says why it is not yet a position.

use std::error::Error;

use tabiya_rules::{CastlingSide, Color, Role, Setup, Square};

fn main() -> Result<(), Box<dyn Error>> {
    let mut setup = Setup::default();
    setup.board.set(Square::E1, Role::King.of(Color::White));
    setup.board.set(Square::A7, Role::Pawn.of(Color::White));
    setup.set_castling_right(Color::White, CastlingSide::King, Some(Square::H1));
    if let Err(error) = setup.position() {
        println!("{}", error.setup);
        for kind in error.kinds() {
            println!("- {kind}");
        }
    }
    setup.board.set(Square::H1, "R".parse()?);
    setup.board.set(Square::E8, "Black King".parse()?);
    setup.board.remove(Square::A7);
    let position = setup.position()?;
    println!("{position}: {}", position.status());
    let castle = position.parse_san("O-O")?;
    println!("after {}: {}", position.san(castle), position.play(castle)?);
    Ok(())
}
