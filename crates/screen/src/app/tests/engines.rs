//! Engines on the full screen: asked on their turn, answered while the player types, and advice on request.

use tabiya_play::opponents::{EngineEvent, EngineOrder, SearchRequest, Seat};
use tabiya_play::players::{Level, PlayerError, PlayerSpec};
use tabiya_rules::{ByColor, Color, Move, Score};
use tabiya_uci::{BestMove, BoundedScore, Info, SearchInfo};

use super::*;

/// A game of White against a bot.
pub(crate) fn against_bot(width: u16, height: u16) -> App {
    let size = Size::new(width, height);
    let mut app = App::new(
        NewGame::default(),
        SplitMix64::new(1),
        Depth::TrueColor,
        size,
    );
    let bot = PlayerSpec::Bot(Level::new(4));
    app.seat(
        ByColor::new(PlayerSpec::Human, bot),
        vec!["stockfish".to_owned()],
    );
    app.begin();
    app
}

fn tell(app: &mut App, seat: Seat, told: EngineEvent) -> Vec<Effect> {
    update(app, EngineMessage::Event(seat, told), Timestamp::ORIGIN)
}

/// The last search requested.
#[track_caller]
fn task(effects: &[Effect]) -> &SearchRequest {
    let found = effects.iter().rev().find_map(|effect| match effect {
        Effect::Engine(EngineEffect::Order(EngineOrder::Think(task))) => Some(task),
        _ => None,
    });
    found.expect("a search")
}

fn find(app: &App, text: &str) -> Move {
    app.board()
        .position()
        .parse_san(text)
        .expect("a legal move")
}

fn report(line: u32, score: i32, pv: Vec<Move>) -> SearchInfo {
    SearchInfo::new(
        Box::new(
            Info::new()
                .with_depth(9)
                .with_multi_pv(line)
                .with_score(BoundedScore::exact(Score::Centipawns(score))),
        ),
        pv,
    )
}

/// Types a move, and lets the bot think.
pub(crate) fn move_and_number(app: &mut App, text: &str) -> u64 {
    write(app, text);
    let effects = press(app, KeyCode::Enter);
    task(&effects).number
}

pub(crate) fn answer(app: &mut App, number: u64, text: &str) -> Vec<Effect> {
    let best = Some(find(app, text));
    let reply = BestMove { best, ponder: None };
    tell(
        app,
        Seat::Side(Color::Black),
        EngineEvent::Move(number, reply),
    )
}

/// A game against a bot that is thinking.
pub(crate) fn thinking(width: u16, height: u16) -> App {
    let mut app = against_bot(width, height);
    let number = move_and_number(&mut app, "e4");
    let best = vec![find(&app, "e5")];
    tell(
        &mut app,
        BLACK,
        EngineEvent::Report(number, report(1, -20, best)),
    );
    app
}

/// The best lines beside the board, and a hint.
pub(crate) fn advised(width: u16, height: u16) -> App {
    let mut app = against_bot(width, height);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "e5");
    let effects = press(&mut app, KeyCode::Char('l'));
    let number = task(&effects).number;
    for (line, score, text) in [(1, 35, "Nf3"), (2, 10, "Bc4"), (3, -240, "Qg4")] {
        let pv = vec![find(&app, text)];
        tell(
            &mut app,
            Seat::Adviser,
            EngineEvent::Report(number, report(line, score, pv)),
        );
    }
    press(&mut app, KeyCode::Char('i'));
    press(&mut app, KeyCode::Char('i'));
    app
}

const BLACK: Seat = Seat::Side(Color::Black);

#[test]
fn the_bot_is_asked_and_its_thinking_is_seen() {
    let mut app = against_bot(80, 24);
    assert!(shown(&app).contains("Game vs Bot 4"));
    let number = move_and_number(&mut app, "e4");
    let best = vec![find(&app, "e5")];
    tell(
        &mut app,
        BLACK,
        EngineEvent::Report(number, report(1, -20, best)),
    );
    // Its evaluation would be a spoiler, so it is only for those who want it.
    assert!(!shown(&app).contains("+0.20"), "{}", shown(&app));
    app.settings.spoilers = true;
    assert!(shown(&app).contains("depth 9 +0.20"), "{}", shown(&app));
    assert!(app.next_tick().is_some(), "the sign turns");
    answer(&mut app, number, "e5");
    assert_eq!(app.board().session().ply(), 2);
    assert!(said(&app).contains("e5"), "{}", said(&app));
    assert!(app.next_tick().is_none(), "nothing turns any more");
}

#[test]
fn what_is_typed_meanwhile_stays_and_moves_for_the_bot_are_refused() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    enter(&mut app, "e5");
    assert!(
        said(&app).contains("e5 waits for your turn"),
        "{}",
        said(&app)
    );
    press(&mut app, KeyCode::Esc);
    write(&mut app, "Nf");
    answer(&mut app, number, "e5");
    assert_eq!(app.board().view.typing.line.text(), "Nf");
    write(&mut app, "3");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().session().ply(), 3);
}

