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

/// A sheet as it lies on a screen.
struct Page {
    area: Rect,
    /// The lines as they fit between the edges.
    lines: Vec<String>,
    /// How many of them are seen at once.
    room: usize,
}

impl Page {
    fn new(sheet: &Sheet, size: Size) -> Page {
        let widest = sheet.lines.iter().map(|line| width(line)).max();
        let wanted = widest.unwrap_or(0).saturating_add(4).clamp(30, 84);
        let inside = wanted.min(size.width).saturating_sub(4);
        let lines: Vec<String> = sheet
            .lines
            .iter()
            .flat_map(|line| wrap(line, inside))
            .collect();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = centered(size, wanted, height.saturating_add(3).max(4));
        Page {
            area,
            lines,
            // The edges take two lines, and the keys one.
            room: usize::from(area.height.saturating_sub(3)),
        }
    }

    /// The first line that is seen when the last one is.
    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.room)
    }
}

/// How far a sheet can be scrolled, so that its end is seen and nothing beyond it.
pub(crate) fn last_top(sheet: &Sheet, size: Size) -> usize {
    Page::new(sheet, size).last_top()
}

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
