//! Explains in chess terms what a mistake cost, as far as the line that refutes it, or the better one, shows that.
//!
//! Nothing is claimed that a reader cannot check by playing the moves of the sentence. A mate ends in mate. Material is
//! lost if the board lacks it at a quiet end and no later quiet position of the line gives it back, and if the best line
//! would have kept it. Where no material changes hands, only the price is said. [`Judging`](super::Judging) has lines
//! prolonged until they can be judged this way, and verified.

use std::fmt;

use tabiya_rules::{ByRole, Color, Move, PIECE_VALUES, Position, Role, Score};

use super::{Judged, Verdict};

/// The most plies of a line that are examined. A judgment stores no more, so that a stored one says the same.
pub const MAX_LINE: usize = 24;

/// The most plies that a sentence shows as proof.
const MAX_PROOF: usize = 8;

/// How many plies of the better line are shown where nothing has to be proved.
const GLIMPSE: usize = 5;

/// How many centipawns the evaluation falls at least for each pawn of material that a move is said to cost, and how many
/// are enough for any claim.
const PAWN: i32 = 60;
const MUCH: i32 = 200;

/// How many pawns a side may give up by choice, for a better position or the least evil.
const BY_CHOICE: i32 = 2;

/// Why a move was worse than the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The move in SAN, with its number.
    pub san: String,
    /// What it cost.
    pub cost: Cost,
    /// The best move in SAN, if the line does not begin with it.
    pub best: Option<String>,
    /// The moves of both sides that show it, in SAN, with numbers where they are usual.
    pub proof: Vec<String>,
}

/// What a mistake costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The opponent mates in this many moves.
    AllowsMate(u32),
    /// There was a mate in this many moves, which the line shows.
    MissesMate(u32),
    /// There was a mate in this many moves, more than can be shown, and there is none any more.
    ThrowsAwayMate(u32),
    /// Pieces are lost, for others or for nothing.
    Material(Exchanged),
    /// The best line wins pieces, for others or for nothing.
    MissesMaterial(Exchanged),
    /// Nothing that can be counted: only this share of the winning chances, in percent.
    Chances(u32),
}

/// Pieces that each side has lost after even trades are set off against each other, knights against bishops too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchanged {
    /// How many of each the losing side has lost.
    pub lost: ByRole<u8>,
    /// How many of each it has won, or got by promotion.
    pub won: ByRole<u8>,
    /// How many of each the other side has got by promotion.
    pub promoted: ByRole<u8>,
}

impl Exchanged {
    /// What one side has lost and won between two positions.
    fn between(loser: Color, before: &Position, after: &Position) -> Exchanged {
        let count = |position: &Position, color, role| {
            i32::try_from(position.board().pieces(color, role).count()).unwrap_or(0)
        };
        let gone = |color| {
            let gone = |role| count(before, color, role) - count(after, color, role);
            ByRole::from_fn(gone)
        };
        let (mut own, mut other) = (gone(loser), gone(!loser));
        // More pieces than before come from pawns, which are not gone then.
        let [promoted, own_promoted] = [&mut other, &mut own].map(|gone| {
            let new = ByRole::from_fn(|role| (-gone[role]).max(0));
            for (role, &new) in new.iter() {
                gone[role] += new;
                gone[Role::Pawn] -= new;
            }
            new
        });
        let mut exchanged = Exchanged::of(ByRole::from_fn(|role| own[role] - other[role]));
        // A game has at most eight promotions on each side.
        exchanged.promoted = ByRole::from_fn(|role| promoted[role] as u8);
        exchanged.won = ByRole::from_fn(|role| exchanged.won[role] + own_promoted[role] as u8);
        exchanged
    }

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
            promoted: ByRole::default(),
        }
    }

    /// Whether a rook is lost for a knight or a bishop, and nothing else.
    fn is_the_exchange(&self) -> bool {
        let minor = self.won[Role::Knight] + self.won[Role::Bishop];
        let sum = |counts: &ByRole<u8>| counts.iter().map(|(_, &count)| count).sum::<u8>();
        let [lost, won, promoted] = [&self.lost, &self.won, &self.promoted].map(sum);
        self.lost[Role::Rook] == 1 && minor == 1 && [lost, won, promoted] == [1, 1, 0]
    }

    /// Such as `loses the rook for a knight and two pawns`, given a verb for what is lost and one for a promotion.
    fn phrase(&self, loses: &str, promotes: &str) -> String {
        if self.is_the_exchange() {
            return format!("{loses} the exchange");
        }
        let parts = [
            (loses, pieces(&self.lost, "the")),
            (promotes, pieces(&self.promoted, "a new")),
        ];
        let parts = parts.into_iter().filter(|(_, pieces)| !pieces.is_empty());
        let parts: Vec<String> = parts.map(|(verb, what)| format!("{verb} {what}")).collect();
        let phrase = parts.join(" and ");
        match pieces(&self.won, "a") {
            won if won.is_empty() => phrase,
            won => format!("{phrase} for {won}"),
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
    /// A sentence or two, such as `11...Nf6 loses the knight: 12.Bxf6 gxf6 13.Qxf6. Best was Nd7.`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.san, self.predicate())
    }
}

