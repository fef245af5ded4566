//! The form for a new game.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use tabiya_game::DrawPolicy;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::Side;

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::form::{Field, Form, StartChoice};
use crate::app::text_line::TextLine;
use crate::message::Part;
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{fitted, put, row, width, wrap};

/// How many lines the form has at most.
const MOST_LINES: u16 = 9;

/// How wide the names of the lines are.
const NAMES: u16 = 10;

pub(super) fn area(size: Size) -> Rect {
    // The lines, a line of room, and what is said about them. Nothing moves when a line is added under another.
    centered(size, 64, MOST_LINES + 5)
}

/// The first line that is shown where there is no room for all of them.
fn first(form: &Form, size: Size) -> usize {
    let room = usize::from(area(size).height.saturating_sub(3));
    (form.chosen + 1).saturating_sub(room)
}

/// The lines that are shown, from the first on.
fn rows(form: &Form, size: Size) -> Vec<Rect> {
    let inside = inside_of(area(size));
    let shown = form.fields().len() - first(form, size);
    (0..shown.min(usize::from(inside.height.saturating_sub(1))))
        .map(|at| row(inside, at as u16))
        .collect()
}

/// The line of keys, which stands in the lower edge of the frame because there is room for nothing else on small screens.
pub(super) fn keys(size: Size) -> KeyLine {
    const KEYS: Keys = &[
        ("Enter", "begin"),
        ("Esc", "back"),
        ("↑↓", "choose"),
        ("←→", "change"),
    ];
    let area = area(size);
    let edge = Rect::new(
        area.x + 2,
        area.bottom().saturating_sub(1),
        area.width.saturating_sub(4),
        1,
    );
    KeyLine::right(edge, KEYS)
}

/// Where the value of a line stands.
fn value(row: Rect) -> Rect {
    Rect {
        x: row.x + NAMES + 2,
        width: row.width.saturating_sub(NAMES + 2),
        ..row
    }
}

/// As much of a value as leaves room for the signs around it.
fn between_signs(form: &Form, field: Field, value: Rect) -> String {
    fitted(&shown(form, field), value.width.saturating_sub(4))
}

/// The line at a cell, and the part of it.
pub(crate) fn place_at(form: &Form, size: Size, at: Position) -> Option<(usize, Part)> {
    let rows = rows(form, size);
    let (down, row) = rows.iter().enumerate().find(|(_, row)| row.contains(at))?;
    let line = first(form, size) + down;
    let field = form.fields().get(line).copied()?;
    let value = value(*row);
    let end = value.x + 2 + width(&between_signs(form, field, value)) + 1;
    // The spaces beside the signs are theirs as well.
    let part = if !field.turns() {
        Part::Elsewhere
    } else if (value.x..value.x + 2).contains(&at.x) {
        Part::Back
    } else if (end - 1..end + 2).contains(&at.x) {
        Part::Forward
    } else {
        Part::Elsewhere
    };
    Some((line, part))
}

pub(super) fn draw(form: &Form, app: &App, buffer: &mut Buffer) -> Option<Position> {
    let palette = app.palette();
    let inside = frame(
        buffer,
        area(app.size),
        "New game",
        palette.text(),
        palette.accent(),
    );
    keys(app.size).draw(buffer, palette);
    let mut cursor = None;
    let first = first(form, app.size);
    let lines = rows(form, app.size);
    let below = lines.len() as u16;
    let fields = form.fields().into_iter().enumerate().skip(first);
    for ((at, field), row) in fields.zip(lines) {
        let chosen = at == form.chosen;
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if chosen { "▸" } else { " " };
        put(buffer, row, 0, &format!("{sign} {}", name(field)), style);
        let value = value(row);
        let signs = if chosen {
            palette.accent()
        } else {
            palette.dim()
        };
        let before = if field.turns() { "‹ " } else { "" };
        let end = match text(form, field) {
            Some(line) => {
                let (end, at) = typed(buffer, value, before, line, (signs, palette.text()));
                cursor = cursor.or(chosen.then_some(at));
                end
            }
            None => {
                let column = put(buffer, value, 0, before, signs);
                let text = if field.turns() {
                    between_signs(form, field, value)
                } else {
                    shown(form, field)
                };
                put(buffer, value, column, &text, palette.text())
            }
        };
        if field.turns() {
            put(buffer, value, end, " ›", signs);
        }
    }
    let (note, style) = match &form.problem {
        Some(problem) => (problem.as_str(), palette.warning()),
        None => (note(form.field()), palette.dim()),
    };
    // A line between them where there is one to spare.
    let below = below + u16::from(below + 3 <= inside.height);
    let room = inside.height.saturating_sub(below);
    for (at, line) in wrap(note, inside.width)
        .iter()
        .take(usize::from(room))
        .enumerate()
    {
        put(buffer, row(inside, below + at as u16), 0, line, style);
    }
    cursor
}

fn name(field: Field) -> &'static str {
    match field {
        Field::Opponent => "Opponent",
        Field::Name(color) => color.name(),
        Field::Side => "Side",
        Field::Clock => "Clock",
        Field::Start => "Start",
        Field::Number => "Number",
        Field::Fen => "FEN",
        Field::Draws => "Draws",
        Field::Begin => "Begin",
    }
}

fn text(form: &Form, field: Field) -> Option<&TextLine> {
    match field {
        Field::Name(color) => Some(&form.names[color]),
        Field::Clock => Some(&form.clock),
        Field::Number => Some(&form.number),
        Field::Fen => Some(&form.fen),
        _ => None,
    }
}

fn shown(form: &Form, field: Field) -> String {
    let text = match field {
        Field::Opponent => {
            let spec = form.opponents.get(form.opponent);
            let name = spec.and_then(PlayerSpec::name);
            return name.unwrap_or_else(|| "a person at this board".to_owned());
        }
        Field::Side => match form.side {
            Side::Of(color) => color.name(),
            Side::Random => "by chance",
        },
        Field::Start => match form.start {
            StartChoice::Standard => "standard",
            StartChoice::Chess960 => "Chess960",
            StartChoice::Fen => "a position",
        },
        Field::Draws => match form.draws {
            DrawPolicy::Claim => "claimed by the players",
            DrawPolicy::Automatic => "end the game at once",
        },
        Field::Clock => form.clock.text(),
        Field::Name(_) | Field::Number | Field::Fen | Field::Begin => "",
    };
    text.to_owned()
}

fn note(field: Field) -> &'static str {
    match field {
        Field::Name(_) => "Type the player's name, or leave it empty.",
        Field::Opponent => {
            "←→ change: a person, the bot and its level, or an engine. By its path, and with options: :new uci:PATH?Name=Value."
        }
        Field::Side => "←→ change: your side, at the bottom of the board.",
        Field::Clock => "←→ change, or type minutes+seconds such as 5+3.",
        Field::Start => "←→ change: where the game begins.",
        Field::Number => "0 to 959; empty leaves it to chance.",
        Field::Fen => "Type or paste the position as FEN.",
        Field::Draws => "←→ change: threefold repetition and 50 moves.",
        Field::Begin => "Enter begins. ↑↓ go to the other lines, Esc goes back.",
    }
}
