//! From a raw setup to a position: every reason against it is collected, and some can be waived.

use core::error::Error;
use core::fmt;

use super::Position;
use crate::cpu::{self, Sliders, Task};
use crate::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, MAX_MOVES, Rank, Role, Setup, Square,
    attacks,
};

/// Declares the reasons with their bit, name and sentence in one place.
macro_rules! reasons {
    ($($name:ident = $bit:literal, $sentence:literal, $(#[$doc:meta])*;)*) => {
        /// A reason why a setup is no position.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Reason { $($(#[$doc])* $name),* }

        impl Reason {
            /// Every reason.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            const fn bit(self) -> u16 {
                match self { $(Reason::$name => 1 << $bit),* }
            }
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Reason::$name => $sentence),* })
            }
        }
    };
}

reasons! {
    MissingKing = 0, "a side has no king", /** A side has no king. */;
    TooManyKings = 1, "a side has more than one king", /** A side has several kings. */;
    PawnOnEndRank = 2, "a pawn stands on the first or eighth rank",
        /** A pawn stands on the first or eighth rank. */;
    OpponentInCheck = 3, "the side that is not to move is in check",
        /** The side to move could capture the king. */;
    Castling = 4, "a castling right has no king and rook on their squares",
        /** A castling right without its king or rook. */;
    EnPassant = 5, "no pawn can have passed the en passant square just now",
        /** An en passant square that no two-square move explains. */;
    ImpossibleCheck = 6, "no move can have given this check",
        /** Checkers that no single move could have brought about. */;
    Material = 7, "a side has more pieces than promotions can explain",
        /** More promoted pieces than pawns are missing, and so perhaps more than sixteen. */;
    TooManyMoves = 8, "so many pieces could have more moves than a move list holds",
        /** The position could exceed [`MAX_MOVES`]. */;
}

/// The reasons that are to be overlooked when a setup becomes a position. A castling right or an
/// en passant square that does not fit is then dropped; everything else stays as it is.
///
/// ```
/// use tabiya_rules::{Setup, Waivers};
///
/// let teaching = Setup::from_fen("8/8/8/8/8/8/8/R7 w - - 0 1")?;
/// assert!(teaching.position().is_err());
/// let position = teaching.position_waiving(Waivers::MISSING_KING)?;
/// assert_eq!(position.legal_moves().len(), 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Waivers(u16);

impl Waivers {
    /// Overlook nothing.
    pub const NONE: Waivers = Waivers(0);
    /// A side may be without a king: it is never in check and moves freely.
    pub const MISSING_KING: Waivers = Waivers(Reason::MissingKing.bit());
    /// Pawns may stand on the first and eighth ranks.
    pub const END_RANK_PAWNS: Waivers = Waivers(Reason::PawnOnEndRank.bit());
    /// Checks need no explanation.
    pub const IMPOSSIBLE_CHECK: Waivers = Waivers(Reason::ImpossibleCheck.bit());
    /// Any number of pieces, as long as the move list cannot overflow.
    pub const MATERIAL: Waivers = Waivers(Reason::Material.bit());
    /// Drop castling rights that do not fit.
    pub const CASTLING: Waivers = Waivers(Reason::Castling.bit());
    /// Drop an en passant square that does not fit.
    pub const EN_PASSANT: Waivers = Waivers(Reason::EnPassant.bit());
    /// Overlook whatever can be overlooked.
    pub const ALL: Waivers = Waivers(
        Waivers::MISSING_KING.0
            | Waivers::END_RANK_PAWNS.0
            | Waivers::IMPOSSIBLE_CHECK.0
            | Waivers::MATERIAL.0
            | Waivers::CASTLING.0
            | Waivers::EN_PASSANT.0,
    );

    /// Both.
    #[must_use]
    pub const fn and(self, other: Waivers) -> Waivers {
        Waivers(self.0 | other.0)
    }
}

/// A setup that is no position, with all the reasons. The setup comes back, to be mended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The setup as it was.
    pub setup: Setup,
    reasons: u16,
}

impl SetupError {
    /// All reasons, the gravest first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + '_ {
        let reasons = self.reasons;
        Reason::ALL
            .iter()
            .copied()
            .filter(move |reason| reasons & reason.bit() != 0)
    }

    /// Is this one of the reasons?
    #[must_use]
    pub const fn has(&self, reason: Reason) -> bool {
        self.reasons & reason.bit() != 0
    }
}

