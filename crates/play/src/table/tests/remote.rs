//! A game on a server.

use std::time::Duration;

use tabiya_game::{ClockFace, Command, Event, MoveInput, NewGame, Outcome as Ending, Timestamp};
use tabiya_rules::{ByColor, Color, SplitMix64};

use crate::opponents::Opponents;
use crate::outcome::{Outcome, Outcomes, TableRefusal};
use crate::players::PlayerSpec;
use crate::remote::{Joined, Presence, RemoteState, ServerEvent, ServerNews};
use crate::request::{GameRequest, Question, Request, ServerRequest};
use crate::table::{Display, Table};

fn state(moves: &[&str]) -> RemoteState {
    RemoteState {
        moves: moves
            .iter()
            .map(|text| text.parse().expect("a move"))
            .collect(),
        ply: moves.len() as u32,
        offer: None,
        takeback: None,
        outcome: None,
        paused: false,
        begun: true,
        clock: ClockFace {
            left: ByColor::new(
                Some(Duration::from_secs(100)),
                Some(Duration::from_secs(50)),
            ),
            running: None,
            delay: Duration::ZERO,
        },
    }
}

fn table(state: RemoteState) -> Table {
    joined(state, PlayerSpec::Human)
}

/// A table that has joined a game in which Bob plays Black elsewhere.
fn joined(state: RemoteState, white: PlayerSpec) -> Table {
    let mut table = Table::new(
        NewGame::default(),
        Display::Board,
        Opponents::default(),
        SplitMix64::new(1),
    );
    let control = "5+3".parse().expect("a control");
    let joined = Joined {
        between_people: true,
        game: NewGame::default().with_clock(&control),
        players: ByColor::new(white, PlayerSpec::Remote("Bob".to_owned())),
        state,
        presence: ByColor::default(),
    };
    table.join(joined, at(1000));
    table
}

fn at(milliseconds: u64) -> Timestamp {
    Timestamp::from_millis(milliseconds)
}

fn stands(table: &mut Table, state: RemoteState, now: u64) -> Outcomes {
    table.handle_server_event(ServerEvent::State(Box::new(state)), at(now))
}

/// A game that came from elsewhere may have gone on where a rule ends it. It stands here as it does on the server.
#[test]
fn a_game_that_went_on_after_a_fivefold_repetition_goes_on_here_too() {
    let mut moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4);
    moves.extend(["e2e4", "e7e5", "d2d4"]);
    let mut table = table(state(&moves));
    assert!(!table.is_shut_out());
    assert_eq!(
        (table.session().ply(), table.session().outcome()),
        (19, None)
    );
    // It is followed as any other, and a game that ended so is over.
    moves.push("e5d4");
    let outcomes = stands(&mut table, state(&moves), 2000);
    assert!(matches!(outcomes[0], Outcome::Happened(_)), "{outcomes:?}");
    assert_eq!(table.session().ply(), 20);
    let mut repeated = state(&["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4));
    repeated.outcome = Some(Ending::Fivefold);
    let table = self::table(repeated);
    assert_eq!(table.session().outcome(), Some(Ending::Fivefold));
    // No move follows mate.
    let mated = ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"];
    assert!(self::table(state(&mated)).is_shut_out());
}

/// The delay is known from the first ping that says it until the connection is lost, and is no answer to a request.
#[test]
fn the_delay_to_the_server_is_known_while_it_is_connected() {
    let mut table = table(state(&[]));
    assert_eq!(table.lag(), None);
    let play = GameRequest::Play(MoveInput::Text("e4".to_owned()));
    table.handle(play.into(), at(2000));
    let lag = Duration::from_millis(42);
    let outcomes = table.handle_server_event(ServerEvent::Lag(lag), at(2100));
    assert_eq!(outcomes, []);
    assert_eq!((table.lag(), table.awaits_server()), (Some(lag), true));
    table.handle_server_event(ServerEvent::Lost, at(2200));
    assert_eq!(table.lag(), None);
}

#[test]
fn a_watcher_neither_moves_nor_claims() {
    let mut table = joined(state(&["e2e4"]), PlayerSpec::Remote("Ann".to_owned()));
    let play = GameRequest::Play(MoveInput::Text("e5".to_owned()));
    assert_eq!(
        table.handle(play.into(), at(2000)),
        [Outcome::Refused(TableRefusal::Watching)]
    );
    for (seconds, told) in [(90, true), (0, false)] {
        let away = Presence::Away {
            claim_in: Some(Duration::from_secs(seconds)),
        };
        let presence = ServerEvent::Presence(ByColor::new(Presence::Here, away));
        let news = Outcome::ServerNews(ServerNews::Away {
            side: Color::Black,
            claim_in: None,
        });
        let told = Vec::from_iter(told.then_some(news));
        assert_eq!(table.handle_server_event(presence, at(3000)), told);
    }
}

fn sent(outcomes: &Outcomes) -> Vec<&ServerRequest> {
    let sent = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Server(request) => Some(request),
        _ => None,
    });
    sent.collect()
}

