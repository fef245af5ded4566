//! The settings, in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::key_line::{KeyLine, Keys};
use super::{frame, typed};
use crate::app::App;
use crate::app::settings::{ENGINES, SettingsForm};
use crate::config::settings::SETTINGS;
use crate::tui::geometry::{centered, inside_of};
use crate::tui::text::{put, row, wrap};

/// How wide the names of the settings are.
const NAMES: u16 = 17;

/// How many lines what is said about a setting may take.
const BELOW: u16 = 3;

pub(super) fn area(size: Size) -> Rect {
    let lines = u16::try_from(ENGINES + 1).unwrap_or(u16::MAX);
    centered(size, 72, lines.saturating_add(BELOW + 4))
}

fn inside(size: Size) -> Rect {
    inside_of(area(size))
}

/// The lines of the list with the settings they show; it is scrolled where there are more settings than lines.
fn rows(form: &SettingsForm, size: Size) -> impl Iterator<Item = (usize, Rect)> {
    let inside = inside(size);
    let room = inside.height.saturating_sub(BELOW + 1);
    let first = (form.chosen + 1).saturating_sub(usize::from(room));
    (0..room)
        .map(move |line| (first + usize::from(line), row(inside, line)))
        .take_while(|(at, _)| *at <= ENGINES)
}

/// The setting at a cell.
pub(crate) fn setting_at(form: &SettingsForm, size: Size, at: Position) -> Option<usize> {
    rows(form, size)
        .find(|(_, row)| row.contains(at))
        .map(|(setting, _)| setting)
}

/// The line of keys, the last one inside.
pub(super) fn keys(form: &SettingsForm, size: Size) -> KeyLine {
    const SETTING: Keys = &[("←→", "change"), ("Esc", "close")];
    const ENGINES: Keys = &[("Enter", "open"), ("Esc", "close")];
    let inside = inside(size);
    let keys = match form.setting() {
        Some(_) => SETTING,
        None => ENGINES,
    };
    KeyLine::right(row(inside, inside.height.saturating_sub(1)), keys)
}

pub(super) fn draw(form: &SettingsForm, app: &App, buffer: &mut Buffer) -> Option<Position> {
    let palette = app.palette();
    let inside = frame(
        buffer,
        area(app.size),
        "Settings",
        palette.text(),
        palette.accent(),
    );
    let mut cursor = None;
    for (at, line) in rows(form, app.size) {
        let setting = SETTINGS.get(at);
        let name = setting.map_or("engines", |setting| setting.key);
        let chosen = at == form.chosen;
        let style = if chosen {
            palette.chosen()
        } else {
            palette.text()
        };
        let sign = if chosen { "▸" } else { " " };
        put(buffer, line, 0, &format!("{sign} {name}"), style);
        let value = Rect {
            x: line.x + NAMES.min(line.width),
            width: line.width.saturating_sub(NAMES),
            ..line
        };
        match form.typed.as_ref().filter(|_| chosen) {
            Some(text) => {
                let (_, at) = typed(buffer, value, "", text, (palette.dim(), palette.accent()));
                cursor = Some(at);
            }
            None => {
                let text = match setting.map(|setting| setting.get(&app.settings)) {
                    Some(now) if chosen => format!("‹ {now} ›"),
                    Some(now) => now,
                    None => format!("{} known ›", app.engines.len()),
                };
                put(buffer, value, 0, &text, palette.text());
            }
        }
    }
    draw_note(form, app, inside, buffer);
    cursor
}

/// What the chosen setting decides, or why a value was not taken; under it what the keys do.
fn draw_note(form: &SettingsForm, app: &App, inside: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let (text, style) = match (&form.problem, form.setting()) {
        (Some(problem), _) => (problem.as_str(), palette.warning()),
        (None, Some(setting)) => (setting.help, palette.dim()),
        (None, None) => (
            "The options of each engine that is known by name.",
            palette.dim(),
        ),
    };
    let from = inside.height.saturating_sub(BELOW);
    let lines = wrap(text, inside.width);
    for (at, line) in lines.iter().take(usize::from(BELOW - 1)).enumerate() {
        put(buffer, row(inside, from + at as u16), 0, line, style);
    }
    keys(form, app.size).draw(buffer, palette);
}
