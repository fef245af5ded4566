//! The game screen: the board, the players, the moves, the messages, and the keys.

mod curve;
mod hints;
mod input;
mod keys;
mod lines;
mod mouse;
pub(super) mod moves;
mod pieces;
mod play;
mod players;
mod premove;
mod study;
pub(super) mod typing;
pub(super) mod words;

use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use tabiya_front::cells::{only_if, row, width, wrap};
use tabiya_front::key_map::Keys;
use tabiya_front::opening_names;
use tabiya_front::review::{Origin, Review};
use tabiya_front::wording::Tone;
use tabiya_game::Node;
use tabiya_play::table::ask;
use tabiya_play::typed_move::Candidate;
use tabiya_play::variations;
use tabiya_rules::{Color, Square};

use super::App;
use super::board::{Board, Said};
use super::canvas::Canvas;
use super::explorer;
use crate::message::Hit;
use crate::tui::board::BoardView;
use crate::tui::geometry::{GameLayout, above, below, columns, from_column};
use crate::tui::styles::Styles;
use hints::draw_hints;
use input::draw_input;
use moves::Areas;

/// The room for the title of a review.
const TITLE: u16 = 28;

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>) {
    let Some(layout) = app.layout() else { return };
    draw_header(app, layout.header, canvas);
    let found = app.board().candidates();
    draw_board(app, &found, &layout, canvas);
    let notes = Annotations::new(app, &layout);
    draw_panel(app, &layout, &notes, canvas);
    canvas.draw_rule(layout.rule);
    canvas.draw_rule(layout.lower_rule);
    draw_messages(app, &layout, &notes, canvas);
    draw_hints(app, layout.hints, canvas);
    explorer::draw(app, layout.explorer, canvas);
    let cursor = canvas.cursor;
    draw_input(app, &found, layout.input, canvas);
    // While the cursor on the board is in use, the terminal's own would only distract.
    let points = app.board().view.cursor_shown && app.board().view.typing.is_empty();
    if app.screens.explorer.has_focus() || points {
        canvas.cursor = cursor;
    }
}

/// Draws the board of the position being looked at.
fn draw_board(app: &App, found: &[Candidate], layout: &GameLayout, canvas: &mut Canvas<'_>) {
    let board = app.board();
    let (selected, targets) = app.highlighted(found);
    canvas.draw_board(&BoardView {
        position: board.position(),
        geometry: layout.board,
        styles: app.look.styles(),
        pieces: app.look.pieces(),
        shows_pieces: !app.look.blindfold,
        cursor: Some(board.view.cursor).filter(|_| board.view.cursor_shown),
        selected,
        targets,
        last: board.last_move_squares(),
        check: board.check_square(),
        marks: &board.marks(),
        shows_labels: app.settings.coordinates,
    });
}

/// How the game stands, in the header: whose turn it is, or something more important.
fn header_state(board: Board<'_>, keys: &Keys) -> String {
    let session = board.session();
    if board.is_review() {
        return place_in_review(board);
    }
    if board.is_elsewhere() {
        let place = variations::numbered(board.node());
        let place = place.unwrap_or_else(|| "the start".to_owned());
        return format!("Looking at {place} · Esc back to the game");
    }
    match session.outcome() {
        Some(outcome) => outcome.to_string(),
        None if session.is_paused() => format!("Paused · {} goes on", keys.named("pause")),
        None if board.awaits_players() => "Waiting for the opponent".to_owned(),
        None => {
            let position = session.position();
            let (turn, number) = (position.turn(), position.fullmove_number());
            let check = only_if(position.is_check(), " · check");
            format!("{turn} to move · move {number}{check}")
        }
    }
}

/// Like [`header_state`], in this many columns. During a review, a clock that runs in the game being played matters more.
fn header_state_in(app: &App, room: u16) -> String {
    let standing = header_state(app.board(), &app.keys);
    let clock = app.game_board().running_clock(app.now);
    let Some(clock) = clock.filter(|_| app.desk.front().is_review()) else {
        return standing;
    };
    let both = format!("{standing} · in the game {clock}");
    match width(&both) + TITLE <= room {
        true => both,
        false => format!("In the game: {clock}"),
    }
}

