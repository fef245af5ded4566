//! The command palette, at the bottom of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::palette::CommandPalette;
use crate::tui::geometry::inside_of;
use crate::tui::text::{fitted, put, row, wrap};

pub(super) fn area(size: Size) -> Rect {
    let height = (size.height / 2).clamp(6, 14).min(size.height);
    let width = size.width.min(84);
    Rect::new(
        (size.width - width) / 2,
        size.height - height,
        width,
        height,
    )
}

/// What can be done.
const KEYS: Keys = &[
    ("↑↓", "choose"),
    ("Tab", "complete"),
    ("Enter", "run"),
    ("Esc", "close"),
];

/// The line of keys, which gives way to what is wrong.
pub(super) fn keys(palette: &CommandPalette, size: Size) -> Option<KeyLine> {
    let line = row(inside_of(area(size)), 1);
    let line = Rect {
        x: line.x.saturating_sub(1),
        width: line.width + 1,
        ..line
    };
    match palette.problem {
        Some(_) => None,
        None => Some(KeyLine::left(line, KEYS)),
    }
}

/// The rows of the list and the first entry that is shown.
fn list(palette: &CommandPalette, size: Size) -> (Vec<Rect>, usize) {
    let area = area(size);
    let room = area.height.saturating_sub(4);
    let rows = (0..room)
        .map(|at| Rect::new(area.x + 2, area.y + 3 + at, area.width.saturating_sub(4), 1))
        .collect();
    let first = (palette.chosen + 1).saturating_sub(usize::from(room));
    (rows, first)
}

/// The entry at a cell.
pub(crate) fn entry_at(palette: &CommandPalette, size: Size, at: Position) -> Option<usize> {
    let (rows, first) = list(palette, size);
    let row = rows.iter().position(|row| row.contains(at))?;
    Some(first + row).filter(|&entry| entry < palette.entries().len())
}

pub(super) fn draw(palette: &CommandPalette, app: &App, buffer: &mut Buffer) -> Option<Position> {
    let colors = app.palette();
    let inside = frame(
        buffer,
        area(app.size),
        "Command",
        colors.text(),
        colors.accent(),
    );
    let (_, cursor) = typed(
        buffer,
        row(inside, 0),
        ": ",
        &palette.line,
        (colors.accent(), colors.text()),
    );
    match &palette.problem {
        Some(problem) => {
            let line = wrap(problem, inside.width)
                .into_iter()
                .next()
                .unwrap_or_default();
            put(buffer, row(inside, 1), 0, &line, colors.warning());
        }
        None => {
            if let Some(keys) = keys(palette, app.size) {
                keys.draw(buffer, colors);
            }
        }
    }
    let (rows, first) = list(palette, app.size);
    let wide = inside.width >= 60;
    for ((at, entry), row) in palette.entries().iter().enumerate().skip(first).zip(rows) {
        let style = if at == palette.chosen {
            colors.chosen()
        } else {
            colors.text()
        };
        let usage = fitted(&entry.usage(), 30);
        let text = if wide {
            format!("{usage:<30} {}", entry.does)
        } else {
            format!("{:<11} {}", entry.name, entry.does)
        };
        put(buffer, row, 0, &text, style);
    }
    Some(cursor)
}
