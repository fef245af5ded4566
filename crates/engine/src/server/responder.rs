//! The one `bestmove` that answers a `go`, whichever thread sends it.
//!
//! When a search is stopped or its time is up, the server thread sends the best move found so far: the worker thread may
//! have to wait for a processor before it even notices. Whoever comes second sends nothing, and no `info` follows the
//! `bestmove`.
//!
//! A search that never got a processor has no move yet. Rather than let the interface wait, a move is then chosen without
//! a search.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_rules::{Move, Position, Role};
use tabiya_uci::{BestMove, Info, Reply};

use super::output::Output;
use crate::searcher::Answer;

pub(super) struct Responder {
    position: Position,
    /// The moves to choose from.
    moves: Vec<Move>,
    output: Output,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    best: Option<Answer>,
    sent: bool,
}

impl Responder {
    pub(super) fn new(position: Position, moves: Vec<Move>, output: Output) -> Responder {
        Responder {
            position,
            moves,
            output,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an `info`, and remembers the answer that it implies.
    pub(super) fn report(&self, info: Info, best: Option<Answer>) {
        let line = format!("{}\n", Reply::Info(Box::new(info)));
        self.output.wait_for_room();
        {
            let mut state = self.lock();
            if state.sent {
                return;
            }
            state.best = best.or(state.best);
            self.output.add(&line);
        }
        // Only without the lock: the thread that wakes up may take this processor, and others would wait for the lock.
        self.output.wake();
    }

    /// Sets the answer of a search that has ended.
    pub(super) fn set_final_answer(&self, answer: Answer) {
        self.lock().best = Some(answer);
    }

    /// Sends the move unless it was sent, from the worker thread.
    pub(super) fn respond_from_worker(&self) {
        self.respond();
        self.output.wake();
    }

    pub(super) fn has_responded(&self) -> bool {
        self.lock().sent
    }

    /// Sends the move unless it was sent; if the search has none yet, one that is chosen without a search.
    pub(super) fn respond_now(&self) {
        {
            let mut state = self.lock();
            if state.best.is_none() {
                state.best = Some(Answer {
                    best: best_by_exchanges(&self.position, &self.moves),
                    ponder: None,
                });
            }
        }
        self.respond();
    }

    /// Sends the move unless it was sent. Returns false if there is none yet.
    pub(super) fn respond(&self) -> bool {
        let mut state = self.lock();
        if let (false, Some(answer)) = (state.sent, state.best) {
            state.sent = true;
            let best = best_move(&self.position, answer);
            self.output.add(&format!("{}\n", Reply::BestMove(best)));
        }
        state.sent
    }
}

/// The move with the best balance of what it captures and what the opponent can capture next.
fn best_by_exchanges(position: &Position, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().max_by_key(|&m| {
        let child = position.play_unchecked(m);
        if child.is_check() && !child.has_legal_move() {
            return i32::MAX;
        }
        let won = material_gain(position, m);
        let replies = child.captures();
        let lost = replies.iter().map(|&reply| {
            let attacker = piece_value(reply.role());
            let defended = !child.attackers(reply.to(), position.turn()).is_empty();
            material_gain(&child, reply) - if defended { attacker } else { 0 }
        });
        won - lost.max().unwrap_or(0).max(0)
    })
}

/// The material a move gains by capture and promotion.
fn material_gain(position: &Position, m: Move) -> i32 {
    let captured = position
        .captured(m)
        .map_or(0, |(_, piece)| piece_value(piece.role));
    let promoted = m
        .promotion()
        .map_or(0, |role| piece_value(role) - piece_value(Role::Pawn));
    captured + promoted
}

fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // It can capture, and is never captured.
        Role::King => 100,
    }
}

fn best_move(position: &Position, answer: Answer) -> BestMove {
    let Some(best) = answer.best else {
        return BestMove {
            best: None,
            ponder: None,
        };
    };
    let child = position.play_unchecked(best);
    let ponder = answer.ponder.filter(|&m| child.is_legal(m));
    BestMove {
        best: Some(position.uci(best)),
        ponder: ponder.map(|m| child.uci(m)),
    }
}

#[cfg(test)]
mod tests;
