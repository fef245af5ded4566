//! The move picker: moves one at a time, generated and scored in stages, because most nodes need only a few.

use tabiya_rules::{Bitboard, Color, Move, MoveFilter, MoveList, PIECE_VALUES, Position, Role};

use super::history::{Histories, HistoryContext};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// The generated moves of all nodes of the current line, one after the other. A picker owns those from where it began to
/// the end, until the picker of the next node begins.
#[derive(Debug, Default)]
pub(super) struct MoveStack {
    moves: Vec<Move>,
    /// The scores of the moves, in a row of their own, because finding the highest is faster there. Valid only for moves not
    /// yet picked: bad captures are moved to the front without their scores.
    scores: Vec<i32>,
    /// Moves that have been generated but not scored.
    generated: MoveList,
}

impl MoveStack {
    fn truncate(&mut self, length: usize) {
        self.moves.truncate(length);
        self.scores.truncate(length);
    }
}

/// The legal moves of a position in the order in which they are searched.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// Where its moves begin on the stack: with the bad captures, which wait there for their stage.
    begin: usize,
    next_bad: usize,
    bad_end: usize,
    /// The moves from `next` to `end` have not been picked yet.
    next: usize,
    end: usize,
    captures_only: bool,
    sorting: bool,
}

impl MovePicker {
    /// All moves.
    pub(super) fn new(
        stack: &MoveStack,
        position: &Position,
        in_check: bool,
        tt_move: Option<Move>,
    ) -> MovePicker {
        MovePicker {
            captures_only: false,
            ..MovePicker::quiescence(stack, position, in_check, tt_move)
        }
    }

    /// For quiescence: captures and queen promotions with SEE ≥ 0; in check, all evasions.
    pub(super) fn quiescence(
        stack: &MoveStack,
        position: &Position,
        in_check: bool,
        tt_move: Option<Move>,
    ) -> MovePicker {
        let begin = stack.moves.len();
        MovePicker {
            stage: match tt_move {
                Some(_) => Stage::TtMove,
                None if in_check => Stage::GenerateEvasions,
                None => Stage::GenerateCaptures,
            },
            tt_move: tt_move.filter(|&m| position.is_legal(m)),
            begin,
            next_bad: begin,
            bad_end: begin,
            next: begin,
            end: begin,
            captures_only: true,
            sorting: true,
        }
    }

    /// Of the moves that remain in this stage, leaves only those to keep, and stops ordering them.
    pub(super) fn retain(&mut self, stack: &mut MoveStack, keep: impl Fn(Move) -> bool) {
        debug_assert_eq!(stack.moves.len(), self.end, "moves of another picker");
        self.sorting = false;
        let mut kept = self.next;
        for i in self.next..self.end {
            let m = stack.moves[i];
            if keep(m) {
                stack.moves[kept] = m;
                kept += 1;
            }
        }
        stack.truncate(kept);
        self.end = kept;
    }

    /// Takes its moves off the stack.
    pub(super) fn finish(self, stack: &mut MoveStack) {
        stack.truncate(self.begin);
    }

