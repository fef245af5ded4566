//! What a new player meets: the home screen, the first opponent, the question for a name, and what can be turned off.

use tabiya_front::config::settings::Sound;
use tabiya_game::TimeControl;
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_rules::{ByColor, Color};

use super::engines::{against_bot, answer, move_and_number};
use super::*;
use crate::message::{FileEffect, Resumable, SettingChange};

fn remembered(effects: &[Effect], wanted: &str) -> Option<String> {
    effects.iter().find_map(|effect| match effect {
        Effect::File(FileEffect::Remember(SettingChange { key, value })) if *key == wanted => {
            Some(value.clone())
        }
        _ => None,
    })
}

#[test]
fn the_first_choice_is_the_bot_that_fits() {
    let mut app = home();
    let screen = shown(&app);
    assert!(screen.contains("Bot 3 «Casual», about 1200."), "{screen}");
    assert!(screen.contains("beatable"), "{screen}");
    press(&mut app, KeyCode::Enter);
    let black = app.desk.front().opponents().specs().black.clone();
    assert_eq!(black, PlayerSpec::Bot(Level::new(3)));
}

/// A typed command begins the same game as `tabiya play`.
#[test]
fn the_first_game_of_a_command_is_against_the_bot_that_fits() {
    for (line, person) in [
        (":new", Color::White),
        (":new white", Color::White),
        (":new black", Color::Black),
    ] {
        let mut app = home();
        enter(&mut app, line);
        let seats = app.desk.front().opponents();
        assert_eq!(seats.person(), Some(person), "{line}");
        assert_eq!(seats.specs()[!person], PlayerSpec::Bot(Level::new(3)));
    }
    // The next one is of the same kind.
    let mut app = start();
    enter(&mut app, ":new");
    assert_eq!(app.board().opponents().person(), None);
    assert_eq!(*app.board().opponents().specs(), ByColor::default());
}

