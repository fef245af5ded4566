//! The match screen: one board or many, the score, and what can be done about it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Cell, Rect, Size};
use tabiya_game::{GameResult, Step};
use tabiya_rules::{Bitboard, Color};
use tabiya_uci::ScoreValue;

use super::game::time;
use super::rule;
use crate::app::App;
use crate::app::moves::{self, Row};
use crate::app::watch::{Watch, Watched};
use crate::contest::End;
use crate::tools::contest;
use crate::tui::board::{BoardView, Labels};
use crate::tui::geometry::{BoardGeometry, GameLayout};
use crate::tui::text::{put, put_right, row, width};

/// The room that a board of a grid takes: squares of two cells, a line above and one below, and some air.
const PLACE: Size = Size::new(18, 11);

const HINTS: [(&str, &str); 9] = [
    ("Space", "pause"),
    (".", "step"),
    ("+ -", "speed"),
    ("←→", "game"),
    ("g", "grid"),
    ("Enter", "review"),
    ("x", "stop"),
    (":", "command"),
    ("?", "help"),
];

pub(super) fn draw(app: &App, buffer: &mut Buffer) {
    let (Some(watch), Some(layout)) = (app.watch.as_ref(), app.layout()) else {
        return;
    };
    draw_header(app, watch, layout.header, buffer);
    if watch.grid {
        draw_grid(app, watch, buffer);
    } else if let Some(game) = watch.current() {
        draw_one(app, watch, game, &layout, buffer);
    } else {
        let line = row(buffer.area, buffer.area.height / 2);
        put(
            buffer,
            line,
            2,
            "The players are getting ready…",
            app.palette().dim(),
        );
    }
    draw_standing(app, watch, &layout, buffer);
    draw_hints(app, layout.hints, buffer);
}

fn draw_header(app: &App, watch: &Watch, area: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let left = format!(" {} – {}", watch.names.a, watch.names.b);
    let right = format!("{} ", progress(watch));
    let room = Rect {
        width: area.width.saturating_sub(width(&right) + 1),
        ..area
    };
    put(buffer, room, 0, &left, palette.accent());
    put_right(buffer, area, &right, palette.dim());
}

fn progress(watch: &Watch) -> String {
    let games = format!("{} of {} games", watch.standing.games(), watch.games);
    match &watch.end {
        Some(End::Played | End::Decided(_)) => format!("{games} · over"),
        Some(End::Stopped) => format!("{games} · stopped"),
        Some(End::Broken(_)) => format!("{games} · broken off"),
        None if watch.paused => format!("{games} · paused"),
        None => format!("{games} · {}", watch.speed.name()),
    }
}

fn last(game: &Watched) -> Bitboard {
    match game.record.cursor().step() {
        Some(Step::Move(played)) => Bitboard::of(played.from()) | played.destination(),
        _ => Bitboard::EMPTY,
    }
}

fn board(app: &App, game: &Watched, geometry: BoardGeometry, labels: Labels, buffer: &mut Buffer) {
    let position = game.record.cursor().position();
    let check = position
        .board()
        .king(position.turn())
        .filter(|_| position.is_check());
    BoardView {
        position,
        geometry,
        palette: app.palette(),
        pieces: app.pieces(),
        shows_pieces: true,
        cursor: None,
        selected: Bitboard::EMPTY,
        targets: Bitboard::EMPTY,
        last: last(game),
        check,
        marks: &[],
        labels,
    }
    .draw(buffer);
}

fn draw_one(app: &App, watch: &Watch, game: &Watched, layout: &GameLayout, buffer: &mut Buffer) {
    let palette = app.palette();
    board(app, game, layout.board, Labels::Shown, buffer);
    for at in layout.divider.positions() {
        if let Some(cell) = buffer.cell_mut(at) {
            cell.set_symbol("│").set_style(palette.dim());
        }
    }
    let bottom = layout.board.bottom;
    for (area, color) in [(layout.upper, !bottom), (layout.lower, bottom)] {
        draw_player(app, watch, game, color, area, buffer);
    }
    let title = match &game.over {
        Some((result, sentence)) => format!("Game {}: {} {sentence}", game.number, result.as_str()),
        None => match game.score {
            Some(score) => format!("Game {} · {}", game.number, score_text(score)),
            None => format!("Game {}", game.number),
        },
    };
    put(buffer, row(layout.moves, 0), 0, &title, palette.accent());
    let list = Rect {
        y: layout.moves.y + 1,
        height: layout.moves.height.saturating_sub(1),
        ..layout.moves
    };
    draw_moves(app, game, list, buffer);
}

fn draw_player(
    app: &App,
    watch: &Watch,
    game: &Watched,
    color: Color,
    area: Rect,
    buffer: &mut Buffer,
) {
    let palette = app.palette();
    let to_move = game.over.is_none() && game.record.cursor().position().turn() == color;
    let sign = if to_move { "▸" } else { " " };
    let circle = match color {
        Color::White => "○",
        Color::Black => "●",
    };
    let style = if to_move {
        palette.accent()
    } else {
        palette.text()
    };
    let clock = game.left[color].map(time).unwrap_or_default();
    let right = put_right(buffer, area, &clock, style);
    let room = Rect {
        width: right.saturating_sub(1),
        ..area
    };
    let name = watch.name(game, color);
    put(buffer, room, 0, &format!("{sign}{circle} {name}"), style);
}

