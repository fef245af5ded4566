//! The suites about draws.

use tabiya_game::{ClaimRule, Command, Event, GoTo, NodeId, Outcome, Record, Session};
use tabiya_rules::{Position, Status};
use test_suites::{DRAW_GAMES, DRAW_POSITIONS, Suites, test_on_suites};

use crate::common::{apply, position};

test_on_suites!(draws_along_games, draws_of_single_positions);

fn draws_along_games(suites: &Suites) {
    for row in suites.rows(DRAW_GAMES) {
        let [name, start, moves] = [0, 1, 2].map(|column: usize| row[column].as_str());
        let mut session = loaded(start, moves);
        let first = first_plies(&mut session);
        let expected = [3, 4, 5, 6].map(|column: usize| row[column].parse::<u32>().ok());
        assert_eq!(first, expected, "{name}");
        assert_eq!(session.repetitions().to_string(), row[7], "{name}");
        assert_eq!(state(session.position()), row[8], "{name}");
        assert_eq!(session.position().fen(), row[9], "{name}");
        played_as_far_as_allowed(name, start, moves, &expected);
    }
}

/// Returns a session with these moves. They may continue after a draw, so they are loaded, not played.
fn loaded(start: &str, moves: &str) -> Session {
    let mut record = Record::new(position(start));
    let mut at = NodeId::ROOT;
    for text in moves.split_whitespace() {
        let played = record.node(at).unwrap().position().parse_uci(text).unwrap();
        at = record.add(at, played).unwrap();
    }
    Session::restore(record)
}

/// Returns the first plies of threefold and fivefold repetition, and of the 50- and 75-move rules. Leaves the
/// session at its end.
fn first_plies(session: &mut Session) -> [Option<u32>; 4] {
    let last = session.ply();
    let mut first = [None; 4];
    for ply in 0..=last {
        apply(session, Command::GoTo(GoTo::Ply(ply))).unwrap();
        let clock = session.position().halfmove_clock();
        let over = !session.position().has_legal_move();
        let met = [
            session.repetitions() >= 3,
            session.repetitions() >= 5,
            clock >= 100 && !over,
            clock >= 150 && !over,
        ];
        for (first, met) in first.iter_mut().zip(met) {
            if met && ply > 0 {
                first.get_or_insert(ply);
            }
        }
        assert_eq!(
            session.repetitions(),
            session.record().occurrences(session.record().cursor().id())
        );
    }
    first
}

fn state(position: &Position) -> &'static str {
    match position.status() {
        Status::Ongoing => "none",
        Status::Checkmate { .. } => "checkmate",
        Status::Stalemate => "stalemate",
        Status::InsufficientMaterial => "insufficient",
    }
}

fn draws_of_single_positions(suites: &Suites) {
    for row in suites.rows(DRAW_POSITIONS) {
        let session = crate::common::from(&row[0]);
        let claims = session.claims();
        let fifty = claims
            .iter()
            .any(|claim| claim.rule() == ClaimRule::FiftyMoves);
        // After the end there is nothing to claim, whatever the half-move clock says.
        let expected = row[5] == "1" && session.outcome().is_none();
        assert_eq!(fifty, expected, "{row:?}");
        let seventy_five = session.outcome() == Some(Outcome::SeventyFiveMoves);
        let over = !session.position().has_legal_move();
        assert_eq!(seventy_five, row[6] == "1" && !over, "{row:?}");
    }
}

/// Plays the same moves one by one, until fivefold repetition or 75 moves end the game.
fn played_as_far_as_allowed(name: &str, start: &str, moves: &str, expected: &[Option<u32>; 4]) {
    let mut session = crate::common::from(start);
    let mut announced = None;
    for text in moves.split_whitespace() {
        let Ok(events) = apply(&mut session, Command::play(text)) else {
            break;
        };
        if matches!(events[..], [_, Event::ClaimAvailable(_)]) {
            announced.get_or_insert(session.ply());
        }
    }
    let end = match session.outcome() {
        Some(Outcome::Fivefold) => expected[1],
        Some(Outcome::SeventyFiveMoves) => expected[3],
        _ => Some(session.ply()),
    };
    assert_eq!(end, Some(session.ply()), "{name}");
    let due = [expected[0], expected[2]].into_iter().flatten().min();
    if due.is_some_and(|due| due < session.ply()) {
        assert_eq!(announced, due, "{name}");
    }
}
