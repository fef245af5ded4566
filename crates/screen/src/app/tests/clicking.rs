//! The cursor and the mouse.

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use tabiya_game::MarkColor;
use tabiya_rules::{Color, Square};

use super::{
    cell, click, drag, fen, game, has_dialog, mouse, place_of, play, press, said, shown, start,
    write,
};
use crate::tui::board::Mark;

const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn arrows_and_enter_play_a_move() {
    let mut app = start();
    // The first press shows the cursor, on e2.
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("[▂▂]"));
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Char(' '));
    assert_eq!(said(&app), "White played e4.");
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "It is Black's turn.");
}

#[test]
fn clicks_and_drags_play_moves_on_both_sides_of_the_board() {
    let mut app = start();
    click(&mut app, Square::E2);
    assert_eq!(app.board().view.held, Some(Square::E2));
    click(&mut app, Square::D2);
    assert_eq!(
        app.board().view.held,
        Some(Square::D2),
        "another own piece is taken instead"
    );
    click(&mut app, Square::D4);
    assert_eq!(said(&app), "White played d4.");
    write(&mut app, "v");
    assert_eq!(app.look.bottom, Color::Black);
    drag(&mut app, Square::G8, Square::F6, MouseButton::Left);
    assert_eq!(said(&app), "Black played Nf6.");
    drag(&mut app, Square::A1, Square::A5, MouseButton::Left);
    assert_eq!(
        said(&app),
        "Illegal move. The way is blocked by the piece on a2."
    );
    assert_eq!(app.board().view.held, None);
}

#[test]
fn castling_by_the_target_and_by_the_rook() {
    for to in [Square::G1, Square::H1] {
        let mut app = game(CASTLE, 100, 30);
        click(&mut app, Square::E1);
        click(&mut app, to);
        assert_eq!(said(&app), "White played O-O.", "{to}");
        let mut app = game(CASTLE, 40, 12);
        drag(&mut app, Square::E1, to, MouseButton::Left);
        assert_eq!(said(&app), "White played O-O.", "{to}");
    }
}

#[test]
fn the_picker_takes_clicks() {
    let mut app = game("8/4P3/8/8/8/8/8/k6K w - - 0 1", 80, 24);
    drag(&mut app, Square::E7, Square::E8, MouseButton::Left);
    assert!(has_dialog(&app));
    let (x, y) = place_of(&app, "Bishop");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
    assert!(fen(&app).starts_with("4B3/"));
}

#[test]
fn the_wheel_walks_and_moves_and_hints_can_be_clicked() {
    let mut app = start();
    play(&mut app, "e4 e5 Nf3 Nc6");
    mouse(&mut app, MouseEventKind::ScrollUp, 5, 5);
    mouse(&mut app, MouseEventKind::ScrollUp, 5, 5);
    assert_eq!(app.board().node().ply(), 2);
    mouse(&mut app, MouseEventKind::ScrollDown, 5, 5);
    assert_eq!(app.board().node().ply(), 3);
    let (x, y) = place_of(&app, "e5  ");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
    assert_eq!(app.board().node().ply(), 2);
    let (x, y) = place_of(&app, "v flip");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
    assert_eq!(app.look.bottom, Color::Black);
    press(&mut app, KeyCode::Esc);
    write(&mut app, "B");
    let (x, y) = place_of(&app, "Bb5");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
    assert_eq!(said(&app), "White played Bb5.");
}

#[test]
fn right_clicks_mark_squares_and_draw_arrows() {
    let mut app = start();
    drag(&mut app, Square::E4, Square::E4, MouseButton::Right);
    drag(&mut app, Square::G1, Square::F3, MouseButton::Right);
    drag(&mut app, Square::A1, Square::A4, MouseButton::Right);
    assert_eq!(
        app.board().marks(),
        [
            Mark::Square(Square::E4, MarkColor::Green),
            Mark::Arrow(Square::G1, Square::F3, MarkColor::Green),
            Mark::Arrow(Square::A1, Square::A4, MarkColor::Green)
        ]
    );
    let screen = shown(&app);
    assert!(
        screen.contains('◆') && screen.contains('↖') && screen.contains('↑'),
        "{screen}"
    );
    drag(&mut app, Square::E4, Square::E4, MouseButton::Right);
    assert_eq!(app.board().marks().len(), 2);
    press(&mut app, KeyCode::Esc);
    assert!(app.board().marks().is_empty());
}

#[test]
fn the_mouse_can_be_given_back() {
    use crate::message::{Effect, FileEffect, SettingChange};
    let mut app = start();
    write(&mut app, ":set mouse off");
    let settled = Effect::File(FileEffect::WriteSetting(SettingChange {
        key: "mouse",
        value: "off".to_owned(),
    }));
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [settled, Effect::CaptureMouse(false)]
    );
    let (x, y) = cell(&app, Square::E2);
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
    assert_eq!(app.board().view.held, None);
}

#[test]
fn the_home_screen_and_the_form_take_clicks() {
    let mut app = start();
    press(&mut app, KeyCode::Esc);
    let click_on = |app: &mut super::App, text: &str| {
        let (x, y) = place_of(app, text);
        mouse(app, MouseEventKind::Down(MouseButton::Left), x, y);
    };
    click_on(&mut app, "New game");
    let (x, y) = place_of(&app, "none ›");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x + 5, y);
    click_on(&mut app, "Begin");
    assert!(
        shown(&app).contains("Two at one board  1+0"),
        "{}",
        shown(&app)
    );
}