impl Explanation {
    /// The sentence without the move at its beginning.
    #[must_use]
    pub fn predicate(&self) -> String {
        let (says, is_best) = match &self.cost {
            Cost::AllowsMate(moves) => (format!("allows mate in {moves}"), false),
            Cost::MissesMate(moves) => (format!("misses mate in {moves}"), false),
            Cost::ThrowsAwayMate(moves) => (format!("throws away mate in {moves}"), true),
            Cost::Material(exchanged) => (exchanged.phrase("loses", "allows"), false),
            Cost::MissesMaterial(exchanged) => {
                let what = exchanged.phrase("winning", "getting");
                (format!("misses {what}"), false)
            }
            Cost::Chances(percent) => (format!("costs {percent} % of the chances"), true),
        };
        let joint = if is_best { "; best was" } else { ":" };
        let proof = match self.proof.is_empty() {
            true => String::new(),
            false => format!("{joint} {}", self.proof.join(" ")),
        };
        let best = self.best.as_ref().map(|san| format!(" Best was {san}."));
        format!("{says}{proof}.{}", best.unwrap_or_default())
    }
}

/// Explains why a move was worse than the best one; `None` if nothing is known about that.
#[must_use]
pub fn of(position: &Position, judged: &Judged<'_>) -> Option<Explanation> {
    let lines = Lines::new(position, judged)?;
    let (cost, which, plies) = lines
        .mate(judged)
        .or_else(|| {
            let (which, plies) = lines.material(position, judged)?;
            let line = lines.of(which);
            let exchanged = Exchanged::between(!line.by, position, line.after(plies));
            Some(match which {
                LineKind::Refutation => (Cost::Material(exchanged), which, plies),
                LineKind::Best => (Cost::MissesMaterial(exchanged), which, plies),
            })
        })
        .or_else(|| lines.price(judged))?;
    let best = judged.before.best.first();
    let best = best.filter(|_| which == LineKind::Refutation);
    Some(Explanation {
        san: numbered(position, judged.played?, true),
        cost,
        best: best.map(|&best| position.san(best).to_string()),
        proof: lines.of(which).numbered_moves(plies),
    })
}

/// The line that proves a claim about material, and how many plies of it; `None` if there is no such claim.
pub(super) fn claim(position: &Position, judged: &Judged<'_>) -> Option<(LineKind, usize)> {
    let lines = Lines::new(position, judged)?;
    match lines.mate(judged) {
        Some(_) => None,
        None => lines.material(position, judged),
    }
}

/// A move with its number; Black's has one only if it is the first that is shown.
fn numbered(before: &Position, played: Move, is_first: bool) -> String {
    let (number, san) = (before.fullmove_number(), before.san(played));
    match before.turn() {
        Color::White => format!("{number}.{san}"),
        Color::Black if is_first => format!("{number}...{san}"),
        Color::Black => san.to_string(),
    }
}

