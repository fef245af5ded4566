//! The engine's own searcher: principal variation search with iterative deepening.

mod check_squares;
mod extensions;
mod history;
mod lazy_smp;
mod move_loop;
mod negamax;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod reversible_moves;
mod root;
mod searched_moves;
mod thread;
mod threats;

use tabiya_rules::Position;
use tabiya_uci::BestMove;

use crate::evaluation::network::Network;
use crate::level::Handicap;
use crate::options::Settings;
use crate::params::SearchParams;
use crate::searcher::{Control, Report, Request, Searcher};
use crate::table::Table;
use crate::threads::MemoryLimit;
use root::RootMove;
use thread::ThreadData;

/// The size of a handicapped player's table in MiB: small, because each move gets a new one.
const HANDICAP_HASH: usize = 1;

/// Alpha-beta search with a shared transposition table, reductions and pruning, in one thread or several. With one thread
/// the same request gives the same answer after the same searches, on every machine; a level below the last always gives
/// the same answer.
///
/// ```
/// use tabiya_engine::{AlphaBeta, Control, Level, Request, Searcher};
/// use tabiya_rules::MoveHistory;
///
/// let request = Request::new(MoveHistory::default()).with_level(Level::new(4)).with_seed(7);
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
    threads: Vec<ThreadData>,
}

impl AlphaBeta {
    /// Creates a searcher with the table size and the number of threads of the settings.
    #[must_use]
    pub fn new(settings: &Settings) -> AlphaBeta {
        let mut threads = Vec::new();
        resize_threads(&mut threads, settings);
        AlphaBeta {
            settings: settings.clone(),
            table: Table::new(settings.hash),
            threads,
        }
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new(&Settings::default())
    }
}

/// Makes as many threads as the settings ask for and memory allows, at least one. They evaluate with the network of the
/// settings.
fn resize_threads(data: &mut Vec<ThreadData>, settings: &Settings) {
    let network = settings
        .network
        .as_ref()
        .unwrap_or_else(|| Network::built_in());
    let limit = MemoryLimit::of_process();
    data.truncate(settings.threads.max(1));
    while data.is_empty() || data.len() < settings.threads && limit.allows_threads(data.len()) {
        data.push(ThreadData::new(network, settings.params));
    }
}

impl Searcher for AlphaBeta {
    fn configure(&mut self, settings: &Settings) -> Option<String> {
        let mut problems = Vec::new();
        if settings.hash != self.settings.hash {
            match Table::try_new(settings.hash) {
                Some(table) => self.table.replace(table),
                None => {
                    problems.push(format!(
                        "there is no memory for a hash of {} MiB; the old one is kept",
                        settings.hash
                    ));
                }
            }
        }
        let starts_over =
            settings.network != self.settings.network || settings.params != self.settings.params;
        if starts_over {
            // The table was filled with the old network or parameters.
            self.table.clear();
        }
        if starts_over || settings.threads != self.settings.threads {
            if starts_over {
                self.threads.clear();
            }
            // The memory of those that stay is kept: it may be all there is.
            self.threads.iter_mut().for_each(ThreadData::clear);
            resize_threads(&mut self.threads, settings);
            if self.threads.len() < settings.threads {
                let count = self.threads.len();
                problems.push(format!("there is memory for {count} threads only"));
            }
        }
        // Settings that could not be applied are taken over too: they are retried, and reported, when they change again.
        self.settings = settings.clone();
        (!problems.is_empty()).then(|| problems.join("; "))
    }

    fn new_game(&mut self) {
        self.table.clear();
        for thread in &mut self.threads {
            thread.clear();
        }
    }

    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> BestMove {
        let handicap = handicap(request);
        let root_moves = if handicap.nodes.is_some() {
            // Nothing is kept from other searches, so that a level does not depend on what came before. Levels are rated
            // with the built-in network, whatever network is set.
            let table = Table::new(HANDICAP_HASH);
            let threads = &mut [ThreadData::new(
                Network::built_in(),
                SearchParams::default(),
            )];
            lazy_smp::search(request, control, handicap, &table, threads, report)
        } else {
            self.table.new_generation();
            let threads = &mut self.threads;
            lazy_smp::search(request, control, handicap, &self.table, threads, report)
        };
        answer(&root_moves)
    }
}

/// The handicap that a request asks for.
fn handicap(request: &Request) -> Handicap {
    let root: &Position = request.game.current();
    let seed = request.seed.unwrap_or_default();
    match (request.level, request.elo) {
        (Some(level), _) => Handicap::of_level(level, seed, root),
        (None, Some(elo)) => Handicap::of_elo(elo, seed, root),
        (None, None) => Handicap::NONE,
    }
}

/// The best of the root moves, with the reply it expects.
fn answer(root_moves: &[RootMove]) -> BestMove {
    root_moves.first().map_or(BestMove::NONE, RootMove::answer)
}

#[cfg(test)]
mod tests;
