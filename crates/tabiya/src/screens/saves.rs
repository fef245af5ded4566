//! The list of saved games: name, players, date and result of each, and the board of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Cell, Rect, Size};
use tabiya_rules::{Bitboard, ByColor, Color};
use tabiya_store::Summary;

use super::frame;
use super::key_line::{KeyLine, Keys};
use crate::app::App;
use crate::app::saves::{ABOVE, BELOW, BOARD, Saves, WIDE, inside, list};
use crate::saved;
use crate::tui::board::{BoardView, Labels};
use crate::tui::geometry::BoardGeometry;
use crate::tui::text::{put, put_right, row, width, wrap};

/// The room for a name that the program has given, of which only the end tells it from others.
const NAMES: u16 = 25;

/// What can be done, the most needed first.
const KEYS: Keys = &[
    ("Enter", "resume"),
    ("Ctrl-R", "review"),
    ("Del", "delete"),
    ("Esc", "back"),
    ("↑↓", "choose"),
    ("letters", "search"),
];

/// What can be answered when it is asked whether a save shall be deleted.
const ANSWERS: Keys = &[("y", "yes"), ("any other key", "no")];

/// The line of the list at a cell.
pub(crate) fn line_at(size: Size, at: Cell) -> Option<usize> {
    let list = list(size);
    list.contains(at).then(|| usize::from(at.y - list.y))
}

/// The line of keys, the last one inside.
pub(super) fn keys(saves: &Saves, size: Size) -> KeyLine {
    let inside = inside(size);
    let last = row(inside, inside.height.saturating_sub(1));
    let last = Rect {
        x: last.x.saturating_sub(1),
        width: last.width + 1,
        ..last
    };
    KeyLine::left(last, if saves.asks { ANSWERS } else { KEYS })
}

pub(super) fn draw(saves: &Saves, app: &App, buffer: &mut Buffer) -> Option<Cell> {
    let palette = app.palette();
    let screen = buffer.area;
    frame(
        buffer,
        screen,
        "Saved games",
        palette.text(),
        palette.accent(),
    );
    let inside = inside(app.size);
    let styles = (palette.dim(), palette.text());
    let (_, cursor) = super::typed(buffer, row(inside, 0), "search: ", &saves.search, styles);
    let list = list(app.size);
    match saves.instead() {
        Some(sentence) => {
            for (at, line) in wrap(&sentence, list.width).iter().enumerate() {
                put(buffer, row(list, at as u16), 0, line, palette.dim());
            }
        }
        None => draw_list(saves, app, list, buffer),
    }
    if app.size.width >= WIDE {
        draw_chosen(saves, app, inside, buffer);
    }
    draw_below(saves, app, inside, buffer);
    Some(cursor)
}

fn draw_list(saves: &Saves, app: &App, list: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let names = names(saves, list);
    for down in 0..list.height {
        let at = saves.top + usize::from(down);
        let Some(listed) = saves.get(at) else { break };
        let line = row(list, down);
        let chosen = at == saves.chosen;
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if chosen { "▸ " } else { "  " };
        let about = match saves.about(&listed.name) {
            Some(Ok(summary)) => line_about(summary, list.width - names),
            Some(Err(_)) => "cannot be read".to_owned(),
            None => String::new(),
        };
        put(buffer, line, 0, &" ".repeat(usize::from(line.width)), style);
        let left = Rect {
            width: names.saturating_sub(1),
            ..line
        };
        put(buffer, left, 0, &format!("{sign}{}", listed.name), style);
        put(buffer, line, names, &about, style);
    }
    if saves.len() > usize::from(list.height) {
        let above = row(list, 0);
        let above = Rect {
            y: above.y.saturating_sub(1),
            ..above
        };
        let count = format!("{} of {}", saves.chosen + 1, saves.len());
        put_right(buffer, above, &count, palette.dim());
    }
}