#[test]
fn undo_goes_back_to_the_persons_turn_and_late_answers_are_not_played() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    let effects = press(&mut app, KeyCode::Char('u'));
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Stop(
            BLACK
        ))))
    );
    assert_eq!(app.board().session().ply(), 0);
    let late = BestMove {
        best: Some(find(&app, "e4")),
        ponder: None,
    };
    tell(&mut app, BLACK, EngineEvent::Move(number, late));
    assert_eq!(app.board().session().ply(), 0);
    let number = move_and_number(&mut app, "d4");
    answer(&mut app, number, "d5");
    press(&mut app, KeyCode::Char('u'));
    assert_eq!(app.board().session().ply(), 0);
    press(&mut app, KeyCode::Char('U'));
    assert_eq!(app.board().session().ply(), 2);
}

#[test]
fn a_person_can_resign_while_the_bot_thinks() {
    let mut app = against_bot(80, 24);
    move_and_number(&mut app, "e4");
    write(&mut app, ":resign");
    press(&mut app, KeyCode::Enter);
    let effects = press(&mut app, KeyCode::Char('y'));
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Stop(
            BLACK
        ))))
    );
    let outcome = app.desk.front().session().outcome().expect("it is over");
    assert_eq!(outcome.to_string(), "White resigns. Black wins.");
}

#[test]
fn an_engine_that_fails_leaves_the_game_to_go_on() {
    let mut app = against_bot(80, 24);
    move_and_number(&mut app, "e4");
    let error = PlayerError::Person;
    let sentence = error.to_string();
    let effects = tell(&mut app, BLACK, EngineEvent::Failed(error));
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Dismiss(
            BLACK
        ))))
    );
    assert!(said(&app).starts_with(&sentence), "{}", said(&app));
    enter(&mut app, "e5");
    assert_eq!(app.board().session().ply(), 2);
    write(&mut app, ":opponent uci /bin/sh");
    press(&mut app, KeyCode::Enter);
    write(&mut app, "d4");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(task(&effects).spec.to_string(), "uci:/bin/sh");
}

#[test]
fn a_hint_tells_more_each_time_and_points() {
    let mut app = start();
    let effects = press(&mut app, KeyCode::Char('i'));
    let number = task(&effects).number;
    let best = vec![find(&app, "Nf3")];
    tell(
        &mut app,
        Seat::Adviser,
        EngineEvent::Report(number, report(1, 30, best)),
    );
    let nothing = BestMove {
        best: None,
        ponder: None,
    };
    tell(&mut app, Seat::Adviser, EngineEvent::Move(number, nothing));
    assert_eq!(said(&app), "Hint: the knight on g1.");
    assert!(
        app.highlighted(&app.board().candidates())
            .0
            .contains(Square::G1)
    );
    assert!(app.highlighted(&app.board().candidates()).1.is_empty());
    press(&mut app, KeyCode::Char('i'));
    assert_eq!(said(&app), "Hint: the knight on g1 goes to f3.");
    assert!(
        app.highlighted(&app.board().candidates())
            .1
            .contains(Square::F3)
    );
    press(&mut app, KeyCode::Char('i'));
    assert_eq!(said(&app), "Hint: Nf3.");
    enter(&mut app, "e4");
    assert!(
        app.highlighted(&app.board().candidates()).0.is_empty(),
        "it was about another position"
    );
}

#[test]
fn lines_stand_beside_the_board_and_follow_the_game() {
    let mut app = start();
    let effects = press(&mut app, KeyCode::Char('l'));
    let number = task(&effects).number;
    let limit = task(&effects).go.move_time;
    assert_eq!(limit, Some(std::time::Duration::from_secs(60)));
    let best = vec![find(&app, "d4")];
    tell(
        &mut app,
        Seat::Adviser,
        EngineEvent::Report(number, report(1, 35, best)),
    );
    assert!(shown(&app).contains("+0.35"), "{}", shown(&app));
    assert!(shown(&app).contains("1. d4"), "{}", shown(&app));
    write(&mut app, "e4");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Stop(
            Seat::Adviser
        ))))
    );
    assert!(task(&effects).number > number);
    assert!(!shown(&app).contains("1. d4"));
    let effects = press(&mut app, KeyCode::Char('l'));
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Stop(
            Seat::Adviser
        ))))
    );
    write(&mut app, ":lines uci stockfish");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        effects.contains(&Effect::Engine(EngineEffect::Order(EngineOrder::Dismiss(
            Seat::Adviser
        ))))
    );
    assert_eq!(task(&effects).spec.to_string(), "uci:stockfish");
}

#[test]
fn the_form_offers_levels_engines_and_people() {
    let mut app = against_bot(80, 24);
    write(&mut app, ":");
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('x'));
    write(&mut app, "n");
    assert!(shown(&app).contains("Bot 4"), "{}", shown(&app));
    let Some(Overlay::Form(form)) = &app.overlay else {
        panic!("no form");
    };
    let names: Vec<String> = form.opponents.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), 12);
    assert_eq!((names[0].as_str(), names[11].as_str()), ("bot:1", "human"));
    // Down from the last line is the first, the opponent.
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().opponents().specs().black.to_string(), "bot:5");
}