/// The last moves of a game.
fn draw_moves(app: &App, game: &Watched, area: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let rows = moves::rows(&game.record);
    let first = rows.len().saturating_sub(usize::from(area.height));
    for (at, found) in rows.iter().skip(first).enumerate() {
        let line = row(area, at as u16);
        let Row::Pair {
            number,
            white,
            black,
        } = *found
        else {
            continue;
        };
        put(buffer, line, 0, &format!("{number:>3}."), palette.dim());
        for (column, id) in moves::columns(line).into_iter().zip([white, black]) {
            if let Some(node) = id.and_then(|id| game.record.node(id)) {
                put(buffer, column, 0, &moves::text(node), palette.text());
            }
        }
    }
}

/// A score from White's side, as it is written.
fn score_text(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        ScoreValue::Mate(moves) if moves > 0 => format!("mate in {moves}"),
        ScoreValue::Mate(moves) => format!("mated in {}", moves.unsigned_abs()),
    }
}

/// Where the boards of a grid go.
fn places(size: Size) -> Vec<Rect> {
    let room = Size::new(size.width, size.height.saturating_sub(6));
    let (columns, rows) = (room.width / PLACE.width, room.height / PLACE.height);
    let columns = columns.max(1);
    (0..rows.max(1))
        .flat_map(|down| (0..columns).map(move |right| (right, down)))
        .map(|(right, down)| {
            Rect::new(
                right * PLACE.width + 1,
                1 + down * PLACE.height,
                PLACE.width - 2,
                PLACE.height,
            )
        })
        .collect()
}

/// The number of the game at a cell of the grid.
pub(crate) fn game_at(app: &App, at: Cell) -> Option<u32> {
    let watch = app.watch.as_ref().filter(|watch| watch.grid)?;
    let places = places(app.size);
    let games = watch.shown(places.len());
    let place = places.iter().position(|place| place.contains(at))?;
    games.get(place).map(|game| game.number)
}

fn draw_grid(app: &App, watch: &Watch, buffer: &mut Buffer) {
    let palette = app.palette();
    let places = places(app.size);
    let current = watch.current().map(|game| game.number);
    for (game, place) in watch.shown(places.len()).into_iter().zip(places) {
        let style = if Some(game.number) == current {
            palette.chosen()
        } else {
            palette.text()
        };
        let result = match &game.over {
            Some((GameResult::Draw, _)) => "½".to_owned(),
            Some((result, _)) => result.as_str().to_owned(),
            None => game.score.map(score_text).unwrap_or_default(),
        };
        put(
            buffer,
            row(place, 0),
            0,
            &format!("{:<5}{result:>11}", game.number),
            style,
        );
        let geometry = BoardGeometry::small(Cell::new(place.x, place.y + 1), app.look.bottom);
        board(app, game, geometry, Labels::Hidden, buffer);
        let below = watch.name(game, app.look.bottom);
        put(buffer, row(place, 9), 0, below, palette.dim());
    }
}

/// The score, what it says, and how it is spread over the colors; as much of it as there are lines.
fn draw_standing(app: &App, watch: &Watch, layout: &GameLayout, buffer: &mut Buffer) {
    let palette = app.palette();
    rule(buffer, layout.rule, palette.dim());
    rule(buffer, layout.lower_rule, palette.dim());
    let area = Rect {
        height: layout.input.bottom().saturating_sub(layout.messages.y),
        ..layout.messages
    };
    // A frame under a grid hides what a board left there.
    for at in area.positions() {
        if let Some(cell) = buffer.cell_mut(at) {
            cell.reset();
            cell.set_style(palette.text());
        }
    }
    let mut lines = Vec::new();
    if let Some(said) = &app.said_in_match {
        lines.push((said.clone(), palette.warning()));
    } else if let Some(End::Broken(sentence)) = &watch.end {
        lines.push((sentence.clone(), palette.warning()));
    }
    let standing = &watch.standing;
    lines.push((
        format!(
            "{}  +{} ={} −{}  {} of {} points",
            watch.names.a,
            standing.wins,
            standing.draws,
            standing.losses,
            standing.points(),
            standing.games()
        ),
        palette.text(),
    ));
    lines.push((elo(watch), palette.accent()));
    let by = |color: Color| {
        let [wins, draws, losses] = watch.by_color[color];
        format!("+{wins} ={draws} −{losses}")
    };
    let colors = format!(
        "with White {}  with Black {}",
        by(Color::White),
        by(Color::Black)
    );
    lines.push((colors, palette.dim()));
    for (at, (line, style)) in lines.iter().take(usize::from(area.height)).enumerate() {
        put(buffer, row(area, at as u16), 1, line, *style);
    }
}

fn elo(watch: &Watch) -> String {
    match watch.standing.estimate() {
        None => "Elo: nothing is known yet".to_owned(),
        Some(estimate) => {
            let superior = estimate.superiority * 100.0;
            let elo = contest::elo(&estimate);
            format!("Elo {elo} · stronger with {superior:.0} %")
        }
    }
}

fn draw_hints(app: &App, area: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    let mut column = 1;
    for (key, what) in HINTS {
        if column + width(key) + 1 + width(what) > area.width {
            break;
        }
        let after = put(buffer, area, column, key, palette.accent());
        column = put(buffer, area, after + 1, what, palette.dim()) + 2;
    }
}
