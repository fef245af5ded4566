//! What the commands say that look at the game without changing it, for players who do not see the board.

use std::time::Duration;

use tabiya_game::{DrawPolicy, Session, Timestamp};
use tabiya_rules::{Bitboard, Color, DiagramPieces, Role, Square};

use crate::commands::{COMMANDS, Entry, Group, Line, Shown};

/// What is said about a comment with a sign in it that would end it.
pub(crate) const NO_BRACE: &str = "A comment in PGN cannot hold a }, so it is written as ).";

/// How wide a line of words may become.
const WIDTH: usize = 78;

/// How the board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) board: Shown,
    pub(crate) pieces: DiagramPieces,
    pub(crate) bottom: Color,
}

/// Where the pieces of a kind are, a line for each side.
pub(crate) fn pieces(session: &Session, role: Role) -> Vec<String> {
    let board = session.position().board();
    Color::ALL
        .into_iter()
        .map(|color| {
            let squares: Vec<String> = board
                .pieces(color, role)
                .into_iter()
                .map(|square| square.to_string())
                .collect();
            format!("{color} {role}: {}", or_none(&squares.join(" ")))
        })
        .collect()
}

/// What stands on a file or a rank.
pub(crate) fn squares(session: &Session, line: Line) -> Vec<String> {
    let board = session.position().board();
    let on: Bitboard = match line {
        Line::File(file) => Bitboard::file(file),
        Line::Rank(rank) => Bitboard::rank(rank),
    };
    let standing: Vec<String> = on
        .into_iter()
        .filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some(format!("{square} {} {}", piece.color, piece.role))
        })
        .collect();
    vec![or_none(&standing.join(", ")).to_owned()]
}

/// The last move.
pub(crate) fn last(session: &Session) -> String {
    let cursor = session.record().cursor();
    let played = cursor.step().and_then(tabiya_game::Step::played);
    match (cursor.parent(), played, cursor.san()) {
        (Some(parent), Some(played), Some(san)) => {
            let before = parent.position();
            format!("{} played {san} ({}).", before.turn(), before.uci(played))
        }
        _ => "No move was played yet.".to_owned(),
    }
}

/// The time left to each side.
pub(crate) fn clock(session: &Session, now: Timestamp) -> String {
    let face = session.clock(now);
    if Color::ALL
        .into_iter()
        .all(|color| face.left[color].is_none())
    {
        return "There is no clock.".to_owned();
    }
    let shown = |color: Color| match face.left[color] {
        Some(left) => format!("{color} {}", time(left)),
        None => format!("{color} unlimited"),
    };
    let running = match face.running {
        Some(color) => format!("{color}'s clock is running."),
        None => "The clocks are stopped.".to_owned(),
    };
    format!(
        "{}, {}. {running}",
        shown(Color::White),
        shown(Color::Black)
    )
}

/// Hours, minutes and seconds; tenths where they matter.
fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, rest) {
        (0, 0, 0..20) => format!("0:{rest:02}.{}", left.subsec_millis() / 100),
        (0, _, _) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// The legal moves, sorted.
pub(crate) fn moves(session: &Session, from: Option<Square>) -> Vec<String> {
    let position = session.position();
    if let Some(from) = from.filter(|&from| position.board().piece_at(from).is_none()) {
        return vec![format!("No piece on {from}.")];
    }
    let mut moves: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|found| from.is_none_or(|from| found.from() == from))
        .map(|found| position.san(found).to_string())
        .collect();
    moves.sort_unstable();
    wrapped(or_none(&moves.join(" ")), "")
}

/// The pieces that attack a square, a line for each side.
pub(crate) fn attackers(session: &Session, square: Square) -> Vec<String> {
    let position = session.position();
    Color::ALL
        .into_iter()
        .map(|color| {
            let attackers: Vec<String> = position
                .attackers(square, color)
                .into_iter()
                .filter_map(|from| {
                    Some(format!("{} {from}", position.board().piece_at(from)?.role))
                })
                .collect();
            format!("{color}: {}", or_none(&attackers.join(", ")))
        })
        .collect()
}

/// The settings as they can be typed.
pub(crate) fn settings(session: &Session, look: Look) -> Vec<String> {
    let board = match look.board {
        Shown::On => "on",
        Shown::Off => "off",
    };
    let pieces = match look.pieces {
        DiagramPieces::Letters => "letters",
        DiagramPieces::Figures => "figures",
    };
    let draws = match session.policy().draws {
        DrawPolicy::Claim => "claim",
        DrawPolicy::Automatic => "auto",
    };
    [("board", board), ("pieces", pieces), ("draws", draws)]
        .map(|(name, value)| format!("{name} {value}"))
        .to_vec()
}

/// Where a game goes that has no such move.
pub(crate) fn no_such_move(session: &Session) -> String {
    match session.record().cursor_line().len() {
        0 => "There is no such move: nothing was played yet.".to_owned(),
        1 => "There is no such move: the game has one half-move.".to_owned(),
        plies => format!("There is no such move: the game has {plies} half-moves."),
    }
}

/// All commands, or one of them.
pub(crate) fn help(entry: Option<&Entry>) -> Vec<String> {
    let Some(entry) = entry else {
        let mut lines = vec!["A move is e2e4 or Nf3; everything else is a command.".to_owned()];
        for group in Group::ALL {
            lines.push(format!("{}:", group.title()));
            lines.extend(
                COMMANDS
                    .iter()
                    .filter(|entry| entry.group == group)
                    .flat_map(in_the_list),
            );
        }
        return lines;
    };
    let mut lines = vec![entry.usage(), format!("  {}.", entry.does)];
    lines.extend(wrapped(entry.more, "  "));
    if !entry.aliases.is_empty() {
        lines.push(format!("  Also: {}", entry.aliases.join(", ")));
    }
    lines
}

/// A command in a line, or in two where its arguments take too much room.
fn in_the_list(entry: &Entry) -> Vec<String> {
    const ROOM: usize = 26;
    let usage = entry.usage();
    if usage.len() < ROOM {
        return vec![format!("  {usage:ROOM$}{}", entry.does)];
    }
    vec![
        format!("  {usage}"),
        format!("  {:ROOM$}{}", "", entry.does),
    ]
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// Words in lines that are not too wide.
pub(crate) fn wrapped(text: &str, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
