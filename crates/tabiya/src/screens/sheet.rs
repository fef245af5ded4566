//! A text to be read: a game as PGN, the answer to a command.

use ratatui::buffer::Buffer;

use super::frame;
use crate::app::{App, Sheet};
use crate::tui::geometry::centered;
use crate::tui::text::{put, put_right, row, width, wrap};

pub(super) fn draw(sheet: &Sheet, app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
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
    let area = centered(app.size, wanted, height.max(4));
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
    let last = row(inside, inside.height.saturating_sub(1));
    put_right(buffer, last, "↑↓ scroll  Esc close", palette.dim());
}
