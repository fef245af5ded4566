//! The help, over the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::help::{Help, HelpLine};
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{put, row, width, wrap};

/// What can be done.
const KEYS: Keys = &[("type", "to search"), ("↑↓", "scroll"), ("Esc", "close")];

pub(super) fn area(size: Size) -> Rect {
    centered(size, 96, size.height)
}

/// The line of keys, the last one inside.
pub(super) fn keys(size: Size) -> KeyLine {
    let inside = inside_of(area(size));
    KeyLine::right(row(inside, inside.height.saturating_sub(1)), KEYS)
}

pub(super) fn draw(help: &Help, app: &App, buffer: &mut Buffer) -> Option<Position> {
    let palette = app.palette();
    let inside = frame(
        buffer,
        area(app.size),
        "Help",
        palette.text(),
        palette.accent(),
    );
    let (_, cursor) = typed(
        buffer,
        row(inside, 0),
        "search: ",
        &help.query,
        (palette.dim(), palette.text()),
    );
    let room = inside.height.saturating_sub(3);
    // Names stand on the left; where there is little room, under their own line.
    let left = if inside.width >= 60 { 24 } else { 4 };
    let mut shown = Vec::new();
    for line in help.lines(&app.keys) {
        match line {
            HelpLine::Title(title) => shown.push((0, title.to_owned(), palette.accent())),
            HelpLine::Item { left: name, right } => {
                let fits = width(&name) + 3 <= left;
                if !name.is_empty() {
                    shown.push((2, name.clone(), palette.text()));
                }
                let lines = wrap(&right, inside.width.saturating_sub(left));
                for (at, text) in lines.into_iter().enumerate() {
                    // A name that leaves room shares its line with what it does.
                    let column = if at == 0 && fits && !name.is_empty() {
                        u16::MAX
                    } else {
                        left
                    };
                    shown.push((column, text, palette.dim()));
                }
            }
        }
    }
    let mut lines: Vec<Vec<(u16, String, ratatui::style::Style)>> = Vec::new();
    for (column, text, style) in shown {
        match lines.last_mut() {
            Some(line) if column == u16::MAX => line.push((left, text, style)),
            _ => lines.push(vec![(column, text, style)]),
        }
    }
    let first = help
        .scroll
        .min(lines.len().saturating_sub(usize::from(room)));
    for (at, line) in lines.iter().skip(first).take(usize::from(room)).enumerate() {
        for (column, text, style) in line {
            put(buffer, row(inside, 2 + at as u16), *column, text, *style);
        }
    }
    if lines.is_empty() {
        put(buffer, row(inside, 2), 0, "Nothing fits.", palette.dim());
    }
    keys(app.size).draw(buffer, palette);
    Some(cursor)
}
