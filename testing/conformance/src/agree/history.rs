//! How often the position on the board has occurred, as each library sees it.

use cozy_chess::{Board, File, Move, Piece, Rank, Square, get_pawn_attacks};
use shakmaty::{EnPassantMode, Position as _, zobrist::Zobrist64};
use tabiya_rules::Position;

use super::trio::Trio;

/// The positions of a game so far.
#[derive(Default, Debug)]
pub struct History {
    tabiya: Vec<Position>,
    shakmaty: Vec<u64>,
    cozy: Vec<Board>,
}

/// How often a position has occurred, this time included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrences {
    /// By Tabiya's keys.
    pub by_key: usize,
    /// By Tabiya's equality.
    pub by_equality: usize,
    /// By shakmaty's Zobrist hash, with en passant only where it is legal.
    pub shakmaty: usize,
    /// By cozy-chess's comparison of positions.
    pub cozy: usize,
    /// By cozy-chess's hash, with an en passant square only where it lets a
    /// pawn capture.
    pub cozy_pawns: usize,
}

impl Occurrences {
    /// Do all agree, cozy-chess's own comparison of positions left aside?
    #[must_use]
    pub const fn agree(self) -> bool {
        self.by_key == self.by_equality
            && self.by_key == self.shakmaty
            && self.by_key == self.cozy_pawns
    }
}

impl History {
    /// Adds a position and counts it.
    pub fn push(&mut self, trio: &Trio) -> Occurrences {
        let hash = trio
            .shakmaty
            .zobrist_hash::<Zobrist64>(EnPassantMode::Legal)
            .0;
        self.tabiya.push(trio.tabiya);
        self.shakmaty.push(hash);
        self.cozy.push(trio.cozy.clone());
        let count = |same: &dyn Fn(usize) -> bool| {
            (0..self.tabiya.len()).filter(|&index| same(index)).count()
        };
        Occurrences {
            by_key: count(&|index| self.tabiya[index].key() == trio.tabiya.key()),
            by_equality: count(&|index| self.tabiya[index] == trio.tabiya),
            shakmaty: count(&|index| self.shakmaty[index] == hash),
            cozy: count(&|index| self.cozy[index].same_position(&trio.cozy)),
            cozy_pawns: count(&|index| {
                let earlier = &self.cozy[index];
                earlier.hash_without_ep() == trio.cozy.hash_without_ep()
                    && file_to_capture_on(earlier) == file_to_capture_on(&trio.cozy)
            }),
        }
    }
}

/// The file of the en passant square, if a pawn has a legal capture there.
fn file_to_capture_on(board: &Board) -> Option<File> {
    let color = board.side_to_move();
    board.en_passant().filter(|&file| {
        let target = Square::new(file, Rank::Sixth.relative_to(color));
        let pawns = board.colored_pieces(color, Piece::Pawn) & get_pawn_attacks(target, !color);
        pawns.into_iter().any(|from| {
            board.is_legal(Move {
                from,
                to: target,
                promotion: None,
            })
        })
    })
}