/// Where in the game a review is, and whose turn it is there.
fn place_in_review(board: Board<'_>) -> String {
    let node = board.node();
    let position = node.position();
    let turn = match board.session().outcome() {
        Some(outcome) => outcome.to_string(),
        None => format!("{} to move", position.turn()),
    };
    match variations::numbered(node) {
        Some(name) if variations::branch(node).is_some() => format!("variation {name} · {turn}"),
        Some(name) => format!("{name} · {turn}"),
        None => format!("start · {turn}"),
    }
}

/// The title of a review.
fn review_title(review: &Review) -> String {
    let from = match review.source() {
        Origin::File { path, number, .. } => {
            let name = path.file_name().unwrap_or_default();
            format!("{} game {number}", name.to_string_lossy())
        }
        Origin::Game(_) => "this game".to_owned(),
        Origin::Save(name, _) => name.to_string(),
        Origin::Match(number) => format!("match game {number}"),
        Origin::Database => "from a database".to_owned(),
        Origin::Text => "from a text".to_owned(),
    };
    let saved = only_if(review.is_unsaved(), "  not saved");
    format!(" Review  {from}  {}{saved}", review.result().as_str())
}

/// What the header says about the game, from the longest text to the shortest.
fn header_texts(app: &App) -> Vec<String> {
    let blind = only_if(app.look.blindfold, "  blindfold");
    if let Some(review) = app.board().reviewed {
        return vec![format!("{}{blind}", review_title(review))];
    }
    let session = app.desk.front().session();
    let control = &session.clocks()[Color::White];
    let clock = match control.is_unlimited() {
        true => "no clock".to_owned(),
        false => control.to_string(),
    };
    let start = match session.record().start().chess960_number() {
        Some(518) => String::new(),
        Some(number) => format!("  Chess960 {number}"),
        None => "  from a position".to_owned(),
    };
    let failed = only_if(app.save_state.save_failed, "  not saved");
    let players = format!(" {}{failed}", who_plays_whom(app));
    let lag = app.board().lag();
    let lag = lag.map_or(String::new(), |lag| format!("  {} ms", lag.as_millis()));
    vec![
        format!("{players}  {clock}{start}{lag}{blind}"),
        format!("{players}  {clock}{lag}{blind}"),
        format!("{players}{blind}"),
        // A player who cannot see the pieces must know why.
        match blind {
            "" => players,
            blind => blind.to_owned(),
        },
    ]
}

/// Draws the first line: the game on the left, and whose turn it is on the right.
fn draw_header(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let session = app.desk.front().session();
    let right = header_state_in(app, area.width);
    let room = area.width.saturating_sub(width(&right) + 3);
    let left = header_texts(app);
    let fits = left.iter().find(|text| width(text) <= room);
    if let Some(text) = fits.or(left.last()).filter(|_| room > 12) {
        canvas.put(columns(area, 0, room), 0, text, styles.dim());
    }
    let is_elsewhere = app.desk.front().is_elsewhere();
    let style = match app.board().check_square() {
        _ if session.outcome().is_some() && !is_elsewhere => styles.ending(),
        Some(_) => styles.warning(),
        None => styles.accent(),
    };
    let column = canvas.put_right(area, &format!("{right} "), style);
    if is_elsewhere && !app.desk.front().is_review() {
        canvas.make_clickable(from_column(area, column), Hit::WayBack);
    }
}

/// Who plays whom, in a few words.
fn who_plays_whom(app: &App) -> String {
    let name = |color| app.desk.front().opponents().name(color);
    match (name(Color::White), name(Color::Black)) {
        (None, None) => "Two at one board".to_owned(),
        (None, Some(name)) | (Some(name), None) => format!("Game vs {name}"),
        (Some(white), Some(black)) => format!("{white} vs {black}"),
    }
}

