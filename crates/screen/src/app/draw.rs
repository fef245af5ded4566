//! Drawing: [`draw`] draws the whole state, returns what can be clicked, and changes nothing.

use std::mem::{self, Discriminant};

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use tabiya_front::cells::row;

use super::canvas::{Canvas, HitMap};
use super::overlay::Component;
use super::{App, Overlay, Screen, game};
use crate::message::Hit;
use crate::tui::geometry::SMALLEST;
use crate::tui::graphics::Tile;
use tabiya_front::appearance::Graphics;

/// The result of drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// The position of the terminal's cursor, if it is visible.
    pub(crate) cursor: Option<Position>,
    /// The pictures over the cells.
    pub(crate) tiles: Vec<(Rect, Tile)>,
    hits: HitMap,
    /// What was on top.
    top: Option<Top>,
}

type Top = (Screen, Option<Discriminant<Overlay>>);

/// What is on top: a screen or an overlay.
fn top(app: &App) -> Top {
    (
        app.screens.front,
        app.overlay.as_ref().map(mem::discriminant),
    )
}

impl Drawn {
    /// What is under the mouse, unless something else is on top by now.
    pub(crate) fn hit(&self, app: &App, at: Position) -> Option<Hit> {
        let hit = self.hits.at(at).filter(|_| self.top == Some(top(app)));
        hit.cloned()
    }
}

/// Draws the whole state.
pub(crate) fn draw(app: &App, buffer: &mut Buffer) -> Drawn {
    let mut canvas = Canvas::new(buffer, app.look.styles());
    let shows_pictures = app.look.has_pictures && app.settings.graphics != Graphics::Off;
    canvas.tiles = shows_pictures.then(Vec::new);
    if app.look.size.width < SMALLEST.width || app.look.size.height < SMALLEST.height {
        draw_too_small(app, &mut canvas);
    } else {
        draw_screen(app, &mut canvas);
        if let Some(overlay) = &app.overlay {
            // On the game screen, the hints are those of the overlay.
            canvas.cover(app.screens.front == Screen::Game);
            overlay.component().render(app, &mut canvas);
        }
    }
    let drawn = Drawn {
        cursor: canvas.cursor,
        tiles: canvas.tiles.unwrap_or_default(),
        hits: canvas.hits,
        top: Some(top(app)),
    };
    app.look.charset.replace_unsupported(buffer);
    drawn
}

fn draw_screen(app: &App, canvas: &mut Canvas<'_>) {
    match app.screens.front {
        Screen::Home => app.screens.home.render(app, canvas),
        Screen::Game => game::draw(app, canvas),
        Screen::Picker => {
            if let Some(picker) = &app.screens.picker {
                picker.render(app, canvas);
            }
        }
        Screen::Match => {
            if let Some(watch) = &app.screens.watch {
                watch.render(app, canvas);
            }
        }
        Screen::Train => {
            if let Some(train) = &app.screens.train {
                train.render(app, canvas);
            }
        }
    }
}

/// Draws one line that says which size is needed.
fn draw_too_small(app: &App, canvas: &mut Canvas<'_>) {
    let (width, height) = (app.look.size.width, app.look.size.height);
    let text = format!(
        "needs {}×{}, have {width}×{height}",
        SMALLEST.width, SMALLEST.height
    );
    let screen = canvas.screen();
    let middle = row(screen, screen.height / 2);
    canvas.put(middle, 0, &text, canvas.styles.text());
}

#[cfg(test)]
mod tests;
