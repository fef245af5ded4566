//! What happens to the moves that the generator finds: they are counted, listed or forwarded in sets.

use core::ops::ControlFlow;

use crate::moves::Kind;
use crate::{Bitboard, Move, MoveList, Role, Square};

/// The moves of one piece, as a set of target squares.
///
/// A pawn that reaches the last rank has four moves for each target; iterating yields all of them.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_rules::{MoveFilter, Position};
///
/// let mut moves = 0;
/// let _ = Position::start().visit_moves(MoveFilter::ALL, |set| {
///     moves += set.len();
///     ControlFlow::Continue(())
/// });
/// assert_eq!(moves, 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSet {
    /// The piece.
    pub role: Role,
    /// Its square.
    pub from: Square,
    /// Where it can go. For a king this does not include castles, which come as a set of their own with
    /// [`MoveSet::castles`] set.
    pub targets: Bitboard,
    /// Whether the targets are rooks to castle with.
    pub castles: bool,
    en_passant: Option<Square>,
}

impl MoveSet {
    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        let promotions = match self.role {
            Role::Pawn => self.targets & Bitboard::BACK_RANKS,
            _ => Bitboard::EMPTY,
        };
        (self.targets.count() + 3 * promotions.count()) as usize
    }

    /// Returns whether there are no moves. The generator never hands out such a set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns an iterator over the moves.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        self.targets.into_iter().flat_map(move |to| {
            let kinds: &'static [Kind] = self.kinds(to);
            kinds
                .iter()
                .map(move |&kind| Move::new(kind, self.from, to))
        })
    }

    /// Returns the kinds of the moves to a square.
    fn kinds(&self, to: Square) -> &'static [Kind] {
        match self.role {
            Role::Pawn if Bitboard::BACK_RANKS.contains(to) => &[
                Kind::PromoteQueen,
                Kind::PromoteRook,
                Kind::PromoteBishop,
                Kind::PromoteKnight,
            ],
            Role::Pawn if self.en_passant == Some(to) && to.file() != self.from.file() => {
                &[Kind::EnPassant]
            }
            Role::Pawn if self.from.distance(to) == 2 => &[Kind::DoublePush],
            Role::Pawn => &[Kind::Pawn],
            Role::Knight => &[Kind::Knight],
            Role::Bishop => &[Kind::Bishop],
            Role::Rook => &[Kind::Rook],
            Role::Queen => &[Kind::Queen],
            Role::King if self.castles => &[Kind::Castle],
            Role::King => &[Kind::King],
        }
    }
}

/// The squares pawns can move to, by the direction they come from. En passant captures are separate.
#[derive(Clone, Copy)]
pub(super) struct PawnTargets {
    pub(super) west: u64,
    pub(super) east: u64,
    pub(super) single: u64,
    pub(super) double: u64,
}

/// Receives the moves the generator finds. Every method returns true to stop it.
pub(super) trait Sink {
    /// Whether pieces may come under another role, so that a queen can be handled as a rook and a bishop on one square.
    const COUNTS_ONLY: bool;

    fn piece(&mut self, role: Role, from: usize, targets: u64) -> bool;
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) -> bool;
    fn en_passant(&mut self, from: Square, to: Square) -> bool;
    fn castle(&mut self, king: usize, rook: Square) -> bool;
}

/// Counts moves.
pub(super) struct Count(pub(super) u32);

impl Sink for Count {
    const COUNTS_ONLY: bool = true;

    #[inline(always)]
    fn piece(&mut self, _: Role, _: usize, targets: u64) -> bool {
        self.0 += targets.count_ones();
        false
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) -> bool {
        let PawnTargets {
            west,
            east,
            single,
            double,
        } = targets;
        let last = Bitboard::BACK_RANKS.0;
        self.0 += west.count_ones() + east.count_ones();
        self.0 += single.count_ones() + double.count_ones();
        if (west | east | single) & last != 0 {
            let promotions = (west & last).count_ones()
                + (east & last).count_ones()
                + (single & last).count_ones();
            self.0 += 3 * promotions;
        }
        false
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> bool {
        self.0 += 1;
        false
    }

    #[inline(always)]
    fn castle(&mut self, _: usize, _: Square) -> bool {
        self.0 += 1;
        false
    }
}

/// Stops at the first move.
pub(super) struct Any;

impl Sink for Any {
    const COUNTS_ONLY: bool = true;

