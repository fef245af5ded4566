//! What a position is worth without looking ahead.
//!
//! The search knows an [`Evaluator`] only: something that keeps a little state for each position, follows the moves by
//! what they change on the board, and gives a score. [`Standard`] names the one that it uses; a trained network fits
//! the same place.

mod endings;
mod king;
pub(crate) mod pair;
mod pawns;
mod pieces;
mod standard;
pub(crate) mod weights;

use tabiya_rules::{Change, Color, Piece, Position, Role, Square, cpu};

use crate::score::MAX_EVAL;
use crate::sub_keys::{SubKeys, piece_index};
use pair::TaperedScore;
use pawns::Structures;
use pieces::Pieces;
use weights::Weights;

/// Something that judges positions.
pub(crate) trait Evaluator {
    /// What it keeps about one position.
    type State: Copy;

    /// Begins with a position.
    fn start(&self, position: &Position) -> Self::State;

    /// Follows a move by what it changes.
    fn follow(&self, before: &Self::State, change: &Change) -> Self::State;

    /// The worth of a position, whose sub-keys and state are given, for the side to move.
    fn evaluate(&mut self, position: &Position, sub_keys: &SubKeys, state: &Self::State) -> i32;
}

/// What the search judges positions by.
pub(crate) type Standard = HandWritten;

/// Endings that are known to be won are worth more than this.
pub(crate) const KNOWN_WIN: i32 = 3500;

/// How much each role counts for the middle game, and the sum at the start.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// Material and places, summed up move by move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// White's worth less Black's.
    score: TaperedScore,
    phase: i32,
}

/// Judges by rules that people wrote: material, places, mobility, pawns, kings, and what is known about endings.
#[derive(Clone, Debug)]
pub(crate) struct HandWritten {
    weights: Box<Weights>,
    /// Material and place of each piece on each square, White's positive.
    worth: Box<[[TaperedScore; 64]; 12]>,
    structures: Structures,
}

impl HandWritten {
    pub(crate) fn new(weights: Weights) -> HandWritten {
        let mut worth = Box::new([[TaperedScore::ZERO; 64]; 12]);
        for square in Square::ALL {
            for role in Role::ALL {
                for color in Color::ALL {
                    let piece = role.of(color);
                    worth[piece_index(piece)][square.index()] = worth_of(&weights, piece, square);
                }
            }
        }
        HandWritten {
            weights: Box::new(weights),
            worth,
            structures: Structures::new(),
        }
    }

    fn put(&self, state: &mut State, square: Square, piece: Piece) {
        state.score += self.worth[piece_index(piece)][square.index()];
        state.phase += PHASES[piece.role as usize];
    }

    fn take(&self, state: &mut State, square: Square, piece: Piece) {
        state.score -= self.worth[piece_index(piece)][square.index()];
        state.phase -= PHASES[piece.role as usize];
    }
}

impl Default for HandWritten {
    fn default() -> HandWritten {
        HandWritten::new(Weights::STANDARD)
    }
}

impl Evaluator for HandWritten {
    type State = State;

    fn start(&self, position: &Position) -> State {
        let mut state = State {
            score: TaperedScore::ZERO,
            phase: 0,
        };
        for (square, piece) in position.board().iter() {
            self.put(&mut state, square, piece);
        }
        state
    }

    fn follow(&self, before: &State, change: &Change) -> State {
        let mut state = *before;
        for &(square, piece) in change.emptied() {
            self.take(&mut state, square, piece);
        }
        for &(square, piece) in change.filled() {
            self.put(&mut state, square, piece);
        }
        state
    }

    fn evaluate(&mut self, position: &Position, sub_keys: &SubKeys, state: &State) -> i32 {
        let board = position.board();
        let turn = position.turn();
        if let Some(white) = endings::known(board) {
            return seen_by(turn, white);
        }
        let structure = self
            .structures
            .of(board, sub_keys.pawns, &self.weights.pawns);
        let mut score = state.score + structure.score;
        score += cpu::run(Pieces {
            board,
            structure: &structure,
            weights: &self.weights,
        });
        score += match turn {
            Color::White => self.weights.tempo,
            Color::Black => -self.weights.tempo,
        };
        let ending = score.ending() * endings::scale(board, score.ending()) / endings::FULL_SCALE;
        let phase = state.phase.min(FULL_PHASE);
        let white = (score.middle() * phase + ending * (FULL_PHASE - phase)) / FULL_PHASE;
        seen_by(turn, white.clamp(-MAX_EVAL, MAX_EVAL))
    }
}

fn seen_by(turn: Color, white: i32) -> i32 {
    match turn {
        Color::White => white,
        Color::Black => -white,
    }
}

fn worth_of(weights: &Weights, piece: Piece, square: Square) -> TaperedScore {
    let file = square.file() as usize;
    let column = file.min(7 - file);
    let rank = square.rank().relative_to(piece.color) as usize;
    let role = piece.role as usize;
    let material = weights
        .material
        .get(role)
        .copied()
        .unwrap_or(TaperedScore::ZERO);
    let worth = material + weights.places[role][rank * 4 + column];
    match piece.color {
        Color::White => worth,
        Color::Black => -worth,
    }
}

#[cfg(test)]
mod tests;
