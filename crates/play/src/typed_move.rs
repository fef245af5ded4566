//! Moves as people type them, complete or partial: what a text can mean in a position.
//!
//! All fronts read moves here, so that they read them the same way. The text is compared with every spelling of every
//! legal move. Only if none fits is it parsed by the rules, whose error says why.

mod aim;

use std::cmp::Reverse;

use tabiya_game::{MoveInput, MoveRefusal};
use tabiya_rules::{CastlingMode, Move, Position, Role, SanError, Square};

pub use aim::{Aim, is_castling, square_off_board, without_figures};

/// The longest text that can be a move.
const MAX_LENGTH: usize = 24;

/// A legal move that fits what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub played: Move,
    /// The move in SAN.
    pub san: String,
    /// Whether the text is the complete move, and not only its beginning.
    pub is_complete: bool,
    /// How closely it fits; less is better.
    distance: Distance,
    /// The rest of the spelling, if the text is the beginning of one.
    pub rest: Option<String>,
}

/// How far a text is from the move as it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Printed,
    /// More squares than needed, or fewer.
    OtherSpelling,
    /// A lowercase `b` for a bishop, or a capital for a file.
    OtherCase,
    /// A pawn's step with its file, as in `bb3`, which hardly anyone means.
    Odd,
}

/// Why a text cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// The game refuses it.
    Refused(MoveRefusal),
    /// The text says that the move captures, but it does not.
    NothingToCapture(Move),
}

/// Whether a text looks like a move, even if it cannot be played.
pub fn looks_like_a_move(typed: &str, position: &Position) -> bool {
    !matches!(
        parse(typed, position),
        Err(Unplayable::Refused(
            MoveRefusal::Unreadable { .. } | MoveRefusal::San(SanError::Syntax)
        ))
    )
}

/// A move that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedMove {
    /// The move.
    pub played: Move,
    /// Another move that the same letters could mean.
    pub also: Option<Move>,
}

/// Reads a complete move.
pub fn parse(typed: &str, position: &Position) -> Result<ParsedMove, Unplayable> {
    let mut found = candidates(typed, position);
    found.retain(|candidate| candidate.is_complete);
    match (meant(&found), found.is_empty()) {
        (Some(parsed), _) => Ok(parsed),
        (None, false) => {
            let candidates = found.iter().map(|one| one.played).collect();
            let ambiguous = MoveRefusal::San(SanError::Ambiguous { candidates });
            Err(Unplayable::Refused(ambiguous))
        }
        (None, true) => parse_by_the_rules(typed, position),
    }
}

/// Parses the text by the rules. That parser ignores a superfluous capture sign, but the player meant it.
fn parse_by_the_rules(typed: &str, position: &Position) -> Result<ParsedMove, Unplayable> {
    let input = MoveInput::Text(typed.to_owned());
    let played = input.resolve(position).map_err(Unplayable::Refused)?;
    let claims = letters(typed).is_some_and(|letters| letters.contains('x'));
    if claims && position.captured(played).is_none() {
        return Err(Unplayable::NothingToCapture(played));
    }
    Ok(ParsedMove { played, also: None })
}

/// The move that is meant among those that fit a text, best match first: the first one if the text is the complete move,
/// otherwise the only one.
pub fn meant(found: &[Candidate]) -> Option<ParsedMove> {
    let played = match found {
        [] => return None,
        [only] => only.played,
        [first, second, ..] => {
            let rival = second.is_complete && second.distance == first.distance;
            if !first.is_complete || rival {
                return None;
            }
            first.played
        }
    };
    // The same letters could mean a bishop's move if a pawn on the b-file is meant.
    let mut complete = found.iter().filter(|one| one.is_complete);
    let other = complete.find(|one| one.played.role() != played.role());
    let also = other.map(|one| one.played);
    Some(ParsedMove { played, also })
}

/// The legal moves with a spelling that begins with the text, the best match first.
pub fn candidates(typed: &str, position: &Position) -> Vec<Candidate> {
    let typed = typed.trim();
    let Some(letters) = letters(typed).filter(|letters| !letters.is_empty()) else {
        return Vec::new();
    };
    let mut found: Vec<Candidate> = position
        .legal_moves()
        .into_iter()
        .filter_map(|played| candidate(typed, &letters, played, position))
        .collect();
    found.sort_by_cached_key(|one| {
        let (base, _) = one.san.split_once('=').unwrap_or((&one.san, ""));
        // A queen is the most common promotion.
        let promotion = Reverse(one.played.promotion());
        (!one.is_complete, one.distance, base.to_owned(), promotion)
    });
    found
}

/// A legal move as a candidate, if one of its spellings begins with the text.
fn candidate(typed: &str, letters: &str, played: Move, position: &Position) -> Option<Candidate> {
    let fits = spellings(played, position)
        .into_iter()
        .filter(|spelling| spelling.text.starts_with(letters))
        .filter_map(|spelling| {
            let distance = case_distance(typed, letters, &spelling)?;
            let is_complete = spelling.text == letters;
            Some((!is_complete, distance.max(spelling.distance)))
        });
    let (begun, distance) = fits.min()?;
    let san = position.san(played).to_string();
    let (uci, lan) = (position.uci(played).to_string(), position.lan(played));
    let rest = [&*san, &uci, &lan]
        .into_iter()
        .find_map(|spelling| spelling.strip_prefix(typed))
        .map(str::to_owned);
    Some(Candidate {
        played,
        san,
        is_complete: !begun,
        distance,
        rest,
    })
}

