//! Reading moves as people type them. No moves are generated: the reader looks back from the target square to find the
//! pieces that could make the move.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::moves::Kind;
use crate::{
    Bitboard, CastlingMode, CastlingSide, File, IllegalMove, Move, Position, Rank, Role, Square,
    attacks,
};

/// Why a text is not a move of a position.
///
/// ```
/// use tabiya_rules::{Position, SanError};
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?;
/// assert!(position.parse_san("Rf1").is_ok());
/// let start = Position::start();
/// assert_eq!(start.parse_san("hello"), Err(SanError::Syntax));
/// assert!(matches!(start.parse_san("Ke2"), Err(SanError::Illegal { .. })));
/// # Ok::<(), tabiya_rules::ParseFenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move in algebraic notation.
    Syntax,
    /// No legal move fits. The reason is known if only one piece can have been meant.
    Illegal {
        /// The kind of piece that was meant; `None` if the text names an empty square to move from.
        role: Option<Role>,
        /// The square that was meant; `None` for castling.
        to: Option<Square>,
        /// Why the move that was meant is not legal.
        reason: Option<IllegalMove>,
        /// The legal moves of that kind of piece, and those of other pieces to that square.
        candidates: Vec<Move>,
    },
    /// Several legal moves fit.
    Ambiguous {
        /// The moves that fit.
        candidates: Vec<Move>,
    },
    /// The promotion piece is missing.
    PromotionRequired,
    /// The text differs from how this move is printed. Only [`Position::parse_san_strict`] returns this.
    NotAsPrinted {
        /// The move that was meant.
        meant: Move,
    },
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax => {
                f.write_str("This is not a move; expected one such as Nf3, exd5, e8=Q or O-O.")
            }
            SanError::Illegal {
                reason: Some(reason),
                ..
            } => reason.fmt(f),
            SanError::Illegal { reason: None, .. } => f.write_str("No piece can make that move."),
            SanError::Ambiguous { candidates } => {
                write!(f, "Several pieces can make that move, from ")?;
                for (index, m) in candidates.iter().enumerate() {
                    let separator = match index {
                        0 => "",
                        _ if index + 1 == candidates.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{separator}{}", m.from())?;
                }
                f.write_str(".")
            }
            SanError::PromotionRequired => IllegalMove::PromotionRequired.fmt(f),
            SanError::NotAsPrinted { .. } => {
                f.write_str("The move is clear, but not written in standard notation.")
            }
        }
    }
}

impl Error for SanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SanError::Illegal {
                reason: Some(reason),
                ..
            } => Some(reason),
            SanError::Syntax
            | SanError::Illegal { reason: None, .. }
            | SanError::Ambiguous { .. }
            | SanError::PromotionRequired
            | SanError::NotAsPrinted { .. } => None,
        }
    }
}

