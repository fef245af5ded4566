//! Moves one at a time, the most promising first: they are made and sorted in stages, because most positions are done
//! with after a few.

use tabiya_rules::{Bitboard, Move, MoveList, Position, Role, Targets, attacks};

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

/// A move with what it promises.
#[derive(Clone, Copy, Debug)]
struct Scored {
    m: Move,
    score: i32,
}

/// The moves of all positions of a line, one after the other. A picker has those from where it began to the end, until
/// that of the next position begins.
#[derive(Debug, Default)]
pub(super) struct MoveStack {
    moves: Vec<Scored>,
    /// Where moves are made before they have a score.
    made: MoveList,
}

/// The legal moves of a position, in the order in which they are to be tried.
pub(super) struct Picker {
    stage: Stage,
    /// The move that was best before.
    known: Option<Move>,
    /// Where its moves begin on the stack: with the captures that lose, which wait there for their turn.
    begin: usize,
    next_losing: usize,
    end_of_losing: usize,
    /// The moves from here to the end have not been handed out.
    next: usize,
    end: usize,
    captures_only: bool,
    sorting: bool,
}

impl Picker {
    /// All moves.
    pub(super) fn new(
        stack: &MoveStack,
        position: &Position,
        in_check: bool,
        known: Option<Move>,
    ) -> Picker {
        Picker {
            captures_only: false,
            ..Picker::captures(stack, position, in_check, known)
        }
    }

    /// Captures and promotions to a queen that lose nothing by static exchange; in check all moves.
    pub(super) fn captures(
        stack: &MoveStack,
        position: &Position,
        in_check: bool,
        known: Option<Move>,
    ) -> Picker {
        let begin = stack.moves.len();
        Picker {
            stage: match known {
                Some(_) => Stage::Known,
                None if in_check => Stage::MakeEvasions,
                None => Stage::MakeCaptures,
            },
            known: known.filter(|&m| position.is_legal(m)),
            begin,
            next_losing: begin,
            end_of_losing: begin,
            next: begin,
            end: begin,
            captures_only: true,
            sorting: true,
        }
    }

    /// Hands out the quiet moves that are left as they come.
    pub(super) fn stop_sorting(&mut self) {
        self.sorting = false;
    }

    /// Takes its moves off the stack.
    pub(super) fn finish(self, stack: &mut MoveStack) {
        stack.moves.truncate(self.begin);
    }

    /// The next move. The stack ends with the moves of this picker: those of later positions were taken off.
    // What makes moves is not inlined: its preparations would be made for every move that is handed out.
    pub(super) fn next(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        in_check: bool,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        debug_assert_eq!(stack.moves.len(), self.end, "somebody else's moves");
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
                    self.make_captures(stack, position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.take_best(stack) {
                    Some(best) if brings(position, best.m, 0) => return Some(best.m),
                    Some(best) => {
                        stack.moves[self.end_of_losing] = best;
                        self.end_of_losing += 1;
                    }
                    None => {
                        self.stage = match self.captures_only {
                            true => Stage::Done,
                            false => Stage::MakeQuiets,
                        };
                    }
                },
                Stage::MakeQuiets => {
                    self.make_quiets(stack, position, histories, context);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best(stack) {
                    Some(best) => return Some(best.m),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    if self.next_losing < self.end_of_losing {
                        self.next_losing += 1;
                        return Some(stack.moves[self.next_losing - 1].m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeEvasions => {
                    self.make_evasions(stack, position, histories, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.take_best(stack) {
                    Some(best) => return Some(best.m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the move with the highest score out of those that are left, or the first of them.
    fn take_best(&mut self, stack: &mut MoveStack) -> Option<Scored> {
        let left = &mut stack.moves[self.next..self.end];
        let mut most = left.first()?.score;
        if self.sorting {
            let mut best = 0;
            for (i, other) in left.iter().enumerate() {
                if other.score > most {
                    (best, most) = (i, other.score);
                }
            }
            left.swap(0, best);
        }
        self.next += 1;
        Some(left[0])
    }

    /// Puts the moves that were made on the stack, but the one that was known before and those without a score.
    #[inline]
    fn push(&mut self, stack: &mut MoveStack, score: impl Fn(Move) -> Option<i32>) {
        let MoveStack { moves, made } = stack;
        let unknown = made.iter().filter(|&&m| Some(m) != self.known);
        moves.extend(unknown.filter_map(|&m| {
            Some(Scored {
                m,
                score: score(m)?,
            })
        }));
        self.end = moves.len();
    }

    #[inline(never)]
    fn make_captures(&mut self, stack: &mut MoveStack, position: &Position, histories: &Histories) {
        position.captures_into(&mut stack.made);
        add_promotions(position, &mut stack.made);
        self.push(stack, |m| Some(capture_score(position, histories, m)));
    }

    #[inline(never)]
    fn make_quiets(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) {
        // The losing captures stay where they are.
        stack.moves.truncate(self.end_of_losing);
        self.next = self.end_of_losing;
        position.quiets_into(&mut stack.made);
        let (rows, threats) = (histories.rows(context), Threats::new(position));
        self.push(stack, |m| {
            let among_captures = m.promotion() == Some(Role::Queen);
            (!among_captures).then(|| rows.quiet(m) + threats.worth(m))
        });
    }

    #[inline(never)]
    fn make_evasions(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) {
        position.legal_moves_into(&mut stack.made);
        let rows = histories.rows(context);
        self.push(stack, |m| match is_quiet(position, m) {
            true => Some(rows.quiet(m)),
            false => Some((1 << 20) + capture_score(position, histories, m)),
        });
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

/// Adds the steps to a queen, which capture nothing.
fn add_promotions(position: &Position, list: &mut MoveList) {
    let turn = position.turn();
    let last = Bitboard::back_rank(!turn);
    let before = match turn.is_white() {
        true => Bitboard(last.0 >> 8),
        false => Bitboard(last.0 << 8),
    };
    let from = position.board().pieces(turn, Role::Pawn) & before;
    if from.is_empty() {
        return;
    }
    let to = last - position.board().occupied();
    for &m in &position.legal_moves_within(Targets { from, to }) {
        if m.promotion() == Some(Role::Queen) {
            list.push(m);
        }
    }
}

#[cfg(test)]
mod tests;
