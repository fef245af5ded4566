//! The half-move clock, repetition, and claims.

use tabiya_game::{
    Branching, Claim, ClaimRefusal, ClaimRule, Command, DeadPositions, DrawBy, DrawPolicy, Event,
    Grounds, NewGame, Outcome, Policy, Refusal, Session,
};
use tabiya_rules::{Color, Position};

use crate::common::{apply, from, knights, play, position, refused, start_with_clock};

const AUTOMATIC: Policy = Policy::new()
    .with_draws(DrawPolicy::Automatic)
    .with_dead_positions(DeadPositions::PlayOn)
    .with_branching(Branching::Variation);

fn automatic(start: Position) -> Session {
    Session::new(NewGame::default().with_start(start).with_policy(AUTOMATIC))
}

fn announced(events: &[Event]) -> Vec<ClaimRule> {
    match events {
        [Event::Moved(_), Event::ClaimAvailable(claims)] => {
            claims.iter().map(Claim::rule).collect()
        }
        [Event::Moved(_)] => Vec::new(),
        _ => panic!("{events:?}"),
    }
}

#[test]
fn the_half_move_clock_follows_the_moves() {
    for (fen, moves, clock) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 6",
            "e2e4",
            0,
        ),
        ("7k/8/8/R2p4/8/8/8/7K w - - 15 20", "a5d5", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 20 20", "e5d6", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 10 20", "a1a5", 11),
        ("7k/8/8/8/8/2K5/8/R7 w - - 7 20", "a1a8", 8),
        ("8/4P3/8/8/8/8/8/k6K w - - 30 40", "e7e8q", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 10 20", "e1c1", 11),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3 g8f6 e2e4 b8c6",
            1,
        ),
    ] {
        let mut session = from(fen);
        play(&mut session, moves);
        assert_eq!(session.position().halfmove_clock(), clock, "{fen} {moves}");
    }
}

#[test]
fn fifty_moves_are_claimed_from_clock_100() {
    let mut session = from(&start_with_clock(100));
    let claim = Claim {
        by: Color::White,
        grounds: Grounds::FiftyMoves { clock: 100 },
        since: 0,
        intended: None,
    };
    assert_eq!(session.claims(), std::slice::from_ref(&claim));
    let events = apply(&mut session, Command::claim()).unwrap();
    let outcome = Outcome::FiftyMoves(DrawBy::Claim);
    assert_eq!(events, [Event::DrawClaimed(claim), Event::Ended(outcome)]);
    assert_eq!(session.outcome(), Some(outcome));
    assert_eq!(outcome.to_string(), "Draw claimed by 50-move rule.");
    assert!(session.claims().is_empty() && session.claims_by_move().is_empty());

    let mut session = from(&start_with_clock(99));
    let refusal = refused(&mut session, Command::claim());
    assert_eq!(
        refusal,
        Refusal::Claim(ClaimRefusal {
            rule: None,
            clock: 99,
            count: 1,
            open: None,
        })
    );
    assert_eq!(
        refusal.to_string(),
        "Draw cannot be claimed: the 50-move rule has not been triggered.\n\
         Draw cannot be claimed: the position has not occurred three times."
    );
    let only = Command::Claim {
        rule: Some(ClaimRule::Threefold),
        intended: None,
    };
    assert_eq!(
        refused(&mut session, only).to_string(),
        "Draw cannot be claimed: the position has not occurred three times."
    );
    assert_eq!(
        announced(&play(&mut session, "g1f3")),
        [ClaimRule::FiftyMoves]
    );
    assert_eq!(session.claims()[0].by, Color::Black);
    assert_eq!(session.claims()[0].since, 1);
    assert_eq!(
        announced(&play(&mut session, "g8f6")),
        [ClaimRule::FiftyMoves]
    );
    assert_eq!(session.claims()[0].since, 1);
    assert_eq!(announced(&play(&mut session, "e2e4")), []);

    let mut session = from(&start_with_clock(5));
    assert_eq!(announced(&play(&mut session, "g1f3")), []);
}

