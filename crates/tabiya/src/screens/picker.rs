//! The games of a file: the search, the list, and how far it has come.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::key_line::{KeyLine, Keys};
use super::{rule, typed};
use crate::app::App;
use crate::app::picker::Picker;
use crate::tui::text::{put, put_right, row};

/// What can be done, the most needed first.
const KEYS: Keys = &[
    ("↑↓", "choose"),
    ("Enter", "open"),
    ("Esc", "back"),
    ("letters", "search"),
    (":goto N", "game N"),
    ("?", "help"),
    (":", "command"),
];

/// The lines of the list, and the first game that is shown.
fn list(app: &App, picker: &Picker) -> (Rect, usize) {
    let room = Rect::new(0, 3, app.size.width, app.size.height.saturating_sub(5));
    let first = (picker.chosen + 1).saturating_sub(usize::from(room.height));
    (room, first)
}

/// The game of the list at a cell.
pub(crate) fn game_at(app: &App, at: Position) -> Option<usize> {
    let picker = app.picker.as_ref()?;
    let (room, first) = list(app, picker);
    if !room.contains(at) {
        return None;
    }
    let game = first + usize::from(at.y - room.y);
    Some(game).filter(|&game| game < picker.len())
}

/// The line of keys, the last one of the screen.
pub(super) fn keys(size: Size) -> KeyLine {
    let last = Rect::new(0, size.height.saturating_sub(1), size.width, 1);
    KeyLine::left(last, KEYS)
}

pub(super) fn draw(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let picker = app.picker.as_ref()?;
    let palette = app.palette();
    let screen = buffer.area;
    put(
        buffer,
        row(screen, 0),
        1,
        &picker.path.display().to_string(),
        palette.accent(),
    );
    put_right(
        buffer,
        row(screen, 0),
        &format!("{} ", standing(picker)),
        palette.dim(),
    );
    let (_, cursor) = typed(
        buffer,
        row(screen, 1),
        " search: ",
        &picker.query,
        (palette.dim(), palette.text()),
    );
    rule(buffer, row(screen, 2), palette.dim());
    draw_list(app, picker, buffer);
    let bottom = screen.height.saturating_sub(1);
    rule(buffer, row(screen, bottom.saturating_sub(1)), palette.dim());
    if app.is_leaving() {
        let sentence = "Press Ctrl-C again to leave.";
        put(buffer, row(screen, bottom), 1, sentence, palette.warning());
    } else {
        keys(app.size).draw(buffer, palette);
    }
    Some(cursor)
}

fn standing(picker: &Picker) -> String {
    let count = picker.count();
    let games = match count {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    let found = if picker.len() == count {
        games
    } else {
        format!("{} of {games}", picker.len())
    };
    match &picker.ended {
        None => format!("{found}, reading…"),
        Some(_) => found,
    }
}

fn draw_list(app: &App, picker: &Picker, buffer: &mut Buffer) {
    let palette = app.palette();
    let (room, first) = list(app, picker);
    if let Some(Err(error)) = &picker.ended {
        put(buffer, room, 1, &error.to_string(), palette.warning());
        return;
    }
    if picker.len() == 0 && picker.ended.is_some() {
        let sentence = if picker.count() == 0 {
            "There is no game in this file."
        } else {
            "No player is called so."
        };
        put(buffer, room, 1, sentence, palette.dim());
    }
    for line in 0..room.height {
        let at = first + usize::from(line);
        let Some((number, listed)) = picker.game(at) else {
            break;
        };
        let chosen = at == picker.chosen;
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let area = row(room, line);
        if chosen {
            buffer.set_style(area, style);
        }
        let sign = if chosen { "▸" } else { " " };
        // Where there is room: the number, both players, the date and the result, in columns.
        let (dated, ends) = (room.width >= 60, 9);
        let right = if dated { ends + 12 } else { ends };
        let players = Rect {
            width: room.width.saturating_sub(right),
            ..area
        };
        let name = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let text = format!(
            "{sign}{:>7}  {} – {}",
            number + 1,
            name(listed.white),
            name(listed.black)
        );
        put(buffer, players, 0, &text, style);
        if dated {
            put(buffer, area, room.width - right + 1, listed.date, style);
        }
        put(buffer, area, room.width - ends + 1, listed.result, style);
    }
}
