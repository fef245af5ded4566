//! Where a game under review comes from, as both fronts know it, and the game as they store it.

use std::path::PathBuf;

use tabiya_game::Session;
use tabiya_play::desk::{self, Filed};
use tabiya_play::players::PlayerSpec;
use tabiya_play::review::{self, DeskSource, JudgmentHome, Source};
use tabiya_rules::{ByColor, Color};
use tabiya_store::{SaveName, SavedGame};

use crate::game_file::Extent;
use crate::saved::{self, SavedPlayers};

/// What a person has on the desk in this program.
pub type Desk = desk::Desk<Origin>;

/// A game under review in this program.
pub type Review = review::Review<Origin>;

/// Where a review comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A game of a file, by its number from 1.
    File {
        path: PathBuf,
        number: usize,
        /// Where its text is in the file, if it can be written back there.
        extent: Option<Extent>,
    },
    /// The game being played, or the last one, with its players.
    Game(SavedPlayers),
    /// A save, with its players.
    Save(SaveName, SavedPlayers),
    /// A game of the match, by its number.
    Match(u32),
    /// A game of a database.
    Database,
    /// A typed or pasted position or game.
    Text,
}

impl Origin {
    /// Whether the game was played with this program.
    fn is_own(&self) -> bool {
        match self {
            Origin::Game(_) | Origin::Save(..) | Origin::Match(_) => true,
            Origin::File { .. } | Origin::Database | Origin::Text => false,
        }
    }

    /// Who played it here.
    fn players(&self) -> SavedPlayers {
        match self {
            Origin::Game(players) | Origin::Save(_, players) => players.clone(),
            Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => {
                ByColor::default()
            }
        }
    }
}

impl Source for Origin {
    fn person(&self) -> Option<Color> {
        saved::person(&self.players())
    }
}

impl DeskSource for Origin {
    fn played(players: &ByColor<Option<PlayerSpec>>) -> Origin {
        Origin::Game(saved::written(players))
    }

    fn judgment_home(&self) -> JudgmentHome {
        match self {
            Origin::Game(_) => JudgmentHome::Played,
            Origin::Save(..) => JudgmentHome::Stored,
            Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => {
                JudgmentHome::Nowhere
            }
        }
    }

    fn is_same_stored(&self, other: &Origin) -> bool {
        match (self, other) {
            (
                Origin::File { path, number, .. },
                Origin::File {
                    path: other,
                    number: at,
                    ..
                },
            ) => (path, number) == (other, at),
            (Origin::Save(name, _), Origin::Save(other, _)) => name == other,
            _ => false,
        }
    }
}

/// The reviewed game with everything that was added to it, in the form of a save.
pub fn reviewed_game(review: &Review) -> Box<SavedGame> {
    Box::new(SavedGame {
        session: Session::restore(review.record()),
        players: review.source().players(),
    })
}

/// The game that texts and saves are about, in the form of a save.
pub fn filed_game(filed: Filed<'_, Origin>) -> Box<SavedGame> {
    match filed {
        Filed::Review(review) => reviewed_game(review),
        Filed::Finished(finished) => saved::game(finished.session.clone(), &finished.players),
        Filed::Game(table) => saved::game(table.session().clone(), &table.players()),
    }
}

/// Whether a game on a board was played with this program.
pub fn is_own(review: &Review) -> bool {
    review.source().is_own()
}

#[cfg(test)]
mod tests;
