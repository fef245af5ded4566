//! The engines on the settings screen: each kind of option is shown, changed as its kind allows, and written.

use crossterm::event::KeyCode;
use tabiya_front::config::file::NoEngine;
use tabiya_front::config::settings::SETTINGS;
use tabiya_store::text_file::Written;
use tabiya_uci::{OptionDeclaration, OptionKind, OptionValue, Reply};

use super::{full, game, press, shown, write};
use crate::app::{App, update};
use crate::message::{
    Contents, Effect, EngineEffect, EngineMessage, EngineOption, Message, NotDone, OptionChange,
};

/// An engine with an option of every kind, as it declares them.
pub(crate) fn declared() -> Vec<EngineOption> {
    [
        "option name Debug Log File type string default <empty>",
        "option name Threads type spin default 1 min 1 max 512",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name Style type combo default Solid var Solid var Normal var Risky",
    ]
    .iter()
    .map(|line| match Reply::parse(line.as_bytes()) {
        Reply::Option(declared) => EngineOption {
            value: None,
            declared,
        },
        other => panic!("{line} is {other:?}"),
    })
    .collect()
}

/// The list of two engines.
pub(crate) fn engines(width: u16, height: u16) -> App {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut app = game(start, width, height);
    app.engines = vec!["stockfish".to_owned(), "mine\u{1b}[2J".to_owned()];
    write(&mut app, ":settings");
    press(&mut app, KeyCode::Enter);
    for _ in 0..SETTINGS.len() {
        press(&mut app, KeyCode::Down);
    }
    assert!(press(&mut app, KeyCode::Enter).is_empty());
    app
}

/// The options of the first one.
pub(crate) fn options(width: u16, height: u16) -> App {
    let mut app = engines(width, height);
    let asked = press(&mut app, KeyCode::Enter);
    assert_eq!(
        asked,
        [Effect::Engine(EngineEffect::Ask("stockfish".to_owned()))]
    );
    answer(&mut app, "stockfish", Ok(declared()));
    app
}

fn answer(app: &mut App, name: &str, answer: Result<Vec<EngineOption>, NotDone>) {
    let name = name.to_owned();
    let now = app.now;
    let effects = update(app, EngineMessage::Asked { name, answer }, now);
    assert!(effects.is_empty());
}

/// The option that the only effect writes, and its value.
fn settled(effects: &[Effect]) -> (&str, Option<&OptionValue>) {
    match effects {
        [
            Effect::Engine(EngineEffect::SetOption(OptionChange {
                engine,
                option,
                value,
            })),
        ] => {
            assert_eq!(engine, "stockfish");
            (option, value.as_ref())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn engines_are_listed_and_asked() {
    let mut app = engines(80, 24);
    assert!(shown(&app).contains("▸ stockfish") && shown(&app).contains("mine\\u{1b}[2J"));
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("The engine is asked for its options"));
    // The answer of another engine is ignored.
    answer(&mut app, "other", Err(NoEngine("no".to_owned()).into()));
    assert!(shown(&app).contains("The engine is asked for its options"));
    answer(
        &mut app,
        "stockfish",
        Err(NoEngine("stockfish".to_owned()).into()),
    );
    assert!(shown(&app).contains("There is no engine stockfish any more."));
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("▸ stockfish"));
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("▸ engines"));
    press(&mut app, KeyCode::Esc);
    assert!(app.overlay.is_none());
}

#[test]
fn a_text_is_typed_and_taken_back() {
    let mut app = options(80, 24);
    write(&mut app, "/tmp/log");
    let effects = press(&mut app, KeyCode::Enter);
    let text = OptionValue::Text("/tmp/log".to_owned());
    assert_eq!(settled(&effects), ("Debug Log File", Some(&text)));
    let effects = press(&mut app, KeyCode::Delete);
    assert_eq!(settled(&effects), ("Debug Log File", None));
    assert!(
        press(&mut app, KeyCode::Delete).is_empty(),
        "nothing changes"
    );
}

