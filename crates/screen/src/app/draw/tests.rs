//! Every screen at five sizes, character by character and style by style.

use std::collections::BTreeMap;
use std::fmt::Write;

use crossterm::event::{KeyCode, MouseButton};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier};

use tabiya_front::color::Depth;
use tabiya_game::Timestamp;
use tabiya_rules::Color as Side;

use crate::app::tests::engine_options::{engines, options};
use crate::app::tests::engines::{advised, thinking};
use crate::app::tests::exploring::explored;
use crate::app::tests::reviewing::{GAME, listed, record, reviewed};
use crate::app::tests::saving::saved;
use crate::app::tests::studying::judged;
use crate::app::tests::watching::watched;
use crate::app::tests::{drag, enter, game, play, press, write};
use crate::app::{App, Screen, update};
use crate::message::StoreMessage;
use crate::tui::charset::Charset;

const SIZES: [(u16, u16); 5] = [(132, 43), (100, 30), (80, 24), (60, 18), (40, 12)];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The text, then a letter for the style of each cell, then what the letters stand for.
fn dump(app: &App) -> String {
    let area = Rect::new(0, 0, app.look.size.width, app.look.size.height);
    let mut buffer = Buffer::empty(area);
    let cursor = super::draw(app, &mut buffer).cursor;
    let mut text = String::new();
    let mut styles = String::new();
    let mut letters: BTreeMap<String, char> = BTreeMap::new();
    let mut free = ('a'..='z').chain('A'..='Z');
    for y in 0..area.height {
        for x in 0..area.width {
            let cell = &buffer[(x, y)];
            text.push_str(cell.symbol());
            let style = describe(cell.fg, cell.bg, cell.modifier);
            let letter = *letters
                .entry(style)
                .or_insert_with(|| free.next().expect("few styles"));
            styles.push(letter);
        }
        // Trailing spaces would be lost in editors.
        text.push_str("|\n");
        styles.push('\n');
    }
    let mut out = text + &styles;
    for (style, letter) in letters {
        writeln!(out, "{letter} {style}").expect("a string");
    }
    writeln!(out, "cursor {cursor:?}").expect("a string");
    out
}

fn describe(fg: Color, bg: Color, modifier: Modifier) -> String {
    format!("{fg} on {bg} {modifier:?}")
}

/// Compares with the stored picture of a screen.
fn check(name: &str, make: impl Fn(u16, u16) -> App) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/screens");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (width, height) in SIZES {
            let app = make(width, height);
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), dump(&app));
            check_letters(name, make(width, height));
        }
    });
}

/// Every sign has a letter that stands for it where there are only letters.
fn check_letters(name: &str, mut app: App) {
    let draw = |app: &App| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, app.look.size.width, app.look.size.height));
        super::draw(app, &mut buffer);
        buffer
    };
    let signs = draw(&app);
    app.look.charset = Charset::Ascii;
    let letters = draw(&app);
    for (sign, letter) in signs.content.iter().zip(&letters.content) {
        let is_lost = letter.symbol() == "?" && sign.symbol() != "?";
        assert!(!is_lost, "{name}: nothing stands for {}", sign.symbol());
    }
}

#[test]
fn home() {
    check("home", |width, height| {
        let mut app = game(START, width, height);
        press(&mut app, KeyCode::Esc);
        app
    });
}

#[test]
fn a_game_in_its_opening_with_a_move_half_typed() {
    check("opening", |width, height| {
        let mut app = game(START, width, height);
        play(&mut app, "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4");
        write(&mut app, "B");
        app
    });
}

#[test]
fn check_with_a_piece_held_captures_and_variations() {
    check("check", |width, height| {
        let mut app = game(START, width, height);
        play(&mut app, "e4 d5 exd5 Qxd5 Nc3 Qa5");
        write(&mut app, "uu");
        play(&mut app, "d4 Qe4");
        app.view_mut().cursor = tabiya_rules::Square::D1;
        app.view_mut().cursor_shown = true;
        press(&mut app, KeyCode::Enter);
        app
    });
}

