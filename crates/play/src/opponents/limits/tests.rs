//! Clocks become search limits.

use tabiya_game::{Command, NewGame};

use super::*;

fn session(clock: &str, moves: &[&str]) -> Session {
    let control: TimeControl = clock.parse().expect("a clock");
    let mut session = Session::new(NewGame::default().with_clock(&control));
    for text in moves {
        let done = session.apply(Command::play(text), Timestamp::ORIGIN);
        done.expect("a legal move");
    }
    session
}

#[test]
fn without_a_clock_a_moment_is_enough() {
    let go = limits(&session("none", &[]), Timestamp::ORIGIN);
    assert_eq!(go.to_string(), "go movetime 1000");
}

#[test]
fn clocks_and_increments_are_told() {
    let go = limits(&session("5+3", &["e4"]), Timestamp::from_millis(2000));
    assert_eq!(
        go.to_string(),
        "go wtime 303000 btime 298000 winc 3000 binc 3000"
    );
}

#[test]
fn moves_to_the_next_control_are_counted() {
    let control: TimeControl = "40/90:30".parse().expect("two periods");
    assert_eq!(moves_to_go(&control, 0), Some(40));
    assert_eq!(moves_to_go(&control, 39), Some(1));
    assert_eq!(moves_to_go(&control, 40), None);
}
