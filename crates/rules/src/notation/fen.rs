//! FEN, also with the castling fields of X-FEN and Shredder-FEN, and with the two counters left
//! out.
//!
//! What texts from elsewhere differ in is decided here once:
//!
//! | text | reading |
//! | --- | --- |
//! | runs of spaces, tabs or line ends between and around the fields | accepted |
//! | other separators, fields glued together, more than six fields | refused |
//! | four or five fields | the half-move clock is 0, the move number 1 |
//! | fewer than four fields | refused |
//! | two digits in a row, a digit 0 or 9, signs, upper-case side to move | refused |
//! | counters up to 2,147,483,647, with leading zeros | accepted; move number 0 is read as 1 |
//! | castling letters in any order | accepted |
//! | a castling right given twice | refused |
//! | `K` or `Q` with a rook that is not in its corner | Chess960, the outermost rook |
//! | castling rights or an en passant square that the board does not bear out | read here, refused by validation unless waived |

use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;

use crate::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, File, Position, Rank, Role, Setup,
    SetupError, Square, Waivers, zobrist,
};

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// Where the pieces stand.
    Placement,
    /// The side to move.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
    /// What follows the six fields.
    Rest,
}

impl FenField {
    /// The field's place and name.
    const fn title(self) -> &'static str {
        match self {
            FenField::Placement => "field 1 (placement)",
            FenField::Turn => "field 2 (side to move)",
            FenField::Castling => "field 3 (castling)",
            FenField::EnPassant => "field 4 (en passant)",
            FenField::HalfmoveClock => "field 5 (half-move clock)",
            FenField::FullmoveNumber => "field 6 (move number)",
            FenField::Rest => "after field 6",
        }
    }
}

/// What a FEN should have had at the place of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenExpected {
    /// A piece letter, a digit or a slash.
    PieceOrGap,
    /// Eight squares on the rank, no more and no fewer.
    EightSquares,
    /// Eight ranks, no more and no fewer.
    EightRanks,
    /// `w` or `b`.
    Turn,
    /// `-`, or letters of `KQkq` or rook files, each once.
    CastlingLetter,
    /// `-`, or a square on the third or sixth rank.
    EnPassantSquare,
    /// A number below 2³¹.
    Number,
    /// The end of the text.
    End,
}

impl fmt::Display for FenExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FenExpected::PieceOrGap => {
                "a piece letter (PNBRQK or pnbrqk), a single digit from 1 to 8, or '/'"
            }
            FenExpected::EightSquares => "exactly eight squares on each rank",
            FenExpected::EightRanks => "exactly eight ranks separated by '/'",
            FenExpected::Turn => "'w' or 'b'",
            FenExpected::CastlingLetter => {
                "'-', or letters of KQkq or rook files (A-H, a-h), each right once"
            }
            FenExpected::EnPassantSquare => "'-', or a square on the third or sixth rank",
            FenExpected::Number => "a number from 0 to 2147483647 in digits",
            FenExpected::End => "nothing more",
        })
    }
}

/// A text that is no FEN: which field, which byte, and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FenError {
    /// The field that is wrong.
    pub field: FenField,
    /// Where in the text, counted in bytes from 0.
    pub byte: usize,
    /// What should have stood there.
    pub expected: FenExpected,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FenError {
            field,
            byte,
            expected,
        } = self;
        let (title, byte) = (field.title(), byte + 1);
        write!(f, "bad FEN, {title}, byte {byte}: expected {expected}")
    }
}

impl Error for FenError {}

/// Why a text gives no position: it is no FEN, or the rules do not allow what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseFenError {
    /// The text is no FEN.
    Fen(FenError),
    /// It is one, but of no possible position.
    Setup(SetupError),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseFenError::Fen(error) => error.fmt(f),
            ParseFenError::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for ParseFenError {}

impl From<FenError> for ParseFenError {
    fn from(error: FenError) -> Self {
        ParseFenError::Fen(error)
    }
}

impl From<SetupError> for ParseFenError {
    fn from(error: SetupError) -> Self {
        ParseFenError::Setup(error)
    }
}

