//! A game that goes on while the player is not looking at it: its clock is told wherever the player is.

use std::time::Duration;

use tabiya_front::training::mining::MiningPolicy;
use tabiya_game::{ClockFace, TimeControl};
use tabiya_play::players::PlayerSpec;
use tabiya_play::remote::{Joined, RemoteState, ServerEvent};
use tabiya_rules::ByColor;
use tabiya_store::{SaveName, Summary};
use tabiya_train::trainer::Options;

use super::engines::{against_bot, answer, move_and_number};
use super::*;
use crate::message::TrainEffect;

fn second(seconds: u64) -> Timestamp {
    Timestamp::after_origin(Duration::from_secs(seconds))
}

fn with_clock(mut app: App) -> App {
    let clock: TimeControl = "5+0".parse().expect("a clock");
    begin(&mut app, NewGame::default().with_clock(&clock));
    app
}

#[test]
fn the_home_screen_shows_the_clock_that_runs() {
    let mut app = with_clock(against_bot(80, 24));
    update(&mut app, Message::Tick, Timestamp::ORIGIN);
    go_home(&mut app);
    assert_eq!(app.screens.front, Screen::Home);
    update(&mut app, Message::Tick, second(46));
    let screen = shown(&app);
    assert!(
        screen.contains("Back to the game, your clock 4:14"),
        "{screen}"
    );
    // It is drawn again when it shows another time.
    assert!(
        app.next_tick()
            .is_some_and(|next| next <= Duration::from_secs(1) + Duration::from_millis(1))
    );
    press(&mut app, KeyCode::Enter);
    enter(&mut app, "e4");
    go_home(&mut app);
    let screen = shown(&app);
    assert!(
        screen.contains("Back to the game, its clock 5:00"),
        "{screen}"
    );

    let mut app = with_clock(start());
    go_home(&mut app);
    let screen = shown(&app);
    assert!(
        screen.contains("Back to the game, White's clock 5:00"),
        "{screen}"
    );
    let mut app = start();
    press(&mut app, KeyCode::Esc);
    assert!(!shown(&app).contains("clock 5:00"));
}

/// Games are searched for exercises during a training session, but not while the player's clock runs.
#[test]
fn no_games_are_searched_while_a_clock_runs() {
    let mining = |app: &mut App| {
        app.open_training(Options::default());
        let effects = app.effects.take();
        match effects.last() {
            Some(Effect::Train(TrainEffect::Open(learner, _))) => learner.mining,
            _ => panic!("{effects:?}"),
        }
    };
    let mut app = against_bot(80, 24);
    assert_eq!(mining(&mut app), MiningPolicy::Mains);
    let mut app = with_clock(app);
    update(&mut app, Message::Tick, second(1));
    assert_eq!(mining(&mut app), MiningPolicy::Never);
}

#[test]
fn a_review_shows_the_clock_of_the_game_behind_it() {
    for (width, said) in [
        (60, "In the game: your clock 4:00"),
        (80, "White to move · in the game your clock 4:00"),
        (120, "White to move · in the game your clock 4:00"),
    ] {
        let mut app = with_clock(against_bot(width, 24));
        update(&mut app, Message::Tick, Timestamp::ORIGIN);
        let pasted = "8/8/8/8/8/4k3/8/4K2R w - - 0 1".to_owned();
        update(&mut app, Input::Paste(pasted), second(60));
        assert!(app.board().is_review());
        assert!(shown(&app).contains(said), "{}", shown(&app));
    }
}

/// What is typed in a game does not answer a question about a review that was interrupted.
#[test]
fn an_interrupted_review_is_offered_on_the_home_screen_only() {
    let mut app = against_bot(80, 24);
    let about = Summary {
        names: Default::default(),
        players: Default::default(),
        date: "2026.11.15".to_owned(),
        result: "*",
        moves: 1,
        start: Position::start(),
        line: Vec::new(),
        position: Position::start(),
    };
    let name = SaveName::new("review").expect("a name");
    let found = StoreMessage::ReviewFound(name, Box::new(about));
    update(&mut app, found, Timestamp::ORIGIN);
    assert!(!has_dialog(&app));
    enter(&mut app, ":review");
    assert!(app.board().is_review());
    assert!(!has_dialog(&app), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Home);
    let screen = shown(&app);
    assert!(screen.contains("A review was cut off"), "{screen}");
    // Two people without names are called what the board calls them.
    assert!(screen.contains("White – Black"), "{screen}");
    // One letter does not throw it away.
    assert_eq!(press_later(&mut app, KeyCode::Char('t')), []);
    let screen = shown(&app);
    assert!(screen.contains("Move the review to the trash?"), "{screen}");
    assert_eq!(press_later(&mut app, KeyCode::Enter), []);
    assert!(!has_dialog(&app));
}

