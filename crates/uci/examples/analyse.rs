//! Asks a UCI engine for its best lines: `analyse ENGINE MILLISECONDS [FEN]`, such as `analyse stockfish 1000`.

use std::error::Error;
use std::time::Duration;

use tabiya_rules::{MoveHistory, Position};
use tabiya_uci::{AnalysisLimits, Analyst, Deadlines, Engine, EngineCommand, Go};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().unwrap_or_else(|| "stockfish".to_owned());
    let time: u64 = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let fen = arguments.collect::<Vec<_>>().join(" ");
    let position = match fen.as_str() {
        "" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let game = MoveHistory::new(position);
    let go = Go::new().with_move_time(Duration::from_millis(time));
    let mut engine = Engine::start(&EngineCommand::new(program), Deadlines::default())?;
    println!("{}", engine.name());
    let result = engine
        .analyse(&game, AnalysisLimits::from(go).with_multi_pv(3))?
        .wait()?;
    for line in &result.lines {
        let score = line.info.score.ok_or("a line without a score")?;
        let score = score.value.for_white(position.turn());
        println!("{score:>7}  {}", position.variation_san(&line.pv)?);
    }
    engine.quit();
    Ok(())
}
