//! Has an engine analyze every position of a game.

use tabiya_game::Record;
use tabiya_rules::MoveHistory;
use tabiya_uci::{EngineError, Go, Overrun, SearchInfo};

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
    /// Creates an analyzer whose player searches each position within these limits.
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
    let mut analysis = GameAnalysis::default();
    for node in std::iter::once(record.root()).chain(record.main_line()) {
        analysis.push_node(node, look(&node.history(), analyzer)?);
        done();
        if analyzer.stop.is_asked() {
            break;
        }
    }
    Ok(analysis)
}

/// Whether a report of a search counts for its [`Verdict`]: it is about the best line, and its score is exact.
#[must_use]
pub fn decides(info: &SearchInfo) -> bool {
    info.rank() == 1 && info.exact_score().is_some()
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
            if decides(info) {
                last = Some(info.clone());
            }
        })?;
    analyzer.overrun = thought.overrun.or(analyzer.overrun);
    Ok(Verdict::of_search(position, last.as_ref()))
}
