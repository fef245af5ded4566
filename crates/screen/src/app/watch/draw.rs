//! The match screen: one board or many, the score, and the keys.

use ratatui_core::layout::{Position as Cell, Rect, Size};
use ratatui_core::style::Style;
use tabiya_front::cells::{row, width};
use tabiya_front::game_text::last_move;
use tabiya_front::key_map::Keys;
use tabiya_front::matches;
use tabiya_front::wording::answers::time;
use tabiya_game::GameResult;
use tabiya_play::contest::End;
use tabiya_rules::{Color, Score};

use super::super::App;
use super::super::board::checked_king;
use super::super::canvas::Canvas;
use super::super::game::moves;
use super::super::press::{ENTER, KeyLabel, SPACE};
use super::{SPEEDS, Watch, Watched};
use crate::message::Hit;
use crate::tui::board::BoardView;
use crate::tui::geometry::{BoardGeometry, GameLayout, below, columns, from_column};
use crate::tui::styles::Styles;

/// How many of the keys control the match.
const PACE: usize = 4;

/// The keys, most important first.
fn keys(keys: &Keys) -> [Option<(KeyLabel, &'static str)>; 9] {
    let bound = |action, what| Some((KeyLabel::Bound(keys.key(action)?), what));
    [
        Some((SPACE, "pause")),
        Some((KeyLabel::Char('x'), "stop")),
        bound("forward", "step"),
        Some((KeyLabel::Several("+ -"), "speed")),
        Some((KeyLabel::Char('g'), "grid")),
        bound("help", "help"),
        Some((KeyLabel::Several("←→ 1–9"), "game")),
        Some((ENTER, "review")),
        bound("command", "command"),
    ]
}

/// The room for a board of the grid: squares of two cells, a line above and one below, and a gap.
const PLACE: Size = Size::new(18, 11);

/// The areas of the boards of a grid.
pub(super) fn places(app: &App) -> Vec<Rect> {
    let size = app.look.size;
    // Without room for a header, the boards begin at the top.
    let top = app.layout().map_or(0, |layout| layout.header.height);
    let room = Size::new(size.width, size.height.saturating_sub(6));
    let (columns, rows) = (room.width / PLACE.width, room.height / PLACE.height);
    let columns = columns.max(1);
    let place = |right, down| {
        let (x, y) = (right * PLACE.width + 1, top + down * PLACE.height);
        Rect::new(x, y, PLACE.width - 2, PLACE.height)
    };
    (0..rows.max(1))
        .flat_map(|down| (0..columns).map(move |right| place(right, down)))
        .collect()
}

pub(super) fn draw(watch: &Watch, app: &App, canvas: &mut Canvas<'_>) {
    let Some(layout) = app.layout() else { return };
    draw_header(watch, layout.header, canvas);
    if watch.grid {
        draw_grid(app, watch, canvas);
    } else if let Some(game) = watch.current() {
        draw_one(app, watch, game, &layout, canvas);
    } else {
        let line = row(canvas.screen(), canvas.screen().height / 2);
        let sentence = "The players are getting ready…";
        canvas.put(line, 2, sentence, canvas.styles.dim());
    }
    draw_standing(watch, &layout, canvas);
    // A finished match can only be viewed.
    let skipped = if watch.is_over() { PACE } else { 0 };
    let keys: Vec<_> = keys(&app.keys)
        .into_iter()
        .skip(skipped)
        .flatten()
        .collect();
    canvas.draw_keys(from_column(layout.hints, 1), &keys);
}

/// Draws the players, how many games are over, and whether the match goes on.
fn draw_header(watch: &Watch, area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let left = format!(" {} – {}", watch.names.a, watch.names.b);
    let (over, games) = (watch.standing.games(), watch.games);
    let right = format!("{over} of {games} games · {} ", state(watch));
    let room = columns(area, 0, area.width.saturating_sub(width(&right) + 1));
    canvas.put(room, 0, &left, styles.accent());
    canvas.put_right(area, &right, styles.dim());
}

/// Whether the match goes on, and how fast.
fn state(watch: &Watch) -> &'static str {
    match &watch.end {
        Some(End::Played | End::Decided(_)) => "over",
        Some(End::Stopped) => "stopped",
        Some(End::Broken(_)) => "broken off",
        None if watch.paused => "paused",
        None => SPEEDS[watch.speed].0,
    }
}

/// Draws the board of a game, or nothing while it is being read.
fn board(app: &App, game: &Watched, geometry: BoardGeometry, canvas: &mut Canvas<'_>) {
    let Some(record) = &game.record else { return };
    let position = record.cursor().position();
    canvas.draw_board(&BoardView {
        last: last_move(record.cursor()),
        check: checked_king(position),
        // The boards of a grid have no room for them.
        shows_labels: app.screens.watch.as_ref().is_some_and(|watch| !watch.grid),
        ..BoardView::plain(position, geometry, app.look.styles(), app.look.pieces())
    });
}

