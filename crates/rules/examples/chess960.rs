//! Shows a Chess960 start position by its number, and how castling is written there: `chess960
//! [NUMBER]`.

use std::error::Error;

use tabiya_rules::{CastlingNotation, CastlingSide, Color, EnPassantMode, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let number = std::env::args().nth(1).map_or(Ok(0), |text| text.parse())?;
    let start = Position::chess960(number).ok_or("expected a number below 960")?;
    println!("{}", start.board().diagram());
    println!("Shredder-FEN: {}", start.fen());
    let xfen = start.fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
    println!("X-FEN:        {xfen}");
    for side in CastlingSide::ALL {
        let rook = start.castling_right(Color::White, side);
        let rook = rook.ok_or("every start has both rights")?;
        println!("{side} is the king taking its rook on {rook}");
    }
    Ok(())
}
