//! The output of commands that look at the game without changing it.

use std::time::Duration;

use tabiya_game::{ClockFace, MoveInput, Session};
use tabiya_play::advice::{self, EvaluatedLine, Stage};
use tabiya_play::outcome::{Answer, LastMove};
use tabiya_rules::text::excerpt;
use tabiya_rules::{ByColor, Color, DiagramPieces, Move, Piece, Role, Square};

use super::Listing;
use crate::commands::{COMMANDS, Entry, Group, reaching_last_game};
use crate::config::settings::draws_name;
use crate::opening_names;
use crate::ranges;
use crate::saved;

/// The message about a comment with a brace, which would end it.
pub const NO_BRACE: &str = "A comment in PGN cannot hold a }, so it is written as ).";

/// The greatest width of a line.
const WIDTH: usize = 78;

/// How the board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardDisplay {
    /// Whether it is shown before each prompt.
    pub board: bool,
    pub pieces: DiagramPieces,
    /// Whether the board is hidden although it is on.
    pub blindfold: bool,
    pub bottom: Color,
}

/// Says what is shown after blindfold was turned on or off.
pub fn blindfold(look: BoardDisplay) -> &'static str {
    match (look.blindfold, look.board) {
        (true, true) => "Blindfold: the board is hidden. Enter blindfold to show it again.",
        (true, false) => "Blindfold: the board stays hidden.",
        (false, true) => "The board is shown again.",
        (false, false) => "Blindfold is off. Enter set board on to show the board.",
    }
}

/// An answer about the game, in lines.
pub fn lines(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Pieces { role, squares } => {
            let line = |color: Color| {
                let squares: Vec<String> = squares[color]
                    .into_iter()
                    .map(|square| square.to_string())
                    .collect();
                format!("{color} {role}: {}", text_or_none(&squares.join(" ")))
            };
            Color::ALL.map(line).to_vec()
        }
        Answer::Squares(standing) => {
            let standing: Vec<String> = standing
                .iter()
                .map(|(square, piece)| format!("{square} {} {}", piece.color, piece.role))
                .collect();
            vec![text_or_none(&standing.join(", ")).to_owned()]
        }
        Answer::Attackers(attackers) => {
            let line =
                |color: Color| format!("{color}: {}", text_or_none(&named(&attackers[color])));
            Color::ALL.map(line).to_vec()
        }
        Answer::Square {
            square,
            piece,
            reached_by,
        } => vec![on_square(*square, *piece, reached_by)],
        Answer::Captured(captured) => {
            let has = |color: Color| format!("{color} has captured {}", counted(&captured[color]));
            let (white, black) = (has(Color::White), has(Color::Black));
            vec![format!("{white}; {black}.")]
        }
        Answer::Material(more) => vec![material(more)],
        Answer::Moves(moves) => wrapped(text_or_none(&moves.join(" ")), ""),
        Answer::NoPiece(square) => vec![format!("No piece on {square}.")],
        Answer::Clock(face) => vec![clock(face)],
        Answer::LastMove(None) => vec!["No move has been played yet.".to_owned()],
        Answer::LastMove(Some(LastMove { by, san, uci })) => {
            vec![format!("{by} played {san} ({uci}).")]
        }
        Answer::Opening(None) => vec!["No position of this game has a name.".to_owned()],
        Answer::Opening(Some(opening)) => vec![format!("{} {opening}", opening.eco)],
        Answer::Hint { stage, best, san } => vec![hint(*stage, *best, san)],
        Answer::Evaluation(found) => found.iter().map(evaluation).collect(),
        Answer::Lines(found) => found.iter().map(evaluation).collect(),
        Answer::LinesShown(true) => vec!["The best lines are shown beside the board.".to_owned()],
        Answer::LinesShown(false) => vec!["The lines are hidden.".to_owned()],
        Answer::Thinking => vec!["Thinking…".to_owned()],
    }
}