/// The first letter that is typed replaces a clock that the arrows chose, and the next ones do not.
#[test]
fn a_typed_clock_replaces_the_chosen_one() {
    let mut app = home();
    write(&mut app, "jj");
    press(&mut app, KeyCode::Enter);
    for _ in 0..3 {
        press(&mut app, KeyCode::Down);
    }
    for _ in 0..2 {
        press(&mut app, KeyCode::Right);
    }
    assert!(shown(&app).contains("‹ 3+2 ›"), "{}", shown(&app));
    write(&mut app, "3+20");
    assert!(shown(&app).contains("‹ 3+20 ›"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    let clock = app.desk.front().session().clocks().white.to_string();
    assert_eq!(clock, "3+20");
}

#[test]
fn the_form_begins_with_the_bot_that_fits_and_tells_about_levels() {
    let mut app = home();
    write(&mut app, "jj");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("Bot 3 «Casual», about 1200"));
    // Against a bot no sides are named here.
    assert!(!shown(&app).contains("Black"), "{}", shown(&app));
    // Down from the last line is the first, the opponent.
    press(&mut app, KeyCode::Down);
    assert!(shown(&app).contains("overlooks a move in three"));
    press(&mut app, KeyCode::Right);
    assert!(shown(&app).contains("Bot 4 «Improver», about 1450"));
    assert!(shown(&app).contains("Sees short tactics"));
}

#[test]
fn the_bot_that_fits_follows_how_games_end() {
    let mut app = against_bot(80, 24);
    write(&mut app, ":resign");
    press(&mut app, KeyCode::Enter);
    let effects = press(&mut app, KeyCode::Char('y'));
    // Level 4 has won, and level 3 is tried already.
    assert_eq!(remembered(&effects, "game.level"), None);
    let mut app = against_bot(80, 24);
    app.settings.level = Level::new(4).expect("a level");
    write(&mut app, ":resign");
    press(&mut app, KeyCode::Enter);
    let effects = press(&mut app, KeyCode::Char('y'));
    assert_eq!(remembered(&effects, "game.level").as_deref(), Some("3"));
    assert_eq!(app.settings.level.number(), 3);
}

#[test]
fn a_form_forgets_the_name_of_an_old_opponent() {
    let mut app = against_bot(80, 24);
    press(&mut app, KeyCode::Char('x'));
    write(&mut app, "n");
    // The next level, and the other side.
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    let screen = shown(&app);
    assert!(!screen.contains("Bot 4"), "{screen}");
    assert!(screen.contains("○ Bot 5 «Club»"), "{screen}");
    assert!(screen.contains("● You"), "{screen}");
}

#[test]
fn letters_choose_on_the_home_screen_and_q_leaves() {
    let mut app = home();
    write(&mut app, "jjk");
    assert_eq!(app.screens.home.chosen, 1);
    write(&mut app, "G");
    assert_eq!(press(&mut app, KeyCode::Enter), [Effect::Leave]);
    write(&mut app, "g");
    assert_eq!(app.screens.home.chosen, 0);
    assert_eq!(press(&mut app, KeyCode::Char('q')), [Effect::Leave]);
}

#[test]
fn a_game_that_another_window_has_open_is_not_offered_first() {
    let mut app = home();
    let now = app.now;
    update(&mut app, StoreMessage::CanResume(Resumable::Elsewhere), now);
    let screen = shown(&app);
    let place = |text: &str| screen.find(text).expect("it is offered");
    assert!(
        place("Play against the computer") < place("Resume the last game"),
        "{screen}"
    );
    write(&mut app, "jjj");
    assert!(shown(&app).contains("Another window has this game open."));
}

#[test]
fn a_position_and_a_game_are_pasted_at_home_and_in_a_game() {
    const FEN: &str = "8/8/8/4k3/8/8/4K2R/8 w - - 0 1";
    const PGN: &str = "[White \"Anna\"]\n\n1. e4 e5 2. Nf3 *\n";
    let mut app = home();
    for _ in 0..2 {
        assert!(shown(&app).contains("Paste a FEN or a PGN"));
        write(&mut app, "j");
    }
    let paste = |app: &mut App, text: &str| {
        update(app, Input::Paste(text.to_owned()), Timestamp::ORIGIN);
    };
    paste(&mut app, "no chess");
    assert!(shown(&app).contains("neither a FEN nor a PGN"));
    press(&mut app, KeyCode::Esc);
    paste(&mut app, FEN);
    assert_eq!(app.board().position().fen(), FEN);
    let mut app = start();
    play(&mut app, "d4");
    // A pasted move counts as typed.
    paste(&mut app, "Nf6");
    assert_eq!(app.board().view.typing.line.text(), "Nf6");
    press(&mut app, KeyCode::Esc);
    paste(&mut app, PGN);
    assert!(app.board().is_review());
    assert_eq!(app.board().session().record().len(), 4);
    // The game is still there.
    enter(&mut app, ":back");
    assert_eq!(app.board().session().ply(), 1);
    paste(&mut app, FEN);
    assert!(app.board().is_review());
}

#[test]
fn a_name_is_asked_for_once() {
    let mut app = home();
    app.reminders.asks_name = true;
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("Your name, as your games will show it"));
    assert!(!app.board().has_begun());
    write(&mut app, "Anna");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(remembered(&effects, "name").as_deref(), Some("Anna"));
    assert!(app.board().has_begun());
    assert!(shown(&app).contains("○ Anna"), "{}", shown(&app));
    enter(&mut app, ":new black bot 2");
    assert!(app.overlay.is_none());
    assert!(shown(&app).contains("● Anna"), "{}", shown(&app));
}

#[test]
fn no_name_is_an_answer_too() {
    let mut app = home();
    app.reminders.asks_name = true;
    press(&mut app, KeyCode::Enter);
    let effects = press(&mut app, KeyCode::Esc);
    assert_eq!(remembered(&effects, "name").as_deref(), Some("none"));
    assert!(shown(&app).contains("○ You"), "{}", shown(&app));
    enter(&mut app, ":new black bot 2");
    assert!(app.overlay.is_none());
}

