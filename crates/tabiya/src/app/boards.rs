//! The two boards: the game being played, and the game under review.
//!
//! A review has its own board, with a session whose clocks are stopped, so that everything possible on a board is
//! possible in it too. It does not touch the game being played.

use tabiya_game::{Record, Timestamp};
use tabiya_play::outcome::Outcomes;
use tabiya_play::table::Display;

use super::board::Board;
use crate::review::{Origin, Review};

/// One of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardId {
    /// The board of the game being played.
    Game,
    /// The board of the game under review.
    Review,
}

/// Both boards, and which of them is in front.
#[derive(Debug)]
pub(crate) struct Boards {
    pub(crate) game: Board,
    pub(crate) review: Option<Board>,
    front: BoardId,
}

impl Boards {
    pub(super) fn new(game: Board) -> Boards {
        Boards {
            game,
            review: None,
            front: BoardId::Game,
        }
    }

    /// Which board is in front.
    pub(super) fn front_id(&self) -> BoardId {
        self.front
    }

    /// The board in front.
    pub(crate) fn front(&self) -> &Board {
        match (self.front, &self.review) {
            (BoardId::Review, Some(review)) => review,
            (BoardId::Game | BoardId::Review, _) => &self.game,
        }
    }

    pub(crate) fn front_mut(&mut self) -> &mut Board {
        self.at(self.front)
    }

    /// One of the boards; without a review, the board of the game.
    pub(super) fn at(&mut self, id: BoardId) -> &mut Board {
        match (id, &mut self.review) {
            (BoardId::Review, Some(review)) => review,
            (BoardId::Game | BoardId::Review, _) => &mut self.game,
        }
    }

    /// Brings a board to the front, and the adviser with it. Without a review, the game stays in front. Returns the
    /// outcomes at that board.
    #[must_use]
    pub(super) fn show(&mut self, id: BoardId, now: Timestamp) -> Outcomes {
        let Some(review) = self.review.as_mut().filter(|_| id != self.front) else {
            return Vec::new();
        };
        self.front = id;
        match id {
            BoardId::Game => review.table.hand_over(&mut self.game.table, now),
            BoardId::Review => self.game.table.hand_over(&mut review.table, now),
        }
    }

    /// What belongs to the review.
    fn reviewed(&self) -> Option<&Review> {
        self.review.as_ref()?.reviewed.as_ref()
    }

    /// Whether the review has unsaved changes.
    pub(super) fn has_unsaved_review(&self) -> bool {
        self.reviewed().is_some_and(|review| review.changed)
    }

    /// Whether a stored game is the one under review, with unsaved changes.
    pub(super) fn is_under_work(&self, origin: &Origin) -> bool {
        let stored = matches!(origin, Origin::File { .. } | Origin::Save(..));
        let is_it = |review: &Review| review.changed && review.origin == *origin;
        stored && self.reviewed().is_some_and(is_it)
    }

    /// Opens a game for review, at its start. Returns the outcomes at its board.
    #[must_use]
    pub(super) fn open_review(
        &mut self,
        record: Record,
        origin: Origin,
        player: &str,
        now: Timestamp,
    ) -> Outcomes {
        let (review, table) = Review::open(record, origin, player, Display::Board, now);
        let mut board = Board::new(table, Some(review));
        let outcomes = self.front_mut().table.hand_over(&mut board.table, now);
        self.review = Some(board);
        self.front = BoardId::Review;
        outcomes
    }

    /// Remembers that a file has the whole review.
    pub(super) fn mark_review_written(&mut self) {
        let board = self.review.as_mut();
        if let Some(review) = board.and_then(|board| board.reviewed.as_mut()) {
            review.changed = false;
        }
    }
}
