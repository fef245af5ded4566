//! Where a question stands: beside the board where there is room, so that the position stays in sight, and else in the
//! middle of the screen.

use ratatui::layout::{Rect, Size};

use super::Dialog;
use crate::app::{App, Screen};
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{width, wrap};

/// The narrowest question that can still be read.
const NARROWEST: u16 = 16;

/// The title over several lines where it is long.
pub(crate) fn title(dialog: &Dialog, room: u16) -> Vec<String> {
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

/// Where it stands.
pub(crate) fn area(dialog: &Dialog, Room { size, beside }: Room) -> Rect {
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
