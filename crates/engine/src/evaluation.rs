//! Static evaluation.
//!
//! The search only knows an [`Evaluator`]: something that keeps its own state for each ply of the current line,
//! receives the changes that moves make to the board, and returns a score. [`Standard`] names the one in use: a trained
//! network. The hand-written evaluation before it is only used for tuning and in tests.

mod endings;
mod king;
pub(crate) mod network;
mod pawns;
mod pieces;
mod standard;
pub(crate) mod tapered_score;
pub(crate) mod weights;

use std::sync::Arc;

use tabiya_rules::{Color, MoveDelta, Piece, Position, Role, Square, cpu};

use crate::score::MAX_EVAL;
use crate::sub_keys::{SubKeys, piece_index};
use network::{Network, NetworkEvaluator};
use pawns::Structures;
use pieces::Pieces;
use tapered_score::TaperedScore;
use weights::Weights;

/// Something that judges the positions of a line.
pub(crate) trait Evaluator {
    /// Begins a new line with the position at ply 0.
    fn set_root(&mut self, position: &Position);

    /// Notes what the move changes that leads to a ply, which replaces that ply and all after it.
    fn make_move(&mut self, ply: usize, change: &MoveDelta);

    /// Notes that a null move leads to a ply.
    fn make_null_move(&mut self, ply: usize);

    /// The evaluation of the position at a ply, whose sub-keys are given, for the side to move.
    fn evaluate(&mut self, position: &Position, sub_keys: &SubKeys, ply: usize) -> i32;
}

/// What the search judges positions by.
pub(crate) type Standard = Selected;

/// A network if there is one, the hand-written evaluation otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Selected {
    HandWritten(HandWritten),
    Network(NetworkEvaluator),
}

impl Selected {
    /// For lines of up to `max_ply` plies.
    pub(crate) fn new(network: Option<&Arc<Network>>, max_ply: usize) -> Selected {
        match network {
            Some(network) => Selected::Network(NetworkEvaluator::new(Arc::clone(network), max_ply)),
            None => Selected::HandWritten(HandWritten::new(Weights::STANDARD, max_ply)),
        }
    }
}

impl Evaluator for Selected {
    fn set_root(&mut self, position: &Position) {
        match self {
            Selected::HandWritten(evaluator) => evaluator.set_root(position),
            Selected::Network(evaluator) => evaluator.set_root(position),
        }
    }

    #[inline]
    fn make_move(&mut self, ply: usize, change: &MoveDelta) {
        match self {
            Selected::HandWritten(evaluator) => evaluator.make_move(ply, change),
            Selected::Network(evaluator) => evaluator.make_move(ply, change),
        }
    }

    #[inline]
    fn make_null_move(&mut self, ply: usize) {
        match self {
            Selected::HandWritten(evaluator) => evaluator.make_null_move(ply),
            Selected::Network(evaluator) => evaluator.make_null_move(ply),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, sub_keys: &SubKeys, ply: usize) -> i32 {
        match self {
            Selected::HandWritten(evaluator) => evaluator.evaluate(position, sub_keys, ply),
            Selected::Network(evaluator) => evaluator.evaluate(position, sub_keys, ply),
        }
    }
}

/// Endings that are known to be won are worth more than this.
pub(crate) const KNOWN_WIN: i32 = 3500;

/// How much each role counts for the middle game, and the sum at the start.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// Material and places, summed up move by move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    /// White's score minus Black's.
    score: TaperedScore,
    phase: i32,
}

impl State {
    const EMPTY: State = State {
        score: TaperedScore::ZERO,
        phase: 0,
    };
}

/// Judges by rules that people wrote: material, places, mobility, pawns, kings, and what is known about endings.
#[derive(Clone, Debug)]
pub(crate) struct HandWritten {
    weights: Box<Weights>,
    /// Material and place of each piece on each square, White's positive.
    piece_squares: Box<[[TaperedScore; 64]; 12]>,
    structures: Structures,
    /// By ply.
    states: Vec<State>,
}

impl HandWritten {
    /// For lines of up to `max_ply` plies.
    pub(crate) fn new(weights: Weights, max_ply: usize) -> HandWritten {
        let mut piece_squares = Box::new([[TaperedScore::ZERO; 64]; 12]);
        for square in Square::ALL {
            for role in Role::ALL {
                for color in Color::ALL {
                    let piece = role.of(color);
                    piece_squares[piece_index(piece)][square.index()] =
                        piece_square_score(&weights, piece, square);
                }
            }
        }
        HandWritten {
            weights: Box::new(weights),
            piece_squares,
            structures: Structures::new(),
            states: vec![State::EMPTY; max_ply + 1],
        }
    }

    fn put(&self, state: &mut State, square: Square, piece: Piece) {
        state.score += self.piece_squares[piece_index(piece)][square.index()];
        state.phase += PHASES[piece.role as usize];
    }

    fn take(&self, state: &mut State, square: Square, piece: Piece) {
        state.score -= self.piece_squares[piece_index(piece)][square.index()];
        state.phase -= PHASES[piece.role as usize];
    }
}

impl Evaluator for HandWritten {
    fn set_root(&mut self, position: &Position) {
        let mut state = State::EMPTY;
        for (square, piece) in position.board().iter() {
            self.put(&mut state, square, piece);
        }
        self.states[0] = state;
    }

    fn make_move(&mut self, ply: usize, change: &MoveDelta) {
        let mut state = self.states[ply - 1];
        for &(square, piece) in change.removed() {
            self.take(&mut state, square, piece);
        }
        for &(square, piece) in change.added() {
            self.put(&mut state, square, piece);
        }
        self.states[ply] = state;
    }

    fn make_null_move(&mut self, ply: usize) {
        self.states[ply] = self.states[ply - 1];
    }

    fn evaluate(&mut self, position: &Position, sub_keys: &SubKeys, ply: usize) -> i32 {
        let board = position.board();
        let turn = position.turn();
        if let Some(white) = endings::known(board) {
            return seen_by(turn, white);
        }
        let state = self.states[ply];
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

fn piece_square_score(weights: &Weights, piece: Piece, square: Square) -> TaperedScore {
    let file = square.file() as usize;
    let column = file.min(7 - file);
    let rank = square.rank().relative_to(piece.color) as usize;
    let role = piece.role as usize;
    let material = weights
        .material
        .get(role)
        .copied()
        .unwrap_or(TaperedScore::ZERO);
    let score = material + weights.places[role][rank * 4 + column];
    match piece.color {
        Color::White => score,
        Color::Black => -score,
    }
}

#[cfg(test)]
mod tests;