/// The moves of a line in SAN, with numbers where they are usual, as far as they are legal.
#[must_use]
pub fn numbered_line(start: &Position, line: &[Move]) -> Vec<String> {
    let mut here = *start;
    let legal = line.iter().enumerate().map_while(|(at, &played)| {
        let before = here;
        here = here.play(played).ok()?;
        Some(numbered(&before, played, at == 0))
    });
    legal.collect()
}

/// Which of the two lines about a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The best line in place of the mistake.
    Best,
    /// The line that answers it.
    Refutation,
}

/// The two lines that explain a mistake.
struct Lines {
    best: Line,
    refutation: Line,
}

impl Lines {
    fn new(position: &Position, judged: &Judged<'_>) -> Option<Lines> {
        let after = position.play(judged.played?).ok()?;
        Some(Lines {
            best: Line::new(*position, position, &judged.before.best),
            refutation: Line::new(after, position, &judged.after.best),
        })
    }

    fn of(&self, which: LineKind) -> &Line {
        match which {
            LineKind::Best => &self.best,
            LineKind::Refutation => &self.refutation,
        }
    }

    /// What happened about mates, if anything did.
    fn mate(&self, judged: &Judged<'_>) -> Option<(Cost, LineKind, usize)> {
        let score = |verdict: &Verdict| Some(verdict.evaluation?.score.for_side(judged.by));
        let was_lost = matches!(score(judged.before), Some(Score::MatedIn(_)));
        if let Some(Score::MatedIn(moves)) = score(judged.after).filter(|_| !was_lost)
            && self.refutation.mates_in(moves)
        {
            return Some((Cost::AllowsMate(moves), LineKind::Refutation, MAX_PROOF));
        }
        let moves = judged.missed_mate()?;
        Some(match self.best.mates_in(moves) {
            true => (Cost::MissesMate(moves), LineKind::Best, MAX_PROOF),
            false => (Cost::ThrowsAwayMate(moves), LineKind::Best, GLIMPSE),
        })
    }

    /// The line that proves a loss of material, or a gain that was missed, and how many plies of it.
    fn material(&self, position: &Position, judged: &Judged<'_>) -> Option<(LineKind, usize)> {
        let (answered, best) = (self.refutation.won_at_last()?, self.best.won_at_last()?);
        // What costs less than it is worth is given up for something, and is not what was wrong with the move.
        let fell = fall(judged)?;
        let is_dear = |worth: i32| fell >= (worth * PAWN).min(MUCH);
        // What the best line loses too is not lost by the mistake.
        let lost = self.refutation.settled((-best).max(0) + 1);
        if let Some((plies, _)) = lost.filter(|&(_, won)| is_dear(won + best.min(0))) {
            return Some((LineKind::Refutation, plies));
        }
        // What is won anyway is not missed, nor what the move itself has taken.
        let taken = position.captured_role(judged.played?).map_or(0, value);
        let missed = self.best.settled((-answered).max(0) + 1);
        let missed = missed
            .filter(|&(_, won)| answered < 1 && taken < won && is_dear(won - (-answered).max(0)));
        missed.map(|(plies, _)| (LineKind::Best, plies))
    }

    /// The price alone, with the beginning of the better line.
    fn price(&self, judged: &Judged<'_>) -> Option<(Cost, LineKind, usize)> {
        let percent = (judged.loss? * 100.0).round();
        // A loss is at most 1.
        let percent = Some(percent as u32).filter(|&percent| percent > 0)?;
        Some((Cost::Chances(percent), LineKind::Best, GLIMPSE))
    }
}

/// What a piece is worth in whole pawns, as players count it.
fn value(role: Role) -> i32 {
    PIECE_VALUES[role] / PIECE_VALUES[Role::Pawn]
}

