//! Keys of parts of a position, kept move by move: what was learned about a part is looked up by its key.

use tabiya_rules::{ByColor, Change, Piece, Position, Role, SplitMix64, Square};

/// The keys of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    /// Of all pawns.
    pub(crate) pawns: u64,
    /// Of the pieces that are no pawns, the kings among them.
    pub(crate) pieces: ByColor<u64>,
}

impl Parts {
    pub(crate) fn of(position: &Position) -> Parts {
        let mut parts = Parts {
            pawns: 0,
            pieces: ByColor::default(),
        };
        for (square, piece) in position.board().iter() {
            parts.flip(square, piece);
        }
        parts
    }

    /// The keys after a move.
    pub(crate) fn follow(&self, change: &Change) -> Parts {
        let mut parts = *self;
        for &(square, piece) in change.emptied().iter().chain(change.filled()) {
            parts.flip(square, piece);
        }
        parts
    }

    #[inline]
    fn flip(&mut self, square: Square, piece: Piece) {
        let key = KEYS[number(piece)][square.index()];
        match piece.role {
            Role::Pawn => self.pawns ^= key,
            _ => self.pieces[piece.color] ^= key,
        }
    }
}

/// A piece's row in tables.
pub(crate) fn number(piece: Piece) -> usize {
    piece.color as usize * 6 + piece.role as usize
}

/// The numbers that the keys are made of.
static KEYS: [[u64; 64]; 12] = keys();

const fn keys() -> [[u64; 64]; 12] {
    let mut random = SplitMix64::new(0x0070_6172_7473);
    let mut keys = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 {
        keys[i / 64][i % 64] = random.next_u64();
        i += 1;
    }
    keys
}
