//! Which searches judge a game: one for each position, and after a mistake those that explain it.
//!
//! The two lines of a mistake are walked to a quiet position, extended by short searches. What they seem to win is
//! verified by a long search at its end: if that finds the material back, its line takes the place of the rest, which
//! then claims less. So the lines alone say what is true, also when they are read from a file.

use tabiya_rules::{Color, Move, MoveHistory, Position};

use super::explanation::{self, LineKind, MAX_LINE};
use super::{Judged, Verdict, judged};

/// The nodes for a position of the game, and to verify a claim. The limit is the same on every machine, so that a game is
/// always judged the same way.
pub const NODES: u64 = 150_000;

/// The nodes to extend a line.
const EXTENSION_NODES: u64 = 40_000;

/// How many plies of a best line are stored with a position.
const STORED: usize = 8;

/// How far a line is extended, in plies, and how many it has at least if it can.
const EXTENDED: usize = 12;
const SHORT: usize = 6;

/// How many claims about a mistake are tried.
const MAX_VERIFICATIONS: usize = 4;

/// A search that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted<'a> {
    /// The position of the game, by its index.
    pub at: usize,
    /// The moves to play from there.
    pub line: &'a [Move],
    /// The limit that suffices, where the position of the game itself is not what is searched.
    pub nodes: Option<u64>,
}

impl Wanted<'_> {
    /// What is searched, given the game up to the position.
    #[must_use]
    pub fn after(&self, played: &MoveHistory) -> MoveHistory {
        let mut after = played.clone();
        for &next in self.line {
            // Lines have only legal moves.
            let pushed = after.push(next);
            debug_assert!(pushed.is_ok());
        }
        after
    }
}

/// Judges positions of a game, one search after another, without searching itself.
#[derive(Clone, Debug)]
pub struct Judging {
    /// How many positions there are.
    count: usize,
    /// The next one.
    at: usize,
    /// The position before it, with its verdict.
    before: Option<(Position, Verdict)>,
    /// The mistake being explained, which led to the position before `at`.
    mistake: Option<Mistake>,
}

/// A mistake that is being explained.
#[derive(Clone, Debug)]
struct Mistake {
    by: Color,
    played: Move,
    /// The positions before and after it.
    positions: [Position; 2],
    verdicts: [Verdict; 2],
    /// Whether searches do not extend the line any further.
    is_stuck: [bool; 2],
    /// The claims that were searched: the line, and how many plies of it.
    verified: Vec<(LineKind, usize)>,
    wanted: Option<Next>,
}

/// What is searched next for a mistake.
#[derive(Clone, Copy, Debug)]
struct Next {
    which: LineKind,
    /// The search is about the position after so many plies of the line.
    plies: usize,
    verifies: bool,
}

impl Judging {
    /// Begins with the first of so many positions.
    #[must_use]
    pub fn new(count: usize) -> Judging {
        Judging {
            count,
            at: 0,
            before: None,
            mistake: None,
        }
    }