#[test]
fn clocks_show_what_the_server_tells_and_run_from_there() {
    let mut table = table(state(&["e2e4", "e7e5"]));
    let face = table.session().clock(at(3000));
    assert_eq!(face.left.white, Some(Duration::from_secs(98)));
    assert_eq!(face.left.black, Some(Duration::from_secs(50)));
    assert_eq!(face.running, Some(Color::White));
    // No flag falls here.
    assert!(table.tick(at(10_000_000)).is_empty());
    assert_eq!(table.next_deadline(at(10_000_000)), None);
    let mut later = state(&["e2e4", "e7e5", "g1f3"]);
    later.clock.left.white = Some(Duration::from_secs(70));
    stands(&mut table, later, 20_000_000);
    assert!(table.session().outcome().is_none());
    let face = table.session().clock(at(20_001_000));
    assert_eq!(face.left.white, Some(Duration::from_secs(70)));
    assert_eq!(face.left.black, Some(Duration::from_secs(49)));
}

#[test]
fn moves_are_sent_and_happen_when_the_server_says_so() {
    let mut table = table(state(&[]));
    let face = table.session().clock(at(1000));
    assert_eq!(face.left.white, Some(Duration::from_secs(100)));
    let outcomes = table.handle(
        GameRequest::Play(MoveInput::Text("e4".to_owned())).into(),
        at(2000),
    );
    let command = Command::Play(MoveInput::Text("e2e4".to_owned()));
    assert_eq!(sent(&outcomes), [&ServerRequest::Command(command)]);
    assert_eq!(table.session().ply(), 0, "nothing has happened yet");
    assert!(table.awaits_server());
    stands(&mut table, state(&["e2e4"]), 2100);
    assert_eq!(table.session().ply(), 1);
    assert!(!table.awaits_server());
    let outcomes = table.handle(
        GameRequest::Play(MoveInput::Text("e5".to_owned())).into(),
        at(2200),
    );
    assert!(sent(&outcomes).is_empty(), "Bob plays Black");
    // A premove is sent when its turn comes.
    let waits = GameRequest::Premove(Some(MoveInput::Text("Nf3".to_owned())));
    table.handle(waits.into(), at(2300));
    let outcomes = stands(&mut table, state(&["e2e4", "e7e5"]), 2400);
    let command = Command::Play(MoveInput::Text("g1f3".to_owned()));
    assert_eq!(sent(&outcomes), [&ServerRequest::Command(command)]);
}

/// A player may type the next move before the server has answered the last one.
#[test]
fn a_move_typed_before_the_answer_is_a_premove() {
    let play = |text: &str| GameRequest::Play(MoveInput::Text(text.to_owned())).into();
    let mut table = table(state(&[]));
    assert_eq!(sent(&table.handle(play("e4"), at(2000))).len(), 1);
    let waits = MoveInput::Text("Nf3".to_owned());
    let outcomes = table.handle(play("Nf3"), at(2010));
    assert_eq!(outcomes, [Outcome::Premove(Some(waits))]);
    assert!(sent(&stands(&mut table, state(&["e2e4"]), 2100)).is_empty());
    let outcomes = stands(&mut table, state(&["e2e4", "e7e5"]), 2400);
    let command = Command::Play(MoveInput::Text("g1f3".to_owned()));
    assert_eq!(sent(&outcomes), [&ServerRequest::Command(command)]);
    // Without the first move, the second one means nothing.
    table.handle(play("Bc4"), at(2500));
    let refused = table.handle_server_event(ServerEvent::Refused(Vec::new()), at(2600));
    assert!(refused.contains(&Outcome::Premove(None)), "{refused:?}");
    assert_eq!(sent(&table.handle(play("Nf3"), at(2700))).len(), 1);
    // After a takeback the same move is sent again.
    stands(&mut table, state(&["e2e4", "e7e5", "g1f3"]), 2800);
    stands(&mut table, state(&["e2e4", "e7e5"]), 2900);
    assert_eq!(sent(&table.handle(play("Nf3"), at(3000))).len(), 1);
}

