//! Drawing the state: [`draw`] puts all of it on the screen and changes nothing.

mod curve;
pub(crate) mod dialog;
pub(crate) mod engine_options;
pub(crate) mod form;
pub(crate) mod game;
mod help;
pub(crate) mod hints;
pub(crate) mod home;
pub(crate) mod input;
mod key_line;
mod lines;
pub(crate) mod palette;
pub(crate) mod picker;
pub(crate) mod saves;
pub(crate) mod settings;
pub(crate) mod sheet;
mod study;
pub(crate) mod watch;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::dialog::layout;
use crate::app::{App, Overlay, Screen};
use crate::message::Under;
use crate::tui::geometry::SMALLEST;
use crate::tui::text::{put, row, width};

/// Draws everything. Returns where the terminal's cursor goes, if it is to be seen.
pub(crate) fn draw(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let cursor = draw_unicode(app, buffer);
    app.look.charset.write(buffer);
    cursor
}

fn draw_unicode(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let screen = buffer.area;
    buffer.set_style(screen, app.palette().text());
    if app.size.width < SMALLEST.width || app.size.height < SMALLEST.height {
        draw_too_small(app, buffer);
        return None;
    }
    let cursor = match app.screen {
        Screen::Home => {
            home::draw(app, buffer);
            None
        }
        Screen::Game => game::draw(app, buffer),
        Screen::Picker => picker::draw(app, buffer),
        Screen::Match => {
            watch::draw(app, buffer);
            None
        }
    };
    match &app.overlay {
        None => cursor,
        Some(Overlay::Dialog(dialog)) => {
            dialog::draw(dialog, app, buffer);
            None
        }
        Some(Overlay::Text(sheet)) => {
            sheet::draw(sheet, app, buffer);
            None
        }
        Some(Overlay::Palette(palette)) => palette::draw(palette, app, buffer),
        Some(Overlay::Help(help)) => help::draw(help, app, buffer),
        Some(Overlay::Form(form)) => form::draw(form, app, buffer),
        Some(Overlay::Settings(form)) => settings::draw(form, app, buffer),
        Some(Overlay::Engines(form)) => engine_options::draw(form, app, buffer),
        Some(Overlay::Saves(saves)) => saves::draw(saves, app, buffer),
    }
}

/// One line that says what size is needed.
fn draw_too_small(app: &App, buffer: &mut Buffer) {
    let (width, height) = (app.size.width, app.size.height);
    let text = format!(
        "needs {}×{}, have {width}×{height}",
        SMALLEST.width, SMALLEST.height
    );
    let screen = buffer.area;
    let middle = row(screen, screen.height / 2);
    put(buffer, middle, 0, &text, app.palette().text());
}

/// A frame with a title, and the room inside it. What lies under it is hidden.
fn frame(buffer: &mut Buffer, area: Rect, title: &str, style: Style, title_style: Style) -> Rect {
    let area = area.intersection(buffer.area);
    for at in area.positions() {
        if let Some(cell) = buffer.cell_mut(at) {
            cell.reset();
            cell.set_style(style);
        }
    }
    if area.width < 2 || area.height < 2 {
        return Rect {
            width: 0,
            height: 0,
            ..area
        };
    }
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    let mut set = |x: u16, y: u16, symbol: &str| {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(symbol);
        }
    };
    for x in area.x + 1..right {
        set(x, area.y, "─");
        set(x, bottom, "─");
    }
    for y in area.y + 1..bottom {
        set(area.x, y, "│");
        set(right, y, "│");
    }
    set(area.x, area.y, "╭");
    set(right, area.y, "╮");
    set(area.x, bottom, "╰");
    set(right, bottom, "╯");
    let room = Rect {
        x: area.x + 2,
        width: area.width.saturating_sub(4),
        height: 1,
        ..area
    };
    if !title.is_empty() {
        put(buffer, room, 0, &format!(" {title} "), title_style);
    }
    Rect::new(
        area.x + 2,
        area.y + 1,
        area.width.saturating_sub(4),
        area.height - 2,
    )
}

/// A horizontal line.
fn rule(buffer: &mut Buffer, area: Rect, style: Style) {
    for at in area.positions() {
        if let Some(cell) = buffer.cell_mut(at) {
            cell.set_symbol("─").set_style(style);
        }
    }
}

/// What lies under the mouse at a cell.
pub(crate) fn under(app: &App, at: Position) -> Under {
    if let Some(key) = key_at(app, at) {
        return Under::Key(key);
    }
    let found = match &app.overlay {
        Some(overlay) => under_overlay(app, overlay, at),
        None => match app.screen {
            Screen::Home => home::item_at(app, at).map(Under::Row),
            Screen::Picker => picker::game_at(app, at).map(Under::Row),
            Screen::Match => watch::game_at(app, at).map(Under::Game),
            Screen::Game => under_game(app, at),
        },
    };
    found.unwrap_or(Under::Nothing)
}

