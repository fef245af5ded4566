//! The line in which moves are typed, followed by the moves that fit.

use ratatui_core::layout::Rect;

use super::super::App;
use super::super::canvas::Canvas;
use crate::message::Hit;
use crate::tui::geometry::columns;
use crate::tui::text::width;
use crate::wording::answers;

/// Draws the candidates after the typed text. Enter plays the one in brackets.
fn draw_candidates(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    const PROMPT: u16 = 7;
    let typing = &app.board().typing;
    let found = app.board().fitting();
    let played = typing.meant(&found).map(|meant| meant.played);
    let ghost = ghost(app).map_or(0, |rest| width(&rest));
    let column = PROMPT + width(typing.line.text()) + ghost + 3;
    let mut column = column.max(PROMPT + 9);
    for (at, candidate) in found.into_iter().enumerate() {
        let san = candidate.san;
        let text = match played == Some(candidate.played) {
            true => format!("[{san}]"),
            false => san.clone(),
        };
        let wide = width(&text);
        if column + wide > area.width {
            break;
        }
        let style = match typing.cycled() == Some(at) {
            true => canvas.palette.chosen(),
            false => canvas.palette.accent(),
        };
        canvas.put(area, column, &text, style);
        canvas.hit(columns(area, column, wide), Hit::Candidate(san));
        column += wide + 1;
    }
}

/// The rest of the best candidate.
fn ghost(app: &App) -> Option<String> {
    let typing = &app.board().typing;
    if typing.cycled().is_some() || !typing.line.halves().1.is_empty() {
        return None;
    }
    app.board().fitting().into_iter().next()?.rest
}

/// The text of the input line while nothing is typed.
fn note(app: &App) -> String {
    let board = app.board();
    let cursor = board.cursor;
    if let Some(waiting) = board.premove().filter(|_| board.held.is_none()) {
        return format!("{} waits · Esc takes it back", answers::premove(waiting));
    }
    match (board.held, board.cursor_shown) {
        (Some(held), true) if held != cursor => format!("{held} to {cursor} · Esc puts it back"),
        (Some(held), _) => format!("{held} to … · Esc puts it back"),
        (None, true) => format!("cursor on {cursor}"),
        // Without a header, this line says it.
        (None, false) if app.layout().is_none_or(|layout| layout.header.height > 0) => {
            String::new()
        }
        (None, false) if board.is_elsewhere() && !board.is_review() => {
            "looking around · Esc back".to_owned()
        }
        (None, false) if app.look.blindfold => "blindfold".to_owned(),
        (None, false) => String::new(),
    }
}

pub(super) fn draw_input(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let palette = canvas.palette;
    let typing = &app.board().typing;
    let styles = (palette.accent(), palette.text());
    let end = canvas.typed(area, " move> ", &typing.line, styles);
    if typing.is_empty() {
        canvas.put(area, end + 1, &note(app), palette.dim());
        return;
    }
    if let Some(rest) = ghost(app) {
        canvas.put(area, end, &rest, palette.dim());
    }
    draw_candidates(app, area, canvas);
    if let Some(name) = app.board().engine_to_move() {
        let note = if app.board().is_elsewhere() {
            format!("{name} plays {}", app.board().position().turn())
        } else {
            let waits = app.board().is_remote();
            format!("{name} is {}", if waits { "to move" } else { "thinking" })
        };
        canvas.put(area, end + 3, &note, palette.dim());
    } else if app.board().fitting().is_empty() {
        canvas.put(area, end + 3, "no such move", palette.dim());
    }
}
