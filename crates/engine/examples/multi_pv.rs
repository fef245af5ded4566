//! The three best lines of a position: `multi_pv DEPTH [FEN]`.

use std::collections::BTreeMap;
use std::error::Error;

use tabiya_engine::{AlphaBeta, Control, Settings, think};
use tabiya_rules::{Move, MoveHistory, Position};
use tabiya_uci::{Go, SearchInfo};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let fen = arguments.collect::<Vec<_>>().join(" ");
    let position = match fen.as_str() {
        "" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let settings = Settings {
        multi_pv: 3,
        ..Settings::default()
    };
    let go = Go {
        depth: Some(depth),
        ..Go::default()
    };
    // The last report of each line is the deepest.
    let mut lines: BTreeMap<u32, String> = BTreeMap::new();
    let mut report = |report: SearchInfo| {
        let Some(score) = report.info.score else {
            return;
        };
        let score = score.value.for_white(position.turn());
        lines.insert(
            report.info.multi_pv.unwrap_or(1),
            format!("{score:>7}  {}", san(&position, &report.pv)),
        );
    };
    think(
        &mut AlphaBeta::default(),
        &settings,
        &MoveHistory::new(position),
        &go,
        &Control::new(),
        &mut report,
    );
    for (number, line) in lines {
        println!("{number}. {line}");
    }
    Ok(())
}

/// A line of moves as people read it.
fn san(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for &m in moves {
        words.push(position.san(m).to_string());
        position = position.play_unchecked(m);
    }
    words.join(" ")
}
