//! A search without the protocol between: for programs that have the engine inside.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tabiya_rules::Move;
use tabiya_uci::{Go, Info, Played};

use crate::options::Settings;
use crate::searcher::{Answer, Control, Request, Searcher};
use crate::server::job::{checked, info};
use crate::time::budget;

/// Thinks as `go` says, in this thread, and shows the reports meanwhile, each with its line.
///
/// It is what the server does for a `go`, with two differences: there is no pondering, and a search without an end
/// (`infinite`) may end by itself once there is nothing left to find out.
///
/// ```
/// use tabiya_engine::{AlphaBeta, Control, Settings, think};
/// use tabiya_uci::{Go, Played};
///
/// let go = Go { depth: Some(2), ..Go::default() };
/// let (settings, control) = (Settings::default(), Control::new());
/// let mut searcher = AlphaBeta::default();
/// let answer = think(&mut searcher, &settings, &Played::default(), &go, &control, &mut |_, _| {});
/// assert!(answer.best.is_some());
/// ```
pub fn think(
    searcher: &mut dyn Searcher,
    settings: &Settings,
    played: &Played,
    go: &Go,
    control: &Control,
    report: &mut dyn FnMut(Info, Vec<Move>),
) -> Answer {
    let position = *played.current();
    let request = request(settings, played, go);
    if request.moves.is_empty() {
        return Answer {
            best: None,
            ponder: None,
        };
    }
    if !go.infinite
        && let Some(time) = budget(go, position.turn(), settings.move_overhead)
    {
        control.think_for(time);
    }
    // A smaller table costs time and no more, and there is nobody here to be told.
    let _ = searcher.configure(settings);
    let search = AssertUnwindSafe(|| {
        searcher.search(&request, control, &mut |found| {
            let info = info(&position, &found, control, settings.show_wdl);
            report(info, found.pv);
        })
    });
    checked(catch_unwind(search).ok(), &request)
}

/// What a searcher is asked by a `go`.
pub(crate) fn request(settings: &Settings, played: &Played, go: &Go) -> Request {
    let position = played.current();
    let wanted = go
        .search_moves
        .iter()
        .filter_map(|&m| position.resolve_uci(m).ok());
    let mut moves: Vec<Move> = wanted.collect();
    if moves.is_empty() {
        moves = position.legal_moves().to_vec();
    }
    Request {
        played: played.clone(),
        lines: settings.multi_pv.clamp(1, moves.len().max(1)),
        moves,
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        elo: settings.limit_strength.then_some(settings.elo),
        level: settings.level,
        seed: settings.seed,
    }
}
