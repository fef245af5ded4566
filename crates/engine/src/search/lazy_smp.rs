//! Lazy SMP: every thread searches the same position, and they share only the transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tabiya_rules::{Move, Position};

use super::root::{RootLimits, RootMove};
use super::thread::{SearchThread, SharedSearch, ThreadData};
use crate::level::Handicap;
use crate::searcher::{Control, Report, Request};
use crate::table::Table;
use crate::threads::MemoryLimit;

/// The hard node limit, as a multiple of the soft limit.
const HARD_PER_SOFT_NODES: u64 = 10;

/// Searches with one thread for each element of `threads`, and returns the root moves, the best first. The main thread
/// decides; the helpers end when it does.
pub(crate) fn search(
    request: &Request,
    control: &Control,
    handicap: Handicap,
    table: &Table,
    threads: &mut [ThreadData],
    report: &mut dyn FnMut(Report),
) -> Vec<RootMove> {
    let keys: Vec<u64> = request.game.positions().map(Position::key).collect();
    let moves = visible_moves(request, &handicap);
    let mut root_moves: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
    let node_limit = node_limit(request, &handicap);
    let limits = RootLimits::new(request, root_moves.len());
    let shared = SharedSearch {
        table,
        control,
        over: AtomicBool::new(false),
        nodes: threads.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    let Some((main, helpers)) = threads.split_first_mut() else {
        return root_moves;
    };
    let memory = MemoryLimit::of_process();
    thread::scope(|scope| {
        for (index, data) in (1..).zip(helpers) {
            let (shared, limits, keys) = (&shared, &limits, keys.clone());
            let mut root_moves = root_moves.clone();
            let helper = move || {
                let thread = SearchThread::new(shared, data, handicap, keys, index, node_limit);
                thread.iterative_deepening(limits, &mut root_moves, None);
            };
            if memory.spawn_scoped(scope, helper).is_err() {
                control.add_message(format!(
                    "no more threads can be created; searching with {index}"
                ));
                break;
            }
        }
        // Stops the helpers even if the main thread panics; otherwise they would never end.
        let _stop_helpers = StopHelpers(&shared);
        let thread = SearchThread::new(&shared, main, handicap, keys, 0, node_limit);
        thread.iterative_deepening(&limits, &mut root_moves, Some(report));
    });
    root_moves
}

/// The least of the limits on nodes; [`u64::MAX`] without any.
fn node_limit(request: &Request, handicap: &Handicap) -> u64 {
    let hard_limit = |soft: u64| soft.saturating_mul(HARD_PER_SOFT_NODES);
    let limits = [
        request.nodes,
        request.soft_nodes.map(hard_limit),
        handicap.nodes,
    ];
    let least = limits.into_iter().flatten().min();
    least.unwrap_or(u64::MAX).max(1)
}

/// The requested moves without those that a handicapped player overlooks; all of them if none is left.
fn visible_moves(request: &Request, handicap: &Handicap) -> Vec<Move> {
    let position = request.game.current();
    let visible: Vec<Move> = request
        .moves
        .iter()
        .copied()
        .filter(|&m| !handicap.overlooks(position, m))
        .collect();
    if visible.is_empty() {
        request.moves.clone()
    } else {
        visible
    }
}

/// Stops the helper threads when dropped.
struct StopHelpers<'a>(&'a SharedSearch<'a>);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}
