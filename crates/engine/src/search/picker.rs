//! Moves one at a time, the most promising first: they are made and sorted in stages, because most positions are done
//! with after a few.

use tabiya_rules::{Bitboard, MAX_MOVES, Move, MoveList, Position, Role, Targets, attacks};

use super::exchange::{VALUES, brings};
use super::history::{Context, Histories, captured};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Known,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    Done,
}

/// The legal moves of a position, in the order in which they are to be tried.
pub(super) struct Picker {
    stage: Stage,
    /// The move that was best before.
    known: Option<Move>,
    moves: [Option<Move>; MAX_MOVES],
    scores: [i32; MAX_MOVES],
    next: usize,
    end: usize,
    /// Captures that lose, kept at the front of the moves that were handed out.
    losing: usize,
    next_losing: usize,
    captures_only: bool,
    sorting: bool,
}

impl Picker {
    /// All moves.
    pub(super) fn new(position: &Position, in_check: bool, known: Option<Move>) -> Picker {
        Picker {
            captures_only: false,
            ..Picker::captures(position, in_check, known)
        }
    }

    /// Captures and promotions to a queen that lose nothing by static exchange; in check all moves.
    pub(super) fn captures(position: &Position, in_check: bool, known: Option<Move>) -> Picker {
        Picker {
            stage: match known {
                Some(_) => Stage::Known,
                None if in_check => Stage::MakeEvasions,
                None => Stage::MakeCaptures,
            },
            known: known.filter(|&m| position.is_legal(m)),
            moves: [None; MAX_MOVES],
            scores: [0; MAX_MOVES],
            next: 0,
            end: 0,
            losing: 0,
            next_losing: 0,
            captures_only: true,
            sorting: true,
        }
    }

    /// Hands out the quiet moves that are left as they come.
    pub(super) fn stop_sorting(&mut self) {
        self.sorting = false;
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        position: &Position,
        in_check: bool,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = match in_check {
                        true => Stage::MakeEvasions,
                        false => Stage::MakeCaptures,
                    };
                    if self.known.is_some() {
                        return self.known;
                    }
                }
                Stage::MakeCaptures => {
                    self.make_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.take_best() {
                    Some(m) if brings(position, m, 0) => return Some(m),
                    Some(m) => {
                        self.moves[self.losing] = Some(m);
                        self.losing += 1;
                    }
                    None => {
                        self.stage = match self.captures_only {
                            true => Stage::Done,
                            false => Stage::MakeQuiets,
                        };
                    }
                },
                Stage::MakeQuiets => {
                    self.make_quiets(position, histories, context);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    if self.next_losing < self.losing {
                        self.next_losing += 1;
                        return self.moves[self.next_losing - 1];
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeEvasions => {
                    self.make_evasions(position, histories, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.take_best() {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the move with the highest score out of those that are left.
    fn take_best(&mut self) -> Option<Move> {
        let mut best = self.next;
        let end = if self.sorting { self.end } else { self.next };
        for i in self.next + 1..end {
            if self.scores[i] > self.scores[best] {
                best = i;
            }
        }
        if self.next == self.end {
            return None;
        }
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        self.moves[self.next - 1]
    }

    fn push(&mut self, m: Move, score: i32) {
        if Some(m) != self.known && self.end < MAX_MOVES {
            self.moves[self.end] = Some(m);
            self.scores[self.end] = score;
            self.end += 1;
        }
    }

    fn make_captures(&mut self, position: &Position, histories: &Histories) {
        for m in position.captures() {
            self.push(m, capture_score(position, histories, m));
        }
        for &m in &steps_to_promotion(position) {
            if m.promotion() == Some(Role::Queen) {
                self.push(m, capture_score(position, histories, m));
            }
        }
    }

    fn make_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        // The losing captures stay where they are.
        self.next = self.losing;
        self.end = self.losing;
        let threats = Threats::new(position);
        for m in position.quiets() {
            if m.promotion() != Some(Role::Queen) {
                self.push(m, histories.quiet(context, m) + threats.worth(m));
            }
        }
    }

    fn make_evasions(&mut self, position: &Position, histories: &Histories, context: &Context) {
        for m in position.legal_moves() {
            let score = match is_quiet(position, m) {
                true => histories.quiet(context, m),
                false => (1 << 20) + capture_score(position, histories, m),
            };
            self.push(m, score);
        }
    }
}

/// What it is worth to take a piece away from where something cheaper attacks it; going there costs as much.
const ESCAPE: [i32; 6] = [0, 7_000, 7_000, 12_000, 16_000, 0];

/// The squares on which each kind of piece is attacked by something cheaper.
struct Threats([Bitboard; 6]);

impl Threats {
    fn new(position: &Position) -> Threats {
        let (board, enemy) = (position.board(), !position.turn());
        let occupied = board.occupied();
        let attacked = |role: Role| {
            board
                .pieces(enemy, role)
                .into_iter()
                .fold(Bitboard::EMPTY, |set, square| {
                    set | attacks::of(role, enemy, square, occupied)
                })
        };
        let pawns = attacked(Role::Pawn);
        let minors = pawns | attacked(Role::Knight) | attacked(Role::Bishop);
        let rooks = minors | attacked(Role::Rook);
        Threats([
            Bitboard::EMPTY,
            pawns,
            pawns,
            minors,
            rooks,
            Bitboard::EMPTY,
        ])
    }

    fn worth(&self, m: Move) -> i32 {
        let role = m.role() as usize;
        let side = |square| i32::from(self.0[role].contains(square));
        ESCAPE[role] * (side(m.from()) - side(m.to()))
    }
}

/// Neither a capture nor a promotion to a queen.
pub(super) fn is_quiet(position: &Position, m: Move) -> bool {
    m.is_castle()
        || !(m.is_en_passant()
            || position.board().occupied().contains(m.to())
            || m.promotion() == Some(Role::Queen))
}

fn capture_score(position: &Position, histories: &Histories, m: Move) -> i32 {
    let taken = captured(position, m);
    let gain = taken.map_or(0, |role| VALUES[role as usize]);
    let promoted = m.promotion().map_or(0, |role| VALUES[role as usize]);
    (gain + promoted) * 16 + histories.capture(position.turn(), m, taken)
}

fn steps_to_promotion(position: &Position) -> MoveList {
    let turn = position.turn();
    let last = Bitboard::back_rank(!turn);
    let before = match turn.is_white() {
        true => Bitboard(last.0 >> 8),
        false => Bitboard(last.0 << 8),
    };
    let from = position.board().pieces(turn, Role::Pawn) & before;
    if from.is_empty() {
        return MoveList::new();
    }
    let to = last - position.board().occupied();
    position.legal_moves_within(Targets { from, to })
}

#[cfg(test)]
mod tests;
