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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// What must be where.
    wanted: Vec<(Content, Bitboard)>,
    turn: Option<Color>,
}

/// What a square must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Nothing,
    Anything,
    Side(Color),
    Piece(Piece),
}

/// The text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum PatternError {
    #[error("there are more than eight ranks")]
    Ranks,
    #[error("a rank has more than eight squares")]
    Files,
    #[error(
        "'{0}' is not part of a board: a piece, a digit, _ for an empty square, . or ? for any, ! A or a for a piece"
    )]
    Character(char),
    #[error("the side to move must be w or b")]
    Turn,
    #[error("the pattern is empty")]
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
            wanted: Vec::new(),
            turn,
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
    /// Adds the requirements of a rank.
    fn rank(&mut self, rank: Rank, text: &str) -> Result<(), PatternError> {
        let mut files = File::ALL.into_iter();
        for c in text.chars() {
            if c == '*' {
                return Ok(());
            }
            let content = match c {
                '.' | '?' => None,
                '_' | '1'..='8' => Some(Content::Nothing),
                '!' => Some(Content::Anything),
                'A' => Some(Content::Side(Color::White)),
                'a' => Some(Content::Side(Color::Black)),
                _ => {
                    let piece = Piece::from_char(c).ok_or(PatternError::Character(c))?;
                    Some(Content::Piece(piece))
                }
            };
            for _ in 0..c.to_digit(10).unwrap_or(1) {
                let file = files.next().ok_or(PatternError::Files)?;
                if let Some(content) = content {
                    self.want(content, Square::new(file, rank));
                }
            }
        }
        Ok(())
    }

    fn want(&mut self, content: Content, square: Square) {
        let mut wanted = self.wanted.iter_mut();
        match wanted.find(|(known, _)| *known == content) {
            Some((_, places)) => *places |= square,
            None => self.wanted.push((content, square.into())),
        }
    }

    /// The pattern with colors swapped and the board flipped.
    pub(crate) fn mirrored(&self) -> Pattern {
        let wanted = self.wanted.iter().map(|&(content, places)| {
            let other = match content {
                Content::Nothing | Content::Anything => content,
                Content::Side(color) => Content::Side(!color),
                Content::Piece(Piece { color, role }) => Content::Piece(Piece {
                    color: !color,
                    role,
                }),
            };
            (other, places.flip_vertical())
        });
        Pattern {
            wanted: wanted.collect(),
            turn: self.turn.map(|turn| !turn),
        }
    }

    /// Whether a board matches, with this side to move.
    pub(crate) fn matches_board(&self, board: &Board, turn: Color) -> bool {
        let pieces = |piece: Piece| board.pieces(piece.color, piece.role);
        self.matches(turn, pieces, |color| board.by_color(color))
    }

    /// Like [`Pattern::matches_board`], for the pawns alone: a square without a pawn counts as empty.
    pub(crate) fn matches_pawns(&self, board: &Board, turn: Color) -> bool {
        let pawns = |color| board.pieces(color, Role::Pawn);
        self.matches(turn, |piece| pawns(piece.color), pawns)
    }

    /// Whether the side to move and the content of the squares are as required.
    #[inline]
    fn matches(
        &self,
        turn: Color,
        pieces: impl Fn(Piece) -> Bitboard,
        by_color: impl Fn(Color) -> Bitboard,
    ) -> bool {
        let occupied = by_color(Color::White) | by_color(Color::Black);
        self.turn.is_none_or(|wanted| wanted == turn)
            && self.wanted.iter().all(|&(content, places)| match content {
                Content::Nothing => (places & occupied).is_empty(),
                Content::Anything => places.is_subset_of(occupied),
                Content::Side(color) => places.is_subset_of(by_color(color)),
                Content::Piece(piece) => places.is_subset_of(pieces(piece)),
            })
    }

    /// Whether the pattern has only pawns.
    pub(crate) fn has_only_pawns(&self) -> bool {
        let mut wanted = self.wanted.iter();
        !wanted.any(|(content, _)| matches!(content, Content::Piece(it) if it.role != Role::Pawn))
    }
}

#[cfg(test)]
mod tests;
