//! The players beside the board: whose turn it is, captured pieces, clocks.

use std::ops::Deref;
use std::time::Duration;

use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use tabiya_front::appearance::PieceStyle;
use tabiya_front::cells::{fitted, only_if, width};
use tabiya_front::wording::answers::time;
use tabiya_game::{Node, Timestamp};
use tabiya_rules::Color;

use super::super::App;
use super::super::board::{self, Board, LOW, View};
use super::super::canvas::Canvas;
use super::lines;
use crate::tui::geometry::columns;

/// Draws a player: whose turn, captured pieces, clock.
pub(super) fn draw_player(app: &App, area: Rect, color: Color, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let board = app.board();
    let session = board.session();
    let to_move =
        board.position().turn() == color && (session.outcome().is_none() || board.is_elsewhere());
    let (signs, style) = canvas.player_signs(color, to_move);
    let right = canvas.put_right(area, &clock(app, color), clock_style(app, color));
    let unnamed = match board.opponents().person() {
        Some(person) if person == color => "You",
        Some(_) | None => color.name(),
    };
    let name = board::name(session, color).unwrap_or(unnamed);
    let rating = board.reviewed;
    let rating = rating.and_then(|review| review.rating(color));
    let rating = rating.map_or(String::new(), |rating| format!(" {rating}"));
    let named = columns(area, 0, right.saturating_sub(1));
    // The title of a level is shortened to its number.
    let player = &board.opponents().specs()[color];
    let seated = player.name().is_some_and(|seated| seated == name);
    let all_captured = captured(app, color).next().unwrap_or_default();
    // The spinner of a thinking engine comes and goes, so the name always leaves room for it.
    let thinks = if player.name().is_some() { 2 } else { 0 };
    let after = width(&all_captured) + thinks;
    let room = named.width.saturating_sub(width(&signs) + 1);
    let full = format!("{name}{rating}");
    let shown = match player.short_name().filter(|_| seated) {
        _ if width(&full) + after <= room => full,
        Some(short) => short,
        None => {
            // The rating is never truncated, and the name only to a minimum width.
            let rest = room.saturating_sub(width(&rating));
            let wide = rest.saturating_sub(after).max(rest.min(MIN_NAME_WIDTH));
            format!("{}{rating}", fitted(name, wide))
        }
    };
    let mut column = canvas.put(named, 0, &format!("{signs} {shown}"), style);
    if let Some(text) = lines::thinking(app, color) {
        column = canvas.put(named, column + 1, &text, styles.dim());
    }
    let room = named.width.saturating_sub(column);
    let fitting = captured(app, color).find(|text| width(text) <= room);
    canvas.put(named, column, &fitting.unwrap_or_default(), styles.dim());
}

/// How much of a long name stays beside captured pieces.
const MIN_NAME_WIDTH: u16 = 12;

/// The pieces that a side has captured, and how far it is ahead, after a gap; empty if there is nothing to show. Then
/// shorter forms with fewer pieces; the most valuable ones stay longest.
fn captured(app: &App, color: Color) -> impl Iterator<Item = String> {
    let (taken, ahead) = app.board().captured(color);
    // A patch of color would hide which side they belong to, so figures show it by their shape.
    let style = match app.look.pieces() {
        style if style.is_drawn() => PieceStyle::Figures,
        style => style,
    };
    (0..=taken.len()).rev().map(move |count| {
        let is_cut = (1..taken.len()).contains(&count);
        let pieces = taken[..count]
            .iter()
            .map(|role| style.glyph(role.of(!color)));
        let pieces: String = pieces.chain(is_cut.then(|| "…".to_owned())).collect();
        let ahead = (ahead > 0).then(|| format!("+{ahead}"));
        match (pieces.as_str(), ahead) {
            _ if app.look.blindfold => String::new(),
            ("", None) => String::new(),
            ("", Some(ahead)) => format!("  {ahead}"),
            (pieces, None) => format!("  {pieces}"),
            (pieces, Some(ahead)) => format!("  {pieces} {ahead}"),
        }
    })
}

impl<V: Deref<Target = View>> Board<'_, V> {
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
    let now = only_if(board.is_elsewhere() && board.reviewed.is_none(), "now ");
    left.map_or(String::new(), |left| format!("{now}{}", time(left)))
}

/// The clock of a side in a reviewed game: the time after its last move.
fn read_clock(board: Board<'_>, color: Color) -> Option<Duration> {
    let mut nodes = std::iter::successors(Some(board.node()), |node| node.parent());
    let is_own = |parent: Node<'_>| parent.position().turn() == color;
    let last = nodes.find(|node| node.parent().is_some_and(is_own));
    last?.annotation().clock
}

/// A clock stands out while it runs, and more so when little time is left.
fn clock_style(app: &App, color: Color) -> Style {
    let face = app.board().session().clock(app.now);
    let styles = app.look.styles();
    let low = face.left[color].is_some_and(|left| left < LOW);
    match (face.running == Some(color), low) {
        (true, true) => styles.warning(),
        (true, false) => styles.accent(),
        (false, _) => styles.text(),
    }
}
