//! Saving and restoring sessions, and loading games from elsewhere.

use tabiya_game::{
    Branching, Command, DeadPositions, DrawPolicy, Event, GameResult, Glyph, GoTo, NewGame, NodeId,
    Outcome, Policy, Record, Session, TimeControl, pgn,
};
use tabiya_rules::{ByColor, Color, Position};

use crate::common::{apply, at, knights, play, position, same, through_text, timed};

fn round_trip(session: &Session) -> Record {
    let saved = session.save();
    same(&Session::restore(saved.clone()), session);
    through_text(session);
    // Loading it into another session does the same.
    let mut other = timed("1");
    apply(&mut other, Command::LoadGame(Box::new(saved.clone()))).unwrap();
    same(&other, session);
    saved
}

#[test]
fn an_act_that_ends_the_game_after_an_undo_is_its_result() {
    let mut session = Session::default();
    play(&mut session, "e4 e5 Nf3");
    apply(&mut session, Command::undo(1)).unwrap();
    apply(&mut session, Command::Resign(Color::White)).unwrap();
    // Programs that read the saved file find the result too.
    assert_eq!(round_trip(&session).result(), GameResult::BlackWins);
    assert_eq!(session.publish().result(), GameResult::BlackWins);
    // Undoing that as well reopens the game.
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(round_trip(&session).result(), GameResult::Unknown);
    assert_eq!(session.publish().result(), GameResult::Unknown);
}

/// A game being played, after moves that were taken back: however it ends, other programs read its result, and what was
/// played as its main line.
#[test]
fn a_game_that_ends_after_an_undo_is_written_as_it_was_played() {
    let policy = Policy::new().with_branching(Branching::MainLine);
    let game = NewGame::default().with_policy(policy);
    let accept = [
        Command::OfferDraw(Color::White),
        Command::AcceptDraw(Color::Black),
    ];
    let resign = [Command::Resign(Color::White)];
    let flag = [Command::ForfeitOnTime(Color::White)];
    let cycle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    for (acts, result) in [
        (&accept[..], "1/2-1/2"),
        (&[Command::claim()], "1/2-1/2"),
        (&resign, "0-1"),
        (&flag, "0-1"),
    ] {
        let mut session = Session::new(game.clone());
        play(&mut session, &knights(2));
        play(&mut session, "e4 e5");
        apply(&mut session, Command::undo(2)).unwrap();
        for act in acts {
            apply(&mut session, act.clone()).unwrap();
        }
        let saved = round_trip(&session);
        assert_eq!(saved.result().as_str(), result);
        assert_eq!(saved.main_line_end().ply(), 8);
        let published = pgn::to_string(&session.publish(), pgn::Format::Export);
        let moves = published.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert!(moves.starts_with(cycle), "{moves}");
        let end = format!("(4... Ng8 5. e4 e5) {result} ");
        assert!(moves.ends_with(&end), "{moves}");
        // The game can still be reopened, and then goes on.
        apply(&mut session, Command::undo(1)).unwrap();
        assert_eq!(session.outcome(), None);
        play(&mut session, "e4");
        assert_eq!(round_trip(&session).main_line_end().ply(), 9);
    }

    // Without a move there is nothing to vary.
    let mut session = Session::new(game);
    play(&mut session, "e4 e5");
    apply(&mut session, Command::undo(2)).unwrap();
    apply(&mut session, Command::Resign(Color::White)).unwrap();
    let saved = round_trip(&session);
    assert_eq!(saved.result(), GameResult::BlackWins);
    assert!(saved.is_empty());
}

/// The same in a variation: the result is that of the game, and the main line has no end of its own.
#[test]
fn a_game_that_ends_in_a_variation_is_saved_with_its_result() {
    let mut session = Session::default();
    play(&mut session, "e4 e5 Nf3");
    apply(&mut session, Command::undo(1)).unwrap();
    play(&mut session, "Nc3");
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "c5");
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    assert_eq!(round_trip(&session).result(), GameResult::WhiteWins);
}