#[test]
fn mate_and_stalemate_come_before_every_draw() {
    for clock in [99, 149] {
        let mut session = from(&format!("k7/8/K7/8/8/8/8/Q7 w - - {clock} 90"));
        let events = play(&mut session, "a1h8");
        assert_eq!(
            events[1],
            Event::Ended(Outcome::Checkmate {
                winner: Color::White
            })
        );
        assert_eq!(events.len(), 2);
        let mut session = from(&format!("k7/8/2K5/8/8/8/8/1Q6 w - - {clock} 90"));
        assert_eq!(
            play(&mut session, "b1b6")[1],
            Event::Ended(Outcome::Stalemate)
        );
    }
    let mut session = automatic(position("k7/8/K7/8/8/8/8/Q7 w - - 99 90"));
    play(&mut session, "a1h8");
    assert_eq!(
        session.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    // An intended move that mates justifies no claim.
    let mut session = from("k7/8/K7/8/8/8/8/Q7 w - - 99 90");
    refused(&mut session, Command::claim_with("Qh8#"));
    assert!(
        session
            .claims_by_move()
            .iter()
            .all(|claim| claim.intended.is_some())
    );
}

#[test]
fn seventy_five_moves_end_the_game() {
    let mut session = from("4k3/8/8/8/8/8/8/R3K3 w - - 149 100");
    assert_eq!(session.outcome(), None);
    let events = play(&mut session, "a1a2");
    assert_eq!(events[1], Event::Ended(Outcome::SeventyFiveMoves));
    assert_eq!(
        from("4k3/8/8/8/8/8/8/R3K3 w - - 9999 100").outcome(),
        Some(Outcome::SeventyFiveMoves)
    );
    // The 75-move rule takes precedence over fivefold repetition.
    let mut session = from(&start_with_clock(134));
    play(&mut session, &knights(4));
    assert_eq!(session.outcome(), Some(Outcome::SeventyFiveMoves));
}

#[test]
fn repetition_counts_the_start() {
    let mut session = Session::default();
    for ply in 1..=16 {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][(ply - 1) % 4];
        let events = play(&mut session, text);
        match ply {
            8..=15 => assert_eq!(announced(&events), [ClaimRule::Threefold], "ply {ply}"),
            16 => assert_eq!(events[1], Event::Ended(Outcome::Fivefold)),
            _ => assert_eq!(announced(&events), [], "ply {ply}"),
        }
        if ply == 8 {
            let claims = session.claims();
            assert_eq!(
                claims[0].grounds,
                Grounds::Threefold {
                    plies: vec![0, 4, 8]
                }
            );
            assert_eq!((claims[0].since, claims[0].by), (8, Color::White));
        }
    }
    assert_eq!(session.repetitions(), 5);
}

#[test]
fn rights_make_a_position_another() {
    let mut session = Session::default();
    play(&mut session, "e2e4 e7e5");
    let cycle = ["e1e2", "e8e7", "e2e1", "e7e8"];
    for ply in 3..=20_u32 {
        let events = play(&mut session, cycle[(ply as usize - 3) % 4]);
        let three = session
            .claims()
            .iter()
            .any(|claim| claim.rule() == ClaimRule::Threefold);
        assert_eq!(three, (12..20).contains(&ply), "ply {ply}");
        assert_eq!(
            matches!(events.last(), Some(Event::Ended(Outcome::Fivefold))),
            ply == 20
        );
        if ply == 10 {
            assert_eq!(session.repetitions(), 2);
        }
        if ply == 14 {
            assert_eq!(session.repetitions(), 3);
        }
    }
}

