//! Overlays, with the mouse alone.

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use tabiya_rules::{Color, Square};

use super::{App, Overlay, Screen};
use super::{drag, fen, game, has_dialog, mouse, place_of, play, press, shown, start, write};
use crate::message::Effect;

const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

fn click_on(app: &mut App, text: &str) -> Vec<Effect> {
    let (x, y) = place_of(app, text);
    mouse(app, LEFT, x, y)
}

#[test]
fn a_click_outside_closes_whatever_is_open() {
    for keys in ["x", ":", ":re", "?", "xn", "Y", "m"] {
        let mut app = game(&tabiya_rules::Position::start().fen(), 132, 43);
        play(&mut app, "e4");
        let before = fen(&app);
        write(&mut app, keys);
        assert!(app.overlay.is_some(), "{keys}");
        mouse(&mut app, LEFT, 0, 0);
        assert!(app.overlay.is_none(), "{keys}");
        assert_eq!(fen(&app), before, "{keys}");
        assert_eq!(app.screens.front, Screen::Game, "{keys}");
    }
    for command in ["settings", "set"] {
        let mut app = start();
        write(&mut app, &format!(":{command}"));
        press(&mut app, KeyCode::Enter);
        assert!(app.overlay.is_some(), "{command}");
        mouse(&mut app, LEFT, 0, 23);
        assert!(app.overlay.is_none(), "{command}");
    }
}

#[test]
fn a_click_inside_closes_nothing() {
    let mut app = start();
    write(&mut app, ":settings");
    press(&mut app, KeyCode::Enter);
    click_on(&mut app, "Settings");
    assert!(app.overlay.is_some());
}

#[test]
fn a_promotion_is_cancelled_by_a_click_on_the_board() {
    let mut app = game("8/4P3/8/8/8/8/8/k6K w - - 0 1", 80, 24);
    let before = fen(&app);
    drag(&mut app, Square::E7, Square::E8, MouseButton::Left);
    assert!(has_dialog(&app));
    drag(&mut app, Square::A5, Square::A5, MouseButton::Left);
    assert!(!has_dialog(&app));
    assert_eq!(fen(&app), before);
}

#[test]
fn keys_that_are_named_can_be_clicked_while_something_is_open() {
    let mut app = start();
    write(&mut app, "x");
    click_on(&mut app, "Esc close");
    assert!(app.overlay.is_none());
    write(&mut app, ":flip");
    click_on(&mut app, "Enter run");
    assert_eq!(app.look.bottom, Color::Black);
    assert!(app.overlay.is_none());
    write(&mut app, ":fl");
    click_on(&mut app, "Tab complete");
    assert!(shown(&app).contains(": flip"), "{}", shown(&app));
    click_on(&mut app, "Esc close");
    assert!(app.overlay.is_none());
    write(&mut app, "N");
    click_on(&mut app, "Esc clear");
    assert!(app.board().view.typing.is_empty());
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Home);
    click_on(&mut app, "? help");
    assert!(matches!(app.overlay, Some(Overlay::Help(_))));
    click_on(&mut app, "Esc close");
    assert!(app.overlay.is_none());
}

#[test]
fn a_command_is_run_by_a_click_unless_it_needs_more() {
    let mut app = start();
    write(&mut app, ":fli");
    click_on(&mut app, "Turn the board");
    assert_eq!(app.look.bottom, Color::Black);
    assert!(app.overlay.is_none());
    write(&mut app, ":attac");
    click_on(&mut app, "attackers ");
    assert!(shown(&app).contains(": attackers"), "{}", shown(&app));
    assert!(matches!(app.overlay, Some(Overlay::CommandPalette(_))));
}

