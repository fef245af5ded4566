//! Lists the legal moves of a position in every notation, with what each wins or loses: `moves
//! [FEN]`.

use std::error::Error;

use tabiya_rules::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let fen = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let position = match fen.as_str() {
        "" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    println!("{}", position.board().diagram());
    for m in position.legal_moves() {
        let (san, uci) = (position.san(m), position.uci(m));
        println!("{san:<8} {uci:<6} {:>6}", position.see(m));
    }
    println!(
        "{} moves, {}",
        position.count_legal_moves(),
        position.status()
    );
    Ok(())
}
