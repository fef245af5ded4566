//! Incrementally updated keys of parts of a position: the pawns, each side's pieces, and the minor and the major pieces. The
//! correction and pawn histories are indexed by them.

use tabiya_rules::{ByColor, MoveDelta, Piece, Position, Role, SplitMix64, Square};

/// The sub-keys of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SubKeys {
    /// The pawns of both sides.
    pub(crate) pawns: u64,
    /// Each side's pieces other than pawns, including the king.
    pub(crate) non_pawns: ByColor<u64>,
    /// The knights and bishops of both sides, with the kings.
    pub(crate) minors: u64,
    /// The rooks and queens of both sides, with the kings.
    pub(crate) majors: u64,
}

impl SubKeys {
    /// Computes the keys from scratch.
    pub(crate) fn of(position: &Position) -> SubKeys {
        let mut keys = SubKeys {
            pawns: 0,
            non_pawns: ByColor::default(),
            minors: 0,
            majors: 0,
        };
        for (square, piece) in position.board().iter() {
            keys.toggle(square, piece);
        }
        keys
    }

    /// The keys after a move.
    pub(crate) fn update(&self, delta: &MoveDelta) -> SubKeys {
        let mut keys = *self;
        for &(square, piece) in delta.removed().iter().chain(delta.added()) {
            keys.toggle(square, piece);
        }
        keys
    }

    /// Without branches: one on which piece moves would be mispredicted.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let piece = piece_index(piece);
        let key = PIECE_SQUARE_KEYS[piece][square.index()];
        let [pawns, white, black, minors, majors] = KEY_MASKS[piece];
        self.pawns ^= key & pawns;
        self.non_pawns.white ^= key & white;
        self.non_pawns.black ^= key & black;
        self.minors ^= key & minors;
        self.majors ^= key & majors;
    }
}

/// The index of a piece, 0 to 11, in tables by color and role.
fn piece_index(piece: Piece) -> usize {
    piece.color as usize * 6 + piece.role as usize
}

/// For each piece, all bits set for the keys that it is part of: pawns, White's and Black's other pieces, minors, majors.
static KEY_MASKS: [[u64; 5]; 12] = key_masks();

/// For each piece, a mask of all bits for each key that the piece is part of.
const fn key_masks() -> [[u64; 5]; 12] {
    let mut masks = [[0; 5]; 12];
    let mut i = 0;
    while i < 12 {
        let side = 1 + i / 6;
        match Role::ALL[i % 6] {
            Role::Pawn => masks[i][0] = !0,
            Role::Knight | Role::Bishop => (masks[i][side], masks[i][3]) = (!0, !0),
            Role::Rook | Role::Queen => (masks[i][side], masks[i][4]) = (!0, !0),
            Role::King => (masks[i][side], masks[i][3], masks[i][4]) = (!0, !0, !0),
        }
        i += 1;
    }
    masks
}

/// The Zobrist numbers that the keys are made of.
static PIECE_SQUARE_KEYS: [[u64; 64]; 12] = piece_square_keys();

/// A random number for each piece on each square.
const fn piece_square_keys() -> [[u64; 64]; 12] {
    let mut random = SplitMix64::new(0x0070_6172_7473);
    let mut keys = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 {
        keys[i / 64][i % 64] = random.next_u64();
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    //! Keys that follow the moves of a game are those of its positions.

    use super::*;

    #[test]
    fn following_moves_is_the_same_as_computing_from_scratch() {
        for seed in 0..30 {
            let mut random = SplitMix64::new(seed);
            let mut position = Position::chess960(random.below(960) as u16).expect("below 960");
            let mut keys = SubKeys::of(&position);
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[random.below(moves.len())];
                keys = keys.update(&position.delta(m));
                position = position.play_unchecked(m);
                assert_eq!(keys, SubKeys::of(&position), "{position}");
            }
        }
    }
}
