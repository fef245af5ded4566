//! Moves in two bytes, and a list of them that needs no allocation.

use core::fmt;
use core::num::NonZeroU16;
use core::ops::Deref;

use crate::{CastlingSide, Color, Role, Square};

/// A move in a position: its two squares and its kind.
///
/// Castling is stored as the king taking its own rook, so [`Move::to`] is the rook's square and Chess960 needs
/// nothing else. A move means nothing without its position. Moves come from the position's generator, from its
/// parsers, or from [`Move::from_bits`] checked by [`Position::is_legal`](crate::Position::is_legal).
///
/// ```
/// use tabiya_rules::{Position, Role};
///
/// let start = Position::start();
/// let m = start.parse_san("Nf3")?;
/// assert_eq!(m.role(), Role::Knight);
/// assert_eq!(start.uci(m).to_string(), "g1f3");
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// What a move does beyond going from one square to another. The plain kinds name the piece, so that playing a move
/// does not have to look it up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub(crate) enum Kind {
    Pawn = 1,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    DoublePush,
    EnPassant,
    Castle,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
}

impl Kind {
    const ALL: [Kind; 13] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::King,
        Kind::DoublePush,
        Kind::EnPassant,
        Kind::Castle,
        Kind::PromoteKnight,
        Kind::PromoteBishop,
        Kind::PromoteRook,
        Kind::PromoteQueen,
    ];

    /// Returns the kind of an ordinary move of that role.
    #[inline]
    pub(crate) const fn plain(role: Role) -> Kind {
        Kind::ALL[role as usize]
    }

    /// Returns the kind of a promotion; `None` for a role that a pawn cannot promote to.
    #[inline]
    pub(crate) const fn promotion(role: Role) -> Option<Kind> {
        match role {
            Role::Knight => Some(Kind::PromoteKnight),
            Role::Bishop => Some(Kind::PromoteBishop),
            Role::Rook => Some(Kind::PromoteRook),
            Role::Queen => Some(Kind::PromoteQueen),
            Role::Pawn | Role::King => None,
        }
    }
}

/// The moving piece before and after the move, by kind. A table, because a branch on the kind would be mispredicted.
static ROLES: [(Role, Role); 16] = roles();

const fn roles() -> [(Role, Role); 16] {
    let mut table = [(Role::Pawn, Role::Pawn); 16];
    let mut i = 0;
    while i < Kind::ALL.len() {
        let kind = Kind::ALL[i];
        table[kind as usize] = match kind {
            Kind::Pawn | Kind::DoublePush | Kind::EnPassant => (Role::Pawn, Role::Pawn),
            Kind::Knight => (Role::Knight, Role::Knight),
            Kind::Bishop => (Role::Bishop, Role::Bishop),
            Kind::Rook => (Role::Rook, Role::Rook),
            Kind::Queen => (Role::Queen, Role::Queen),
            Kind::King | Kind::Castle => (Role::King, Role::King),
            Kind::PromoteKnight => (Role::Pawn, Role::Knight),
            Kind::PromoteBishop => (Role::Pawn, Role::Bishop),
            Kind::PromoteRook => (Role::Pawn, Role::Rook),
            Kind::PromoteQueen => (Role::Pawn, Role::Queen),
        };
        i += 1;
    }
    table
}

impl Move {
    #[inline(always)]
    pub(crate) const fn new(kind: Kind, from: Square, to: Square) -> Move {
        Move::pack(kind, from as u32, to as u32)
    }