    /// The next move. The stack must end with the moves of this picker: later nodes have taken theirs off.
    // The generating stages are not inlined: their set-up would be paid for every move picked.
    pub(super) fn next(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        in_check: bool,
        histories: &Histories,
        context: &HistoryContext,
    ) -> Option<Move> {
        debug_assert_eq!(stack.moves.len(), self.end, "moves of another picker");
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if in_check {
                        Stage::GenerateEvasions
                    } else {
                        Stage::GenerateCaptures
                    };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(stack, position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick(stack) {
                    Some(best) if position.see_ge(best, 0) => return Some(best),
                    Some(best) => {
                        stack.moves[self.bad_end] = best;
                        self.bad_end += 1;
                    }
                    None => {
                        self.stage = if self.captures_only {
                            Stage::Done
                        } else {
                            Stage::GenerateQuiets
                        };
                    }
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(stack, position, histories, context);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick(stack) {
                    Some(best) => return Some(best),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    if self.next_bad < self.bad_end {
                        self.next_bad += 1;
                        return Some(stack.moves[self.next_bad - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    self.generate_evasions(stack, position, histories, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.pick(stack) {
                    Some(best) => return Some(best),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Picks the remaining move with the highest score, or simply the first once sorting has stopped.
    fn pick(&mut self, stack: &mut MoveStack) -> Option<Move> {
        let left = self.next..self.end;
        if left.is_empty() {
            return None;
        }
        let (moves, scores) = (&mut stack.moves[left.clone()], &mut stack.scores[left]);
        if self.sorting {
            // Two passes, because each of them is far simpler than one that finds both.
            let highest = scores
                .iter()
                .fold(i32::MIN, |highest, &score| highest.max(score));
            let best = scores.iter().position(|&score| score == highest)?;
            moves.swap(0, best);
            scores.swap(0, best);
        }
        self.next += 1;
        moves.first().copied()
    }

    /// Pushes the generated moves to keep, except the TT move, with their scores.
    #[inline]
    fn push(
        &mut self,
        stack: &mut MoveStack,
        keep: impl Fn(Move) -> bool,
        score: impl Fn(Move) -> i32,
    ) {
        let first = stack.moves.len();
        let others = stack.generated.iter().copied();
        let kept = others.filter(|&m| Some(m) != self.tt_move && keep(m));
        stack.moves.extend(kept);
        self.end = stack.moves.len();
        stack
            .scores
            .extend(stack.moves[first..].iter().map(|&m| score(m)));
    }

    /// Generates and scores the captures and queen promotions.
    #[inline(never)]
    fn generate_captures(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        histories: &Histories,
    ) {
        position.captures_into(&mut stack.generated);
        add_queen_promotions(position, &mut stack.generated);
        self.push(stack, |_| true, |m| capture_score(position, histories, m));
    }

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        histories: &Histories,
        context: &HistoryContext,
    ) {
        // The bad captures stay where they are.
        stack.truncate(self.bad_end);
        self.next = self.bad_end;
        position.quiets_into(&mut stack.generated);
        let (rows, threats) = (histories.rows(context), &context.threats);
        // Queen promotions came with the captures.
        let keep = |m: Move| m.promotion() != Some(Role::Queen);
        self.push(stack, keep, |m| rows.quiet(m) + threats.escape_bonus(m));
    }

    #[inline(never)]
    fn generate_evasions(
        &mut self,
        stack: &mut MoveStack,
        position: &Position,
        histories: &Histories,
        context: &HistoryContext,
    ) {
        position.legal_moves_into(&mut stack.generated);
        let rows = histories.rows(context);
        let score = |m| {
            if is_quiet(position, m) {
                rows.quiet(m)
            } else {
                (1 << 20) + capture_score(position, histories, m)
            }
        };
        self.push(stack, |_| true, score);
    }
}

/// Neither a capture nor a queen promotion.
pub(super) fn is_quiet(position: &Position, m: Move) -> bool {
    m.is_castle()
        || !(m.is_en_passant()
            || position.board().occupied().contains(m.to())
            || m.promotion() == Some(Role::Queen))
}

/// Most valuable victim first, then by capture history.
fn capture_score(position: &Position, histories: &Histories, m: Move) -> i32 {
    let captured = position.captured_role(m);
    let victim = captured.map_or(0, |role| PIECE_VALUES[role]);
    let promotion = m.promotion().map_or(0, |role| PIECE_VALUES[role]);
    (victim + promotion) * 16 + histories.capture(position.turn(), m, captured)
}

/// Adds the queen promotions that capture nothing.
fn add_queen_promotions(position: &Position, list: &mut MoveList) {
    let turn = position.turn();
    let last_rank = Bitboard::back_rank(!turn);
    let seventh_rank = match turn {
        Color::White => Bitboard(last_rank.0 >> 8),
        Color::Black => Bitboard(last_rank.0 << 8),
    };
    let from = position.board().pieces(turn, Role::Pawn) & seventh_rank;
    if from.is_empty() {
        return;
    }
    let to = last_rank - position.board().occupied();
    for &m in &position.legal_moves_within(MoveFilter { from, to }) {
        if m.promotion() == Some(Role::Queen) {
            list.push(m);
        }
    }
}

#[cfg(test)]
mod tests;
