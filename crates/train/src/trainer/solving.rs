//! An exercise that is being solved: where its solution stands, what was tried, and what the engine is asked about it.

use tabiya_play::analysis::explanation::numbered_line;
use tabiya_play::analysis::{self, Verdict};
use tabiya_play::players::PlayerSpec;
use tabiya_play::study::StudyTask;
use tabiya_rules::{Color, Move, MoveHistory, Position, Score, UciMove};

use super::{Asking, PLAYABLE, Quality, Reply};
use crate::day::Moment;
use crate::fsrs::Grade;
use crate::item::Item;
use crate::own::AS_GOOD;

/// A mate in so many moves should be seen.
const VISIBLE_MATE: u32 = 3;

/// How many hints there are for a move. The last one is the move.
pub(super) const MAX_HINTS: u8 = 3;

/// How many moves are played on against the engine at most. Who has kept the chances until then has solved the exercise.
const MAX_PLAYED_ON: usize = 6;

/// The exercise that is being asked.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    pub(super) asking: Asking,
    pub(super) number: usize,
    pub(super) since: Moment,
    /// The position that the player is to move in.
    pub(super) position: Position,
    /// The opponent's move that led to it.
    pub(super) last: Option<UciMove>,
    /// The best move in it.
    best: Move,
    /// The moves of the solution that follow the best one, with the opponent's replies; empty off it.
    follow: Vec<Move>,
    /// Off the solution, what there is to keep.
    off: Option<OffSolution>,
    pub(super) tried: Vec<UciMove>,
    /// The hints for this move, and for all.
    pub(super) stage: u8,
    pub(super) hints: u8,
    was_shown: bool,
    pub(super) was_playable: bool,
    /// Whether the answer is graded, and further moves count for nothing.
    pub(super) is_graded: bool,
    pub(super) compared: Option<Compared>,
}

/// A line that is not that of the solution.
#[derive(Clone, Copy, Debug)]
struct OffSolution {
    /// White's chance at the end of the solution.
    end: f64,
    /// How many moves have been played on it.
    moves: usize,
}

/// A move that the engine looks at.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    /// The number of the task.
    pub(super) number: u64,
    pub(super) tried: Move,
    /// Whether the move is known to be right, and only what follows has to be found.
    pub(super) is_accepted: bool,
    /// What the positions of the task are, and the verdicts on them.
    found: Vec<(Asked, Option<Verdict>)>,
}

/// A position that the engine is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// After the best move.
    Best,
    /// After the move tried.
    Tried,
    /// At the end of the solution.
    End,
}

/// What follows a right move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// The exercise is solved.
    Solved,
    /// The opponent replies, and the player is to move again.
    Reply {
        reply: Move,
        best: Move,
        off: Option<f64>,
    },
}

impl Solving {
    /// An exercise at its beginning; `None` if it has no solution.
    pub(super) fn new(item: &Item, asking: Asking, number: usize, now: Moment) -> Option<Solving> {
        let (&best, follow) = item.to_find().split_first()?;
        Some(Solving {
            asking,
            number,
            since: now,
            position: item.position,
            last: item.last,
            best,
            follow: follow.to_vec(),
            off: None,
            tried: Vec::new(),
            stage: 0,
            hints: 0,
            was_shown: false,
            was_playable: false,
            is_graded: false,
            compared: None,
        })
    }

    /// The best move.
    pub(super) fn best(&self) -> Move {
        self.best
    }

    /// The solution from here on.
    pub(super) fn rest(&self) -> Vec<Move> {
        let best = std::iter::once(self.best);
        best.chain(self.follow.iter().copied()).collect()
    }

    /// Whether it is the first move that is to be found.
    pub(super) fn is_first(&self, item: &Item) -> bool {
        self.position == item.position
    }

    /// Gives another hint, and returns how many there are for this move.
    pub(super) fn hint(&mut self) -> u8 {
        self.stage = (self.stage + 1).min(MAX_HINTS);
        self.hints = self.hints.saturating_add(1);
        self.was_shown |= self.stage >= MAX_HINTS;
        self.stage
    }

    /// The grade for a move of this quality; `None` if another try is allowed first. A right move counts once it is the last.
    pub(super) fn grade_of(&self, quality: Quality) -> Option<Grade> {
        match quality {
            Quality::Playable | Quality::WinsToo => None,
            Quality::Same | Quality::Wrong => Some(Grade::Again),
            Quality::Right if self.was_shown => Some(Grade::Again),
            Quality::Right if self.hints > 0 || self.was_playable => Some(Grade::Hard),
            Quality::Right => Some(Grade::Good),
        }
    }

    /// What follows the best move of the solution, if that says it; `None` if an engine has to.
    pub(super) fn next_by_solution(&self, played: Move) -> Option<Next> {
        match self.follow[..] {
            _ if self.off.is_some() => None,
            [] => Some(Next::Solved),
            [reply, best, ..] if played == self.best => Some(Next::Reply {
                reply,
                best,
                off: None,
            }),
            [..] => None,
        }
    }

