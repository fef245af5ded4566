//! Reads an EPD suite from standard input and shows the moves that each line asks for.

use std::error::Error;
use std::io::{BufRead, stdin};

use tabiya_rules::Epd;

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let epd: Epd = line.parse()?;
        let position = epd.position()?;
        let name = epd.operand("id").unwrap_or("unnamed");
        for opcode in ["bm", "am"] {
            for m in epd.moves(opcode)? {
                println!("{name}: {opcode} {}", position.san(m));
            }
        }
    }
    Ok(())
}
