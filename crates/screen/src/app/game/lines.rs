//! What engines think: the best lines beside the board, the evaluation bar, the curve of the game, and a spinner while
//! one is thinking.

use ratatui_core::layout::Rect;
use tabiya_front::cells::{row, width};
use tabiya_play::advice::{line_text, score_text};
use tabiya_rules::Color;
use tabiya_uci::expected_score;

use super::super::App;
use super::super::canvas::Canvas;
use super::curve;
use crate::tui::geometry::{GameLayout, below, from_column};

/// The frames of the spinner.
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// How many milliseconds each frame is shown.
const TURN: u128 = 150;

/// The greatest width of a score.
const SCORE: u16 = 7;

/// The width of the score before the bar.
const BEFORE_BAR: u16 = 8;

/// A game of this many plies fills the curve. A shorter one leaves room for what follows.
const MIN_CURVE_PLIES: usize = 40;

/// Draws the curve, the bar and the lines, as far as there is room.
pub(super) fn draw(app: &App, layout: &GameLayout, canvas: &mut Canvas<'_>) {
    draw_curve(app, layout.curve, canvas);
    draw_bar(app, layout.bar, canvas);
    draw_lines(app, layout.lines, canvas);
}

/// Draws the evaluation of the game so far, where it is known.
fn draw_curve(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height < 2 {
        return;
    }
    canvas.draw_rule(row(area, 0));
    let record = app.desk.front().session().record();
    let chances = app.desk.front().evaluation_history().chances(record);
    let here = app.desk.front().node();
    let on_line = record.on_line(here.ply());
    let on_line = on_line.filter(|node| node.id() == here.id());
    let here = on_line.map(|node| node.ply() as usize);
    let count = chances.len().max(MIN_CURVE_PLIES);
    curve::draw(&chances, count, here, below(area, 1), canvas);
}

/// Draws the evaluation of the position on the screen, in a rule.
fn draw_bar(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height == 0 {
        return;
    }
    let styles = canvas.styles;
    canvas.draw_rule(area);
    let node = app.desk.front().node();
    let Some(known) = app.desk.front().evaluation_history().at(node) else {
        return;
    };
    let share = expected_score(known.score, node.position());
    let depth = known.depth.unwrap_or(0);
    let depth = match area.width {
        34.. => format!("depth {depth}"),
        _ => format!("d{depth}"),
    };
    let score = score_text(known.score, Color::White);
    let room = area.width.saturating_sub(BEFORE_BAR + width(&depth) + 7);
    let text = format!(" {score} {} {depth} ", bar(share, room));
    canvas.put(area, 1, &text, styles.text());
}

fn draw_lines(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let Some((position, found)) = app
        .desk
        .front()
        .adviser()
        .found()
        .filter(|_| area.height > 0)
    else {
        return;
    };
    if found.is_empty() {
        canvas.put(row(area, 0), 1, "thinking…", styles.dim());
    }
    for (at, info) in found.iter().take(usize::from(area.height)).enumerate() {
        let line = row(area, at as u16);
        if let Some(score) = info.info.score {
            let score = score_text(score.value, position.turn());
            canvas.put(line, 1, &score, styles.accent());
        }
        let rest = from_column(line, SCORE + 1);
        let moves = fitted(position, &info.pv, rest.width);
        canvas.put(rest, 0, &moves, styles.text());
    }
}

/// As many moves of a line as fit.
fn fitted(position: &tabiya_rules::Position, line: &[tabiya_rules::Move], room: u16) -> String {
    let most = line.len().min(usize::from(room));
    let counts = (2..=most).rev();
    let mut texts = counts.map(|count| line_text(position, line, count));
    let fitting = texts.find(|text| width(text) <= room);
    fitting.unwrap_or_else(|| line_text(position, line, most.min(1)))
}

/// A bar that fills up as White stands better. Its ends are marked, so that it needs no color.
fn bar(share: f64, room: u16) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let cells = room.clamp(4, 24);
    let eighths = (share * f64::from(cells) * 8.0).round() as usize;
    let full = "█".repeat(eighths / 8);
    let part = EIGHTHS.get(eighths % 8).copied().unwrap_or("");
    let filled = width(&full) + width(part);
    let empty = " ".repeat(usize::from(cells.saturating_sub(filled)));
    format!("▕{full}{part}{empty}▏")
}

/// The text after the name of an engine that is thinking.
pub(super) fn thinking(app: &App, color: Color) -> Option<String> {
    let thinking = app.desk.front().opponents().thinking();
    let thinking = thinking.filter(|thinking| thinking.color == color)?;
    let time = app.now.since(thinking.begun).as_millis();
    let turns = usize::try_from(time / TURN).unwrap_or(0);
    let sign = SPINNER[turns % SPINNER.len()];
    // The opponent's evaluation is only for those who want to see it.
    let Some(info) = thinking.info.as_ref().filter(|_| app.settings.spoilers) else {
        return Some(sign.to_owned());
    };
    let depth = info.info.depth;
    let depth = depth.map_or(String::new(), |depth| format!(" depth {depth}"));
    let score = info.info.score.map(|score| score_text(score.value, color));
    let score = score.map_or(String::new(), |score| format!(" {score}"));
    Some(format!("{sign}{depth}{score}"))
}
