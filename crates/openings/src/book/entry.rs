//! An entry of a Polyglot book: sixteen bytes, in big-endian order.

use tabiya_rules::{Move, Position, Role, Square, UciMove};

/// A move as in Polyglot books: origin, destination and promotion. Castling is the king's move onto its rook's square.
///
/// Not every number is a move, and only a position decides whether it is legal; see [`RawMove::resolve`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RawMove(pub u16);

impl RawMove {
    /// A move in the form of books.
    #[must_use]
    pub fn new(m: Move) -> RawMove {
        let promotion = match m.promotion() {
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(Role::Queen) => 4,
            Some(Role::Pawn | Role::King) | None => 0,
        };
        RawMove(m.to().index() as u16 | (m.from().index() as u16) << 6 | promotion << 12)
    }

    /// The move in a position, if it is legal there. Castling may also be the king's move of two squares.
    #[must_use]
    pub fn resolve(self, position: &Position) -> Option<Move> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 63));
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return None,
        };
        let uci = UciMove::Normal {
            from: square(self.0 >> 6)?,
            to: square(self.0)?,
            promotion,
        };
        position.resolve_uci(uci).ok()
    }
}

/// An entry of a Polyglot book: a move for a position.
///
/// ```
/// use tabiya_openings::BookEntry;
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let entry = BookEntry::new(&start, start.parse_uci("e2e4")?, 100);
/// assert_eq!(entry.key, start.polyglot_key());
/// assert_eq!(BookEntry::from_bytes(entry.to_bytes()), entry);
/// assert_eq!(entry.raw.resolve(&start), Some(start.parse_uci("e2e4")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BookEntry {
    /// The key of the position, [`Position::polyglot_key`].
    pub key: u64,
    /// The move.
    pub raw: RawMove,
    /// The weight of the move relative to the other moves of the position.
    pub weight: u16,
    /// What a program has learned about the move; usually 0.
    pub learn: u32,
}

impl BookEntry {
    /// The size of an entry in bytes.
    pub const BYTES: usize = 16;

    /// An entry for a legal move of a position, with a learn field of 0.
    #[must_use]
    pub fn new(position: &Position, m: Move, weight: u16) -> BookEntry {
        BookEntry {
            key: position.polyglot_key(),
            raw: RawMove::new(m),
            weight,
            learn: 0,
        }
    }

    /// Reads an entry from its bytes. Any sixteen bytes are an entry.
    #[must_use]
    pub fn from_bytes(bytes: [u8; BookEntry::BYTES]) -> BookEntry {
        let number = u128::from_be_bytes(bytes);
        BookEntry {
            key: (number >> 64) as u64,
            raw: RawMove((number >> 48) as u16),
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The bytes of the entry.
    #[must_use]
    pub fn to_bytes(self) -> [u8; BookEntry::BYTES] {
        let number = u128::from(self.key) << 64
            | u128::from(self.raw.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }
}
