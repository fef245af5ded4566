//! What an exercise is about, from its solution alone, by the names that Lichess uses.

use tabiya_rules::{Bitboard, Move, Position, Role, attacks};

/// A theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Theme {
    /// The solution ends with mate, in so many moves.
    MateIn(u8),
    /// A knight mates a king that has only own men around it.
    SmotheredMate,
    /// A rook or queen mates along the home rank, and the king's own men stand before it.
    BackRankMate,
    /// A pawn promotes.
    Promotion,
    /// The moved piece attacks two things at once.
    Fork,
    /// The first move takes a piece that nothing protects.
    HangingPiece,
    /// A move opens the line of another piece.
    DiscoveredAttack,
    /// A piece leaves a line, and what was behind it is taken.
    Skewer,
    /// A pinned piece cannot take, or is taken.
    Pin,
    /// There are only kings, pawns and one kind of piece.
    Endgame(Role),
}

impl Theme {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theme::MateIn(0 | 1) => "mateIn1",
            Theme::MateIn(2) => "mateIn2",
            Theme::MateIn(3) => "mateIn3",
            Theme::MateIn(4) => "mateIn4",
            Theme::MateIn(_) => "mateIn5",
            Theme::SmotheredMate => "smotheredMate",
            Theme::BackRankMate => "backRankMate",
            Theme::Promotion => "promotion",
            Theme::Fork => "fork",
            Theme::HangingPiece => "hangingPiece",
            Theme::DiscoveredAttack => "discoveredAttack",
            Theme::Skewer => "skewer",
            Theme::Pin => "pin",
            Theme::Endgame(Role::Pawn | Role::King) => "pawnEndgame",
            Theme::Endgame(Role::Knight) => "knightEndgame",
            Theme::Endgame(Role::Bishop) => "bishopEndgame",
            Theme::Endgame(Role::Rook) => "rookEndgame",
            Theme::Endgame(Role::Queen) => "queenEndgame",
        }
    }
}

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
pub fn of(position: &Position, solution: &[Move], last: Option<(&Position, Move)>) -> Vec<Theme> {
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
        themes.push(Theme::MateIn(u8::try_from(steps.len()).unwrap_or(u8::MAX)));
        themes.extend(mate(step));
    }
    let mut add = |theme, found: &dyn Fn(&Step) -> bool| {
        if steps.iter().any(found) {
            themes.push(theme);
        }
    };
    add(Theme::Promotion, &|step| step.played.promotion().is_some());
    add(Theme::Fork, &is_fork);
    add(Theme::DiscoveredAttack, &is_discovered_attack);
    add(Theme::Skewer, &is_skewer);
    add(Theme::Pin, &is_pin);
    if steps
        .first()
        .is_some_and(|step| takes_hanging_piece(step, last))
    {
        themes.push(Theme::HangingPiece);
    }
    themes.extend(ending(position));
    themes
}

/// What a piece is worth, in pawns.
fn value(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// The special mate that a last move gives.
fn mate(Step { after, .. }: &Step) -> Option<Theme> {
    let loser = after.turn();
    let king = after.board().king(loser)?;
    let checker = after.checkers().single()?;
    let own = after.board().by_color(loser);
    let around = attacks::king(king);
    let home = Bitboard::back_rank(loser);
    match after.board().role_at(checker)? {
        Role::Knight if around.is_subset_of(own) => Some(Theme::SmotheredMate),
        Role::Rook | Role::Queen
            if home.contains(king)
                && home.contains(checker)
                && (around & !home).is_subset_of(own) =>
        {
            Some(Theme::BackRankMate)
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
fn ending(position: &Position) -> Option<Theme> {
    let material = position.board().material();
    let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let mut there = pieces
        .into_iter()
        .filter(|&role| material.iter().any(|(_, side)| side[role] > 0));
    match (there.next(), there.next()) {
        (None, _) => Some(Theme::Endgame(Role::Pawn)),
        (Some(role), None) => Some(Theme::Endgame(role)),
        (Some(_), Some(_)) => None,
    }
}