/// Draws what is beside the board.
fn draw_panel(app: &App, layout: &GameLayout, notes: &Annotations, canvas: &mut Canvas<'_>) {
    canvas.draw_divider(layout.divider);
    let bottom = layout.board.bottom;
    players::draw_player(app, layout.upper, !bottom, canvas);
    players::draw_player(app, layout.lower, bottom, canvas);
    let areas = &notes.areas;
    if app.settings.move_list {
        draw_moves(app, areas.list, canvas);
    }
    draw_comment(app, areas.comment, canvas);
    study::draw(app, areas.study, canvas);
    canvas.put_lines(areas.facts, &notes.facts, canvas.styles.dim());
    lines::draw(app, layout, canvas);
}

/// The most bytes of a comment that may go below the board.
const MAX_COMMENT_BELOW: usize = 2000;

/// What is shown about the game and its current move, and where.
struct Annotations {
    /// Facts about the game, wrapped for the place where they are shown.
    facts: Vec<String>,
    areas: Areas,
    /// Whether the comment on the current move is below the board.
    comments_below: bool,
}

impl Annotations {
    /// Where there is a single line below the board, messages take it, and the facts go to the panel. A comment that
    /// would be cut in the panel goes below the board if it fits there under the facts and a message.
    fn new(app: &App, layout: &GameLayout) -> Annotations {
        let room = layout.messages;
        let facts = facts(app.board());
        let wrapped = facts.iter().flat_map(|fact| wrap(fact, layout.moves.width));
        let in_panel: Vec<String> = wrapped.filter(|_| room.height <= 1).collect();
        let text = moves::comment(app.board());
        let areas = moves::areas(app.board(), layout.moves, &text, in_panel.len());
        let lines = |width: u16| wrap(&text, width).len();
        let panel = usize::from(areas.comment.height);
        // A longer one never fits below the board.
        let is_short = (1..MAX_COMMENT_BELOW).contains(&text.len());
        let is_cut = is_short && lines(layout.moves.width) + 1 > panel;
        let free = usize::from(room.height).saturating_sub(facts.len() + 2);
        let comments_below = is_cut && lines(room.width.saturating_sub(3)) <= free;
        let areas = match comments_below {
            true => moves::areas(app.board(), layout.moves, "", in_panel.len()),
            false => areas,
        };
        Annotations {
            facts: match areas.facts.height {
                0 => facts,
                _ => in_panel,
            },
            areas,
            comments_below,
        }
    }
}

/// Shortens a text to some lines, with an ellipsis if something is missing.
fn truncate(lines: &mut Vec<String>, room: usize) {
    let is_cut = lines.len() > room;
    lines.truncate(room);
    if let Some(last) = lines.last_mut().filter(|_| is_cut) {
        last.push_str(" …");
    }
}

/// Draws the comment on the current move.
fn draw_comment(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height == 0 {
        return;
    }
    canvas.draw_rule(row(area, 0));
    let mut lines = wrap(&moves::comment(app.board()), area.width);
    truncate(&mut lines, usize::from(area.height - 1));
    canvas.put_lines(below(area, 1), &lines, canvas.styles.text());
}

fn draw_moves(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let board = app.board();
    let record = board.session().record();
    let rows = moves::rows(record);
    let first = moves::visible(board, &rows, area.height);
    // Moves that were taken back can be replayed.
    let is_taken_back = |node: Node<'_>| node.ply() > board.session().ply() && !board.is_review();
    let current = Some(board.node().id());
    moves::draw(record, &rows[first..], current, is_taken_back, area, canvas);
    if rows.is_empty() {
        let text = match board.is_review() {
            true => "No moves yet: type one".to_owned(),
            false => invitation(board),
        };
        canvas.put(area, 1, &text, canvas.styles.dim());
    }
}

