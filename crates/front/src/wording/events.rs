//! Events as sentences. Sides have the names that a front passes in.

use tabiya_game::{Claim, ClaimRule, DrawPolicy, Event, Moved, Node, Outcome, Session};
use tabiya_play::outcome::Happened;
use tabiya_rules::{ByColor, Color};

use super::{GAME_GOES_ON, Tone};

/// An event with details that it does not include itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetailedEvent {
    pub event: Event,
    /// The position after all events of the command.
    pub fen: String,
    /// Who decides about draws now.
    pub draws: DrawPolicy,
    /// The intended move that a claim is based on.
    pub intended: Option<String>,
    /// Whether an engine did it.
    by_engine: bool,
    /// Whether the game is over after all events of the command.
    ended: bool,
    /// The moves that were stepped over, or their number.
    walked: String,
    /// The current move, with its number.
    place: Option<String>,
}

/// The events of one command, in order. The session is the one afterwards.
pub fn detailed(happened: &Happened, session: &Session) -> Vec<DetailedEvent> {
    let record = session.record();
    let node = record
        .node(happened.node)
        .unwrap_or_else(|| record.cursor());
    let (before, after) = (happened.ply_before, node.ply());
    let walked = walked(session, before.min(after), before.max(after));
    let place = place(node);
    let fen = node.position().fen();
    let detailed = |event: &Event| DetailedEvent {
        event: event.clone(),
        fen: fen.clone(),
        draws: session.policy().draws,
        intended: if let Event::DrawClaimed(claim) = event {
            let intended = claim.intended;
            intended.map(|intended| node.position().san(intended).to_string())
        } else {
            None
        },
        by_engine: happened.by_engine,
        ended: happened.has_ended(),
        walked: walked.clone(),
        place: place.clone(),
    };
    happened.events.iter().map(detailed).collect()
}

/// The moves between two plies; many are only counted.
fn walked(session: &Session, after: u32, up_to: u32) -> String {
    const MAX_NAMED_MOVES: u32 = 8;
    let plies = up_to - after;
    if plies > MAX_NAMED_MOVES {
        return format!("{plies} moves");
    }
    let moves = (after + 1..=up_to).filter_map(|ply| session.record().on_line(ply)?.san());
    let moves: Vec<String> = moves.map(|san| san.to_string()).collect();
    moves.join(" ")
}

/// A move with its number, such as `12...Nf6`.
pub fn place(node: Node<'_>) -> Option<String> {
    let (before, san) = (node.parent()?.position(), node.san()?);
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    Some(format!("{}{dots}{san}", before.fullmove_number()))
}

/// The colors as names of the sides.
pub fn colors() -> ByColor<String> {
    ByColor::from_fn(|color: Color| color.name().to_owned())
}

/// The tone of an event.
pub fn tone(detailed: &DetailedEvent) -> Tone {
    let is_check = |event: &Event| matches!(event, Event::Moved(moved) if moved.check);
    if is_check(&detailed.event) || matches!(detailed.event, Event::Ended(_)) {
        Tone::Notable
    } else {
        Tone::Plain
    }
}

/// The name of the rule of a claim.
pub fn rule(rule: ClaimRule) -> &'static str {
    match rule {
        ClaimRule::FiftyMoves => "50-move rule",
        ClaimRule::Threefold => "Threefold repetition",
    }
}

/// The menu for an available claim.
pub fn menu(side: Color, claimed: ClaimRule) -> [String; 3] {
    [
        format!(
            "[{}] {side} may claim a draw, or continue playing.",
            rule(claimed)
        ),
        "1. Claim draw".to_owned(),
        "2. Continue".to_owned(),
    ]
}

/// An ending as a sentence, with the names of the sides.
pub fn ending(outcome: Outcome, called: &ByColor<String>) -> String {
    let wins = |winner: Color| format!("{} wins.", called[winner]);
    match outcome {
        Outcome::Checkmate { winner } => format!("Checkmate! {}", wins(winner)),
        Outcome::Resignation { loser } => format!("{} resigns. {}", called[loser], wins(!loser)),
        Outcome::Time { loser } => {
            format!("{} ran out of time. {}", called[loser], wins(!loser))
        }
        Outcome::TimeWithoutMaterial { flagged } => {
            format!("{} ran out of time. The game is a draw.", called[flagged])
        }
        Outcome::Abandoned {
            winner: Some(winner),
        } => format!("Game abandoned. {}", wins(winner)),
        Outcome::Adjudicated {
            winner: Some(winner),
        } => format!("Game adjudicated. {}", wins(winner)),
        Outcome::RulesInfraction { loser } => {
            format!("{} broke the rules. {}", called[loser], wins(!loser))
        }
        Outcome::Recorded {
            winner: Some(winner),
        } => format!("The record ends here. {}", wins(winner)),
        // These mention no side.
        Outcome::Stalemate
        | Outcome::InsufficientMaterial
        | Outcome::DeadPosition
        | Outcome::Threefold(_)
        | Outcome::FiftyMoves(_)
        | Outcome::Fivefold
        | Outcome::SeventyFiveMoves
        | Outcome::Agreement
        | Outcome::Abandoned { winner: None }
        | Outcome::Adjudicated { winner: None }
        | Outcome::Recorded { winner: None } => outcome.to_string(),
    }
}