/// A move from an earlier place is named before it takes the game back, and stays in the input line if it does not.
#[test]
fn the_question_about_an_earlier_place_is_careful() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "e5");
    write(&mut app, ",,");
    enter(&mut app, "d4");
    assert!(
        shown(&app).contains("d4 takes your game back"),
        "{}",
        shown(&app)
    );
    press(&mut app, KeyCode::Enter);
    assert!(!has_dialog(&app));
    assert_eq!(app.board().session().ply(), 2);
    assert_eq!(app.board().view.typing.line.text(), "d4");
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Char('y'));
    assert_eq!(app.board().session().ply(), 1);
    assert!(app.board().view.typing.is_empty());
}

/// Against a bot, the player has one side, and the menu does not name it.
#[test]
fn the_menu_against_a_bot_speaks_to_the_player() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "e5");
    write(&mut app, "x");
    let screen = shown(&app);
    for label in ["Offer a draw", "Ask to take back", "Resign"] {
        assert!(screen.contains(label), "{screen}");
    }
    assert!(!screen.contains("White offers"), "{screen}");
    write(&mut app, "r");
    assert!(shown(&app).contains("Resign the game?"), "{}", shown(&app));
    write(&mut app, "y");
    assert!(shown(&app).contains("Reopen the game"), "{}", shown(&app));
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    assert!(
        shown(&app).contains("Take back the last move"),
        "{}",
        shown(&app)
    );
}

/// The title of the level gives way to captured pieces, and of those the least valuable go first.
#[test]
fn captured_pieces_stay_visible_beside_the_clock() {
    let long = "1. e4 d5 2. a3 dxe4 3. b3 e3 4. c3 exf2+ 5. Ke2 fxg1=N+ 6. Rxg1 Qxd2+ 7. Bxd2 a6";
    let captured = |width, height| {
        let mut app = with_clock(against_bot(width, height));
        let moves: Vec<&str> = long
            .split(' ')
            .filter(|word| !word.ends_with('.'))
            .collect();
        for pair in moves.chunks(2) {
            let number = move_and_number(&mut app, pair[0]);
            answer(&mut app, number, pair[1]);
        }
        let screen = shown(&app);
        let is_player = |line: &&str| line.contains("● Bot 4") && line.contains("5:00");
        let line = screen.lines().find(is_player);
        line.unwrap_or_else(|| panic!("{screen}")).to_owned()
    };
    assert!(captured(80, 24).contains("Bot 4 «"));
    for (width, height) in [(60, 20), (80, 24), (120, 40)] {
        let line = captured(width, height);
        assert!(line.contains("♘♙♙♙"), "{width}×{height}: {line}");
    }
    // As many as fit.
    assert!(captured(40, 12).contains("♘"), "{}", captured(40, 12));
}

/// Leaves a board where a clock runs.
fn go_home(app: &mut App) {
    press(app, KeyCode::Esc);
    press(app, KeyCode::Char('y'));
}

/// Esc does not leave a board where a clock runs against a player without a question; a stopped clock asks nothing.
#[test]
fn a_running_clock_is_not_left_by_accident() {
    let mut app = start();
    begin(
        &mut app,
        NewGame::default().with_clock(&"5+3".parse().expect("a clock")),
    );
    for _ in 0..2 {
        press(&mut app, KeyCode::Esc);
        let screen = shown(&app);
        assert!(screen.contains("The clock runs on"), "{screen}");
        press(&mut app, KeyCode::Esc);
        assert!(!has_dialog(&app));
        assert_eq!(app.screens.front, Screen::Game);
    }
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('y'));
    assert_eq!(app.screens.front, Screen::Home);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.screens.front, Screen::Game);
    press(&mut app, KeyCode::Char('p'));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Home);
}

/// While the connection is silent, the player sees that the move was sent.
#[test]
fn a_move_that_the_server_has_not_answered_is_shown_as_sent() {
    let mut app = start();
    let now = Timestamp::ORIGIN;
    let clock = ClockFace {
        left: ByColor::default(),
        running: None,
        delay: Duration::ZERO,
    };
    let state = RemoteState {
        moves: Vec::new(),
        ply: 0,
        offer: None,
        takeback: None,
        outcome: None,
        paused: false,
        begun: true,
        clock,
    };
    app.request(DeskRequest::Join(Box::new(Joined {
        between_people: true,
        game: NewGame::default(),
        players: ByColor::new(PlayerSpec::Human, PlayerSpec::Remote("Bob".to_owned())),
        state: state.clone(),
        presence: ByColor::default(),
    })));
    enter(&mut app, "e4");
    let sent = "sent · the server has not answered yet";
    assert!(shown(&app).contains(sent), "{}", shown(&app));
    let state = RemoteState {
        moves: vec!["e2e4".parse().expect("a move")],
        ply: 1,
        ..state
    };
    update(&mut app, ServerEvent::State(Box::new(state)), now);
    assert!(!shown(&app).contains(sent), "{}", shown(&app));
    assert!(said(&app).contains("e4"), "{}", said(&app));
}
