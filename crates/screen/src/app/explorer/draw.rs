//! Draws the explorer: the moves with their counts and results, and the games.

use ratatui_core::layout::Rect;
use tabiya_db::{Answer, MoveStats, ResultCounts};
use tabiya_front::cells::{row, width};
use tabiya_front::explorer::{DatabaseKind, Found};
use tabiya_front::wording::explorer as words;

use super::super::canvas::{Canvas, rows};
use super::super::{App, Screen};
use super::ExplorerPanel;
use crate::message::{ExplorerList as List, Hit};
use crate::tui::geometry::{GameLayout, HOME_MENU_WIDTH, band, below};

/// From this many lines on, games are listed below the moves.
const ROOM_FOR_GAMES: u16 = 10;

/// From this many columns on, games are listed in full.
const ROOM_FOR_NAMES: u16 = 56;

/// The smallest width of the explorer on the home screen, and the gap between it and the menu.
const NARROWEST: u16 = 30;
const BETWEEN: u16 = 3;

/// The maximum width.
const WIDEST: u16 = 56;

/// Draws the explorer into an area, which may be empty.
pub(in super::super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height == 0 {
        return;
    }
    let explorer = &app.screens.explorer;
    canvas.make_clickable(area, Hit::Explorer(None));
    draw_title(app, row(area, 0), canvas);
    let mut body = below(area, 1);
    if explorer.has_focus() || !explorer.asked.typed().is_empty() {
        draw_filter(explorer, row(body, 0), canvas);
        body = below(body, 1);
    }
    match &explorer.found {
        None => drop(canvas.put(body, 1, words::LOOKING, canvas.styles.dim())),
        Some(Err(error)) => canvas.put_paragraph(body, &error.to_string(), canvas.styles.warning()),
        Some(Ok(found)) => draw_found(explorer, found, body, canvas),
    }
}

/// Draws a rule with the query, the counts, and the key that gives the focus.
fn draw_title(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    canvas.draw_rule(area);
    let explorer = &app.screens.explorer;
    let name = match explorer.asked.which(&app.settings.game_sources()) {
        DatabaseKind::Games => words::GAMES,
        DatabaseKind::Own => words::OWN_GAMES,
    };
    let style = match explorer.has_focus() {
        true => styles.chosen(),
        false => styles.accent(),
    };
    let after = canvas.put(area, 1, &format!(" {name} "), style);
    let key = app.keys.of_command("explorer");
    let key = key.filter(|_| !explorer.has_focus());
    let key = key.map_or(String::new(), |key| format!(" {key} "));
    let room = area.width.saturating_sub(after + 2 + width(&key));
    if let Some(found) = explorer.found_answer() {
        let texts = words::summaries(&found.answer.score, found.mine);
        if let Some(text) = texts.iter().find(|text| width(text) < room) {
            canvas.put(area, after, &format!("{text} "), styles.text());
        }
    }
    if !key.is_empty() && area.width > after + 4 {
        canvas.put_right(area, &key, styles.accent());
    }
}

/// Draws the filter being typed.
fn draw_filter(explorer: &ExplorerPanel, area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    if explorer.has_focus() {
        canvas.draw_search_line(area, words::FILTER, &explorer.line);
        if explorer.line.is_empty() {
            let column = width(words::FILTER) + 1;
            canvas.put(area, column, words::FILTER_EXAMPLE, styles.dim());
        }
    } else {
        let text = format!("{}{}", words::FILTER, explorer.asked.typed());
        canvas.put(area, 0, &text, styles.dim());
    }
}

fn draw_found(explorer: &ExplorerPanel, found: &Found, area: Rect, canvas: &mut Canvas<'_>) {
    let answer = &found.answer;
    if answer.score.games() == 0 {
        canvas.put_paragraph(area, words::no_game(&found.filter), canvas.styles.dim());
        return;
    }
    let fitting = |count: usize, room: u16| count.min(usize::from(room)) as u16;
    let games = match explorer.focus {
        Some(List::Games) => return draw_games(explorer, found, area, canvas),
        Some(List::Moves) | None if area.height < ROOM_FOR_GAMES => 0,
        Some(List::Moves) | None => fitting(answer.games.len(), area.height / 3),
    };
    let moves = fitting(answer.moves.len(), area.height - games);
    draw_moves(explorer, found, band(area, 0, moves), canvas);
    draw_games(explorer, found, band(area, moves, games), canvas);
}

fn draw_moves(explorer: &ExplorerPanel, found: &Found, area: Rect, canvas: &mut Canvas<'_>) {
    let Answer { score, moves, .. } = &found.answer;
    let has_focus = explorer.focus == Some(List::Moves);
    let chosen = if has_focus { explorer.chosen } else { 0 };
    let columns = Columns::of(area.width, moves);
    for (at, line) in rows(area, chosen, moves.len()) {
        let Some(stats) = moves.get(at) else { break };
        let (sign, style) = canvas.line_style(has_focus && at == chosen);
        let san = found.position.san(stats.m).to_string();
        let head = columns.move_and_counts(&san, &stats.score, score);
        let after = canvas.put(line, 0, &format!("{sign} {head}"), style);
        // The results need no color: White's wins, draws, Black's wins.
        let bar = words::bar(&stats.score, columns.bar, ['█', '▒', '░']);
        let after = canvas.put(line, after + 1, &bar, canvas.styles.text());
        let tail = columns.rating_and_year(stats);
        canvas.put(line, after + 1, &tail, canvas.styles.dim());
        canvas.make_clickable(line, Hit::Explorer(Some((List::Moves, at))));
    }
}

