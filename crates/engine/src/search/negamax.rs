//! Principal variation search: the first move with an open window, the others only to show that they are not better.

use tabiya_rules::{Bitboard, Move, Position, Role, attacks};

use super::exchange::brings;
use super::history::{Context, bonus, captured};
use super::picker::{Picker, is_quiet};
use super::quiescence::{cuts, improves};
use super::reductions::reduction;
use super::tree::{Here, MAX_PLY, Tree, draw};
use crate::score::{INFINITE, MATE_BOUND, is_mate, mate_in, mated_in};
use crate::table::{Bound, Entry};

/// A node of the search, as its moves see it.
struct Node {
    alpha: i32,
    beta: i32,
    depth: i32,
    in_check: bool,
    /// Whether the score is expected to be above the window.
    cut: bool,
    /// The evaluation with what was learned; `None` in check.
    evaluation: Option<i32>,
    /// Whether that is better than at our last move.
    improving: bool,
    known: Option<Entry>,
    excluded: Option<Move>,
    context: Context,
}

/// What the moves of a node came to.
struct Outcome {
    best: i32,
    best_move: Option<Move>,
    /// Whether there was any legal move.
    any: bool,
}

impl Tree<'_> {
    /// The score of a position, searched so deep, if it is within the window; a bound otherwise.
    // One function, because its parts share nearly all they know.
    pub(super) fn search<const OPEN: bool>(
        &mut self,
        here: &Here,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<OPEN>(here, alpha, beta);
        }
        let (position, ply) = (&here.position, here.ply);
        if OPEN {
            self.lines[ply].clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.stopped {
            return 0;
        }
        let in_check = position.is_check();
        if self.is_draw(here, in_check) {
            return draw(self.nodes);
        }
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(here) };
        }
        // A mate that was found nearer to the root is better than any from here.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frame(ply).excluded;
        let key = position.key();
        let known = match excluded {
            None => self.shared.table.probe(key, ply),
            Some(_) => None,
        };
        if let Some(entry) = known
            && !OPEN
            && entry.depth >= depth
            && cuts(&entry, alpha, beta)
            && position.halfmove_clock() < 90
        {
            return entry.score;
        }
        let raw = match (in_check, known.and_then(|entry| entry.evaluation)) {
            (true, _) => None,
            (false, Some(raw)) => Some(raw),
            (false, None) => Some(self.evaluate(here)),
        };
        let evaluation = raw.map(|raw| self.corrected(here, raw));
        self.frame(ply).evaluation = evaluation;
        self.frame(ply + 1).killers = [None; 2];
        let improving = evaluation.is_some_and(|now| self.is_improving(ply, now));

        if let Some(evaluation) = evaluation
            && !OPEN
            && excluded.is_none()
        {
            let guess = match known.filter(|entry| improves(entry, evaluation)) {
                Some(entry) => entry.score,
                None => evaluation,
            };
            let pruned = self.prune(here, beta, depth, guess, improving, cut);
            if let Some(score) = pruned {
                return score;
            }
        }
        // A node without a move to begin with is searched less deep: the next time there will be one.
        if depth >= 4 && (OPEN || cut) && known.is_none_or(|entry| entry.best.is_none()) {
            depth -= 1;
        }

        let node = Node {
            alpha,
            beta,
            depth,
            in_check,
            cut,
            evaluation,
            improving,
            known,
            excluded,
            context: self.context(here),
        };
        let outcome = self.moves::<OPEN>(here, &node);
        if self.stopped {
            return 0;
        }
        if !outcome.any {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in(ply),
                (None, false) => draw(self.nodes),
            };
        }
        if excluded.is_none() {
            self.conclude::<OPEN>(here, &node, &outcome, raw);
        }
        outcome.best
    }

    fn is_improving(&mut self, ply: usize, now: i32) -> bool {
        let back = |tree: &mut Self, plies: usize| {
            ply.checked_sub(plies)
                .and_then(|ply| tree.frame(ply).evaluation)
        };
        back(self, 2)
            .or_else(|| back(self, 4))
            .is_none_or(|before| now > before)
    }

    /// Ends a node without looking at its moves, where the outcome is as good as certain.
    fn prune(
        &mut self,
        here: &Here,
        beta: i32,
        depth: i32,
        guess: i32,
        improving: bool,
        cut: bool,
    ) -> Option<i32> {
        let better = i32::from(improving);
        // So far above the window that no answer will bring it down.
        let margin = 80 * (depth - better) + 20;
        if depth <= 8 && !is_mate(beta) && guess < MATE_BOUND && guess - margin >= beta {
            return Some((guess + beta) / 2);
        }
        self.try_passing(here, beta, depth, guess, cut)
    }

    /// A position so good that even passing keeps it above the window is not searched further. Only with several
    /// pieces, because with fewer having to move can be what loses.
    fn try_passing(
        &mut self,
        here: &Here,
        beta: i32,
        depth: i32,
        guess: i32,
        cut: bool,
    ) -> Option<i32> {
        let passed = here.ply > 0 && self.frame(here.ply - 1).place == super::history::NO_MOVE;
        if depth < 3
            || guess < beta
            || passed
            || is_mate(beta)
            || !pieces(&here.position).has_several()
        {
            return None;
        }
        let less = 3 + depth / 3 + ((guess - beta) / 200).min(3);
        let next = self.pass(here)?;
        let score = -self.search::<false>(&next, -beta, 1 - beta, depth - less, !cut);
        self.leave();
        if self.stopped {
            return Some(0);
        }
        // A mate after passing is none.
        (score >= beta).then(|| if is_mate(score) { beta } else { score })
    }

    /// Tries the moves, the most promising first.
    fn moves<const OPEN: bool>(&mut self, here: &Here, node: &Node) -> Outcome {
        let position = &here.position;
        let known = node.known.and_then(|entry| entry.best);
        let killers = self.frame(here.ply).killers;
        let mut picker = Picker::new(position, node.in_check, known, killers);
        let mut outcome = Outcome {
            best: -INFINITE,
            best_move: None,
            any: false,
        };
        let mut alpha = node.alpha;
        let mut number = 0;
        let mut tried = Tried::default();
        let checks = Checks::new(position);
        let mut only_checks = false;
        while let Some(m) = picker.next(
            position,
            node.in_check,
            &self.memory.histories,
            &node.context,
        ) {
            if Some(m) == node.excluded {
                continue;
            }
            outcome.any = true;
            if !node.in_check && self.handicap.overlooks(position, m) {
                continue;
            }
            let quiet = is_quiet(position, m);
            let checks = checks.has(m);
            if only_checks && quiet && !checks {
                continue;
            }
            number += 1;
            let history = match quiet {
                true => self.memory.histories.quiet(&node.context, m),
                false => {
                    let taken = captured(position, m);
                    self.memory.histories.capture(position.turn(), m, taken)
                }
            };
            if here.ply > 0 && outcome.best > -MATE_BOUND && !pieces(position).is_empty() {
                let late = Late {
                    depth: node.depth,
                    number,
                    quiet,
                    checks,
                    history,
                };
                match self.skips::<OPEN>(here, node, alpha, m, &late) {
                    Skip::No => {}
                    Skip::This => continue,
                    Skip::Quiets => {
                        // A check may be a mate, and is looked at all the same.
                        picker.stop_sorting();
                        only_checks = true;
                        continue;
                    }
                }
            }
            let extension = match self.extension::<OPEN>(here, node, m) {
                Extension::By(plies) => plies,
                Extension::Cut(score) => {
                    outcome.best = score;
                    return outcome;
                }
            };
            let extensions = self.frame(here.ply).extensions + u8::from(extension > 1);
            self.frame(here.ply + 1).extensions = extensions;
            let next = self.enter(here, m);
            let late = Late {
                depth: node.depth - 1 + extension,
                number,
                quiet,
                checks,
                history,
            };
            let score = self.one_move::<OPEN>(&next, node, alpha, &late);
            self.leave();
            if self.stopped {
                return outcome;
            }
            if score > outcome.best {
                outcome.best = score;
                if score > alpha {
                    outcome.best_move = Some(m);
                    alpha = score;
                    if OPEN {
                        self.keep_line(here.ply, m);
                    }
                    if score >= node.beta {
                        self.reward(here, node, m, quiet, &tried);
                        break;
                    }
                }
            }
            if Some(m) != outcome.best_move {
                tried.push(m, quiet);
            }
        }
        // Every move was overlooked: then it is as if nothing happened.
        if outcome.any && number == 0 {
            outcome.best = node.evaluation.unwrap_or(node.alpha);
        }
        outcome
    }

    /// Is a move not worth searching at this depth?
    fn skips<const OPEN: bool>(
        &self,
        here: &Here,
        node: &Node,
        alpha: i32,
        m: Move,
        late: &Late,
    ) -> Skip {
        let position = &here.position;
        let Late {
            depth,
            number,
            history,
            ..
        } = *late;
        if !late.quiet {
            let least = -100 * depth - history / 64;
            return match depth <= 6 && !brings(position, m, least.min(0)) {
                true => Skip::This,
                false => Skip::No,
            };
        }
        let later = (depth - reduction(depth, number) / 1024).max(0);
        if late.checks {
            return match depth <= 8 && !brings(position, m, -60 * later - 20) {
                true => Skip::This,
                false => Skip::No,
            };
        }
        let most = (4 + depth * depth) / if node.improving { 1 } else { 2 };
        if !OPEN && number > most as usize {
            return Skip::Quiets;
        }
        if let Some(evaluation) = node.evaluation
            && later <= 7
            && evaluation + 90 + 85 * later + history / 128 <= alpha
        {
            return Skip::Quiets;
        }
        match depth <= 8 && !brings(position, m, -24 * later * later - 20) {
            true => Skip::This,
            false => Skip::No,
        }
    }

    /// How much deeper a move is searched: more if it is the only good one.
    fn extension<const OPEN: bool>(&mut self, here: &Here, node: &Node, m: Move) -> Extension {
        let Some(entry) = node.known else {
            return Extension::By(0);
        };
        let candidate = node.depth >= 7
            && here.ply > 0
            && entry.best == Some(m)
            && entry.depth >= node.depth - 3
            && entry.bound != Bound::Upper
            && !is_mate(entry.score);
        if !candidate {
            return Extension::By(0);
        }
        let bound = entry.score - 2 * node.depth;
        self.frame(here.ply).excluded = Some(m);
        let score = self.search::<false>(here, bound - 1, bound, (node.depth - 1) / 2, node.cut);
        self.frame(here.ply).excluded = None;
        // The killers and the evaluation of this half-move are still those of this position.
        if score < bound {
            let twice = !OPEN && score < bound - 20 && self.frame(here.ply).extensions < 6;
            Extension::By(1 + i32::from(twice))
        } else if bound >= node.beta && !OPEN {
            // Another move is good enough too.
            Extension::Cut(bound)
        } else if entry.score >= node.beta {
            Extension::By(-1)
        } else {
            Extension::By(0)
        }
    }

    /// The score of a position after a move.
    fn one_move<const OPEN: bool>(
        &mut self,
        next: &Here,
        node: &Node,
        alpha: i32,
        late: &Late,
    ) -> i32 {
        let depth = late.depth;
        let mut score = alpha + 1;
        if late.number == 1 && OPEN {
            return -self.search::<true>(next, -node.beta, -alpha, depth, false);
        }
        let mut full = true;
        if node.depth >= 3 && late.number > 1 + usize::from(OPEN) {
            let less = Self::reduction::<OPEN>(node, late);
            let reduced = (depth - less).clamp(1.min(depth), depth.max(1));
            if reduced < depth {
                score = -self.search::<false>(next, -alpha - 1, -alpha, reduced, true);
                full = score > alpha;
            }
        }
        if full {
            let cut = !node.cut;
            score = -self.search::<false>(next, -alpha - 1, -alpha, depth, cut);
        }
        if OPEN && score > alpha {
            score = -self.search::<true>(next, -node.beta, -alpha, depth, false);
        }
        score
    }

    /// How much less deep a late move is searched.
    fn reduction<const OPEN: bool>(node: &Node, late: &Late) -> i32 {
        let mut less = reduction(node.depth, late.number);
        if !late.quiet {
            less /= 2;
        }
        if OPEN || node.known.is_some_and(|entry| entry.open) {
            less -= 1024;
        }
        if node.cut {
            less += 1024;
        }
        if !node.improving {
            less += 512;
        }
        if node.in_check || late.checks {
            less -= 1024;
        }
        less -= late.history / 10;
        less / 1024
    }

    /// Remembers a move that was good enough, and those that were tried before it in vain.
    fn reward(&mut self, here: &Here, node: &Node, m: Move, quiet: bool, tried: &Tried) {
        let bonus = bonus(node.depth);
        let turn = here.position.turn();
        if quiet {
            let killers = &mut self.frame(here.ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            let histories = &mut self.memory.histories;
            histories.reward_quiet(&node.context, m, bonus);
            for &other in tried.quiets() {
                histories.reward_quiet(&node.context, other, -bonus);
            }
        } else {
            let taken = captured(&here.position, m);
            let histories = &mut self.memory.histories;
            histories.reward_capture(turn, m, taken, bonus);
        }
        for &other in tried.captures() {
            let taken = captured(&here.position, other);
            let histories = &mut self.memory.histories;
            histories.reward_capture(turn, other, taken, -bonus);
        }
    }

    /// Keeps the result in the table, and learns from it how good the evaluation was.
    fn conclude<const OPEN: bool>(
        &mut self,
        here: &Here,
        node: &Node,
        outcome: &Outcome,
        raw: Option<i32>,
    ) {
        let best = outcome.best;
        let bound = if best >= node.beta {
            Bound::Lower
        } else if OPEN && outcome.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(evaluation) = node.evaluation {
            let quiet = outcome
                .best_move
                .is_none_or(|m| is_quiet(&here.position, m));
            let telling = match bound {
                Bound::Exact => true,
                Bound::Lower => best > evaluation,
                Bound::Upper => best < evaluation,
            };
            if quiet && telling && !is_mate(best) {
                let turn = here.position.turn();
                let short = best - evaluation;
                self.memory
                    .histories
                    .correct(turn, &here.state, short, node.depth);
            }
        }
        let entry = Entry {
            best: outcome.best_move,
            score: best,
            evaluation: raw,
            depth: node.depth,
            bound,
            open: OPEN || node.known.is_some_and(|entry| entry.open),
        };
        let key = here.position.key();
        self.shared.table.store(key, here.ply, entry);
    }
}

