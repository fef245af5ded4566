//! The one move that a `go` is answered with, whoever says it.
//!
//! When a search is told to stop or its time is up, the thread that decides says the best move found so far: the thread that thinks may
//! have to wait for a processor before it even notices. Whoever comes second says nothing, and no report follows the
//! move.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_rules::Position;
use tabiya_uci::{BestMove, Info, Reply};

use super::output::Output;
use crate::search::Answer;

pub(super) struct Voice {
    position: Position,
    output: Output,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    best: Option<Answer>,
    said: bool,
}

impl Voice {
    pub(super) fn new(position: Position, output: Output) -> Voice {
        Voice {
            position,
            output,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a report, and remembers the move it is for if that is the best one.
    pub(super) fn report(&self, info: Info, best: Option<Answer>) {
        let mut state = self.lock();
        if !state.said {
            state.best = best.or(state.best);
            self.output.say(&Reply::Info(Box::new(info)));
        }
    }

    /// The search has come to an end.
    pub(super) fn conclude(&self, answer: Answer) {
        self.lock().best = Some(answer);
    }

    /// Says the move unless it was said; false if there is none yet.
    pub(super) fn answer(&self) -> bool {
        let mut state = self.lock();
        if let (false, Some(answer)) = (state.said, state.best) {
            state.said = true;
            let best = best_move(&self.position, answer);
            self.output.say(&Reply::BestMove(best));
        }
        state.said
    }
}

fn best_move(position: &Position, answer: Answer) -> BestMove {
    let Some(best) = answer.best else {
        return BestMove {
            best: None,
            ponder: None,
        };
    };
    let after = position.play(best);
    let ponder = answer.ponder.filter(|&m| after.is_legal(m));
    BestMove {
        best: Some(position.uci(best)),
        ponder: ponder.map(|m| after.uci(m)),
    }
}
