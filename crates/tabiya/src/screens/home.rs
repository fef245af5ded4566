//! The home screen: what can be done, and nothing else.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::key_line::{KeyLine, Keys};
use crate::app::App;
use crate::tui::geometry::centered;
use crate::tui::text::{put, row};

const WIDTH: u16 = 38;

/// Where everything is: the lines above the menu, how many of the menu are shown, and the first of them.
struct Layout {
    area: Rect,
    above: u16,
    shown: u16,
    first: usize,
}

fn layout(app: &App) -> Layout {
    let items = app.home_items().len() as u16;
    // The name, what it is and room, as far as there are lines to spare; below it what the keys do.
    let above = match app.size.height.saturating_sub(items) {
        0..3 => 0,
        3..7 => 1,
        _ => 4,
    };
    let area = centered(app.size, WIDTH, above + items + 3);
    let shown = items.min(area.height.saturating_sub(above));
    let first = (app.home + 1).saturating_sub(usize::from(shown));
    Layout {
        area,
        above,
        shown,
        first,
    }
}

/// The rows of the menu with what they are, which the mouse reads too.
fn rows(app: &App) -> impl Iterator<Item = (usize, Rect)> {
    let layout = layout(app);
    (0..layout.shown).map(move |at| {
        let line = row(layout.area, layout.above + at);
        (layout.first + usize::from(at), line)
    })
}

/// The line of the menu at a cell.
pub(crate) fn item_at(app: &App, at: Position) -> Option<usize> {
    rows(app)
        .find(|(_, row)| row.contains(at))
        .map(|(item, _)| item)
}

/// The line of keys under the menu.
pub(super) fn keys(app: &App) -> KeyLine {
    const KEYS: Keys = &[
        ("↑↓", "choose"),
        ("Enter", "go"),
        (":", "command"),
        ("?", "help"),
    ];
    let Layout {
        area, above, shown, ..
    } = layout(app);
    let below = row(area, above + shown + u16::from(above > 1));
    // A line of keys begins in the second column of its area.
    let below = Rect {
        x: below.x.saturating_sub(1),
        width: below.width + 1,
        ..below
    };
    KeyLine::left(below, KEYS)
}

pub(super) fn draw(app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let Layout { area, above, .. } = layout(app);
    match above {
        0 => {}
        1 => {
            put(buffer, row(area, 0), 0, "T a b i y a", palette.accent());
        }
        _ => {
            put(buffer, row(area, 0), 0, "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", palette.dim());
            put(buffer, row(area, 1), 0, "T a b i y a", palette.accent());
            let what = "chess for the terminal";
            put(buffer, row(area, 2), 0, what, palette.dim());
        }
    }
    let items = app.home_items();
    for (at, row) in rows(app) {
        let Some(item) = items.get(at) else { break };
        let chosen = at == app.home;
        let sign = if chosen { "▸ " } else { "  " };
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        put(
            buffer,
            row,
            0,
            &format!("{sign}{:<32}", item.label()),
            style,
        );
    }
    keys(app).draw(buffer, palette);
    if app.is_leaving() {
        let last = row(area, area.height.saturating_sub(1));
        put(
            buffer,
            last,
            0,
            "Press Ctrl-C again to leave.",
            palette.warning(),
        );
    }
}