    /// The next search; `None` if all positions are judged.
    #[must_use]
    pub fn next_search(&self) -> Option<Wanted<'_>> {
        if let Some((mistake, next)) = self.mistake.as_ref().and_then(|it| Some((it, it.wanted?))) {
            let line = &mistake.verdicts[next.which as usize].best;
            let first = self.at - 2;
            return Some(Wanted {
                at: first + next.which as usize,
                line: line.get(..next.plies).unwrap_or(line),
                nodes: Some(if next.verifies {
                    NODES
                } else {
                    EXTENSION_NODES
                }),
            });
        }
        (self.at < self.count).then_some(Wanted {
            at: self.at,
            line: &[],
            nodes: None,
        })
    }

    /// Takes what the search has found. `played` is the game up to the position of the game that it was about. Returns the
    /// verdicts that are known now, by the index of the position: the next one, and before it perhaps one that replaces
    /// an earlier one, because its line explains the mistake there.
    pub fn take(&mut self, played: &MoveHistory, found: Verdict) -> Vec<(usize, Verdict)> {
        let Some(mistake) = &mut self.mistake else {
            return self.take_position(played, found);
        };
        mistake.take(&found.best);
        self.explained()
    }

    /// Takes the verdict on the next position of the game.
    fn take_position(&mut self, history: &MoveHistory, found: Verdict) -> Vec<(usize, Verdict)> {
        self.at += 1;
        let position = *history.current();
        let extended = found.clone().with_line_of(EXTENDED);
        let before = self.before.replace((position, extended.clone()));
        let led_here = history.positions().rev().nth(1).zip(history.moves().last());
        if let (Some((before, verdict)), Some((origin, &played))) = (before, led_here)
            && *origin == before
        {
            let by = before.turn();
            let is_mistake = judged(by, Some(played), &verdict, &found).mark.is_some();
            if is_mistake {
                let mut mistake = Mistake {
                    by,
                    played,
                    positions: [before, position],
                    verdicts: [verdict, extended],
                    is_stuck: [false; 2],
                    verified: Vec::new(),
                    wanted: None,
                };
                mistake.choose();
                self.mistake = Some(mistake);
                return self.explained();
            }
        }
        vec![(self.at - 1, found.with_line_of(STORED))]
    }

    /// The verdicts on both positions of the mistake, once it is explained.
    fn explained(&mut self) -> Vec<(usize, Verdict)> {
        let Some(mistake) = self.mistake.take_if(|mistake| mistake.wanted.is_none()) else {
            return Vec::new();
        };
        let [before, after] = mistake.verdicts;
        self.before = Some((mistake.positions[1], after.clone()));
        vec![(self.at - 2, before), (self.at - 1, after)]
    }
}

impl Mistake {
    /// Takes the line that a search has found.
    fn take(&mut self, found: &[Move]) {
        let Some(Next {
            which,
            plies,
            verifies,
        }) = self.wanted.take()
        else {
            return;
        };
        let of = which as usize;
        if verifies {
            self.verified.push((which, plies));
            let line = self.verdicts[of].best.clone();
            let checked = line[..plies].iter().chain(found).copied();
            self.verdicts[of].best = checked.take(MAX_LINE).collect();
            match found.is_empty() {
                // It is not verified.
                true => self.verdicts[of].best.truncate(plies - 1),
                // The line stays if it is right.
                false if self.claim() == Some((which, plies)) => self.verdicts[of].best = line,
                false => {}
            }
        } else {
            let line = &mut self.verdicts[of].best;
            self.is_stuck[of] = found.is_empty();
            line.extend(found);
            line.truncate(EXTENDED);
        }
        self.choose();
    }

    /// Chooses the next search: first both lines become quiet, then what they claim is verified.
    fn choose(&mut self) {
        let verifies = |(which, plies), verifies| Next {
            which,
            plies,
            verifies,
        };
        for which in [LineKind::Best, LineKind::Refutation] {
            if let Some(plies) = self.extends(which) {
                self.wanted = Some(verifies((which, plies), false));
                return;
            }
        }
        while let Some(claim) = self.claim().filter(|claim| !self.verified.contains(claim)) {
            if self.verified.len() < MAX_VERIFICATIONS {
                self.wanted = Some(verifies(claim, true));
                return;
            }
            // What cannot be verified is not claimed.
            self.verdicts[claim.0 as usize].best.truncate(claim.1 - 1);
        }
    }

    /// The claim that the lines make now.
    fn claim(&self) -> Option<(LineKind, usize)> {
        let [before, after] = &self.verdicts;
        let judged: Judged<'_> = judged(self.by, Some(self.played), before, after);
        explanation::claim(&self.positions[0], &judged)
    }

    /// After how many plies a line has to be extended, if it has to be.
    fn extends(&self, which: LineKind) -> Option<usize> {
        let of = which as usize;
        let mut end = self.positions[of];
        let line = &self.verdicts[of].best;
        for &played in line {
            end = end.play(played).ok()?;
        }
        let plies = line.len();
        let is_done = plies >= EXTENDED
            || self.is_stuck[of]
            || !end.has_legal_move()
            || plies >= SHORT && explanation::is_quiet(&end);
        (!is_done).then_some(plies)
    }
}

#[cfg(test)]
mod tests;
