//! The one `bestmove` that answers a `go`, whichever thread sends it.
//!
//! When a search is stopped or its time is up, the server thread sends the best move found so far: the worker thread
//! may have to wait for a CPU before it even notices. The thread that comes second sends nothing, and no `info` follows
//! the `bestmove`.
//!
//! A search that has not run yet has no move. Then the first root move is sent, which is the best by material one ply
//! ahead.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tabiya_rules::{Move, Position, UciMove};
use tabiya_uci::{BestMove, Info, Reply};

use super::output::Output;

pub(super) struct Responder {
    position: Position,
    /// The move to play if the search has none yet.
    fallback: Option<Move>,
    output: Output,
    state: Mutex<SearchState>,
}

#[derive(Default)]
struct SearchState {
    best: Option<BestMove>,
    /// The last `info` of the best line.
    last_info: Option<Info>,
    sent: bool,
}

impl Responder {
    pub(super) fn new(position: Position, fallback: Option<Move>, output: Output) -> Responder {
        Responder {
            position,
            fallback,
            output,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an `info`, and remembers the answer that it implies.
    pub(super) fn report(&self, info: Info, best: Option<BestMove>) {
        let line = format!("{}\n", Reply::Info(Box::new(info.clone())));
        self.output.wait_for_room();
        {
            let mut state = self.lock();
            if state.sent {
                return;
            }
            if best.is_some() || state.last_info.is_none() {
                state.best = best.or(state.best);
                state.last_info = Some(info);
            }
            self.output.add(&line);
        }
        // Only without the lock: the thread that wakes up may take this CPU, and others would wait for the lock.
        self.output.wake();
    }

    /// Sends the last `info` of the best line again, with the time that has passed.
    pub(super) fn repeat_last_info(&self, time: Duration) {
        let info = self.lock().last_info.clone();
        if let Some(mut info) = info {
            info.time = Some(time);
            self.report(info, None);
        }
    }

    /// Sends messages for the user, unless the move was sent.
    pub(super) fn send_messages(&self, messages: Vec<String>) {
        for message in messages {
            let line = format!("{}\n", Info::message(message));
            self.output.wait_for_room();
            let state = self.lock();
            if !state.sent {
                self.output.add(&line);
            }
        }
    }

    /// Sets the answer of a search that has ended.
    pub(super) fn set_final_answer(&self, answer: BestMove) {
        self.lock().best = Some(answer);
    }

    /// Sends the move unless it was sent, and wakes the writer thread. For the worker thread, which does not flush.
    pub(super) fn respond_and_wake(&self) {
        self.respond();
        self.output.wake();
    }

    pub(super) fn has_responded(&self) -> bool {
        self.lock().sent
    }

    /// Sends the move unless it was sent; if the search has none yet, the fallback.
    pub(super) fn respond_or_fallback(&self) {
        {
            let mut state = self.lock();
            if state.best.is_none() {
                state.best = Some(BestMove {
                    best: self.fallback,
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

/// The move as the protocol writes it.
fn best_move(position: &Position, answer: BestMove) -> BestMove<UciMove> {
    let Some(best) = answer.best else {
        return BestMove::NONE;
    };
    let child = position.play_unchecked(best);
    let ponder = answer.ponder.filter(|&m| child.is_legal(m));
    BestMove {
        best: Some(position.uci(best)),
        ponder: ponder.map(|m| child.uci(m)),
    }
}
