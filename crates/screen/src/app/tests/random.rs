//! Anything at all: random keys, clicks, pastes and sizes leave a legal board and cause no panic.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position as Cell, Rect, Size};
use tabiya_front::color::Depth;
use tabiya_game::{NewGame, Timestamp};
use tabiya_play::desk::BoardId;
use tabiya_rules::{Position, SplitMix64};

use super::reviewing::listed;
use super::studying::judge;
use super::watching::watched;
use super::{App, begin, update};
use crate::app::{Drawn, Screen, draw};
use crate::message::{Effect, Input, Message};

/// The number of events; `TABIYA_EVENTS` changes it, and a release tries ten million.
fn events() -> u64 {
    let wanted = std::env::var("TABIYA_EVENTS").ok();
    wanted.map_or(200_000, |text| {
        text.parse().expect("TABIYA_EVENTS is a number")
    })
}

fn random_key(random: &mut SplitMix64) -> KeyEvent {
    const OTHERS: [KeyCode; 16] = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Tab,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::BackTab,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Delete,
        KeyCode::F(5),
    ];
    let letters: Vec<char> = "abcdefgh12345678NBRQKxO-0=+ijlmpstuvwyzUY,.<>[](:?/+ é♞\u{202e}"
        .chars()
        .collect();
    let code = if random.below(3) == 0 {
        OTHERS[random.below(OTHERS.len())]
    } else {
        KeyCode::Char(letters[random.below(letters.len())])
    };
    let modifiers = match random.below(40) {
        0 => KeyModifiers::CONTROL,
        1 => KeyModifiers::ALT,
        _ => KeyModifiers::NONE,
    };
    KeyEvent::new(code, modifiers)
}

fn random_mouse(random: &mut SplitMix64, size: Size) -> MouseEvent {
    let button = if random.below(4) == 0 {
        MouseButton::Right
    } else {
        MouseButton::Left
    };
    let kind = match random.below(6) {
        0 | 1 => MouseEventKind::Down(button),
        2 | 3 => MouseEventKind::Up(button),
        4 => MouseEventKind::Drag(button),
        _ => [MouseEventKind::ScrollUp, MouseEventKind::ScrollDown][random.below(2)],
    };
    MouseEvent {
        kind,
        column: random.below(usize::from(size.width) + 2) as u16,
        row: random.below(usize::from(size.height) + 2) as u16,
        modifiers: KeyModifiers::NONE,
    }
}

fn random_message(random: &mut SplitMix64, app: &App, drawn: &Drawn) -> Message {
    let input = match random.below(1000) {
        0 => Input::Resize(Size::new(
            random.below(501) as u16,
            random.below(201) as u16,
        )),
        1..6 => Input::Paste("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\u{1b}[2J".to_owned()),
        6..10 => return Message::Tick,
        10..300 => {
            let event = random_mouse(random, app.look.size);
            let at = Cell::new(event.column, event.row);
            Input::Mouse(event, drawn.hit(app, at))
        }
        // Now and then a whole move, so that games get somewhere.
        300..330 => {
            let position = app.desk.front().position();
            let moves = position.legal_moves();
            match moves.get(random.below(moves.len().max(1))) {
                Some(&played) => Input::Paste(position.uci(played).to_string()),
                None => return Message::Tick,
            }
        }
        _ => Input::Key(random_key(random)),
    };
    input.into()
}

#[test]
fn any_events_leave_a_legal_board_and_no_panic() {
    let mut random = SplitMix64::new(20_260_101);
    let mut app = App::new(
        NewGame::default(),
        SplitMix64::new(2),
        Depth::TrueColor,
        Size::new(80, 24),
    );
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    let mut drawn = Drawn::default();
    let (mut plies, mut left) = (0, 0);
    for event in 0..events() {
        let message = random_message(&mut random, &app, &drawn);
        let whole = matches!(&message, Message::Input(Input::Paste(text)) if text.len() < 6);
        if whole {
            app.overlay = None;
            app.view_mut().typing.clear();
        }
        let now = Timestamp::from_millis(event * 5);
        let effects = update(&mut app, message, now);
        if whole {
            let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
            update(&mut app, Input::Key(enter), now);
        }
        left += effects
            .iter()
            .filter(|effect| **effect == Effect::Leave)
            .count();
        if event % 64 == 0 {
            // The state and the screen need not have the same size at every moment.
            if event % 256 == 0 {
                buffer.resize(Rect::new(0, 0, app.look.size.width, app.look.size.height));
            }
            buffer.reset();
            drawn = draw(&app, &mut buffer);
            for board in [BoardId::Game, BoardId::Review].map(|id| app.desk.at(id)) {
                let position = board.session().position();
                assert_eq!(Position::from_fen(&position.fen()).as_ref(), Ok(position));
            }
            plies = plies.max(app.board().session().ply());
        }
        // The record only grows, and a test must end.
        if event % 20_000 == 10_000 {
            app.overlay = None;
            app.screens.explorer.give_up_focus();
            app = judge(app);
        }
        if event % 20_000 == 5_000 {
            app.overlay = None;
            app.screens.explorer.give_up_focus();
            app = watched(app);
        }
        if event % 20_000 == 15_000 {
            app.overlay = None;
            app = listed(app);
        }
        if event % 20_000 == 0 {
            app.screens.front = Screen::Game;
            app.overlay = None;
            begin(&mut app, NewGame::default());
        }
    }
    assert!(plies > 5, "the games got nowhere: {plies}");
    assert!(left > 0, "nobody ever left");
}

#[test]
fn every_size_can_be_drawn() {
    let mut app = super::start();
    super::play(&mut app, "e4 e5 Nf3 Nc6 Bb5");
    super::write(&mut app, "N");
    let mut other = super::start();
    super::play(&mut other, "f3 e5 g4 Qh4");
    let mut review = super::reviewing::reviewed();
    super::write(&mut review, "...");
    let mut picker = listed(super::start());
    let mut one = watched(super::start());
    let mut grid = watched(super::start());
    super::write(&mut grid, "g");
    let mut buffer = Buffer::empty(Rect::ZERO);
    for width in 1..=300 {
        for height in 1..=100 {
            let app = match (width + height) % 6 {
                4 => &mut one,
                5 => &mut grid,
                0 => &mut app,
                1 => &mut other,
                2 => &mut review,
                _ => &mut picker,
            };
            app.look.size = Size::new(width, height);
            buffer.resize(Rect::new(0, 0, width, height));
            draw(app, &mut buffer);
        }
    }
}
