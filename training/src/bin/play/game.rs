//! A game of the engine against itself.

use std::sync::Arc;

use tabiya_engine::Network;
use tabiya_rules::{Color, MoveHistory, Position, SplitMix64, Status};
use training::game_line::{Game, GameResult, Ply};
use training::scorer::Scorer;

use crate::start::random_start;

/// A start is used if a search of this many nodes gives neither side more than this score.
const START_NODES: u64 = 10_000;
const START_SCORE: i32 = 300;
/// A game is won with this score, for this many plies in a row.
const WON_SCORE: i32 = 1500;
const WON_PLIES: u32 = 4;
/// A game is drawn with a score within this bound, for this many plies in a row, after a number of
/// plies.
const DRAWN_SCORE: i32 = 10;
const DRAWN_PLIES: u32 = 10;
const DRAWN_AFTER: usize = 70;
/// One game in this many is not adjudicated.
const PLAYED_OUT: usize = 10;
/// A longer game is a draw.
const MAX_PLIES: usize = 600;
/// Spreads the numbers of games, so that neighboring ones have nothing in common.
const SPREAD: u64 = 0xd134_2543_de82_ef95;

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
        let mut random = SplitMix64::new(number.wrapping_mul(SPREAD));
        let start = random_start(&mut random)?;
        self.scorer.new_game();
        let (_, score) = self.scorer.search(&MoveHistory::new(start), START_NODES)?;
        if score.abs() > START_SCORE {
            return None;
        }
        self.scorer.new_game();
        let adjudication = match random.below(PLAYED_OUT) {
            0 => None,
            _ => Some(Adjudication::default()),
        };
        Some(self.play_from(start, adjudication))
    }

    fn play_from(&mut self, start: Position, mut adjudication: Option<Adjudication>) -> Game {
        let mut played = MoveHistory::new(start);
        let mut plies = Vec::new();
        let result = loop {
            let position = *played.current();
            if let Some(result) = result_by_rules(&played) {
                break result;
            }
            // A game that is not over has a legal move.
            let Some((m, score)) = self.scorer.search(&played, self.nodes) else {
                break GameResult::Drawn;
            };
            plies.push(Ply { played: m, score });
            let white = match position.turn() {
                Color::White => score,
                Color::Black => -score,
            };
            let adjudicated = adjudication.as_mut().and_then(|by| by.add(white));
            if let Some(result) = adjudicated {
                break result;
            }
            // The engine's moves are legal, so none is refused.
            let pushed = played.push(m);
            debug_assert!(pushed.is_ok());
        };
        Game {
            start,
            result,
            plies,
        }
    }
}

/// Returns the result of a game that is over by the rules, or too long.
pub(crate) fn result_by_rules(played: &MoveHistory) -> Option<GameResult> {
    let position = played.current();
    match position.status() {
        Status::Ongoing => {}
        Status::Checkmate { winner } => return Some(GameResult::Won(winner)),
        Status::Stalemate | Status::InsufficientMaterial => return Some(GameResult::Drawn),
    }
    let positions = played.positions();
    let occurrences = positions.filter(|earlier| earlier.key() == position.key());
    let drawn = position.halfmove_clock() >= 100
        || occurrences.count() >= 3
        || played.moves().len() >= MAX_PLIES;
    drawn.then_some(GameResult::Drawn)
}

/// Ends games with a clear outcome, by White's scores of consecutive plies.
#[derive(Debug, Default)]
pub(crate) struct Adjudication {
    plies: usize,
    won_plies: u32,
    lost_plies: u32,
    drawn_plies: u32,
}

impl Adjudication {
    pub(crate) fn add(&mut self, white: i32) -> Option<GameResult> {
        let count = |plies: &mut u32, goes_on: bool| *plies = if goes_on { *plies + 1 } else { 0 };
        count(&mut self.won_plies, white >= WON_SCORE);
        count(&mut self.lost_plies, white <= -WON_SCORE);
        let late = self.plies >= DRAWN_AFTER;
        count(&mut self.drawn_plies, late && white.abs() <= DRAWN_SCORE);
        self.plies += 1;
        if self.won_plies >= WON_PLIES {
            Some(GameResult::Won(Color::White))
        } else if self.lost_plies >= WON_PLIES {
            Some(GameResult::Won(Color::Black))
        } else if self.drawn_plies >= DRAWN_PLIES {
            Some(GameResult::Drawn)
        } else {
            None
        }
    }
}