/// An example of a move to type, for players who have never typed one.
fn invitation(board: Board<'_>) -> String {
    let position = board.position();
    let moves = position.legal_moves();
    let known = moves.iter().find(|played| played.to() == Square::E4);
    known.or(moves.first()).map_or(String::new(), |&played| {
        format!("Type a move: {}", position.san(played))
    })
}

/// The sign before a message of this tone, and its style.
fn sign_and_style(styles: Styles, tone: Tone) -> (&'static str, Style) {
    match tone {
        Tone::Plain => ("  ", styles.text()),
        Tone::Notable | Tone::Try => ("» ", styles.accent()),
        Tone::Ending => ("» ", styles.ending()),
        Tone::Refusal => ("✗ ", styles.warning()),
    }
}

/// A message wrapped into lines, each with its sign.
fn lines_of(said: &Said, sign: &str, room: u16) -> Vec<String> {
    let lines = wrap(&said.text, room.saturating_sub(3)).into_iter();
    let signed = lines
        .enumerate()
        .map(|(at, line)| format!("{}{line}", if at == 0 { sign } else { "  " }));
    signed.collect()
}

/// Draws the messages below the board, the latest last, and above them the facts about the game.
fn draw_messages(app: &App, layout: &GameLayout, notes: &Annotations, canvas: &mut Canvas<'_>) {
    let area = match notes.comments_below {
        true => draw_comment_below(app, layout.messages, canvas),
        false => layout.messages,
    };
    let room = usize::from(area.height);
    let facts = match notes.areas.facts.height {
        0 => notes.facts.as_slice(),
        _ => &[],
    };
    // The latest message is always shown from its beginning. Earlier ones fill the lines above.
    let mut lines: Vec<(String, Style)> = Vec::new();
    for said in app.board().view.said().rev() {
        let (sign, style) = sign_and_style(canvas.styles, said.tone);
        let mut block = lines_of(said, sign, area.width);
        let style = if lines.is_empty() {
            if block.len() > room && said.tone == Tone::Refusal {
                draw_long_message(layout, said, canvas);
            }
            truncate(&mut block, room);
            style
        } else if lines.len() + block.len() + facts.len() > room {
            break;
        } else {
            app.look.styles().dim()
        };
        lines.splice(0..0, block.into_iter().map(|line| (line, style)));
    }
    // Facts about the game are shown above the messages.
    for fact in facts.iter().rev() {
        if lines.len() < room {
            lines.insert(0, (format!("  {fact}"), canvas.styles.dim()));
        }
    }
    canvas.put_styled_lines(area, lines);
}

/// Draws the comment on the current move in the last lines of an area. Returns the lines above.
fn draw_comment_below(app: &App, area: Rect, canvas: &mut Canvas<'_>) -> Rect {
    let lines = wrap(&moves::comment(app.board()), area.width.saturating_sub(3));
    let rest = above(area, u16::try_from(lines.len()).unwrap_or(u16::MAX));
    let last = from_column(below(area, rest.height), 2);
    canvas.put_lines(last, &lines, canvas.styles.text());
    rest
}

/// Facts about a game: its opening, and for a review where and when it was played.
fn facts(board: Board<'_>) -> Vec<String> {
    let event = board.reviewed.and_then(Review::event);
    let opening = ask::opening(opening_names::known(), board.node());
    let opening = opening.map(opening_names::shown);
    event.into_iter().chain(opening).collect()
}

/// A reason that does not fit below the board covers the end of the move list until the next message.
fn draw_long_message(layout: &GameLayout, said: &Said, canvas: &mut Canvas<'_>) {
    let area = layout.moves;
    let (sign, style) = sign_and_style(canvas.styles, said.tone);
    let lines = lines_of(said, sign, area.width + 1);
    let height = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
    let area = below(area, area.height.saturating_sub(height));
    canvas.clear(area);
    canvas.draw_rule(row(area, 0));
    canvas.put_lines(below(area, 1), &lines, style);
}
