//! Reading a FEN field by field, up to the first error.

use core::num::NonZeroU32;

use super::{FenError, FenExpected, FenField};
use crate::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, File, Rank, Role, Setup, Square, zobrist,
};

/// The text, how far it has been read, and what it has said so far. Fields are written in place, because returning
/// boards from function to function took a quarter of the time.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// The fields read so far.
    pub(super) setup: Setup,
    /// The pieces' part of the key.
    pub(super) piece_key: u64,
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Reader {
            text,
            at: 0,
            setup: Setup::EMPTY,
            piece_key: 0,
        }
    }

    /// Returns how many bytes have been read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Reads the six fields; the counters may be missing.
    pub(super) fn six_fields(&mut self) -> Result<(), FenError> {
        self.four_fields()?;
        if let Some(number) = self.number(FenField::HalfmoveClock)? {
            self.setup.halfmove_clock = number;
        }
        if let Some(number) = self.number(FenField::FullmoveNumber)? {
            self.setup.fullmove_number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        }
        Ok(())
    }

    /// Checks that nothing but spaces follows.
    pub(super) fn end(&mut self) -> Result<(), FenError> {
        match self.next_field(FenField::Rest) {
            Ok(rest) => {
                let start = self.at - rest.len();
                Err(self.error_at(start, FenField::Rest, FenExpected::End))
            }
            Err(_) => Ok(()),
        }
    }

    pub(super) fn four_fields(&mut self) -> Result<(), FenError> {
        self.placement()?;
        self.setup.turn = match self.next_field(FenField::Turn)? {
            b"w" => Color::White,
            b"b" => Color::Black,
            field => {
                let start = self.at - field.len();
                return Err(self.error_at(start, FenField::Turn, FenExpected::Turn));
            }
        };
        self.castling()?;
        self.setup.en_passant = self.en_passant()?;
        Ok(())
    }

    fn error_at(&self, byte: usize, field: FenField, expected: FenExpected) -> FenError {
        FenError {
            field,
            byte,
            expected,
        }
    }

    #[inline(always)]
    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    /// Returns the bytes up to the next space; an error if there are none.
    #[inline(always)]
    fn next_field(&mut self, field: FenField) -> Result<&'a [u8], FenError> {
        self.skip_spaces();
        let start = self.at;
        while self.text.get(self.at).is_some_and(|&byte| !is_space(byte)) {
            self.at += 1;
        }
        if start == self.at {
            let expected = match field {
                FenField::Placement => FenExpected::PieceOrGap,
                FenField::Turn => FenExpected::Turn,
                FenField::Castling => FenExpected::CastlingLetter,
                FenField::EnPassant => FenExpected::EnPassantSquare,
                FenField::HalfmoveClock | FenField::FullmoveNumber => FenExpected::Number,
                FenField::Rest => FenExpected::End,
            };
            return Err(self.error_at(start, field, expected));
        }
        self.text
            .get(start..self.at)
            .ok_or(self.error_at(start, field, FenExpected::End))
    }

    pub(super) fn placement(&mut self) -> Result<(), FenError> {
        self.skip_spaces();
        if self.fast_placement().is_some() {
            Ok(())
        } else {
            Err(self.placement_error())
        }
    }

    /// Reads the placement, if nothing is wrong with it. Pieces, gaps and slashes share one path, because a branch on
    /// which comes next would be mispredicted.
    #[inline(always)]
    fn fast_placement(&mut self) -> Option<()> {
        let field = self.text.get(self.at..)?;
        // Bitboards by piece, with extra rows for what gaps and slashes write, which is ignored. Squares are
        // numbered in the order of the text, from a8 to h1, so the bytes of each bitboard are in the wrong order at
        // first.
        let mut sets = [0u64; 16];
        let (mut square, mut slashes) = (0, 0u64);
        let (mut previous, mut neighbors) = (0, 0);
        let (mut length, mut key) = (0, 0);
        for &byte in field.iter().take(MAX_PLACEMENT_LENGTH) {
            let code = CODES[usize::from(byte)];
            if code == OTHER {
                break;
            }
            let piece = usize::from(code & PIECE);
            sets[piece] |= 1u64.wrapping_shl(square);
            key ^= zobrist::coded_piece(piece, square ^ 56);
            slashes |= u64::from(code >> SLASH & 1).wrapping_shl(square);
            neighbors |= previous & code;
            previous = code;
            square += u32::from(code >> WIDTH);
            length += 1;
        }
        let ended = field.get(length).is_none_or(|&byte| is_space(byte));
        // A slash comes before each square that begins a rank, except the first.
        let ranks = square == 64 && slashes == 0x0101_0101_0101_0100;
        if !ended || !ranks || neighbors & (GAP | 1 << SLASH) != 0 {
            return None;
        }
        let board = &mut self.setup.board;
        for (role, set) in board.roles.iter_mut().enumerate() {
            let (white, black) = (sets[role].swap_bytes(), sets[role + 8].swap_bytes());
            *set = white | black;
            board.colors[0] |= white;
            board.colors[1] |= black;
        }
        self.piece_key = key;
        self.at += length;
        Some(())
    }

    /// Returns the first error in a placement.
    #[cold]
    fn placement_error(&self) -> FenError {
        let (mut rank, mut file, mut after_gap) = (8, 0, false);
        let mut at = self.at;
        let expected = loop {
            let byte = self.text.get(at).copied().unwrap_or(b' ');
            let code = CODES[usize::from(byte)];
            let is_gap = code & GAP != 0;
            if code == OTHER || code >> SLASH & 1 != 0 {
                rank -= 1;
                if byte != b'/' && !is_space(byte) || at == self.at {
                    break FenExpected::PieceOrGap;
                } else if file != 8 {
                    break FenExpected::EightSquares;
                } else if rank == 0 || byte != b'/' {
                    break FenExpected::EightRanks;
                }
                file = 0;
            } else if is_gap && after_gap {
                break FenExpected::PieceOrGap;
            } else {
                file += u32::from(code >> WIDTH);
                if file > 8 {
                    break FenExpected::EightSquares;
                }
            }
            after_gap = is_gap;
            at += 1;
        };
        self.error_at(at, FenField::Placement, expected)
    }

    fn castling(&mut self) -> Result<(), FenError> {
        let field = self.next_field(FenField::Castling)?;
        if field == b"-" {
            return Ok(());
        }
        let start = self.at - field.len();
        for (index, &letter) in field.iter().enumerate() {
            let right = castling_right(&self.setup.board, letter)
                .filter(|&(rook, _)| !self.setup.castling_rooks.contains(rook));
            let Some((rook, mode)) = right else {
                let byte = start + index;
                return Err(self.error_at(byte, FenField::Castling, FenExpected::CastlingLetter));
            };
            self.setup.castling_rooks |= rook;
            self.setup.mode = self.setup.mode.max(mode);
        }
        Ok(())
    }

    fn en_passant(&mut self) -> Result<Option<Square>, FenError> {
        let field = self.next_field(FenField::EnPassant)?;
        let start = self.at - field.len();
        match *field {
            [b'-'] => Ok(None),
            [file, rank @ (b'3' | b'6')] => Square::from_ascii(file, rank)
                .map(Some)
                .ok_or(self.error_at(start, FenField::EnPassant, FenExpected::EnPassantSquare)),
            _ => Err(self.error_at(start, FenField::EnPassant, FenExpected::EnPassantSquare)),
        }
    }

    /// Reads a counter; `None` if the text ends before it.
    fn number(&mut self, field: FenField) -> Result<Option<u32>, FenError> {
        let Ok(digits) = self.next_field(field) else {
            return Ok(None);
        };
        let start = self.at - digits.len();
        let mut number = 0u32;
        for (index, digit) in digits.iter().enumerate() {
            let next = match digit {
                b'0'..=b'9' => number
                    .checked_mul(10)
                    .and_then(|tens| tens.checked_add(u32::from(digit - b'0')))
                    .filter(|&number| number <= MAX_COUNTER),
                _ => None,
            };
            number = next.ok_or(self.error_at(start + index, field, FenExpected::Number))?;
        }
        Ok(Some(number))
    }
}

