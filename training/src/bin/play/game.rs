//! A game of the engine against itself.

use std::sync::Arc;

use tabiya_engine::Network;
use training::game::{Adjudication, fair_start, play_game, random_of};
use training::game_line::Game;
use training::scorer::Scorer;

/// One game in this many is not adjudicated.
const PLAYED_OUT: usize = 10;

/// Plays games one after another.
#[derive(Debug)]
pub(crate) struct Player {
    scorer: Scorer,
    /// The soft node limit of a move.
    nodes: u64,
}

impl Player {
    pub(crate) fn new(network: Option<Arc<Network>>, nodes: u64) -> Player {
        Player {
            scorer: Scorer::new(network),
            nodes,
        }
    }

    /// Plays the game with a number; `None` if the number yields none.
    pub(crate) fn play(&mut self, number: u64) -> Option<Game> {
        let mut random = random_of(number);
        let start = fair_start(&mut random, &mut self.scorer)?;
        let adjudication = match random.below(PLAYED_OUT) {
            0 => None,
            _ => Some(Adjudication::default()),
        };
        let game = play_game(start, adjudication, |played| {
            self.scorer.search(played, self.nodes)
        });
        Some(game)
    }
}
