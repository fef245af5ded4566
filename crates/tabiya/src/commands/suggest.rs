//! Suggestions for a line that cannot be parsed.

use tabiya_rules::text::excerpt;
use tabiya_rules::{File, Move, Position, Role, Square};

use super::COMMANDS;
use crate::position;

/// The greatest number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// How many squares a suggested move's target may be from the typed one.
const MAX_DISTANCE: u32 = 2;

/// Suggestions for a text: moves of the same piece to nearby squares if it looks like a move, and commands that differ
/// in one letter if it looks like a word.
pub(crate) fn near(text: &str, position: &Position) -> Vec<String> {
    if let Some(command) = command_for(text.trim()) {
        return vec![command];
    }
    let text = &without_figures(without_number(text));
    let typed = plain(text);
    if let Some(&(_, meant)) = MEANT.iter().find(|(word, _)| *word == typed) {
        return vec![meant.to_owned()];
    }
    if typed.is_empty() || typed.len() > 12 || is_castling(text) {
        return Vec::new();
    }
    if let Some((word, _)) = text.trim().split_once(' ')
        && word.len() > 3
    {
        return nearest(word, &commands());
    }
    if let Some(aim) = Aim::of(text) {
        return aim.near(position);
    }
    if !typed.contains(|c: char| c.is_ascii_digit()) {
        return nearest(text, &commands());
    }
    let moves = position.legal_moves();
    let coordinates = moves.iter().map(|&found| position.uci(found).to_string());
    let algebraic = moves.iter().map(|&found| position.san(found).to_string());
    nearest(text, &coordinates.chain(algebraic).collect::<Vec<_>>())
}

/// Other programs' names for commands, and people's for moves.
const MEANT: &[(&str, &str)] = &[
    ("exit", "quit"),
    ("bye", "quit"),
    ("leave", "quit"),
    ("h", "help"),
    ("commands", "help"),
    ("castle", "O-O"),
    ("castles", "O-O"),
    ("restart", "new"),
    ("analyze", "study"),
    ("analyse", "study"),
    ("evaluate", "eval"),
    ("time", "clock"),
    ("show", "board"),
    ("list", "saves"),
];

/// The command for a FEN or the name of a file that was entered alone.
fn command_for(text: &str) -> Option<String> {
    let (placement, _) = text.split_once(' ').unwrap_or((text, ""));
    if placement.matches('/').count() == 7 && Position::from_fen(text).is_ok() {
        return Some(format!("fen {text}"));
    }
    let name = text.to_ascii_lowercase();
    let found = [".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst"]
        .into_iter()
        .find(|&end| name.ends_with(end));
    found.map(|_| format!("review {}", excerpt(text)))
}

/// The text without the number of a move before it.
fn without_number(text: &str) -> &str {
    match position::without_number(text).trim_start() {
        "" => text,
        after => after,
    }
}

/// The text with letters for the figures of pieces.
fn without_figures(text: &str) -> String {
    let letter = |c: char| match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        other => other,
    };
    text.chars().map(letter).collect()
}

/// Says that there is no such command, and which one may have been meant.
pub(crate) fn no_command(name: &str) -> String {
    let sentence = format!("There is no command '{}'.", excerpt(name));
    sentence + &did_you_mean(&nearest(name, &commands()))
}

/// A question with suggestions, if there are any.
pub(crate) fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(" Did you mean {}?", listed(names)),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn commands() -> Vec<String> {
    let named = COMMANDS.iter().filter(|entry| entry.name.len() > 2);
    named.map(|entry| entry.name.to_owned()).collect()
}

/// The words that differ from a text in case, punctuation or one letter: only the nearest, and none if there are many.
pub(crate) fn nearest(text: &str, known: &[String]) -> Vec<String> {
    let typed = plain(text);
    if typed.is_empty() {
        return Vec::new();
    }
    let at = |distance: usize| -> Vec<String> {
        known
            .iter()
            .filter(|known| steps(typed.as_bytes(), plain(known).as_bytes()) == distance)
            .cloned()
            .collect()
    };
    let mut found = at(0);
    // In a short word every letter counts: with a wrong one, nothing is left to recognize.
    if found.is_empty() && typed.len() >= 3 {
        found = at(1);
    }
    if found.len() > MAX_SUGGESTIONS {
        found.clear();
    }
    found
}

