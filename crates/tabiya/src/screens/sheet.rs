//! A text to be read: a game as PGN, the answer to a command.

use ratatui::buffer::Buffer;

use ratatui::layout::{Rect, Size};

use super::frame;
use super::key_line::{KeyLine, Keys};
use crate::app::{App, Sheet};
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{put, row, width, wrap};

/// What can be done.
const KEYS: Keys = &[("↑↓", "scroll"), ("Esc", "close")];

pub(super) fn area(sheet: &Sheet, size: Size) -> Rect {
    let widest = sheet
        .lines
        .iter()
        .map(|line| width(line))
        .max()
        .unwrap_or(0);
    let wanted = widest.saturating_add(4).clamp(30, 84);
    let height = u16::try_from(sheet.lines.len())
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    centered(size, wanted, height.max(4))
}

/// The line of keys, the last one inside.
pub(super) fn keys(sheet: &Sheet, size: Size) -> KeyLine {
    let inside = inside_of(area(sheet, size));
    KeyLine::right(row(inside, inside.height.saturating_sub(1)), KEYS)
}

pub(super) fn draw(sheet: &Sheet, app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let area = area(sheet, app.size);
    let inside = frame(buffer, area, sheet.title, palette.text(), palette.accent());
    let room = inside.height.saturating_sub(1);
    let lines = sheet
        .lines
        .iter()
        .skip(sheet.scroll)
        .flat_map(|line| wrap(line, inside.width));
    for (at, line) in lines.take(usize::from(room)).enumerate() {
        put(buffer, row(inside, at as u16), 0, &line, palette.text());
    }
    keys(sheet, app.size).draw(buffer, palette);
}
