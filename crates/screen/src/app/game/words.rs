//! Messages about a game on the full screen.

use tabiya_front::commands::suggest::listed;
use tabiya_front::commands::{self, suggest};
use tabiya_front::key_map::Keys;
use tabiya_front::wording::Tone;
use tabiya_front::wording::events::rule;
use tabiya_front::wording::refusals;
use tabiya_game::{Claim, MoveRefusal, Moved, Refusal};
use tabiya_play::outcome::TableRefusal;
use tabiya_play::typed_move::{Candidate, square_off_board};
use tabiya_rules::text::excerpt;
use tabiya_rules::{ByColor, IllegalMove, Move, Position, Role, SanError, Square};

/// How many moves a message names at most.
const MAX_NAMED_MOVES: usize = 6;

/// The message about a move.
pub(in crate::app) fn move_sentence(
    moved: &Moved,
    called: &ByColor<String>,
    ended: bool,
) -> (String, Tone) {
    let capture = match moved.captured {
        Some((_, piece)) => format!(" and takes a {}", piece.role.name().to_ascii_lowercase()),
        None => String::new(),
    };
    let sentence = format!("{} played {}{capture}.", called[moved.by], moved.san);
    if moved.check && !ended {
        let other = &called[!moved.by];
        (format!("{sentence} {other} is in check!"), Tone::Notable)
    } else {
        (sentence, Tone::Plain)
    }
}

/// The message about an available claim.
pub(in crate::app) fn claim_sentence(claim: &Claim, by: &str, keys: &Keys) -> String {
    let (rule, menu) = (rule(claim.rule()), keys.named("menu"));
    format!("[{rule}] {by} may claim a draw with {menu}, or play on.")
}

/// Why a request was refused, given the position on the screen.
pub(in crate::app) fn refusal_sentence(
    refused: &TableRefusal,
    position: &Position,
    keys: &Keys,
) -> String {
    if let TableRefusal::Game { refusal, typed } = refused {
        let typed = typed.as_deref().unwrap_or_default();
        return game_refusal_sentence(refused, refusal, typed, position, keys);
    }
    if let TableRefusal::NothingToCapture(meant) = refused {
        return refusals::nothing_to_capture(*meant, position);
    }
    if let TableRefusal::EnginesTurn { turn, name, .. } = refused {
        return format!("It is {turn}'s turn, and {name} plays {turn}.");
    }
    let said = refusals::refused(refused, position, &refusals::full_screen(keys));
    said.lines.join(" ")
}

/// Why the session refused a request, and what may have been meant.
fn game_refusal_sentence(
    refused: &TableRefusal,
    refusal: &Refusal,
    typed: &str,
    position: &Position,
    keys: &Keys,
) -> String {
    if let Refusal::Move(MoveRefusal::Unreadable { .. }) = refusal
        && let Some(square) = square_off_board(typed)
    {
        return format!("There is no square {square}: files go from a to h, ranks from 1 to 8.");
    }
    let said = if let Refusal::Move(MoveRefusal::San(SanError::Illegal {
        role: Some(role),
        to: Some(to),
        reason: None,
        ..
    })) = refusal
    {
        no_piece(*role, *to, position).into()
    } else {
        refusals::refused(refused, position, &refusals::full_screen(keys))
    };
    let mut sentence = said.lines.join(" ");
    if let Some(meant) = similar_moves(refusal, typed, position).filter(|_| !said.suggests) {
        sentence.push_str(&suggest::did_you_mean(&[meant]));
    }
    sentence
}

/// Why no piece of a kind can go to a square: what stops the one that could on an empty board, or that there is none.
fn no_piece(role: Role, to: Square, position: &Position) -> String {
    let (turn, name) = (position.turn(), role.name().to_ascii_lowercase());
    let pieces = position.board().pieces(turn, role);
    if pieces.is_empty() {
        return format!("{turn} has no {name}.");
    }
    let reason = pieces
        .into_iter()
        .filter_map(|from| position.find_move(from, to, None).err())
        .find(|reason| !matches!(reason, IllegalMove::NotItsMove { .. }));
    let none = format!("No {name} can go to {to}.");
    match reason {
        Some(reason) => format!("{none} {reason}"),
        None => none,
    }
}

/// Why a piece of the side to move cannot move at all.
pub(in crate::app) fn why_stuck(from: Square, position: &Position) -> String {
    let role = position.board().piece_at(from);
    let role = role.map_or(Role::Pawn, |piece| piece.role);
    let name = role.name().to_ascii_lowercase();
    let refusal = |to| position.find_move(from, to, None).err();
    let mut refusals = Square::ALL.into_iter().filter_map(refusal);
    let attacker = refusals.find_map(|reason| {
        let IllegalMove::LeavesKingInCheck { attacker, .. } = reason else {
            return None;
        };
        Some(attacker)
    });
    let why = match (attacker, role, position.is_check()) {
        (Some(attacker), _, true) => format!("it does not end the check from {attacker}"),
        (Some(attacker), _, false) => format!("it shields the king from {attacker}"),
        (None, Role::King, true) => {
            return format!(
                "The king on {from} is in check and cannot move; something else must help."
            );
        }
        (None, Role::King, false) => "its squares are taken or attacked".to_owned(),
        (None, _, true) => "it does not end the check".to_owned(),
        (None, _, false) => "its ways are blocked".to_owned(),
    };
    format!("The {name} on {from} cannot move: {why}.")
}

/// The message for a command that was typed where moves are typed.
pub(in crate::app) fn command_hint(text: &str, keys: &Keys) -> Option<String> {
    let name = text.split_whitespace().next()?;
    let known = commands::find(name).filter(|entry| entry.name.len() > 1)?;
    Some(format!(
        "{} is a command: type {} before it, as {}.",
        known.name,
        keys.typed(""),
        keys.typed(&excerpt(text.trim()))
    ))
}

/// The legal moves similar to the typed one.
fn similar_moves(refusal: &Refusal, typed: &str, position: &Position) -> Option<String> {
    let Refusal::Move(refusal) = refusal else {
        return None;
    };
    let near = suggest::near(typed, position);
    let readable = !matches!(refusal, MoveRefusal::NullMove);
    (readable && !near.is_empty()).then(|| listed(&near))
}

/// The question which of several moves is meant.
pub(in crate::app) fn ask_which(found: &[Candidate]) -> String {
    let named = found.iter().take(MAX_NAMED_MOVES);
    let texts: Vec<String> = named.map(|one| one.san.clone()).collect();
    match found.len() {
        0..=MAX_NAMED_MOVES => format!("{}?", listed(&texts)),
        count => format!(
            "Which one? {count} moves begin like that: {}…",
            texts.join(", ")
        ),
    }
}

/// The message about another move that the same letters could mean.
pub(in crate::app) fn other_reading(other: Move, position: &Position, keys: &Keys) -> String {
    let whose = other.role().name().to_ascii_lowercase();
    let (san, undo) = (position.san(other), keys.named("undo"));
    format!("The {whose}'s move is written {san}: {undo} takes back.")
}
