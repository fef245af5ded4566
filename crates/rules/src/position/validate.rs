//! From a raw setup to a position: collects every fault; some can be waived.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::BitOr;

use super::Position;
use crate::cpu::{self, Sliders, Task};
use crate::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, File, MAX_MOVES, Rank, Role, Setup, Square,
    attacks,
};

/// A fault that keeps a setup from being a valid position, with the sides and squares involved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum SetupErrorKind {
    /// A side has no king.
    MissingKing {
        /// The side.
        color: Color,
    },
    /// A side has several kings.
    TooManyKings {
        /// The side.
        color: Color,
        /// Where they stand.
        squares: Bitboard,
    },
    /// Pawns stand on the first or eighth rank.
    PawnOnBackRank {
        /// The squares of the pawns.
        squares: Bitboard,
    },
    /// The side to move could capture the king.
    OpponentInCheck {
        /// The pieces that attack it.
        checkers: Bitboard,
    },
    /// A castling right whose king or rook is missing.
    Castling {
        /// The side that has the right.
        color: Color,
        /// The side of the board.
        side: CastlingSide,
        /// Where the rook should stand.
        rook: Square,
    },
    /// An en passant square that no two-square move explains.
    EnPassant {
        /// The square.
        square: Square,
    },
    /// Checkers that no single move could have produced.
    ImpossibleCheck {
        /// Where they stand.
        checkers: Bitboard,
    },
    /// A side has more promoted pieces than missing pawns, and so perhaps more than sixteen pieces.
    Material {
        /// The side.
        color: Color,
    },
    /// The position could have more than [`MAX_MOVES`] moves.
    TooManyMoves,
}

/// The squares of a set with commas, and "and" before the last.
struct SquareWords(Bitboard);

impl fmt::Display for SquareWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.last();
        for (index, square) in self.0.into_iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if Some(square) == last => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SetupErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupErrorKind::MissingKing { color } => write!(f, "{color} has no king"),
            SetupErrorKind::TooManyKings { color, squares } => {
                let squares = SquareWords(squares);
                write!(f, "{color} has more than one king, on {squares}")
            }
            SetupErrorKind::PawnOnBackRank { squares } => {
                let squares = SquareWords(squares);
                write!(f, "a pawn stands on the first or eighth rank, on {squares}")
            }
            SetupErrorKind::OpponentInCheck { checkers } => {
                let checkers = SquareWords(checkers);
                write!(
                    f,
                    "the side that is not to move is in check from {checkers}"
                )
            }
            SetupErrorKind::Castling { color, side, rook } => {
                let wing = match side {
                    CastlingSide::King => "kingside",
                    CastlingSide::Queen => "queenside",
                };
                write!(
                    f,
                    "{color}'s right to castle {wing} has no king and rook on their squares (rook on {rook})"
                )
            }
            SetupErrorKind::EnPassant { square } => {
                write!(f, "no pawn can have passed {square} just now")
            }
            SetupErrorKind::ImpossibleCheck { checkers } => {
                let checkers = SquareWords(checkers);
                write!(f, "no move can have given this check from {checkers}")
            }
            SetupErrorKind::Material { color } => {
                write!(f, "{color} has more pieces than promotions can explain")
            }
            SetupErrorKind::TooManyMoves => f.write_str(
                "with this many pieces a side could have more moves than a move list holds",
            ),
        }
    }
}

/// The kinds of faults, one bit each: those found, and those waived.
mod fault {
    pub(super) const MISSING_KING: u16 = 1 << 0;
    pub(super) const TOO_MANY_KINGS: u16 = 1 << 1;
    pub(super) const PAWN_ON_BACK_RANK: u16 = 1 << 2;
    pub(super) const OPPONENT_IN_CHECK: u16 = 1 << 3;
    pub(super) const CASTLING: u16 = 1 << 4;
    pub(super) const EN_PASSANT: u16 = 1 << 5;
    pub(super) const IMPOSSIBLE_CHECK: u16 = 1 << 6;
    pub(super) const MATERIAL: u16 = 1 << 7;
    pub(super) const TOO_MANY_MOVES: u16 = 1 << 8;
}

