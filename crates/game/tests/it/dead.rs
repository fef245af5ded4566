//! Dead positions: the query, and the policy that ends games with it.

use tabiya_game::{
    Command, DEAD_SEARCH_POSITIONS, DeadPositions, Deadness, DrawPolicy, Event, NewGame, Outcome,
    Policy, Session, deadness,
};
use tabiya_rules::Position;

use crate::common::{apply, from, play, position, teaching};

const WALL: &str = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";

fn ask(fen: &str) -> Deadness {
    deadness(&position(fen), DEAD_SEARCH_POSITIONS)
}

#[test]
fn walls_without_a_gap_are_dead() {
    for fen in [
        WALL,
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 b - - 0 1",
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "2b5/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
        // Stalemate ends the game, so there can be no mate.
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        // A wall from edge to edge, all pawns locked.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(ask(fen), Deadness::Dead, "{fen}");
    }
    // The only move leads to bare kings.
    assert_eq!(ask("k7/8/8/8/8/8/1q6/K7 w - - 0 1"), Deadness::Dead);
}

#[test]
fn games_with_a_mate_in_them_are_alive() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2BBK3 w - - 0 1",
        "4kn2/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        // The wall has a gap on the h-file.
        "4k3/8/8/p2p3p/P2P2pP/8/6P1/4K3 w - - 0 1",
        // Checkmate on the board.
        "k6Q/8/K7/8/8/8/8/8 b - - 0 1",
    ] {
        assert_eq!(ask(fen), Deadness::Alive, "{fen}");
    }
}

#[test]
fn boards_without_a_king_have_an_answer_too() {
    for (fen, answer) in [
        // Nobody can be mated, or nobody can give mate.
        ("8/8/8/8/8/8/8/1R5r w - - 0 1", Deadness::Dead),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", Deadness::Dead),
        ("8/8/8/8/8/8/p7/4K2R w - - 0 1", Deadness::Alive),
    ] {
        assert_eq!(
            deadness(&teaching(fen), DEAD_SEARCH_POSITIONS),
            answer,
            "{fen}"
        );
    }
}

#[test]
fn a_search_cut_short_does_not_know() {
    for limit in [0, 1, 100] {
        assert_eq!(deadness(&position(WALL), limit), Deadness::Unknown);
        assert_eq!(
            deadness(&Position::start(), limit.min(10)),
            Deadness::Unknown
        );
    }
}

/// Compares every position with kings and one locked pair of pawns with a plain exhaustive search.
#[test]
fn the_answer_is_never_wrong() {
    use std::collections::HashSet;
    let full = |start: &Position| {
        let mut seen = HashSet::from([*start]);
        let mut waiting = vec![*start];
        while let Some(next) = waiting.pop() {
            if next.is_check() && !next.has_legal_move() {
                return Deadness::Alive;
            }
            for played in next.legal_moves() {
                let after = next.play_unchecked(played);
                if seen.insert(after) {
                    waiting.push(after);
                }
            }
        }
        Deadness::Dead
    };
    for fen in [
        WALL,
        "8/1k6/8/p1p1p1p1/P1P1P1P1/8/6K1/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
        "7k/8/8/8/8/8/Q7/K7 w - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        "k7/P7/1K6/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/1k6/p7/K7 w - - 0 1",
        "8/8/8/8/8/2k5/p7/K7 b - - 0 1",
    ] {
        let position = position(fen);
        let answer = deadness(&position, DEAD_SEARCH_POSITIONS);
        if answer != Deadness::Unknown {
            assert_eq!(answer, full(&position), "{fen}");
        }
        assert_ne!(answer, Deadness::Unknown, "{fen}");
    }
}

#[test]
fn dead_positions_end_a_game_only_where_the_policy_says_so() {
    let mut session = from(WALL);
    assert_eq!(session.outcome(), None);
    assert_eq!(session.deadness(), Deadness::Dead);
    play(&mut session, "Kd2");
    let policy = Policy::new()
        .with_draws(DrawPolicy::Claim)
        .with_dead_positions(DeadPositions::End);
    let events = apply(&mut session, Command::SetPolicy(policy)).unwrap();
    assert_eq!(
        events,
        [Event::PolicyChanged, Event::Ended(Outcome::DeadPosition)]
    );

    let start = position("4k3/8/8/p2p2p1/P2P4/6P1/8/4K3 w - - 0 1");
    let mut session = Session::new(NewGame::default().with_start(start).with_policy(policy));
    assert_eq!(session.outcome(), None);
    let events = play(&mut session, "g4");
    assert_eq!(events[1], Event::Ended(Outcome::DeadPosition));
    assert_eq!(Session::restore(session.save()), session);
}
