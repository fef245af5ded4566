//! The last line of the game screen: the keys for what can be done now, which can also be clicked.

use ratatui::layout::Rect;

use super::super::canvas::{self, Canvas};
use super::super::{App, Overlay};
use crate::key_map::{KeyAction, SHORTCUTS, Shortcut};
use crate::message::{Hit, Pressed};
use crate::tui::geometry::columns;
use crate::tui::text::width;

/// A hint in the last line: its text, and the shortcut that a click performs.
struct Hint {
    key: String,
    text: &'static str,
    shortcut: Option<&'static Shortcut>,
}

impl Hint {
    fn width(&self) -> u16 {
        width(&self.key) + 1 + width(self.text)
    }

    fn pressed(&self) -> Option<Pressed> {
        match self.shortcut {
            Some(shortcut) => Some(Pressed::Action(shortcut.action)),
            None => canvas::named(&self.key).map(Pressed::Key),
        }
    }
}

/// The hints for what can be done now.
fn hints(app: &App) -> Vec<Hint> {
    let board = app.board();
    let fixed = |key: &str, text| Hint {
        key: key.to_owned(),
        text,
        shortcut: None,
    };
    let mut all = Vec::new();
    if matches!(app.overlay, Some(Overlay::Dialog(_))) {
        let keys = [("↑↓", "choose"), ("Enter", "take it"), ("Esc", "close")];
        all.extend(keys.map(|(key, text)| fixed(key, text)));
    } else if app.overlay.is_some() {
        // Every other overlay has its own line of keys.
        return Vec::new();
    } else if app.explorer.has_focus() {
        all.extend(app.explorer.keys().map(|(key, text)| fixed(key, text)));
    } else if !board.typing.is_empty() {
        let keys = [("Tab", "cycle"), ("Enter", "play"), ("Esc", "clear")];
        all.extend(keys.map(|(key, text)| fixed(key, text)));
    } else {
        let bound = |shortcut: &'static Shortcut, text| {
            let key = app.keys.label(shortcut)?;
            Some(Hint {
                key,
                text,
                shortcut: Some(shortcut),
            })
        };
        let claims = !board.is_review() && !board.session().claims().is_empty();
        let taken_back = board.session().record().cursor().next().is_some();
        if claims {
            let menu = SHORTCUTS.iter().find(|one| one.action == KeyAction::Menu);
            all.extend(menu.and_then(|menu| bound(menu, "claim draw")));
        }
        if board.held.is_some() {
            all.push(fixed("Esc", "put back"));
        } else if board.is_elsewhere() && !board.is_review() {
            all.push(fixed("Esc", "to the game"));
        }
        let review = board.is_review();
        if review && !board.cursor_shown {
            all.push(fixed("←→", "walk"));
            all.push(fixed("↑↓", "variations"));
        } else {
            all.push(fixed("↑↓←→", "cursor"));
        }
        let over = !review && board.session().outcome().is_some();
        // A review is for annotations, so they come first.
        let (first, rest): (Vec<&Shortcut>, Vec<&Shortcut>) = SHORTCUTS
            .iter()
            .partition(|one| review && one.action == KeyAction::Marks);
        let shown = first.into_iter().chain(rest).filter_map(|one| {
            let hint = if one.action == KeyAction::Menu && over {
                "rematch, judge…"
            } else if one.action == KeyAction::Menu && claims {
                // It was named already.
                ""
            } else if review {
                one.review
            } else if one.action == KeyAction::Run("redo") && taken_back {
                "redo"
            } else {
                one.hint
            };
            bound(one, hint).filter(|_| !hint.is_empty())
        });
        all.extend(shown);
    }
    all
}

/// Draws the hints that fit. The help key must be there even if little else is.
pub(super) fn draw_hints(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height == 0 {
        return;
    }
    let all = hints(app);
    let is_help = |hint: &Hint| {
        hint.shortcut
            .is_some_and(|one| one.action == KeyAction::Run("help"))
    };
    let total: u16 = all.iter().map(|hint| hint.width() + 2).sum();
    let help = all
        .iter()
        .find(|hint| is_help(hint))
        .map_or(0, |hint| hint.width() + 3);
    let palette = canvas.palette;
    let mut column = 1;
    for hint in all {
        let cells = columns(area, column, hint.width());
        let end = if is_help(&hint) || total < area.width {
            area.width
        } else {
            area.width.saturating_sub(help)
        };
        if column + cells.width > end {
            continue;
        }
        let mut style = palette.dim();
        if let Some(pressed) = hint.pressed() {
            style = palette.accent();
            canvas.hit(cells, Hit::Hint(pressed));
        }
        let after = canvas.put(area, column, &hint.key, style);
        canvas.put(area, after + 1, hint.text, palette.dim());
        column += cells.width + 2;
    }
}