/// Faults to ignore when a setup becomes a position. An invalid castling right or en passant square is then dropped;
/// everything else is kept.
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
    /// Ignores nothing.
    pub const NONE: Waivers = Waivers(0);
    /// Allows a side without a king: it is never in check and moves freely.
    pub const MISSING_KING: Waivers = Waivers(fault::MISSING_KING);
    /// Allows pawns on the first and eighth ranks.
    pub const BACK_RANK_PAWNS: Waivers = Waivers(fault::PAWN_ON_BACK_RANK);
    /// Allows checks that no move can have given.
    pub const IMPOSSIBLE_CHECK: Waivers = Waivers(fault::IMPOSSIBLE_CHECK);
    /// Allows any number of pieces, as long as the move list cannot overflow.
    pub const MATERIAL: Waivers = Waivers(fault::MATERIAL);
    /// Drops castling rights that do not fit.
    pub const CASTLING: Waivers = Waivers(fault::CASTLING);
    /// Drops an en passant square that does not fit.
    pub const EN_PASSANT: Waivers = Waivers(fault::EN_PASSANT);
    /// Ignores everything that can be ignored.
    pub const ALL: Waivers = Waivers(
        Waivers::MISSING_KING.0
            | Waivers::BACK_RANK_PAWNS.0
            | Waivers::IMPOSSIBLE_CHECK.0
            | Waivers::MATERIAL.0
            | Waivers::CASTLING.0
            | Waivers::EN_PASSANT.0,
    );

    /// Returns what either of them ignores; the same as `|`.
    #[must_use]
    pub const fn union(self, other: Waivers) -> Waivers {
        Waivers(self.0 | other.0)
    }
}

impl BitOr for Waivers {
    type Output = Waivers;

    fn bitor(self, other: Waivers) -> Waivers {
        self.union(other)
    }
}

/// A setup that is not a valid position, with all its faults. The error gives the setup back, so that it can be fixed.
///
/// ```
/// use tabiya_rules::{Color, Setup, SetupErrorKind};
///
/// let setup = Setup::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1")?;
/// let error = setup.position().unwrap_err();
/// assert_eq!(error.kinds().next(), Some(SetupErrorKind::MissingKing { color: Color::Black }));
/// assert!(error.to_string().contains("Black has no king"));
/// # Ok::<(), tabiya_rules::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The setup as it was.
    pub setup: Setup,
    faults: u16,
}

impl SetupError {
    /// Returns all faults, the gravest first.
    ///
    /// ```
    /// use tabiya_rules::{Color, Setup, SetupErrorKind};
    ///
    /// let error = Setup::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1")?.position().unwrap_err();
    /// assert!(error.kinds().eq([SetupErrorKind::MissingKing { color: Color::Black }]));
    /// assert_eq!(error.to_string(), "impossible position: Black has no king");
    /// # Ok::<(), tabiya_rules::FenError>(())
    /// ```
    pub fn kinds(&self) -> impl Iterator<Item = SetupErrorKind> + use<> {
        let (setup, board) = (&self.setup, &self.setup.board);
        let mut kinds = Vec::new();
        let found = |fault: u16| self.faults & fault != 0;
        for color in Color::ALL {
            let squares = board.pieces(color, Role::King);
            if found(fault::MISSING_KING) && squares.is_empty() {
                kinds.push(SetupErrorKind::MissingKing { color });
            }
            if found(fault::TOO_MANY_KINGS) && squares.has_several() {
                kinds.push(SetupErrorKind::TooManyKings { color, squares });
            }
        }
        if found(fault::PAWN_ON_BACK_RANK) {
            let squares = board.by_role(Role::Pawn) & Bitboard::BACK_RANKS;
            kinds.push(SetupErrorKind::PawnOnBackRank { squares });
        }
        if found(fault::OPPONENT_IN_CHECK) {
            let kings = board.pieces(!setup.turn, Role::King).into_iter();
            let checkers = kings.fold(Bitboard::EMPTY, |checkers, king| {
                checkers | board.attackers(king, setup.turn)
            });
            kinds.push(SetupErrorKind::OpponentInCheck { checkers });
        }
        if found(fault::CASTLING) {
            let unfit = setup.castling_rooks - setup.rooks_that_could_castle();
            kinds.extend(unfit.into_iter().map(|rook| setup.unfit_castling(rook)));
        }
        if let Some(square) = setup.en_passant.filter(|_| found(fault::EN_PASSANT)) {
            kinds.push(SetupErrorKind::EnPassant { square });
        }
        if let Some(king) = board
            .king(setup.turn)
            .filter(|_| found(fault::IMPOSSIBLE_CHECK))
        {
            let checkers = board.attackers(king, !setup.turn);
            kinds.push(SetupErrorKind::ImpossibleCheck { checkers });
        }
        if found(fault::MATERIAL) {
            let colors = Color::ALL.into_iter();
            let excessive = colors.filter(|&color| excess(surplus(board, color)) > 0);
            kinds.extend(excessive.map(|color| SetupErrorKind::Material { color }));
        }
        if found(fault::TOO_MANY_MOVES) {
            kinds.push(SetupErrorKind::TooManyMoves);
        }
        kinds.into_iter()
    }
}