#[test]
fn how_the_game_stood_stays_until_another_begins() {
    let mut app = advised(132, 43);
    assert!(shown(&app).contains("+0.35 ▕"), "{}", shown(&app));
    write(&mut app, "l");
    assert!(shown(&app).contains("+0.35 ▕"), "{}", shown(&app));
    // Nothing is known about another position.
    write(&mut app, ",");
    assert!(!shown(&app).contains('▕'), "{}", shown(&app));
    write(&mut app, ".");
    assert!(shown(&app).contains('▕'), "{}", shown(&app));
    enter(&mut app, ":new");
    assert!(!shown(&app).contains('▕'), "{}", shown(&app));
}

#[test]
fn what_is_typed_while_the_bot_thinks_waits_and_is_not_taken_for_its_move() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    write(&mut app, "Nf3");
    let screen = shown(&app);
    assert!(screen.contains("move> Nf3   Bot 4"), "{screen}");
    assert!(screen.contains("is thinking"), "{screen}");
    assert!(!screen.contains("no such move"), "{screen}");
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Enter);
    assert!(
        said(&app).contains("Nf3 waits for your turn"),
        "{}",
        said(&app)
    );
    // Esc takes it back, and it can be set again.
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.board().premove(), None);
    write(&mut app, "Nf3");
    press(&mut app, KeyCode::Enter);
    answer(&mut app, number, "e5");
    assert_eq!(app.board().session().ply(), 3);
    assert_eq!(app.board().premove(), None);
}

/// A premove that is not legal when the turn comes is dropped, and the game goes on.
#[test]
fn a_move_that_waits_is_dropped_where_it_is_not_legal() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    write(&mut app, "exd5");
    press(&mut app, KeyCode::Enter);
    answer(&mut app, number, "e5");
    assert_eq!(app.board().session().ply(), 2);
    let told = said(&app);
    assert!(told.contains("The premove cannot be played."), "{told}");
}

#[test]
fn a_small_screen_names_the_bot_by_its_level() {
    let app = against_bot(40, 12);
    let screen = shown(&app);
    assert!(screen.contains("● Bot 4"), "{screen}");
    assert!(!screen.contains("● Bot 4 «"), "{screen}");
}

#[test]
fn a_move_that_is_being_typed_when_the_bot_mates_chooses_nothing() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "f3");
    answer(&mut app, number, "e5");
    let number = move_and_number(&mut app, "g4");
    answer(&mut app, number, "Qh4");
    assert!(has_dialog(&app));
    enter(&mut app, "rnvh");
    assert!(has_dialog(&app), "{}", shown(&app));
    assert_eq!(app.board().session().ply(), 4);
    press_later(&mut app, KeyCode::Char('r'));
    assert_eq!(app.board().session().ply(), 0);
}

/// A player who looks back in a game against a bot and plays another move is asked before the game is taken back.
#[test]
fn a_move_from_an_earlier_place_asks_against_a_bot() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "e5");
    write(&mut app, ",,");
    enter(&mut app, "d4");
    assert_eq!(app.board().session().ply(), 2, "{}", shown(&app));
    assert!(
        shown(&app).contains("takes your game back"),
        "{}",
        shown(&app)
    );
    press(&mut app, KeyCode::Char('y'));
    let played = app
        .board()
        .session()
        .record()
        .cursor()
        .san()
        .expect("a move");
    assert_eq!(played.to_string(), "d4");
}

/// The last line offers a premove only where one can be set: not while an earlier position is on the board.
#[test]
fn a_premove_is_offered_only_where_it_can_be_set() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    write(&mut app, "d");
    assert!(shown(&app).contains("Enter premove"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    answer(&mut app, number, "e5");
    write(&mut app, ",");
    write(&mut app, "d");
    assert!(!shown(&app).contains("Enter premove"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().premove(), None);
}

/// A refused premove is replaced by what is typed next, like a refused move.
#[test]
fn what_is_typed_after_a_refused_premove_begins_anew() {
    let mut app = against_bot(80, 24);
    move_and_number(&mut app, "e4");
    enter(&mut app, "e9");
    assert!(
        said(&app).starts_with("There is no square e9"),
        "{}",
        said(&app)
    );
    write(&mut app, "d4");
    assert_eq!(app.board().view.typing.line.text(), "d4");
    // There is nothing to cycle through until it is the player's turn.
    let screen = shown(&app);
    assert!(!screen.contains("Tab cycle"), "{screen}");
    press(&mut app, KeyCode::Enter);
    assert!(app.board().premove().is_some());
    // The beginning of a move can be continued.
    enter(&mut app, "N");
    write(&mut app, "f3");
    assert_eq!(app.board().view.typing.line.text(), "Nf3");
}