impl fmt::Display for SetupError {
    /// All reasons in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: ")?;
        for (number, reason) in self.reasons().enumerate() {
            if number > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}

impl Error for SetupError {}

impl Setup {
    /// The position this is, if the rules allow it.
    ///
    /// # Errors
    /// All reasons against it, with the setup.
    pub fn position(self) -> Result<Position, SetupError> {
        self.position_waiving(Waivers::NONE)
    }

    /// The position this is, with some reasons against it overlooked.
    ///
    /// # Errors
    /// The reasons that are left, with the setup.
    pub fn position_waiving(self, waivers: Waivers) -> Result<Position, SetupError> {
        self.validated(waivers, Position::piece_key(&self.board))
    }

    /// The same, given the part of the key that is about pieces.
    ///
    /// Takes the setup by reference and makes the position where it is returned: copies of a board
    /// that was written just now are slow.
    #[inline]
    pub(crate) fn validated(
        &self,
        waivers: Waivers,
        piece_key: u64,
    ) -> Result<Position, SetupError> {
        let mut reasons = self.reasons_of_board();
        let mut fitting = self.castling_rooks;
        if !fitting.is_empty() {
            fitting &= self.rooks_that_could_castle();
            if fitting != self.castling_rooks {
                reasons |= Reason::Castling.bit();
            }
        }
        let en_passant = self
            .en_passant
            .filter(|&square| self.fits_en_passant(square));
        if en_passant != self.en_passant {
            reasons |= Reason::EnPassant.bit();
        }
        if self.has_impossible_check(en_passant) {
            reasons |= Reason::ImpossibleCheck.bit();
        }
        reasons &= !waivers.0;
        if reasons != 0 {
            return Err(SetupError {
                setup: *self,
                reasons,
            });
        }
        let mut position = Position {
            board: self.board,
            castling: fitting.0,
            placement_key: piece_key ^ crate::zobrist::turn(self.turn),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number.get(),
            turn: self.turn,
            en_passant,
            capturable_file: 0,
            mode: self.mode,
        };
        if fitting.0 != 0 && !castling_is_standard(&self.board, fitting) {
            position.mode = CastlingMode::Chess960;
        }
        if let Some(square) = en_passant
            && !position.en_passant_captors(square).is_empty()
        {
            position.capturable_file = square.file() as u8 + 1;
        }
        Ok(position)
    }

    /// Are all castling rights those of standard chess: the king on the e file, rooks in corners?
    #[must_use]
    pub fn has_standard_castling(&self) -> bool {
        castling_is_standard(&self.board, self.castling_rooks)
    }

    fn reasons_of_board(&self) -> u16 {
        let mut reasons = 0;
        let most = cpu::run(MostMoves(&self.board));
        if most > MOST_IN_PLAY {
            reasons |= Reason::Material.bit();
        }
        if most > MAX_MOVES as u32 {
            reasons |= Reason::TooManyMoves.bit();
        }
        for color in Color::ALL {
            match self.board.pieces(color, Role::King).count() {
                0 => reasons |= Reason::MissingKing.bit(),
                1 => {}
                _ => reasons |= Reason::TooManyKings.bit(),
            }
        }
        if !(self.board.by_role(Role::Pawn) & Bitboard::BACK_RANKS).is_empty() {
            reasons |= Reason::PawnOnEndRank.bit();
        }
        let opponents = self.board.pieces(!self.turn, Role::King);
        if opponents
            .into_iter()
            .any(|king| !self.board.attackers(king, self.turn).is_empty())
        {
            reasons |= Reason::OpponentInCheck.bit();
        }
        reasons
    }

    /// The rooks that stand on their king's back rank, with at most one right to each side.
    fn rooks_that_could_castle(&self) -> Bitboard {
        let mut fitting = Bitboard::EMPTY;
        for color in Color::ALL {
            let home = Bitboard::back_rank(color);
            let Some(king) = (self.board.pieces(color, Role::King) & home).single() else {
                continue;
            };
            let rooks = self.castling_rooks & self.board.pieces(color, Role::Rook) & home;
            for side in CastlingSide::ALL {
                let of_side: Bitboard = rooks
                    .into_iter()
                    .filter(|&rook| CastlingSide::of(king, rook) == side)
                    .collect();
                if !of_side.has_several() {
                    fitting |= of_side;
                }
            }
        }
        fitting
    }

