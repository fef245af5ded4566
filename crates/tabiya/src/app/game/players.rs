//! The players beside the board: whose turn it is, captured pieces, clocks.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;
use tabiya_game::Timestamp;
use tabiya_rules::{Color, Role};

use super::super::App;
use super::super::board::{self, Board, LOW};
use super::super::canvas::Canvas;
use super::lines;
use crate::tui::geometry::columns;
use crate::tui::pieces::PieceStyle;
use crate::tui::text::{fitted, width};
use crate::wording::answers::time;

/// Draws a player: whose turn, captured pieces, clock.
pub(super) fn draw_player(app: &App, area: Rect, color: Color, canvas: &mut Canvas<'_>) {
    let palette = canvas.palette;
    let board = app.board();
    let session = board.session();
    let to_move =
        board.position().turn() == color && (session.outcome().is_none() || board.is_elsewhere());
    let (signs, style) = canvas.player_signs(color, to_move);
    let right = canvas.put_right(area, &clock(app, color), clock_style(app, color));
    let unnamed = if app.board().opponents().person() == Some(color) {
        "You"
    } else {
        color.name()
    };
    let name = board::name(session, color).unwrap_or(unnamed);
    let rating = board.reviewed.as_ref();
    let rating = rating.and_then(|review| review.rating(color));
    let rating = rating.map_or(String::new(), |rating| format!(" {rating}"));
    let named = columns(area, 0, right.saturating_sub(1));
    // The title of a level is shortened to its number.
    let player = &app.board().opponents().specs()[color];
    let seated = player.name().is_some_and(|seated| seated == name);
    let all_captured = captured(app, color).next().unwrap_or_default();
    // The sign of an engine that thinks comes and goes, and must not change the name.
    let thinks = if player.name().is_some() { 2 } else { 0 };
    let after = width(&all_captured) + thinks;
    let full = format!("{signs} {name}{rating}");
    let shown = match player.short_name().filter(|_| seated) {
        _ if width(&full) + after <= named.width => full,
        Some(short) => format!("{signs} {short}"),
        None => shortened(&signs, name, &rating, (named.width, after)),
    };
    let mut column = canvas.put(named, 0, &shown, style);
    if let Some(text) = lines::thinking(app, color) {
        column = canvas.put(named, column + 1, &text, palette.dim());
    }
    let room = named.width.saturating_sub(column);
    let fitting = captured(app, color).find(|text| width(text) <= room);
    canvas.put(named, column, &fitting.unwrap_or_default(), palette.dim());
}

/// A player with a rating in as much room as is left beside what follows. The rating is never cut, and of the name a
/// part stays.
fn shortened(signs: &str, name: &str, rating: &str, (room, after): (u16, u16)) -> String {
    let rest = room.saturating_sub(width(signs) + 1 + width(rating));
    let wide = rest.saturating_sub(after).max(rest.min(MIN_NAME_WIDTH));
    format!("{signs} {}{rating}", fitted(name, wide))
}

/// How much of a long name stays beside captured pieces.
const MIN_NAME_WIDTH: u16 = 12;

/// The pieces that a side has captured, and how far it is ahead, after a gap; empty if there is nothing to tell. Then
/// the same with fewer and fewer pieces, the most valuable first.
fn captured(app: &App, color: Color) -> impl Iterator<Item = String> {
    let (taken, ahead) = app.board().captured(color);
    (0..=taken.len()).rev().map(move |count| {
        let is_cut = (1..taken.len()).contains(&count);
        let (shown, more) = (&taken[..count], if is_cut { "…" } else { "" });
        captured_text(app, color, shown, more, ahead)
    })
}

fn captured_text(app: &App, color: Color, taken: &[Role], more: &str, ahead: i32) -> String {
    if app.look.blindfold {
        return String::new();
    }
    // A patch of color would hide which side they belong to, so figures show it by their shape.
    let style = match app.look.pieces() {
        PieceStyle::Letters => PieceStyle::Letters,
        PieceStyle::Drawn | PieceStyle::Fine | PieceStyle::Figures => PieceStyle::Figures,
    };
    let pieces: String = taken
        .iter()
        .map(|role| style.glyph(role.of(!color)))
        .collect();
    let ahead = if ahead > 0 {
        format!("+{ahead}")
    } else {
        String::new()
    };
    let pieces = pieces + more;
    match (pieces.is_empty(), ahead.is_empty()) {
        (true, true) => String::new(),
        (false, false) => format!("  {pieces} {ahead}"),
        (_, _) => format!("  {pieces}{ahead}"),
    }
}

impl Board {
    /// The clock that runs, such as `your clock 4:14`.
    pub(in super::super) fn running_clock(&self, now: Timestamp) -> Option<String> {
        let face = self.session().clock(now);
        let running = face.running.filter(|_| self.has_begun())?;
        let left = time(face.left[running]?);
        Some(match self.opponents().person() {
            Some(person) if person == running => format!("your clock {left}"),
            Some(_) if self.is_remote() => format!("their clock {left}"),
            Some(_) => format!("its clock {left}"),
            None => format!("{running}'s clock {left}"),
        })
    }
}

/// The time on a side's clock, if it has one.
fn clock(app: &App, color: Color) -> String {
    let board = app.board();
    let left = match board.reviewed {
        Some(_) => read_clock(board, color),
        None => board.session().clock(app.now).left[color],
    };
    // The game's clocks run on while another position is viewed.
    let now = if board.is_elsewhere() && board.reviewed.is_none() {
        "now "
    } else {
        ""
    };
    left.map_or(String::new(), |left| format!("{now}{}", time(left)))
}

/// The clock of a side in a reviewed game: the time after its last move.
fn read_clock(board: &Board, color: Color) -> Option<Duration> {
    let mut node = board.node();
    loop {
        let parent = node.parent()?;
        if parent.position().turn() == color {
            return node.annotation().clock;
        }
        node = parent;
    }
}

fn clock_style(app: &App, color: Color) -> Style {
    let face = app.board().session().clock(app.now);
    let palette = app.look.palette();
    let low = face.left[color].is_some_and(|left| left < LOW);
    match (face.running == Some(color), low) {
        (true, true) => palette.warning(),
        (true, false) => palette.accent(),
        (false, _) => palette.text(),
    }
}
