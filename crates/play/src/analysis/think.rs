//! Has an engine analyze every position of a game.

use tabiya_game::{Node, Record, Step};
use tabiya_rules::MoveHistory;
use tabiya_uci::{Bound, EngineError, Go, Overrun, SearchInfo};

use super::{GameAnalysis, Verdict};
use crate::players::{BlockingPlayer, StopHandle};

/// An engine that analyzes games.
#[derive(Debug)]
pub struct GameAnalyzer {
    /// The player that thinks.
    pub player: BlockingPlayer,
    /// Its limits for each position.
    pub go: Go,
    /// Stops it from another thread.
    pub stop: StopHandle,
    /// The last time the engine exceeded its limits.
    pub overrun: Option<Overrun>,
}

impl GameAnalyzer {
    /// Creates a analyzer whose player searches each position within these limits.
    pub fn new(player: BlockingPlayer, go: Go, stop: StopHandle) -> GameAnalyzer {
        GameAnalyzer {
            player,
            go,
            stop,
            overrun: None,
        }
    }
}

/// Analyzes the main line of a game, and reports each position as it is done.
///
/// # Errors
/// The engine fails.
pub fn analyse(
    record: &Record,
    analyzer: &mut GameAnalyzer,
    mut done: impl FnMut(),
) -> Result<GameAnalysis, EngineError> {
    // At full strength the seed does not matter.
    analyzer.player.new_game(0)?;
    let mut node = record.root();
    let mut analysis = GameAnalysis::new(verdict(node, analyzer)?);
    done();
    while let Some(next) = node.next() {
        let played = next.step().and_then(Step::played);
        let by = node.position().turn();
        analysis.push(by, played, verdict(next, analyzer)?);
        done();
        if analyzer.stop.is_asked() {
            break;
        }
        node = next;
    }
    Ok(analysis)
}

fn verdict(node: Node<'_>, analyzer: &mut GameAnalyzer) -> Result<Verdict, EngineError> {
    look(&node.history(), analyzer)
}

/// Analyzes one position.
///
/// # Errors
/// The engine fails.
pub fn look(played: &MoveHistory, analyzer: &mut GameAnalyzer) -> Result<Verdict, EngineError> {
    let position = played.current();
    if !position.has_legal_move() {
        return Ok(Verdict::of_search(position, None));
    }
    let mut last: Option<SearchInfo> = None;
    let thought = analyzer
        .player
        .think(played, analyzer.go.clone(), &analyzer.stop, |info| {
            let best = info.info.multi_pv.unwrap_or(1) == 1;
            let exact = info
                .info
                .score
                .is_some_and(|score| score.bound == Bound::Exact);
            if best && exact {
                last = Some(info.clone());
            }
        })?;
    analyzer.overrun = thought.overrun.or(analyzer.overrun);
    Ok(Verdict::of_search(position, last.as_ref()))
}