/// Somebody who does not read the question types a move.
#[test]
fn a_move_is_not_taken_for_a_name() {
    for typed in ["e4", "Nf3", "e2e4", "O-O", "Bb5"] {
        let mut app = home();
        app.reminders.asks_name = true;
        press(&mut app, KeyCode::Enter);
        write(&mut app, typed);
        let effects = press(&mut app, KeyCode::Enter);
        assert_eq!(remembered(&effects, "name"), None, "{typed}");
        assert!(!app.board().has_begun(), "{typed}");
        let sentence = format!("{typed} is a move");
        assert!(shown(&app).contains(&sentence), "{}", shown(&app));
        // Who is called so can still say it.
        let effects = press(&mut app, KeyCode::Enter);
        assert_eq!(remembered(&effects, "name").as_deref(), Some(typed));
    }
    let mut app = home();
    app.reminders.asks_name = true;
    press(&mut app, KeyCode::Enter);
    write(&mut app, "e4");
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Backspace);
    write(&mut app, "Anna");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(remembered(&effects, "name").as_deref(), Some("Anna"));
    assert!(app.board().has_begun());
}

#[test]
fn names_are_not_taken_for_moves() {
    for name in [
        "Abe", "Ada", "Bea", "Bec", "Bo", "Dee", "Ed", "Gabe", "Kc", "Nat", "Ng", "O", "Q", "Rae",
        "王",
    ] {
        let mut app = home();
        app.reminders.asks_name = true;
        press(&mut app, KeyCode::Enter);
        write(&mut app, name);
        let effects = press(&mut app, KeyCode::Enter);
        assert_eq!(remembered(&effects, "name").as_deref(), Some(name));
    }
}

#[test]
fn a_game_that_is_laid_out_waits_for_the_name() {
    let mut app = home();
    let bot = PlayerSpec::Bot(Level::new(2));
    app.seat(ByColor::new(bot, PlayerSpec::Human), Vec::new());
    app.reminders.asks_name = true;
    app.begin();
    assert!(!app.board().has_begun());
    write(&mut app, "Ben");
    press(&mut app, KeyCode::Enter);
    assert!(app.board().has_begun());
    assert!(shown(&app).contains("● Ben"), "{}", shown(&app));
}

#[test]
fn a_premove_is_set_with_the_mouse_and_with_the_cursor() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    click(&mut app, Square::G1);
    assert_eq!(app.board().view.held, Some(Square::G1));
    click(&mut app, Square::F3);
    assert!(shown(&app).contains("g1f3 waits · Esc takes it back"));
    let (from, to) = app.highlighted(&app.board().candidates());
    assert!(from.contains(Square::G1) && to.contains(Square::F3));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.board().premove(), None);
    // A typed premove is shown on the board too, if its meaning is known.
    for (typed, shown) in [("Nf3", true), ("exd5", false)] {
        enter(&mut app, typed);
        let (from, to) = app.highlighted(&app.board().candidates());
        assert_eq!(from.contains(Square::G1) && to.contains(Square::F3), shown);
        assert!(app.board().premove().is_some(), "{typed}");
        press(&mut app, KeyCode::Esc);
    }
    drag(&mut app, Square::G1, Square::F3, MouseButton::Left);
    answer(&mut app, number, "e5");
    assert_eq!(app.board().session().ply(), 3, "{}", shown(&app));
}

#[test]
fn a_piece_held_for_a_premove_stays_in_the_hand_and_a_recapture_can_be_set() {
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "d5");
    let number = move_and_number(&mut app, "Nc3");
    // The cursor goes from e2 to the knight, which will recapture on the square of its own pawn.
    click(&mut app, Square::C3);
    click(&mut app, Square::E4);
    answer(&mut app, number, "dxe4");
    let played = app
        .board()
        .session()
        .record()
        .cursor()
        .san()
        .expect("a move");
    assert_eq!(played.to_string(), "Nxe4");
    click(&mut app, Square::D2);
    assert_eq!(app.board().view.held, Some(Square::D2));
}

