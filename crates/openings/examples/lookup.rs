//! Measures how long a look-up takes, for every position of the line in the arguments, or of a built-in line.
//!
//!     cargo run --release -p tabiya-openings --example lookup -- e4 c5 Nf3 d6

use std::hint::black_box;
use std::time::Instant;

use tabiya_openings::Openings;
use tabiya_rules::Position;

const LINE: &str =
    "d4 Nf6 c4 e6 Nf3 d5 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1 Be6";
const ROUNDS: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut line: Vec<String> = std::env::args().skip(1).collect();
    if line.is_empty() {
        line = LINE.split(' ').map(str::to_owned).collect();
    }
    let openings = Openings::standard();
    let mut positions = vec![Position::start()];
    for text in &line {
        let last = positions[positions.len() - 1];
        positions.push(last.play(last.parse_san(text)?)?);
    }
    match openings.of_positions(&positions) {
        Some(opening) => println!("{} {opening}", opening.eco),
        None => println!("no named position"),
    }
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        for position in &positions {
            black_box(openings.lookup(black_box(position)));
        }
    }
    let count = f64::from(ROUNDS) * positions.len() as f64;
    println!(
        "{:.1} ns a look-up",
        begun.elapsed().as_secs_f64() * 1e9 / count
    );
    Ok(())
}