    /// Asks the engine about a move.
    pub(super) fn compare(&mut self, number: u64, tried: Move, is_accepted: bool) -> StudyTask {
        let after = |played: Move| self.position.play_unchecked(played);
        let mut positions = vec![
            (Asked::Best, after(self.best)),
            (Asked::Tried, after(tried)),
        ];
        if is_accepted {
            positions.remove(0);
        }
        if self.off.is_none() && !self.follow.is_empty() {
            let moves = self.follow.iter();
            let end = moves.fold(after(self.best), |here, &m| here.play_unchecked(m));
            positions.push((Asked::End, end));
        }
        self.compared = Some(Compared {
            number,
            tried,
            is_accepted,
            found: positions.iter().map(|&(asked, _)| (asked, None)).collect(),
        });
        let positions = positions.into_iter();
        StudyTask {
            number,
            engine: PlayerSpec::Bot(None),
            positions: positions.map(|(_, it)| MoveHistory::new(it)).collect(),
        }
    }

    /// What follows a right move that the engine has looked at.
    pub(super) fn next_by_engine(&self, compared: &Compared) -> Next {
        let turn = self.position.turn();
        let end = match self.off {
            Some(off) => Some(off.end),
            None => compared.found(Asked::End).and_then(|end| end.chance),
        };
        let played_on = self.off.map_or(0, |off| off.moves);
        let (Some(end), Some(tried)) = (end, compared.found(Asked::Tried)) else {
            // The engine says nothing, and the move is right.
            return Next::Solved;
        };
        let missing = match (tried.chance, turn) {
            (Some(chance), Color::White) => end - chance,
            (Some(chance), Color::Black) => chance - end,
            (None, _) => 0.0,
        };
        let after = self.position.play_unchecked(compared.tried);
        match tried.best[..] {
            [reply, best, ..]
                if missing > AS_GOOD
                    && played_on < MAX_PLAYED_ON
                    && after.play(reply).is_ok_and(|next| next.is_legal(best)) =>
            {
                Next::Reply {
                    reply,
                    best,
                    off: Some(end),
                }
            }
            _ => Next::Solved,
        }
    }

    /// Goes on after a move and the opponent's reply.
    pub(super) fn advance(
        &mut self,
        played: Move,
        reply: Move,
        best: Move,
        off: Option<f64>,
    ) -> Reply {
        let between = self.position.play_unchecked(played);
        let san = numbered_line(&between, &[reply]).concat();
        let uci = between.uci(reply);
        self.last = Some(uci);
        self.position = between.play_unchecked(reply);
        let moves = self.off.map_or(0, |off| off.moves) + 1;
        self.off = off.map(|end| OffSolution { end, moves });
        self.follow = match off {
            Some(_) => Vec::new(),
            None => self.follow.split_off(2),
        };
        self.best = best;
        self.stage = 0;
        Reply {
            san,
            uci,
            position: self.position,
        }
    }
}

impl Compared {
    /// Takes a verdict, by the index of its position. Returns whether all are there.
    pub(super) fn take(&mut self, at: usize, verdict: Verdict) -> bool {
        let Some((_, place)) = self.found.get_mut(at) else {
            return false;
        };
        *place = Some(verdict);
        self.found.iter().all(|(_, found)| found.is_some())
    }

    fn found(&self, asked: Asked) -> Option<&Verdict> {
        let mut found = self.found.iter();
        found.find(|(it, _)| *it == asked)?.1.as_ref()
    }

    /// How good the move is and what it loses; `None` if the engine gives no score.
    pub(super) fn verdict(&self, turn: Color) -> Option<(Quality, Option<f64>)> {
        if self.is_accepted {
            return Some((Quality::Right, None));
        }
        let (best, tried) = (self.found(Asked::Best)?, self.found(Asked::Tried)?);
        let loss = analysis::loss(turn, best, tried)?;
        Some((quality(turn, best, tried, loss), Some(loss)))
    }
}

/// How good a move is that loses this share of the chances.
fn quality(turn: Color, best: &Verdict, played: &Verdict, loss: f64) -> Quality {
    let mates = |verdict: &Verdict| match verdict.evaluation.map(|it| it.score.for_side(turn)) {
        Some(Score::MateIn(moves)) => Some(moves),
        Some(Score::Centipawns(_) | Score::MatedIn(_)) => None,
        // The game is over: it is mate, or nothing is known.
        None => {
            let won = if turn == Color::White { 1.0 } else { 0.0 };
            (verdict.chance == Some(won)).then_some(0)
        }
    };
    // After the best move, one less is left of a mate.
    let is_visible = mates(best).is_some_and(|left| left < VISIBLE_MATE);
    match (loss, mates(played)) {
        (_, Some(_)) => Quality::Right,
        (loss, None) if loss <= PLAYABLE && is_visible => Quality::WinsToo,
        (loss, None) if loss <= AS_GOOD => Quality::Right,
        (loss, None) if loss <= PLAYABLE => Quality::Playable,
        (_, None) => Quality::Wrong,
    }
}