#[test]
fn a_plain_game_is_saved() {
    let mut session = Session::default();
    let saved = round_trip(&session);
    assert_eq!(saved.result(), GameResult::Unknown);
    assert_eq!(saved.tags().get("TimeControl"), Some("-"));
    assert_eq!(saved.tags().get("DrawPolicy"), Some("claim"));
    assert_eq!(saved.tags().get("Termination"), None);
    play(&mut session, "f3 e5 g4 Qh4#");
    let saved = round_trip(&session);
    assert_eq!(saved.result(), GameResult::BlackWins);
    assert_eq!(saved.tags().get("Termination"), Some("normal"));
    apply(&mut session, Command::undo(2)).unwrap();
    let saved = round_trip(&session);
    assert_eq!(saved.tags().get("Session"), Some("ply=2"));
    assert_eq!(saved.result(), GameResult::BlackWins);
}

#[test]
fn clocks_are_saved_to_the_nanosecond() {
    let mut session = timed("40/90+30:30d5");
    session
        .apply(Command::play("e4"), at(10.123_456_789))
        .unwrap();
    session.apply(Command::play("e5"), at(30.5)).unwrap();
    session.apply(Command::Tick, at(31.75)).unwrap();
    let saved = round_trip(&session);
    assert_eq!(saved.tags().get("TimeControl"), Some("40/5400+30:1800d5"));
    let restored = Session::restore(saved);
    assert_eq!(restored.clock(at(0.0)).left, session.clock(at(31.75)).left);
    session.apply(Command::Pause, at(40.0)).unwrap();
    round_trip(&session);

    let clocks = ByColor::new("5+3".parse().unwrap(), TimeControl::UNLIMITED);
    let session = Session::new(NewGame::default().with_clocks(clocks));
    let saved = round_trip(&session);
    assert_eq!(saved.tags().get("TimeControl"), None);
    assert_eq!(saved.tags().get("WhiteTimeControl"), Some("300+3"));
    assert_eq!(saved.tags().get("BlackTimeControl"), Some("-"));
}

#[test]
fn endings_are_saved_with_their_reason() {
    let ended = |commands: &[Command]| {
        let mut session = Session::default();
        play(&mut session, &knights(2));
        for command in commands {
            apply(&mut session, command.clone()).unwrap();
        }
        session
    };
    for (commands, result, termination) in [
        (vec![Command::claim()], "1/2-1/2", "normal"),
        (vec![Command::Resign(Color::White)], "0-1", "normal"),
        (
            vec![
                Command::OfferDraw(Color::White),
                Command::AcceptDraw(Color::Black),
            ],
            "1/2-1/2",
            "normal",
        ),
        (vec![Command::Abandon { winner: None }], "*", "abandoned"),
        (
            vec![Command::Abandon {
                winner: Some(Color::Black),
            }],
            "0-1",
            "abandoned",
        ),
        (
            vec![Command::Adjudicate { winner: None }],
            "1/2-1/2",
            "adjudication",
        ),
        (
            vec![Command::Adjudicate {
                winner: Some(Color::White),
            }],
            "1-0",
            "adjudication",
        ),
        (
            vec![Command::ForfeitOnTime(Color::White)],
            "0-1",
            "time forfeit",
        ),
        (
            vec![Command::ForfeitByRules(Color::White)],
            "0-1",
            "rules infraction",
        ),
    ] {
        let mut session = ended(&commands);
        let saved = round_trip(&session);
        assert_eq!(saved.result().as_str(), result);
        assert_eq!(saved.tags().get("Termination"), Some(termination));
        apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
        assert_eq!(round_trip(&session).result().as_str(), result);
        apply(&mut session, Command::GoTo(GoTo::End)).unwrap();
        apply(&mut session, Command::undo(1)).unwrap();
        let saved = round_trip(&session);
        assert_eq!(saved.result(), GameResult::Unknown);
        assert_eq!(saved.tags().get("Session"), Some("ply=8 open"));
    }
    let mut session = timed("1");
    session.apply(Command::Tick, at(61.0)).unwrap();
    assert_eq!(
        round_trip(&session).tags().get("Termination"),
        Some("time forfeit")
    );
    let start = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let mut session = Session::new(
        NewGame::default()
            .with_clock(&"1".parse().unwrap())
            .with_start(start),
    );
    session.apply(Command::Tick, at(0.0)).unwrap();
    session.apply(Command::Tick, at(61.0)).unwrap();
    assert_eq!(round_trip(&session).result(), GameResult::Draw);
}

