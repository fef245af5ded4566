//! Patterns: pieces on some squares, and anything on the others.

use std::str::FromStr;

use tabiya_rules::{Bitboard, Board, Color, File, Piece, Rank, Role, Square};
use thiserror::Error;

/// What must be on some squares of a board.
///
/// It is written like the placement of a FEN, from the eighth rank down, with `/` between ranks. A letter is that
/// piece, a digit that many empty squares, `_` an empty one, `.` or `?` any square, `!` any piece, `A` any of White's
/// and `a` any of Black's. The rest of a rank, and missing ranks, may have anything; `w` or `b` at the end gives the
/// side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Where each piece must be.
    pieces: Vec<(Piece, Bitboard)>,
    empty: Bitboard,
    /// Where any piece must be, and any piece of a side.
    occupied: Bitboard,
    white: Bitboard,
    black: Bitboard,
    turn: Option<Color>,
}

/// The text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum PatternError {
    #[error("there are more than eight ranks")]
    Ranks,
    #[error("a rank has more than eight squares")]
    Files,
    #[error(
        "'{0}' is no part of a board: a piece, a digit, _ for an empty square, . or ? for any, ! A or a for a piece"
    )]
    Character(char),
    #[error("whose turn it is, is w or b")]
    Turn,
    #[error("nothing is asked for")]
    Nothing,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let mut fields = text.split_whitespace();
        let placement = fields.next().ok_or(PatternError::Nothing)?;
        let turn = match fields.next() {
            None | Some("-" | "?") => None,
            Some("w") => Some(Color::White),
            Some("b") => Some(Color::Black),
            Some(_) => return Err(PatternError::Turn),
        };
        let mut pattern = Pattern {
            turn,
            ..Pattern::default()
        };
        let mut ranks = Rank::ALL.into_iter().rev();
        for text in placement.split('/') {
            // A slash at the end does not begin a rank.
            let Some(rank) = ranks.next() else {
                if text.is_empty() {
                    break;
                }
                return Err(PatternError::Ranks);
            };
            pattern.rank(rank, text)?;
        }
        Ok(pattern)
    }
}

impl Pattern {
    fn rank(&mut self, rank: Rank, text: &str) -> Result<(), PatternError> {
        let mut files = File::ALL.into_iter();
        for c in text.chars() {
            if c == '*' {
                return Ok(());
            }
            let mut next = || {
                let file = files.next().ok_or(PatternError::Files)?;
                Ok(Bitboard::from(Square::new(file, rank)))
            };
            match c {
                '.' | '?' => {
                    next()?;
                }
                '_' => self.empty |= next()?,
                '1'..='8' => {
                    for _ in 0..c as u8 - b'0' {
                        self.empty |= next()?;
                    }
                }
                '!' => self.occupied |= next()?,
                'A' => self.white |= next()?,
                'a' => self.black |= next()?,
                _ => {
                    let piece = Piece::from_char(c).ok_or(PatternError::Character(c))?;
                    let place = next()?;
                    match self.pieces.iter_mut().find(|(known, _)| *known == piece) {
                        Some((_, places)) => *places |= place,
                        None => self.pieces.push((piece, place)),
                    }
                }
            }
        }
        Ok(())
    }

    /// The pattern with colors swapped and the board flipped.
    pub(crate) fn mirrored(&self) -> Pattern {
        let pieces = self.pieces.iter().map(|&(piece, places)| {
            let other = Piece {
                color: !piece.color,
                role: piece.role,
            };
            (other, places.flip_vertical())
        });
        Pattern {
            pieces: pieces.collect(),
            empty: self.empty.flip_vertical(),
            occupied: self.occupied.flip_vertical(),
            white: self.black.flip_vertical(),
            black: self.white.flip_vertical(),
            turn: self.turn.map(|turn| !turn),
        }
    }

    /// Whether a board matches, with this side to move.
    pub(crate) fn is_on(&self, board: &Board, turn: Color) -> bool {
        let pieces = |piece: Piece| board.pieces(piece.color, piece.role);
        self.matches(turn, pieces, |color| board.by_color(color))
    }

    /// Does the same for the pawns alone: a square without a pawn counts as empty.
    pub(crate) fn has_pawns_on(&self, board: &Board, turn: Color) -> bool {
        let pawns = |color| board.pieces(color, Role::Pawn);
        self.matches(turn, |piece| pawns(piece.color), pawns)
    }

    #[inline]
    fn matches(
        &self,
        turn: Color,
        pieces: impl Fn(Piece) -> Bitboard,
        by_color: impl Fn(Color) -> Bitboard,
    ) -> bool {
        let (white, black) = (by_color(Color::White), by_color(Color::Black));
        let has = |&(piece, places): &(Piece, Bitboard)| places.is_subset_of(pieces(piece));
        self.turn.is_none_or(|wanted| wanted == turn)
            && self.pieces.iter().all(has)
            && (self.empty & (white | black)).is_empty()
            && self.occupied.is_subset_of(white | black)
            && self.white.is_subset_of(white)
            && self.black.is_subset_of(black)
    }

    /// Whether the pattern has only pawns.
    pub(crate) fn is_of_pawns(&self) -> bool {
        self.pieces
            .iter()
            .all(|(piece, _)| piece.role == Role::Pawn)
    }
}

#[cfg(test)]
mod tests;