impl fmt::Display for SetupError {
    /// Writes all faults in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: ")?;
        for (number, kind) in self.kinds().enumerate() {
            if number > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{kind}")?;
        }
        Ok(())
    }
}

impl Error for SetupError {}

impl Setup {
    /// Turns the setup into a position, if the rules allow it.
    ///
    /// # Errors
    /// Fails with the setup and all its faults.
    pub fn position(self) -> Result<Position, SetupError> {
        self.position_waiving(Waivers::NONE)
    }

    /// Turns the setup into a position, ignoring some of its faults.
    ///
    /// # Errors
    /// Fails with the setup and the faults that are left.
    pub fn position_waiving(self, waivers: Waivers) -> Result<Position, SetupError> {
        self.validated(waivers, Position::piece_key(&self.board))
    }

    /// Like [`Setup::position_waiving`], given the pieces' part of the key.
    ///
    /// Takes the setup by reference and builds the position where it is returned, because copying a board that was just
    /// written is slow.
    #[inline]
    pub(crate) fn validated(
        &self,
        waivers: Waivers,
        piece_key: u64,
    ) -> Result<Position, SetupError> {
        let mut faults = self.faults_of_board();
        let mut fitting = self.castling_rooks;
        if !fitting.is_empty() {
            fitting &= self.rooks_that_could_castle();
            if fitting != self.castling_rooks {
                faults |= fault::CASTLING;
            }
        }
        let en_passant = self
            .en_passant
            .filter(|&square| self.fits_en_passant(square));
        if en_passant != self.en_passant {
            faults |= fault::EN_PASSANT;
        }
        if self.has_impossible_check(en_passant) {
            faults |= fault::IMPOSSIBLE_CHECK;
        }
        faults &= !waivers.0;
        if faults != 0 {
            return Err(SetupError {
                setup: *self,
                faults,
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
            capturable_file: None,
            mode: self.mode,
        };
        if fitting.0 != 0 && !castling_is_standard(&self.board, fitting) {
            position.mode = CastlingMode::Chess960;
        }
        if let Some(square) = en_passant
            && !position.en_passant_captors(square).is_empty()
        {
            position.capturable_file = Some(square.file());
        }
        Ok(position)
    }

    /// Returns whether all castling rights are those of standard chess: kings on the e-file, rooks in the corners.
    #[must_use]
    pub fn has_standard_castling(&self) -> bool {
        castling_is_standard(&self.board, self.castling_rooks)
    }

    fn faults_of_board(&self) -> u16 {
        let mut faults = cpu::run(MaterialFaults(&self.board));
        for color in Color::ALL {
            match self.board.pieces(color, Role::King).count() {
                0 => faults |= fault::MISSING_KING,
                1 => {}
                _ => faults |= fault::TOO_MANY_KINGS,
            }
        }
        if !(self.board.by_role(Role::Pawn) & Bitboard::BACK_RANKS).is_empty() {
            faults |= fault::PAWN_ON_BACK_RANK;
        }
        let opponents = self.board.pieces(!self.turn, Role::King);
        if opponents
            .into_iter()
            .any(|king| !self.board.attackers(king, self.turn).is_empty())
        {
            faults |= fault::OPPONENT_IN_CHECK;
        }
        faults
    }

    /// Returns the rooks that could castle: on their king's back rank, and at most one on each side.
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

    /// Returns the fault of a rook that has a castling right but cannot castle.
    fn unfit_castling(&self, rook: Square) -> SetupErrorKind {
        let color = if rook.rank() <= Rank::Fourth {
            Color::White
        } else {
            Color::Black
        };
        let home = self.board.pieces(color, Role::King) & Bitboard::back_rank(color);
        let king = home.first().unwrap_or(Square::new(File::E, rook.rank()));
        SetupErrorKind::Castling {
            color,
            side: CastlingSide::of(king, rook),
            rook,
        }
    }

    /// Returns whether a pawn can have just passed the square: the pawn stands in front of it, and both the square and
    /// the one the pawn came from are empty.
    fn fits_en_passant(&self, square: Square) -> bool {
        let pusher = !self.turn;
        let Some((origin, pawn)) = double_push(square, pusher) else {
            return false;
        };
        let empty = !self.board.occupied();
        self.board.pieces(pusher, Role::Pawn).contains(pawn)
            && empty.contains(square)
            && empty.contains(origin)
    }

    /// Returns whether no single move explains the checks: three checkers, two that do not slide, two on one line, or,
    /// after a two-square move, one that was there before it.
    fn has_impossible_check(&self, en_passant: Option<Square>) -> bool {
        let Some(king) = self.board.king(self.turn) else {
            return false;
        };
        let checkers = self.board.attackers(king, !self.turn);
        if checkers.is_empty() {
            return false;
        }
        if let Some((origin, pawn)) = en_passant.and_then(|square| double_push(square, !self.turn))
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
    /// Creates a position from parts of this one, which are valid by construction.
    pub(super) fn rebuilt(&self, setup: Setup) -> Position {
        let mode = setup.mode;
        let mut position = setup.position_waiving(Waivers::ALL).unwrap_or(*self);
        position.mode = mode;
        position
    }
}

/// Returns whether the rights can be written as in standard chess: kings and rooks on their squares.
fn castling_is_standard(board: &Board, rooks: Bitboard) -> bool {
    Color::ALL.into_iter().all(|color| {
        let rooks = rooks & Bitboard::back_rank(color);
        let corners = CastlingSide::ALL.map(|side| side.standard_rook(color));
        rooks.is_empty()
            || rooks.is_subset_of(Bitboard::from_iter(corners))
                && board.king(color).map(Square::file) == Some(File::E)
    })
}

/// No reachable position is known to have more moves. A few more are possible on boards without a king, far from
/// [`MAX_MOVES`].
const MAX_MOVES_IN_PLAY: u32 = 218;

/// Each role with the number that a side starts with and the most squares one can ever go to, the fewest first. A pawn
/// counts as the queen it may become.
const SURPLUS: [(Role, u32, u32); 5] = [
    (Role::Knight, 2, 8),
    (Role::Bishop, 2, 13),
    (Role::Rook, 2, 14),
    (Role::Queen, 1, 27),
    (Role::Pawn, 0, 27),
];

/// The faults of a side that has more promoted pieces and pawns than the eight pawns it started with.
///
/// A task, because it counts bits.
struct MaterialFaults<'a>(&'a Board);

impl Task for MaterialFaults<'_> {
    type Output = u16;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> u16 {
        let mut faults = 0;
        for color in Color::ALL {
            let surplus = surplus(self.0, color);
            let excess = excess(surplus);
            if excess > 0 {
                faults |= fault::MATERIAL;
                if most_moves(surplus, excess) > MAX_MOVES as u32 {
                    faults |= fault::TOO_MANY_MOVES;
                }
            }
        }
        faults
    }
}

/// Returns how many pieces of each kind a side has beyond those it starts with.
#[inline(always)]
fn surplus(board: &Board, color: Color) -> [u32; SURPLUS.len()] {
    let mut surplus = [0; SURPLUS.len()];
    for (count, (role, at_start, _)) in surplus.iter_mut().zip(SURPLUS) {
        *count = board.pieces(color, role).count().saturating_sub(at_start);
    }
    surplus
}

/// Returns how many pieces of a surplus eight pawns cannot explain.
#[inline(always)]
fn excess(surplus: [u32; SURPLUS.len()]) -> u32 {
    surplus.iter().sum::<u32>().saturating_sub(8)
}

/// Returns an upper bound on the moves of a side. Without its excess pieces it has at most [`MAX_MOVES_IN_PLAY`]; each
/// excess piece adds at most the targets of its role.
#[cold]
fn most_moves(surplus: [u32; SURPLUS.len()], mut excess: u32) -> u32 {
    let mut most = MAX_MOVES_IN_PLAY;
    for ((_, _, targets), surplus) in SURPLUS.into_iter().zip(surplus) {
        let taken = excess.min(surplus);
        most += taken * targets;
        excess -= taken;
    }
    most
}

/// Returns where a pawn that passed a square by a double push came from, and where it stands now.
fn double_push(passed: Square, pusher: Color) -> Option<(Square, Square)> {
    if passed.rank().relative_to(pusher) != Rank::Third {
        return None;
    }
    let ahead = if pusher.is_white() { 1 } else { -1 };
    Some((passed.offset(0, -ahead)?, passed.offset(0, ahead)?))
}
