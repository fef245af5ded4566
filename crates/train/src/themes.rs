//! What an exercise is about, from its solution alone, by the names that Lichess uses.

use tabiya_rules::{Bitboard, Move, PIECE_VALUES, Position, Role, attacks};

/// The names of mates by the number of moves, from 1; the last is for all longer ones.
const MATES: [&str; 5] = ["mateIn1", "mateIn2", "mateIn3", "mateIn4", "mateIn5"];

/// Whether a theme of this name is shown. The others are found too seldom where people see them, or too often where they do
/// not; a search for them is still of use.
#[must_use]
pub fn is_shown(name: &str) -> bool {
    !matches!(name, "pin" | "backRankMate")
}

/// A move of the solution.
struct Step {
    before: Position,
    played: Move,
    after: Position,
    /// The opponent's reply and the next move, with the position before each.
    next: Option<[(Position, Move); 2]>,
}

/// The themes of a solution, whose moves are legal. `last` is the move that led to the position, with the position before it.
#[must_use]
pub fn of(
    position: &Position,
    solution: &[Move],
    last: Option<(&Position, Move)>,
) -> Vec<&'static str> {
    let mut here = vec![*position];
    for &m in solution {
        here.extend(here.last().map(|before| before.play_unchecked(m)));
    }
    let steps = (0..solution.len()).step_by(2).map(|at| Step {
        before: here[at],
        played: solution[at],
        after: here[at + 1],
        next: (at + 2 < solution.len())
            .then(|| [1, 2].map(|later| (here[at + later], solution[at + later]))),
    });
    let steps: Vec<Step> = steps.collect();
    let mut themes = Vec::new();
    if let Some(step) = steps.last().filter(|step| step.after.is_checkmate()) {
        themes.push(MATES[steps.len().min(MATES.len()) - 1]);
        themes.extend(mate(step));
    }
    let mut add = |theme, found: &dyn Fn(&Step) -> bool| {
        if steps.iter().any(found) {
            themes.push(theme);
        }
    };
    add("promotion", &|step| step.played.promotion().is_some());
    add("fork", &is_fork);
    add("discoveredAttack", &is_discovered_attack);
    add("skewer", &is_skewer);
    add("pin", &is_pin);
    if steps
        .first()
        .is_some_and(|step| takes_hanging_piece(step, last))
    {
        themes.push("hangingPiece");
    }
    themes.extend(ending(position));
    themes
}

/// What a piece is worth in whole pawns; the king most.
fn value(role: Role) -> i32 {
    PIECE_VALUES[role] / PIECE_VALUES[Role::Pawn]
}

/// The special mate that a last move gives.
fn mate(Step { after, .. }: &Step) -> Option<&'static str> {
    let loser = after.turn();
    let king = after.board().king(loser)?;
    let checker = after.checkers().single()?;
    let own = after.board().by_color(loser);
    let around = attacks::king(king);
    let home = Bitboard::back_rank(loser);
    match after.board().role_at(checker)? {
        Role::Knight if around.is_subset_of(own) => Some("smotheredMate"),
        Role::Rook | Role::Queen
            if home.contains(king)
                && home.contains(checker)
                && (around & !home).is_subset_of(own) =>
        {
            Some("backRankMate")
        }
        Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => None,
    }
}

fn is_fork(step: &Step) -> bool {
    if step.next.is_none() {
        return false;
    }
    let after = &step.after;
    let enemy = after.turn();
    let square = step.played.destination();
    let board = after.board();
    let Some(role) = board.role_at(square).filter(|&role| role != Role::King) else {
        return false;
    };
    let attacked = board.attacks_from(square) & board.by_color(enemy);
    let counts = attacked.into_iter().filter(|&target| {
        board.role_at(target).is_some_and(|it| {
            it != Role::Pawn
                && (value(it) > value(role)
                    || board.attackers(target, enemy).is_empty()
                        && !board.attackers(square, enemy).contains(target))
        })
    });
    let is_safe = || {
        let captures = after.legal_moves();
        let mut captures = captures
            .iter()
            .filter(|m| m.to() == square && !m.is_castle());
        captures.all(|&m| after.see(m) <= 0)
    };
    counts.count() >= 2 && is_safe()
}

fn takes_hanging_piece(step: &Step, last: Option<(&Position, Move)>) -> bool {
    let Step { before, played, .. } = step;
    let Some((square, piece)) = before.captured(*played) else {
        return false;
    };
    let is_equal_recapture = last.is_some_and(|(position, last)| {
        let taken = position.captured_role(last);
        last.destination() == square && taken.is_some_and(|role| value(role) >= value(piece.role))
    });
    // What the reply takes, the next move must win back.
    let is_kept = step
        .next
        .as_ref()
        .is_none_or(|[(_, reply), (before_next, next)]| {
            let lost = step.after.captured_role(*reply).map_or(0, value);
            lost <= before_next.captured_role(*next).map_or(0, value)
        });
    piece.role != Role::Pawn
        && is_kept
        && !is_equal_recapture
        && before.attackers(square, piece.color).is_empty()
}

fn is_discovered_attack(step: &Step) -> bool {
    let Step { played, after, .. } = step;
    let moved = played.destination();
    let others = after.checkers() - moved;
    if !others.is_empty() && !played.is_castle() {
        return true;
    }
    let Some([(_, reply), (before_next, next)]) = &step.next else {
        return false;
    };
    next.from() != moved
        // What is taken was attacked, and has not come there since.
        && reply.destination() != next.to()
        && is_slider(next.role())
        && before_next.is_capture(*next)
        && attacks::between(next.from(), next.to()).contains(played.from())
}

fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

fn is_skewer(step: &Step) -> bool {
    let Some([(_, reply), (before_next, next)]) = &step.next else {
        return false;
    };
    let square = step.played.destination();
    let taken = before_next.captured_role(*next);
    is_slider(next.role())
        && next.from() == square
        && attacks::between(square, next.to()).contains(reply.from())
        && reply.destination() != next.to()
        && taken.is_some_and(|taken| value(taken) <= value(reply.role()))
}

fn is_pin(step: &Step) -> bool {
    let Step { played, after, .. } = step;
    let (square, enemy) = (played.destination(), after.turn());
    let pinned = after.pinned(enemy) & after.board().by_color(enemy);
    let cannot_take = pinned.into_iter().any(|pinned| {
        let legal = after.legal_moves();
        after.board().attacks_from(pinned).contains(square)
            && !legal.iter().any(|m| m.from() == pinned && m.to() == square)
    });
    let is_taken = step.next.as_ref().is_some_and(|[_, (before_next, next)]| {
        before_next.is_capture(*next) && pinned.contains(next.to())
    });
    cannot_take || is_taken
}

/// The ending that a position is.
fn ending(position: &Position) -> Option<&'static str> {
    let material = position.board().material();
    let pieces = [
        (Role::Knight, "knightEndgame"),
        (Role::Bishop, "bishopEndgame"),
        (Role::Rook, "rookEndgame"),
        (Role::Queen, "queenEndgame"),
    ];
    let mut there = pieces
        .into_iter()
        .filter(|&(role, _)| material.iter().any(|(_, side)| side[role] > 0));
    match (there.next(), there.next()) {
        (None, _) => Some("pawnEndgame"),
        (Some((_, name)), None) => Some(name),
        (Some(_), Some(_)) => None,
    }
}