/// How wide the names are of the saves that are seen: as wide as they need, and no wider than a half where that is
/// enough for a name that the program has given.
fn names(saves: &Saves, list: Rect) -> u16 {
    let seen = saves.top..saves.top + usize::from(list.height);
    let widest = seen
        .filter_map(|at| saves.get(at))
        .map(|listed| width(listed.name.as_str()) + 3)
        .max();
    let most = (list.width / 2).max(NAMES.min(list.width));
    widest.unwrap_or(most).min(most)
}

/// The result, the players and the date; what there is no room for beside the board gives way.
fn line_about(summary: &Summary, room: u16) -> String {
    let ByColor { white, black } = saved::names(summary);
    let Summary { date, result, .. } = summary;
    let result = match *result {
        "1/2-1/2" => "½-½",
        result => result,
    };
    let players = format!("{white} – {black}");
    let whole = format!("{result:<3}  {players}  {date}");
    let short = format!("{result:<3}  {players}");
    match room {
        0..12 => result.to_owned(),
        room if width(&whole) <= room => whole,
        _ => short,
    }
}

fn length(summary: &Summary) -> String {
    match summary.moves {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    }
}

/// The board of the chosen save, and what there is to say about it.
fn draw_chosen(saves: &Saves, app: &App, inside: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let area = Rect {
        x: inside.right().saturating_sub(BOARD),
        y: inside.y + ABOVE,
        width: BOARD.min(inside.width),
        height: inside.height.saturating_sub(ABOVE + BELOW),
    };
    let about = saves
        .get(saves.chosen)
        .and_then(|listed| saves.about(&listed.name));
    match about {
        None => {}
        Some(Err(error)) => {
            let lines = wrap(&error.to_string(), area.width);
            for (at, line) in lines.iter().take(usize::from(area.height)).enumerate() {
                put(buffer, row(area, at as u16), 0, line, palette.warning());
            }
        }
        Some(Ok(summary)) => {
            let board = BoardView {
                position: &summary.position,
                geometry: BoardGeometry::small(Cell::new(area.x + 2, area.y), Color::White),
                palette,
                pieces: app.pieces(),
                shows_pieces: true,
                cursor: None,
                selected: Bitboard::EMPTY,
                targets: Bitboard::EMPTY,
                last: Bitboard::EMPTY,
                check: None,
                marks: &[],
                labels: Labels::Shown,
            };
            if area.height >= 9 {
                board.draw(buffer);
            }
            let players = saved::names(summary);
            let lines = [
                format!("○ {}", players.white),
                format!("● {}", players.black),
                format!("{} · {}", summary.result, length(summary)),
                summary.date.clone(),
            ];
            for (at, line) in lines.iter().enumerate() {
                let down = 10 + at as u16;
                if down < area.height {
                    put(buffer, row(area, down), 0, line, palette.text());
                }
            }
        }
    }
}

fn draw_below(saves: &Saves, app: &App, inside: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let said = row(inside, inside.height.saturating_sub(2));
    if saves.asks
        && let Some(listed) = saves.get(saves.chosen)
    {
        let question = format!("Move '{}' to the trash?", listed.name);
        put(buffer, said, 0, &question, palette.warning());
    } else if let Some(sentence) = &saves.said {
        put(buffer, said, 0, sentence, palette.accent());
    } else if app.size.width < WIDE
        && let Some(about) = saves
            .get(saves.chosen)
            .and_then(|listed| saves.about(&listed.name))
    {
        // Where there is no room for its board, the chosen one has this line.
        let line = match about {
            Ok(summary) => {
                let ByColor { white, black } = saved::names(summary);
                let (length, date) = (length(summary), &summary.date);
                format!("{white} – {black} · {length} · {date}")
            }
            Err(error) => error.to_string(),
        };
        put(buffer, said, 0, &line, palette.dim());
    }
    keys(saves, app.size).draw(buffer, palette);
}