#[test]
fn the_bot_thinks() {
    check("thinking", thinking);
}

#[test]
fn a_hint_and_the_best_lines() {
    check("lines", advised);
}

#[test]
fn the_course_of_the_game_without_the_lines() {
    check("course", |width, height| {
        let mut app = advised(width, height);
        write(&mut app, "l");
        app
    });
}

#[test]
fn letters_are_enough() {
    check("ascii", |width, height| {
        let mut app = game(START, width, height);
        app.look.charset = Charset::Ascii;
        play(&mut app, "e4 f5 Qh5 g6 Qxg6");
        app.view_mut().cursor = tabiya_rules::Square::H7;
        app.view_mut().cursor_shown = true;
        press(&mut app, KeyCode::Enter);
        app
    });
}

#[test]
fn a_refused_move() {
    check("refused", |width, height| {
        let mut app = game(START, width, height);
        enter(&mut app, "e2e5");
        app
    });
}

#[test]
fn the_promotion_picker() {
    check("promotion", |width, height| {
        let mut app = game("8/4P3/8/8/8/8/8/k6K w - - 0 1", width, height);
        enter(&mut app, "e8");
        app
    });
}

#[test]
fn the_end() {
    check("end", |width, height| {
        let mut app = game(START, width, height);
        play(&mut app, "f3 e5 g4 Qh4");
        app
    });
}

#[test]
fn the_menu() {
    check("menu", |width, height| {
        let mut app = game(START, width, height);
        write(&mut app, "x");
        app
    });
}

#[test]
fn the_form() {
    check("form", |width, height| {
        let mut app = game(START, width, height);
        write(&mut app, "xn");
        app
    });
}

#[test]
fn the_help() {
    check("help", |width, height| {
        let mut app = game(START, width, height);
        write(&mut app, "?");
        app
    });
}

#[test]
fn the_palette() {
    check("palette", |width, height| {
        let mut app = game(START, width, height);
        write(&mut app, ":re");
        app
    });
}

#[test]
fn a_game_as_text() {
    check("sheet", |width, height| {
        let mut app = game(START, width, height);
        play(&mut app, "e4 e5");
        write(&mut app, "Y");
        app
    });
}

#[test]
fn a_review_with_variations_comments_and_marks() {
    check("review", |width, height| {
        let mut app = reviewed();
        app.look.size = ratatui_core::layout::Size::new(width, height);
        write(&mut app, "...");
        let g1 = tabiya_rules::Square::G1;
        drag(&mut app, g1, tabiya_rules::Square::F3, MouseButton::Right);
        write(&mut app, "m1");
        app
    });
}

#[test]
fn the_engines_and_their_options() {
    check("engines", engines);
    check("engine_options", |width, height| {
        let mut app = options(width, height);
        press(&mut app, KeyCode::Down);
        press(&mut app, KeyCode::Right);
        app
    });
    check("engine_option_refused", |width, height| {
        let mut app = options(width, height);
        press(&mut app, KeyCode::Down);
        write(&mut app, "9999");
        press(&mut app, KeyCode::Enter);
        app
    });
}

#[test]
fn the_settings() {
    check("settings", |width, height| {
        let mut app = game(START, width, height);
        write(&mut app, ":settings");
        press(&mut app, KeyCode::Enter);
        press(&mut app, KeyCode::Down);
        app
    });
}

#[test]
fn a_match_on_one_board_and_on_many() {
    check("match", |width, height| watched(game(START, width, height)));
    check("grid", |width, height| {
        let mut app = watched(game(START, width, height));
        write(&mut app, "g");
        app
    });
}

#[test]
fn a_judged_game() {
    check("judged", |width, height| {
        let mut app = judged();
        app.look.size = ratatui_core::layout::Size::new(width, height);
        app
    });
}

#[test]
fn the_menu_of_a_review() {
    check("review_menu", |width, height| {
        let mut app = listed(game(START, width, height));
        let origin = tabiya_front::review::Origin::Text;
        app.open_review(record(GAME), origin);
        write(&mut app, "...]x");
        press(&mut app, KeyCode::Up);
        app
    });
}

