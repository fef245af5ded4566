//! Explains in chess terms what a mistake cost, as far as the line that refutes it shows that.
//!
//! Nothing is claimed that a reader cannot check by playing the moves of the sentence. A mate ends in mate. Material is
//! lost if the board lacks it once the line has become quiet, and if the best line would have kept it.

use std::fmt;

use tabiya_rules::{ByRole, Color, Move, Position, Role, Score};

use crate::analysis::{Judged, Verdict};

/// How many plies of a line are examined: as many as are stored with a game, so that a stored judgment says the same.
const MAX_PLIES: usize = 8;

/// What a move lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The move in SAN.
    pub san: String,
    /// What it cost.
    pub cost: Cost,
    /// The moves of both sides that show it, in SAN, with numbers where they are usual.
    pub proof: Vec<String>,
}

/// What a mistake costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The opponent mates in this many moves.
    AllowsMate(u32),
    /// There was a mate in this many moves.
    MissesMate(u32),
    /// Pieces are lost, for others or for nothing.
    Material(Exchanged),
}

/// Pieces that each side has lost after even trades are set off against each other, knights against bishops too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchanged {
    /// How many of each the side that made the mistake has lost.
    pub lost: ByRole<u8>,
    /// How many of each it has won.
    pub won: ByRole<u8>,
}

impl Exchanged {
    /// Sets even trades off.
    fn of(mut net: ByRole<i32>) -> Exchanged {
        let (knights, bishops) = (net[Role::Knight], net[Role::Bishop]);
        if knights.signum() * bishops.signum() < 0 {
            let even = knights.abs().min(bishops.abs()) * knights.signum();
            net[Role::Knight] -= even;
            net[Role::Bishop] += even;
        }
        // A line has only a few moves.
        let count = |sign: i32| ByRole::from_fn(|role| (sign * net[role]).max(0) as u8);
        Exchanged {
            lost: count(1),
            won: count(-1),
        }
    }

    /// Whether a rook is lost for a knight or a bishop, and nothing else.
    fn is_the_exchange(&self) -> bool {
        let minor = self.won[Role::Knight] + self.won[Role::Bishop];
        let sum = |counts: &ByRole<u8>| counts.iter().map(|(_, &count)| count).sum::<u8>();
        self.lost[Role::Rook] == 1 && sum(&self.lost) == 1 && minor == 1 && sum(&self.won) == 1
    }
}

impl fmt::Display for Exchanged {
    /// Such as `the rook for a knight and two pawns`, or `the exchange`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_the_exchange() {
            return f.write_str("the exchange");
        }
        f.write_str(&pieces(&self.lost, "the"))?;
        match pieces(&self.won, "a") {
            won if won.is_empty() => Ok(()),
            won => write!(f, " for {won}"),
        }
    }
}

/// The pieces in words, the most valuable first.
fn pieces(counts: &ByRole<u8>, article: &str) -> String {
    let roles = Role::ALL.into_iter().rev();
    let named = roles.filter(|&role| counts[role] > 0).map(|role| {
        let name = role.name().to_ascii_lowercase();
        match (counts[role], role) {
            (1, Role::Pawn) => format!("a {name}"),
            (1, _) => format!("{article} {name}"),
            (2, _) => format!("two {name}s"),
            (3, _) => format!("three {name}s"),
            (count, _) => format!("{count} {name}s"),
        }
    });
    let mut named: Vec<String> = named.collect();
    let last = named.pop().unwrap_or_default();
    match named.is_empty() {
        true => last,
        false => format!("{} and {last}", named.join(", ")),
    }
}

impl fmt::Display for Explanation {
    /// A sentence, such as `Nf6 loses the knight: 12.Bxf6 gxf6 13.Qxf6.`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (san, proof) = (&self.san, self.proof.join(" "));
        match self.cost {
            Cost::AllowsMate(moves) => write!(f, "{san} allows mate in {moves}: {proof}."),
            Cost::MissesMate(moves) => write!(f, "{san} misses mate in {moves}: {proof}."),
            Cost::Material(exchanged) => write!(f, "{san} loses {exchanged}: {proof}."),
        }
    }
}

/// Explains why a move was wrong; `None` if the known lines do not show it.
#[must_use]
pub fn of(position: &Position, judged: &Judged<'_>) -> Option<Explanation> {
    let played = judged.played?;
    let score = |verdict: &Verdict| Some(verdict.evaluation?.score.for_side(judged.by));
    let refutation = Line::new(position.play_unchecked(played), &judged.after.best);
    let best = Line::new(*position, &judged.before.best);
    let (cost, proof) = if let Some(Score::MatedIn(moves)) = score(judged.after)
        && refutation.mates_in(moves)
    {
        (
            Cost::AllowsMate(moves),
            refutation.numbered_moves(MAX_PLIES),
        )
    } else if let Some(moves) = judged.missed_mate()
        && best.mates_in(moves)
    {
        (Cost::MissesMate(moves), best.numbered_moves(MAX_PLIES))
    } else {
        let lost = refutation.settled(judged.by, capture_by(position, played))?;
        let kept = best.settled(judged.by, ByRole::default())?;
        let least = worth(kept.net).max(0) + 1;
        if worth(lost.net) < least || lost.promotes {
            return None;
        }
        let cost = Cost::Material(Exchanged::of(lost.net));
        (cost, refutation.numbered_moves(lost.plies))
    };
    let san = position.san(played).to_string();
    Some(Explanation { san, cost, proof })
}