/// What is done with a move that is not worth searching.
enum Skip {
    No,
    This,
    /// Nor is any quiet move after it.
    Quiets,
}

enum Extension {
    By(i32),
    /// The node is done with.
    Cut(i32),
}

/// A move among others.
struct Late {
    depth: i32,
    number: usize,
    quiet: bool,
    /// Whether the piece that moves gives check.
    checks: bool,
    history: i32,
}

/// The squares from which each kind of piece gives check.
struct Checks([Bitboard; 6]);

impl Checks {
    fn new(position: &Position) -> Checks {
        let board = position.board();
        let Some(king) = board.king(!position.turn()) else {
            return Checks([Bitboard::EMPTY; 6]);
        };
        let occupied = board.occupied();
        let (straight, diagonal) = (
            attacks::rook(king, occupied),
            attacks::bishop(king, occupied),
        );
        Checks([
            attacks::pawn(!position.turn(), king),
            attacks::knight(king),
            diagonal,
            straight,
            straight | diagonal,
            Bitboard::EMPTY,
        ])
    }

    fn has(&self, m: Move) -> bool {
        let role = m.promotion().unwrap_or(m.role());
        self.0[role as usize].contains(m.to())
    }
}

/// The moves that were tried in vain, the first of them at least.
#[derive(Default)]
struct Tried {
    quiets: [Option<Move>; 32],
    captures: [Option<Move>; 16],
    quiet_count: usize,
    capture_count: usize,
}

impl Tried {
    fn push(&mut self, m: Move, quiet: bool) {
        let (list, count) = match quiet {
            true => (&mut self.quiets[..], &mut self.quiet_count),
            false => (&mut self.captures[..], &mut self.capture_count),
        };
        if let Some(slot) = list.get_mut(*count) {
            *slot = Some(m);
            *count += 1;
        }
    }

    fn quiets(&self) -> impl Iterator<Item = &Move> {
        self.quiets[..self.quiet_count].iter().flatten()
    }

    fn captures(&self) -> impl Iterator<Item = &Move> {
        self.captures[..self.capture_count].iter().flatten()
    }
}

/// What the side to move has beside pawns and king.
fn pieces(position: &Position) -> Bitboard {
    let board = position.board();
    let others = board.by_role(Role::Pawn) | board.by_role(Role::King);
    board.by_color(position.turn()) - others
}