#[test]
fn a_number_is_typed_or_turned_within_its_bounds() {
    let mut app = options(80, 24);
    press(&mut app, KeyCode::Down);
    let effects = press(&mut app, KeyCode::Right);
    assert_eq!(settled(&effects), ("Threads", Some(&OptionValue::Spin(2))));
    let effects = press(&mut app, KeyCode::Left);
    assert_eq!(settled(&effects), ("Threads", None), "as the engine has it");
    assert!(
        press(&mut app, KeyCode::Left).is_empty(),
        "no fewer than one"
    );
    write(&mut app, "513");
    assert!(press(&mut app, KeyCode::Enter).is_empty());
    assert!(shown(&app).contains("Threads must be a number from 1 to 512, not 513."));
    press(&mut app, KeyCode::Backspace);
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(settled(&effects), ("Threads", Some(&OptionValue::Spin(51))));
}

#[test]
fn a_number_with_nothing_between_its_bounds_is_not_turned() {
    let mut app = engines(80, 24);
    press(&mut app, KeyCode::Enter);
    let (default, min, max) = (1, 5, 2);
    let declared =
        OptionDeclaration::new("Threads".to_owned(), OptionKind::Spin { default, min, max });
    let value = None;
    answer(
        &mut app,
        "stockfish",
        Ok(vec![EngineOption { declared, value }]),
    );
    assert!(press(&mut app, KeyCode::Right).is_empty());
    assert!(press(&mut app, KeyCode::Left).is_empty());
}

#[test]
fn rubbing_out_what_is_typed_leaves_what_is_stored() {
    let mut app = options(80, 24);
    write(&mut app, "/tmp/log");
    press(&mut app, KeyCode::Enter);
    write(&mut app, "x");
    for _ in 0..3 {
        assert!(press(&mut app, KeyCode::Backspace).is_empty());
    }
    assert!(shown(&app).contains("/tmp/log"), "{}", shown(&app));
}

#[test]
fn buttons_checks_and_choices_are_turned() {
    let mut app = options(80, 24);
    for _ in 0..2 {
        press(&mut app, KeyCode::Down);
    }
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(
        settled(&effects),
        ("Clear Hash", Some(&OptionValue::Button))
    );
    assert!(shown(&app).contains("pressed at every start"));
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(settled(&effects), ("Clear Hash", None));
    press(&mut app, KeyCode::Down);
    let effects = press(&mut app, KeyCode::Char(' '));
    assert_eq!(
        settled(&effects),
        ("Ponder", Some(&OptionValue::Check(true)))
    );
    press(&mut app, KeyCode::Down);
    let effects = press(&mut app, KeyCode::Left);
    let risky = OptionValue::Combo("Risky".to_owned());
    assert_eq!(settled(&effects), ("Style", Some(&risky)));
    let effects = press(&mut app, KeyCode::Right);
    assert_eq!(settled(&effects), ("Style", None));
}

#[test]
fn an_engine_may_declare_nothing_or_nonsense() {
    let mut app = options(80, 24);
    let nothing = EngineOption {
        declared: OptionDeclaration::new(
            "Empty".to_owned(),
            OptionKind::Combo {
                default: String::new(),
                choices: Vec::new(),
            },
        ),
        value: None,
    };
    answer(&mut app, "stockfish", Ok(vec![nothing]));
    for key in [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Enter,
        KeyCode::Char('x'),
    ] {
        assert!(press(&mut app, key).is_empty());
    }
    answer(&mut app, "stockfish", Ok(Vec::new()));
    assert!(shown(&app).contains("The engine has no options."));
    for key in [KeyCode::Up, KeyCode::Down, KeyCode::Right, KeyCode::Delete] {
        assert!(press(&mut app, key).is_empty());
    }
}

#[test]
fn an_option_that_cannot_be_written_is_what_it_was() {
    let mut app = options(80, 24);
    app.screens.front = crate::app::Screen::Home;
    press(&mut app, KeyCode::Down);
    for (written, number, seen) in [(true, 2, "‹ 2 ›"), (false, 3, "‹ 2 ›")] {
        let effects = press(&mut app, KeyCode::Right);
        let value = OptionValue::Spin(number);
        assert_eq!(settled(&effects), ("Threads", Some(&value)));
        let answer = if written {
            Ok(Written("config.toml".into()))
        } else {
            Err(full("config.toml"))
        };
        let now = app.now;
        update(&mut app, Message::written(Contents::Other, answer), now);
        let screen = shown(&app);
        assert!(screen.contains(seen), "{screen}");
        assert_eq!(screen.contains("the disk is full"), !written, "{screen}");
    }
}
