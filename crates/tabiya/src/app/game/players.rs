//! The players beside the board: whose turn it is, captured pieces, clocks.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;
use tabiya_rules::Color;

use super::super::App;
use super::super::board::{self, Board};
use super::super::canvas::Canvas;
use super::lines;
use crate::tui::pieces::PieceStyle;
use crate::tui::text::width;
use crate::wording::answers::time;

/// Draws a player: whose turn, captured pieces, clock.
pub(super) fn draw_player(app: &App, area: Rect, color: Color, canvas: &mut Canvas<'_>) {
    let palette = canvas.palette;
    let table = &app.board;
    let session = table.session();
    let to_move =
        table.position().turn() == color && (session.outcome().is_none() || table.is_elsewhere());
    let (signs, style) = canvas.player_signs(color, to_move);
    let right = canvas.put_right(area, &clock(app, color), clock_style(app, color));
    let unnamed = if app.board.opponents().person() == Some(color) {
        "You"
    } else {
        color.name()
    };
    let name = board::name(session, color).unwrap_or(unnamed);
    let rating = table
        .reviewed
        .as_ref()
        .and_then(|review| review.rating(color));
    let rated = rating.map(|rating| format!("{name} {rating}"));
    let named = Rect {
        width: right.saturating_sub(1),
        ..area
    };
    let full = format!("{signs} {}", rated.as_deref().unwrap_or(name));
    // The title of a level is shortened to its number.
    let player = &app.board.opponents().specs()[color];
    let seated = player.name().is_some_and(|seated| seated == name);
    let short = player.short_name().filter(|_| seated);
    let short = short.map(|short| format!("{signs} {short}"));
    let shown = match &short {
        Some(short) if width(&full) > named.width => short,
        _ => &full,
    };
    let mut column = canvas.put(named, 0, shown, style);
    if let Some(text) = lines::thinking(app, color) {
        column = canvas.put(named, column + 1, &text, palette.dim());
    }
    let (taken, ahead) = table.captured(color);
    let mut text = String::from("  ");
    // A patch of color would hide which side they belong to, so figures show it by their shape.
    let style = match app.look.pieces() {
        PieceStyle::Letters => PieceStyle::Letters,
        PieceStyle::Drawn | PieceStyle::Fine | PieceStyle::Figures => PieceStyle::Figures,
    };
    for role in taken {
        text.push_str(&style.glyph(role.of(!color)));
    }
    if ahead > 0 {
        let gap = if text.len() > 2 { " " } else { "" };
        text.push_str(&format!("{gap}+{ahead}"));
    }
    if text.len() > 2 && !app.look.blindfold {
        let fits = width(&text) <= named.width.saturating_sub(column);
        let short = format!("  +{ahead}");
        let text = if fits { &text } else { &short };
        if fits || ahead > 0 {
            canvas.put(named, column, text, palette.dim());
        }
    }
}

impl App {
    /// The clock that runs in the game being played, wherever the player is, such as `your clock 4:14`.
    pub(in super::super) fn running_clock(&self) -> Option<String> {
        let game = &self.board.game;
        let face = game.session().clock(self.now);
        let running = face.running.filter(|_| game.has_begun())?;
        let left = time(face.left[running]?);
        Some(match game.opponents().person() {
            Some(person) if person == running => format!("your clock {left}"),
            Some(_) if game.is_remote() => format!("their clock {left}"),
            Some(_) => format!("its clock {left}"),
            None => format!("{running}'s clock {left}"),
        })
    }
}

/// The time on a side's clock, if it has one.
fn clock(app: &App, color: Color) -> String {
    let table = &app.board;
    let left = match table.reviewed {
        Some(_) => read_clock(table, color),
        None => table.session().clock(app.now).left[color],
    };
    // The game's clocks run on while another position is viewed.
    let now = if table.is_elsewhere() && table.reviewed.is_none() {
        "now "
    } else {
        ""
    };
    left.map_or(String::new(), |left| format!("{now}{}", time(left)))
}

/// The clock of a side in a reviewed game: the time after its last move.
fn read_clock(table: &Board, color: Color) -> Option<Duration> {
    let mut node = table.node();
    loop {
        let parent = node.parent()?;
        if parent.position().turn() == color {
            return node.annotation().clock;
        }
        node = parent;
    }
}

fn clock_style(app: &App, color: Color) -> Style {
    let face = app.board.session().clock(app.now);
    let palette = app.look.palette();
    let low = face.left[color].is_some_and(|left| left < Duration::from_secs(20));
    match (face.running == Some(color), low) {
        (true, true) => palette.warning(),
        (true, false) => palette.accent(),
        (false, _) => palette.text(),
    }
}