#[test]
fn policy_offers_and_place_are_saved() {
    let policy = Policy::new()
        .with_draws(DrawPolicy::Automatic)
        .with_dead_positions(DeadPositions::End);
    let mut session = Session::new(NewGame::default().with_policy(policy));
    play(&mut session, "e4 e5 Nf3");
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "c5 Nf3 d6");
    apply(&mut session, Command::undo(2)).unwrap();
    play(&mut session, "Nc3 Nc6");
    apply(&mut session, Command::undo(1)).unwrap();
    apply(&mut session, Command::OfferDraw(Color::Black)).unwrap();
    apply(&mut session, Command::AskTakeback(Color::White)).unwrap();
    let saved = round_trip(&session);
    assert_eq!(
        saved.tags().get("Session"),
        Some("ply=3 line=2.1,3.1 offer=Black takeback=White.2")
    );
    apply(
        &mut session,
        Command::Comment {
            node: None,
            text: "here {we} go".into(),
        },
    )
    .unwrap();
    apply(
        &mut session,
        Command::Glyph {
            node: Some(NodeId::ROOT),
            glyph: Some(Glyph::GOOD),
        },
    )
    .unwrap();
    apply(
        &mut session,
        Command::SetTag {
            name: "White".into(),
            value: Some("Anna".into()),
        },
    )
    .unwrap();
    apply(&mut session, Command::Resign(Color::Black)).unwrap();
    let saved = round_trip(&session);
    assert_eq!(
        saved.tags().get("Session"),
        Some("ply=3 line=2.1,3.1 end=3")
    );
    assert_eq!(
        saved.result(),
        GameResult::WhiteWins,
        "although the main line goes on"
    );
    round_trip(&Session::restore(saved));

    let start = Position::chess960(17).unwrap();
    round_trip(&Session::new(NewGame::default().with_start(start)));
}

fn foreign(result: &str, tags: &[(&str, &str)]) -> Session {
    let mut record = Record::new(Position::start());
    let e4 = record.start().parse_san("e4").unwrap();
    record.add(NodeId::ROOT, e4).unwrap();
    record.set_result(result.parse().unwrap());
    for (name, value) in tags {
        record.tags_mut().set(name, value).unwrap();
    }
    Session::restore(record)
}

