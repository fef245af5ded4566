//! The home screen: what can be done, and nothing else.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::App;
use crate::tui::geometry::centered;
use crate::tui::text::{put, row};

const WIDTH: u16 = 36;

/// The lines above the menu: the name, what it is, and room.
const ABOVE: u16 = 4;

fn area(app: &App) -> Rect {
    let items = app.home_items().len() as u16;
    centered(app.size, WIDTH, ABOVE + items + 3)
}

/// The rows of the menu, which the mouse reads too.
fn rows(app: &App) -> impl Iterator<Item = Rect> {
    let area = area(app);
    (0..app.home_items().len() as u16).map(move |at| row(area, ABOVE + at))
}

/// The line of the menu at a cell.
pub(crate) fn item_at(app: &App, at: Position) -> Option<usize> {
    rows(app).position(|row| row.contains(at))
}

pub(super) fn draw(app: &App, buffer: &mut Buffer) {
    let palette = app.palette();
    let area = area(app);
    put(buffer, row(area, 0), 0, "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜", palette.dim());
    put(buffer, row(area, 1), 0, "T a b i y a", palette.accent());
    put(
        buffer,
        row(area, 2),
        0,
        "chess for the terminal",
        palette.dim(),
    );
    for (at, (item, row)) in app.home_items().into_iter().zip(rows(app)).enumerate() {
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
    let below = row(area, area.height.saturating_sub(2));
    put(
        buffer,
        below,
        0,
        "↑↓ choose  Enter go  : command  ? help",
        palette.dim(),
    );
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
