//! A game of the engine inside, at a level, against Stockfish or another UCI engine with a clock:
//! `stockfish [PROGRAM] [SECONDS]`. Without a program it is the one in TABIYA_STOCKFISH, or on PATH.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_engine::{AlphaBeta, Control, Level, Settings, think};
use tabiya_rules::{ByColor, Color, MoveHistory};
use tabiya_uci::{Deadlines, Engine, EngineCommand, Go, find_program};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let named = arguments.next().map(PathBuf::from);
    let program = named
        .or_else(|| std::env::var_os("TABIYA_STOCKFISH").map(PathBuf::from))
        .or_else(|| find_program("stockfish"))
        .ok_or("no engine: name its program")?;
    let seconds = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let mut opponent = Engine::start(&EngineCommand::new(program), Deadlines::default())?;
    let mut bot = AlphaBeta::default();
    let settings = Settings::new().with_level("3".parse::<Level>()?);
    let mut history = MoveHistory::default();
    let increment = Duration::from_millis(20);
    let mut left = ByColor::new(Duration::from_secs(seconds), Duration::from_secs(seconds));
    while !history.status().is_over() && !history.status().is_claimable() {
        let turn = history.current().turn();
        let go = Go::new()
            .with_time(left.map(Some))
            .with_increment(ByColor::new(increment, increment));
        let begun = Instant::now();
        let best = match turn {
            Color::White => {
                let control = Control::new();
                think(&mut bot, &settings, &history, &go, &control, &mut |_| {}).best
            }
            Color::Black => opponent.think(&history, go, |_| {})?.best,
        };
        let Some(rest) = left[turn].checked_sub(begun.elapsed()) else {
            println!("{turn} ran out of time");
            break;
        };
        left[turn] = rest + increment;
        let best = best.ok_or("no move although the game goes on")?;
        print!("{} ", history.current().san(best));
        history.push(best)?;
    }
    let (name, status) = (opponent.name(), history.status());
    println!("\nTabiya 3 against {name}: {status}");
    opponent.quit();
    Ok(())
}
