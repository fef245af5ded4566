//! The line in which moves are typed, followed by the moves that fit.

use std::borrow::Cow;

use ratatui_core::layout::Rect;
use tabiya_front::cells::width;
use tabiya_front::wording::answers;
use tabiya_play::typed_move::Candidate;

use super::super::App;
use super::super::canvas::Canvas;
use super::typing::Typing;
use crate::message::Hit;
use crate::tui::geometry::columns;

/// Draws the candidates after the typed text. Enter plays the one in brackets.
fn draw_candidates(typing: &Typing, found: &[Candidate], area: Rect, canvas: &mut Canvas<'_>) {
    const PROMPT: u16 = 7;
    let played = typing.meant(found).map(|meant| meant.played);
    let ghost = ghost(typing, found).map_or(0, width);
    let column = PROMPT + width(typing.line.text()) + ghost + 3;
    let mut column = column.max(PROMPT + 9);
    for (at, candidate) in found.iter().enumerate() {
        let san = candidate.san.as_str();
        let text = match played == Some(candidate.played) {
            true => Cow::Owned(format!("[{san}]")),
            false => Cow::Borrowed(san),
        };
        let wide = width(&text);
        if column + wide > area.width {
            break;
        }
        let style = match typing.cycled() == Some(at) {
            true => canvas.styles.chosen(),
            false => canvas.styles.accent(),
        };
        canvas.put(area, column, &text, style);
        canvas.make_clickable(
            columns(area, column, wide),
            Hit::Candidate(candidate.played),
        );
        column += wide + 1;
    }
}

/// The rest of the best candidate.
fn ghost<'a>(typing: &Typing, found: &'a [Candidate]) -> Option<&'a str> {
    if typing.cycled().is_some() || !typing.line.halves().1.is_empty() {
        return None;
    }
    found.first()?.rest.as_deref()
}

/// The text of the input line while nothing is typed.
fn note(app: &App) -> String {
    let board = app.board();
    let cursor = board.view.cursor;
    if let Some(waiting) = board.premove().filter(|_| board.view.held.is_none()) {
        return format!("{} waits · Esc takes it back", answers::premove(waiting));
    }
    if board.awaits_server() {
        return "sent · the server has not answered yet".to_owned();
    }
    match (board.view.held, board.view.cursor_shown) {
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

/// Draws the typed text, and the moves that fit it.
pub(super) fn draw_input(app: &App, found: &[Candidate], area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let typing = &app.board().view.typing;
    let pair = (styles.accent(), styles.text());
    let end = canvas.draw_typed_line(area, " move> ", &typing.line, pair);
    if typing.is_empty() {
        canvas.put(area, end + 1, &note(app), styles.dim());
        return;
    }
    if let Some(rest) = ghost(typing, found) {
        canvas.put(area, end, rest, styles.dim());
    }
    draw_candidates(typing, found, area, canvas);
    if let Some(name) = app.board().opponent_to_move() {
        let note = if app.board().is_elsewhere() {
            format!("{name} plays {}", app.board().position().turn())
        } else {
            let waits = app.board().is_remote();
            format!("{name} is {}", if waits { "to move" } else { "thinking" })
        };
        canvas.put(area, end + 3, &note, styles.dim());
    } else if found.is_empty() {
        canvas.put(area, end + 3, "no such move", styles.dim());
    }
}
