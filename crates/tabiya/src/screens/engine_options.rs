//! The engines and their options, in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;
use tabiya_rules::text::{clean, excerpt};

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::engine_options::{Asked, EnginesForm, OpenedEngine};
use crate::message::EngineOption;
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{put, row, wrap};

/// How wide the names of the options are, where there is room.
const NAMES: u16 = 28;

/// How many lines what is said about an option may take, with the line of the keys.
const BELOW: u16 = 4;

pub(super) fn area(size: Size) -> Rect {
    centered(size, 76, 22)
}

fn inside(size: Size) -> Rect {
    inside_of(area(size))
}

/// The lines of a list with the numbers of what they show; it is scrolled where there is more than fits.
fn rows(chosen: usize, count: usize, size: Size) -> impl Iterator<Item = (usize, Rect)> {
    let inside = inside(size);
    let room = inside.height.saturating_sub(BELOW + 1);
    let first = (chosen + 1).saturating_sub(usize::from(room));
    (0..room)
        .map(move |line| (first + usize::from(line), row(inside, line)))
        .take_while(move |(at, _)| *at < count)
}

/// The engine or the option at a cell.
pub(crate) fn entry_at(form: &EnginesForm, app: &App, at: Position) -> Option<usize> {
    let (chosen, count) = match &form.opened {
        Some(opened) => (opened.chosen, opened.options().len()),
        None => (form.chosen, app.engines.len()),
    };
    rows(chosen, count, app.size)
        .find(|(_, row)| row.contains(at))
        .map(|(entry, _)| entry)
}

/// The line of keys, the last one inside.
pub(super) fn keys(form: &EnginesForm, app: &App) -> KeyLine {
    const OPTION: Keys = &[("←→", "change"), ("Del", "default"), ("Esc", "back")];
    const ENGINE: Keys = &[("Enter", "options"), ("Esc", "back")];
    const NOTHING: Keys = &[("Esc", "back")];
    let keys = match &form.opened {
        Some(opened) if opened.option().is_some() => OPTION,
        None if !app.engines.is_empty() => ENGINE,
        _ => NOTHING,
    };
    let inside = inside(app.size);
    KeyLine::right(row(inside, inside.height.saturating_sub(1)), keys)
}

pub(super) fn draw(form: &EnginesForm, app: &App, buffer: &mut Buffer) -> Option<Position> {
    let palette = app.palette();
    let title = match &form.opened {
        Some(opened) => format!("Options of {}", excerpt(&opened.name)),
        None => "Engines".to_owned(),
    };
    let inside = frame(
        buffer,
        area(app.size),
        &title,
        palette.text(),
        palette.accent(),
    );
    keys(form, app).draw(buffer, palette);
    match &form.opened {
        Some(opened) => draw_options(opened, app, inside, buffer),
        None => {
            draw_engines(form, app, inside, buffer);
            None
        }
    }
}

fn draw_engines(form: &EnginesForm, app: &App, inside: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    for (at, line) in rows(form.chosen, app.engines.len(), app.size) {
        let chosen = at == form.chosen;
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if chosen { "▸" } else { " " };
        let name = app.engines.get(at).map(String::as_str).unwrap_or_default();
        put(buffer, line, 0, &format!("{sign} {}", excerpt(name)), style);
    }
    let note = if app.engines.is_empty() {
        "No engine is known. Name one in config.toml: [engines.NAME] with its path."
    } else {
        "The engines of config.toml, and well-known ones that are installed."
    };
    draw_note(note, palette.dim(), inside, buffer);
}

fn draw_options(
    opened: &OpenedEngine,
    app: &App,
    inside: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let palette = app.palette();
    let mut cursor = None;
    for (at, line) in rows(opened.chosen, opened.options().len(), app.size) {
        if let Some(option) = opened.options().get(at) {
            let typed = draw_option(option, opened, at == opened.chosen, app, line, buffer);
            cursor = cursor.or(typed);
        }
    }
    let (note, style) = match (&opened.problem, &opened.asked) {
        (Some(problem), _) => (problem.clone(), palette.warning()),
        (None, Asked::Failed(error)) => (error.to_string(), palette.warning()),
        (None, Asked::Waiting) => (
            "The engine is asked for its options…".to_owned(),
            palette.dim(),
        ),
        (None, Asked::Options(_)) => match opened.option() {
            Some(option) => (option.help(), palette.dim()),
            None => ("The engine has no options.".to_owned(), palette.dim()),
        },
    };
    draw_note(&note, style, inside, buffer);
    cursor
}

/// One option: its name, and its value or what is typed for it. What the user has settled stands out.
fn draw_option(
    option: &EngineOption,
    opened: &OpenedEngine,
    chosen: bool,
    app: &App,
    line: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let palette = app.palette();
    let style = if chosen {
        palette.chosen()
    } else {
        palette.text()
    };
    let sign = if chosen { "▸" } else { " " };
    let names = NAMES.min(line.width / 2);
    let name = Rect {
        width: names.saturating_sub(1),
        ..line
    };
    let text = format!("{sign} {}", clean(&option.declared.name));
    put(buffer, name, 0, &text, style);
    let value = Rect {
        x: line.x + names,
        width: line.width.saturating_sub(names),
        ..line
    };
    if let Some(text) = opened.typed.as_ref().filter(|_| chosen) {
        let (_, at) = typed(buffer, value, "", text, (palette.dim(), palette.accent()));
        return Some(at);
    }
    let now = clean(&option.shown()).into_owned();
    let text = if chosen {
        format!("‹ {now} ›")
    } else {
        now
    };
    let style = match option.value {
        Some(_) => palette.accent(),
        None => palette.text(),
    };
    put(buffer, value, 0, &text, style);
    None
}

/// What there is to say, above what the keys do.
fn draw_note(note: &str, style: Style, inside: Rect, buffer: &mut Buffer) {
    let from = inside.height.saturating_sub(BELOW);
    let lines = wrap(&clean(note), inside.width);
    for (at, line) in lines.iter().take(usize::from(BELOW - 1)).enumerate() {
        put(buffer, row(inside, from + at as u16), 0, line, style);
    }
}
