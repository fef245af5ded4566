//! Several threads on one search: each searches the same position by itself, and they help each other through the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tabiya_rules::Move;

use crate::level::Handicap;
use crate::search::{Memory, Root, Shared, Task, Tree};
use crate::searcher::{Control, Report, Request};
use crate::table::Table;

/// Searches with one thread for each memory, and gives the moves of the position, the best first. The first thread
/// decides; the others end when it does.
pub(crate) fn search(
    request: &Request,
    control: &Control,
    handicap: Handicap,
    table: &Table,
    memories: &mut [Memory],
    report: &mut dyn FnMut(Report),
) -> Vec<Root> {
    let keys: Vec<u64> = request.played.positions().map(|p| p.key()).collect();
    let moves = seen_moves(request, &handicap);
    let mut roots: Vec<Root> = moves.into_iter().map(Root::new).collect();
    let limit = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let most_nodes = limit(request.nodes).min(limit(handicap.nodes)).max(1);
    let task = Task::new(request, roots.len());
    let shared = Shared {
        table,
        control,
        over: AtomicBool::new(false),
        nodes: memories.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    let Some((first, others)) = memories.split_first_mut() else {
        return roots;
    };
    thread::scope(|scope| {
        for (thread, memory) in (1..).zip(others) {
            let (shared, task, keys) = (&shared, &task, keys.clone());
            let mut roots = roots.clone();
            scope.spawn(move || {
                let tree = Tree::new(shared, memory, handicap, keys, thread, most_nodes);
                tree.deepen(task, &mut roots, None);
            });
        }
        // Also after a panic, or the others would never end.
        let _over = Over(&shared);
        let tree = Tree::new(&shared, first, handicap, keys, 0, most_nodes);
        tree.deepen(&task, &mut roots, Some(report));
    });
    roots
}

/// The moves to choose from, without those that this player overlooks.
fn seen_moves(request: &Request, handicap: &Handicap) -> Vec<Move> {
    let position = request.played.current();
    let seen: Vec<Move> = request
        .moves
        .iter()
        .copied()
        .filter(|&m| !handicap.overlooks(position, m))
        .collect();
    if seen.is_empty() {
        request.moves.clone()
    } else {
        seen
    }
}

/// Tells the other threads when the first is done.
struct Over<'a>(&'a Shared<'a>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}
