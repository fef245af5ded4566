//! Events, and what the record says.

use std::sync::{Arc, RwLock};

use tabiya_game::{
    Arrow, Command, Event, Glyph, MarkColor, NewGame, NodeId, Outcome, Policy, Record, Refusal,
    Session, SquareMark, TagError, Tags, pgn,
};
use tabiya_rules::{Color, Move, Position, Square};

use crate::common::{NOW, apply, play, position, refused, start_with_clock};

#[test]
fn a_session_can_be_shared_between_threads() {
    let session = Arc::new(RwLock::new(Session::default()));
    let other = Arc::clone(&session);
    let done = std::thread::spawn(move || play(&mut other.write().unwrap(), "e4").len()).join();
    assert_eq!(done.unwrap(), 1);
    assert_eq!(session.read().unwrap().ply(), 1);
}

#[test]
fn new_games_begin_as_asked() {
    let mut tags = Tags::new();
    tags.set("White", "Anna").unwrap();
    tags.set("TimeControl", "60").unwrap();
    let game = NewGame::default()
        .with_tags(tags)
        .with_start(position(&start_with_clock(100)));
    let mut session = Session::default();
    play(&mut session, "e4");
    let events = apply(&mut session, Command::NewGame(Box::new(game))).unwrap();
    assert!(matches!(
        events[..],
        [Event::NewGame, Event::ClaimAvailable(_)]
    ));
    assert_eq!(session.record().tags().get("White"), Some("Anna"));
    // A tag derived from the session cannot contradict it.
    assert_eq!(session.record().tags().get("TimeControl"), None);
    assert!(session.clocks().white.is_unlimited());

    let events = apply(
        &mut session,
        Command::LoadPosition(Box::new(Position::start())),
    )
    .unwrap();
    assert_eq!(events, [Event::PositionLoaded]);
    assert_eq!(session.record().tags().get("White"), Some("Anna"));
    assert_eq!(session.ply(), 0);
    assert_eq!(session.same_again().tags, *session.record().tags().stored());
    assert_eq!(session.policy(), Policy::default());
}

#[test]
fn a_loaded_game_stands_at_its_end() {
    let mut record = Record::new(Position::start());
    let mut at = NodeId::ROOT;
    for text in ["e4", "e5", "Nf3"] {
        let played = record.node(at).unwrap().position().parse_san(text).unwrap();
        at = record.add(at, played).unwrap();
    }
    let mut session = Session::default();
    let events = apply(&mut session, Command::LoadGame(Box::new(record.clone()))).unwrap();
    assert_eq!(events, [Event::GameLoaded]);
    assert_eq!(session.ply(), 3);
    record.set_result("1-0".parse().unwrap());
    let events = apply(&mut session, Command::LoadGame(Box::new(record))).unwrap();
    let outcome = Outcome::Recorded {
        winner: Some(Color::White),
    };
    assert_eq!(events, [Event::GameLoaded, Event::Ended(outcome)]);
    assert_eq!(outcome.to_string(), "The record ends here. White wins.");
}

#[test]
fn comments_and_glyphs_are_written_beside_moves() {
    let mut session = Session::default();
    play(&mut session, "e4 e5");
    let e4 = session.record().root().next().unwrap().id();
    let comment = |node, text: &str| Command::Comment {
        node,
        text: text.to_owned(),
    };
    let events = apply(&mut session, comment(None, " a  reply} [%clk 0:00:01]")).unwrap();
    let e5 = session.record().cursor().id();
    assert_eq!(events, [Event::Annotated { node: e5 }]);
    let text = session.record().cursor().annotation().comments[0].to_string();
    assert_eq!(text, "a reply) [ %clk 0:00:01]");
    apply(&mut session, comment(Some(NodeId::ROOT), "before all")).unwrap();
    apply(&mut session, comment(None, "")).unwrap();
    assert!(session.record().cursor().annotation().is_empty());
    assert_eq!(session.record().root().annotation().comments.len(), 1);

    let glyph = |node, glyph| Command::Glyph { node, glyph };
    apply(&mut session, glyph(Some(e4), Some(Glyph::GOOD))).unwrap();
    apply(&mut session, glyph(Some(e4), Some(Glyph(16)))).unwrap();
    apply(&mut session, glyph(Some(e4), Some(Glyph::BLUNDER))).unwrap();
    apply(&mut session, glyph(Some(e4), Some(Glyph(16)))).unwrap();
    let glyphs = |session: &Session| {
        session
            .record()
            .node(e4)
            .unwrap()
            .annotation()
            .glyphs
            .clone()
    };
    assert_eq!(glyphs(&session), [Glyph::BLUNDER, Glyph(16)]);
    apply(&mut session, glyph(Some(e4), None)).unwrap();
    assert_eq!(glyphs(&session), []);
}

