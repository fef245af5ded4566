//! What can be wrong with a game in a file: where, what, and the faulty text.

use core::fmt;

use tabiya_rules::text::clean;
use tabiya_rules::{ParseFenError, SanError};

use super::text::decode;
use super::text_position::TextPosition;

/// The most characters of the faulty text that an error keeps.
const EXCERPT: usize = 60;

/// An error in one game. It never stops the reader: what came before it is kept, and the next game is read.
///
/// It displays as a sentence that begins with line and column and contains no control characters, so it can be
/// printed as it is; put the file name before it.
///
/// ```
/// use tabiya_game::pgn;
///
/// let games: Vec<_> = pgn::games(b"1. e4 Qh7 2. d4 *").collect();
/// assert!(games[0].errors[0].to_string().starts_with("1:7: 'Qh7' cannot be played."));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PgnError {
    /// Where the faulty text begins.
    pub place: TextPosition,
    /// What is wrong.
    pub kind: PgnErrorKind,
    /// The beginning of the faulty text.
    pub text: Box<str>,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A move that cannot be played. The rest of its line is skipped.
    Move(Box<SanError>),
    /// A null move in check. The rest of its line is skipped.
    NullMoveInCheck,
    /// The `FEN` tag is not a valid position. The moves of the game are skipped.
    Fen(Box<ParseFenError>),
    /// A `Variant` tag that names a game with other rules. The moves of the game are skipped.
    Variant,
    /// Text that has no place in a game. It is skipped, and only the first such text of a game is reported.
    Unexpected,
    /// A tag that cannot be read. It is skipped.
    Tag,
    /// A tag that is not finished at the end of the input.
    UnfinishedTag,
    /// A tag longer than [`MAX_TAG_LENGTH`](super::MAX_TAG_LENGTH). It is skipped.
    TagTooLong,
    /// More than [`MAX_TAGS`](super::MAX_TAGS) tags. The rest are skipped.
    TooManyTags,
    /// A comment that is not closed before the input ends or the next game begins. The comment is kept up to
    /// there.
    UnfinishedComment,
    /// A comment longer than [`MAX_COMMENT_LENGTH`](super::MAX_COMMENT_LENGTH). It is skipped.
    CommentTooLong,
    /// Variations nested more than [`MAX_DEPTH`](super::MAX_DEPTH) deep. The inner ones are skipped.
    TooDeep,
    /// A variation that is not closed before the game ends.
    UnfinishedVariation,
    /// A numeric glyph that is not a number from 0 to 255. It is skipped.
    Glyph,
    /// More moves or annotations than a record read from a file may hold, see [`MAX_NODES`](super::MAX_NODES) and
    /// [`MAX_ANNOTATIONS`](super::MAX_ANNOTATIONS). The rest are skipped.
    GameTooLong,
}

impl PgnError {
    pub(super) fn new(place: TextPosition, kind: PgnErrorKind, text: &[u8]) -> PgnError {
        // A character has at most four bytes, so this keeps enough of them.
        let text = decode(&text[..text.len().min(EXCERPT * 4)]);
        let cut = text
            .char_indices()
            .nth(EXCERPT)
            .map_or(text.len(), |(index, _)| index);
        PgnError {
            place,
            kind,
            text: text[..cut].into(),
        }
    }
}

impl PgnError {
    /// Returns the error as a sentence without its place.
    pub fn message(&self) -> impl fmt::Display {
        Message(self)
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message())
    }
}