#[test]
fn games_from_elsewhere_are_understood() {
    let black = Color::Black;
    for (result, words, outcome) in [
        (
            "1-0",
            "Normal",
            Some(Outcome::Recorded {
                winner: Some(Color::White),
            }),
        ),
        ("1/2-1/2", "", Some(Outcome::Recorded { winner: None })),
        ("1-0", "Time forfeit", Some(Outcome::Time { loser: black })),
        (
            "1-0",
            "Anna won on time",
            Some(Outcome::Time { loser: black }),
        ),
        (
            "1/2-1/2",
            "Time forfeit",
            Some(Outcome::TimeWithoutMaterial { flagged: black }),
        ),
        (
            "0-1",
            "Bob won by resignation",
            Some(Outcome::Resignation {
                loser: Color::White,
            }),
        ),
        (
            "1/2-1/2",
            "Game drawn by agreement",
            Some(Outcome::Agreement),
        ),
        (
            "0-1",
            "Abandoned",
            Some(Outcome::Abandoned {
                winner: Some(black),
            }),
        ),
        ("*", "abandoned", Some(Outcome::Abandoned { winner: None })),
        (
            "1-0",
            "adjudication",
            Some(Outcome::Adjudicated {
                winner: Some(Color::White),
            }),
        ),
        ("*", "unterminated", None),
    ] {
        let session = foreign(result, &[("Termination", words)]);
        assert_eq!(session.outcome(), outcome, "{result} {words}");
        assert_eq!(session.ply(), 1);
        let saved = round_trip(&session);
        assert_eq!(saved.result().as_str(), result);
    }
    // A mate on the board needs no statement in the record.
    let mut record = Record::new(position("k7/8/K7/8/8/8/8/Q7 w - - 0 1"));
    let mate = record.start().parse_san("Qh8#").unwrap();
    record.add(NodeId::ROOT, mate).unwrap();
    record.set_result(GameResult::Draw);
    assert_eq!(
        Session::restore(record).outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
}

#[test]
fn clocks_from_elsewhere_wait() {
    let session = foreign("*", &[("TimeControl", "300+3"), ("White", "Anna")]);
    assert!(session.is_paused());
    assert_eq!(session.clocks().black, "5+3".parse().unwrap());
    assert_eq!(session.record().tags().get("White"), Some("Anna"));
    round_trip(&session);
    assert!(!foreign("1-0", &[("TimeControl", "300+3")]).is_paused());
    assert!(!foreign("*", &[]).is_paused());
    // What is not understood is kept.
    let session = foreign(
        "*",
        &[("TimeControl", "?"), ("WhiteTimeControl", "hourglass")],
    );
    assert!(session.clocks().white.is_unlimited());
    assert_eq!(session.record().tags().get("TimeControl"), Some("?"));
    assert_eq!(round_trip(&session).tags().get("TimeControl"), Some("?"));
    let session = foreign("*", &[("TimeControl", "?"), ("WhiteTimeControl", "60")]);
    assert_eq!(session.record().tags().get("TimeControl"), None);
    round_trip(&session);
}

#[test]
fn a_game_without_a_policy_takes_the_sessions() {
    let policy = Policy::new()
        .with_draws(DrawPolicy::Automatic)
        .with_dead_positions(DeadPositions::PlayOn);
    let mut session = Session::new(NewGame::default().with_policy(policy));
    let record = Record::new(Position::start());
    apply(&mut session, Command::LoadGame(Box::new(record))).unwrap();
    assert_eq!(session.policy(), policy);
}

/// Programs write the automatic policy in two ways.
#[test]
fn the_short_word_for_automatic_draws_is_read() {
    for word in ["automatic", "auto"] {
        let policy = foreign("*", &[("DrawPolicy", word)]).policy();
        assert_eq!(policy.draws, DrawPolicy::Automatic, "{word}");
    }
}

#[test]
fn nonsense_in_a_saved_game_is_left_out() {
    for place in [
        "ply=99999",
        "ply=-1 line=x,1.y,7 end=z",
        "end=0 ply=3",
        "end=1 open paused",
        "line=1.5 ply=1",
        "line=9.9,1.0",
        "offer=Green takeback=White takeback=x.1 takeback=White.y",
        "offer=White takeback=Black.77 open",
        "= == a=b\u{2028}",
    ] {
        let session = foreign(
            "1-0",
            &[
                ("DrawPolicy", "mine"),
                ("DeadPositions", "maybe"),
                ("Session", place),
            ],
        );
        assert_eq!(session.policy(), Policy::default());
        round_trip(&session);
    }
    let mut record = Record::new(Position::start());
    for argument in [
        "",
        "checkmate White",
        "resignation",
        "resignation none",
        "time Green",
        "abandoned",
        "threefold White",
    ] {
        record
            .annotation_mut(NodeId::ROOT)
            .unwrap()
            .add_command("ending", argument)
            .unwrap();
    }
    record
        .annotation_mut(NodeId::ROOT)
        .unwrap()
        .add_command("thinking", "hard")
        .unwrap();
    let session = Session::restore(record);
    assert_eq!(session.outcome(), None);
    assert_eq!(session.record().root().annotation().commands().len(), 8);
    round_trip(&session);
}

#[test]
fn a_restored_clock_goes_on_with_the_next_command() {
    let mut session = timed("5");
    session.apply(Command::Tick, at(10.0)).unwrap();
    let mut restored = Session::restore(session.save());
    assert_eq!(restored.apply(Command::Tick, at(5000.0)).unwrap(), []);
    assert_eq!(
        restored.clock(at(5001.0)).left.white,
        session.clock(at(11.0)).left.white
    );
    let events = restored.apply(Command::Tick, at(5290.0)).unwrap();
    assert_eq!(
        events[0],
        Event::FlagFell {
            color: Color::White
        }
    );
}

#[test]
fn what_is_published_says_nothing_that_only_sessions_understand() {
    let mut session = timed("5+3");
    session.apply(Command::play("e4"), at(1.234_567)).unwrap();
    session.apply(Command::Tick, at(2.5)).unwrap();
    let resign = Command::Resign(Color::Black);
    session.apply(resign, at(3.0)).unwrap();
    let published = session.publish();
    assert_eq!(published.result(), GameResult::WhiteWins);
    assert_eq!(published.tags().get("Termination"), Some("normal"));
    assert_eq!(published.tags().get("TimeControl"), Some("300+3"));
    assert_eq!(published.tags().get("Session"), None);
    assert_eq!(published.tags().get("DrawPolicy"), None);
    let text = pgn::to_string(&published, pgn::Format::Export);
    let moves = text.lines().last();
    assert_eq!(moves, Some("1. e4 {[%clk 0:05:01.7]} 1-0"), "{text}");
}
