//! The shared suite of games with their repetitions and move counts, where the environment names it.

use std::path::PathBuf;

use tabiya_game::{Command, Event, NodeId, Outcome, Place, Record, Session};
use tabiya_rules::Status;

use crate::common::{apply, position};

fn suite(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("TABIYA_SUITES") else {
        println!("TABIYA_SUITES is not set: {name} is not tested");
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    Some(
        std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}

#[test]
fn draws_along_games() {
    let Some(text) = suite("draws/games.tsv") else {
        return;
    };
    let mut games = 0;
    for row in text
        .lines()
        .filter(|row| !row.starts_with('#') && !row.is_empty())
    {
        let fields: Vec<&str> = row.split('\t').collect();
        let [
            name,
            start,
            moves,
            three,
            five,
            fifty,
            seventy_five,
            count,
            state,
            fen,
            ..,
        ] = fields[..]
        else {
            panic!("{row}")
        };
        // The moves may run on after a draw was due, so they are loaded and walked, not played.
        let mut record = Record::new(position(start));
        let mut at = NodeId::ROOT;
        for text in moves.split_whitespace() {
            let played = record.node(at).unwrap().position().parse_uci(text).unwrap();
            at = record.add(at, played).unwrap();
        }
        let mut session = Session::restore(record);
        let last = session.ply();
        let mut first = [None; 4];
        for ply in 0..=last {
            apply(&mut session, Command::GoTo(Place::Ply(ply))).unwrap();
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
        let expected = [three, five, fifty, seventy_five].map(|field| field.parse::<u32>().ok());
        assert_eq!(first, expected, "{name}");
        assert_eq!(session.repetitions().to_string(), count, "{name}");
        assert_eq!(session.position().fen(), fen, "{name}");
        let status = match session.position().status() {
            Status::Ongoing => "none",
            Status::Checkmate { .. } => "checkmate",
            Status::Stalemate => "stalemate",
            Status::InsufficientMaterial => "insufficient",
        };
        assert_eq!(status, state, "{name}");
        played_as_far_as_allowed(name, start, moves, &expected);
        games += 1;
    }
    assert!(games > 0);
    println!("{games} games");
}

/// The same moves played one by one end where fivefold repetition or 75 moves say.
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
