//! Games of the engine against itself or against another version of itself.

use tabiya_rules::{Color, Move, MoveHistory, Position, SplitMix64, Status};

use crate::game_line::{Game, GameResult, Ply};
use crate::scorer::Scorer;
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
/// A longer game is a draw.
const MAX_PLIES: usize = 600;
/// Spreads the numbers of games, so that neighboring ones have nothing in common.
const SPREAD: u64 = 0xd134_2543_de82_ef95;

/// Returns the random numbers of the game with a number.
#[must_use]
pub fn random_of(number: u64) -> SplitMix64 {
    SplitMix64::new(number.wrapping_mul(SPREAD))
}

/// Returns a random start that the scorer gives to neither side; `None` if this one is not. The scorer forgets everything
/// before and after.
pub fn fair_start(random: &mut SplitMix64, scorer: &mut Scorer) -> Option<Position> {
    let start = random_start(random)?;
    scorer.new_game();
    let (_, score) = scorer.search(&MoveHistory::new(start), START_NODES)?;
    scorer.new_game();
    (score.abs() <= START_SCORE).then_some(start)
}

/// Plays a game in which `choose` finds the moves of both sides and their scores.
pub fn play_game(
    start: Position,
    mut adjudication: Option<Adjudication>,
    mut choose: impl FnMut(&MoveHistory) -> Option<(Move, i32)>,
) -> Game {
    let mut played = MoveHistory::new(start);
    let mut plies = Vec::new();
    let result = loop {
        let position = *played.current();
        if let Some(result) = result_by_rules(&played) {
            break result;
        }
        // A game that is not over has a legal move.
        let Some((m, score)) = choose(&played) else {
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

/// Plays two games from a start, each player with either color once, and returns the first player's points in halves, from 0
/// to 4.
pub fn play_pair(start: Position, players: [&mut Scorer; 2], nodes: u64) -> usize {
    let [first, second] = players;
    let mut points = 0;
    for first_color in Color::ALL {
        first.new_game();
        second.new_game();
        let adjudication = Some(Adjudication::default());
        let game = play_game(start, adjudication, |played| {
            match played.current().turn() == first_color {
                true => first.search(played, nodes),
                false => second.search(played, nodes),
            }
        });
        points += match game.result {
            GameResult::Drawn => 1,
            GameResult::Won(winner) if winner == first_color => 2,
            GameResult::Won(_) => 0,
        };
    }
    points
}

/// Returns the result of a game that is over by the rules, or too long.
#[must_use]
pub fn result_by_rules(played: &MoveHistory) -> Option<GameResult> {
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
pub struct Adjudication {
    plies: usize,
    won_plies: u32,
    lost_plies: u32,
    drawn_plies: u32,
}

impl Adjudication {
    /// Adds the score of a ply, and returns the result if it decides the game.
    pub fn add(&mut self, white: i32) -> Option<GameResult> {
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

#[cfg(test)]
mod tests;
