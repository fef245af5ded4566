//! What is brought to the disk, and the list of what is there.

use std::time::SystemTime;

use ratatui::crossterm::event::KeyCode;
use tabiya_game::{Session, Timestamp};
use tabiya_rules::{ByColor, Position};

use super::{enter, press, shown, start, write};
use crate::app::{self, App, Overlay, Screen};
use crate::message::{Effect, Message};
use crate::storage::{Autosave, Game, Listed, Remark, SaveName, Summary};

fn keeping() -> App {
    let mut app = start();
    app.keep_games();
    app
}

fn update(app: &mut App, message: Message) -> Vec<Effect> {
    app::update(app, message, Timestamp::ORIGIN)
}

fn name(text: &str) -> SaveName {
    SaveName::new(text).expect("a good name")
}

fn game(moves: &[&str]) -> Game {
    let mut session = Session::default();
    for text in moves {
        let play = tabiya_game::Command::play(text);
        session.apply(play, Timestamp::ORIGIN).expect("legal");
    }
    Game {
        session,
        players: ByColor::default(),
    }
}

fn plies(effects: &[Effect]) -> Vec<u32> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Keep(game) => Some(game.session.ply()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_change_is_kept_before_anything_else() {
    let mut app = keeping();
    write(&mut app, "e4");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(plies(&effects), [1]);
    assert!(matches!(effects[0], Effect::Keep(_)));
    assert_eq!(plies(&press(&mut app, KeyCode::Char('u'))), [0]);
    // Looking does not change anything.
    assert_eq!(press(&mut app, KeyCode::Char(',')), []);
    write(&mut app, ":new");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(matches!(effects[0], Effect::Release), "{effects:?}");
}

#[test]
fn saves_are_asked_for_by_name_and_trouble_is_said() {
    let mut app = keeping();
    enter(&mut app, "e4");
    write(&mut app, "smine");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        matches!(&effects[..], [Effect::SaveAs { name: Some(name), .. }] if name == "mine"),
        "{effects:?}"
    );
    let told = Remark::Trouble("The game is not kept: /x: No space left on device.".to_owned());
    update(&mut app, Message::Kept(told));
    assert!(shown(&app).contains("No space left"));
    write(&mut app, ":load mine");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(effects, [Effect::Resume(Some("mine".to_owned()))]);
    update(
        &mut app,
        Message::Resumed(Ok(Box::new(game(&["d4", "d5"])))),
    );
    assert_eq!(app.table.session.ply(), 2);
    assert_eq!(app.screen, Screen::Game);
    write(&mut app, "c4");
    assert_eq!(plies(&press(&mut app, KeyCode::Enter)), [3]);
    write(&mut app, ":set autosave off");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        effects.contains(&Effect::Autosave(Autosave::Off)),
        "{effects:?}"
    );
}

#[test]
fn the_list_shows_players_result_and_board_and_asks_before_it_deletes() {
    let mut app = keeping();
    write(&mut app, ":saves");
    assert_eq!(press(&mut app, KeyCode::Enter), [Effect::ListSaves]);
    assert!(shown(&app).contains("Looking…"));
    let listed = ["first", "second", "third"].map(|text| Listed {
        name: name(text),
        modified: SystemTime::UNIX_EPOCH,
    });
    let effects = update(&mut app, Message::Saves(Ok(listed.to_vec())));
    assert_eq!(
        effects,
        [Effect::Peek(
            ["first", "second", "third"].map(name).to_vec()
        )]
    );
    let summary = Summary {
        players: ByColor::new("Morphy\u{1b}".to_owned(), "bot:3".to_owned()),
        date: "2026.11.15".to_owned(),
        result: "1-0",
        moves: 17,
        position: Position::start(),
    };
    let first = Box::new(Ok(summary.clone()));
    update(&mut app, Message::Peeked(name("first"), first));
    let third = Summary {
        result: "*",
        ..summary
    };
    update(
        &mut app,
        Message::Peeked(name("third"), Box::new(Ok(third))),
    );
    let bad = Err("'second' cannot be read: it is damaged.".to_owned());
    update(&mut app, Message::Peeked(name("second"), Box::new(bad)));
    let screen = shown(&app);
    assert!(screen.contains("1-0     2026.11.15"), "{screen}");
    assert!(screen.contains("cannot be read"), "{screen}");
    assert!(screen.contains("1-0 · 17 moves"), "{screen}");
    press(&mut app, KeyCode::Down);
    assert_eq!(press(&mut app, KeyCode::Delete), []);
    assert!(shown(&app).contains("Move 'second' to the trash?"));
    assert_eq!(press(&mut app, KeyCode::Char('n')), [], "only yes is yes");
    press(&mut app, KeyCode::Delete);
    assert_eq!(
        press(&mut app, KeyCode::Char('y')),
        [Effect::Delete(name("second"))]
    );
    let done = Ok("'second' is in the trash now.".to_owned());
    update(&mut app, Message::Deleted(name("second"), done));
    assert!(shown(&app).contains("in the trash now"));
    write(&mut app, "thi");
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [Effect::Resume(Some("third".to_owned()))]
    );
    let busy = Err("'third' is being played in another window.".to_owned());
    assert_eq!(
        update(&mut app, Message::Resumed(busy)),
        [Effect::ListSaves]
    );
    assert!(shown(&app).contains("another window"));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert!(!matches!(app.overlay, Some(Overlay::Saves(_))));
}

#[test]
fn the_home_screen_resumes_the_last_game() {
    let mut app = keeping();
    app.table.begun = false;
    app.screen = Screen::Home;
    assert!(!shown(&app).contains("Resume the last game"));
    update(&mut app, Message::CanResume(true));
    assert!(shown(&app).contains("Resume the last game"));
    assert_eq!(press(&mut app, KeyCode::Enter), [Effect::Resume(None)]);
}
