//! Writing moves in short (`Nf3`) and long (`Ng1-f3`) algebraic notation.

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt::{self, Write};
use core::ops::Deref;

use crate::short_text::ShortText;
use crate::{Bitboard, Color, Move, PlayError, Position, Role, Square, attacks};

/// A move in algebraic notation, made by [`Position::san`] or [`Position::lan`]. It is a short text that needs no
/// allocation.
///
/// ```
/// use tabiya_rules::Position;
///
/// let start = Position::start();
/// let san = start.san(start.parse_uci("g1f3")?);
/// assert_eq!(&*san, "Nf3");
/// # Ok::<(), tabiya_rules::UciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San(ShortText<10>);

impl Deref for San {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Position {
    /// Returns a legal move in standard algebraic notation, with `+` or `#` if it gives check or mate.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?;
    /// let castle = position.parse_uci("e1g1")?;
    /// assert_eq!(position.san(castle).to_string(), "O-O");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn san(&self, m: Move) -> San {
        let mut text = ShortText::new();
        if let Some(side) = m.castling_side() {
            text.push_all(match side {
                crate::CastlingSide::King => "O-O",
                crate::CastlingSide::Queen => "O-O-O",
            });
        } else {
            let captures = self.captured(m).is_some();
            match m.role() {
                Role::Pawn if captures => text.push(m.from().file().char() as u8),
                Role::Pawn => {}
                role => {
                    text.push(role.upper_char() as u8);
                    self.disambiguate(m, &mut text);
                }
            }
            if captures {
                text.push(b'x');
            }
            push_square(&mut text, m.to());
            push_promotion(&mut text, m);
        }
        self.push_check(m, &mut text);
        San(text)
    }

    /// Returns a line of moves from this position in standard algebraic notation, with move numbers.
    ///
    /// ```
    /// use tabiya_rules::{MoveHistory, Position};
    ///
    /// let mut line = MoveHistory::default();
    /// for text in ["e4", "e5", "Nf3"] {
    ///     line.push_san(text)?;
    /// }
    /// let start = Position::start();
    /// assert_eq!(start.variation_san(line.moves())?, "1. e4 e5 2. Nf3");
    /// let after_e4 = line.positions().nth(1).ok_or("no move")?;
    /// assert_eq!(after_e4.variation_san(&line.moves()[1..])?, "1... e5 2. Nf3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a move is not legal.
    #[doc(alias = "pv")]
    pub fn variation_san(
        &self,
        moves: impl IntoIterator<Item = impl Borrow<Move>>,
    ) -> Result<String, PlayError> {
        let mut text = String::new();
        let mut position = *self;
        for m in moves {
            let m = *m.borrow();
            let next = position.play(m)?;
            let number = position.fullmove_number();
            let gap = if text.is_empty() { "" } else { " " };
            // Writing into a String never fails.
            let _ = match position.turn() {
                Color::White => write!(text, "{gap}{number}. "),
                Color::Black if text.is_empty() => write!(text, "{number}... "),
                Color::Black => write!(text, "{gap}"),
            };
            text.push_str(&position.san(m));
            position = next;
        }
        Ok(text)
    }

    /// Returns a legal move in long algebraic notation: `Ng1-f3`, `e5xd6`, `e7-e8=Q+`.
    #[must_use]
    pub fn lan(&self, m: Move) -> San {
        if m.is_castle() {
            return self.san(m);
        }
        let mut text = ShortText::new();
        if m.role() != Role::Pawn {
            text.push(m.role().upper_char() as u8);
        }
        push_square(&mut text, m.from());
        text.push(if self.captured(m).is_some() {
            b'x'
        } else {
            b'-'
        });
        push_square(&mut text, m.to());
        push_promotion(&mut text, m);
        self.push_check(m, &mut text);
        San(text)
    }

    /// Writes the file, the rank or both, if another piece of the same kind could legally go there too.
    fn disambiguate(&self, m: Move, text: &mut ShortText<10>) {
        let (from, to) = (m.from(), m.to());
        let role = m.role();
        if role == Role::King {
            return;
        }
        let others = attacks::of(role, self.turn, to, self.board.occupied())
            & self.board.pieces(self.turn, role);
        let rivals: Bitboard = (others - from)
            .into_iter()
            .filter(|&other| self.is_safe(other, to, false))
            .collect();
        if rivals.is_empty() {
            return;
        }
        let same_file = rivals & Bitboard::file(from.file());
        let same_rank = rivals & Bitboard::rank(from.rank());
        if same_file.is_empty() {
            text.push(from.file().char() as u8);
        } else if same_rank.is_empty() {
            text.push(from.rank().char() as u8);
        } else {
            push_square(text, from);
        }
    }

    /// Adds `+` or `#` if the move gives check or mate.
    fn push_check(&self, m: Move, text: &mut ShortText<10>) {
        if self.gives_check(m) {
            text.push(if self.play_unchecked(m).has_legal_move() {
                b'+'
            } else {
                b'#'
            });
        }
    }
}

fn push_square(text: &mut ShortText<10>, square: Square) {
    text.push(square.file().char() as u8);
    text.push(square.rank().char() as u8);
}

/// Adds `=Q` and the like.
fn push_promotion(text: &mut ShortText<10>, m: Move) {
    if let Some(role) = m.promotion() {
        text.push(b'=');
        text.push(role.upper_char() as u8);
    }
}