/// When FEN names the square a pawn passed over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnPassantMode {
    /// When a legal move captures there.
    #[default]
    Legal,
    /// When an enemy pawn stands beside the one that moved, even if it is pinned.
    PseudoLegal,
    /// After every two-square move.
    Always,
}

/// How FEN names castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingNotation {
    /// `KQkq` in standard chess, the rooks' files in Chess960.
    #[default]
    ByMode,
    /// X-FEN: `KQkq` for the outermost rooks, files for others.
    XFen,
    /// Shredder-FEN: the rooks' files, `HAha`.
    Shredder,
}

impl Setup {
    /// Reads a FEN. Whether the position is possible is for [`Setup::position`] to say.
    ///
    /// # Errors
    /// The field and the byte that are wrong, and what was expected.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        Setup::from_fen_bytes(text.as_bytes())
    }

    /// Reads a FEN from bytes.
    ///
    /// # Errors
    /// As [`Setup::from_fen`].
    pub fn from_fen_bytes(text: &[u8]) -> Result<Setup, FenError> {
        let mut reader = Reader { text, at: 0 };
        let (setup, _) = reader.setup()?;
        reader.end()?;
        Ok(setup)
    }

    /// Reads the first fields of a text, as many as make a position, and returns where the
    /// counters end: after the fourth field where none follow.
    pub(crate) fn from_fen_prefix(text: &[u8]) -> Result<(Setup, usize), FenError> {
        let mut reader = Reader { text, at: 0 };
        let (setup, _) = reader.four_fields()?;
        Ok((setup, reader.at))
    }

    /// The FEN, with the notation of your choice.
    #[must_use]
    pub fn fen_with(&self, en_passant: EnPassantMode, castling: CastlingNotation) -> String {
        let named = self
            .en_passant
            .filter(|&square| self.names_en_passant(en_passant, square));
        String::from(Writer::fen(self, named, castling).text())
    }

    fn names_en_passant(&self, mode: EnPassantMode, square: Square) -> bool {
        match mode {
            EnPassantMode::Always => true,
            EnPassantMode::PseudoLegal => {
                let captors = crate::attacks::pawn(!self.turn, square);
                !(self.board.pieces(self.turn, Role::Pawn) & captors).is_empty()
            }
            EnPassantMode::Legal => self
                .position_waiving(Waivers::ALL)
                .is_ok_and(|position| position.legal_en_passant() == Some(square)),
        }
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        Setup::from_fen(text)
    }
}

impl Position {
    /// Reads a FEN of a possible position.
    ///
    /// # Errors
    /// What is wrong with the text, or with the position it describes.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")?;
    /// assert_eq!(position.fen(), "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
    ///
    /// let error = Position::from_fen("8/8/4k3/8/8/4K3/4P4/8 w - - 0 1").unwrap_err();
    /// assert!(error.to_string().starts_with("bad FEN, field 1 (placement), byte 19"));
    /// # Ok::<(), tabiya_rules::ParseFenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Position, ParseFenError> {
        Position::from_fen_bytes(text.as_bytes())
    }

    /// Reads a FEN of a possible position from bytes.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_fen_bytes(text: &[u8]) -> Result<Position, ParseFenError> {
        let mut reader = Reader { text, at: 0 };
        let (setup, piece_key) = reader.setup()?;
        reader.end()?;
        Ok(setup.validated(Waivers::NONE, piece_key)?)
    }

    /// The FEN, with an en passant square only if it can be captured on.
    #[must_use]
    pub fn fen(&self) -> String {
        String::from(self.fen_writer().text())
    }

    /// The FEN, with the notation of your choice.
    #[must_use]
    pub fn fen_with(&self, en_passant: EnPassantMode, castling: CastlingNotation) -> String {
        let setup = self.setup();
        match en_passant {
            // Known here, and need not be found out again.
            EnPassantMode::Legal => {
                let named = self.legal_en_passant();
                String::from(Writer::fen(&setup, named, castling).text())
            }
            mode => setup.fen_with(mode, castling),
        }
    }

    fn fen_writer(&self) -> Writer {
        Writer::fen(
            &self.setup(),
            self.legal_en_passant(),
            CastlingNotation::ByMode,
        )
    }
}

impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Position, ParseFenError> {
        Position::from_fen(text)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.fen_writer().text())
    }
}

impl fmt::Display for Board {
    /// The placement field of a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer::new();
        writer.placement(self);
        f.pad(writer.text())
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'a> Reader<'a> {
    /// The six fields, with the part of the key that is about pieces.
    fn setup(&mut self) -> Result<(Setup, u64), FenError> {
        let (mut setup, piece_key) = self.four_fields()?;
        if let Some(number) = self.number(FenField::HalfmoveClock)? {
            setup.halfmove_clock = number;
        }
        if let Some(number) = self.number(FenField::FullmoveNumber)? {
            setup.fullmove_number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        }
        Ok((setup, piece_key))
    }

    /// Nothing may follow but spaces.
    fn end(&mut self) -> Result<(), FenError> {
        match self.next_field(FenField::Rest) {
            Ok(rest) => {
                let start = self.at - rest.len();
                Err(self.error_at(start, FenField::Rest, FenExpected::End))
            }
            Err(_) => Ok(()),
        }
    }

    fn four_fields(&mut self) -> Result<(Setup, u64), FenError> {
        let (board, piece_key) = self.placement()?;
        let turn = match self.next_field(FenField::Turn)? {
            b"w" => Color::White,
            b"b" => Color::Black,
            field => {
                let start = self.at - field.len();
                return Err(self.error_at(start, FenField::Turn, FenExpected::Turn));
            }
        };
        let mut setup = Setup {
            board,
            turn,
            ..Setup::EMPTY
        };
        self.castling(&mut setup)?;
        setup.en_passant = self.en_passant()?;
        Ok((setup, piece_key))
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

    /// The bytes up to the next space; an error if there are none.
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

    /// The board, with the part of the key that is about pieces.
    fn placement(&mut self) -> Result<(Board, u64), FenError> {
        self.skip_spaces();
        match self.sound_placement() {
            Some((board, piece_key, end)) => {
                self.at = end;
                Ok((board, piece_key))
            }
            None => Err(self.placement_error()),
        }
    }

    /// The board, its key and where its field ends, if nothing is wrong with it. Pieces and gaps go through
    /// the same instructions, for no CPU can foresee which comes next.
    #[inline(always)]
    fn sound_placement(&self) -> Option<(Board, u64, usize)> {
        let field = self.text.get(self.at..)?;
        // By piece, with room for what gaps write, which is ignored.
        let mut sets = [0u64; 16];
        let (mut square, mut end_of_rank) = (56, 64);
        let (mut previous, mut neighbors) = (0, 0);
        let (mut length, mut key) = (0, 0);
        for &byte in field {
            let code = CODES[usize::from(byte)];
            if code == OTHER {
                if square != end_of_rank || byte != b'/' || end_of_rank == 8 {
                    break;
                }
                square = end_of_rank - 16;
                end_of_rank -= 8;
            } else {
                let piece = usize::from(code & PIECE);
                sets[piece] |= 1u64.wrapping_shl(square);
                key ^= zobrist::coded_piece(piece, square);
                square += u32::from(code >> WIDTH);
            }
            neighbors |= previous & code;
            previous = code;
            length += 1;
        }
        let ended = field.get(length).is_none_or(|&byte| is_space(byte));
        if !ended || square != 8 || end_of_rank != 8 || neighbors & GAP != 0 {
            return None;
        }
        let mut board = Board::EMPTY;
        for (role, set) in board.roles.iter_mut().enumerate() {
            let (white, black) = (sets[role], sets[role + 8]);
            *set = white | black;
            board.colors[0] |= white;
            board.colors[1] |= black;
        }
        Some((board, key, self.at + length))
    }

    /// The first thing wrong with a placement.
    #[cold]
    fn placement_error(&self) -> FenError {
        let (mut rank, mut file, mut after_gap) = (8, 0, false);
        let mut at = self.at;
        let expected = loop {
            let byte = self.text.get(at).copied().unwrap_or(b' ');
            let code = CODES[usize::from(byte)];
            let is_gap = code & GAP != 0;
            if code == OTHER {
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

    fn castling(&mut self, setup: &mut Setup) -> Result<(), FenError> {
        let field = self.next_field(FenField::Castling)?;
        if field == b"-" {
            return Ok(());
        }
        let start = self.at - field.len();
        for (index, &letter) in field.iter().enumerate() {
            let right = castling_right(&setup.board, letter)
                .filter(|&(rook, _)| !setup.castling_rooks.contains(rook));
            let Some((rook, mode)) = right else {
                let byte = start + index;
                return Err(self.error_at(byte, FenField::Castling, FenExpected::CastlingLetter));
            };
            setup.castling_rooks |= rook;
            setup.mode = setup.mode.max(mode);
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

    /// A counter, or `None` where the text ends before it.
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
                    .filter(|&number| number <= MOST),
                _ => None,
            };
            number = next.ok_or(self.error_at(start + index, field, FenExpected::Number))?;
        }
        Ok(Some(number))
    }
}

/// The largest counter that is read; there is room above it for all the moves anyone will play.
pub(crate) const MOST: u32 = u32::MAX >> 1;

/// What each byte means in a placement: in the low bits the piece, its role and a bit for Black;
/// or [`GAP`]; and in the high bits how many squares it takes.
static CODES: [u16; 256] = codes();
const PIECE: u16 = 15;
const NO_PIECE: u16 = 7;
/// A bit of gaps only, which have no piece.
const GAP: u16 = 1 << 4;
const WIDTH: u32 = 8;
/// A byte that is neither a piece nor a gap.
const OTHER: u16 = 0;

const fn codes() -> [u16; 256] {
    let mut table = [OTHER; 256];
    let mut i = 0;
    while i < 6 {
        let role = Role::ALL[i];
        table[role.upper_char() as usize] = 1 << WIDTH | i as u16;
        table[role.char() as usize] = 1 << WIDTH | 8 + i as u16;
        i += 1;
    }
    let mut gap = 1;
    while gap <= 8 {
        table[b'0' as usize + gap] = (gap as u16) << WIDTH | GAP | NO_PIECE;
        gap += 1;
    }
    table
}

/// The rook a castling letter stands for, and the mode it is written in. `K` and `Q` mean the
/// outermost rook on that side of the king, or its corner if there is none.
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

fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let home = Bitboard::back_rank(color);
    let king = (board.pieces(color, Role::King) & home).first()?;
    let rooks = board.pieces(color, Role::Rook) & home;
    let rook = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    rook.filter(|&rook| CastlingSide::of(king, rook) == side)
}

/// Room for the longest FEN, which has 71 bytes of placement, sixteen castling letters and two
/// numbers of ten digits, 115 bytes in all; rounded up, so that seven bits are always a place.
const LONGEST: usize = 128;

struct Writer {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Writer {
    fn new() -> Writer {
        Writer {
            bytes: [0; LONGEST],
            length: 0,
        }
    }

    /// The six fields, with the en passant square that is to be named.
    fn fen(setup: &Setup, en_passant: Option<Square>, castling: CastlingNotation) -> Writer {
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

    fn text(&self) -> &str {
        let bytes = self.bytes.get(..self.length).unwrap_or(&[]);
        core::str::from_utf8(bytes).unwrap_or("")
    }

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length % LONGEST] = byte;
        self.length += 1;
    }

    fn placement(&mut self, board: &Board) {
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
                // A gap of no squares is written too, and written over.
                self.bytes[at % LONGEST] = b'0' + (next - file) as u8;
                at += usize::from(next != file);
                // Small letters differ from capitals in one bit.
                let square = first + next;
                let small = (black >> square & 1) as u8 * 0x20;
                self.bytes[at % LONGEST] = letters[square as usize % 64] | small;
                at += 1;
                file = next + 1;
                pieces &= pieces - 1;
            }
            self.bytes[at % LONGEST] = b'0' + (8 - file) as u8;
            at += usize::from(file != 8);
            self.bytes[at % LONGEST] = b'/';
            at += usize::from(rank > 0);
        }
        self.length = at;
    }

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
                // What the reader takes a letter for: the outermost rook, or else the corner.
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
