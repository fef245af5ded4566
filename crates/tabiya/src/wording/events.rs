//! What happened, as the fixed texts of the line mode and as JSON.

use tabiya_game::{Claim, ClaimRule, DrawPolicy, Event, Moved, Outcome, Session};
use tabiya_rules::Color;

use super::{Reply, Tone};
use crate::json::{Json, claim_json, color_word, milliseconds};

/// What the events of a command do not say themselves about the game before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    ply: u32,
}

impl Before {
    pub(crate) fn new(session: &Session) -> Before {
        Before { ply: session.ply() }
    }
}

/// Whether the game has ended just now, and was not only brought to where it had ended.
pub(crate) fn ended_by_playing(happened: &[Event]) -> bool {
    let walked = |event: &Event| {
        matches!(
            event,
            Event::Undone { .. } | Event::Redone { .. } | Event::WentTo { .. } | Event::GameLoaded
        )
    };
    let ended = |event: &Event| matches!(event, Event::Ended(_));
    happened.iter().any(ended) && !happened.iter().any(walked)
}

/// The menu that an open claim asks with.
pub(crate) fn menu(side: Color, rule: ClaimRule) -> [String; 3] {
    let rule = match rule {
        ClaimRule::FiftyMoves => "50-move rule",
        ClaimRule::Threefold => "Threefold repetition",
    };
    [
        format!("[{rule}] {side} may claim a draw, or continue playing."),
        "1. Claim draw".to_owned(),
        "2. Continue".to_owned(),
    ]
}

/// What is said about the events of one command, in their order. The session is the one after it.
pub(crate) fn replies(happened: &[Event], before: &Before, session: &Session) -> Vec<Reply> {
    let ended = happened
        .iter()
        .any(|event| matches!(event, Event::Ended(_)));
    happened
        .iter()
        .map(|event| {
            let text = match event {
                Event::Moved(moved) => moved_text(moved, ended),
                event => text(event, before, session),
            };
            let tone = match event {
                Event::Ended(_) => Tone::News,
                Event::Moved(moved) if moved.check => Tone::News,
                _ => Tone::Plain,
            };
            Reply {
                text,
                json: json(event, session),
                tone,
            }
        })
        .collect()
}

/// The capture, and then the check unless the move ended the game.
fn moved_text(moved: &Moved, ended: bool) -> Vec<String> {
    let by = moved.by;
    let capture = moved.captured.map(|(_, piece)| {
        // En passant captures beside the square that the pawn goes to, and is named after the latter.
        let square = moved.played.destination();
        format!("{by} captures {} {} on {square}", piece.color, piece.role)
    });
    let check = (moved.check && !ended).then(|| format!("{} is in check!", !by));
    capture.into_iter().chain(check).collect()
}

fn text(event: &Event, before: &Before, session: &Session) -> Vec<String> {
    let sentence = match event {
        Event::Ended(outcome) => outcome.to_string(),
        Event::Undone { plies: 0, .. } => "The game goes on.".to_owned(),
        Event::Undone { .. } => {
            format!("Took back {}.", between(session, session.ply(), before.ply))
        }
        Event::Redone { plies: 0 } => return Vec::new(),
        Event::Redone { .. } => format!(
            "Played again: {}.",
            between(session, before.ply, session.ply())
        ),
        Event::WentTo { .. } => place(session),
        Event::DrawOffered { by } => format!("{by} offers a draw. {} can accept or decline.", !*by),
        Event::DrawDeclined { by } => format!("{by} declines the draw."),
        Event::TakebackAsked { by } => {
            format!(
                "{by} asks to take a move back. {} can accept or decline.",
                !*by
            )
        }
        Event::TakebackGranted { by } => format!("{by} lets the move be taken back."),
        Event::TakebackDeclined { by } => format!("{by} declines the takeback."),
        Event::Paused => "The game is paused. Enter pause to go on.".to_owned(),
        Event::Resumed => "The game goes on.".to_owned(),
        // The end of the game, the board or the menu says all there is to say about the others.
        _ => return Vec::new(),
    };
    vec![sentence]
}

/// The moves after one ply up to another; many are counted.
fn between(session: &Session, after: u32, up_to: u32) -> String {
    const MOST: u32 = 8;
    if up_to - after > MOST {
        return format!("{} half-moves", up_to - after);
    }
    let moves: Vec<String> = (after + 1..=up_to)
        .filter_map(|ply| session.record().on_line(ply)?.san())
        .map(|san| san.to_string())
        .collect();
    moves.join(" ")
}