/// How an event is put into words: each front has its own way for some, and the others have a sentence.
#[derive(Debug)]
pub enum Told<'a> {
    /// A move, which the board shows too.
    Move(&'a Moved),
    /// Draws can be claimed: a menu.
    Claims(&'a [Claim]),
    Ending(Outcome),
    Paused,
    DrawOffered(Color),
    TakebackAsked(Color),
    Deleted,
    /// A sentence; none if the end of the game, the board or the menu says everything.
    Sentence(Option<String>),
}

/// Decides how an event is put into words. The sides are called as a front calls them.
pub fn told<'a>(detailed: &'a DetailedEvent, called: &ByColor<String>) -> Told<'a> {
    let sentence = match &detailed.event {
        Event::Moved(moved) => return Told::Move(moved),
        Event::ClaimAvailable(claims) => return Told::Claims(claims),
        Event::Ended(outcome) => return Told::Ending(*outcome),
        Event::Paused => return Told::Paused,
        Event::DrawOffered { by } => return Told::DrawOffered(*by),
        Event::TakebackAsked { by } => return Told::TakebackAsked(*by),
        Event::VariationDeleted { .. } => return Told::Deleted,
        Event::Undone { plies: 0, .. } => GAME_GOES_ON.to_owned(),
        Event::Undone { .. } => format!("Took back {}.", detailed.walked),
        Event::Redone { plies: 0 } => return Told::Sentence(None),
        Event::Redone { .. } => format!("Played again: {}.", detailed.walked),
        Event::WentTo { .. } => match &detailed.place {
            Some(place) => format!("After {place}."),
            None => "At the start.".to_owned(),
        },
        Event::DrawDeclined { by } => format!("{} declines the draw.", called[*by]),
        Event::TakebackGranted { by } => format!("{} lets the move be taken back.", called[*by]),
        Event::TakebackDeclined { by } => format!("{} declines the takeback.", called[*by]),
        Event::DrawLapsed { by } => {
            format!("{} moved instead of taking the draw.", called[!*by])
        }
        Event::TakebackLapsed { by } => {
            format!("{} moved instead of granting the takeback.", called[!*by])
        }
        Event::Resumed => GAME_GOES_ON.to_owned(),
        Event::DrawClaimed(_)
        | Event::DrawAccepted { .. }
        | Event::Resigned { .. }
        | Event::FlagFell { .. }
        | Event::NewGame
        | Event::PositionLoaded
        | Event::GameLoaded
        | Event::Annotated { .. }
        | Event::VariationMoved { .. }
        | Event::TagChanged { .. }
        | Event::PolicyChanged => return Told::Sentence(None),
    };
    Told::Sentence(Some(sentence))
}

/// The lines about an event.
pub fn lines(detailed: &DetailedEvent, called: &ByColor<String>) -> Vec<String> {
    let waits = |by: Color| format!("{} can accept or decline.", called[!by]);
    let sentence = match told(detailed, called) {
        Told::Move(moved) => return moved_lines(detailed, moved),
        Told::Claims(_) | Told::Deleted => None,
        Told::Ending(outcome) => Some(ending(outcome, called)),
        Told::Paused => Some("The game is paused. Enter pause to go on.".to_owned()),
        Told::DrawOffered(by) => Some(format!("{} offers a draw. {}", called[by], waits(by))),
        Told::TakebackAsked(by) => Some(format!(
            "{} asks to take a move back. {}",
            called[by],
            waits(by)
        )),
        Told::Sentence(sentence) => sentence,
    };
    sentence.into_iter().collect()
}

/// An engine's move, the capture, and then the check, unless the move ended the game.
fn moved_lines(detailed: &DetailedEvent, moved: &Moved) -> Vec<String> {
    let by = moved.by;
    let played = detailed
        .by_engine
        .then(|| format!("{by} plays {}.", moved.san));
    let capture = moved.captured.map(|(_, piece)| {
        // En passant is named after the target square, although it captures beside it.
        let square = moved.played.destination();
        format!("{by} captures {} {} on {square}", piece.color, piece.role)
    });
    let check = (moved.check && !detailed.ended).then(|| format!("{} is in check!", !by));
    [played, capture, check].into_iter().flatten().collect()
}
