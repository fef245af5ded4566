//! Has an engine analyze every position of a game.

use tabiya_game::{Node, Record};
use tabiya_rules::MoveHistory;
use tabiya_uci::{EngineError, Go, Overrun, SearchInfo};

use super::{GameAnalysis, Judging, Verdict, Wanted};
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
    let line = std::iter::once(record.root()).chain(record.main_line());
    let nodes: Vec<Node<'_>> = line.collect();
    let mut judging = Judging::new(nodes.len());
    while let Some(wanted) = judging.next_search() {
        let Some(node) = nodes.get(wanted.at) else {
            break;
        };
        let played = node.history();
        let found = search(&played, &wanted, analyzer)?;
        if analyzer.stop.is_asked() {
            break;
        }
        for (at, found) in judging.take(&played, found) {
            if at == analysis.chances().count() {
                done();
            }
            analysis.set(at, nodes[at], found);
        }
    }
    Ok(analysis)
}

/// Whether a report of a search counts for its [`Verdict`]: it is about the best line, and its score is exact.
#[must_use]
pub fn decides(info: &SearchInfo) -> bool {
    info.rank() == 1 && info.exact_score().is_some()
}

/// Carries out a search that is wanted; `played` is the game up to its position. It has the limits of the analyzer, and its
/// own.
///
/// # Errors
/// The engine fails.
pub fn search(
    played: &MoveHistory,
    wanted: &Wanted<'_>,
    analyzer: &mut GameAnalyzer,
) -> Result<Verdict, EngineError> {
    let Some(nodes) = wanted.nodes else {
        return look(played, analyzer);
    };
    let own = analyzer.go.clone();
    analyzer.go.nodes = Some(own.nodes.map_or(nodes, |own| own.min(nodes)));
    let found = look(&wanted.after(played), analyzer);
    analyzer.go = own;
    found
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
