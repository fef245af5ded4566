//! Everything a session accepts can be read back: its limits are those of the reader.

use tabiya_game::{Command, GoTo, MoveInput, NodeId, Refusal, Session, pgn};
use tabiya_rules::{Color, Move, Role, SplitMix64};

use crate::common::{apply, through_text};

/// Returns moves that can prolong a game: no captures, and a pawn move only when the half-move clock is high.
fn long_moves(session: &Session, random: &mut SplitMix64) -> Vec<Move> {
    let position = session.position();
    let is_pawn = |played: &Move| played.role() == Role::Pawn;
    let wants_pawn = position.halfmove_clock() > 100;
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.retain(|played| position.captured(*played).is_none());
    for at in (1..moves.len()).rev() {
        moves.swap(at, random.below(at + 1));
    }
    moves.sort_by_key(|played| is_pawn(played) != wants_pawn);
    moves
}

/// Plays two moves, one instead of the other, and stays at the second: one variation deeper than before.
fn deeper(session: &mut Session, random: &mut SplitMix64) -> Result<(), Refusal> {
    let here = session.record().cursor().id();
    let mut played = 0;
    for input in long_moves(session, random) {
        apply(session, Command::Play(MoveInput::Move(input)))?;
        let goes_on = session.outcome().is_none() && long_moves(session, random).len() > 5;
        played += 1;
        if played > 1 && goes_on {
            return Ok(());
        }
        apply(session, Command::GoTo(GoTo::Node(here)))?;
    }
    panic!("no way on from {}", session.position().fen());
}

/// Returns a game whose variations are nested as deeply as allowed.
fn deepest(random: &mut SplitMix64) -> Session {
    let mut session = Session::default();
    loop {
        match deeper(&mut session, random) {
            Ok(()) => {}
            Err(refusal) => {
                assert_eq!(refusal, Refusal::TooDeep);
                return session;
            }
        }
        assert!(session.record().depth() <= pgn::MAX_DEPTH);
    }
}

#[test]
fn variations_are_as_deep_as_they_can_be_read() {
    let random = &mut SplitMix64::new(17);
    let session = deepest(random);
    assert_eq!(session.record().depth(), pgn::MAX_DEPTH);
    through_text(&session);
}

#[test]
fn a_line_that_would_become_too_deep_stays_in_its_place() {
    // The deep variations are in the main line, and a single move is beside it.
    let random = &mut SplitMix64::new(17);
    let mut session = deepest(random);
    let root = session.record().root();
    let (shallow, deep) = (root.next().expect("one").id(), root.children().nth(1));
    let deep = deep.expect("two").id();
    apply(&mut session, Command::Promote(deep)).expect("one less deep");
    assert_eq!(session.record().depth(), pgn::MAX_DEPTH - 1);
    // One more inside reaches the limit again.
    let end = session.record().cursor().id();
    apply(&mut session, Command::GoTo(GoTo::Node(end))).expect("it is there");
    deeper(&mut session, random).expect("there is room for one");
    assert_eq!(session.record().depth(), pgn::MAX_DEPTH);
    let before = session.clone();
    let refused = apply(&mut session, Command::Promote(shallow));
    assert_eq!(refused, Err(Refusal::TooDeep));
    assert_eq!(session, before, "a refusal changes nothing");
    through_text(&session);
}

#[test]
fn texts_are_as_long_as_they_can_be_read() {
    let mut session = Session::default();
    apply(&mut session, Command::play("e4")).expect("legal");
    let comment = |length: usize| Command::Comment {
        node: None,
        text: "x".repeat(length),
    };
    let refused = apply(&mut session, comment(pgn::MAX_COMMENT_LENGTH + 1));
    let most = pgn::MAX_COMMENT_LENGTH;
    assert_eq!(refused, Err(Refusal::TextTooLong { most }));
    apply(&mut session, comment(pgn::MAX_COMMENT_LENGTH)).expect("it fits");
    through_text(&session);
    let tag = |length: usize| Command::SetTag {
        name: "Annotator".to_owned(),
        value: Some("\\".repeat(length)),
    };
    let refused = apply(&mut session, tag(pgn::MAX_TAG_LENGTH / 2));
    let most = pgn::MAX_TAG_LENGTH;
    assert_eq!(refused, Err(Refusal::TextTooLong { most }));
    apply(&mut session, tag(pgn::MAX_TAG_LENGTH / 2 - 10)).expect("it fits");
    through_text(&session);
    // All of them together.
    let random = &mut SplitMix64::new(17);
    let mut taken = 1;
    loop {
        let next = long_moves(&session, random).into_iter().next();
        let next = MoveInput::Move(next.expect("a move"));
        apply(&mut session, Command::Play(next)).expect("there is room for moves");
        match apply(&mut session, comment(pgn::MAX_COMMENT_LENGTH)) {
            Ok(_) => taken += 1,
            Err(refusal) => {
                assert_eq!(refusal, Refusal::RecordFull);
                break;
            }
        }
        assert!(taken < 20, "there is no end");
    }
    assert!(taken >= 6, "{taken}");
    through_text(&session);
}

#[test]
fn there_are_as_many_tags_as_can_be_read() {
    let mut session = Session::default();
    let refused = (0..2 * pgn::MAX_TAGS).find_map(|number| {
        let tag = Command::SetTag {
            name: format!("Tag{number}"),
            value: Some("x".to_owned()),
        };
        apply(&mut session, tag).err()
    });
    assert_eq!(refused, Some(Refusal::RecordFull));
    through_text(&session);
    assert!(session.record().node(NodeId::ROOT).is_some());
    assert_eq!(session.turn(), Color::White);
}