fn draw_one(
    app: &App,
    watch: &Watch,
    game: &Watched,
    layout: &GameLayout,
    canvas: &mut Canvas<'_>,
) {
    let styles = canvas.styles;
    board(app, game, layout.board, canvas);
    canvas.draw_divider(layout.divider);
    let bottom = layout.board.bottom;
    for (area, color) in [(layout.upper, !bottom), (layout.lower, bottom)] {
        draw_player(watch, game, color, area, canvas);
    }
    let number = game.number;
    let title = match (&game.over, game.score) {
        (Some((result, how)), _) => format!("Game {number}: {} {how}", result.as_str()),
        (None, Some(score)) => format!("Game {number} · {}", score_text(score)),
        (None, None) => format!("Game {number}"),
    };
    canvas.put(row(layout.moves, 0), 0, &title, styles.accent());
    if let Some(record) = &game.record {
        let area = below(layout.moves, 1);
        let rows = moves::rows(record);
        let last = rows.len().saturating_sub(usize::from(area.height));
        moves::draw(record, &rows[last..], None, |_| false, area, canvas);
    }
}

/// Draws a player: whose turn, name, time.
fn draw_player(watch: &Watch, game: &Watched, color: Color, area: Rect, canvas: &mut Canvas<'_>) {
    let record = game.record.as_ref().filter(|_| game.over.is_none());
    let to_move = record.is_some_and(|record| record.cursor().position().turn() == color);
    let (signs, style) = canvas.player_signs(color, to_move);
    let clock = game.left[color].map(time).unwrap_or_default();
    let right = canvas.put_right(area, &clock, style);
    let room = columns(area, 0, right.saturating_sub(1));
    let name = watch.player_name(game, color);
    canvas.put(room, 0, &format!("{signs} {name}"), style);
}

/// Formats a score from White's point of view.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::MateIn(moves) => format!("mate in {moves}"),
        Score::MatedIn(moves) => format!("mated in {moves}"),
    }
}

/// Draws several boards.
fn draw_grid(app: &App, watch: &Watch, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let places = places(app);
    let current = watch.current().map(|game| game.number);
    for (game, place) in watch.shown(places.len()).into_iter().zip(places) {
        let (_, style) = canvas.line_style(Some(game.number) == current);
        let result = match &game.over {
            Some((GameResult::Draw, _)) => "½".to_owned(),
            Some((result, _)) => result.as_str().to_owned(),
            None => game.score.map(score_text).unwrap_or_default(),
        };
        let title = format!("{:<5}{result:>11}", game.number);
        canvas.put(row(place, 0), 0, &title, style);
        canvas.make_clickable(place, Hit::Game(game.number));
        let geometry = BoardGeometry::small(Cell::new(place.x, place.y + 1), app.look.bottom);
        board(app, game, geometry, canvas);
        let below = watch.player_name(game, app.look.bottom);
        canvas.put(row(place, 9), 0, below, styles.dim());
    }
}

/// Draws the score, the estimate, and the results by color, as many lines as fit.
fn draw_standing(watch: &Watch, layout: &GameLayout, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    canvas.draw_rule(layout.rule);
    canvas.draw_rule(layout.lower_rule);
    let area = layout.messages.union(layout.input);
    // Hides what a board of the grid left under the frame.
    canvas.clear(area);
    let mut lines = Vec::new();
    if !watch.typed.is_empty() {
        let typed = format!("Go to game {}▏  Enter go  Esc stay", watch.typed.text());
        lines.push((typed, styles.accent()));
    } else {
        if let Some(End::Broken(error)) = &watch.end {
            lines.push((error.to_string(), styles.warning()));
        }
        let said = watch.said.iter();
        lines.extend(said.map(|said| (said.clone(), styles.warning())));
    }
    lines.extend(standing(watch, area, styles));
    canvas.put_styled_lines(from_column(area, 1), lines);
}

/// The lines of the score, as many as fit.
fn standing(watch: &Watch, area: Rect, styles: Styles) -> Vec<(String, Style)> {
    let [white, black] = [watch.by_white.a, watch.by_white.b].map(results);
    let colors = format!("with White {white}  with Black {black}");
    match (area.height, area.width) {
        (0..3, 0..80) => short_standing(watch)
            .map(|line| (line, styles.text()))
            .to_vec(),
        (0..3, _) => vec![
            (format!("{}  {}", score(watch), elo(watch)), styles.text()),
            (colors, styles.dim()),
        ],
        _ => vec![
            (score(watch), styles.text()),
            (elo(watch), styles.accent()),
            (colors, styles.dim()),
        ],
    }
}

/// Wins, draws and losses.
fn results([wins, draws, losses]: [u32; 3]) -> String {
    format!("+{wins} ={draws} −{losses}")
}

/// The score of the match from the first player's point of view.
fn score(watch: &Watch) -> String {
    let standing = &watch.standing;
    let results = results([standing.wins, standing.draws, standing.losses]);
    let (points, games) = (standing.points(), standing.games());
    format!("{}  {results}  {points} of {games} points", watch.names.a)
}

/// The score in two lines, for a small screen without a header.
fn short_standing(watch: &Watch) -> [String; 2] {
    let standing = &watch.standing;
    let all = results([standing.wins, standing.draws, standing.losses]);
    let [white, black] = [watch.by_white.a, watch.by_white.b].map(results);
    let elo = standing.estimate().map_or_else(String::new, |estimate| {
        format!("Elo {}  ", matches::elo_figures(&estimate))
    });
    let state = state(watch);
    let (over, games) = (standing.games(), watch.games);
    [
        format!("{over}/{games} {all} {state} {}", watch.names.a),
        format!("{elo}W {white}  B {black}"),
    ]
}

/// The difference in strength that the results suggest.
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
