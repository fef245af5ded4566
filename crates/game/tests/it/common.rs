//! Shared by the tests: sessions from FENs, sequences of moves, moments.

use core::time::Duration;

use tabiya_game::{Command, Event, NewGame, Refusal, Session, Timestamp};
use tabiya_rules::{Position, Setup, Waivers};

pub(crate) use fuzz_properties::session::{position, same, through_text};

/// Returns the moment this many seconds after the origin.
pub(crate) fn at(seconds: f64) -> Timestamp {
    Timestamp::after_origin(Duration::from_secs_f64(seconds))
}

pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

pub(crate) const NOW: Timestamp = Timestamp::ORIGIN;

/// Returns a position that is valid only on a teaching board.
pub(crate) fn teaching(fen: &str) -> Position {
    Setup::from_fen(fen)
        .unwrap()
        .position_waiving(Waivers::ALL)
        .unwrap()
}

pub(crate) fn from(fen: &str) -> Session {
    Session::new(NewGame::default().with_start(position(fen)))
}

/// Returns a game with this time control, whose clocks start at the origin.
pub(crate) fn timed(control: &str) -> Session {
    let mut session = Session::new(NewGame::default().with_clock(&control.parse().unwrap()));
    session.apply(Command::Tick, NOW).unwrap();
    session
}

/// Plays moves one after another and returns the events of the last.
pub(crate) fn play(session: &mut Session, moves: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves.split_whitespace() {
        events = apply(session, Command::play(text))
            .unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    events
}

pub(crate) fn apply(session: &mut Session, command: Command) -> Result<Vec<Event>, Refusal> {
    session.apply(command, NOW)
}

/// Applies a command that must be refused, and checks that nothing changed.
pub(crate) fn refused(session: &mut Session, command: Command) -> Refusal {
    let before = session.clone();
    let refusal = apply(session, command).unwrap_err();
    same(&before, session);
    refusal
}

/// Returns the start position with a half-move clock.
pub(crate) fn start_with_clock(clock: u32) -> String {
    format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {clock} 80")
}

/// Returns moves that take the knights out and back this many times.
pub(crate) fn knights(cycles: usize) -> String {
    "g1f3 g8f6 f3g1 f6g8 ".repeat(cycles)
}