/// Where the game stands, as `After 12...Nf6.`
fn place(session: &Session) -> String {
    let cursor = session.record().cursor();
    match (cursor.parent(), cursor.san()) {
        (Some(parent), Some(san)) => {
            let position = parent.position();
            let dots = if position.turn() == Color::White {
                "."
            } else {
                "..."
            };
            format!("After {}{dots}{san}.", position.fullmove_number())
        }
        _ => "At the start.".to_owned(),
    }
}

fn json(event: &Event, session: &Session) -> Json {
    let fen = || ("fen", session.position().fen().into());
    let plies = |plies: u32| ("plies", plies.into());
    let side = |color| vec![("side", color_word(color).into())];
    let (name, members): (_, Vec<(&'static str, Json)>) = match event {
        Event::Moved(moved) => ("moved", moved_members(moved, session)),
        Event::ClaimAvailable(claims) => ("claim_available", claim_members(claims)),
        Event::DrawClaimed(claim) => ("draw_claimed", claim_members(std::slice::from_ref(claim))),
        Event::Ended(outcome) => ("ended", ended_members(*outcome)),
        Event::Undone { plies: back, .. } => ("undone", vec![plies(*back), fen()]),
        Event::Redone { plies: on } => ("redone", vec![plies(*on), fen()]),
        Event::WentTo { ply, .. } => ("went_to", vec![("ply", (*ply).into()), fen()]),
        Event::NewGame => ("new_game", vec![fen()]),
        Event::PositionLoaded => ("position_loaded", vec![fen()]),
        Event::GameLoaded => ("game_loaded", vec![fen()]),
        Event::DrawOffered { by } => ("draw_offered", side(*by)),
        Event::DrawAccepted { by } => ("draw_accepted", side(*by)),
        Event::DrawDeclined { by } => ("draw_declined", side(*by)),
        Event::Resigned { by } => ("resigned", side(*by)),
        Event::FlagFell { color } => ("flag_fell", side(*color)),
        Event::TakebackAsked { by } => ("takeback_asked", side(*by)),
        Event::TakebackGranted { by } => ("takeback_granted", side(*by)),
        Event::TakebackDeclined { by } => ("takeback_declined", side(*by)),
        Event::Paused => ("paused", Vec::new()),
        Event::Resumed => ("resumed", Vec::new()),
        Event::PolicyChanged => ("policy_changed", policy_members(session)),
        Event::Annotated { .. }
        | Event::VariationMoved { .. }
        | Event::VariationDeleted { .. }
        | Event::TagChanged { .. } => ("annotated", Vec::new()),
    };
    let mut all = vec![("event", name.into())];
    all.extend(members);
    Json::Object(all)
}

fn moved_members(moved: &Moved, session: &Session) -> Vec<(&'static str, Json)> {
    let node = session.record().node(moved.node);
    let uci = node.and_then(|node| {
        let before = node.parent()?.position();
        Some(before.uci(moved.played).to_string())
    });
    let captured = moved.captured.map(|(square, piece)| {
        Json::Object(vec![
            ("side", color_word(piece.color).into()),
            ("piece", piece.role.name().to_ascii_lowercase().into()),
            ("square", square.to_string().into()),
        ])
    });
    vec![
        ("ply", moved.ply.into()),
        ("side", color_word(moved.by).into()),
        ("san", moved.san.as_str().into()),
        ("uci", uci.into()),
        ("captured", captured.into()),
        ("check", moved.check.into()),
        ("clock_ms", moved.clock.map(milliseconds).into()),
        ("fen", session.position().fen().into()),
    ]
}

fn claim_members(claims: &[Claim]) -> Vec<(&'static str, Json)> {
    let side = claims.first().map(|claim| color_word(claim.by));
    let claims = claims.iter().map(claim_json).collect();
    vec![("side", side.into()), ("claims", Json::List(claims))]
}

fn ended_members(outcome: Outcome) -> Vec<(&'static str, Json)> {
    vec![
        ("result", outcome.result().as_str().into()),
        ("winner", outcome.winner().map(color_word).into()),
        ("reason", outcome.reason().into()),
        ("text", outcome.to_string().into()),
    ]
}

fn policy_members(session: &Session) -> Vec<(&'static str, Json)> {
    let word = match session.policy().draws {
        DrawPolicy::Claim => "claim",
        DrawPolicy::Automatic => "auto",
    };
    vec![("draws", word.into())]
}
