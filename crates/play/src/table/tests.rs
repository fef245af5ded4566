//! What a table decides for all fronts.

use tabiya_game::{Command, MoveInput, Outcome as Ending, Session, TimeControl};

use super::*;
use crate::request::{GameRequest, NewGameRequest, Pending, StudyRequest, Target};
use crate::typed_move;

const NOW: Timestamp = Timestamp::ORIGIN;

fn table(display: Display, players: &str) -> Table {
    let (white, black) = players.split_once(' ').expect("two players");
    let spec = |text: &str| text.parse().expect("a player");
    let opponents = Opponents::new(ByColor::new(spec(white), spec(black)));
    let mut table = Table::new(NewGame::default(), display, opponents, SplitMix64::new(7));
    table.begin(NOW);
    table
}

fn game(table: &mut Table, request: GameRequest) -> Outcomes {
    table.handle(Request::Game(request), NOW)
}

fn play(table: &mut Table, moves: &str) {
    for text in moves.split_whitespace() {
        let outcomes = game(table, GameRequest::Play(MoveInput::Text(text.to_owned())));
        let done = outcomes
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Happened(_)));
        assert!(done, "{text}: {outcomes:?}");
    }
}

fn refused(outcomes: &[Outcome]) -> &TableRefusal {
    let found = outcomes.iter().find_map(|outcome| match outcome {
        Outcome::Refused(refused) => Some(refused),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing is refused: {outcomes:?}"))
}

/// Whatever position is viewed, resigning, offering and claiming are about the game as it stands.
#[test]
fn acts_concern_the_game_as_it_stands() {
    for display in [Display::Text, Display::Board] {
        for act in [
            GameRequest::Resign(None),
            GameRequest::Offer(None),
            GameRequest::CLAIM,
        ] {
            let mut table = table(display, "human human");
            play(&mut table, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
            let stands = table.session().record().cursor().id();
            game(&mut table, GameRequest::GoTo(Target::Start));
            assert_eq!(table.position(), table.session().record().start());
            game(&mut table, act.clone());
            let session = table.session();
            assert_eq!(session.record().cursor().id(), stands, "{act:?}");
            match act {
                GameRequest::Resign(_) => {
                    let loser = Color::White;
                    let ending = Ending::Resignation { loser };
                    assert_eq!(session.outcome(), Some(ending));
                }
                GameRequest::Offer(_) => assert_eq!(session.draw_offer(), Some(Color::White)),
                _ => assert!(session.outcome().is_some()),
            }
        }
    }
}

/// However a game ends after moves were taken back, it is saved with its result and with what was played.
#[test]
fn a_game_that_ends_after_a_takeback_is_saved_as_it_was_played() {
    for display in [Display::Text, Display::Board] {
        for (acts, result) in [
            (&[GameRequest::Resign(None)][..], "0-1"),
            (&[GameRequest::CLAIM], "1/2-1/2"),
            (
                &[GameRequest::Offer(None), GameRequest::Accept(None)],
                "1/2-1/2",
            ),
            (&[], "0-1"),
        ] {
            let mut table = table(display, "human human");
            let clock = Some("5+0".parse().expect("a clock"));
            let new = NewGameRequest {
                clock,
                ..NewGameRequest::default()
            };
            game(&mut table, GameRequest::New(Box::new(new)));
            play(&mut table, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5");
            game(&mut table, GameRequest::Undo(2));
            for act in acts {
                game(&mut table, act.clone());
            }
            table.tick(Timestamp::from_millis(300_000));
            let saved = table.session().save();
            assert_eq!(saved.result().as_str(), result, "{acts:?}");
            assert_eq!(saved.main_line_end().ply(), 8, "{acts:?}");
            let text = saved.to_string().replace('\n', " ");
            assert!(text.contains("(4... Ng8 {[%clk 0:05:00]} 5. e4"), "{text}");
        }
    }
}

/// A flag that falls while another position is being viewed ends the game where it stands.
#[test]
fn a_flag_falls_where_the_game_stands() {
    for display in [Display::Text, Display::Board] {
        let mut table = table(display, "human human");
        let clock = Some("5+0".parse().expect("a clock"));
        let new = NewGameRequest {
            clock,
            ..NewGameRequest::default()
        };
        game(&mut table, GameRequest::New(Box::new(new)));
        play(&mut table, "e4 e5 Nf3");
        game(&mut table, GameRequest::GoTo(Target::Start));
        table.tick(Timestamp::from_millis(300_000));
        let loser = Color::Black;
        assert_eq!(table.session().outcome(), Some(Ending::Time { loser }));
        let saved = table.session().save();
        assert_eq!(saved.result().as_str(), "1-0");
        assert_eq!(saved.main_line_end().ply(), 3);
    }
}

/// A move from an earlier position continues from there, and becomes the main line of a game being played.
#[test]
fn playing_from_an_earlier_place_branches() {
    let mut table = table(Display::Board, "human human");
    play(&mut table, "e4 e5 Nf3");
    let start = table.session().record().root().id();
    table.look_at(start, NOW);
    let outcomes = game(&mut table, GameRequest::Play(MoveInput::Text("d4".into())));
    let branched = outcomes
        .iter()
        .any(|outcome| matches!(outcome, Outcome::Happened(happened) if happened.branched));
    assert!(branched, "{outcomes:?}");
    let first = table.session().record().root().next().expect("a main line");
    assert_eq!(first.san().expect("a move").to_string(), "d4");
}

/// A review is a table without players: one can step through it and try moves, but never win or lose.
#[test]
fn a_review_is_only_looked_at() {
    let mut session = Session::default();
    for text in ["e4", "e5"] {
        session.apply(Command::play(text), NOW).expect("legal");
    }
    let mut table = Table::review(session.publish(), Display::Board, NOW);
    let outcomes = game(&mut table, GameRequest::Resign(None));
    assert_eq!(refused(&outcomes), &TableRefusal::OnlyReviewed);
    let start = table.session().record().root().id();
    table.look_at(start, NOW);
    play(&mut table, "d4");
    let first = table.session().record().root().next().expect("a main line");
    assert_eq!(first.san().expect("a move").to_string(), "e4");
    let outcomes = table.handle(Request::Study(StudyRequest::Retry), NOW);
    assert_eq!(refused(&outcomes), &TableRefusal::NotJudged);
}

/// Nobody moves or claims for an engine, and undo goes back to the person's turn.
#[test]
fn an_engine_has_its_side_to_itself() {
    let mut table = table(Display::Text, "human bot:1");
    play(&mut table, "e4");
    let thinking = table.opponents().thinking().is_some();
    assert!(thinking);
    for request in [
        GameRequest::Play(MoveInput::Text("e5".into())),
        GameRequest::CLAIM,
    ] {
        let outcomes = game(&mut table, request);
        assert!(
            matches!(refused(&outcomes), TableRefusal::EnginesTurn { .. }),
            "{outcomes:?}"
        );
    }
    game(&mut table, GameRequest::Undo(1));
    assert_eq!(table.session().ply(), 0);
    assert!(table.opponents().thinking().is_none());
}

/// If two questions are open, the answer must name one.
#[test]
fn two_questions_at_once_are_told_apart() {
    let mut table = table(Display::Text, "human human");
    play(&mut table, "e4 e5");
    let outcomes = game(&mut table, GameRequest::Accept(None));
    assert_eq!(refused(&outcomes), &TableRefusal::NothingToAnswer);
    game(&mut table, GameRequest::Offer(Some(Color::White)));
    game(&mut table, GameRequest::Takeback(Some(Color::White)));
    let outcomes = game(&mut table, GameRequest::Accept(None));
    assert_eq!(refused(&outcomes), &TableRefusal::TwoToAnswer);
    game(&mut table, GameRequest::Decline(Some(Pending::Takeback)));
    assert_eq!(table.session().takeback(), None);
    game(&mut table, GameRequest::Accept(None));
    assert_eq!(table.session().outcome(), Some(Ending::Agreement));
}

/// A new game has what is asked for, and otherwise the properties of the previous one.
#[test]
fn a_new_game_keeps_what_is_not_asked_for() {
    let mut table = table(Display::Text, "human bot:1");
    let asked = NewGameRequest {
        clock: Some("5+3".parse().expect("a clock")),
        side: Some(crate::request::Side::Of(Color::Black)),
        ..NewGameRequest::default()
    };
    let outcomes = game(&mut table, GameRequest::New(Box::new(asked)));
    assert!(outcomes.contains(&Outcome::TookSide(Color::Black)));
    assert_eq!(table.opponents().person(), Some(Color::Black));
    assert!(table.opponents().thinking().is_some());
    game(&mut table, GameRequest::Rematch);
    assert_eq!(table.opponents().person(), Some(Color::White));
    assert!(table.session().clock(NOW).left.white.is_some());
}

/// In a review on a board, undo and redo only step, and lose nothing.
#[test]
fn undo_walks_in_a_review() {
    let mut session = Session::default();
    for text in ["e4", "e5", "Nf3"] {
        session.apply(Command::play(text), NOW).expect("legal");
    }
    let mut table = Table::review(session.publish(), Display::Board, NOW);
    assert_eq!(table.session().ply(), 0);
    game(&mut table, GameRequest::Redo(5));
    assert_eq!(table.session().ply(), 3);
    game(&mut table, GameRequest::Undo(2));
    assert_eq!(table.session().ply(), 1);
    assert_eq!(table.session().record().len(), 4);
    table.walk(1, NOW);
    assert_eq!(table.session().ply(), 2);
}

/// Players who are seated before the game has begun are written into its tags, and its start stays.
#[test]
fn players_sit_down_at_a_game_that_is_laid_out() {
    let start = Position::chess960(96).expect("a start");
    let laid_out = NewGame::default().with_start(start);
    let opponents = Opponents::default();
    let mut table = Table::new(laid_out, Display::Board, opponents, SplitMix64::new(7));
    let bot = "bot:3".parse().expect("a player");
    table.seat_players(ByColor::new(PlayerSpec::Human, bot));
    let record = table.session().record();
    assert_eq!(*record.start(), start);
    assert_eq!(
        record.tags().get("Black"),
        table.opponents().name(Color::Black).as_deref()
    );
    assert_eq!(
        table.opponent_to_move(),
        None,
        "a person has the first move"
    );
    table.begin(NOW);
    play(&mut table, "e3");
    assert_eq!(
        table.opponent_to_move(),
        table.opponents().name(Color::Black)
    );
}

/// A player who stays away loses whatever position is viewed, and a finished game stays as it ended.
#[test]
fn an_abandoned_game_is_awarded_once() {
    let mut table = table(Display::Board, "human human");
    play(&mut table, "e4 e5");
    let start = table.session().record().root().id();
    table.look_at(start, NOW);
    table.abandon(Some(Color::White), NOW);
    let awarded = Ending::Abandoned {
        winner: Some(Color::White),
    };
    assert_eq!(table.session().outcome(), Some(awarded));
    let outcomes = table.abandon(Some(Color::Black), NOW);
    assert!(matches!(refused(&outcomes), TableRefusal::Game { .. }));
    assert_eq!(table.session().outcome(), Some(awarded));
}

fn text(text: &str) -> MoveInput {
    MoveInput::Text(text.to_owned())
}

/// The engine's answer to the running search.
fn engine_plays(table: &mut Table, uci: &str) -> Outcomes {
    let position = *table.session().position();
    let best = position.parse_uci(uci).expect("legal");
    // Searches are numbered, so that an old answer is never taken for a new one.
    let number = u64::from(table.session().ply() / 2 + 1);
    let reply = tabiya_uci::BestMove {
        best: Some(best),
        ponder: None,
    };
    let seat = Seat::Side(position.turn());
    table.handle_engine_event(seat, EngineEvent::Move(number, reply), NOW)
}

/// A move set while the engine thinks is played when its turn comes, if it is legal then.
#[test]
fn a_premove_waits_for_its_turn() {
    let mut table = table(Display::Text, "human bot:1");
    play(&mut table, "e4");
    let outcomes = game(&mut table, GameRequest::Premove(Some(text("Nf3"))));
    assert!(outcomes.contains(&Outcome::Premove(Some(text("Nf3")))));
    engine_plays(&mut table, "e7e5");
    assert_eq!(table.session().ply(), 3);
    assert_eq!(table.premove(), None);
    // Unreadable text is refused at once, and a move that is not legal when the turn comes is dropped.
    let outcomes = game(&mut table, GameRequest::Premove(Some(text("xyzzy"))));
    assert!(matches!(refused(&outcomes), TableRefusal::Game { .. }));
    game(&mut table, GameRequest::Premove(Some(text("Nxe5"))));
    game(&mut table, GameRequest::Premove(Some(text("a1a5"))));
    let outcomes = engine_plays(&mut table, "b8c6");
    let dropped = |outcome: &Outcome| matches!(outcome, Outcome::PremoveDropped(_));
    assert!(outcomes.iter().any(dropped), "{outcomes:?}");
    assert_eq!(table.session().ply(), 4);
    // On the player's own turn it is a move like any other, and without a premove none is removed.
    game(&mut table, GameRequest::Premove(Some(text("Bb5"))));
    assert_eq!(table.session().ply(), 5);
    let outcomes = game(&mut table, GameRequest::Premove(None));
    assert_eq!(refused(&outcomes), &TableRefusal::NoPremove);
    game(&mut table, GameRequest::Premove(Some(text("O-O"))));
    game(&mut table, GameRequest::Undo(1));
    assert_eq!(table.premove(), None);
}

/// A front may parse what is typed itself. The outcomes are the same, and the move is checked like any other.
#[test]
fn a_move_that_a_front_has_parsed_is_played_like_its_text() {
    let start = Position::from_fen("4k3/8/8/8/3n4/2p5/1P1B4/4K3 w - - 0 1").expect("a position");
    let parsed = typed_move::meant(&typed_move::candidates("bxc3", &start)).expect("a move");
    let outcomes = [
        GameRequest::Play(text("bxc3")),
        GameRequest::PlayParsed(parsed),
    ]
    .map(|play| {
        let random = SplitMix64::new(7);
        let opponents = Opponents::default();
        let mut table = Table::new(NewGame::new(start), Display::Board, opponents, random);
        table.begin(NOW);
        let outcomes = game(&mut table, play);
        assert!(matches!(
            outcomes[..],
            [Outcome::ReadAs { .. }, Outcome::Happened(_)]
        ));
        // The pawn is not there any more.
        let again = game(&mut table, GameRequest::PlayParsed(parsed));
        assert!(matches!(refused(&again), TableRefusal::Game { .. }));
        outcomes
    });
    assert_eq!(outcomes[0], outcomes[1]);
}

/// The only person may set a premove while the opponent is to move, and the current position is on the board.
#[test]
fn who_may_set_a_premove() {
    for (players, ply_0, ply_1) in [
        ("human bot:1", None, Some(Color::White)),
        ("bot:1 human", Some(Color::Black), None),
        ("human human", None, None),
        ("bot:1 bot:1", None, None),
    ] {
        for display in [Display::Text, Display::Board] {
            let mut table = table(display, players);
            assert_eq!(table.premover(), ply_0, "{players}");
            match players.starts_with("bot") {
                true => drop(engine_plays(&mut table, "e2e4")),
                false => play(&mut table, "e4"),
            }
            assert_eq!(table.premover(), ply_1, "{players}");
        }
    }
    for display in [Display::Text, Display::Board] {
        let mut table = table(display, "human bot:1");
        play(&mut table, "e4");
        engine_plays(&mut table, "e7e5");
        // It was the engine's turn there, but the game has gone on.
        game(&mut table, GameRequest::GoTo(Target::Step(-1)));
        assert_eq!(table.position().turn(), Color::Black);
        assert_eq!(table.premover(), None);
        game(&mut table, GameRequest::GoTo(Target::End));
        play(&mut table, "d4");
        assert_eq!(table.premover(), Some(Color::White));
        game(&mut table, GameRequest::Resign(None));
        assert_eq!(table.premover(), None);
    }
}

/// Only a move that would rewrite a game against an engine or a clock needs a confirmation.
#[test]
fn a_move_from_an_earlier_place_is_known_as_such() {
    for display in [Display::Text, Display::Board] {
        for clock in ["5+3", ""] {
            let mut table = table(display, "human human");
            let clock = Some(clock.parse().unwrap_or(TimeControl::UNLIMITED));
            let new = NewGameRequest {
                clock,
                ..NewGameRequest::default()
            };
            game(&mut table, GameRequest::New(Box::new(new.clone())));
            play(&mut table, "e4 e5 Nf3");
            let asks = |table: &Table, typed| table.would_take_back(&text(typed), NOW).is_some();
            assert!(!asks(&table, "Nc6"));
            game(&mut table, GameRequest::GoTo(Target::Start));
            let counts = new.clock != Some(TimeControl::UNLIMITED);
            assert_eq!(asks(&table, "d4"), counts, "{display:?} {new:?}");
            assert!(!asks(&table, "e4"), "it is the next move");
            assert!(!asks(&table, "e5"), "it is no move");
            // Whether it is asked about or not, both displays know that the game went on from there.
            let outcomes = game(&mut table, GameRequest::Play(text("d4")));
            let branched =
                |outcome: &Outcome| matches!(outcome, Outcome::Happened(done) if done.branched);
            assert!(outcomes.iter().any(branched), "{display:?}: {outcomes:?}");
        }
        let mut table = table(display, "human bot:1");
        play(&mut table, "e4");
        engine_plays(&mut table, "e7e5");
        game(&mut table, GameRequest::GoTo(Target::Start));
        assert!(table.would_take_back(&text("d4"), NOW).is_some());
    }
}

/// A move of the game is found by its number from a variation that is shorter.
#[test]
fn a_move_is_found_from_a_shorter_variation() {
    for display in [Display::Text, Display::Board] {
        let mut record = Record::new(Position::start());
        let root = record.root().id();
        for line in [&["e4", "e5", "Nf3", "Nc6", "Bb5"][..], &["d4", "d5"]] {
            record.add_line(root, line.iter().copied()).expect("legal");
        }
        let mut table = Table::review(record, display, NOW);
        play(&mut table, "d4 d5");
        let (number, by) = (3, Color::White);
        game(&mut table, GameRequest::GoTo(Target::Move { number, by }));
        assert_eq!(table.node().ply(), 5, "{display:?}");
        let outcomes = game(
            &mut table,
            GameRequest::GoTo(Target::Move { number: 9, by }),
        );
        assert_eq!(refused(&outcomes), &TableRefusal::NoSuchMove { plies: 5 });
    }
}

/// A missing engine is noticed before anything changes.
#[test]
fn a_new_opponent_is_named_in_the_game() {
    let mut table = table(Display::Board, "human bot:2");
    let named = |table: &Table| {
        let tags = table.session().record().tags();
        Color::ALL.map(|color| tags.get(color.name()).map(str::to_owned))
    };
    play(&mut table, "e4");
    for (spec, name) in [
        ("bot:5", Some("Bot 5 «Club»")),
        ("bot:2", Some("Bot 2 «Beginner»")),
        ("human", None),
    ] {
        let spec = spec.parse().expect("a player");
        let change = Request::Opponent(Some(Color::Black), spec);
        table.handle(change, Timestamp::ORIGIN);
        let found = named(&table);
        assert_eq!(found, [None, name.map(str::to_owned)]);
    }
}

#[test]
fn a_missing_engine_is_refused_before_the_game_begins() {
    let mut table = table(Display::Text, "human human");
    play(&mut table, "e4");
    let opponent: PlayerSpec = "uci:/no/such/engine".parse().expect("a player");
    let asked = NewGameRequest {
        opponent: Some(opponent.clone()),
        ..NewGameRequest::default()
    };
    let outcomes = game(&mut table, GameRequest::New(Box::new(asked)));
    assert!(matches!(refused(&outcomes), TableRefusal::Engine(_)));
    let seats = Request::Opponent(None, opponent);
    let outcomes = table.handle(seats, NOW);
    assert!(matches!(refused(&outcomes), TableRefusal::Engine(_)));
    assert_eq!(table.session().ply(), 1);
    assert!(!table.opponents().nobody_plays());
}

/// The clocks of a resumed game stay stopped until they are started.
#[test]
fn a_resumed_game_with_a_clock_is_paused() {
    let game = NewGame::default().with_clock(&"5+3".parse().expect("a clock"));
    let mut session = Session::new(game);
    session.apply(Command::play("e4"), NOW).expect("legal");
    let mut table = table(Display::Text, "human human");
    table.resume(
        session.save(),
        ByColor::default(),
        ResumedClocks::Stopped,
        NOW,
    );
    assert!(table.session().is_paused());
    let mut unlimited = Session::default();
    unlimited.apply(Command::play("e4"), NOW).expect("legal");
    table.resume(
        unlimited.save(),
        ByColor::default(),
        ResumedClocks::Stopped,
        NOW,
    );
    assert!(!table.session().is_paused());
    // Programs need no time to look.
    table.resume(
        session.save(),
        ByColor::default(),
        ResumedClocks::Running,
        NOW,
    );
    assert!(!table.session().is_paused());
}

/// The side that speaks is the side to move in the game, not in the position being viewed.
#[test]
fn whoever_looks_back_speaks_for_the_game_as_it_stands() {
    let mut table = table(Display::Text, "human human");
    play(&mut table, "e4 e5");
    let by = Color::White;
    game(
        &mut table,
        GameRequest::GoTo(Target::Move { number: 1, by }),
    );
    game(&mut table, GameRequest::Resign(None));
    let loser = Color::White;
    let ending = Ending::Resignation { loser };
    assert_eq!(table.session().outcome(), Some(ending));
}

mod remote;

/// The intended move of a claim is read as any typed move is.
#[test]
fn the_intended_move_of_a_claim_may_be_typed_in_any_form() {
    for typed in ["Ng8", "ng8", "f6-g8", "n-g8", "N f6 g8"] {
        let mut table = table(Display::Text, "human human");
        play(&mut table, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let (rule, intended) = (None, Some(typed.to_owned()));
        let outcomes = game(&mut table, GameRequest::Claim { rule, intended });
        assert!(table.session().outcome().is_some(), "{typed}: {outcomes:?}");
    }
}
