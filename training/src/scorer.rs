//! Searches with a soft node limit. All training games and scores are made with them.

use std::sync::Arc;

use tabiya_engine::{AlphaBeta, Control, Network, Request, SearchParams, Searcher, Settings};
use tabiya_rules::{Move, MoveHistory, Score};

use crate::game_line::{MATE, MAX_SCORE};

/// The size of the transposition table, in MiB.
const HASH: usize = 4;

/// The engine with one thread and a small transposition table.
#[derive(Debug)]
pub struct Scorer {
    searcher: AlphaBeta,
    settings: Settings,
}

impl Scorer {
    /// Creates a scorer with the given network, or the built-in one.
    pub fn new(network: Option<Arc<Network>>) -> Scorer {
        let settings = Settings::new().with_hash(HASH).with_network(network);
        Scorer {
            searcher: AlphaBeta::new(&settings),
            settings,
        }
    }

    /// Searches with other parameters from now on.
    pub fn set_params(&mut self, params: SearchParams) {
        self.settings.params = params;
        // The size of the table and the number of threads stay, so there is nothing to report.
        let _ = self.searcher.configure(&self.settings);
    }

    /// Forgets everything, so that what follows does not depend on what came before.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Returns the best move and its score, as in a line of a game. Returns `None` if no move is
    /// legal.
    ///
    /// No iteration is started after `nodes` nodes.
    pub fn search(&mut self, played: &MoveHistory, nodes: u64) -> Option<(Move, i32)> {
        let request = Request::new(played.clone()).with_soft_nodes(nodes);
        let mut score = 0;
        let control = Control::new();
        let answer = self.searcher.search(&request, &control, &mut |report| {
            score = match report.score {
                Score::Centipawns(score) => score.clamp(-MAX_SCORE, MAX_SCORE),
                Score::MateIn(moves) => MATE.saturating_sub_unsigned(moves),
                Score::MatedIn(moves) => -MATE.saturating_sub_unsigned(moves),
            };
        });
        Some((answer.best?, score))
    }
}