struct Message<'a>(&'a PgnError);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = clean(&self.0.text);
        match &self.0.kind {
            PgnErrorKind::Move(error) => write!(f, "'{text}' cannot be played. {error}"),
            PgnErrorKind::NullMoveInCheck => {
                write!(f, "'{text}' cannot be played. A side in check cannot pass.")
            }
            PgnErrorKind::Fen(error) => write!(f, "The FEN tag '{text}' is no position: {error}"),
            PgnErrorKind::Variant => write!(f, "The variant '{text}' is not chess as known here."),
            PgnErrorKind::Unexpected => write!(f, "'{text}' has no meaning here."),
            PgnErrorKind::Tag => write!(f, "The tag '{text}' cannot be read."),
            PgnErrorKind::UnfinishedTag => write!(f, "The tag '{text}' has no end."),
            PgnErrorKind::TagTooLong => {
                write!(
                    f,
                    "The tag '{text}' is longer than {} bytes.",
                    super::MAX_TAG_LENGTH
                )
            }
            PgnErrorKind::TooManyTags => {
                write!(
                    f,
                    "There are more than {} tags from '{text}' on.",
                    super::MAX_TAGS
                )
            }
            PgnErrorKind::UnfinishedComment => write!(f, "The comment '{text}' has no end."),
            PgnErrorKind::CommentTooLong => {
                write!(
                    f,
                    "The comment '{text}' is longer than {} bytes.",
                    super::MAX_COMMENT_LENGTH
                )
            }
            PgnErrorKind::TooDeep => {
                write!(
                    f,
                    "Variations are more than {} deep at '{text}'.",
                    super::MAX_DEPTH
                )
            }
            PgnErrorKind::UnfinishedVariation => {
                write!(f, "The variation that begins with '{text}' has no end.")
            }
            PgnErrorKind::Glyph => write!(f, "'{text}' is no glyph from $0 to $255."),
            PgnErrorKind::GameTooLong => write!(f, "The game is too long from '{text}' on."),
        }
    }
}

impl core::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            PgnErrorKind::Move(error) => Some(error.as_ref()),
            PgnErrorKind::Fen(error) => Some(error.as_ref()),
            PgnErrorKind::NullMoveInCheck
            | PgnErrorKind::Variant
            | PgnErrorKind::Unexpected
            | PgnErrorKind::Tag
            | PgnErrorKind::UnfinishedTag
            | PgnErrorKind::TagTooLong
            | PgnErrorKind::TooManyTags
            | PgnErrorKind::UnfinishedComment
            | PgnErrorKind::CommentTooLong
            | PgnErrorKind::TooDeep
            | PgnErrorKind::UnfinishedVariation
            | PgnErrorKind::Glyph
            | PgnErrorKind::GameTooLong => None,
        }
    }
}

impl fmt::Display for PgnErrorKind {
    /// Writes what is wrong, without the faulty text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnErrorKind::Move(error) => error.fmt(f),
            PgnErrorKind::NullMoveInCheck => f.write_str("a side in check cannot pass"),
            PgnErrorKind::Fen(error) => error.fmt(f),
            PgnErrorKind::Variant => f.write_str("the variant is not chess as known here"),
            PgnErrorKind::Unexpected => f.write_str("the text has no meaning here"),
            PgnErrorKind::Tag => f.write_str("the tag cannot be read"),
            PgnErrorKind::UnfinishedTag => f.write_str("the tag has no end"),
            PgnErrorKind::TagTooLong => {
                write!(f, "the tag is longer than {} bytes", super::MAX_TAG_LENGTH)
            }
            PgnErrorKind::TooManyTags => {
                write!(f, "there are more than {} tags", super::MAX_TAGS)
            }
            PgnErrorKind::UnfinishedComment => f.write_str("the comment has no end"),
            PgnErrorKind::CommentTooLong => write!(
                f,
                "the comment is longer than {} bytes",
                super::MAX_COMMENT_LENGTH
            ),
            PgnErrorKind::TooDeep => {
                write!(f, "variations are more than {} deep", super::MAX_DEPTH)
            }
            PgnErrorKind::UnfinishedVariation => f.write_str("the variation has no end"),
            PgnErrorKind::Glyph => f.write_str("expected a glyph from $0 to $255"),
            PgnErrorKind::GameTooLong => f.write_str("the game is too long"),
        }
    }
}