/// What a text says about the move. Only the target is always given.
#[derive(Clone, Copy)]
struct SanParts {
    /// The piece; `None` if none is named, which means a pawn or, with both squares, any piece.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Position {
    /// Returns the legal move that a text describes. Accepts what people write: `0-0`, `e8Q`, `Rf4` for `Rxf4`, more
    /// squares than needed, a missing or wrong `+`, marks such as `!?`, coordinates, and lower-case piece letters if
    /// only one legal move fits.
    ///
    /// # Errors
    /// Fails if not exactly one legal move fits; the error lists the legal moves that come close.
    ///
    /// ```
    /// use tabiya_rules::{Position, SanError};
    ///
    /// let start = Position::start();
    /// assert_eq!(start.parse_san("nf3")?, start.parse_san("Ng1-f3!")?);
    /// assert!(matches!(start.parse_san("Nf4"), Err(SanError::Illegal { .. })));
    /// # Ok::<(), SanError>(())
    /// ```
    #[doc(alias = "algebraic")]
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_bytes(text.as_bytes())
    }

    /// Like [`Position::parse_san`], for bytes, which need not be UTF-8.
    ///
    /// # Errors
    /// Same as [`Position::parse_san`].
    pub fn parse_san_bytes(&self, text: &[u8]) -> Result<Move, SanError> {
        match SanParts::plain(text) {
            Some((role, parts)) => match self.only_move(role, parts) {
                Some(m) => Ok(m),
                None => self.parse_san_slowly(text),
            },
            None => self.parse_san_slowly(text),
        }
    }

    /// Returns the legal move that a text describes, if the text is exactly what [`Position::san`] prints.
    ///
    /// # Errors
    /// Same as [`Position::parse_san`]; also fails if the text differs from what would be printed.
    pub fn parse_san_strict(&self, text: &str) -> Result<Move, SanError> {
        let meant = self.parse_san(text)?;
        if &*self.san(meant) == text {
            Ok(meant)
        } else {
            Err(SanError::NotAsPrinted { meant })
        }
    }

    /// Returns the move that a text in one of the usual forms describes, if only one fits.
    #[inline(always)]
    fn only_move(&self, role: Role, parts: SanParts) -> Option<Move> {
        let to = parts.to;
        let mut from = self.origins(role, parts);
        if from.has_several() {
            from = from
                .into_iter()
                .filter(|&from| self.is_safe(from, to, false))
                .collect();
        }
        let from = from.single()?;
        let kind = match role {
            Role::Pawn => self.pawn_kind(from, to, parts.promotion)?,
            role => Kind::plain(role),
        };
        if self.board.by_color(self.turn).contains(to) {
            return None;
        }
        let legal = match role {
            Role::King => self.king_may_enter(to),
            _ => self.is_safe(from, to, kind == Kind::EnPassant),
        };
        legal.then(|| Move::new(kind, from, to))
    }

    /// Returns the squares from which a piece of a role can move to the target, ignoring checks and pins.
    #[inline(always)]
    fn origins(&self, role: Role, parts: SanParts) -> Bitboard {
        let to = parts.to;
        let occupied = self.board.occupied();
        let mut from = if role == Role::Pawn {
            self.pawn_origins(to)
        } else {
            attacks::of(role, self.turn, to, occupied)
        };
        from &= self.board.pieces(self.turn, role);
        if let Some(file) = parts.file {
            from &= Bitboard::file(file);
        } else if role == Role::Pawn {
            from &= Bitboard::file(to.file());
        }
        if let Some(rank) = parts.rank {
            from &= Bitboard::rank(rank);
        }
        from
    }

    /// Returns the squares from which a pawn can capture or step to the target.
    #[inline(always)]
    fn pawn_origins(&self, to: Square) -> Bitboard {
        let occupied = self.board.occupied();
        if self.board.by_color(!self.turn).contains(to) || self.en_passant == Some(to) {
            let diagonal = attacks::pawn(!self.turn, to);
            if occupied.contains(to) {
                return diagonal;
            }
            return diagonal | self.pawn_steps(to);
        }
        self.pawn_steps(to)
    }

    /// Returns the squares from which a pawn steps straight to an empty square.
    #[inline(always)]
    fn pawn_steps(&self, to: Square) -> Bitboard {
        let target = Bitboard::of(to).0;
        let occupied = self.board.occupied().0;
        let (one, two, fourth) = if self.turn.is_white() {
            (target >> 8, target >> 16, Rank::Fourth)
        } else {
            (target << 8, target << 16, Rank::Fifth)
        };
        if occupied & target != 0 {
            Bitboard::EMPTY
        } else if one & occupied == 0 && to.rank() == fourth {
            Bitboard(two)
        } else {
            Bitboard(one)
        }
    }

    /// Reads every form of a move that the quick reader does not.
    #[cold]
    #[inline(never)]
    fn parse_san_slowly(&self, text: &[u8]) -> Result<Move, SanError> {
        let text = without_marks(text)?;
        if let Some(side) = castling_text(text) {
            return self.castle(side);
        }
        let mut first_error = None;
        for parts in SanParts::readings(text).into_iter().flatten() {
            match self.resolve(parts) {
                Ok(m) => return Ok(m),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        Err(first_error.unwrap_or(SanError::Syntax))
    }

    /// Returns castling to a side, or why it is illegal.
    fn castle(&self, side: CastlingSide) -> Result<Move, SanError> {
        let home = Bitboard::back_rank(self.turn);
        let king = self.board.pieces(self.turn, Role::King) & home;
        let rooks = Bitboard(self.castling) & home;
        let rook = king.single().and_then(|king| {
            rooks
                .into_iter()
                .find(|&rook| CastlingSide::of(king, rook) == side)
        });
        let reason = match (king.single(), rook) {
            (Some(king), Some(rook)) => match self.why_not_castle(rook) {
                None => return Ok(Move::new(Kind::Castle, king, rook)),
                Some(reason) => reason,
            },
            _ => IllegalMove::NoCastlingRight {
                side,
                color: self.turn,
            },
        };
        let candidates = self.candidates(|m| m.role() == Role::King);
        Err(SanError::Illegal {
            role: Some(Role::King),
            to: None,
            reason: Some(reason),
            candidates,
        })
    }

    /// Returns the legal moves that are wanted.
    fn candidates(&self, wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        self.legal_moves()
            .into_iter()
            .filter(|&m| wanted(m))
            .collect()
    }

    /// Returns the only legal move that fits, or why there is none.
    fn resolve(&self, parts: SanParts) -> Result<Move, SanError> {
        let to = parts.to;
        if parts.role.is_none()
            && let (Some(file), Some(rank)) = (parts.file, parts.rank)
        {
            return self.resolve_squares(Square::new(file, rank), parts);
        }
        let role = parts.role.unwrap_or(Role::Pawn);
        // `Kh1` is castling only in Chess960, where castling is written as the king taking its rook.
        let rook_names_castle = self.mode == CastlingMode::Chess960;
        let fits = |m: Move| {
            m.role() == role
                && (m.destination() == to || rook_names_castle && m.is_castle() && m.to() == to)
                && parts.promotion == m.promotion()
                && parts.file.is_none_or(|file| m.from().file() == file)
                && parts.rank.is_none_or(|rank| m.from().rank() == rank)
                // A capturing pawn is identified by its file.
                && (role != Role::Pawn || parts.file.is_some() || m.from().file() == to.file())
        };
        let mut candidates = self.candidates(fits);
        // In Chess960 a king's step and castling can have the same target; the step is meant.
        if candidates.len() > 1 {
            candidates.retain(|m| !m.is_castle());
        }
        match *candidates.as_slice() {
            [m] => Ok(m),
            [] => Err(self.why_none_fits(role, parts)),
            _ => Err(SanError::Ambiguous { candidates }),
        }
    }

    /// Returns the legal move between two squares, or why there is none.
    fn resolve_squares(&self, from: Square, parts: SanParts) -> Result<Move, SanError> {
        self.find_move(from, parts.to, parts.promotion)
            .map_err(|reason| match reason {
                IllegalMove::PromotionRequired => SanError::PromotionRequired,
                reason => SanError::Illegal {
                    role: self.board.piece_at(from).map(|piece| piece.role),
                    to: Some(parts.to),
                    reason: Some(reason),
                    candidates: self
                        .candidates(|m| m.from() == from || m.destination() == parts.to),
                },
            })
    }

    /// Returns the error for a text that no legal move fits.
    fn why_none_fits(&self, role: Role, parts: SanParts) -> SanError {
        let to = parts.to;
        let from = self.origins(role, parts);
        if role == Role::Pawn
            && parts.promotion.is_none()
            && Bitboard::back_rank(!self.turn).contains(to)
            && from
                .into_iter()
                .any(|from| self.find_move(from, to, None) == Err(IllegalMove::PromotionRequired))
        {
            return SanError::PromotionRequired;
        }
        // If only one piece can have been meant, its own reason is the best answer.
        let mut meant = self.board.pieces(self.turn, role);
        if role == Role::Pawn {
            meant &= Bitboard::file(parts.file.unwrap_or(to.file()));
        } else if let Some(file) = parts.file {
            meant &= Bitboard::file(file);
        }
        if let Some(rank) = parts.rank {
            meant &= Bitboard::rank(rank);
        }
        let one = if from.is_empty() { meant } else { from };
        let reason = one
            .single()
            .and_then(|from| self.find_move(from, to, parts.promotion).err());
        SanError::Illegal {
            role: Some(role),
            to: Some(to),
            reason,
            candidates: self.candidates(|m| m.role() == role || m.destination() == to),
        }
    }
}

impl SanParts {
    /// Reads the usual forms by their length: `e4`, `Nf3`, `exd5`, `Nxf3`, `Nbd7`, `Nbxd7`, each with an optional `+`
    /// or `#`. The slow reader handles everything else.
    #[inline(always)]
    fn plain(text: &[u8]) -> Option<(Role, SanParts)> {
        let text = match text {
            [rest @ .., b'+' | b'#'] => rest,
            text => text,
        };
        let (rest, to) = match *text {
            [ref rest @ .., file, rank] => (rest, Square::from_ascii(file, rank)?),
            _ => return None,
        };
        let mut parts = SanParts {
            role: None,
            file: None,
            rank: None,
            to,
            promotion: None,
        };
        let (role, rest) = match *rest {
            [] => return Some((Role::Pawn, parts)),
            [b'N', ref rest @ ..] => (Role::Knight, rest),
            [b'B', ref rest @ ..] => (Role::Bishop, rest),
            [b'R', ref rest @ ..] => (Role::Rook, rest),
            [b'Q', ref rest @ ..] => (Role::Queen, rest),
            [b'K', ref rest @ ..] => (Role::King, rest),
            [file @ b'a'..=b'h', b'x'] => {
                parts.file = File::from_index(usize::from(file - b'a'));
                return Some((Role::Pawn, parts));
            }
            _ => return None,
        };
        let hint = match rest {
            [hint @ .., b'x'] => hint,
            hint => hint,
        };
        match *hint {
            [] => {}
            [file @ b'a'..=b'h'] => parts.file = File::from_index(usize::from(file - b'a')),
            [rank @ b'1'..=b'8'] => parts.rank = Rank::from_index(usize::from(rank - b'1')),
            _ => return None,
        }
        Some((role, parts))
    }

    /// Returns the ways to read a text. A lower-case `b` is first read as a file, and as a bishop only if no pawn move
    /// fits.
    fn readings(text: &[u8]) -> [Option<SanParts>; 2] {
        let (text, promotion) = split_promotion(text);
        let read = |role: Option<Role>, rest: &[u8]| SanParts::read(role, rest, promotion);
        let Some((&first, rest)) = text.split_first() else {
            return [None, None];
        };
        let named = Role::from_char(first as char);
        match first {
            b'a' | b'c'..=b'h' => [read(None, text), None],
            b'b' => [read(None, text), read(Some(Role::Bishop), rest)],
            b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'k' | b'q' | b'r' | b'n' => {
                [read(named, rest), None]
            }
            _ => [None, None],
        }
    }

    /// Reads `[file][rank][x|-|:]square`, after the piece letter and the promotion have been removed.
    fn read(role: Option<Role>, text: &[u8], promotion: Option<Role>) -> Option<SanParts> {
        let (rest, to) = match *text {
            [ref rest @ .., file, rank] => (rest, Square::from_ascii(file, rank)?),
            _ => return None,
        };
        let rest = match rest {
            [rest @ .., b'x' | b':' | b'-'] => rest,
            rest => rest,
        };
        let (file, rank) = match *rest {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (File::from_index(usize::from(file - b'a')), None),
            [rank @ b'1'..=b'8'] => (None, Rank::from_index(usize::from(rank - b'1'))),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (
                File::from_index(usize::from(file - b'a')),
                Rank::from_index(usize::from(rank - b'1')),
            ),
            _ => return None,
        };
        if promotion.is_some() && role.is_some_and(|role| role != Role::Pawn) {
            return None;
        }
        Some(SanParts {
            role,
            file,
            rank,
            to,
            promotion,
        })
    }
}

/// Removes what may follow a move: `e.p.`, check marks and up to two of `!` and `?`.
fn without_marks(text: &[u8]) -> Result<&[u8], SanError> {
    const MAX_LENGTH: usize = 24;
    if text.len() > MAX_LENGTH {
        return Err(SanError::Syntax);
    }
    let mut text = text;
    for _ in 0..2 {
        if let [rest @ .., b'!' | b'?'] = text {
            text = rest;
        }
    }
    for _ in 0..2 {
        if let [rest @ .., b'+' | b'#'] = text {
            text = rest;
        }
    }
    for suffix in [&b" e.p."[..], b"e.p."] {
        if let Some(rest) = text.strip_suffix(suffix) {
            text = rest;
            break;
        }
    }
    Ok(text)
}

/// Returns the side to which a text castles: `O-O` or `O-O-O`, with letters or zeros.
fn castling_text(text: &[u8]) -> Option<CastlingSide> {
    let is_o = |byte: &u8| matches!(byte, b'O' | b'0' | b'o');
    match text {
        [a, b'-', b, b'-', c] if [a, b, c].into_iter().all(is_o) => Some(CastlingSide::Queen),
        [a, b'-', b] if is_o(a) && is_o(b) => Some(CastlingSide::King),
        _ => None,
    }
}

/// Splits off a promotion at the end: `=Q`, `Q`, `(Q)` or `/Q`, in either case.
fn split_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let (rest, letter) = match *text {
        [ref rest @ .., b'=' | b'/', letter] => (rest, letter),
        [ref rest @ .., b'(', letter, b')'] => (rest, letter),
        [ref rest @ .., b'1'..=b'8', letter] if rest.len() + 1 < text.len() => {
            let end = rest.len() + 1;
            (text.get(..end).unwrap_or(rest), letter)
        }
        _ => return (text, None),
    };
    match letter.to_ascii_uppercase() {
        b'Q' => (rest, Some(Role::Queen)),
        b'R' => (rest, Some(Role::Rook)),
        b'B' => (rest, Some(Role::Bishop)),
        b'N' => (rest, Some(Role::Knight)),
        _ => (text, None),
    }
}
