//! The three best lines of a position, by the engine inside: `multi_pv DEPTH [FEN]`. A UCI process, which
//! `tabiya_uci::Engine` is, answers in the same way.

use std::error::Error;

use tabiya_engine::LocalEngine;
use tabiya_rules::{MoveHistory, Position};
use tabiya_uci::{AnalysisLimits, Analyst, Go};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let fen = arguments.collect::<Vec<_>>().join(" ");
    let position = match fen.as_str() {
        "" => Position::start(),
        fen => Position::from_fen(fen)?,
    };
    let limits = AnalysisLimits::from(Go::new().with_depth(depth)).with_multi_pv(3);
    let mut engine = LocalEngine::default();
    let mut analysis = engine.analyse(&MoveHistory::new(position), limits)?;
    for report in &mut analysis {
        let report = report?;
        eprintln!(
            "depth {:?}: {}",
            report.info.depth,
            position.variation_san(report.pv)?
        );
    }
    let lines = analysis.wait()?.lines;
    for (number, line) in (1..).zip(&lines) {
        let score = line.info.score.ok_or("a line without a score")?;
        let score = score.value.for_white(position.turn());
        let line = position.variation_san(&line.pv)?;
        println!("{number}. {score:>7}  {line}");
    }
    Ok(())
}
