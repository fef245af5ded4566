//! A review beside a game: which of the two is in front, where the adviser looks.

use tabiya_game::Timestamp;

use super::BoardId;
use crate::outcome::Outcomes;
use crate::review::Review;
use crate::table::Table;

/// A review beside a game, which may have several: on a server, each player has a review of their own. So the table of the
/// game is an argument.
#[derive(Debug)]
pub struct Beside<S> {
    review: Option<Review<S>>,
    front: BoardId,
}

impl<S> Default for Beside<S> {
    fn default() -> Beside<S> {
        Beside {
            review: None,
            front: BoardId::Game,
        }
    }
}

impl<S> Beside<S> {
    /// The game under review.
    #[must_use]
    pub fn review(&self) -> Option<&Review<S>> {
        self.review.as_ref()
    }

    /// The game under review, mutable.
    pub(super) fn review_mut(&mut self) -> Option<&mut Review<S>> {
        self.review.as_mut()
    }

    /// The board in front.
    #[must_use]
    pub fn front(&self) -> BoardId {
        self.front
    }

    /// The table of a board; without a review, that of the game.
    #[must_use]
    pub fn at<'a>(&'a self, id: BoardId, game: &'a Table) -> &'a Table {
        match (id, &self.review) {
            (BoardId::Review, Some(review)) => &review.table,
            (BoardId::Game | BoardId::Review, _) => game,
        }
    }

    /// The table of a board, mutable; without a review, that of the game.
    pub fn at_mut<'a>(&'a mut self, id: BoardId, game: &'a mut Table) -> &'a mut Table {
        match (id, &mut self.review) {
            (BoardId::Review, Some(review)) => &mut review.table,
            (BoardId::Game | BoardId::Review, _) => game,
        }
    }

    /// Puts a review in front, in place of another one, and the adviser with it. Returns the outcomes there.
    pub fn open(&mut self, review: Review<S>, game: &mut Table, now: Timestamp) -> Outcomes {
        let mut review = review;
        let front = self.at_mut(self.front, game);
        let outcomes = front.hand_over(&mut review.table, now);
        self.review = Some(review);
        self.front = BoardId::Review;
        outcomes
    }

    /// Puts a board in front, and the adviser with it. Returns the outcomes there, or `None` if it is in front already, or
    /// there is no review.
    pub fn show(&mut self, id: BoardId, game: &mut Table, now: Timestamp) -> Option<Outcomes> {
        let review = self.review.as_mut().filter(|_| id != self.front)?;
        self.front = id;
        Some(match id {
            BoardId::Game => review.table.hand_over(game, now),
            BoardId::Review => game.hand_over(&mut review.table, now),
        })
    }

    /// Discards the review, after its board has left the front. Returns it.
    pub(super) fn close(&mut self) -> Option<Review<S>> {
        self.front = BoardId::Game;
        self.review.take()
    }
}
