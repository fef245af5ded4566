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
    let review = board.is_review();
    let mut all = Vec::new();
    if may_claim(app) {
        let menu = SHORTCUTS.iter().find(|one| one.action == KeyAction::Menu);
        all.extend(menu.and_then(|menu| shortcut_hint(app, menu, "claim draw")));
    }
    if board.view.held.is_some() {
        all.push(fixed(ESC, "put back"));
    } else if board.is_elsewhere() && !review {
        all.push(fixed(ESC, "to the game"));
    }
    if review && !board.view.cursor_shown {
        all.push(fixed(KeyLabel::Several("←→"), "walk"));
        all.push(fixed(KeyLabel::Several("↑↓"), "variations"));
    } else {
        all.push(fixed(KeyLabel::Several("↑↓←→"), "cursor"));
    }
    // A review is for annotations, so they come first.
    let mut shortcuts: Vec<&'static Shortcut> = SHORTCUTS.iter().collect();
    shortcuts.sort_by_key(|one| !review || one.action != KeyAction::Marks);
    let shown = shortcuts.into_iter();
    all.extend(shown.filter_map(|one| shortcut_hint(app, one, shortcut_text(app, one))));
    all
}

/// Whether a draw can be claimed in the game on the board.
fn may_claim(app: &App) -> bool {
    !app.board().is_review() && !app.board().session().claims().is_empty()
}

/// The hint for a shortcut; `None` without a text or a key.
fn shortcut_hint(app: &App, shortcut: &'static Shortcut, text: &'static str) -> Option<Hint> {
    let key = app.keys.label(shortcut).filter(|_| !text.is_empty())?;
    let hit = Some(Hit::Shortcut(shortcut));
    Some(Hint { key, text, hit })
}

/// The text of the hint for a shortcut now; empty if there is no hint for it.
fn shortcut_text(app: &App, shortcut: &Shortcut) -> &'static str {
    let board = app.board();
    if board.is_review() {
        return shortcut.review;
    }
    let helps = matches!(shortcut.action, KeyAction::Run("hint" | "lines"));
    match shortcut.action {
        KeyAction::Menu if board.session().outcome().is_some() => "rematch, judge…",
        // It was named already.
        KeyAction::Menu if may_claim(app) => "",
        // A server refuses these.
        KeyAction::Run("undo") if board.is_remote() => "",
        KeyAction::Run(_) if helps && board.forbids_help() => "",
        KeyAction::Run("redo") if board.session().record().cursor().next().is_some() => "redo",
        KeyAction::Run(_)
        | KeyAction::Walk(_)
        | KeyAction::Arrow(_)
        | KeyAction::Menu
        | KeyAction::Marks
        | KeyAction::Type(_) => shortcut.hint,
    }
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
