//! Games add up to pairs, in whatever order they end.

use std::time::Duration;

use tabiya_game::{Outcome, Record};
use tabiya_rules::{Color, Position};
use tabiya_uci::EngineError;

use super::super::game::{Fault, FaultCause};
use super::*;

fn game(number: u32, winner: Option<Entrant>) -> Finished {
    let white = if number % 2 == 1 {
        Entrant::A
    } else {
        Entrant::B
    };
    let winner = winner.map(|winner| {
        if winner == white {
            Color::White
        } else {
            Color::Black
        }
    });
    Finished {
        number,
        white,
        record: Record::new(Position::start()),
        outcome: Outcome::Adjudicated { winner },
        fault: None,
        plies: 10,
    }
}

#[test]
fn pairs_are_counted_when_both_games_are_over() {
    let mut standing = Standing::new(None);
    let (a, b) = (Some(Entrant::A), Some(Entrant::B));
    // Pairs are games 1 and 2, 3 and 4, 5 and 6; the last one lacks its second game.
    for (number, winner) in [(3, a), (1, a), (2, None), (5, b), (4, b)] {
        standing.add(&game(number, winner));
    }
    assert_eq!((standing.wins, standing.draws, standing.losses), (2, 1, 2));
    assert_eq!(standing.pairs, [0, 0, 1, 1, 0]);
    assert_eq!((standing.games(), standing.plies), (5, 50));
    assert!((standing.points() - 2.5).abs() < 1e-12);
}

#[test]
fn faults_are_counted_by_kind_and_player() {
    let mut standing = Standing::new(None);
    let limit = Duration::from_secs(1);
    for (number, cause) in [
        (1, FaultCause::Engine(EngineError::NoBestMove { limit })),
        (2, FaultCause::Flag),
        (3, FaultCause::Late(limit)),
    ] {
        let by = Entrant::B;
        let fault = Fault { by, cause };
        standing.add(&Finished {
            fault: Some(fault),
            ..game(number, Some(Entrant::A))
        });
    }
    assert_eq!(standing.faults.a, Faults::default());
    assert_eq!(
        standing.faults.b,
        Faults {
            crashes: 1,
            illegal_moves: 0,
            time_losses: 2
        }
    );
}

#[test]
fn before_a_pair_is_whole_the_games_speak() {
    let mut standing = Standing::new(None);
    assert_eq!(standing.estimate(), None);
    standing.add(&game(1, None));
    assert!(
        standing
            .estimate()
            .is_some_and(|estimate| estimate.score == 0.5)
    );
    assert_eq!(standing.decision(), None);
}

#[test]
fn games_that_repeat_an_earlier_one_are_counted() {
    let mut standing = Standing::new(None);
    for number in 1..=3 {
        standing.add(&game(number, None));
    }
    assert_eq!(standing.repeated_games, 2);
}
