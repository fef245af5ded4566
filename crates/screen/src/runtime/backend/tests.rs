use crossterm::style::force_color_output;
use ratatui_core::backend::{Backend, ClearType};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::{Color, Modifier, Style};

use super::TerminalBackend;

/// What is written for cells, without the reset at the end.
fn written(cells: &[(u16, u16, Cell)]) -> String {
    // Like the full screen: `NO_COLOR` in the environment of the tests must not matter.
    force_color_output(true);
    let bytes = bytes_of(|backend| backend.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))));
    let rest = bytes.strip_suffix("\u{1b}[0m");
    rest.expect("a reset at the end").replace('\u{1b}', "^")
}

fn bytes_of(write: impl FnOnce(&mut TerminalBackend<Vec<u8>>) -> std::io::Result<()>) -> String {
    let mut backend = TerminalBackend::new(Vec::new());
    write(&mut backend).expect("a vector takes all bytes");
    String::from_utf8(backend.0).expect("text")
}

fn cell(symbol: &str, style: impl Into<Style>) -> Cell {
    let mut cell = Cell::default();
    cell.set_symbol(symbol).set_style(style);
    cell
}

fn plain(symbol: &str) -> Cell {
    cell(symbol, Style::new())
}

#[test]
fn the_cursor_moves_only_over_gaps() {
    let line = [(3, 1, plain("a")), (4, 1, plain("b")), (5, 1, plain("c"))];
    assert_eq!(written(&line), "^[2;4Habc");
    let gap = [(0, 0, plain("a")), (2, 0, plain("b"))];
    assert_eq!(written(&gap), "^[1;1Ha^[1;3Hb");
    let back = [(1, 0, plain("a")), (0, 0, plain("b")), (0, 0, plain("c"))];
    assert_eq!(written(&back), "^[1;2Ha^[1;1Hb^[1;1Hc");
    // The column after a cell, but in another line.
    let below = [(0, 0, plain("a")), (1, 1, plain("b"))];
    assert_eq!(written(&below), "^[1;1Ha^[2;2Hb");
    assert_eq!(written(&[]), "");
}

#[test]
fn the_cursor_moves_after_a_wide_symbol() {
    let before = Buffer::empty(Rect::new(0, 0, 4, 1));
    let mut after = before.clone();
    after.set_string(0, 0, "棋x", Style::new());
    let changes = before.diff(&after).into_iter();
    let cells: Vec<_> = changes.map(|(x, y, cell)| (x, y, cell.clone())).collect();
    assert_eq!(written(&cells), "^[1;1H棋^[1;3Hx");
    // After an emoji, the cell that it covers is cleared first if it had another symbol.
    let before = Buffer::with_lines(["abc"]);
    let mut after = before.clone();
    after.set_string(0, 0, "\u{265f}\u{fe0f}x", Style::new());
    let changes = before.diff(&after).into_iter();
    let cells: Vec<_> = changes.map(|(x, y, cell)| (x, y, cell.clone())).collect();
    assert_eq!(written(&cells), "^[1;1H\u{265f}\u{fe0f}^[1;2H x");
}

#[test]
fn colors_are_written_when_they_change() {
    let red = Style::new().fg(Color::Red);
    let cells = [
        (0, 0, plain("a")),
        (1, 0, cell("b", red)),
        (2, 0, cell("c", red)),
        (3, 0, cell("d", red.bg(Color::Rgb(1, 2, 3)))),
        (4, 0, cell("e", (Color::Indexed(200), Color::LightRed))),
        (5, 0, plain("f")),
    ];
    let expected = "^[1;1Ha^[38;5;1mbc^[48;2;1;2;3md^[38;5;200;48;5;9me^[39;49mf";
    assert_eq!(written(&cells), expected);
    // A gap does not change the pen.
    let cells = [(0, 0, cell("a", red)), (0, 1, cell("b", red))];
    assert_eq!(written(&cells), "^[1;1H^[38;5;1ma^[2;1Hb");
}