#[test]
fn the_marks() {
    check("marks", |width, height| {
        let mut app = game(START, width, height);
        play(&mut app, "e4");
        write(&mut app, "m");
        app
    });
}

#[test]
fn the_games_of_a_file() {
    check("picker", |width, height| listed(game(START, width, height)));
}

#[test]
fn the_saved_games() {
    check("saves", |width, height| saved(game(START, width, height)));
    check("saves_damaged", |width, height| {
        let mut app = saved(game(START, width, height));
        press(&mut app, KeyCode::Down);
        press(&mut app, KeyCode::Down);
        app
    });
    check("saves_delete", |width, height| {
        let mut app = saved(game(START, width, height));
        press(&mut app, KeyCode::Down);
        press(&mut app, KeyCode::Delete);
        app
    });
    check("saves_empty", |width, height| {
        let mut app = game(START, width, height);
        enter(&mut app, ":saves");
        let nothing = StoreMessage::Listed(Ok(Vec::new()));
        update(&mut app, nothing, Timestamp::ORIGIN);
        app
    });
}

#[test]
fn the_explorer() {
    check("explorer", |width, height| {
        explored(game(START, width, height))
    });
    check("explorer_focus", |width, height| {
        let mut app = explored(game(START, width, height));
        write(&mut app, "w");
        press(&mut app, KeyCode::Down);
        app
    });
    check("explorer_games", |width, height| {
        let mut app = explored(game(START, width, height));
        write(&mut app, "w");
        press(&mut app, KeyCode::Tab);
        app
    });
    check("explorer_home", |width, height| {
        let mut app = game(START, width, height);
        app.screens.front = Screen::Home;
        explored(app)
    });
}

#[test]
fn without_colors_everything_has_a_shape() {
    check("mono", |width, height| {
        let mut app = game(START, width, height);
        app.look.depth = Depth::Mono;
        play(&mut app, "e4 f5 Qh5");
        app.view_mut().cursor = tabiya_rules::Square::G7;
        app.view_mut().cursor_shown = true;
        press(&mut app, KeyCode::Enter);
        app
    });
    let mut app = game(START, 80, 24);
    app.look.depth = Depth::Mono;
    play(&mut app, "e4");
    let text = dump(&app);
    assert!(
        !text.contains("Rgb") && !text.contains('#') && text.contains('░'),
        "{text}"
    );
}

/// The same shapes as with colors, and the sides differ by reverse video.
#[test]
fn without_colors_pieces_fill_their_squares_too() {
    for (width, height) in SIZES.into_iter().filter(|&(width, _)| width >= 80) {
        let mut app = game(START, width, height);
        let draw = |app: &App| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            super::draw(app, &mut buffer);
            buffer
        };
        let colored = draw(&app);
        app.look.depth = Depth::Mono;
        let mono = draw(&app);
        let board = app.layout().expect("it fits").board;
        for square in tabiya_rules::Square::ALL {
            let piece = app.desk.front().position().board().piece_at(square);
            for at in board.square(square).positions() {
                let (symbol, cell) = (colored[at].symbol(), &mono[at]);
                let pattern = if square.is_light() { " " } else { "░" };
                let expected = if symbol == " " { pattern } else { symbol };
                assert_eq!(cell.symbol(), expected, "{square}");
                let is_black = piece.is_some_and(|piece| piece.color == Side::Black);
                // A symbol that shows what the piece leaves free is reversed by itself.
                let is_reversed = cell.modifier.contains(Modifier::REVERSED);
                assert_eq!(is_reversed, is_black != (symbol == "▂"), "{square}");
            }
        }
    }
}

#[test]
fn sixteen_colors_are_enough() {
    check("sixteen", |width, height| {
        let mut app = game(START, width, height);
        app.look.depth = Depth::Sixteen;
        play(&mut app, "e4 e5");
        app
    });
}