#[test]
fn looking_around_is_clicked_away() {
    let mut app = start();
    play(&mut app, "e4 e5");
    write(&mut app, ",");
    assert!(app.board().is_elsewhere());
    click_on(&mut app, "back to the game");
    assert!(!app.board().is_elsewhere());
    app.look.size = ratatui_core::layout::Size::new(40, 12);
    write(&mut app, ",");
    click_on(&mut app, "Esc to the game");
    assert!(!app.board().is_elsewhere());
    super::click(&mut app, Square::D2);
    click_on(&mut app, "Esc put back");
    assert_eq!(app.board().view.held, None);
}

/// The value of a line of the form, between its signs.
fn value(app: &App, name: &str) -> String {
    let screen = shown(app);
    let line = screen.lines().find(|line| line.contains(name));
    let (_, rest) = line.and_then(|line| line.split_once('‹')).expect("a value");
    rest.split('›').next().unwrap_or_default().trim().to_owned()
}

/// The place of a sign in the line of a name.
fn sign_of(app: &App, name: &str, sign: char) -> (u16, u16) {
    let screen = shown(app);
    let (y, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(name))
        .expect("a line");
    let x = line.chars().position(|c| c == sign).expect("a sign");
    (x as u16, y as u16)
}

#[test]
fn the_form_is_turned_both_ways_by_its_signs_and_by_the_wheel() {
    let mut app = start();
    write(&mut app, "xn");
    let names = ["Opponent", "Side", "Clock", "Start", "Draws"];
    for name in names {
        let before = value(&app, name);
        let (x, y) = sign_of(&app, name, '›');
        mouse(&mut app, LEFT, x, y);
        let after = value(&app, name);
        assert_ne!(before, after, "{name}");
        let (x, y) = sign_of(&app, name, '‹');
        mouse(&mut app, LEFT, x, y);
        assert_eq!(value(&app, name), before, "{name}");
        mouse(&mut app, MouseEventKind::ScrollDown, x + 4, y);
        assert_eq!(value(&app, name), after, "{name}");
        mouse(&mut app, MouseEventKind::ScrollUp, x + 4, y);
        assert_eq!(value(&app, name), before, "{name}");
        click_on(&mut app, name);
        assert_eq!(value(&app, name), before, "a name only chooses {name}");
        assert!(shown(&app).contains(&format!("▸ {name}")), "{name}");
    }
}

#[test]
fn the_form_stays_where_it_is_when_a_line_is_added() {
    for (width, height) in [(80, 24), (40, 12)] {
        let mut app = game(&tabiya_rules::Position::start().fen(), width, height);
        write(&mut app, "xn");
        for _ in 0..3 {
            let before = sign_of(&app, "Start", '›').1;
            let (x, y) = sign_of(&app, "Start", '›');
            mouse(&mut app, LEFT, x, y);
            assert_eq!(sign_of(&app, "Start", '‹').1, before);
        }
    }
}

#[test]
fn the_answers_at_the_end_of_a_game_are_whole_words_at_every_size() {
    for (width, height) in [(40, 12), (44, 12), (52, 16), (60, 18), (80, 24)] {
        let mut app = game(&tabiya_rules::Position::start().fen(), width, height);
        play(&mut app, "f3 e5 g4 Qh4");
        let screen = shown(&app);
        let places = [
            ("Rematch", 'r'),
            ("New game…", 'n'),
            ("Review it", 'v'),
            ("Judge it", 'j'),
            (
                if screen.contains("See board") {
                    "See board"
                } else {
                    "Look at the board"
                },
                'l',
            ),
            ("Take back", 'u'),
            ("Home", 'h'),
        ]
        .map(|(label, key)| {
            let line = screen.lines().find(|line| line.contains(label));
            let line = line.unwrap_or_else(|| panic!("{label} {width}: {screen}"));
            assert!(!line.replace("game…", "").contains('…'), "{screen}");
            let at = line.rfind(key).expect("a key");
            tabiya_front::cells::width(&line[..at])
        });
        assert!(places.iter().all(|place| *place == places[0]), "{screen}");
    }
}
