//! A text to be read: a game as PGN, the answer to a command.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::frame;
use super::key_line::{KeyLine, Keys};
use crate::app::App;
use crate::app::sheet::{Page, Sheet};
use crate::tui::geometry::inside_of;
use crate::tui::text::{put, row};

/// What can be done.
const KEYS: Keys = &[("↑↓", "scroll"), ("Esc", "close")];

pub(super) fn area(sheet: &Sheet, size: Size) -> Rect {
    Page::new(sheet, size).area
}

/// The line of keys, the last one inside.
pub(super) fn keys(sheet: &Sheet, size: Size) -> KeyLine {
    let page = Page::new(sheet, size);
    let inside = inside_of(page.area);
    // There is nothing to scroll where everything is seen.
    let keys = if page.last_top() > 0 {
        KEYS
    } else {
        &KEYS[1..]
    };
    KeyLine::right(row(inside, inside.height.saturating_sub(1)), keys)
}

pub(super) fn draw(sheet: &Sheet, app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let page = Page::new(sheet, app.size);
    let inside = frame(
        buffer,
        page.area,
        sheet.title,
        palette.text(),
        palette.accent(),
    );
    // The screen may have grown since it was scrolled.
    let top = sheet.scroll.min(page.last_top());
    let seen = page.lines.iter().skip(top).take(page.room);
    for (at, line) in seen.enumerate() {
        put(buffer, row(inside, at as u16), 0, line, palette.text());
    }
    keys(sheet, app.size).draw(buffer, palette);
}
