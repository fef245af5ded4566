//! What engines think: the best lines beside the board, an evaluation bar, and a sign that one is thinking.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tabiya_rules::Color;
use tabiya_uci::ScoreValue;

use super::rule;
use crate::app::App;
use crate::opponents::advice::{line_text, score_text, white_score};
use crate::tui::text::{put, row, width};

/// The signs that turn while an engine thinks.
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// How long each sign stands.
const TURN: u128 = 150;

/// How wide a score is at most.
const SCORE: u16 = 7;

/// The lines, under a rule with the bar in it.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let palette = app.palette();
    rule(buffer, row(area, 0), palette.dim());
    let Some((position, found)) = app.adviser.found() else {
        return;
    };
    let Some(best) = found.first() else {
        put(buffer, row(area, 1), 1, "thinking…", palette.dim());
        return;
    };
    if let Some(score) = best.info.score {
        let depth = best.info.depth.unwrap_or(0);
        let score = white_score(score.value, position.turn());
        let text = format!(
            " {} depth {depth} ",
            bar(score, area.width.saturating_sub(14))
        );
        put(buffer, row(area, 0), 1, &text, palette.text());
    }
    for (at, info) in found.iter().enumerate() {
        let line = row(area, at as u16 + 1);
        if line.y >= area.bottom() {
            break;
        }
        let score = info
            .info
            .score
            .map(|score| score_text(score.value, position.turn()));
        put(
            buffer,
            line,
            1,
            &score.unwrap_or_default(),
            palette.accent(),
        );
        let rest = Rect {
            x: line.x + SCORE + 1,
            width: line.width.saturating_sub(SCORE + 1),
            ..line
        };
        put(
            buffer,
            rest,
            0,
            &fitted(position, &info.pv, rest.width),
            palette.text(),
        );
    }
}

/// As many moves of a line as there is room for.
fn fitted(position: &tabiya_rules::Position, line: &[tabiya_rules::Move], room: u16) -> String {
    let mut count = line.len().min(usize::from(room));
    loop {
        let text = line_text(position, line, count);
        if count <= 1 || width(&text) <= room {
            return text;
        }
        count -= 1;
    }
}

/// A bar that is the fuller the better White stands; its ends are marked, so that it needs no color.
fn bar(score: ScoreValue, room: u16) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = match score {
        ScoreValue::Mate(moves) if moves > 0 => 1.0,
        ScoreValue::Mate(_) => 0.0,
        // A pawn moves it by a tenth or so, and a queen nearly to the end.
        ScoreValue::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / 250.0).exp()),
    };
    let cells = room.clamp(4, 24);
    let eighths = (share * f64::from(cells) * 8.0).round() as usize;
    let full = "█".repeat(eighths / 8);
    let part = EIGHTHS.get(eighths % 8).copied().unwrap_or("");
    let filled = width(&full) + width(part);
    let empty = " ".repeat(usize::from(cells.saturating_sub(filled)));
    format!("▕{full}{part}{empty}▏")
}

/// What stands behind the name of an engine that is thinking.
pub(super) fn thinking(app: &App, color: Color) -> Option<String> {
    let thinking = app
        .opponents
        .thinking()
        .filter(|thinking| thinking.color == color)?;
    let time = app.now.since(thinking.begun).as_millis();
    let sign = SPINNER
        .get(usize::try_from(time / TURN).unwrap_or(0) % SPINNER.len())
        .copied()
        .unwrap_or("…");
    let Some(info) = &thinking.info else {
        return Some(sign.to_owned());
    };
    let depth = info
        .info
        .depth
        .map_or(String::new(), |depth| format!(" depth {depth}"));
    let score = info.info.score.map(|score| score_text(score.value, color));
    let score = score.map_or(String::new(), |score| format!(" {score}"));
    Some(format!("{sign}{depth}{score}"))
}
