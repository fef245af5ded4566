//! Two simple players to measure the levels by, as UCI engines.
//!
//! `anchor random` plays any legal move. `anchor careful` looks one move ahead: it gives mate, takes what it can take for
//! nothing, and leaves nothing where it can be taken for nothing; among moves that are as good by that it plays any. Which
//! one it is depends on the position and on the number that may follow, so that games can be repeated.

use tabiya_engine::{Answer, Control, Report, Request, Searcher, serve_stdio};
use tabiya_rules::{Move, Position, Role, SplitMix64, Square};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next();
    let seed = arguments.next().and_then(|text| text.parse().ok());
    let value: fn(&Position, Move) -> i32 = match kind.as_deref() {
        Some("random") => |_, _| 0,
        Some("careful") => careful,
        _ => {
            eprintln!("usage: anchor random|careful [SEED]");
            std::process::exit(2);
        }
    };
    serve_stdio(Anchor {
        value,
        seed: seed.unwrap_or(0),
    });
}

/// Plays any of the moves with the highest value.
struct Anchor {
    value: fn(&Position, Move) -> i32,
    seed: u64,
}

impl Searcher for Anchor {
    fn search(&mut self, request: &Request, _: &Control, _: &mut dyn FnMut(Report)) -> Answer {
        let position = request.played.current();
        let value = |&m: &Move| (self.value)(position, m);
        let highest = request.moves.iter().map(value).max();
        let mut best = request.moves.clone();
        best.retain(|m| Some(value(m)) == highest);
        // The same position may come again in a game, and then it may think otherwise.
        let moment =
            position.key() ^ SplitMix64::new(request.played.moves().len() as u64).next_u64();
        let mut random = SplitMix64::new(self.seed ^ moment);
        Answer {
            best: best.get(random.below(best.len())).copied(),
            ponder: None,
        }
    }
}

/// What a move takes, less the most that the opponent can take after it.
fn careful(position: &Position, m: Move) -> i32 {
    let after = position.play(m);
    if !after.has_legal_move() {
        // Mate is what it wants, and stalemate is worth nothing.
        return if after.is_check() { 1_000_000 } else { 0 };
    }
    let replies = after.captures();
    let lost = replies.iter().map(|&reply| gain(&after, reply)).max();
    taken(position, m) - lost.unwrap_or(0).max(0)
}

/// What a capture wins, less the capturing piece if that can be taken in turn.
fn gain(position: &Position, m: Move) -> i32 {
    let after = position.play(m);
    let recaptured = !after.attackers(m.destination(), after.turn()).is_empty();
    let mover = m.promotion().unwrap_or(m.role());
    taken(position, m) - if recaptured { worth(mover) } else { 0 }
}

/// What a move takes, and what a pawn becomes by it.
fn taken(position: &Position, m: Move) -> i32 {
    let captured = position
        .captured(m)
        .map(|(_, piece): (Square, _)| worth(piece.role));
    let promoted = m.promotion().map(|role| worth(role) - worth(Role::Pawn));
    captured.unwrap_or(0) + promoted.unwrap_or(0)
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}