fn under_overlay(app: &App, overlay: &Overlay, at: Position) -> Option<Under> {
    if !overlay_area(app).is_some_and(|area| area.contains(at)) {
        let hints = app.layout().filter(|_| app.screen == Screen::Game);
        let hint = hints.and_then(|layout| hints::hint_at(app, layout.hints, at));
        return Some(hint.map_or(Under::Beside, Under::Hint));
    }
    let size = app.size;
    match overlay {
        Overlay::Dialog(dialog) => {
            let room = layout::Room::of(app);
            dialog::choice_at(dialog, room, at).map(Under::Row)
        }
        Overlay::Palette(palette) => palette::offer_at(palette, size, at).map(Under::Row),
        Overlay::Text(_) | Overlay::Help(_) => None,
        Overlay::Form(form) => {
            let place = form::place_at(form, size, at);
            place.map(|(row, part)| Under::Field(row, part))
        }
        Overlay::Settings(form) => settings::setting_at(form, size, at).map(Under::Row),
        Overlay::Engines(form) => engine_options::entry_at(form, app, at).map(Under::Row),
        Overlay::Saves(_) => saves::line_at(size, at).map(Under::Row),
    }
}

fn under_game(app: &App, at: Position) -> Option<Under> {
    let layout = app.layout()?;
    if let Some(pressed) = hints::hint_at(app, layout.hints, at) {
        return Some(Under::Hint(pressed));
    }
    if game::way_back_at(app, &layout, at) {
        return Some(Under::WayBack);
    }
    input::candidate_at(app, layout.input, at).map(Under::Candidate)
}

/// The key that is named at a cell, by whatever lies on top there.
fn key_at(app: &App, at: Position) -> Option<KeyEvent> {
    let line = match (&app.overlay, app.screen) {
        (Some(Overlay::Palette(palette)), _) => palette::keys(palette, app.size),
        (Some(Overlay::Text(sheet)), _) => Some(sheet::keys(sheet, app.size)),
        (Some(Overlay::Help(_)), _) => Some(help::keys(app.size)),
        (Some(Overlay::Form(_)), _) => Some(form::keys(app.size)),
        (Some(Overlay::Settings(form)), _) => Some(settings::keys(form, app.size)),
        (Some(Overlay::Engines(form)), _) => Some(engine_options::keys(form, app)),
        (Some(Overlay::Saves(saves)), _) => Some(saves::keys(saves, app.size)),
        (None, Screen::Home) => Some(home::keys(app)),
        (None, Screen::Picker) => Some(picker::keys(app.size)),
        (None, Screen::Match) => watch::keys(app),
        // The board's screen has hints, which belong to a question as well.
        (Some(Overlay::Dialog(_)), _) | (None, Screen::Game) => None,
    };
    line?.key_at(at)
}

/// The cells of what lies over the screen.
fn overlay_area(app: &App) -> Option<Rect> {
    let size = app.size;
    let area = match app.overlay.as_ref()? {
        Overlay::Dialog(dialog) => layout::area(dialog, layout::Room::of(app)),
        Overlay::Palette(_) => palette::area(size),
        Overlay::Text(sheet) => sheet::area(sheet, size),
        Overlay::Help(_) => help::area(size),
        Overlay::Form(_) => form::area(size),
        Overlay::Settings(_) => settings::area(size),
        Overlay::Engines(_) => engine_options::area(size),
        Overlay::Saves(_) => Rect::new(0, 0, size.width, size.height),
    };
    Some(area)
}

/// A line that is being typed, with what is before it. Returns where the cursor goes.
fn typed(
    buffer: &mut Buffer,
    area: Rect,
    prompt: &str,
    line: &crate::app::text_line::TextLine,
    styles: (Style, Style),
) -> (u16, Position) {
    let column = put(buffer, area, 0, prompt, styles.0);
    let (before, after) = line.halves();
    // A long text is moved to the left, so that the cursor stays in sight.
    let room = area.width.saturating_sub(column).saturating_sub(1);
    let mut shown = before;
    while width(shown) > room {
        let mut letters = shown.chars();
        letters.next();
        shown = letters.as_str();
    }
    let at = put(buffer, area, column, shown, styles.1);
    let end = put(buffer, area, at, after, styles.1);
    let at = at.min(area.width.saturating_sub(1));
    (end, Position::new(area.x + at, area.y))
}

#[cfg(test)]
mod tests;
