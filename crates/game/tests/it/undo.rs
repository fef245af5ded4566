//! Undo, redo, going to places, variations.

use tabiya_game::{
    Branching, Command, DrawBy, Event, Glyph, GoTo, NewGame, Node, NodeId, Outcome, Policy,
    Refusal, Session, Step, UndoTo,
};
use tabiya_rules::Color;

use crate::common::{apply, from, knights, play, refused, same, start_with_clock};

fn undo_to_turn(session: &mut Session, color: Color) -> Result<Vec<Event>, Refusal> {
    apply(session, Command::Undo(UndoTo::TurnOf(color)))
}

#[test]
fn undo_and_redo_give_the_same_position() {
    let mut session = Session::default();
    play(&mut session, "e2e4");
    let after = session.clone();
    let events = apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(
        events,
        [Event::Undone {
            plies: 1,
            reopened: None
        }]
    );
    assert_eq!(
        session.position().fen(),
        Session::default().position().fen()
    );
    assert_eq!(
        apply(&mut session, Command::Redo(1)).unwrap(),
        [Event::Redone { plies: 1 }]
    );
    same(&session, &after);
    assert_eq!(
        refused(&mut session, Command::Redo(1)),
        Refusal::NothingToRedo
    );
    assert_eq!(
        refused(&mut session, Command::Redo(0)),
        Refusal::NothingToRedo
    );
    assert_eq!(
        refused(&mut session, Command::undo(0)),
        Refusal::NothingToUndo
    );
    apply(&mut session, Command::undo(u32::MAX)).unwrap();
    assert_eq!(
        refused(&mut session, Command::undo(1)).to_string(),
        "Nothing to undo."
    );
}

#[test]
fn claims_follow_the_cursor() {
    let mut session = from(&start_with_clock(99));
    play(&mut session, "g1f3");
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(session.position().halfmove_clock(), 99);
    assert!(session.claims().is_empty());
    let events = apply(&mut session, Command::Redo(1)).unwrap();
    assert!(matches!(
        events[..],
        [Event::Redone { plies: 1 }, Event::ClaimAvailable(_)]
    ));

    // Repetition counts only positions on the way to the cursor.
    let mut session = Session::default();
    play(&mut session, &knights(1));
    apply(&mut session, Command::undo(4)).unwrap();
    play(&mut session, "b1c3 b8c6 c3b1 c6b8");
    assert_eq!(session.repetitions(), 2);
    play(&mut session, &knights(1));
    assert_eq!(session.repetitions(), 3);
    apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
    assert_eq!(session.repetitions(), 1);
}

