//! The one move that a `go` is answered with, whoever says it.
//!
//! When a search is told to stop or its time is up, the thread that decides says the best move found so far: the thread that thinks may
//! have to wait for a processor before it even notices. Whoever comes second says nothing, and no report follows the
//! move.
//!
//! A search that had no processor at all has no move to say yet. Rather than let an interface wait for it, a move is then
//! chosen at a glance.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_rules::{Move, Position, Role};
use tabiya_uci::{BestMove, Info, Reply};

use super::output::Output;
use crate::searcher::Answer;

pub(super) struct Voice {
    position: Position,
    /// The moves to choose from.
    moves: Vec<Move>,
    output: Output,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    best: Option<Answer>,
    said: bool,
}

impl Voice {
    pub(super) fn new(position: Position, moves: Vec<Move>, output: Output) -> Voice {
        Voice {
            position,
            moves,
            output,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a report, and remembers the move it is for if that is the best one.
    pub(super) fn report(&self, info: Info, best: Option<Answer>) {
        let line = format!("{}\n", Reply::Info(Box::new(info)));
        self.output.wait_for_room();
        {
            let mut state = self.lock();
            if state.said {
                return;
            }
            state.best = best.or(state.best);
            self.output.add(&line);
        }
        // Only now: whoever is woken may take the processor, and nobody should wait for what this thread holds.
        self.output.wake();
    }

    /// The search has come to an end.
    pub(super) fn conclude(&self, answer: Answer) {
        self.lock().best = Some(answer);
    }

    /// Says the move unless it was said, from the thread that thinks.
    pub(super) fn answer_at_the_end(&self) {
        self.answer();
        self.output.wake();
    }

    pub(super) fn has_answered(&self) -> bool {
        self.lock().said
    }

    /// Says the move unless it was said, and chooses one at a glance where the search has none yet.
    pub(super) fn answer_anyhow(&self) {
        {
            let mut state = self.lock();
            if state.best.is_none() {
                state.best = Some(Answer {
                    best: at_a_glance(&self.position, &self.moves),
                    ponder: None,
                });
            }
        }
        self.answer();
    }

    /// Says the move unless it was said, from the thread that decides; false if there is none yet.
    pub(super) fn answer(&self) -> bool {
        let mut state = self.lock();
        if let (false, Some(answer)) = (state.said, state.best) {
            state.said = true;
            let best = best_move(&self.position, answer);
            self.output.add(&format!("{}\n", Reply::BestMove(best)));
        }
        state.said
    }
}

/// The move that wins most or loses least as far as one can see at a glance: what it takes, what it becomes, and what the
/// opponent can take then.
fn at_a_glance(position: &Position, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().max_by_key(|&m| {
        let next = position.play_unchecked(m);
        if next.is_check() && !next.has_legal_move() {
            return i32::MAX;
        }
        let won = taken(position, m);
        let answers = next.captures();
        let lost = answers.iter().map(|&answer| {
            let taker = worth(answer.role());
            let defended = !next.attackers(answer.to(), position.turn()).is_empty();
            taken(&next, answer) - if defended { taker } else { 0 }
        });
        won - lost.max().unwrap_or(0).max(0)
    })
}

/// What a move takes, and what a pawn gains that becomes something else.
fn taken(position: &Position, m: Move) -> i32 {
    let captured = position
        .captured(m)
        .map_or(0, |(_, piece)| worth(piece.role));
    let promoted = m
        .promotion()
        .map_or(0, |role| worth(role) - worth(Role::Pawn));
    captured + promoted
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // It can take, and is never taken.
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
    let after = position.play_unchecked(best);
    let ponder = answer.ponder.filter(|&m| after.is_legal(m));
    BestMove {
        best: Some(position.uci(best)),
        ponder: ponder.map(|m| after.uci(m)),
    }
}

#[cfg(test)]
mod tests;
