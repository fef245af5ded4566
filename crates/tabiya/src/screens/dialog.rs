//! A question with its answers: beside the board where there is room, so that the position stays in sight, and else in
//! the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::frame;
use crate::app::App;
use crate::app::dialog::Dialog;
use crate::app::dialog::layout::{Room, area, title};
use crate::tui::geometry::inside_of;
use crate::tui::text::{fitted, put, row, width};

/// Where the answers stand, which the mouse reads too. Where there is no room for all of them, those around the chosen
/// one are shown.
fn rows(dialog: &Dialog, room: Room) -> Vec<(usize, Rect)> {
    let area = area(dialog, room);
    let inside = inside_of(area);
    let above = title(dialog, inside.width).len() + dialog.text.len();
    let above = u16::try_from(above).unwrap_or(u16::MAX);
    let count = dialog.choices.len();
    // A line of air, if there is one to spare.
    let needed = u16::try_from(count).unwrap_or(u16::MAX);
    let air = u16::from(above.saturating_add(needed) < inside.height);
    let room = inside.height.saturating_sub(above + air);
    let first = (dialog.chosen + 1).saturating_sub(usize::from(room));
    (0..room)
        .map(|at| (first + usize::from(at), row(inside, above + air + at)))
        .take_while(|(choice, _)| *choice < count)
        .collect()
}

/// The answer at a cell.
pub(crate) fn choice_at(dialog: &Dialog, room: Room, at: Position) -> Option<usize> {
    rows(dialog, room)
        .into_iter()
        .find(|(_, row)| row.contains(at))
        .map(|(choice, _)| choice)
}

pub(super) fn draw(dialog: &Dialog, app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let inside = frame(
        buffer,
        area(dialog, Room::of(app)),
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
    for (at, row) in rows(dialog, Room::of(app)) {
        let Some(choice) = dialog.choices.get(at) else {
            break;
        };
        let style = if at == dialog.chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if at == dialog.chosen { "▸" } else { " " };
        let air = if width(&choice.label) + 6 > row.width {
            4
        } else {
            6
        };
        let wide = row.width.saturating_sub(air);
        let label = fitted(&choice.label, wide);
        let room = usize::from(wide);
        let text = format!("{sign} {label:<room$} {}", choice.key);
        put(buffer, row, 0, &text, style);
    }
}
