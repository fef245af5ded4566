//! A question with its answers, in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::frame;
use crate::app::App;
use crate::app::dialog::Dialog;
use crate::tui::geometry::centered;
use crate::tui::text::{put, row, width, wrap};

/// The title over several lines where it is long.
fn title(dialog: &Dialog, room: u16) -> Vec<String> {
    wrap(&dialog.title, room)
}

fn area(dialog: &Dialog, size: Size) -> Rect {
    let lines = dialog
        .choices
        .iter()
        .map(|choice| width(&choice.label) + 10);
    let texts = dialog.text.iter().map(|line| width(line) + 4);
    let widest = lines
        .chain(texts)
        .chain([width(&dialog.title) + 4])
        .max()
        .unwrap_or(20);
    let width = widest.clamp(24, 60).min(size.width);
    let height =
        title(dialog, width.saturating_sub(4)).len() + dialog.text.len() + dialog.choices.len() + 3;
    centered(size, width, u16::try_from(height).unwrap_or(u16::MAX))
}

/// Where the answers stand, which the mouse reads too.
fn rows(dialog: &Dialog, size: Size) -> Vec<Rect> {
    let area = area(dialog, size);
    let inside = Rect::new(
        area.x + 2,
        area.y + 1,
        area.width.saturating_sub(4),
        area.height.saturating_sub(2),
    );
    let above = title(dialog, inside.width).len() + dialog.text.len() + 1;
    (0..dialog.choices.len())
        .map(|at| row(inside, u16::try_from(above + at).unwrap_or(u16::MAX)))
        .collect()
}

/// The answer at a cell.
pub(crate) fn choice_at(dialog: &Dialog, size: Size, at: Position) -> Option<usize> {
    rows(dialog, size).iter().position(|row| row.contains(at))
}

pub(super) fn draw(dialog: &Dialog, app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let inside = frame(
        buffer,
        area(dialog, app.size),
        "",
        palette.text(),
        palette.accent(),
    );
    let title = title(dialog, inside.width);
    for (at, line) in title.iter().enumerate() {
        put(buffer, row(inside, at as u16), 0, line, palette.accent());
    }
    for (at, line) in dialog.text.iter().enumerate() {
        put(
            buffer,
            row(inside, (title.len() + at) as u16),
            0,
            line,
            palette.text(),
        );
    }
    for (at, (choice, row)) in dialog
        .choices
        .iter()
        .zip(rows(dialog, app.size))
        .enumerate()
    {
        let style = if at == dialog.chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if at == dialog.chosen { "▸" } else { " " };
        let room = usize::from(row.width.saturating_sub(6));
        let text = format!("{sign} {:<room$} {}", choice.label, choice.key);
        put(buffer, row, 0, &text, style);
    }
}
