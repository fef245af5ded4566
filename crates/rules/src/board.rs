//! Where the pieces stand, and nothing else. Any placement is allowed.

use core::fmt;

use crate::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, attacks};

/// A placement of pieces: one bitboard for each role and each color.
///
/// ```
/// use tabiya_rules::{Board, Color, Role, Square};
///
/// let mut board = Board::EMPTY;
/// board.set(Square::E4, Role::Queen.of(Color::Black));
/// assert_eq!(board.piece_at(Square::E4).map(|piece| piece.char()), Some('q'));
/// assert_eq!(board.attackers(Square::E8, Color::Black).count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) roles: [u64; 6],
    pub(crate) colors: [u64; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board {
        roles: [0; 6],
        colors: [0; 2],
    };

    /// Returns all pieces of a role, of both colors.
    #[inline]
    #[must_use]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        Bitboard(self.roles[role as usize])
    }

    /// Returns the pieces of each role, from pawn to king. Unlike `array::map`, this is inlined everywhere.
    #[inline(always)]
    pub(crate) fn by_roles(&self) -> [Bitboard; 6] {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        [
            Bitboard(pawns),
            Bitboard(knights),
            Bitboard(bishops),
            Bitboard(rooks),
            Bitboard(queens),
            Bitboard(kings),
        ]
    }

    /// Returns all pieces of a color.
    #[inline]
    #[must_use]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        Bitboard(self.colors[color as usize])
    }

    /// Returns the pieces of a color and role.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.colors[color as usize] & self.roles[role as usize])
    }

    /// Returns every square with a piece on it.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0] | self.colors[1])
    }

    /// Returns the square of a side's king, or of its first king if it has several.
    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).first()
    }

    /// Returns the role of the piece on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        let bit = 1 << square as u32;
        if (self.colors[0] | self.colors[1]) & bit == 0 {
            return None;
        }
        Some(self.role_at_bit(bit))
    }

    /// Returns the role of the piece on an occupied square.
    #[inline(always)]
    pub(crate) fn role_at_bit(&self, bit: u64) -> Role {
        Role::from_low_bits(self.role_number(bit.trailing_zeros()))
    }

    /// Returns the number of the role of the piece on an occupied square. It is computed without branches, which would be
    /// mispredicted.
    #[inline(always)]
    pub(crate) fn role_number(&self, square: u32) -> u32 {
        let [_, knights, bishops, rooks, queens, kings] = self.roles;
        // The bits of the number: the first is set for knights, rooks and kings, and so on.
        let first = (knights | rooks | kings).wrapping_shr(square) & 1;
        let second = (bishops | rooks).wrapping_shr(square) & 1;
        let third = (queens | kings).wrapping_shr(square) & 1;
        (first | second << 1 | third << 2) as u32
    }

    /// Returns the color of the piece on a square.
    #[inline]
    #[must_use]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        if self.by_color(Color::White).contains(square) {
            Some(Color::White)
        } else if self.by_color(Color::Black).contains(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// Returns the piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = self.color_at(square)?;
        let role = self.role_at_bit(1 << square as u32);
        Some(Piece { color, role })
    }

    /// Puts a piece on a square, replacing any piece there.
    #[inline]
    pub fn set(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.put(square, piece);
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        let bit = 1 << square as u32;
        self.roles[piece.role as usize] |= bit;
        self.colors[piece.color as usize] |= bit;
    }

    /// Returns the board with some squares emptied and a piece put on others; `sets` has all bits set in the bitboards
    /// the piece belongs to. One expression covers all bitboards, so that every piece takes the same few vector
    /// instructions and nothing is read back right after it was written.
    #[inline(always)]
    pub(crate) fn changed(&self, empty: u64, fill: u64, sets: &Board) -> Board {
        let change = |set: u64, mask: u64| set & !empty | fill & mask;
        let (mut roles, mut colors) = ([0; 6], [0; 2]);
        for (index, changed) in roles.iter_mut().enumerate() {
            *changed = change(self.roles[index], sets.roles[index]);
        }
        for (index, changed) in colors.iter_mut().enumerate() {
            *changed = change(self.colors[index], sets.colors[index]);
        }
        Board { roles, colors }
    }

    /// Removes and returns the piece on a square.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        let others = !(1 << square as u32);
        self.roles[piece.role as usize] &= others;
        self.colors[piece.color as usize] &= others;
        Some(piece)
    }

    /// Returns all pieces with their squares, from a1 to h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let board = *self;
        self.occupied()
            .into_iter()
            .filter_map(move |square| Some((square, board.piece_at(square)?)))
    }

    /// Returns the number of pieces of each kind that each side has.
    #[must_use]
    pub fn material(&self) -> ByColor<ByRole<u32>> {
        ByColor::from_fn(|color| ByRole::from_fn(|role| self.pieces(color, role).count()))
    }

    /// Returns the pieces of a color that attack a square, whether it is empty or occupied.
    #[must_use]
    pub fn attackers(&self, square: Square, color: Color) -> Bitboard {
        self.attackers_through(square, color, self.occupied())
    }

    /// Like [`Board::attackers`], with `occupied` as the squares that block sliding pieces.
    #[inline]
    #[must_use]
    pub fn attackers_through(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.by_roles();
        let attackers = (attacks::pawn(!color, square) & pawns)
            | (attacks::knight(square) & knights)
            | (attacks::king(square) & kings)
            | (attacks::bishop(square, occupied) & (bishops | queens))
            | (attacks::rook(square, occupied) & (rooks | queens));
        attackers & self.by_color(color)
    }

    /// Returns the squares that the piece on `square` attacks; none if the square is empty.
    #[must_use]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::of(piece.role, piece.color, square, self.occupied())
        })
    }

    /// Returns the board seen from the other side, with the colors swapped: a1 becomes a8, and White becomes Black.
    #[must_use]
    pub fn mirror(&self) -> Board {
        let [white, black] = self.colors;
        Board {
            roles: self.roles.map(u64::swap_bytes),
            colors: [black.swap_bytes(), white.swap_bytes()],
        }
    }

    /// Returns the board with left and right swapped: a1 becomes h1. The colors stay.
    #[must_use]
    pub fn flip_horizontal(&self) -> Board {
        let flip = |set: u64| Bitboard(set).flip_horizontal().0;
        Board {
            roles: self.roles.map(flip),
            colors: self.colors.map(flip),
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::EMPTY
    }
}

impl fmt::Debug for Board {
    /// Writes the placement as in a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