#[test]
fn undo_reopens_however_the_game_ended() {
    let mut session = Session::default();
    play(&mut session, "f2f3 e7e5 g2g4 d8h4");
    let ended = session.clone();
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(session.outcome(), None);
    let events = apply(&mut session, Command::Redo(1)).unwrap();
    assert!(matches!(
        events[..],
        [
            Event::Redone { .. },
            Event::Ended(Outcome::Checkmate { .. })
        ]
    ));
    same(&session, &ended);

    // A claim is a step of its own: after undoing it, the claim is available again.
    let mut session = Session::default();
    play(&mut session, &knights(2));
    apply(&mut session, Command::claim()).unwrap();
    let ended = session.clone();
    let claimed = Outcome::Threefold(DrawBy::Claim);
    let events = apply(&mut session, Command::undo(1)).unwrap();
    assert!(matches!(&events[..],
        [Event::Undone { plies: 0, reopened: Some(outcome) }, Event::ClaimAvailable(_)] if *outcome == claimed));
    assert_eq!((session.ply(), session.claims().len()), (8, 1));
    assert_eq!(
        apply(&mut session, Command::Redo(1)).unwrap(),
        [Event::Redone { plies: 0 }, Event::Ended(claimed)]
    );
    same(&session, &ended);
    assert_eq!(
        refused(&mut session, Command::Redo(1)),
        Refusal::NothingToRedo
    );
    apply(&mut session, Command::undo(9)).unwrap();
    assert_eq!(session.ply(), 0);
    apply(&mut session, Command::Redo(8)).unwrap();
    assert_eq!(session.outcome(), None);
    apply(&mut session, Command::Redo(1)).unwrap();
    same(&session, &ended);

    for (end, outcome) in [
        (
            Command::Resign(Color::Black),
            Outcome::Resignation {
                loser: Color::Black,
            },
        ),
        (
            Command::Abandon { winner: None },
            Outcome::Abandoned { winner: None },
        ),
        (
            Command::Adjudicate {
                winner: Some(Color::White),
            },
            Outcome::Adjudicated {
                winner: Some(Color::White),
            },
        ),
    ] {
        let mut session = Session::default();
        play(&mut session, "e2e4");
        apply(&mut session, end).unwrap();
        assert_eq!(session.outcome(), Some(outcome));
        assert_eq!(
            refused(&mut session, Command::play("e7e5")),
            Refusal::GameOver(outcome)
        );
        apply(&mut session, Command::undo(1)).unwrap();
        assert_eq!((session.outcome(), session.ply()), (None, 1));
        play(&mut session, "e7e5");
        // Playing on discards the ending.
        apply(&mut session, Command::undo(1)).unwrap();
        assert_eq!(
            apply(&mut session, Command::Redo(2)).unwrap(),
            [Event::Redone { plies: 1 }]
        );
        assert_eq!(session.outcome(), None);
    }
}

#[test]
fn an_ending_in_the_middle_of_a_record_ends_the_line() {
    let mut session = Session::default();
    play(&mut session, "e2e4 e7e5 g1f3");
    apply(&mut session, Command::undo(2)).unwrap();
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    let ended = session.clone();
    assert_eq!(
        refused(&mut session, Command::Redo(1)),
        Refusal::NothingToRedo
    );
    apply(&mut session, Command::undo(2)).unwrap();
    apply(&mut session, Command::Redo(2)).unwrap();
    same(&session, &ended);
    same(&Session::restore(session.save()), &session);
    // The moves after it are still there.
    let e5 = session.record().cursor().next().unwrap().id();
    let events = apply(&mut session, Command::GoTo(GoTo::Node(e5))).unwrap();
    assert_eq!(events, [Event::WentTo { node: e5, ply: 2 }]);
    assert_eq!(session.outcome(), None);
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(session.outcome(), None);
    apply(&mut session, Command::Redo(1)).unwrap();
    assert_eq!(session.record().cursor().id(), e5);
    same(&Session::restore(session.save()), &session);
}

#[test]
fn a_new_move_after_undo_starts_a_variation() {
    let mut session = Session::default();
    play(&mut session, "e2e4 e7e5 g1f3");
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "c7c5 b1c3");
    let e4 = session.record().root().next().unwrap();
    assert_eq!(e4.children().count(), 2);
    assert_eq!(session.record().len(), 6);
    assert!(!session.record().cursor().is_on_main_line());
    // Going back and forth stays in the variation.
    apply(&mut session, Command::undo(3)).unwrap();
    apply(&mut session, Command::Redo(3)).unwrap();
    assert_eq!(
        session.position().fen(),
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2"
    );
    // The same move again creates no second branch.
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "e7e5");
    assert_eq!(session.record().len(), 6);
    apply(&mut session, Command::GoTo(GoTo::End)).unwrap();
    assert_eq!(session.ply(), 3);
    let refusal = refused(&mut session, Command::GoTo(GoTo::Ply(4)));
    assert_eq!(
        refusal.to_string(),
        "There is no ply 4: the line ends at ply 3."
    );
    apply(&mut session, Command::GoTo(GoTo::Ply(1))).unwrap();
    assert_eq!(session.turn(), Color::Black);
}