#[test]
fn coordinates_moves_and_keys_can_be_switched_off() {
    let mut app = start();
    play(&mut app, "e4");
    let screen = shown(&app);
    assert!(
        screen.contains(" a   b   c ") && screen.contains("1. e4") && screen.contains("u undo")
    );
    for key in ["board.coordinates", "board.moves", "board.keys"] {
        enter(&mut app, &format!(":set {key} off"));
    }
    let screen = shown(&app);
    assert!(!screen.contains(" a   b   c "), "{screen}");
    assert!(!screen.contains("1. e4"), "{screen}");
    assert!(!screen.contains("u undo"), "{screen}");
    // The input line is then the last one.
    let last = screen.lines().next_back().expect("a line");
    assert!(last.contains("move>"), "{screen}");
}

#[test]
fn the_bell_rings_for_the_opponent_a_check_and_little_time() {
    let rings = |effects: &[Effect]| effects.contains(&Effect::Ring);
    let mut app = against_bot(80, 24);
    let number = move_and_number(&mut app, "e4");
    assert!(!rings(&answer(&mut app, number, "e5")), "it is off");
    app.settings.sound = Sound::Bell;
    let number = move_and_number(&mut app, "Nf3");
    assert!(rings(&answer(&mut app, number, "Nc6")));
    let mut app = start();
    app.settings.sound = Sound::Bell;
    play(&mut app, "e4 f6");
    write(&mut app, "Qh5");
    assert!(rings(&press(&mut app, KeyCode::Enter)), "a check");
    let mut app = start();
    app.settings.sound = Sound::Bell;
    let clock: TimeControl = "1+0".parse().expect("a clock");
    begin(&mut app, NewGame::default().with_clock(&clock));
    play(&mut app, "e4 e5");
    let at = |seconds| Timestamp::after_origin(std::time::Duration::from_secs(seconds));
    assert!(!rings(&update(&mut app, Message::Tick, at(10))));
    assert!(rings(&update(&mut app, Message::Tick, at(41))));
    assert!(!rings(&update(&mut app, Message::Tick, at(42))), "once");
}

#[test]
fn page_down_in_the_help_moves_a_page_and_says_where_one_is() {
    let mut app = start();
    write(&mut app, "?");
    assert!(shown(&app).contains("1–19 of "), "{}", shown(&app));
    let bottom = |app: &App| shown(app).lines().nth(20).expect("a line").to_owned();
    let top = |app: &App| shown(app).lines().nth(3).expect("a line").to_owned();
    let before = bottom(&app);
    press(&mut app, KeyCode::PageDown);
    assert!(shown(&app).contains("19–37 of "), "{}", shown(&app));
    assert_ne!(top(&app), before);
    for _ in 0..50 {
        press(&mut app, KeyCode::PageDown);
    }
    let end = shown(&app);
    press(&mut app, KeyCode::PageUp);
    assert_ne!(shown(&app), end);
}

/// A clock that is typed replaces the one that the arrows chose, and goes on from there.
#[test]
fn a_typed_clock_replaces_a_chosen_one() {
    let mut app = home();
    write(&mut app, "jj");
    press(&mut app, KeyCode::Enter);
    for _ in 0..3 {
        press(&mut app, KeyCode::Down);
    }
    assert!(shown(&app).contains("▸ Clock"), "{}", shown(&app));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Right);
    assert!(shown(&app).contains("‹ 3+2 ›"), "{}", shown(&app));
    write(&mut app, "3+20");
    assert!(shown(&app).contains("‹ 3+20 ›"), "{}", shown(&app));
    // A chosen clock can still be edited from its end.
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Backspace);
    write(&mut app, "5");
    assert!(shown(&app).contains("‹ 1+5 ›"), "{}", shown(&app));
}

#[test]
fn new_from_the_home_screen_is_against_the_bot_that_fits() {
    let mut app = home();
    enter(&mut app, ":new black");
    let white = app.desk.front().opponents().specs().white.clone();
    assert_eq!(white, PlayerSpec::Bot(Level::new(3)));
}