#[test]
fn every_color_of_the_sixteen_has_its_number() {
    let colors = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    for (number, color) in colors.into_iter().enumerate() {
        let expected = format!("^[1;1H^[38;5;{number}ma");
        assert_eq!(written(&[(0, 0, cell("a", color))]), expected, "{color}");
    }
}

#[test]
fn modifiers_are_turned_on_and_off() {
    let one_after_another = |first, second| {
        let cells = [(0, 0, cell("a", first)), (1, 0, cell("b", second))];
        let written = written(&cells);
        let between = written.split_once('a').and_then(|(_, rest)| {
            let (between, _) = rest.split_once('b')?;
            Some(between.to_owned())
        });
        between.expect("both symbols")
    };
    let none = Modifier::empty();
    for (modifier, on, off) in [
        (Modifier::BOLD, "^[1m", "^[22m"),
        (Modifier::DIM, "^[2m", "^[22m"),
        (Modifier::ITALIC, "^[3m", "^[23m"),
        (Modifier::UNDERLINED, "^[4m", "^[24m"),
        (Modifier::SLOW_BLINK, "^[5m", "^[25m"),
        (Modifier::RAPID_BLINK, "^[6m", "^[25m"),
        (Modifier::REVERSED, "^[7m", "^[27m"),
        (Modifier::HIDDEN, "^[8m", "^[28m"),
        (Modifier::CROSSED_OUT, "^[9m", "^[29m"),
    ] {
        assert_eq!(one_after_another(none, modifier), on, "{modifier:?}");
        assert_eq!(one_after_another(modifier, none), off, "{modifier:?}");
        assert_eq!(one_after_another(modifier, modifier), "", "{modifier:?}");
    }
    // One sequence turns both off, so what stays is turned on again.
    let (bold, dim) = (Modifier::BOLD, Modifier::DIM);
    assert_eq!(one_after_another(bold | dim, bold), "^[22m^[1m");
    assert_eq!(one_after_another(bold | dim, dim), "^[22m^[2m");
    assert_eq!(one_after_another(bold, dim), "^[22m^[2m");
    assert_eq!(one_after_another(bold, bold | dim), "^[2m");
    let both = bold | Modifier::REVERSED;
    assert_eq!(
        one_after_another(both, Modifier::UNDERLINED),
        "^[22m^[27m^[4m"
    );
}

#[test]
fn every_call_begins_with_the_default_pen() {
    let red = [(0, 0, cell("a", Style::new().fg(Color::Red).bold()))];
    let plain = [(1, 0, plain("b"))];
    let drawn = bytes_of(|backend| {
        backend.draw(red.iter().map(|(x, y, cell)| (*x, *y, cell)))?;
        backend.draw(plain.iter().map(|(x, y, cell)| (*x, *y, cell)))
    });
    let expected = "^[1;1H^[1m^[38;5;1ma^[0m^[1;2Hb^[0m";
    assert_eq!(drawn.replace('\u{1b}', "^"), expected);
}

#[test]
fn the_cursor_and_clearing() {
    let shown = bytes_of(|backend| {
        backend.hide_cursor()?;
        backend.set_cursor_position(Position::new(4, 2))?;
        backend.show_cursor()
    });
    assert_eq!(shown, "\u{1b}[?25l\u{1b}[3;5H\u{1b}[?25h");
    assert_eq!(bytes_of(Backend::clear), "\u{1b}[2J");
    for (region, expected) in [
        (ClearType::All, "\u{1b}[2J"),
        (ClearType::AfterCursor, "\u{1b}[J"),
        (ClearType::BeforeCursor, "\u{1b}[1J"),
        (ClearType::CurrentLine, "\u{1b}[2K"),
        (ClearType::UntilNewLine, "\u{1b}[K"),
    ] {
        assert_eq!(bytes_of(|backend| backend.clear_region(region)), expected);
    }
}
