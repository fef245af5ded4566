//! One position in three libraries, and their moves under a common code.

use arrayvec::ArrayVec;
use cozy_chess::{Board, Piece};
use shakmaty::{Chess, Position as _, fen::Fen};
use tabiya_rules::{CastlingMode, Position, Role};

use super::start::Start;

/// A move in 15 bits: from, to (the rook's square for a castle), promotion.
pub type Code = u16;

/// One library's legal moves, sorted by their codes.
pub type Coded<M> = ArrayVec<(Code, M), 256>;

/// The same position in each library.
#[derive(Clone, Debug)]
pub struct Trio {
    /// In Tabiya.
    pub tabiya: Position,
    /// In shakmaty.
    pub shakmaty: Chess,
    /// In cozy-chess.
    pub cozy: Board,
}

/// The legal moves of a position in each library.
#[derive(Debug)]
pub struct Moves {
    /// In Tabiya.
    pub tabiya: Coded<tabiya_rules::Move>,
    /// In shakmaty.
    pub shakmaty: Coded<shakmaty::Move>,
    /// In cozy-chess.
    pub cozy: Coded<cozy_chess::Move>,
}

impl Trio {
    /// Reads a start position; `None` if one of the libraries refuses it.
    #[must_use]
    pub fn read(start: &Start) -> Option<Self> {
        let chess960 = start.mode == CastlingMode::Chess960;
        Some(Self {
            tabiya: Position::from_fen(&start.fen)
                .ok()?
                .with_castling_mode(start.mode),
            shakmaty: Fen::from_ascii(start.fen.as_bytes())
                .ok()?
                .into_position(peer_mode(start.mode))
                .ok()?,
            cozy: Board::from_fen(&start.fen, chess960).ok()?,
        })
    }

    /// The legal moves in each library.
    #[must_use]
    pub fn moves(&self) -> Moves {
        let mut cozy = Coded::new();
        self.cozy.generate_moves(|moves| {
            cozy.extend(moves.into_iter().map(|mv| (cozy_code(mv), mv)));
            false
        });
        let mut moves = Moves {
            tabiya: coded(self.tabiya.legal_moves(), tabiya_code),
            shakmaty: coded(self.shakmaty.legal_moves(), shakmaty_code),
            cozy,
        };
        moves.cozy.sort_unstable_by_key(|(code, _)| *code);
        moves
    }

    /// The position after the move that has this place in all three lists.
    #[must_use]
    pub fn play(&self, moves: &Moves, index: usize) -> Self {
        let mut next = Self {
            tabiya: self.tabiya.play_unchecked(moves.tabiya[index].1),
            shakmaty: self.shakmaty.clone(),
            cozy: self.cozy.clone(),
        };
        next.shakmaty.play_unchecked(moves.shakmaty[index].1);
        next.cozy.play_unchecked(moves.cozy[index].1);
        next
    }
}

/// The mode as shakmaty names it.
#[must_use]
pub const fn peer_mode(mode: CastlingMode) -> shakmaty::CastlingMode {
    match mode {
        CastlingMode::Standard => shakmaty::CastlingMode::Standard,
        CastlingMode::Chess960 => shakmaty::CastlingMode::Chess960,
    }
}

fn coded<M: Copy>(moves: impl IntoIterator<Item = M>, code: fn(M) -> Code) -> Coded<M> {
    let mut coded: Coded<M> = moves.into_iter().map(|mv| (code(mv), mv)).collect();
    coded.sort_unstable_by_key(|(code, _)| *code);
    coded
}

/// Puts a code together from squares counted from a1 to h8.
#[must_use]
pub const fn code(from: usize, to: usize, promotion: Code) -> Code {
    (from as Code) << 9 | (to as Code) << 3 | promotion
}

/// The code of a move that goes back to where this one came from.
#[must_use]
pub const fn reversed(code: Code) -> Code {
    (code >> 3 & 63) << 9 | (code >> 9 & 63) << 3
}

/// The code as text, such as `e7e8q`.
#[must_use]
pub fn code_text(code: Code) -> String {
    let square = |number: Code| {
        [
            char::from(b'a' + (number & 7) as u8),
            char::from(b'1' + (number >> 3 & 7) as u8),
        ]
    };
    let promotion = [None, Some('n'), Some('b'), Some('r'), Some('q')];
    square(code >> 9)
        .into_iter()
        .chain(square(code >> 3 & 63))
        .chain(promotion.get(usize::from(code & 7)).copied().flatten())
        .collect()
}

fn tabiya_code(mv: tabiya_rules::Move) -> Code {
    let promotion = match mv.promotion() {
        None => 0,
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        // No legal code, so that it is seen as a disagreement.
        Some(Role::Pawn | Role::King) => 7,
    };
    code(mv.from().index(), mv.to().index(), promotion)
}

fn shakmaty_code(mv: shakmaty::Move) -> Code {
    let (from, to) = match mv {
        shakmaty::Move::Castle { king, rook } => (king, rook),
        _ => (mv.from().unwrap_or(mv.to()), mv.to()),
    };
    let promotion = match mv.promotion() {
        None => 0,
        Some(shakmaty::Role::Knight) => 1,
        Some(shakmaty::Role::Bishop) => 2,
        Some(shakmaty::Role::Rook) => 3,
        Some(shakmaty::Role::Queen) => 4,
        Some(_) => 7,
    };
    code(from as usize, to as usize, promotion)
}

fn cozy_code(mv: cozy_chess::Move) -> Code {
    let promotion = match mv.promotion {
        None => 0,
        Some(Piece::Knight) => 1,
        Some(Piece::Bishop) => 2,
        Some(Piece::Rook) => 3,
        Some(Piece::Queen) => 4,
        Some(_) => 7,
    };
    code(mv.from as usize, mv.to as usize, promotion)
}
