//! The two boards: the one of the game that is played, and the one of a game that is looked at.
//!
//! A review has a board of its own, with a session whose clocks stand still, so that everything a player can do on a
//! board can be done in it too. The game that is played is not touched meanwhile.

use std::ops::{Deref, DerefMut};

use tabiya_game::{Record, Session, Timestamp};
use tabiya_play::table::Table;

use super::board::Board;
use super::review::{Origin, Review};
use crate::game_file;

/// Which of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Front {
    /// The one of the game that is played.
    Game,
    /// The one of the game that is looked at.
    Review,
}

/// Both boards. Where one is meant, it is the one in front.
#[derive(Debug)]
pub(crate) struct Boards {
    pub(crate) game: Board,
    pub(crate) review: Option<Board>,
    front: Front,
}

impl Deref for Boards {
    type Target = Board;

    fn deref(&self) -> &Board {
        match (self.front, &self.review) {
            (Front::Review, Some(review)) => review,
            (Front::Game | Front::Review, _) => &self.game,
        }
    }
}

impl DerefMut for Boards {
    fn deref_mut(&mut self) -> &mut Board {
        self.at(self.front)
    }
}

impl Boards {
    pub(super) fn new(game: Board) -> Boards {
        Boards {
            game,
            review: None,
            front: Front::Game,
        }
    }

    pub(super) fn front(&self) -> Front {
        self.front
    }

    /// One of the boards; without a review, the one of the game.
    pub(super) fn at(&mut self, front: Front) -> &mut Board {
        match (front, &mut self.review) {
            (Front::Review, Some(review)) => review,
            (Front::Game | Front::Review, _) => &mut self.game,
        }
    }

    /// Puts a board in front, and the adviser with it; without a review, the game stays in front.
    pub(super) fn show(&mut self, front: Front) {
        let Some(review) = self.review.as_mut().filter(|_| front != self.front) else {
            return;
        };
        match front {
            Front::Game => review.table.hand_over(&mut self.game.table),
            Front::Review => self.game.table.hand_over(&mut review.table),
        }
        self.front = front;
    }

    /// What is known about the game that is looked at.
    fn reviewed(&self) -> Option<&Review> {
        self.review.as_ref()?.reviewed.as_ref()
    }

    /// Whether something was written in the review that is in no file.
    pub(super) fn has_unsaved_review(&self) -> bool {
        self.reviewed().is_some_and(|review| review.changed)
    }

    /// Whether a stored game is the one that is reviewed, with changes that are not stored.
    pub(super) fn is_under_work(&self, origin: &Origin) -> bool {
        let stored = match origin {
            Origin::File { .. } | Origin::Save(_) => true,
            Origin::Game | Origin::Match(_) | Origin::Database | Origin::Text => false,
        };
        let is_it = |review: &Review| review.changed && review.origin == *origin;
        stored && self.reviewed().is_some_and(is_it)
    }

    /// Puts a game in front to be looked at, from its start.
    pub(super) fn open_review(&mut self, record: Record, origin: Origin, now: Timestamp) {
        // A file of games can be a save, with what only sessions understand in it.
        let record = match record.tags().get("Session") {
            Some(_) => Session::restore(record).publish(),
            None => record,
        };
        let review = Review::new(&record, origin);
        let mut bare = record;
        game_file::stop_clocks(&mut bare);
        let mut view = Board::new(Table::review(bare, now), Some(review));
        self.at(self.front).table.hand_over(&mut view.table);
        self.review = Some(view);
        self.front = Front::Review;
    }

    /// Takes in how the writing of a file went. Returns whether everything in the review is in it.
    pub(super) fn review_written(&mut self, well: bool) -> bool {
        let review = self.review.as_mut().and_then(|view| view.reviewed.as_mut());
        let Some(review) = review else { return false };
        let is_saved = std::mem::take(&mut review.saving) && well;
        if is_saved {
            review.changed = false;
        }
        is_saved
    }
}