/// How far a spelling is from what was typed, by the case of the first letter: `b` is a file and a bishop.
fn case_distance(typed: &str, letters: &str, spelling: &Spelling) -> Option<Distance> {
    let second = letters.as_bytes().get(1);
    let square = second.is_some_and(u8::is_ascii_digit);
    let small = |letter: char| letter.is_ascii_lowercase();
    let (names_piece, is_unsure) = match typed.chars().find(char::is_ascii_alphanumeric) {
        // With a digit after it, it is a file.
        Some('b') => (false, !square),
        // In a text of only capitals, it may be a file.
        Some('B') => (true, square && !typed.contains(small)),
        _ => return Some(Distance::Printed),
    };
    if names_piece == spelling.names_piece {
        return Some(Distance::Printed);
    }
    is_unsure.then_some(Distance::OtherCase)
}

/// One spelling of a move: lowercase letters and digits, and `x` for a capture.
struct Spelling {
    text: String,
    /// Whether the first letter is that of a piece.
    names_piece: bool,
    distance: Distance,
}

/// All spellings of a move.
fn spellings(played: Move, position: &Position) -> Vec<Spelling> {
    let mut found = Vec::new();
    let printed = Spelling {
        text: letters(&position.san(played)).unwrap_or_default(),
        names_piece: played.role() != Role::Pawn,
        distance: Distance::Printed,
    };
    add_spelling(printed, played, &mut found);
    for to in targets(played, position) {
        add_spellings_to(to, played, position, &mut found);
    }
    found
}

/// Adds a spelling, and for a capture en passant the one that says so too.
fn add_spelling(spelling: Spelling, played: Move, found: &mut Vec<Spelling>) {
    if played.is_en_passant() {
        found.push(Spelling {
            text: format!("{}ep", spelling.text),
            names_piece: spelling.names_piece,
            distance: Distance::OtherSpelling,
        });
    }
    found.push(spelling);
}

/// Adds the spellings in which a move goes to this square.
fn add_spellings_to(to: Square, played: Move, position: &Position, found: &mut Vec<Spelling>) {
    let mut add = |text: String, names_piece: bool, distance: Distance| {
        let spelling = Spelling {
            text,
            names_piece,
            distance,
        };
        add_spelling(spelling, played, found);
    };
    let is_pawn = played.role() == Role::Pawn;
    let captures = position.captured(played).is_some();
    let signs: &[&str] = if captures { &["x", ""] } else { &[""] };
    let letter = played.role().char();
    let from = played.from();
    let (file, rank) = (from.file().to_string(), from.rank().to_string());
    let becomes = played.promotion();
    let becomes = becomes.map_or(String::new(), |piece| piece.char().into());
    // `Kh1` is castling only if castling is written as the king taking its rook.
    let names_king =
        to == played.destination() || position.castling_mode() == CastlingMode::Chess960;
    for sign in signs {
        let goes = format!("{sign}{to}{becomes}");
        add(format!("{from}{goes}"), false, Distance::OtherSpelling);
        if !names_king {
            continue;
        }
        for origin in ["", &file, &rank, &from.to_string()] {
            // A capturing pawn is identified by its file.
            if !(is_pawn && captures && origin.is_empty()) {
                let text = format!("{letter}{origin}{goes}");
                add(text, true, Distance::OtherSpelling);
            }
        }
        if is_pawn && captures {
            add(format!("{file}{goes}"), false, Distance::OtherSpelling);
            let short = format!("{file}{sign}{}{becomes}", to.file());
            add(short, false, Distance::OtherSpelling);
        } else if is_pawn {
            add(format!("{file}{goes}"), false, Distance::Odd);
        }
    }
}

/// The squares that can name the target of a move: for castling, those of the king and the rook, unless they mean a
/// king's step.
fn targets(played: Move, position: &Position) -> Vec<Square> {
    let mut targets = vec![played.destination()];
    if played.is_castle() {
        targets.push(played.to());
        targets.retain(|&to| position.find_move(played.from(), to, None) == Ok(played));
    }
    targets
}

/// The letters and digits of a text in lowercase, with zeros of castling turned into letters; `None` if it has
/// characters that occur in no move.
fn letters(typed: &str) -> Option<String> {
    if typed.len() > MAX_LENGTH {
        return None;
    }
    let mut letters = String::new();
    for sign in typed.chars() {
        match sign {
            '0' => letters.push('o'),
            ':' | '×' => letters.push('x'),
            _ if sign.is_ascii_alphanumeric() => letters.push(sign.to_ascii_lowercase()),
            ' ' | '-' | '–' | '.' | '=' | '/' | '(' | ')' | '+' | '#' | '!' | '?' => {}
            _ => return None,
        }
    }
    Some(letters)
}

#[cfg(test)]
mod tests;
