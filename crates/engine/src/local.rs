//! A search without the protocol, for programs that contain the engine.

use tabiya_rules::MoveHistory;
use tabiya_uci::{BestMove, Go, SearchInfo};

use crate::options::Settings;
use crate::searcher::{Control, Request, Searcher, search_checked};
use crate::time::SearchTime;

/// Searches as `go` says, in this thread, and passes on each report with its principal variation.
///
/// It takes the limits of a `go` as the server does. It does not ponder, an infinite search may end by itself once there is
/// nothing left to find, and a player of limited strength without a seed plays the same every time.
///
/// ```
/// use tabiya_engine::{AlphaBeta, Control, Settings, think};
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::Go;
///
/// let go = Go::new().with_depth(2);
/// let (settings, control) = (Settings::default(), Control::new());
/// let mut searcher = AlphaBeta::default();
/// let answer = think(&mut searcher, &settings, &MoveHistory::default(), &go, &control, &mut |_| {});
/// assert!(answer.best.is_some());
/// ```
pub fn think(
    searcher: &mut dyn Searcher,
    settings: &Settings,
    game: &MoveHistory,
    go: &Go,
    control: &Control,
    report: &mut dyn FnMut(SearchInfo),
) -> BestMove {
    let position = *game.current();
    let request = Request::from_go(settings, game, go);
    if request.moves.is_empty() {
        return BestMove::NONE;
    }
    let time = SearchTime::of(go, position.turn(), settings.move_overhead, false);
    if let Some(budget) = time.budget() {
        control.limit_from_now(budget);
    }
    // A smaller table only costs time, and there is no interface here to inform.
    let _ = searcher.configure(settings);
    search_checked(searcher, &request, control, &mut |found| {
        let info = found.to_info(&position, control.elapsed(), settings.show_wdl);
        report(SearchInfo::new(Box::new(info), found.pv));
    })
}
