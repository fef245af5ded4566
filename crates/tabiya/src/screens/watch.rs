//! The match screen: one board or many, the score, and what can be done about it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Cell, Rect};
use ratatui::style::Style;
use tabiya_game::{GameResult, Record, Step};
use tabiya_play::contest::End;
use tabiya_rules::{Bitboard, Color, Score};

use super::game::time;
use super::key_line::{KeyLine, Keys};
use super::rule;
use crate::app::App;
use crate::app::moves::{self, Row};
use crate::app::watch::{Watch, Watched};
use crate::matches;
use crate::tui::board::{BoardView, Labels};
use crate::tui::geometry::{BoardGeometry, GameLayout};
use crate::tui::text::{put, put_right, row, width};

/// How many of the keys are about how a match goes on.
const PACE: usize = 4;

/// What can be done, the most needed first.
const KEYS: Keys = &[
    ("Space", "pause"),
    ("x", "stop"),
    (".", "step"),
    ("+ -", "speed"),
    ("g", "grid"),
    ("?", "help"),
    ("←→ 1–9", "game"),
    ("Enter", "review"),
    (":", "command"),
];

/// The line of keys, the last one of the screen.
pub(super) fn keys(app: &App) -> Option<KeyLine> {
    // When a match is over, it can only be looked at.
    let over = app.watch.as_ref().is_some_and(Watch::is_over);
    let keys = if over { KEYS.get(PACE..)? } else { KEYS };
    Some(KeyLine::left(app.layout()?.hints, keys))
}

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
    if let Some(keys) = keys(app) {
        keys.draw(buffer, app.palette());
    }
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
    let (over, games) = (watch.standing.games(), watch.games);
    format!("{over} of {games} games · {}", state(watch))
}

fn state(watch: &Watch) -> &'static str {
    match &watch.end {
        Some(End::Played | End::Decided(_)) => "over",
        Some(End::Stopped) => "stopped",
        Some(End::Broken(_)) => "broken off",
        None if watch.paused => "paused",
        None => watch.speed.name(),
    }
}

fn last(record: &Record) -> Bitboard {
    match record.cursor().step() {
        Some(Step::Move(played)) => Bitboard::of(played.from()) | played.destination(),
        _ => Bitboard::EMPTY,
    }
}

/// The board of a game, or nothing while it is read.
fn board(app: &App, game: &Watched, geometry: BoardGeometry, labels: Labels, buffer: &mut Buffer) {
    let Some(record) = &game.record else { return };
    let position = record.cursor().position();
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
        last: last(record),
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
    let turn = game
        .record
        .as_ref()
        .map(|record| record.cursor().position().turn());
    let to_move = game.over.is_none() && turn == Some(color);
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
    let Some(record) = &game.record else { return };
    let rows = moves::rows(record);
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
            if let Some(node) = id.and_then(|id| record.node(id)) {
                put(buffer, column, 0, &moves::text(node), palette.text());
            }
        }
    }
}

/// A score from White's side, as it is written.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::MateIn(moves) => format!("mate in {moves}"),
        Score::MatedIn(moves) => format!("mated in {moves}"),
    }
}

/// The number of the game at a cell of the grid.
pub(crate) fn game_at(app: &App, at: Cell) -> Option<u32> {
    let watch = app.watch.as_ref().filter(|watch| watch.grid)?;
    let places = app.match_places();
    let games = watch.shown(places.len());
    let place = places.iter().position(|place| place.contains(at))?;
    games.get(place).map(|game| game.number)
}

fn draw_grid(app: &App, watch: &Watch, buffer: &mut Buffer) {
    let palette = app.palette();
    let places = app.match_places();
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
    if !watch.typed.is_empty() {
        let typed = format!("Go to game {}▏  Enter go  Esc stay", watch.typed.text());
        lines.push((typed, palette.accent()));
    } else {
        if let Some(End::Broken(error)) = &watch.end {
            lines.push((error.to_string(), palette.warning()));
        }
        let said = app.said_in_match.iter();
        lines.extend(said.map(|said| (said.clone(), palette.warning())));
    }
    lines.extend(standing(app, watch, area));
    for (at, (line, style)) in lines.iter().take(usize::from(area.height)).enumerate() {
        put(buffer, row(area, at as u16), 1, line, *style);
    }
}

/// The lines of the score, as many as there is room for.
fn standing(app: &App, watch: &Watch, area: Rect) -> Vec<(String, Style)> {
    let palette = app.palette();
    let colors = format!(
        "with White {}  with Black {}",
        results(watch.by_color.white),
        results(watch.by_color.black)
    );
    match (area.height, area.width) {
        (0..3, 0..80) => short_standing(watch)
            .map(|line| (line, palette.text()))
            .to_vec(),
        (0..3, _) => vec![
            (format!("{}  {}", score(watch), elo(watch)), palette.text()),
            (colors, palette.dim()),
        ],
        _ => vec![
            (score(watch), palette.text()),
            (elo(watch), palette.accent()),
            (colors, palette.dim()),
        ],
    }
}

/// Wins, draws and losses.
fn results([wins, draws, losses]: [u32; 3]) -> String {
    format!("+{wins} ={draws} −{losses}")
}

fn score(watch: &Watch) -> String {
    let standing = &watch.standing;
    let results = results([standing.wins, standing.draws, standing.losses]);
    let (points, games) = (standing.points(), standing.games());
    format!("{}  {results}  {points} of {games} points", watch.names.a)
}

/// The same in two lines, for a screen that has no room for more, nor for a line above the board.
fn short_standing(watch: &Watch) -> [String; 2] {
    let standing = &watch.standing;
    let all = results([standing.wins, standing.draws, standing.losses]);
    let [white, black] = [watch.by_color.white, watch.by_color.black].map(results);
    let elo = standing.estimate().map_or_else(String::new, |estimate| {
        let elo = matches::elo(&estimate);
        // What stands behind the figures is left out.
        let figures = elo.split([',', '(']).next().unwrap_or_default();
        format!("Elo {}  ", figures.trim())
    });
    let state = state(watch);
    let (over, games) = (standing.games(), watch.games);
    [
        format!("{over}/{games} {all} {state} {}", watch.names.a),
        format!("{elo}W {white}  B {black}"),
    ]
}

fn elo(watch: &Watch) -> String {
    match watch.standing.estimate() {
        None => "Elo: nothing is known yet".to_owned(),
        Some(estimate) => {
            let superior = estimate.superiority * 100.0;
            let elo = matches::elo(&estimate);
            format!("Elo {elo} · stronger with {superior:.0} %")
        }
    }
}