/// The largest counter accepted; it leaves room for more moves than anyone will play.
pub(in crate::notation) const MAX_COUNTER: u32 = u32::MAX >> 1;

/// A piece on every square, and the slashes between ranks.
const MAX_PLACEMENT_LENGTH: usize = 64 + 7;

/// What each byte means in a placement. The low bits hold a piece (its role and a bit for Black), [`GAP`], or the
/// bit at [`SLASH`]; the high bits hold the number of squares it takes.
static CODES: [u16; 256] = codes();
const PIECE: u16 = 15;
/// Codes that no piece has. Gaps and slashes have one each, so that neither depends on the other's write.
const NO_PIECE: [u16; 2] = [7, 15];
/// A bit that only gaps have, which are not pieces.
const GAP: u16 = 1 << 4;
/// The index of a bit that only slashes have.
const SLASH: u32 = 5;
const WIDTH: u32 = 8;
/// Any other byte.
const OTHER: u16 = 0;

const fn codes() -> [u16; 256] {
    let mut table = [OTHER; 256];
    let mut i = 0;
    while i < 6 {
        let role = Role::ALL[i];
        table[role.upper_char() as usize] = 1 << WIDTH | i as u16;
        table[role.char() as usize] = 1 << WIDTH | 8 | i as u16;
        i += 1;
    }
    let mut gap = 1;
    while gap <= 8 {
        table[b'0' as usize + gap] = (gap as u16) << WIDTH | GAP | NO_PIECE[0];
        gap += 1;
    }
    table[b'/' as usize] = 1 << SLASH | NO_PIECE[1];
    table
}

/// Returns the rook that a castling letter stands for, and the mode it is written in. `K` and `Q` mean the outermost
/// rook on that side of the king, or the corner if there is none.
fn castling_right(board: &Board, letter: u8) -> Option<(Square, CastlingMode)> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let side = match letter.to_ascii_uppercase() {
        b'K' => CastlingSide::King,
        b'Q' => CastlingSide::Queen,
        letter @ b'A'..=b'H' => {
            let file = File::from_char(letter as char)?;
            let rook = Square::new(file, Rank::First.relative_to(color));
            return Some((rook, CastlingMode::Chess960));
        }
        _ => return None,
    };
    let rook = outermost_rook(board, color, side).unwrap_or(side.standard_rook(color));
    Some((rook, CastlingMode::Standard))
}

pub(super) fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let home = Bitboard::back_rank(color);
    let king = (board.pieces(color, Role::King) & home).first()?;
    let rooks = board.pieces(color, Role::Rook) & home;
    let rook = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    rook.filter(|&rook| CastlingSide::of(king, rook) == side)
}
