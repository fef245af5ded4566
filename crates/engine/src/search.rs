//! The engine's own searcher: alpha-beta with everything that makes it fast.

mod checks;
mod exchange;
mod extensions;
mod history;
mod moves;
mod negamax;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod tree;
mod tried;

use tabiya_rules::Position;

use crate::level::Handicap;
use crate::options::Settings;
use crate::searcher::{Answer, Control, Report, Request, Searcher};
use crate::table::Table;
use crate::threads;

pub(crate) use root::{Root, Task};
pub(crate) use tree::{Memory, Shared, Tree};

/// The table of a player that is held back, in MiB: small, because it is made anew for each move.
const SMALL_TABLE: usize = 1;

/// Finds moves by alpha-beta: principal variation search with a shared table, reductions and pruning, in one thread or
/// several. With one thread the same request gives the same answer after the same searches, on every machine; a level
/// below the last gives the same answer always.
///
/// ```
/// use tabiya_engine::{AlphaBeta, Control, Level, Request, Searcher};
/// use tabiya_uci::Played;
///
/// let request = Request {
///     level: Level::new(4),
///     seed: 7,
///     ..Request::new(Played::default())
/// };
/// let mut searcher = AlphaBeta::default();
/// let first = searcher.search(&request, &Control::new(), &mut |_| {});
/// let again = searcher.search(&request, &Control::new(), &mut |_| {});
/// assert!(first.best.is_some());
/// assert_eq!(first, again);
/// ```
#[derive(Debug)]
pub struct AlphaBeta {
    settings: Settings,
    table: Table,
    memories: Vec<Memory>,
}

impl AlphaBeta {
    /// With a table of the size, and as many threads, as the settings say.
    #[must_use]
    pub fn new(settings: &Settings) -> AlphaBeta {
        AlphaBeta {
            settings: settings.clone(),
            table: Table::new(settings.hash),
            memories: memories(settings.threads),
        }
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new(&Settings::default())
    }
}

fn memories(threads: usize) -> Vec<Memory> {
    (0..threads.max(1)).map(|_| Memory::new()).collect()
}

impl Searcher for AlphaBeta {
    fn configure(&mut self, settings: &Settings) -> Option<String> {
        let mut problem = None;
        if settings.hash != self.settings.hash {
            match Table::try_new(settings.hash) {
                Some(table) => self.table = table,
                None => {
                    problem = Some(format!(
                        "there is no memory for a hash of {} MiB; the old one is kept",
                        settings.hash
                    ));
                }
            }
        }
        if settings.threads != self.settings.threads {
            self.memories = memories(settings.threads);
        }
        // Also what could not be had: it is tried again, and told again, when it changes.
        self.settings = settings.clone();
        problem
    }

    fn new_game(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Answer {
        let handicap = handicap(request);
        let roots = if handicap.nodes.is_some() {
            // Nothing from other searches, so that a level is the same after whatever came before.
            let table = Table::new(SMALL_TABLE);
            threads::search(request, control, handicap, &table, &mut memories(1), report)
        } else {
            self.table.grow_older();
            let memories = &mut self.memories;
            threads::search(request, control, handicap, &self.table, memories, report)
        };
        answer(&roots)
    }
}

fn handicap(request: &Request) -> Handicap {
    let root: &Position = request.played.current();
    match (request.level, request.elo) {
        (Some(level), _) => Handicap::of_level(level, request.seed, root),
        (None, Some(elo)) => Handicap::of_elo(elo, request.seed, root),
        (None, None) => Handicap::NONE,
    }
}

fn answer(roots: &[Root]) -> Answer {
    let mut line = roots.iter().take(1).flat_map(|root| &root.line).copied();
    Answer {
        best: line.next(),
        ponder: line.next(),
    }
}

#[cfg(test)]
mod tests;