    #[inline(always)]
    fn piece(&mut self, _: Role, _: usize, targets: u64) -> bool {
        targets != 0
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) -> bool {
        targets.west | targets.east | targets.single | targets.double != 0
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> bool {
        true
    }

    #[inline(always)]
    fn castle(&mut self, _: usize, _: Square) -> bool {
        true
    }
}

/// Writes moves into a list.
pub(super) struct List<'a>(pub(super) &'a mut MoveList);

impl List<'_> {
    /// Adds moves of pawns that all take the same step.
    #[inline(always)]
    fn pawn_moves(&mut self, kind: Kind, targets: u64, step: i32) {
        self.0.push_each(targets, |to| {
            Move::pack(kind, to.wrapping_add_signed(-step), to)
        });
    }

    /// Adds four promotions for each target.
    #[inline(always)]
    fn promotions(&mut self, targets: u64, step: i32) {
        for kind in [
            Kind::PromoteQueen,
            Kind::PromoteRook,
            Kind::PromoteBishop,
            Kind::PromoteKnight,
        ] {
            self.pawn_moves(kind, targets, step);
        }
    }
}

impl Sink for List<'_> {
    const COUNTS_ONLY: bool = false;

    #[inline(always)]
    fn piece(&mut self, role: Role, from: usize, targets: u64) -> bool {
        let kind = Kind::plain(role);
        self.0
            .push_each(targets, |to| Move::pack(kind, from as u32, to));
        false
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) -> bool {
        let PawnTargets {
            west,
            east,
            single,
            double,
        } = targets;
        let last = Bitboard::BACK_RANKS.0;
        let (to_west, to_east, ahead) = if WHITE { (7, 9, 8) } else { (-9, -7, -8) };
        if (west | east | single) & last != 0 {
            self.promotions(west & last, to_west);
            self.promotions(east & last, to_east);
            self.promotions(single & last, ahead);
        }
        self.pawn_moves(Kind::Pawn, west & !last, to_west);
        self.pawn_moves(Kind::Pawn, east & !last, to_east);
        self.pawn_moves(Kind::Pawn, single & !last, ahead);
        self.pawn_moves(Kind::DoublePush, double, 2 * ahead);
        false
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> bool {
        self.0.push(Move::new(Kind::EnPassant, from, to));
        false
    }

    #[inline(always)]
    fn castle(&mut self, king: usize, rook: Square) -> bool {
        self.0
            .push(Move::pack(Kind::Castle, king as u32, rook as u32));
        false
    }
}

/// Forwards the moves, one piece at a time.
pub(super) struct Sets<F>(pub(super) F);

impl<F: FnMut(MoveSet) -> ControlFlow<()>> Sets<F> {
    fn visit_targets(&mut self, role: Role, from: u32, targets: u64) -> bool {
        self.visit_set(MoveSet {
            role,
            from: Square::from_low_bits(from),
            targets: Bitboard(targets),
            castles: false,
            en_passant: None,
        })
    }

    fn visit_set(&mut self, set: MoveSet) -> bool {
        (self.0)(set).is_break()
    }
}

impl<F: FnMut(MoveSet) -> ControlFlow<()>> Sink for Sets<F> {
    const COUNTS_ONLY: bool = false;

    #[inline(always)]
    fn piece(&mut self, role: Role, from: usize, targets: u64) -> bool {
        self.visit_targets(role, from as u32, targets)
    }

    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) -> bool {
        let PawnTargets {
            west,
            east,
            single,
            double,
        } = targets;
        let (to_west, to_east, ahead) = if WHITE { (7, 9, 8) } else { (-9, -7, -8) };
        let back = |set: u64, step: i32| {
            if step > 0 { set >> step } else { set << -step }
        };
        let forth = |set: u64, step: i32| back(set, -step);
        let mut pawns = back(west, to_west)
            | back(east, to_east)
            | back(single, ahead)
            | back(double, 2 * ahead);
        while pawns != 0 {
            let pawn = pawns & pawns.wrapping_neg();
            let reach = (forth(pawn, to_west) & west)
                | (forth(pawn, to_east) & east)
                | (forth(pawn, ahead) & single)
                | (forth(pawn, 2 * ahead) & double);
            if self.visit_targets(Role::Pawn, pawn.trailing_zeros(), reach) {
                return true;
            }
            pawns ^= pawn;
        }
        false
    }

    fn en_passant(&mut self, from: Square, to: Square) -> bool {
        self.visit_set(MoveSet {
            role: Role::Pawn,
            from,
            targets: Bitboard::of(to),
            castles: false,
            en_passant: Some(to),
        })
    }

    fn castle(&mut self, king: usize, rook: Square) -> bool {
        self.visit_set(MoveSet {
            role: Role::King,
            from: Square::from_low_bits(king as u32),
            targets: Bitboard::of(rook),
            castles: true,
            en_passant: None,
        })
    }
}