#[test]
fn marked_squares_and_arrows_are_kept_with_their_move() {
    let mut session = Session::default();
    apply(&mut session, Command::play("e4")).unwrap();
    let e4 = session.record().cursor().id();
    let marks = |node, squares: &[SquareMark], arrows: &[Arrow]| Command::Marks {
        node,
        squares: squares.to_vec(),
        arrows: arrows.to_vec(),
    };
    let square = SquareMark {
        color: MarkColor::Red,
        square: Square::D5,
    };
    let arrow = Arrow {
        color: MarkColor::Green,
        from: Square::G1,
        to: Square::F3,
    };
    let events = apply(&mut session, marks(None, &[square], &[arrow])).unwrap();
    assert_eq!(events, [Event::Annotated { node: e4 }]);
    let text = pgn::to_string(&session.save(), pgn::Format::Export);
    assert!(
        text.contains("[%csl Rd5]") && text.contains("[%cal Gg1f3]"),
        "{text}"
    );
    apply(&mut session, marks(Some(e4), &[], &[])).unwrap();
    assert!(session.record().cursor().annotation().is_empty());
}

#[test]
fn what_an_engine_thinks_is_kept_with_its_move() {
    let mut session = Session::default();
    apply(&mut session, Command::play("e4")).unwrap();
    let e4 = session.record().cursor();
    let (id, after) = (e4.id(), *e4.position());
    let e5 = after.parse_uci("e7e5").unwrap();
    let nf3 = after.play(e5).unwrap().parse_uci("g1f3").unwrap();
    let evaluation = Some("0.31,12".parse().unwrap());
    let evaluate = |node, evaluation, best: &[Move]| Command::Evaluate {
        node,
        evaluation,
        best: best.to_vec(),
    };
    // What cannot be played after it is left out: the same move twice.
    let events = apply(&mut session, evaluate(None, evaluation, &[e5, nf3, nf3])).unwrap();
    assert_eq!(events, [Event::Annotated { node: id }]);
    let text = pgn::to_string(&session.save(), pgn::Format::Export);
    assert!(
        text.contains("[%eval 0.31,12]") && text.contains("[%best e7e5 g1f3]"),
        "{text}"
    );
    let again = pgn::games(text.as_bytes()).next().unwrap().record;
    let read = again.root().next().unwrap();
    assert_eq!(read.annotation().evaluation, evaluation);
    assert_eq!(read.best_line(), [e5, nf3]);
    // A comment of the user leaves it alone, and another judgment takes its place.
    apply(
        &mut session,
        Command::Comment {
            node: Some(id),
            text: "the usual".to_owned(),
        },
    )
    .unwrap();
    apply(&mut session, evaluate(Some(id), evaluation, &[e5])).unwrap();
    assert_eq!(session.record().cursor().best_line(), [e5]);
    apply(&mut session, evaluate(Some(id), None, &[])).unwrap();
    let annotation = session.record().cursor().annotation();
    assert_eq!(
        (annotation.evaluation, annotation.commands()),
        (None, &[][..])
    );
    assert_eq!(annotation.comments.len(), 1);
}

#[test]
fn tags_are_set_and_removed() {
    let mut session = Session::default();
    let tag = |name: &str, value: Option<&str>| Command::SetTag {
        name: name.into(),
        value: value.map(str::to_owned),
    };
    let events = apply(&mut session, tag("Annotator", Some("me"))).unwrap();
    assert_eq!(
        events,
        [Event::TagChanged {
            name: "Annotator".into()
        }]
    );
    assert_eq!(session.record().tags().get("Annotator"), Some("me"));
    apply(&mut session, tag("Annotator", None)).unwrap();
    assert!(session.record().tags().is_empty());
    for name in ["TimeControl", "Session", "Result", "FEN", "Termination"] {
        let refusal = refused(&mut session, tag(name, Some("x")));
        assert_eq!(refusal, Refusal::Tag(TagError::KeptByRecord(name.into())));
    }
    let refusal = refused(&mut session, tag("no good", Some("x")));
    assert_eq!(
        refusal.to_string(),
        "'no good' is no tag name: use letters, digits and underscores."
    );
}

#[test]
fn ticks_say_nothing() {
    let mut session = Session::default();
    assert_eq!(session.apply(Command::Tick, NOW).unwrap(), []);
}

#[test]
fn a_refused_text_is_shown_without_its_control_characters_and_otherwise_as_it_is() {
    let refusal = refused(&mut Session::default(), Command::play("it's\u{1b}[31m"));
    let shown = "Invalid move format 'it's\\u{1b}[31m'. Use coordinate notation, e.g. e2e4.";
    assert_eq!(refusal.to_string(), shown);
}
