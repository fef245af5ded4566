//! The command palette, at the bottom of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::palette::{CommandPalette, Offer};
use crate::tui::geometry::inside_of;
use crate::tui::text::{fitted, put, row, width, wrap};

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
    ("Enter", "run"),
    ("Esc", "close"),
    ("Tab", "complete"),
    ("↑↓", "choose"),
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

/// What is wrong, in as many lines as leave room for the line that is typed and for a command.
fn problem(palette: &CommandPalette, size: Size) -> Vec<String> {
    let inside = inside_of(area(size));
    let problem = palette.problem.as_deref();
    let mut lines = problem.map_or_else(Vec::new, |problem| wrap(problem, inside.width));
    lines.truncate(usize::from(inside.height.saturating_sub(2)));
    lines
}

/// A line of the list.
struct Line {
    area: Rect,
    text: String,
    /// Which of the offers it belongs to.
    offer: usize,
}

/// The lines of the list that are seen; the chosen one always is.
fn lines(palette: &CommandPalette, size: Size) -> Vec<Line> {
    let inside = inside_of(area(size));
    // The line that is typed, and the keys or what is wrong.
    let above = 1 + problem(palette, size).len().max(1) as u16;
    let room = inside.height.saturating_sub(above);
    let offers = palette.offers();
    let all: Vec<(usize, String)> = offers
        .iter()
        .enumerate()
        .flat_map(|(at, offer)| {
            let whole = at == palette.chosen || palette.has_name();
            let texts = texts(offer, whole, inside.width);
            texts.into_iter().map(move |text| (at, text))
        })
        .collect();
    let chosen = all.iter().rposition(|(at, _)| *at == palette.chosen);
    let first = (chosen.unwrap_or(0) + 1).saturating_sub(usize::from(room));
    // What is taller than the room shows its beginning.
    let begin = all.iter().position(|(at, _)| *at == palette.chosen);
    let first = first.min(begin.unwrap_or(0));
    all.into_iter()
        .skip(first)
        .zip(0..room)
        .map(|((offer, text), down)| Line {
            area: row(inside, above + down),
            text,
            offer,
        })
        .collect()
}

/// What is said about an offer. A command that is chosen, or whose arguments are typed, has as many lines as it needs.
fn texts(offer: &Offer, whole: bool, room: u16) -> Vec<String> {
    const USAGE: u16 = 30;
    match offer {
        Offer::Command(entry) if whole && width(&entry.usage()) > USAGE.min(room / 2) => {
            let mut lines = wrap(&entry.usage(), room);
            let does = wrap(entry.does, room.saturating_sub(2)).into_iter();
            lines.extend(does.map(|line| format!("  {line}")));
            lines
        }
        Offer::Command(entry) if room >= 60 => {
            let usage = fitted(&entry.usage(), USAGE);
            vec![format!("{usage:<30} {}", entry.does)]
        }
        Offer::Command(entry) => vec![format!("{:<11} {}", entry.name, entry.does)],
        Offer::Word(word) => vec![format!("  {word}")],
    }
}

/// The offer at a cell.
pub(crate) fn offer_at(palette: &CommandPalette, size: Size, at: Position) -> Option<usize> {
    let lines = lines(palette, size).into_iter();
    let found = lines.into_iter().find(|line| line.area.contains(at));
    found.map(|line| line.offer)
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
    for (at, line) in problem(palette, app.size).iter().enumerate() {
        put(
            buffer,
            row(inside, at as u16 + 1),
            0,
            line,
            colors.warning(),
        );
    }
    if let Some(keys) = keys(palette, app.size) {
        keys.draw(buffer, colors);
    }
    for line in lines(palette, app.size) {
        // The command whose arguments are typed is no choice any more.
        let settled = palette.has_name() && line.offer == 0;
        let style = if settled {
            colors.dim()
        } else if line.offer == palette.chosen {
            colors.chosen()
        } else {
            colors.text()
        };
        put(buffer, line.area, 0, &line.text, style);
    }
    Some(cursor)
}
