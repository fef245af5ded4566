//! Runs perft with a count for each first move: `perft DEPTH [FEN]`.

use std::error::Error;

use tabiya_rules::{Position, perft_divide};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let fen = arguments.collect::<Vec<_>>().join(" ");
    let position = if fen.is_empty() {
        Position::start()
    } else {
        Position::from_fen(&fen)?
    };
    let mut total = 0;
    for (m, leaves) in perft_divide(&position, depth) {
        println!("{}: {leaves}", position.uci(m));
        total += leaves;
    }
    println!("{total} leaves");
    Ok(())
}
