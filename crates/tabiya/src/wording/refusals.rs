//! Why something was not done, as the fixed texts of the line mode.

use tabiya_game::{Command, MoveInput, MoveRefusal, Refusal};
use tabiya_rules::text::excerpt;
use tabiya_rules::{IllegalMove, Move, Position, SanError};

use super::answers;
use crate::commands::{Misuse, Misused, suggest};

/// The move that a command repeats, to be named in a refusal.
pub(crate) fn typed(command: &Command) -> String {
    match command {
        Command::Play(MoveInput::Text(text))
        | Command::Claim {
            intended: Some(MoveInput::Text(text)),
            ..
        } => text.clone(),
        _ => String::new(),
    }
}

/// The lines about a refused command. `typed` is the move that it was about, if it was about one.
pub(crate) fn refused(refusal: &Refusal, typed: &str, position: &Position) -> Vec<String> {
    match refusal {
        Refusal::Move(refusal) => refused_move(refusal, typed, position),
        Refusal::Claim(refusal) => refusal.sentences().map(str::to_owned).collect(),
        Refusal::Paused => vec!["The game is paused. Enter pause to go on.".to_owned()],
        other => vec![other.to_string()],
    }
}

fn refused_move(refusal: &MoveRefusal, typed: &str, position: &Position) -> Vec<String> {
    match refusal {
        MoveRefusal::Unreadable { .. } => unreadable(typed, position),
        MoveRefusal::Illegal(IllegalMove::PromotionRequired)
        | MoveRefusal::San(SanError::PromotionRequired) => {
            // Where no piece would help, that is the reason.
            let named = MoveInput::Text(format!("{}q", typed.trim())).resolve(position);
            match named {
                Err(MoveRefusal::Illegal(reason))
                | Err(MoveRefusal::San(SanError::Illegal {
                    reason: Some(reason),
                    ..
                })) => vec![illegal(reason)],
                _ => vec![illegal(IllegalMove::PromotionRequired)],
            }
        }
        MoveRefusal::Illegal(reason) => vec![illegal(*reason)],
        MoveRefusal::San(SanError::Illegal {
            reason: Some(reason),
            ..
        }) => vec![illegal(*reason)],
        MoveRefusal::San(SanError::Ambiguous { candidates }) => {
            vec![format!(
                "Illegal move. Which one: {}?",
                either(position, candidates)
            )]
        }
        MoveRefusal::San(SanError::Illegal {
            reason: None,
            candidates,
        }) => {
            vec![format!(
                "Illegal move. {refusal}{}",
                instead(position, candidates)
            )]
        }
        MoveRefusal::San(reason) => vec![format!("Illegal move. {reason}")],
        MoveRefusal::NullMove => vec![format!("Illegal move. {refusal}")],
    }
}

/// About a move that says it captures something where nothing stands, and the one that is meant.
pub(crate) fn nothing_to_capture(meant: Move, position: &Position) -> String {
    let san = position.san(meant);
    format!("Nothing stands on {}: {san}?", meant.destination())
}

fn unreadable(typed: &str, position: &Position) -> Vec<String> {
    let typed = typed.trim();
    let complaint = format!(
        "Invalid move format '{}'. Use coordinate notation, e.g. e2e4.",
        excerpt(typed)
    );
    let near = suggest::near(typed, position);
    let suggestion = (!near.is_empty()).then(|| format!("Did you mean {}?", listed(&near)));
    [complaint].into_iter().chain(suggestion).collect()
}

fn illegal(reason: IllegalMove) -> String {
    match reason {
        IllegalMove::NoPiece { .. } => reason.to_string(),
        IllegalMove::OpponentsPiece { .. } => "That is not your piece.".to_owned(),
        reason => format!("Illegal move. {reason}"),
    }
}

fn either(position: &Position, moves: &[Move]) -> String {
    let texts: Vec<String> = moves
        .iter()
        .map(|&found| position.san(found).to_string())
        .collect();
    listed(&texts)
}

/// The moves that come near, where they are few enough to be read.
fn instead(position: &Position, candidates: &[Move]) -> String {
    const MOST: usize = 6;
    match candidates.len() {
        1..=MOST => format!(" Possible: {}.", either(position, candidates)),
        _ => String::new(),
    }
}

/// `a`, `a or b`, `a, b or c`.
fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The lines about arguments that a command cannot use.
pub(crate) fn misused(misused: &Misused) -> Vec<String> {
    match &misused.why {
        Misuse::Form => {
            let usage = format!("Usage: {}", misused.entry.usage());
            let more = answers::wrapped(misused.entry.more, "  ");
            [usage].into_iter().chain(more).collect()
        }
        Misuse::Because(sentence) => vec![sentence.clone()],
    }
}