/// Whether the side to move is not in check, and wins nothing by captures or a promotion. The game is not over.
pub(super) fn is_quiet(position: &Position) -> bool {
    // Half a pawn: a knight for a bishop is even.
    let wins = |m: &Move| {
        let promotes = m.promotion().is_some() && position.see_ge(*m, 0);
        promotes || position.captured_role(*m).is_some() && position.see_ge(*m, 50)
    };
    !position.is_check()
        && position.has_legal_move()
        && !position.legal_moves().iter().any(wins)
        && won_by_captures(position, 0, 1, MAX_PROOF) < 1
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
    /// The side that plays its first move, and wins by it what is won.
    by: Color,
    /// Each move with the position before it.
    moves: Vec<(Position, Move)>,
    end: Position,
    /// The quiet positions after the first move: after how many plies, and what the first player has won by then.
    quiet: Vec<(usize, i32)>,
}

impl Line {
    /// Plays a line as far as its moves are legal. What is won is counted since `origin`.
    fn new(start: Position, origin: &Position, line: &[Move]) -> Line {
        let mut end = start;
        let legal = line.iter().take(MAX_LINE).map_while(|&next| {
            let before = end;
            end = before.play(next).ok()?;
            Some((before, next))
        });
        let moves = legal.collect();
        let mut line = Line {
            by: start.turn(),
            moves,
            end,
            quiet: Vec::new(),
        };
        let balance = |position| balance(position, line.by);
        let plies = 1..=line.moves.len();
        let quiet = plies.filter(|&plies| is_quiet(line.after(plies)));
        let quiet = quiet.map(|plies| (plies, balance(line.after(plies)) - balance(origin)));
        line.quiet = quiet.collect();
        line
    }

    /// The position after so many plies.
    fn after(&self, plies: usize) -> &Position {
        self.moves
            .get(plies)
            .map_or(&self.end, |(before, _)| before)
    }

    /// Whether the line ends in mate, by its first player in this many moves, and short enough to be shown.
    fn mates_in(&self, moves: u32) -> bool {
        let plies = self.moves.len();
        self.end.is_checkmate() && plies <= MAX_PROOF && plies + 1 == 2 * moves as usize
    }

    /// What is won at the last quiet position; `None` if there is none.
    fn won_at_last(&self) -> Option<i32> {
        self.quiet.last().map(|&(_, won)| won)
    }

    /// The first quiet position where at least so much is won of which nothing is lost again, if it can be shown: after how
    /// many plies, and what is won.
    fn settled(&self, least: i32) -> Option<(usize, i32)> {
        let stays = |at: usize, won: i32| self.quiet[at..].iter().all(|&(_, later)| later >= won);
        let mut quiet = self.quiet.iter().enumerate();
        let (_, &(plies, won)) = quiet.find(|&(at, &(_, won))| won >= least && stays(at, won))?;
        let is_calm = |position: &Position| {
            position.turn() != self.by && position.pass().is_some_and(|passed| is_quiet(&passed))
        };
        // Where nothing was threatened in between, it was given up by choice.
        let mut before = self
            .quiet
            .iter()
            .filter(|quiet| quiet.0 < plies && quiet.1 < won);
        let by_choice = won <= BY_CHOICE && before.any(|quiet| is_calm(self.after(quiet.0)));
        (plies <= MAX_PROOF && !by_choice).then_some((plies, won))
    }

    /// The first moves in SAN, with numbers.
    fn numbered_moves(&self, plies: usize) -> Vec<String> {
        let line: Vec<Move> = self.moves.iter().map(|&(_, played)| played).collect();
        numbered_line(self.after(0), &line[..plies.min(line.len())])
    }
}

/// How far the evaluation fell by a move, in centipawns; `None` if the engine gave no score.
fn fall(judged: &Judged<'_>) -> Option<i32> {
    let points = |verdict: &Verdict| {
        let score = verdict.evaluation?.score.for_side(judged.by);
        Some(match score {
            Score::Centipawns(points) => points,
            Score::MateIn(_) => 10_000,
            Score::MatedIn(_) => -10_000,
        })
    };
    Some(points(judged.before)? - points(judged.after)?)
}

/// What a side has on the board, less what the other has, as players count it.
fn balance(position: &Position, side: Color) -> i32 {
    let count = |color| {
        let count = |role| position.board().pieces(color, role).count() as i32 * value(role);
        Role::ALL.into_iter().map(count).sum::<i32>()
    };
    count(side) - count(!side)
}

#[cfg(test)]
mod tests;