    /// Whether a pawn can have passed the square just now: it stands behind it, and the square
    /// itself and the one it came from are empty.
    fn fits_en_passant(&self, square: Square) -> bool {
        let pusher = !self.turn;
        let Some((origin, pawn)) = double_step(square, pusher) else {
            return false;
        };
        let empty = !self.board.occupied();
        self.board.pieces(pusher, Role::Pawn).contains(pawn)
            && empty.contains(square)
            && empty.contains(origin)
    }

    /// Checks that no single move explains: three checkers, two that step, two on one line, or,
    /// after a two-square move, one that was there before it.
    fn has_impossible_check(&self, en_passant: Option<Square>) -> bool {
        let Some(king) = self.board.king(self.turn) else {
            return false;
        };
        let checkers = self.board.attackers(king, !self.turn);
        if checkers.is_empty() {
            return false;
        }
        if let Some((origin, pawn)) = en_passant.and_then(|square| double_step(square, !self.turn))
        {
            let before = (self.board.occupied() - pawn) | origin;
            let already = self.board.attackers_through(king, !self.turn, before) - pawn;
            return !already.is_empty();
        }
        let mut squares = checkers.into_iter();
        match (squares.next(), squares.next(), squares.next()) {
            (_, _, Some(_)) => true,
            (Some(first), Some(second), None) => {
                let sliding = self.board.by_role(Role::Bishop)
                    | self.board.by_role(Role::Rook)
                    | self.board.by_role(Role::Queen);
                (checkers & sliding).is_empty() || attacks::line(first, second).contains(king)
            }
            _ => false,
        }
    }
}

impl Position {
    /// A position made from parts of this one, which are valid by construction.
    pub(super) fn rebuilt(&self, setup: Setup) -> Position {
        let mode = setup.mode;
        let mut position = setup.position_waiving(Waivers::ALL).unwrap_or(*self);
        position.mode = mode;
        position
    }
}

fn castling_is_standard(board: &Board, rooks: Bitboard) -> bool {
    Color::ALL.into_iter().all(|color| {
        let rooks = rooks & Bitboard::back_rank(color);
        let corners = CastlingSide::ALL.map(|side| side.standard_rook(color));
        rooks.is_empty()
            || rooks.is_subset_of(Bitboard::from_iter(corners))
                && board.king(color).map(Square::file) == Some(crate::File::E)
    })
}

/// No position that play can bring about is known to have more moves; a few more are possible on
/// boards without a king, far from [`MAX_MOVES`].
const MOST_IN_PLAY: u32 = 218;

/// Roles with how many of them a side starts with, and the most squares one can ever go to, the
/// least first. A pawn counts as the queen it may become.
const SURPLUS: [(Role, u32, u32); 5] = [
    (Role::Knight, 2, 8),
    (Role::Bishop, 2, 13),
    (Role::Rook, 2, 14),
    (Role::Queen, 1, 27),
    (Role::Pawn, 0, 27),
];

/// An upper bound of the moves either side can ever have; more than [`MOST_IN_PLAY`] exactly if a
/// side has more promoted pieces and pawns than the eight it started with. With pieces taken away
/// until the rest is possible the bound holds; each of those adds no more than the targets of its
/// kind.
///
/// A task, because it counts bits.
struct MostMoves<'a>(&'a Board);

impl Task for MostMoves<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> u32 {
        let mut most = MOST_IN_PLAY;
        for color in Color::ALL {
            let mut surplus = [0; SURPLUS.len()];
            for (count, (role, at_start, _)) in surplus.iter_mut().zip(SURPLUS) {
                *count = self.0.pieces(color, role).count().saturating_sub(at_start);
            }
            let excess = surplus.iter().sum::<u32>().saturating_sub(8);
            if excess > 0 {
                most = most.max(most_with_excess(surplus, excess));
            }
        }
        most
    }
}

#[cold]
fn most_with_excess(surplus: [u32; SURPLUS.len()], mut excess: u32) -> u32 {
    let mut most = MOST_IN_PLAY;
    for ((_, _, targets), surplus) in SURPLUS.into_iter().zip(surplus) {
        let taken = excess.min(surplus);
        most += taken * targets;
        excess -= taken;
    }
    most
}

/// Where a pawn that passed a square came from, and where it stands now.
fn double_step(passed: Square, pusher: Color) -> Option<(Square, Square)> {
    if passed.rank().relative_to(pusher) != Rank::Third {
        return None;
    }
    let ahead = if pusher.is_white() { 1 } else { -1 };
    Some((passed.offset(0, -ahead)?, passed.offset(0, ahead)?))
}
