//! A game under review, as both fronts have it: where it comes from, and what follows from that.

use std::path::PathBuf;

use tabiya_game::{GameResult, Record, Session, Tags, Timestamp};
use tabiya_play::table::{Display, Table};
use tabiya_rules::text::excerpt;
use tabiya_rules::{ByColor, Color};
use tabiya_store::{SaveName, SavedGame};

use crate::game_file::Extent;
use crate::saved::{self, SavedPlayers};

/// Where a review comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A game of a file, by its number from 1.
    File { path: PathBuf, number: usize },
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

/// A game of this program to which the judgment of its review is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JudgedGame {
    /// The game being played, or the last one.
    Played,
    Saved(SaveName),
}

/// What a review knows besides its table.
#[derive(Clone, Debug)]
pub(crate) struct Review {
    pub(crate) origin: Origin,
    tags: Tags,
    pub(crate) result: GameResult,
    /// Whether it has unsaved changes.
    pub(crate) changed: bool,
    /// Where its text is in its file, if it can be written back there.
    pub(crate) extent: Option<Extent>,
}

impl Review {
    /// Puts a game under review, at its start, on a table with stopped clocks. `player` is the user's name, perhaps empty.
    pub(crate) fn open(
        record: Record,
        origin: Origin,
        player: &str,
        display: Display,
        now: Timestamp,
    ) -> (Review, Table) {
        // A file of games may be a save, with data that only sessions understand.
        let record = match record.tags().get("Session") {
            Some(_) => Session::restore(record).publish(),
            None => record,
        };
        let review = Review {
            origin,
            tags: record.tags().stored().clone(),
            result: record.result(),
            changed: false,
            extent: None,
        };
        let mut table = Table::review(record, display, now);
        // The player's own mistakes come first.
        let person = saved::person(&review.players());
        table.set_player(person.or_else(|| side_of(&review.tags, player)));
        (review, table)
    }

    /// Who played it here.
    fn players(&self) -> SavedPlayers {
        match &self.origin {
            Origin::Game(players) | Origin::Save(_, players) => players.clone(),
            Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => {
                ByColor::default()
            }
        }
    }

    /// Where and when it was played, if the game says so.
    pub(crate) fn event(&self) -> Option<String> {
        let tag = |name| {
            let text = self.tags.get(name)?;
            let is_known = text.chars().any(|c| c != '?' && c != '.');
            is_known.then(|| excerpt(text))
        };
        let names = ["Event", "Site", "Date"].into_iter();
        let parts: Vec<String> = names.filter_map(tag).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// A side's rating, if the game says so.
    pub(crate) fn rating(&self, color: Color) -> Option<u16> {
        self.tags.get(&format!("{color}Elo"))?.parse().ok()
    }

    /// The reviewed game with everything that was added to it.
    pub(crate) fn record(&self, session: &Session) -> Record {
        let mut record = session.record().clone();
        let mut tags = self.tags.clone();
        for name in Color::ALL.map(|color| format!("{color}Accuracy")) {
            if let Some(value) = record.tags().get(&name) {
                // It was a valid tag before, so it is not refused.
                let set = tags.set(&name, value);
                debug_assert!(set.is_ok());
            }
        }
        *record.tags_mut() = tags;
        record.set_result(self.result);
        record
    }

    /// The reviewed game in the form of a save.
    pub(crate) fn game(&self, session: &Session) -> Box<SavedGame> {
        Box::new(SavedGame {
            session: Session::restore(self.record(session)),
            players: self.players(),
        })
    }

    /// Whether the game was played with this program.
    pub(crate) fn is_own(&self) -> bool {
        match self.origin {
            Origin::Game(_) | Origin::Save(..) | Origin::Match(_) => true,
            Origin::File { .. } | Origin::Database | Origin::Text => false,
        }
    }

    /// The game to which a judgment is written without asking. A file of the user is not changed, nor a game that goes
    /// on.
    pub(crate) fn judged_game(&self) -> Option<JudgedGame> {
        match &self.origin {
            Origin::Game(_) => Some(JudgedGame::Played),
            Origin::Save(name, _) => {
                let is_over = self.result != GameResult::Unknown;
                is_over.then(|| JudgedGame::Saved(name.clone()))
            }
            Origin::File { .. } | Origin::Match(_) | Origin::Database | Origin::Text => None,
        }
    }
}

/// The side of the player with this name, which may be empty.
pub(crate) fn side_of(tags: &Tags, player: &str) -> Option<Color> {
    let is_named = |color: &Color| tags.get(color.name()) == Some(player);
    Color::ALL
        .into_iter()
        .find(is_named)
        .filter(|_| !player.is_empty())
}

#[cfg(test)]
mod tests;
