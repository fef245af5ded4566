//! The last line of the game screen: the keys for what can be done now, which can also be clicked.

use ratatui_core::layout::Rect;
use tabiya_front::cells::width;
use tabiya_front::key_map::{KeyAction, SHORTCUTS, Shortcut};

use super::super::App;
use super::super::canvas::Canvas;
use super::super::press::{ENTER, ESC, KeyLabel, TAB};
use crate::message::Hit;
use crate::tui::geometry::columns;

/// A hint in the last line: its text, and what a click on it is.
struct Hint {
    key: String,
    text: &'static str,
    hit: Option<Hit>,
}

impl Hint {
    /// The cells that it takes.
    fn width(&self) -> u16 {
        width(&self.key) + 1 + width(self.text)
    }
}

/// A hint for a key that is not in the key map.
fn fixed(key: KeyLabel, text: &'static str) -> Hint {
    Hint {
        key: key.text().into_owned(),
        text,
        hit: key.key().map(Hit::Key),
    }
}

/// The hints for what can be done now.
fn hints(app: &App) -> Vec<Hint> {
    let keys: &[(KeyLabel, &str)] = if let Some(overlay) = &app.overlay {
        overlay.component().hints()
    } else if app.screens.explorer.has_focus() {
        &app.screens.explorer.keys()
    } else if app.board().view.typing.is_empty() {
        return hints_on_board(app);
    } else if app.board().premover().is_some() {
        &[(ENTER, "premove"), (ESC, "clear")]
    } else if app.board().opponent_to_move().is_some() {
        // Enter would only say that it is the opponent's turn.
        &[(ESC, "clear")]
    } else {
        &[(TAB, "cycle"), (ENTER, "play"), (ESC, "clear")]
    };
    keys.iter().map(|&(key, text)| fixed(key, text)).collect()
}

/// The hints while nothing is open or typed.
fn hints_on_board(app: &App) -> Vec<Hint> {
    let board = app.board();
    let mut all = Vec::new();
    let bound = |shortcut: &'static Shortcut, text| {
        Some(Hint {
            key: app.keys.label(shortcut)?,
            text,
            hit: Some(Hit::Shortcut(shortcut)),
        })
    };
    let claims = !board.is_review() && !board.session().claims().is_empty();
    let taken_back = board.session().record().cursor().next().is_some();
    if claims {
        let menu = SHORTCUTS.iter().find(|one| one.action == KeyAction::Menu);
        all.extend(menu.and_then(|menu| bound(menu, "claim draw")));
    }
    if board.view.held.is_some() {
        all.push(fixed(ESC, "put back"));
    } else if board.is_elsewhere() && !board.is_review() {
        all.push(fixed(ESC, "to the game"));
    }
    let review = board.is_review();
    if review && !board.view.cursor_shown {
        all.push(fixed(KeyLabel::Several("←→"), "walk"));
        all.push(fixed(KeyLabel::Several("↑↓"), "variations"));
    } else {
        all.push(fixed(KeyLabel::Several("↑↓←→"), "cursor"));
    }
    let over = !review && board.session().outcome().is_some();
    // In a game on a server.
    let is_refused = |action| {
        let helps = matches!(action, KeyAction::Run("hint" | "lines"));
        board.is_remote() && action == KeyAction::Run("undo") || board.forbids_help() && helps
    };
    // A review is for annotations, so they come first.
    let mut shortcuts: Vec<&Shortcut> = SHORTCUTS.iter().collect();
    shortcuts.sort_by_key(|one| !review || one.action != KeyAction::Marks);
    let shown = shortcuts.into_iter().filter_map(|one| {
        let hint = if one.action == KeyAction::Menu && over {
            "rematch, judge…"
        } else if one.action == KeyAction::Menu && claims {
            // It was named already.
            ""
        } else if is_refused(one.action) {
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
    all
}

/// Draws the hints that fit. The help key must be there even if little else is.
pub(super) fn draw_hints(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height == 0 {
        return;
    }
    let all = hints(app);
    let helps = |one: &Shortcut| one.action == KeyAction::Run("help");
    let is_help = |hint: &Hint| matches!(hint.hit, Some(Hit::Shortcut(one)) if helps(one));
    let total: u16 = all.iter().map(|hint| hint.width() + 2).sum();
    let help = all.iter().find(|hint| is_help(hint));
    let help = help.filter(|_| total >= area.width);
    let end = area
        .width
        .saturating_sub(help.map_or(0, |hint| hint.width() + 3));
    let styles = canvas.styles;
    let mut column = 1;
    for hint in all {
        let cells = columns(area, column, hint.width());
        let end = if is_help(&hint) { area.width } else { end };
        if column + cells.width > end {
            continue;
        }
        let mut style = styles.dim();
        if let Some(hit) = hint.hit {
            style = styles.accent();
            canvas.make_clickable(cells, hit);
        }
        let after = canvas.put(area, column, &hint.key, style);
        canvas.put(area, after + 1, hint.text, styles.dim());
        column += cells.width + 2;
    }
}
