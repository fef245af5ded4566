//! The tags of a record: those that were set, and those derived from it.

use tabiya_rules::{CastlingMode, CastlingNotation, EnPassantMode, Position};

use super::Record;
use crate::tags::Tags;

/// The tags of a [`Record`], returned by [`Record::tags`].
///
/// Iterating yields those that were set; [`RecordTags::get`] also finds those derived from the record.
///
/// ```
/// use tabiya_game::{GameResult, Record};
/// use tabiya_rules::Position;
///
/// let mut record = Record::new(Position::start());
/// record.tags_mut().set("White", "Anderssen")?;
/// record.set_result(GameResult::WhiteWins);
/// assert_eq!(record.tags().get("White"), Some("Anderssen"));
/// assert_eq!(record.tags().get("Result"), Some("1-0"));
/// # Ok::<(), tabiya_game::TagError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RecordTags<'a> {
    pub(super) record: &'a Record,
}

impl<'a> RecordTags<'a> {
    /// Returns the value of a tag. `Result` always has one; `FEN` and `SetUp` have one unless the game begins from the
    /// standard start; `Variant` has one in Chess960.
    pub fn get(self, name: &str) -> Option<&'a str> {
        let record = self.record;
        match name {
            "Result" => Some(record.result().as_str()),
            "FEN" => record.fen.as_deref(),
            "SetUp" => record.fen.as_ref().map(|_| "1"),
            "Variant" if record.start().castling_mode() == CastlingMode::Chess960 => {
                Some("Chess960")
            }
            name => record.tags.get(name),
        }
    }

    /// Returns the tags that were set, in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.record.tags.iter()
    }

    /// Returns the number of tags that were set.
    pub fn len(self) -> usize {
        self.record.tags.len()
    }

    /// Returns whether no tag was set.
    pub fn is_empty(self) -> bool {
        self.record.tags.is_empty()
    }

    /// Returns the tags that were set, as a [`Tags`] value.
    pub fn stored(self) -> &'a Tags {
        &self.record.tags
    }
}

/// Returns the value of the `FEN` tag for a game that begins with a position; `None` for the standard start.
pub(super) fn fen_tag(start: &Position) -> Option<Box<str>> {
    let is_standard = start.setup() == Position::start().setup();
    (!is_standard).then(|| {
        start
            .fen_with(EnPassantMode::Always, CastlingNotation::ByMode)
            .into_boxed_str()
    })
}
