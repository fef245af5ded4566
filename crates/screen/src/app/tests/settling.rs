//! The settings screen: every setting can be reached and takes effect at once.

use crossterm::event::KeyCode;
use ratatui_core::layout::Size;

use tabiya_front::config::Config;
use tabiya_front::config::settings::{Kind, SETTINGS};
use tabiya_game::NewGame;

use super::engines::{against_bot, answer, move_and_number};
use super::{begin, enter, full, home, press, said, shown, start, update, write};
use crate::app::{App, Overlay};
use crate::message::{Contents, Done, Effect, FileEffect, Message, SettingChange};

fn opened() -> App {
    let mut app = start();
    write(&mut app, ":settings");
    press(&mut app, KeyCode::Enter);
    assert!(matches!(app.overlay, Some(Overlay::Settings(_))));
    app
}

#[test]
fn every_setting_is_on_the_screen_and_turns() {
    let mut app = opened();
    for setting in SETTINGS {
        assert!(shown(&app).contains(setting.key), "{}", setting.key);
        let before = setting.get(&app.settings);
        let effects = press(&mut app, KeyCode::Right);
        let after = setting.get(&app.settings);
        assert_ne!(before, after, "{}", setting.key);
        assert!(
            matches!(&effects[0], Effect::File(FileEffect::WriteSetting(SettingChange { key, value })) if *key == setting.key && *value == after),
            "{effects:?}"
        );
        assert!(
            shown(&app).contains(&format!("‹ {after} ›")),
            "{}",
            shown(&app)
        );
        press(&mut app, KeyCode::Left);
        if !matches!(setting.kind, Kind::Text(_)) {
            assert_eq!(setting.get(&app.settings), before, "{}", setting.key);
        }
        press(&mut app, KeyCode::Down);
    }
    press(&mut app, KeyCode::Esc);
    assert!(app.overlay.is_none());
}

#[test]
fn a_list_that_goes_on_says_so() {
    let mut app = opened();
    assert!(shown(&app).contains(" more"), "{}", shown(&app));
    press(&mut app, KeyCode::Up);
    assert!(!shown(&app).contains(" more"), "{}", shown(&app));
    app.look.size = Size::new(80, 60);
    press(&mut app, KeyCode::Down);
    assert!(!shown(&app).contains(" more"), "{}", shown(&app));
}

#[test]
fn a_theme_changes_at_once_and_a_clock_can_be_typed() {
    let mut app = opened();
    let before = app.look.theme.name;
    press(&mut app, KeyCode::Right);
    assert_ne!(app.look.theme.name, before);
    let clock = SETTINGS
        .iter()
        .position(|setting| setting.key == "game.clock")
        .expect("there is a clock");
    for _ in 0..clock {
        press(&mut app, KeyCode::Down);
    }
    write(&mut app, "x7");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("for example"), "{}", shown(&app));
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Backspace);
    write(&mut app, "7+1");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        matches!(
            &effects[..],
            [Effect::File(FileEffect::WriteSetting(SettingChange {
                key: "game.clock",
                ..
            }))]
        ),
        "{effects:?}"
    );
    assert_eq!(app.settings.clock.to_string(), "7+1");
}

#[test]
fn a_setting_that_cannot_be_written_says_so_in_the_form() {
    let mut app = opened();
    app.screens.front = crate::app::Screen::Home;
    press(&mut app, KeyCode::Right);
    let failed = Message::written(Contents::Other, Err::<Done, _>(full("config.toml")));
    let now = app.now;
    update(&mut app, failed, now);
    assert!(shown(&app).contains("the disk is full"), "{}", shown(&app));
}

/// Whatever keys are bound, sentences and lines of keys name them.
#[test]
fn sentences_name_the_bound_keys() {
    let rebind = |app: &mut App| {
        let keys = vec![
            ("pause", 'P'),
            ("menu", 'M'),
            ("undo", 'S'),
            ("redo", 'T'),
            ("command", ';'),
            ("help", '!'),
        ];
        let config = Config {
            keys,
            ..Config::default()
        };
        app.configure(config, false);
        assert!(app.overlay.is_none(), "{}", shown(app));
    };
    let mut app = home();
    rebind(&mut app);
    let screen = shown(&app);
    assert!(screen.contains("; command  ! help"), "{screen}");
    let mut app = start();
    rebind(&mut app);
    enter(&mut app, "resign");
    assert_eq!(
        said(&app),
        "resign is a command: type ; before it, as ;resign."
    );
    press(&mut app, KeyCode::Esc);
    enter(&mut app, "e4");
    press(&mut app, KeyCode::Char(','));
    enter(&mut app, "d4");
    let went_on =
        "The game goes on from here. The moves that had followed are kept as a variation.";
    assert_eq!(said(&app), went_on);
    begin(
        &mut app,
        NewGame::default().with_clock(&"5+3".parse().expect("a clock")),
    );
    press(&mut app, KeyCode::Char('P'));
    assert_eq!(said(&app), "Paused. Press P to go on.");
    assert!(
        shown(&app).contains("Paused · P goes on"),
        "{}",
        shown(&app)
    );
    enter(&mut app, "e4");
    assert_eq!(said(&app), "The game is paused. Press P to go on.");
    press(&mut app, KeyCode::Char('P'));
    enter(&mut app, ";resign");
    press(&mut app, KeyCode::Char('y'));
    press(&mut app, KeyCode::Char('l'));
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    let sentence = said(&app);
    assert!(
        sentence.ends_with("Press M for what can be done."),
        "{sentence}"
    );
    enter(&mut app, ";review");
    enter(&mut app, ";resign");
    let sentence = said(&app);
    assert!(
        sentence.ends_with("Press M to play on from here."),
        "{sentence}"
    );
    enter(&mut app, ";retry");
    assert!(said(&app).ends_with("type ;study first."), "{}", said(&app));
    let mut app = against_bot(80, 24);
    rebind(&mut app);
    let number = move_and_number(&mut app, "e4");
    answer(&mut app, number, "e5");
    write(&mut app, "!takeback");
    assert!(shown(&app).contains(";takeback "), "{}", shown(&app));
}