/// Whether the player wants to castle. If that is impossible, no other king move is meant.
fn is_castling(text: &str) -> bool {
    let of_castling = |c: char| matches!(c, 'o' | 'O' | '0' | '-');
    text.contains('-') && text.trim().chars().all(of_castling)
}

/// A text that looks like a move: a piece and a target.
struct Aim {
    /// The kinds of pieces that may be meant; empty for any.
    roles: Vec<Role>,
    from: Option<Square>,
    /// The file of a pawn.
    file: Option<File>,
    to: Square,
}

impl Aim {
    fn of(text: &str) -> Option<Aim> {
        let text: String = text
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() && *c != 'x')
            .collect();
        let square = |at: usize| text.get(at..at + 2)?.to_ascii_lowercase().parse().ok();
        // Only a promotion may follow the square.
        let (at, to): (usize, Square) = (0..=2)
            .filter_map(|end| text.len().checked_sub(2 + end))
            .find_map(|at| Some((at, square(at)?)))?;
        let before = text.get(..at)?;
        if before.len() > 3 {
            // No move has this much before its square, so it is the name of a command.
            return None;
        }
        let mut aim = Aim {
            roles: Vec::new(),
            from: square(0).filter(|_| before.len() == 2),
            file: None,
            to,
        };
        match before.chars().next() {
            None => {
                aim.roles = vec![Role::Pawn];
                aim.file = Some(to.file());
            }
            Some(letter @ 'a'..='h') if aim.from.is_none() => {
                aim.roles = vec![Role::Pawn];
                aim.file = File::from_char(letter);
                if letter == 'b' {
                    aim.roles.push(Role::Bishop);
                }
            }
            Some(letter) if aim.from.is_none() => aim.roles.extend(Role::from_char(letter)),
            Some(_) => {}
        }
        Some(aim)
    }

    /// The moves nearby, nearest first, in the typed notation.
    fn near(&self, position: &Position) -> Vec<String> {
        let mut found: Vec<(u32, Move)> = position
            .legal_moves()
            .into_iter()
            .filter(|&played| self.is_meant(played))
            .map(|played| (played.destination().distance(self.to), played))
            .filter(|&(distance, _)| distance <= self.reach())
            .collect();
        found.sort_by_key(|&(distance, _)| distance);
        let nearest = found.first().map(|&(distance, _)| distance);
        let is_exact = nearest == Some(0);
        if found.len() > MAX_SUGGESTIONS || is_exact {
            found.retain(|&(distance, _)| Some(distance) == nearest);
        }
        let written = |played: Move| match self.from {
            Some(_) => position.uci(played).to_string(),
            None => position.san(played).to_string(),
        };
        // A promotion has four moves.
        let most = if is_exact { 4 } else { MAX_SUGGESTIONS };
        let texts = found.into_iter().map(|(_, played)| written(played));
        texts.take(most).collect()
    }

    /// If the piece is unknown, at least the square must be right.
    fn reach(&self) -> u32 {
        if self.roles.is_empty() && self.from.is_none() {
            0
        } else {
            MAX_DISTANCE
        }
    }

    fn is_meant(&self, played: Move) -> bool {
        let pawn = played.role() == Role::Pawn;
        self.from.is_none_or(|from| played.from() == from)
            && (self.roles.is_empty() || self.roles.contains(&played.role()))
            && (!pawn || self.file.is_none_or(|file| played.from().file() == file))
    }
}

/// The names similar to a text; if there are none, those that begin with it.
pub(crate) fn names(text: &str, known: &[String]) -> Vec<String> {
    let near = nearest(text, known);
    if !near.is_empty() {
        return near;
    }
    let (begun, known) = (plain(text), known.iter());
    let longer = known.filter(|name| !begun.is_empty() && plain(name).starts_with(&begun));
    longer.take(MAX_SUGGESTIONS).cloned().collect()
}

/// The letters and digits, in lowercase.
fn plain(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// 0 for the same text, 1 if one letter is missing, added, wrong or swapped with its neighbor, and 2 otherwise.
fn steps(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        (a, b) if a == b => 0,
        ([x, a @ ..], [y, b @ ..]) if x == y => steps(a, b),
        ([_, a @ ..], [_, b @ ..]) if a == b => 1,
        (a, [_, b @ ..]) | ([_, a @ ..], b) if a == b => 1,
        ([w, x, a @ ..], [y, z, b @ ..]) if w == z && x == y && a == b => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests;