#[test]
fn going_to_an_end_is_going_behind_it() {
    let mut session = Session::default();
    play(&mut session, "e2e4");
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    let resigned = session.clone();
    apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
    assert_eq!(session.outcome(), None);
    play(&mut session, "d2d4");
    let e4 = session.record().root().next().unwrap().id();
    let events = apply(&mut session, Command::GoTo(GoTo::Node(e4))).unwrap();
    assert_eq!(
        events[1],
        Event::Ended(Outcome::Resignation {
            loser: Color::Black
        })
    );
    assert_eq!(session.outcome(), resigned.outcome());
    let mut session = resigned;
    apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
    apply(&mut session, Command::GoTo(GoTo::End)).unwrap();
    assert!(session.outcome().is_some());
}

#[test]
fn undo_against_a_bot_goes_to_the_humans_last_turn() {
    let mut session = Session::default();
    assert_eq!(
        undo_to_turn(&mut session, Color::White),
        Err(Refusal::NothingToUndo)
    );
    play(&mut session, "e2e4 e7e5");
    undo_to_turn(&mut session, Color::White).unwrap();
    assert_eq!(session.ply(), 0);
    apply(&mut session, Command::Redo(2)).unwrap();
    play(&mut session, "g1f3");
    // While the bot thinks, only the human's move is undone.
    undo_to_turn(&mut session, Color::White).unwrap();
    assert_eq!(session.ply(), 2);
    // The human plays Black: the bot's first move cannot be undone.
    let mut session = Session::default();
    play(&mut session, "e2e4");
    assert_eq!(
        undo_to_turn(&mut session, Color::Black),
        Err(Refusal::NothingToUndo)
    );
    play(&mut session, "e7e5");
    undo_to_turn(&mut session, Color::Black).unwrap();
    assert_eq!(session.ply(), 1);
    // Endings by an act are undone first.
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    undo_to_turn(&mut session, Color::Black).unwrap();
    assert_eq!((session.ply(), session.outcome()), (1, None));
    apply(&mut session, Command::Resign(Color::White)).unwrap();
    undo_to_turn(&mut session, Color::White).unwrap();
    assert_eq!((session.ply(), session.outcome()), (0, None));
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    undo_to_turn(&mut session, Color::Black).unwrap();
    assert_eq!((session.ply(), session.outcome()), (0, None));
}

#[test]
fn variations_are_promoted_demoted_and_deleted() {
    let mut session = Session::default();
    play(&mut session, "e2e4 e7e5");
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "d2d4");
    apply(&mut session, Command::undo(1)).unwrap();
    play(&mut session, "c2c4 c7c5");
    let order = |session: &Session| -> Vec<String> {
        let start = session.record().start();
        let children = session.record().root().children();
        let san = |step| match step {
            Some(Step::Move(played)) => start.san(played).to_string(),
            _ => String::new(),
        };
        children.map(|node| san(node.step())).collect()
    };
    assert_eq!(order(&session), ["e4", "d4", "c4"]);
    let c4 = session.record().root().children().last().unwrap().id();
    let c5 = session.record().cursor().id();
    let e4 = session.record().root().next().unwrap().id();
    assert_eq!(
        apply(&mut session, Command::Promote(c4)).unwrap(),
        [Event::VariationMoved { node: c4 }]
    );
    assert_eq!(order(&session), ["e4", "c4", "d4"]);
    assert_eq!(session.record().cursor().id(), c5);
    apply(&mut session, Command::Demote(e4)).unwrap();
    assert_eq!(order(&session), ["c4", "e4", "d4"]);
    assert_eq!(
        refused(&mut session, Command::Promote(c4)),
        Refusal::NoOtherPlace
    );
    let d4 = session.record().root().children().last().unwrap().id();
    assert_eq!(
        refused(&mut session, Command::Demote(d4)),
        Refusal::NoOtherPlace
    );
    let e5 = session.record().node(e4).unwrap().next().unwrap().id();
    apply(&mut session, Command::PromoteToMainLine(e5)).unwrap();
    assert_eq!(order(&session), ["e4", "c4", "d4"]);
    assert_eq!(
        refused(&mut session, Command::PromoteToMainLine(e5)),
        Refusal::NoOtherPlace
    );

    // Deleting another branch leaves the cursor alone; deleting its own takes it to the parent.
    let events = apply(&mut session, Command::Delete(d4)).unwrap();
    assert_eq!(
        events,
        [Event::VariationDeleted {
            parent: NodeId::ROOT
        }]
    );
    let events = apply(&mut session, Command::Delete(c4)).unwrap();
    assert_eq!(
        events,
        [
            Event::VariationDeleted {
                parent: NodeId::ROOT
            },
            Event::WentTo {
                node: NodeId::ROOT,
                ply: 0
            }
        ]
    );
    assert_eq!(order(&session), ["e4"]);
    apply(&mut session, Command::Redo(2)).unwrap();
    assert_eq!(session.record().cursor().id(), e5);
    assert_eq!(
        refused(&mut session, Command::Delete(c4)),
        Refusal::NoSuchMove
    );
    assert_eq!(
        refused(&mut session, Command::GoTo(GoTo::Node(c5))),
        Refusal::NoSuchMove
    );
    assert_eq!(
        refused(&mut session, Command::Delete(NodeId::ROOT)),
        Refusal::StartStays
    );
    let glyph = Command::Glyph {
        node: Some(d4),
        glyph: Some(Glyph::GOOD),
    };
    assert_eq!(refused(&mut session, glyph), Refusal::NoSuchMove);
}