#[test]
fn a_pinned_en_passant_pawn_makes_no_difference() {
    let mut session = from("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    let events = play(&mut session, "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7");
    assert_eq!(announced(&events), [ClaimRule::Threefold]);
}

#[test]
fn the_automatic_policy_ends_the_game_at_once() {
    let mut session = automatic(Position::start());
    let events = play(&mut session, &knights(2));
    let outcome = Outcome::Threefold(DrawBy::Policy);
    assert_eq!(events[1], Event::Ended(outcome));
    assert_eq!(outcome.to_string(), "Draw by threefold repetition.");
    let mut session = automatic(position(&start_with_clock(99)));
    assert!(session.claims_by_move().is_empty());
    assert_eq!(
        play(&mut session, "g1f3")[1],
        Event::Ended(Outcome::FiftyMoves(DrawBy::Policy))
    );
}

#[test]
fn the_policy_can_change_and_decides_anew() {
    let mut session = Session::default();
    play(&mut session, &knights(2));
    let outcome = Outcome::Threefold(DrawBy::Policy);
    let events = apply(&mut session, Command::SetPolicy(AUTOMATIC)).unwrap();
    assert_eq!(events, [Event::PolicyChanged, Event::Ended(outcome)]);
    assert_eq!(session.policy(), AUTOMATIC);
    let events = apply(&mut session, Command::SetPolicy(Policy::default())).unwrap();
    assert!(matches!(
        events[..],
        [Event::PolicyChanged, Event::ClaimAvailable(_)]
    ));
    let events = apply(&mut session, Command::SetPolicy(Policy::default())).unwrap();
    assert_eq!(events, [Event::PolicyChanged]);
}

#[test]
fn an_intended_move_can_justify_a_claim() {
    let mut session = Session::default();
    play(&mut session, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert!(session.claims().is_empty());
    let by_move = session.claims_by_move();
    assert_eq!(by_move.len(), 1);
    assert_eq!(
        by_move[0].grounds,
        Grounds::Threefold {
            plies: vec![0, 4, 8]
        }
    );
    assert_eq!(by_move[0].by, Color::Black);
    assert_eq!(
        session
            .position()
            .san(by_move[0].intended.unwrap())
            .to_string(),
        "Ng8"
    );

    let refusal = refused(&mut session, Command::claim_with("Nd5"));
    assert_eq!(
        refusal,
        Refusal::Claim(ClaimRefusal {
            rule: None,
            clock: 8,
            count: 1,
            open: None,
        })
    );
    refused(&mut session, Command::claim());
    assert!(matches!(
        refused(&mut session, Command::claim_with("Ke5")),
        Refusal::Move(_)
    ));
    let fifty = Command::Claim {
        rule: Some(ClaimRule::FiftyMoves),
        intended: Some(tabiya_game::MoveInput::Text("Ng8".into())),
    };
    refused(&mut session, fifty);
    let events = apply(&mut session, Command::claim_with("Ng8")).unwrap();
    assert_eq!(events[0], Event::DrawClaimed(by_move[0].clone()));
    // The move is not made: the claim is at the ply where it was made.
    assert_eq!(session.ply(), 7);
    assert_eq!(session.outcome(), Some(Outcome::Threefold(DrawBy::Claim)));

    let mut session = from(&start_with_clock(99));
    assert_eq!(session.claims_by_move().len(), 4);
    apply(&mut session, Command::claim_with("Nf3")).unwrap();
    assert_eq!(session.outcome(), Some(Outcome::FiftyMoves(DrawBy::Claim)));
}

/// The record says by which rule a draw was claimed, and with which move. Undoing the claim removes this.
#[test]
fn a_claim_is_written_into_the_record() {
    let text = |session: &Session| {
        tabiya_game::pgn::to_string(&session.publish(), tabiya_game::pgn::Format::Export)
    };
    let mut session = from(&start_with_clock(99));
    apply(&mut session, Command::claim_with("Nf3")).unwrap();
    assert!(
        text(&session).contains("[%claim fifty Nf3]"),
        "{}",
        text(&session)
    );
    assert_eq!(Session::restore(session.save()), session);
    apply(&mut session, Command::undo(1)).unwrap();
    assert!(!text(&session).contains("claim"), "{}", text(&session));
    apply(&mut session, Command::Redo(1)).unwrap();
    assert!(
        text(&session).contains("[%claim fifty Nf3]"),
        "{}",
        text(&session)
    );
    apply(&mut session, Command::undo(1)).unwrap();
    play(&mut session, "Nf3");
    assert!(!text(&session).contains("claim"), "{}", text(&session));
    apply(&mut session, Command::claim()).unwrap();
    assert!(
        text(&session).contains("Nf3 {[%claim fifty]}"),
        "{}",
        text(&session)
    );
}

/// An intended move that spoils a claim is distinguished from a claim without grounds.
#[test]
fn a_claim_that_a_move_spoils_says_how_to_claim() {
    let mut session = from("4k3/8/8/8/8/8/4P3/R3K3 w - - 100 90");
    let refusal = refused(&mut session, Command::claim_with("e3"));
    assert!(matches!(
        refusal,
        Refusal::Claim(ClaimRefusal {
            open: Some(ClaimRule::FiftyMoves),
            clock: 0,
            ..
        })
    ));
    assert_eq!(
        refusal.to_string(),
        "Draw cannot be claimed with that move, but the position on the board allows it: claim without a move."
    );
    apply(&mut session, Command::claim()).unwrap();
}

#[test]
fn fifty_moves_are_claimed_first_where_both_rules_are_open() {
    let mut session = from(&start_with_clock(96));
    play(&mut session, &knights(2));
    let rules: Vec<ClaimRule> = session.claims().iter().map(Claim::rule).collect();
    assert_eq!(rules, ClaimRule::ALL);
    assert_eq!(session.claims()[0].since, 4);
    let mut other = session.clone();
    apply(&mut session, Command::claim()).unwrap();
    assert_eq!(session.outcome(), Some(Outcome::FiftyMoves(DrawBy::Claim)));
    let threefold = Command::Claim {
        rule: Some(ClaimRule::Threefold),
        intended: None,
    };
    apply(&mut other, threefold).unwrap();
    assert_eq!(other.outcome(), Some(Outcome::Threefold(DrawBy::Claim)));
}

#[test]
fn insufficient_material_is_a_draw_and_the_rest_is_not() {
    for board in [
        "8/8/4k3/8/8/4K3/8/8",
        "8/8/4k3/8/8/4KB2/8/8",
        "8/8/4k3/8/8/4KN2/8/8",
        "2b5/8/4k3/8/8/4K3/8/5B2",
    ] {
        assert_eq!(
            from(&format!("{board} w - - 0 1")).outcome(),
            Some(Outcome::InsufficientMaterial)
        );
    }
    for board in [
        "5b2/8/4k3/8/8/4K3/8/5B2",
        "8/8/4k3/8/8/4KNN1/8/8",
        "8/8/4k3/5n2/8/4KB2/8/8",
    ] {
        assert_eq!(
            from(&format!("{board} w - - 0 1")).outcome(),
            None,
            "{board}"
        );
    }
    let mut session = from("8/8/4k3/8/8/4Kp2/8/8 w - - 0 1");
    assert_eq!(
        play(&mut session, "Kxf3")[1],
        Event::Ended(Outcome::InsufficientMaterial)
    );
}