#[test]
fn offers_takebacks_and_ends_are_shown_as_they_come() {
    let mut table = table(state(&["e2e4", "e7e5"]));
    let mut offered = state(&["e2e4", "e7e5"]);
    offered.offer = Some(Color::Black);
    stands(&mut table, offered, 2000);
    assert_eq!(table.session().draw_offer(), Some(Color::Black));
    let outcomes = table.handle(GameRequest::Accept(None).into(), at(2100));
    let accept = Command::AcceptDraw(Color::White);
    assert_eq!(sent(&outcomes), [&ServerRequest::Command(accept)]);
    stands(&mut table, state(&["e2e4", "e7e5"]), 2200);
    assert_eq!(table.session().draw_offer(), None);
    let mut undone = state(&["e2e4", "e7e5"]);
    undone.ply = 0;
    stands(&mut table, undone, 2300);
    assert_eq!(table.session().ply(), 0);
    let again = stands(&mut table, state(&["e2e4"]), 2350);
    let is_move = |event: &Event| matches!(event, Event::Moved(_));
    assert!(again.iter().any(|outcome| {
        matches!(outcome, Outcome::Happened(happened) if happened.events.iter().any(is_move))
    }));
    stands(&mut table, state(&["d2d4"]), 2400);
    assert_eq!(
        table.session().position().fen().split(' ').nth(1),
        Some("b")
    );
    let mut ended = state(&["d2d4"]);
    ended.outcome = Some(Ending::Time {
        loser: Color::Black,
    });
    stands(&mut table, ended.clone(), 2500);
    assert_eq!(table.session().outcome(), ended.outcome);
}

#[test]
fn a_server_that_sends_nonsense_changes_nothing() {
    let mut table = table(state(&["e2e4"]));
    for moves in [&["e2e4", "e2e4"][..], &["e2e4", "0000"], &["a1h8"]] {
        let outcomes = stands(&mut table, state(moves), 2000);
        // The whole game is requested again.
        assert_eq!(sent(&outcomes), [&ServerRequest::Again]);
        stands(&mut table, state(&["e2e4"]), 2100);
        assert_eq!(table.session().ply(), 1);
    }
    let mut beyond = state(&["e2e4"]);
    for ply in [7, u32::MAX] {
        beyond.ply = ply;
        assert_eq!(
            sent(&stands(&mut table, beyond.clone(), 2200)),
            [&ServerRequest::Again]
        );
        assert!(!table.is_shut_out());
    }
    let mut mated = state(&["e2e4"]);
    mated.outcome = Some(Ending::Checkmate {
        winner: Color::Black,
    });
    assert_eq!(
        sent(&stands(&mut table, mated, 2300)),
        [&ServerRequest::Again]
    );
}

/// A whole game that is none ends everything: nothing is awaited any more.
#[test]
fn a_server_whose_game_is_none_is_left() {
    for begun in [true, false] {
        let mut nonsense = state(&["e2e4"]);
        nonsense.ply = u32::MAX;
        nonsense.begun = begun;
        let table = table(nonsense);
        assert!(table.is_shut_out());
        assert!(table.is_remote() && !table.awaits_server());
    }
}

#[test]
fn the_game_of_somebody_who_stays_away_is_claimed() {
    let mut table = table(state(&["e2e4"]));
    let away = |claim_in| {
        let away = Presence::Away {
            claim_in: Some(claim_in),
        };
        ServerEvent::Presence(ByColor::new(Presence::Here, away))
    };
    let outcomes = table.handle_server_event(away(Duration::from_secs(120)), at(2000));
    assert!(matches!(
        outcomes[..],
        [Outcome::ServerNews(ServerNews::Away {
            side: Color::Black,
            ..
        })]
    ));
    table.handle_server_event(away(Duration::ZERO), at(3000));
    let outcomes = table.handle(GameRequest::CLAIM.into(), at(3100));
    let winner = Some(Color::White);
    let abandon = ServerRequest::Command(Command::Abandon { winner });
    assert_eq!(sent(&outcomes), [&abandon]);
}

#[test]
fn another_game_leaves_the_server() {
    let mut table = table(state(&["e2e4"]));
    let outcomes = table.handle(GameRequest::New(Box::default()).into(), at(2000));
    assert_eq!(sent(&outcomes), [&ServerRequest::Leave]);
    assert!(!table.is_remote());
    assert!(table.opponents().is_human(Color::Black));
}

#[test]
fn no_engine_helps_people_who_play_each_other() {
    let mut table = table(state(&["e2e4", "e7e5"]));
    for question in [Question::Hint, Question::Evaluate, Question::Lines(None)] {
        let outcomes = table.handle(Request::Ask(question.clone()), at(2000));
        assert_eq!(
            outcomes,
            [Outcome::Refused(TableRefusal::NoHelp)],
            "{question:?}"
        );
    }
    let outcomes = table.handle(Request::Ask(Question::LastMove), at(2000));
    assert!(matches!(outcomes[..], [Outcome::Answer(_)]), "{outcomes:?}");
}
