//! Finding out while a game is read whether it is one of those asked for.

use tabiya_game::pgn::{Flow, MoveVisitor, PgnError, PgnErrorKind, Text};
use tabiya_game::{GameResult, Step};
use tabiya_rules::Position;

use super::wanted::{Tags, Wanted};

/// Looks at one game after the other.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    wanted: &'a Wanted,
    tags: Tags,
    tags_fit: bool,
    /// Where the game begins.
    pub(super) offset: u64,
    plies: u64,
    position_seen: bool,
    material_seen: bool,
    /// Nobody knows from where the moves are played.
    unplayable: bool,
    tagged_result: GameResult,
    /// The result after the moves.
    result: Option<GameResult>,
    pub(super) errors: u64,
}

impl<'a> Judge<'a> {
    pub(super) fn new(wanted: &'a Wanted) -> Judge<'a> {
        Judge {
            wanted,
            tags: Tags::default(),
            tags_fit: false,
            offset: 0,
            plies: 0,
            position_seen: false,
            material_seen: false,
            unplayable: false,
            tagged_result: GameResult::Unknown,
            result: None,
            errors: 0,
        }
    }

    /// Whether the game that was read is to be written.
    pub(super) fn approves(&self) -> bool {
        let wanted = self.wanted;
        let result = match self.tagged_result {
            GameResult::Unknown => self.result.unwrap_or(GameResult::Unknown),
            tagged => tagged,
        };
        let fits = self.tags_fit
            && wanted.result.is_none_or(|asked| asked == result)
            && wanted.plies.is_none_or(|range| range.contains(self.plies))
            && (wanted.position.is_none() || self.position_seen)
            && (wanted.material.is_none() || self.material_seen);
        fits != wanted.invert
    }

    #[inline]
    fn look(&mut self, position: &Position) {
        if let Some(asked) = &self.wanted.position {
            self.position_seen |= asked == position;
        }
        if let Some(asked) = &self.wanted.material {
            self.material_seen |= asked.is_on(position.board());
        }
    }
}

impl MoveVisitor for Judge<'_> {
    fn begin_game(&mut self, offset: u64) -> Flow {
        let Judge { wanted, tags, .. } = self;
        tags.clear();
        *self = Judge {
            tags: std::mem::take(tags),
            offset,
            ..Judge::new(wanted)
        };
        Flow::Read
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Result<(), PgnErrorKind> {
        if name == b"Result" {
            self.tagged_result = value.decode().trim().parse().unwrap_or_default();
        } else if let Some(place) = self.tags.place(name) {
            place.clear();
            place.push_str(&value.decode());
        }
        Ok(())
    }

    fn end_tags(&mut self, start: &Position) -> Flow {
        self.tags_fit = self.wanted.fits(&self.tags);
        if !self.tags_fit && !self.wanted.invert {
            return Flow::Skip;
        }
        if !self.unplayable {
            self.look(start);
        }
        Flow::Read
    }

    #[inline]
    fn step(&mut self, _: &Position, _: Step, after: &Position) -> Result<(), PgnErrorKind> {
        self.plies += 1;
        self.look(after);
        Ok(())
    }

    fn begin_variation(&mut self) -> Flow {
        Flow::Skip
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        self.errors += 1;
        self.unplayable |= matches!(error.kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant);
    }
}
