//! The full screen as a player uses it: every key and click goes through the real update.

mod clicking;
mod elsewhere;
pub(crate) mod engine_options;
pub(crate) mod engines;
pub(crate) mod exploring;
mod fronts;
mod hostile;
pub(crate) mod newcomer;
mod overlays;
mod playing;
mod random;
pub(crate) mod reviewing;
pub(crate) mod saving;
mod settling;
pub(crate) mod studying;
mod talking;
mod training;
mod typing;
pub(crate) mod watching;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position as Cell, Rect, Size};
use tabiya_game::{NewGame, Timestamp};
use tabiya_rules::{Position, SplitMix64, Square};
use tabiya_store::disk::{FileError, FileFault};
use tabiya_store::text_file::Written;

use super::{App, Drawn, Overlay, Screen, draw, update};
use crate::message::{
    Contents, Effect, EngineEffect, EngineMessage, Input, MatchMessage, Message, NotDone,
    StoreMessage,
};
use tabiya_front::color::Depth;
use tabiya_play::desk::DeskRequest;

/// A game from a position, on a screen of this size.
pub(crate) fn game(fen: &str, width: u16, height: u16) -> App {
    let start = Position::from_fen(fen).expect("a position");
    let new = NewGame::default().with_start(start);
    let mut app = App::new(
        new,
        SplitMix64::new(1),
        Depth::TrueColor,
        Size::new(width, height),
    );
    app.begin();
    app
}

/// Begins another game.
pub(crate) fn begin(app: &mut App, game: NewGame) {
    app.request(DeskRequest::Start(Box::new(game)));
}

/// The home screen, before a game begins.
pub(crate) fn home() -> App {
    App::new(
        NewGame::default(),
        SplitMix64::new(1),
        Depth::TrueColor,
        Size::new(80, 24),
    )
}

/// A file on a full disk.
pub(crate) fn full(path: &str) -> FileError {
    FileError {
        path: path.into(),
        fault: FileFault::Full,
    }
}

/// A text was written to a file.
pub(crate) fn written_to(path: &str, contents: Contents) -> Message {
    Message::written(contents, Ok::<_, NotDone>(Written(path.into())))
}

pub(crate) fn start() -> App {
    game(&Position::start().fen(), 80, 24)
}

pub(crate) fn press(app: &mut App, code: KeyCode) -> Vec<Effect> {
    key(app, code, KeyModifiers::NONE)
}

pub(crate) fn key(app: &mut App, code: KeyCode, modifiers: KeyModifiers) -> Vec<Effect> {
    let message = Input::Key(KeyEvent::new(code, modifiers));
    update(app, message, Timestamp::ORIGIN)
}

/// Presses a key after whatever appeared by itself has been seen.
pub(crate) fn press_later(app: &mut App, code: KeyCode) -> Vec<Effect> {
    let message = Input::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let later = std::time::Duration::from_secs(1);
    update(app, message, Timestamp::after_origin(later))
}

/// Types letters, one key each.
pub(crate) fn write(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

/// Types a line and Enter.
pub(crate) fn enter(app: &mut App, text: &str) {
    write(app, text);
    press(app, KeyCode::Enter);
}

pub(crate) fn play(app: &mut App, moves: &str) {
    for text in moves.split_whitespace() {
        enter(app, text);
    }
}

pub(crate) fn mouse(app: &mut App, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    let hit = drawn(app).1.hit(app, Cell::new(column, row));
    update(app, Input::Mouse(event, hit), Timestamp::ORIGIN)
}

/// The middle of a square.
pub(crate) fn cell(app: &App, square: Square) -> (u16, u16) {
    let area = app.layout().expect("it fits").board.square(square);
    (area.x + area.width / 2, area.y + area.height / 2)
}

pub(crate) fn click(app: &mut App, square: Square) {
    let (x, y) = cell(app, square);
    mouse(app, MouseEventKind::Down(MouseButton::Left), x, y);
    mouse(app, MouseEventKind::Up(MouseButton::Left), x, y);
}

pub(crate) fn drag(app: &mut App, from: Square, to: Square, button: MouseButton) {
    let (x, y) = cell(app, from);
    mouse(app, MouseEventKind::Down(button), x, y);
    let (x, y) = cell(app, to);
    mouse(app, MouseEventKind::Drag(button), x, y);
    mouse(app, MouseEventKind::Up(button), x, y);
}

pub(crate) fn fen(app: &App) -> String {
    app.board().session().position().fen()
}

/// The last message.
pub(crate) fn said(app: &App) -> String {
    app.board()
        .view
        .said()
        .next_back()
        .map(|said| said.text.clone())
        .unwrap_or_default()
}

/// Draws everything.
fn drawn(app: &App) -> (Buffer, Drawn) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, app.look.size.width, app.look.size.height));
    let drawn = draw(app, &mut buffer);
    (buffer, drawn)
}

/// Everything on the screen.
pub(crate) fn shown(app: &App) -> String {
    let (buffer, _) = drawn(app);
    let width = usize::from(app.look.size.width.max(1));
    buffer
        .content
        .chunks(width)
        .map(|row| {
            row.iter()
                .map(ratatui_core::buffer::Cell::symbol)
                .collect::<String>()
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The first cell of a text on the screen.
pub(crate) fn place_of(app: &App, text: &str) -> (u16, u16) {
    let screen = shown(app);
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(text))
        .unwrap_or_else(|| panic!("'{text}' is not on the screen:\n{screen}"));
    let before = line.split(text).next().unwrap_or_default();
    // A variation selector takes no cell.
    let column = before.chars().filter(|&c| c != '\u{fe0e}').count();
    (column as u16, row as u16)
}

pub(crate) fn has_dialog(app: &App) -> bool {
    matches!(app.overlay, Some(Overlay::Dialog(_)))
}

#[test]
fn escape_goes_home_and_never_leaves() {
    let mut app = start();
    for _ in 0..10 {
        assert_eq!(press(&mut app, KeyCode::Esc), []);
    }
    assert!(shown(&app).contains("Back to the game"));
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.screens.front, Screen::Game);
}

#[test]
fn control_c_clears_then_asks_then_leaves() {
    let mut app = start();
    write(&mut app, "Nf");
    let control_c = |app: &mut App| key(app, KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(control_c(&mut app), []);
    assert!(app.board().view.typing.is_empty());
    assert_eq!(control_c(&mut app), []);
    assert!(shown(&app).contains("Press Ctrl-C again to leave."));
    assert_eq!(control_c(&mut app), [Effect::Leave]);
    let mut app = start();
    control_c(&mut app);
    write(&mut app, "e4");
    press(&mut app, KeyCode::Esc);
    assert_eq!(
        control_c(&mut app),
        [],
        "a key in between means that nobody wants to leave"
    );
}

#[test]
fn the_palette_leaves_and_control_z_suspends() {
    let mut app = start();
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), [Effect::Leave]);
    let suspend = key(&mut app, KeyCode::Char('z'), KeyModifiers::CONTROL);
    assert_eq!(suspend, [Effect::Suspend]);
}

#[test]
fn too_small_a_screen_says_what_it_needs() {
    let app = game(&Position::start().fen(), 39, 11);
    assert!(shown(&app).contains("needs 40×12, have 39×11"));
    let app = game(&Position::start().fen(), 1, 1);
    assert_eq!(shown(&app).chars().count(), 1);
}
