//! Writing a FEN.

use super::CastlingNotation;
use super::reader::outermost_rook;
use crate::{Bitboard, Board, CastlingMode, CastlingSide, Color, Role, Setup, Square};

/// Room for the longest FEN: 71 bytes of placement, sixteen castling letters and two numbers of ten
/// digits, 115 bytes in all. Rounded up, so that any seven bits are a valid index.
const FEN_CAPACITY: usize = 128;

/// A FEN being written, without allocation.
pub(super) struct Writer {
    bytes: [u8; FEN_CAPACITY],
    length: usize,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer {
            bytes: [0; FEN_CAPACITY],
            length: 0,
        }
    }

    /// Writes the six fields, with the given en passant square.
    pub(super) fn fen(
        setup: &Setup,
        en_passant: Option<Square>,
        castling: CastlingNotation,
    ) -> Writer {
        let mut writer = Writer::new();
        writer.placement(&setup.board);
        writer.push(b' ');
        writer.push(setup.turn.char() as u8);
        writer.push(b' ');
        writer.castling(setup, castling);
        writer.push(b' ');
        match en_passant {
            Some(square) => {
                writer.push(square.file().char() as u8);
                writer.push(square.rank().char() as u8);
            }
            None => writer.push(b'-'),
        }
        writer.push(b' ');
        writer.number(setup.halfmove_clock);
        writer.push(b' ');
        writer.number(setup.fullmove_number.get());
        writer
    }

    pub(super) fn text(&self) -> &str {
        let bytes = self.bytes.get(..self.length).unwrap_or(&[]);
        core::str::from_utf8(bytes).unwrap_or("")
    }

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length % FEN_CAPACITY] = byte;
        self.length += 1;
    }

    /// Writes the placement, rank by rank.
    pub(super) fn placement(&mut self, board: &Board) {
        let mut letters = [0u8; 64];
        for role in Role::ALL {
            for square in board.by_role(role) {
                letters[square as usize] = role.upper_char() as u8;
            }
        }
        let [white, black] = board.colors;
        let mut at = self.length;
        for rank in (0..8).rev() {
            let first = rank * 8;
            let mut pieces = (white | black) >> first & 0xff;
            let mut file = 0;
            while pieces != 0 {
                let next = pieces.trailing_zeros();
                // A gap of no squares is written too, and then overwritten.
                self.bytes[at % FEN_CAPACITY] = b'0' + (next - file) as u8;
                at += usize::from(next != file);
                // Lower-case letters differ from upper-case ones in one bit.
                let square = first + next;
                let small = (black >> square & 1) as u8 * 0x20;
                self.bytes[at % FEN_CAPACITY] = letters[square as usize % 64] | small;
                at += 1;
                file = next + 1;
                pieces &= pieces - 1;
            }
            self.bytes[at % FEN_CAPACITY] = b'0' + (8 - file) as u8;
            at += usize::from(file != 8);
            self.bytes[at % FEN_CAPACITY] = b'/';
            at += usize::from(rank > 0);
        }
        self.length = at;
    }

    /// Writes the castling rights.
    fn castling(&mut self, setup: &Setup, notation: CastlingNotation) {
        if setup.castling_rooks.is_empty() {
            self.push(b'-');
            return;
        }
        let by_file = match notation {
            CastlingNotation::ByMode => setup.mode == CastlingMode::Chess960,
            CastlingNotation::XFen => false,
            CastlingNotation::Shredder => true,
        };
        for color in Color::ALL {
            let rooks = setup.castling_rooks & Bitboard::back_rank(color);
            let mut remaining = rooks;
            while let Some(rook) = remaining.last() {
                remaining -= rook;
                // How the reader reads the letter: the outermost rook, or else the corner.
                let named = CastlingSide::ALL.into_iter().find(|&side| {
                    let meant = outermost_rook(&setup.board, color, side);
                    !by_file && meant.unwrap_or(side.standard_rook(color)) == rook
                });
                let letter = match named {
                    Some(CastlingSide::King) => 'k',
                    Some(CastlingSide::Queen) => 'q',
                    None => rook.file().char(),
                };
                self.push(match color {
                    Color::White => letter.to_ascii_uppercase() as u8,
                    Color::Black => letter as u8,
                });
            }
        }
    }

    fn number(&mut self, number: u32) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.push(b'0' + (number % 10) as u8);
    }
}
