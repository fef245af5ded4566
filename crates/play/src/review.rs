//! A game under review: its table, where it comes from, and what has to be done with what is added to it.

use std::fmt;

use tabiya_game::{GameResult, Record, Session, Tags, Timestamp};
use tabiya_rules::text::excerpt;
use tabiya_rules::{ByColor, Color};

use crate::players::PlayerSpec;
use crate::table::{Display, Table};

/// Where a game under review comes from. Fronts define it, because they know where games are stored.
pub trait Source: Clone + fmt::Debug {
    /// The side of the only person who played the game here, against an engine or another person.
    fn person(&self) -> Option<Color>;
}

/// Where a game comes from that is reviewed at a desk.
pub trait DeskSource: Source {
    /// The game being played, or the one that ended last, with its players; `None` where nobody of this program has played.
    fn played(players: &ByColor<Option<PlayerSpec>>) -> Self;

    /// Where a judgment of the game is stored.
    fn judgment_home(&self) -> JudgmentHome;

    /// Whether both are the same game of the same file or save.
    fn is_same_stored(&self, other: &Self) -> bool;
}

/// Where an engine's judgment of a reviewed game is stored without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgmentHome {
    /// With the game being played, or the one that ended last.
    Played,
    /// With the stored game, if it is over.
    Stored,
    /// Nowhere: the game is in a file of the user, or nowhere at all.
    Nowhere,
}

/// A game under review.
#[derive(Debug)]
pub struct Review<S> {
    pub(crate) table: Table,
    source: S,
    tags: Tags,
    result: GameResult,
    pub(crate) is_unsaved: bool,
}

impl<S: Source> Review<S> {
    /// Puts a game under review, at its start, with stopped clocks. `player` is the user's name, perhaps empty.
    #[must_use]
    pub fn open(
        record: Record,
        source: S,
        player: &str,
        display: Display,
        now: Timestamp,
    ) -> Review<S> {
        // A file of games may be a save, with data that only sessions understand.
        let record = match record.tags().get("Session") {
            Some(_) => Session::restore(record).publish(),
            None => record,
        };
        let (tags, result) = (record.tags().stored().clone(), record.result());
        let mut table = Table::review(record, display, now);
        // The player's own mistakes come first.
        table.set_player(source.person().or_else(|| side_of(&tags, player)));
        Review {
            table,
            source,
            tags,
            result,
            is_unsaved: false,
        }
    }
}

impl<S> Review<S> {
    /// The table where it is reviewed.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Where it comes from.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Where the game comes from, mutable, to record where it is now.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Whether the game has changes that neither a save nor a file has.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// The result of the game.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Where and when it was played, if the game says so.
    #[must_use]
    pub fn event(&self) -> Option<String> {
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
    #[must_use]
    pub fn rating(&self, color: Color) -> Option<u16> {
        self.tags.get(&format!("{color}Elo"))?.parse().ok()
    }

    /// The game with everything that was added to it.
    #[must_use]
    pub fn record(&self) -> Record {
        let mut record = self.table.session().record().clone();
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
}

impl<S: DeskSource> Review<S> {
    /// Where a judgment of the game is stored. A stored game that goes on is not changed.
    #[must_use]
    pub fn judgment_home(&self) -> JudgmentHome {
        let home = self.source.judgment_home();
        let goes_on = home == JudgmentHome::Stored && self.result == GameResult::Unknown;
        if goes_on { JudgmentHome::Nowhere } else { home }
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
