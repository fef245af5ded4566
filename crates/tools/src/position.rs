//! `tabiya moves`, `show` and `status`: the legal moves of a position, its picture, and its state.

use crate::flags::{Moves, Show, Status};
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_front::flags::Draws;
use tabiya_front::json::Named;
use tabiya_front::json::events::{Ground, ground};
use tabiya_front::opening_names;
use tabiya_front::output::{GeneratedKind, answer, print, write_generated};
use tabiya_front::position;
use tabiya_game::{Claim, Command, Grounds, NewGame, Outcome, Policy, Session, Timestamp};
use tabiya_openings::Opening;
use tabiya_rules::{Color, DiagramPieces, Move, Position};
use tabiya_svg::{BEGINNING, Picture};

use crate::read_opening_names;

/// The legal moves of a position for `--json`.
#[derive(Serialize)]
struct Listed<'a> {
    fen: String,
    moves: &'a [String],
}

/// Runs `tabiya moves`.
pub fn moves(args: &Moves) -> Result<(), Failure> {
    let position = args.position.read()?;
    let text = |played: Move| match args.uci {
        true => position.uci(played).to_string(),
        false => position.san(played).to_string(),
    };
    let moves = position.legal_moves().into_iter();
    let moves = moves.filter(|played| args.from.is_none_or(|from| played.from() == from));
    let mut moves: Vec<String> = moves.map(text).collect();
    moves.sort_unstable();
    let fen = position.fen();
    answer(args.json, &Listed { fen, moves: &moves }, &moves)
}

const PICTURE: GeneratedKind = GeneratedKind {
    beginning: BEGINNING,
    name: "picture of a board",
};

/// Runs `tabiya show`: prints a position as text, or draws it in a file.
pub fn show(args: &Show) -> Result<(), Failure> {
    let position = position::read(&args.fen, None)?;
    let pieces = match args.figures {
        true => DiagramPieces::Figures,
        false => DiagramPieces::Letters,
    };
    let bottom = if args.flip {
        Color::Black
    } else {
        Color::White
    };
    if let Some(path) = &args.svg {
        let picture = Picture {
            bottom,
            ..Picture::of(position.board())
        };
        return write_generated(path, &picture.svg(), PICTURE);
    }
    let diagram = position.board().diagram().pieces(pieces).bottom(bottom);
    print(&format!("{diagram}{} to move\n", position.turn()))
}

/// Runs `tabiya status`, on a position alone or after moves from there.
pub fn status(args: &Status) -> Result<(), Failure> {
    let start = args.position.read()?;
    let moves = args.moves.as_deref().unwrap_or_default();
    let (session, opening) = play(start, moves, args.draws)?;
    let mut lines = as_text(&session);
    lines.extend(opening.map(|opening| format!("opening: {} {opening}", opening.eco)));
    answer(args.json, &as_json(&session, opening), lines)
}

/// The game after the moves, and its opening.
pub(crate) fn play(
    start: Position,
    moves: &str,
    draws: Draws,
) -> Result<(Session, Option<Opening<'static>>), Failure> {
    read_opening_names();
    let openings = opening_names::known();
    let mut opening = openings.lookup(&start);
    let policy = Policy::new().with_draws(draws.into());
    let mut session = Session::new(NewGame::default().with_start(start).with_policy(policy));
    for (at, text) in position::moves(moves).enumerate() {
        session
            .apply(Command::play(text), Timestamp::ORIGIN)
            .map_err(|refusal| Failure::refused_move(at, text, refusal))?;
        opening = openings.lookup(session.position()).or(opening);
    }
    Ok((session, opening))
}

/// The state of a position for `--json`.
#[derive(Serialize)]
struct PositionStatus {
    fen: String,
    status: &'static str,
    winner: Option<Color>,
    reason: Option<&'static str>,
    check: bool,
    claims: Vec<Ground>,
    legal_moves: usize,
    clock: u32,
    repetitions: u32,
    opening: Option<Named>,
}

fn as_json(session: &Session, opening: Option<Opening<'_>>) -> PositionStatus {
    let position = session.position();
    let (status, reason) = match session.outcome() {
        None => ("ongoing", None),
        Some(Outcome::Checkmate { .. }) => ("checkmate", None),
        Some(Outcome::Stalemate) => ("stalemate", None),
        Some(outcome) => ("draw", Some(outcome.reason())),
    };
    let winner = session.outcome().and_then(Outcome::winner);
    PositionStatus {
        fen: position.fen(),
        status,
        winner,
        reason,
        check: position.is_check(),
        claims: session.claims().iter().map(ground).collect(),
        legal_moves: position.count_legal_moves(),
        clock: position.halfmove_clock(),
        repetitions: session.repetitions(),
        opening: opening.map(Named::from),
    }
}

fn as_text(session: &Session) -> Vec<String> {
    let position = session.position();
    let Some(outcome) = session.outcome() else {
        let mut lines = vec!["ongoing".to_owned()];
        if position.is_check() {
            lines.push(format!("check: {} is in check", position.turn()));
        }
        lines.extend(session.claims().iter().map(claim_text));
        return lines;
    };
    vec![match outcome {
        Outcome::Checkmate { winner } => format!("checkmate: {winner} wins"),
        Outcome::Stalemate => "stalemate".to_owned(),
        Outcome::InsufficientMaterial => "draw: insufficient material".to_owned(),
        Outcome::Threefold(_) => "draw: threefold repetition".to_owned(),
        Outcome::Fivefold => "draw: fivefold repetition".to_owned(),
        Outcome::FiftyMoves(_) => "draw: 50-move rule".to_owned(),
        Outcome::SeventyFiveMoves => "draw: 75-move rule".to_owned(),
        // These never follow from moves alone.
        Outcome::DeadPosition
        | Outcome::Agreement
        | Outcome::Resignation { .. }
        | Outcome::Time { .. }
        | Outcome::TimeWithoutMaterial { .. }
        | Outcome::Abandoned { .. }
        | Outcome::Adjudicated { .. }
        | Outcome::RulesInfraction { .. }
        | Outcome::Recorded { .. } => format!("draw: {}", outcome.reason()),
    }]
}

fn claim_text(claim: &Claim) -> String {
    let by = claim.by;
    match &claim.grounds {
        Grounds::FiftyMoves { clock } => {
            format!("claim: {by} may claim a draw by the 50-move rule (clock {clock})")
        }
        Grounds::Threefold { plies } => {
            let count = plies.len();
            format!("claim: {by} may claim a draw by threefold repetition (occurred {count} times)")
        }
    }
}