    #[inline(always)]
    pub(crate) const fn pack(kind: Kind, from: u32, to: u32) -> Move {
        let bits = (kind as u16) << 12 | (from as u16 & 63) << 6 | to as u16 & 63;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // No kind is 0, so neither are the bits.
            None => Move(NonZeroU16::MAX),
        }
    }

    /// Returns the square the piece leaves.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32 >> 6 & 63)
    }

    /// Returns the square the piece goes to; for castling, the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0.get() as u32 & 63)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> Kind {
        match self.0.get() >> 12 {
            1 => Kind::Pawn,
            2 => Kind::Knight,
            3 => Kind::Bishop,
            4 => Kind::Rook,
            5 => Kind::Queen,
            6 => Kind::King,
            7 => Kind::DoublePush,
            8 => Kind::EnPassant,
            9 => Kind::Castle,
            10 => Kind::PromoteKnight,
            11 => Kind::PromoteBishop,
            12 => Kind::PromoteRook,
            // The constructors allow no other value.
            _ => Kind::PromoteQueen,
        }
    }

    /// Returns the moving piece, and the piece on the target square afterwards, which differ for a promotion.
    #[inline(always)]
    pub(crate) const fn roles(self) -> (Role, Role) {
        ROLES[self.0.get() as usize >> 12]
    }

    /// Returns whether the move is of this kind.
    #[inline(always)]
    const fn is(self, kind: Kind) -> bool {
        self.0.get() >> 12 == kind as u16
    }

    /// Returns whether the move only takes a piece from one square to another.
    #[inline(always)]
    pub(crate) const fn is_plain(self) -> bool {
        self.0.get() >> 12 <= Kind::King as u16
    }

    /// Returns the index of the moving piece and its origin in a table by color, kind and square. The kinds of plain
    /// moves are the numbers of the roles plus one, so each color has eight rows of squares.
    #[inline(always)]
    pub(crate) const fn piece_square_index(self, color: Color) -> usize {
        (self.0.get() >> 6) as usize % 512 + 512 * color as usize
    }

    /// Returns the piece that moves.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        self.roles().0
    }

    /// Returns the role that the pawn promotes to, if this is a promotion.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            Kind::PromoteKnight => Some(Role::Knight),
            Kind::PromoteBishop => Some(Role::Bishop),
            Kind::PromoteRook => Some(Role::Rook),
            Kind::PromoteQueen => Some(Role::Queen),
            _ => None,
        }
    }

    /// Returns whether this is a castling move.
    #[inline]
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.is(Kind::Castle)
    }

    /// Returns the side it castles to, if this is a castling move.
    #[must_use]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if self.is_castle() {
            Some(CastlingSide::of(self.from(), self.to()))
        } else {
            None
        }
    }

    /// Returns whether this is an en passant capture.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.is(Kind::EnPassant)
    }

    /// Returns whether this is a pawn's two-square advance.
    #[inline]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.is(Kind::DoublePush)
    }

    /// Returns the square of the moving piece after the move: [`Move::to`], except for castling, where it is the
    /// king's target on the c-file or g-file.
    #[must_use]
    pub const fn destination(self) -> Square {
        match self.castling_side() {
            // The rank is the king's; only the file depends on the side.
            Some(side) => {
                let file = side.king_target(Color::White).file();
                Square::new(file, self.from().rank())
            }
            None => self.to(),
        }
    }

    /// Returns the move as 16 bits, which are never 0, for tables and files.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the move that these bits describe, if they describe one. Check it with
    /// [`Position::is_legal`](crate::Position::is_legal) before playing it.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let kind = bits >> 12;
        if kind == 0 || kind > Kind::PromoteQueen as u16 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({} {:?} {})", self.from(), self.kind(), self.to())
    }
}

/// How many moves a [`MoveList`] can hold. No reachable position has more than 218, and
/// validation refuses a position that could have more than this.
pub const MAX_MOVES: usize = 256;

/// How many moves are written at once.
const BLOCK: usize = 4;

/// A list with room for the moves of any position, stored without allocation.
///
/// ```
/// use tabiya_rules::{Position, Role};
///
/// let moves = Position::start().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert_eq!(moves.iter().filter(|m| m.role() == Role::Knight).count(), 4);
/// ```
#[derive(Clone)]
pub struct MoveList {
    length: usize,
    moves: [Move; MAX_MOVES + BLOCK],
}

impl MoveList {
    /// Creates an empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList {
            length: 0,
            moves: [Move(NonZeroU16::MAX); MAX_MOVES + BLOCK],
        }
    }

    /// Adds a move. A full list stays unchanged; validation refuses positions that could fill it.
    #[inline]
    pub fn push(&mut self, m: Move) {
        if self.length < MAX_MOVES
            && let Some(place) = self.moves.get_mut(self.length)
        {
            *place = m;
            self.length += 1;
        }
    }

    /// Adds a move for each bit of a set.
    ///
    /// Moves are written in blocks, past the end of the list if necessary: the CPU cannot predict how many moves a
    /// piece has, but one or two blocks are usually enough, which it can predict.
    #[inline(always)]
    pub(crate) fn push_each(&mut self, mut targets: u64, make: impl Fn(u32) -> Move) {
        let end = self.length + targets.count_ones() as usize;
        let mut start = self.length;
        while targets != 0 {
            let Some(block) = self.moves.get_mut(start..start + BLOCK) else {
                return;
            };
            for place in block {
                *place = make(targets.trailing_zeros());
                targets &= targets.wrapping_sub(1);
            }
            start += BLOCK;
        }
        self.length = end;
    }

    /// Keeps the moves that satisfy a condition, in their order.
    pub(crate) fn retain(&mut self, keep: impl Fn(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.length {
            let m = self.moves[i];
            if keep(m) {
                self.moves[kept] = m;
                kept += 1;
            }
        }
        self.length = kept;
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.moves.get(..self.length).unwrap_or(&[])
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        **self == **other
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = core::iter::Take<core::array::IntoIter<Move, { MAX_MOVES + BLOCK }>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.length)
    }
}