#[test]
fn deleting_where_the_game_ended_reopens_it() {
    let mut session = Session::default();
    play(&mut session, "e2e4");
    let e4 = session.record().cursor().id();
    apply(&mut session, Command::Resign(Color::White)).unwrap();
    apply(&mut session, Command::Delete(e4)).unwrap();
    assert_eq!((session.outcome(), session.ply()), (None, 0));
    same(&Session::restore(session.save()), &session);
}

#[test]
fn long_games_walk_fast() {
    // Under the Laws, 100,000 plies would end in fivefold repetition; a loaded record may be that long.
    let mut record = tabiya_game::Record::new(tabiya_rules::Position::start());
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut at = NodeId::ROOT;
    for ply in 0..100_000 {
        let position = record.node(at).unwrap().position();
        let played = position.parse_uci(cycle[ply % 4]).unwrap();
        at = record.add(at, played).unwrap();
    }
    let mut session = Session::default();
    apply(&mut session, Command::LoadGame(Box::new(record))).unwrap();
    assert_eq!(session.ply(), 100_000);
    assert_eq!(session.repetitions(), 25_001);
    for _ in 0..100_000 {
        apply(&mut session, Command::undo(1)).unwrap();
    }
    for _ in 0..100_000 {
        apply(&mut session, Command::Redo(1)).unwrap();
    }
    assert_eq!(session.outcome(), Some(Outcome::SeventyFiveMoves));
    for ply in [0, 99_999, 5, 50_000] {
        apply(&mut session, Command::GoTo(GoTo::Ply(ply))).unwrap();
        assert_eq!(session.repetitions(), ply / 4 + 1);
    }
    same(&Session::restore(session.save()), &session);
}

/// Under this policy, played moves become the main line, and undone moves stay as variations; a move that is only
/// tried out is a variation.
#[test]
fn what_is_played_becomes_the_main_line_by_policy() {
    for (branching, main) in [(Branching::MainLine, "d4"), (Branching::Variation, "e4")] {
        let mut session =
            Session::new(NewGame::default().with_policy(Policy::new().with_branching(branching)));
        play(&mut session, "e4 e5");
        apply(&mut session, Command::undo(2)).unwrap();
        let events = apply(&mut session, Command::play("d4")).unwrap();
        assert!(matches!(events[..], [Event::Moved(_)]), "{events:?}");
        let first = session.record().root().next().and_then(Node::san);
        assert_eq!(first.unwrap().to_string(), main);
        assert_eq!(session.record().root().children().count(), 2);
    }
}