fn draw_games(explorer: &ExplorerPanel, found: &Found, area: Rect, canvas: &mut Canvas<'_>) {
    let games = &found.answer.games;
    let has_focus = explorer.focus == Some(List::Games);
    let chosen = if has_focus { explorer.chosen } else { 0 };
    if has_focus && games.is_empty() {
        canvas.put_paragraph(area, words::NO_KNOWN_GAMES, canvas.styles.dim());
    }
    for (at, line) in rows(area, chosen, games.len()) {
        let Some((m, game)) = games.get(at) else {
            break;
        };
        let is_chosen = has_focus && at == chosen;
        let (sign, mut style) = canvas.line_style(is_chosen);
        if !is_chosen {
            style = canvas.styles.dim();
        }
        let text = match has_focus && area.width >= ROOM_FOR_NAMES {
            true => words::listed(&found.position, *m, game),
            false => words::listed_briefly(game),
        };
        canvas.put(line, 0, &format!("{sign} {text}"), style);
        canvas.make_clickable(line, Hit::Explorer(Some((List::Games, at))));
    }
}

/// The widths of the columns of a move.
struct Columns {
    /// Whether a move's share of the games is shown, and more room is for the counts.
    share: bool,
    bar: usize,
    rating: bool,
    year: bool,
}

impl Columns {
    /// The marker and the move take nine cells, the counts up to eight, and the bar takes the rest. Ratings and years
    /// get a column only if some move has one.
    fn of(width: u16, moves: &[MoveStats]) -> Columns {
        let width = usize::from(width);
        let narrow = width < 30;
        let rated = moves.iter().any(|stats| stats.average_rating.is_some());
        let dated = moves.iter().any(|stats| stats.last_year.is_some());
        let (rating, year) = (rated && width >= 38, dated && width >= 50);
        // The count, and the share.
        let games = if narrow { 6 } else { 8 + 6 };
        let others = 5 * (usize::from(rating) + usize::from(year));
        Columns {
            share: !narrow,
            bar: match width.saturating_sub(9 + games + others + 1) {
                0..4 => 0,
                room => room.min(20),
            },
            rating,
            year,
        }
    }

    /// The move, how often it was played, and its share of the games.
    fn move_and_counts(&self, san: &str, score: &ResultCounts, of: &ResultCounts) -> String {
        let games = score.games();
        let share = words::percent(games, of.games());
        match self.share {
            true => format!("{san:<7}{games:>8}{share:>4.0} %"),
            false => format!("{san:<7}{games:>6}"),
        }
    }

    /// The average rating of the players, and when the move was last played.
    fn rating_and_year(&self, stats: &MoveStats) -> String {
        let numbers = [
            (self.rating, stats.average_rating),
            (self.year, stats.last_year),
        ];
        let shown = numbers.iter().filter(|(is_shown, _)| *is_shown);
        let texts = shown.map(|(_, number)| number.map_or("   -".into(), |n| format!("{n:>4}")));
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// Where the explorer and the menu go on the home screen; `None` if there is no room for both.
fn beside(app: &App, menu: Rect) -> Option<(Rect, Rect)> {
    let room = app.look.size.width.checked_sub(menu.width + BETWEEN + 2)?;
    let wide = (room >= NARROWEST).then(|| room.min(WIDEST))?;
    let left = (app.look.size.width - menu.width - BETWEEN - wide) / 2;
    // The keys and notes below the menu are wider than it, and take the last four lines.
    let height = menu.height.saturating_sub(5);
    let explorer = Rect {
        x: left + menu.width + BETWEEN,
        y: menu.y.min(app.look.size.height - 1 - height),
        width: wide,
        height,
    };
    Some((Rect { x: left, ..menu }, explorer))
}

/// Whether the screen has room for it.
pub(super) fn has_room(app: &App) -> bool {
    let has_explorer = |layout: GameLayout| layout.explorer.height > 0;
    match app.screens.front {
        Screen::Game => app.layout().is_some_and(has_explorer),
        Screen::Home => beside(app, Rect::new(0, 0, HOME_MENU_WIDTH, 1)).is_some(),
        Screen::Picker | Screen::Match | Screen::Train => false,
    }
}

/// Draws the explorer beside the menu of the home screen, if it is shown. Returns where the menu goes.
pub(in super::super) fn draw_beside(app: &App, menu: Rect, canvas: &mut Canvas<'_>) -> Rect {
    let places = beside(app, menu).filter(|_| super::is_shown(app));
    let Some((menu, area)) = places else {
        return menu;
    };
    debug_assert_eq!(app.screens.front, Screen::Home);
    draw(app, area, canvas);
    if app.screens.explorer.has_focus() {
        let keys = app.screens.explorer.keys();
        let keys = keys.map(|(key, what)| format!("{} {what}", key.text()));
        // The line below it is free.
        let free = band(area, area.height, 1);
        canvas.put_paragraph(free, &keys.join("  "), canvas.styles.dim());
    }
    menu
}