/// Pieces by kind, such as `two pawns, a knight and a rook`.
fn counted(roles: &[Role]) -> String {
    const NUMBERS: [&str; 7] = ["two", "three", "four", "five", "six", "seven", "eight"];
    let count = |role: Role| roles.iter().filter(|&&found| found == role).count();
    let named = |role: Role| {
        let name = role.name().to_ascii_lowercase();
        match count(role) {
            0 => None,
            1 => Some(format!("a {name}")),
            many => Some(match NUMBERS.get(many - 2) {
                Some(number) => format!("{number} {name}s"),
                None => format!("{many} {name}s"),
            }),
        }
    };
    let found: Vec<String> = Role::ALL.into_iter().filter_map(named).collect();
    match &found[..] {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The pieces that each side has more of, as a sentence.
fn material(more: &ByColor<Vec<Role>>) -> String {
    let has = |color: Color| {
        let roles = &more[color];
        (!roles.is_empty()).then(|| format!("{color} has {} more", counted(roles)))
    };
    match Color::ALL.map(has) {
        [Some(white), Some(black)] => format!("{white}; {black}."),
        [Some(one), None] | [None, Some(one)] => format!("{one}."),
        [None, None] => "Both sides have the same pieces.".to_owned(),
    }
}

/// The name of the command that an answer is for, and the title of a sheet with it. Advice has no sheet.
pub fn heading(answer: &Answer) -> (&'static str, Option<&'static str>) {
    match answer {
        Answer::Pieces { .. } => ("p", Some("Pieces")),
        Answer::Squares(_) | Answer::Square { .. } => ("s", Some("Squares")),
        Answer::Captured(_) => ("captured", Some("Captured")),
        Answer::Material(_) => ("material", Some("Material")),
        Answer::Attackers(_) => ("attackers", Some("Attackers")),
        Answer::Moves(_) | Answer::NoPiece(_) => ("moves", Some("Moves")),
        Answer::Clock(_) => ("clock", Some("Clock")),
        Answer::LastMove(_) => ("last", Some("Last move")),
        Answer::Opening(_) => ("opening", Some("Opening")),
        Answer::Hint { .. } | Answer::Thinking => ("hint", None),
        Answer::Evaluation(_) => ("eval", None),
        Answer::Lines(_) | Answer::LinesShown(_) => ("lines", None),
    }
}

/// What is on a square, and what attacks and defends it, as a sentence.
fn on_square(
    square: Square,
    piece: Option<Piece>,
    reached_by: &ByColor<Vec<(Square, Role)>>,
) -> String {
    let told = |how: &str, color: Color| match &reached_by[color][..] {
        [] => None,
        pieces => Some(format!("{how} {}", named(pieces))),
    };
    let (who, first, second) = match piece {
        Some(piece) => {
            let who = format!("{square}: {} {}", piece.color, piece.role);
            let attacked = told("attacked by", !piece.color);
            (who, attacked, told("defended by", piece.color))
        }
        None => {
            let who = format!("{square} is empty");
            let white = told("attacked by White:", Color::White);
            (who, white, told("attacked by Black:", Color::Black))
        }
    };
    let parts: Vec<String> = [Some(who), first, second].into_iter().flatten().collect();
    format!("{}.", parts.join(", "))
}

/// Pieces with their squares.
fn named(pieces: &[(Square, Role)]) -> String {
    let named = pieces.iter().map(|(from, role)| format!("{role} {from}"));
    named.collect::<Vec<_>>().join(", ")
}

/// A stage of a hint.
pub(super) fn hint(stage: Stage, best: Move, san: &str) -> String {
    let role = best.role().name().to_ascii_lowercase();
    let (from, to) = (best.from(), best.destination());
    match stage {
        Stage::Piece => format!("Hint: the {role} on {from}."),
        Stage::Square => format!("Hint: the {role} on {from} goes to {to}."),
        Stage::Move => format!("Hint: {san}."),
    }
}

/// `+0.35 at depth 12: 1. e4 e5`
fn evaluation(found: &EvaluatedLine) -> String {
    let depth = found.depth;
    let depth = depth.map_or(String::new(), |depth| format!(" at depth {depth}"));
    let score = advice::score_text(found.score, found.position.turn());
    let line = advice::line_text(&found.position, &found.line, 8);
    format!("{score}{depth}: {line}")
}

/// A premove as it was typed.
pub fn premove(input: &MoveInput) -> String {
    match input {
        MoveInput::Text(text) => excerpt(text.trim()),
        MoveInput::Move(played) => format!("{}{}", played.from(), played.destination()),
        MoveInput::Squares { from, to, .. } => format!("{from}{to}"),
    }
}

/// The message about the player of a side.
pub fn seated(color: Color, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{name} plays {color}."),
        None => format!("A person plays {color}."),
    }
}

/// Saves in lines, and how many more there are.
pub fn saves(shown: &[Listing], more: usize) -> Vec<String> {
    if shown.is_empty() {
        return vec!["Nothing is saved yet.".to_owned()];
    }
    let mut lines: Vec<String> = shown.iter().map(save).collect();
    if more > 0 {
        lines.push(format!("… and {more} more."));
    }
    lines
}

/// A save in a line of a list.
fn save((name, about): &Listing) -> String {
    match about {
        Ok(summary) => {
            let ByColor { white, black } = saved::names(summary);
            let (date, result) = (&summary.date, summary.result);
            let moves = ranges::counted(summary.moves, "move", "moves");
            let opening = opening_names::of_save(summary)
                .map(|opening| format!(", {}", opening_names::shown(opening)))
                .unwrap_or_default();
            format!("{name}: {white} – {black}, {date}, {result}, {moves}{opening}")
        }
        Err(error) => error.to_string(),
    }
}

/// The time left to each side.
fn clock(face: &ClockFace) -> String {
    if face.left.white.is_none() && face.left.black.is_none() {
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

/// Hours, minutes and seconds; tenths if they matter.
pub fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, rest) {
        (0, 0, 0..20) => format!("0:{rest:02}.{}", left.subsec_millis() / 100),
        (0, _, _) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// The settings as they are typed.
pub fn settings(session: &Session, look: BoardDisplay) -> Vec<String> {
    let board = if look.board { "on" } else { "off" };
    let pieces = match look.pieces {
        DiagramPieces::Letters => "letters",
        DiagramPieces::Figures => "figures",
    };
    let draws = draws_name(session.policy().draws);
    [("board", board), ("pieces", pieces), ("draws", draws)]
        .map(|(name, value)| format!("{name} {value}"))
        .to_vec()
}

/// The help on all commands, or on one.
pub fn help(entry: Option<&Entry>) -> Vec<String> {
    let Some(entry) = entry else {
        let mut lines = vec!["A move is e2e4 or Nf3; everything else is a command.".to_owned()];
        for group in Group::ALL {
            lines.push(format!("{}:", group.title()));
            lines.extend(
                COMMANDS
                    .iter()
                    .filter(|entry| entry.group == group)
                    .flat_map(help_line),
            );
        }
        lines.push(
            "Until you move in the next game, these are about the one that has just ended:"
                .to_owned(),
        );
        lines.push(format!("  {}", reaching_last_game()));
        return lines;
    };
    let mut lines = vec![entry.usage(), format!("  {}.", entry.summary)];
    lines.extend(wrapped(&entry.help(), "  "));
    if !entry.aliases.is_empty() {
        lines.push(format!("  Also: {}", entry.aliases.join(", ")));
    }
    lines
}

/// A command in one line, or in two if its arguments are long.
fn help_line(entry: &Entry) -> Vec<String> {
    const ROOM: usize = 26;
    let usage = entry.usage();
    if usage.len() < ROOM {
        return vec![format!("  {usage:ROOM$}{}", entry.summary)];
    }
    vec![
        format!("  {usage}"),
        format!("  {:ROOM$}{}", "", entry.summary),
    ]
}

/// The text, or a word for an empty one.
fn text_or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// Wraps a text into lines.
pub fn wrapped(text: &str, indent: &str) -> Vec<String> {
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
