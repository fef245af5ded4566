//! A question with its answers: beside the board where there is room, so that the position stays in sight, and else in
//! the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::frame;
use crate::app::dialog::Dialog;
use crate::app::{App, Screen};
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{fitted, put, row, width, wrap};

/// The narrowest question that can still be read.
const NARROWEST: u16 = 16;

/// The title over several lines where it is long.
fn title(dialog: &Dialog, room: u16) -> Vec<String> {
    wrap(&dialog.title, room)
}

/// Where a question may stand: a part of the screen that is as high as the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    size: Size,
    /// From this column on nothing hides the board.
    beside: u16,
}

impl Room {
    pub(crate) fn of(app: &App) -> Room {
        let layout = app.layout().filter(|_| app.screen == Screen::Game);
        Room {
            size: app.size,
            beside: layout.map_or(0, |layout| layout.divider.right()),
        }
    }
}

pub(super) fn area(dialog: &Dialog, Room { size, beside }: Room) -> Rect {
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
    let rest = size.width.saturating_sub(beside);
    let width = widest.clamp(24, 60).min(size.width);
    // Where the answers can be read, a narrow question beside the board is better than a wide one over it.
    let labels = dialog
        .choices
        .iter()
        .map(|choice| self::width(&choice.label));
    let readable = labels.max().unwrap_or(0) + 8 <= rest || dialog.spares_board;
    let width = if readable && (NARROWEST..width).contains(&rest) {
        rest
    } else {
        width
    };
    let height =
        title(dialog, width.saturating_sub(4)).len() + dialog.text.len() + dialog.choices.len() + 3;
    let height = u16::try_from(height).unwrap_or(u16::MAX);
    if width > rest {
        return centered(size, width, height);
    }
    let area = centered(Size::new(rest, size.height), width, height);
    Rect {
        x: beside + area.x,
        ..area
    }
}

/// Whether all of a question is shown, its answers too.
pub(crate) fn fits(dialog: &Dialog, app: &App) -> bool {
    let room = Room::of(app);
    let lines = title(dialog, inside_of(area(dialog, room)).width);
    let needed = lines.len() + dialog.text.len() + dialog.choices.len() + 2;
    let is_cut = |line: &String| width(line) > inside_of(area(dialog, room)).width;
    needed <= usize::from(room.size.height) && !lines.iter().any(is_cut)
}

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
