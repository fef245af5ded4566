//! The events of the line mode and of matches, one schema each. docs/json.md explains their keys.

use serde::Serialize;
use tabiya_game::{Claim, Event as GameEvent, GameResult, Grounds, Moved, Session, Timestamp};
use tabiya_play::contest::statistics::{Decision, Sprt};
use tabiya_play::contest::{End, Entrant, FaultKind, Faults, Finished, Standing};
use tabiya_rules::{Color, Square, UciMove};

use super::explorer::ExploredJson;
use super::train::{ExerciseJson, JudgedJson, SessionJson};
use super::{Named, milliseconds, train};
use crate::config::settings::draws_name;
use crate::matches::{Final, letter};
use crate::opening_names;
use crate::saved;
use crate::wording::events::DetailedEvent;
use crate::wording::{Listing, Question, Reply, Thinking, answers};

/// The content of one line; the member `event` names it.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    Turn(Turn),
    Thinking(&'a Thinking),
    /// The answer of a command, in lines.
    Answer {
        command: &'static str,
        lines: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        saves: Option<Vec<Save<'a>>>,
    },
    Refused {
        code: &'static str,
        lines: &'a [String],
    },
    Question(&'a Question),
    Goodbye,

    Moved {
        ply: u32,
        side: Color,
        san: &'a str,
        uci: UciMove,
        captured: Option<Captured>,
        check: bool,
        clock_ms: Option<u64>,
        fen: &'a str,
    },
    Undone(Walk<'a>),
    Redone(Walk<'a>),
    WentTo {
        ply: u32,
        fen: &'a str,
    },
    NewGame(Board<'a>),
    PositionLoaded(Board<'a>),
    GameLoaded(Board<'a>),
    ClaimAvailable {
        side: Option<Color>,
        claims: Vec<Ground>,
    },
    /// A valid claim, and the intended move that it is based on.
    DrawClaimed {
        side: Color,
        claims: [Ground; 1],
        intended: Option<&'a str>,
    },
    DrawOffered(Side),
    DrawAccepted(Side),
    DrawDeclined(Side),
    DrawLapsed(Side),
    TakebackAsked(Side),
    TakebackGranted(Side),
    TakebackDeclined(Side),
    TakebackLapsed(Side),
    Resigned(Side),
    FlagFell(Side),
    Ended {
        result: GameResult,
        winner: Option<Color>,
        reason: &'static str,
        text: String,
    },
    Paused,
    Resumed,
    PolicyChanged {
        draws: &'static str,
    },
    Annotated,

    Explored(ExploredJson),

    /// An exercise is asked.
    Exercise(ExerciseJson<'a>),
    /// An answer to it was judged.
    Judged(JudgedJson<'a>),
    /// A training session is over.
    Session(SessionJson),

    /// A player that exceeded its limits.
    Overrun {
        by: &'static str,
        text: &'a str,
    },
    /// A game of a match.
    Game {
        number: u32,
        white: &'static str,
        result: &'static str,
        reason: &'static str,
        plies: u32,
        fault: Option<Fault>,
    },
    /// The score of a match.
    Score {
        a: &'a str,
        b: &'a str,
        end: &'static str,
        games: u32,
        wins: u32,
        draws: u32,
        losses: u32,
        score: Option<f64>,
        elo: Option<f64>,
        elo_low: Option<f64>,
        elo_high: Option<f64>,
        superiority: Option<f64>,
        pairs: [u32; 5],
        sprt: Option<Test>,
        faults_a: FaultCounts,
        faults_b: FaultCounts,
        plies: u64,
        repeated_games: u32,
    },
}

#[derive(Debug, Serialize)]
pub struct Walk<'a> {
    plies: u32,
    fen: &'a str,
}

#[derive(Debug, Serialize)]
pub struct Board<'a> {
    fen: &'a str,
}

#[derive(Debug, Serialize)]
pub struct Side {
    side: Color,
}

/// Whose turn it is, and the state of the game.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    side: Color,
    fen: String,
    check: bool,
    legal_moves: u32,
    claims: Vec<Ground>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
}

/// The basis of a claim.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Ground {
    Fifty { clock: u32 },
    Threefold { count: usize },
}

/// A save in a list. One that cannot be read has only a problem.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Save<'a> {
    Read {
        name: &'a str,
        white: String,
        black: String,
        date: &'a str,
        result: &'static str,
        moves: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<Named>,
        fen: String,
    },
    Unreadable {
        name: &'a str,
        problem: String,
    },
}

#[derive(Debug, Serialize)]
pub struct Captured {
    side: Color,
    piece: String,
    square: Square,
}

#[derive(Debug, Serialize)]
pub struct Fault {
    by: &'static str,
    kind: &'static str,
    text: String,
}

/// A sequential probability ratio test.
#[derive(Debug, Serialize)]
pub struct Test {
    elo0: f64,
    elo1: f64,
    llr: f64,
    low: f64,
    high: f64,
    accepted: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct FaultCounts {
    crashes: u32,
    illegal_moves: u32,
    time_losses: u32,
}

/// The prompt: whose turn it is.
pub fn turn(session: &Session, now: Timestamp) -> Turn {
    let position = session.position();
    let face = session.clock(now);
    let left = |color: Color| face.left[color].map(milliseconds);
    Turn {
        side: position.turn(),
        fen: position.fen(),
        check: position.is_check(),
        legal_moves: position.count_legal_moves() as u32,
        claims: session.claims().iter().map(ground).collect(),
        white_ms: left(Color::White),
        black_ms: left(Color::Black),
    }
}

/// A claim with the number that justifies it.
pub fn ground(claim: &Claim) -> Ground {
    match &claim.grounds {
        Grounds::FiftyMoves { clock } => Ground::Fifty { clock: *clock },
        Grounds::Threefold { plies } => Ground::Threefold { count: plies.len() },
    }
}

/// A reply of the line mode as an event.
pub fn event(reply: &Reply) -> Event<'_> {
    match reply {
        Reply::Event(detailed) => game_event(detailed),
        Reply::Answer(answer) => text(answers::heading(answer).0, answers::lines(answer)),
        Reply::Text { command, lines, .. } => text(command, lines.clone()),
        Reply::Refused { code, lines } => Event::Refused { code, lines },
        Reply::Thinking(thinking) => Event::Thinking(thinking),
        Reply::Question(question) => Event::Question(question),
        Reply::Saves { shown, .. } => Event::Answer {
            command: "saves",
            lines: reply.lines(),
            saves: Some(shown.iter().map(save).collect()),
        },
        Reply::Overrun { by, sentence } => Event::Overrun {
            by: letter(*by),
            text: sentence,
        },
        Reply::MatchGame { game, .. } => match_game(game),
        Reply::MatchScore(ended) => match_score(ended),
        Reply::Explored(found) => Event::Explored(super::explorer::explored(found)),
        Reply::Training(event) => train::event(event),
        Reply::Goodbye => Event::Goodbye,
    }
}

pub(super) fn text(command: &'static str, lines: Vec<String>) -> Event<'static> {
    Event::Answer {
        command,
        lines,
        saves: None,
    }
}

fn save((name, about): &Listing) -> Save<'_> {
    let name = name.as_str();
    match about {
        Ok(summary) => {
            let names = saved::names(summary);
            Save::Read {
                name,
                white: names.white,
                black: names.black,
                date: &summary.date,
                result: summary.result,
                moves: summary.moves,
                opening: opening_names::of_save(summary).map(Named::from),
                fen: summary.position.fen(),
            }
        }
        Err(error) => Save::Unreadable {
            name,
            problem: error.to_string(),
        },
    }
}

fn game_event(detailed: &DetailedEvent) -> Event<'_> {
    let fen = detailed.fen.as_str();
    let side = |side: Color| Side { side };
    match &detailed.event {
        GameEvent::Moved(made) => moved(made, detailed),
        GameEvent::ClaimAvailable(open) => Event::ClaimAvailable {
            side: open.first().map(|claim| claim.by),
            claims: open.iter().map(ground).collect(),
        },
        GameEvent::DrawClaimed(claim) => Event::DrawClaimed {
            side: claim.by,
            claims: [ground(claim)],
            intended: detailed.intended.as_deref(),
        },
        GameEvent::Ended(outcome) => Event::Ended {
            result: outcome.result(),
            winner: outcome.winner(),
            reason: outcome.reason(),
            text: outcome.to_string(),
        },
        GameEvent::Undone { plies, .. } => Event::Undone(Walk { plies: *plies, fen }),
        GameEvent::Redone { plies } => Event::Redone(Walk { plies: *plies, fen }),
        GameEvent::WentTo { ply, .. } => Event::WentTo { ply: *ply, fen },
        GameEvent::NewGame => Event::NewGame(Board { fen }),
        GameEvent::PositionLoaded => Event::PositionLoaded(Board { fen }),
        GameEvent::GameLoaded => Event::GameLoaded(Board { fen }),
        GameEvent::DrawOffered { by } => Event::DrawOffered(side(*by)),
        GameEvent::DrawAccepted { by } => Event::DrawAccepted(side(*by)),
        GameEvent::DrawDeclined { by } => Event::DrawDeclined(side(*by)),
        GameEvent::DrawLapsed { by } => Event::DrawLapsed(side(*by)),
        GameEvent::Resigned { by } => Event::Resigned(side(*by)),
        GameEvent::FlagFell { color } => Event::FlagFell(side(*color)),
        GameEvent::TakebackAsked { by } => Event::TakebackAsked(side(*by)),
        GameEvent::TakebackGranted { by } => Event::TakebackGranted(side(*by)),
        GameEvent::TakebackDeclined { by } => Event::TakebackDeclined(side(*by)),
        GameEvent::TakebackLapsed { by } => Event::TakebackLapsed(side(*by)),
        GameEvent::Paused => Event::Paused,
        GameEvent::Resumed => Event::Resumed,
        GameEvent::PolicyChanged => Event::PolicyChanged {
            draws: draws_name(detailed.draws),
        },
        GameEvent::Annotated { .. }
        | GameEvent::VariationMoved { .. }
        | GameEvent::VariationDeleted { .. }
        | GameEvent::TagChanged { .. } => Event::Annotated,
    }
}

fn moved<'a>(made: &'a Moved, detailed: &'a DetailedEvent) -> Event<'a> {
    Event::Moved {
        ply: made.ply,
        side: made.by,
        san: &made.san,
        uci: made.uci,
        captured: made.captured.map(|(square, piece)| Captured {
            side: piece.color,
            piece: piece.role.name().to_ascii_lowercase(),
            square,
        }),
        check: made.check,
        clock_ms: made.clock.map(milliseconds),
        fen: &detailed.fen,
    }
}

/// A finished game of a match.
pub fn match_game(game: &Finished) -> Event<'static> {
    let fault = game.fault.as_ref().map(|fault| Fault {
        by: letter(fault.by),
        kind: match fault.cause.kind() {
            FaultKind::Crash => "crash",
            FaultKind::IllegalMove => "illegal_move",
            FaultKind::Time => "time",
        },
        text: fault.cause.to_string(),
    });
    Event::Game {
        number: game.number,
        white: letter(game.white),
        result: game.outcome.result().as_str(),
        reason: game.outcome.reason(),
        plies: game.plies,
        fault,
    }
}

/// The final score of a match.
pub fn match_score(ended: &Final) -> Event<'_> {
    let standing = &ended.standing;
    let estimate = standing.estimate();
    let interval = estimate.and_then(|estimate| estimate.interval);
    let (elo_low, elo_high) = interval.unzip();
    Event::Score {
        a: &ended.names.a,
        b: &ended.names.b,
        end: match ended.end {
            End::Played => "played",
            End::Decided(_) => "decided",
            End::Stopped => "stopped",
            End::Broken(_) => "broken",
        },
        games: standing.games(),
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        score: estimate.map(|estimate| estimate.score),
        elo: estimate.map(|estimate| estimate.elo),
        elo_low,
        elo_high,
        superiority: estimate.map(|estimate| estimate.superiority),
        pairs: standing.pairs,
        sprt: standing.sprt.map(|sprt| test(sprt, standing)),
        faults_a: faults(standing.faults[Entrant::A]),
        faults_b: faults(standing.faults[Entrant::B]),
        plies: standing.plies,
        repeated_games: standing.repeated_games,
    }
}

/// The state of the sequential test.
fn test(sprt: Sprt, standing: &Standing) -> Test {
    let (low, high) = sprt.bounds();
    Test {
        elo0: sprt.elo0,
        elo1: sprt.elo1,
        llr: sprt.log_likelihood_ratio(&standing.pairs),
        low,
        high,
        accepted: match sprt.decision(&standing.pairs) {
            Decision::Open => None,
            Decision::Elo0 => Some("elo0"),
            Decision::Elo1 => Some("elo1"),
        },
    }
}

/// How often an entrant crashed, and lost in other ways than on the board.
fn faults(faults: Faults) -> FaultCounts {
    FaultCounts {
        crashes: faults.crashes,
        illegal_moves: faults.illegal_moves,
        time_losses: faults.time_losses,
    }
}