/// What a move of the side that made the mistake changes: the captured piece is won.
fn capture_by(position: &Position, played: Move) -> ByRole<i32> {
    let captured = position.captured_role(played);
    ByRole::from_fn(|role| -i32::from(captured == Some(role)))
}

/// What a piece is worth, as players count it.
fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // It is never captured.
        Role::King => 0,
    }
}

/// What pieces are worth together.
fn worth(net: ByRole<i32>) -> i32 {
    net.iter().map(|(role, &count)| count * value(role)).sum()
}

/// Whether the side to move is not in check, and wins nothing by captures or a promotion. The game is not over.
fn is_quiet(position: &Position) -> bool {
    let promotes = |m: &Move| m.promotion().is_some() && position.see_ge(*m, 0);
    !position.is_check()
        && position.has_legal_move()
        && !position.legal_moves().iter().any(promotes)
        && won_by_captures(position, 0, 1, MAX_PLIES) < 1
}

/// What the side to move wins by captures if both sides capture only where that is better than to stop, between two
/// bounds.
fn won_by_captures(position: &Position, mut alpha: i32, beta: i32, plies: usize) -> i32 {
    alpha = alpha.max(0);
    if plies > 0 {
        for m in position.captures() {
            if alpha >= beta {
                break;
            }
            let taken = position.captured_role(m).map_or(0, value);
            let next = position.play_unchecked(m);
            let lost = won_by_captures(&next, taken - beta, taken - alpha, plies - 1);
            alpha = alpha.max(taken - lost);
        }
    }
    alpha
}

/// A line, as far as its moves are legal.
struct Line {
    /// Each move with the position before it.
    moves: Vec<(Position, Move)>,
    end: Position,
}

/// What is lost in a line once it is quiet.
#[derive(Clone, Copy)]
struct Settled {
    /// After this many plies.
    plies: usize,
    /// How many of each role are lost, less those won.
    net: ByRole<i32>,
    /// Whether a pawn was promoted, which counts as another role from then on.
    promotes: bool,
}

impl Line {
    /// Plays a line as far as its moves are legal.
    fn new(start: Position, line: &[Move]) -> Line {
        let mut end = start;
        let legal = line.iter().take(MAX_PLIES).map_while(|&next| {
            let before = end;
            end = before.play(next).ok()?;
            Some((before, next))
        });
        let moves = legal.collect();
        Line { moves, end }
    }

    /// Whether the line ends in mate, by its first player in this many moves.
    fn mates_in(&self, moves: u32) -> bool {
        let plies = self.moves.len() as u32;
        self.end.is_checkmate() && plies + 1 == 2 * moves
    }

    /// What a side has lost at the last quiet position, and since when; `net` is lost before the line. `None` if no
    /// position is quiet.
    fn settled(&self, by: Color, net: ByRole<i32>) -> Option<Settled> {
        let mut here = Settled {
            plies: 0,
            net,
            promotes: false,
        };
        let mut settled = None;
        let positions = self.moves.iter().map(|&(position, m)| (position, Some(m)));
        for (position, next) in positions.chain([(self.end, None)]) {
            if here.plies > 0 && is_quiet(&position) {
                let stays = |found: &Settled| worth(found.net) == worth(here.net);
                settled = settled.filter(stays).or(Some(here));
            }
            let Some(next) = next else { break };
            let sign = if position.turn() == by { -1 } else { 1 };
            if let Some(role) = position.captured_role(next) {
                here.net[role] += sign;
            }
            if let Some(role) = next.promotion() {
                here.net[role] += sign;
                here.net[Role::Pawn] -= sign;
                here.promotes = true;
            }
            here.plies += 1;
        }
        settled
    }

    /// The first moves in SAN, with numbers.
    fn numbered_moves(&self, plies: usize) -> Vec<String> {
        let moves = self.moves.iter().take(plies).enumerate();
        let numbered = moves.map(|(at, (before, m))| {
            let (number, san) = (before.fullmove_number(), before.san(*m));
            match (before.turn(), at) {
                (Color::White, _) => format!("{number}.{san}"),
                (Color::Black, 0) => format!("{number}...{san}"),
                (Color::Black, _) => san.to_string(),
            }
        });
        numbered.collect()
    }
}

#[cfg(test)]
mod tests;
