//! Reviews beside the game being played, in the line mode: opened, introduced, and left with `back`.

use std::fmt;
use std::path::{Path, PathBuf};

use tabiya_front::game_file::{Extent, GameFileError, Opened};
use tabiya_front::review::Origin;
use tabiya_game::{Record, Timestamp};
use tabiya_play::desk::{DeskRequest, Step};
use tabiya_play::request::{GameRequest, Target};
use tabiya_store::text_file::Written;
use tabiya_store::{SaveName, SavedGame};

use super::unsaved::Discard;
use super::{LineEffect, LineGame, Reply, TextForm, refuse, say};

impl LineGame {
    /// Whether a game is under review.
    pub(super) fn is_review(&self) -> bool {
        self.desk.review().is_some()
    }

    /// Whether the game that is played, not the one under review, has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.desk.game().session().outcome().is_some()
    }

    /// The file of the review, and where its text is there, if it can be written back.
    pub(crate) fn source(&self) -> Option<(&Path, Extent)> {
        let Origin::File { path, extent, .. } = self.desk.review()?.source() else {
            return None;
        };
        Some((path, (*extent)?))
    }

    /// Reviews a game of a file, from its start.
    pub(crate) fn open(
        &mut self,
        path: PathBuf,
        opened: Result<Opened, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return refuse("file", error.to_string()),
        };
        let origin = Origin::File {
            path,
            number: 1,
            extent: opened.extent,
        };
        let mut effects = self.start_review(opened.record, origin, now);
        let problem = opened.problem.map(|why| Reply::refusal("pgn", why));
        effects.extend(problem.map(LineEffect::Say));
        effects
    }

    /// Puts a game under review.
    pub(super) fn start_review(
        &mut self,
        record: Record,
        origin: Origin,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        self.handle(DeskRequest::Review(Box::new(record), origin), now)
    }

    /// Reviews the game that has just ended; goes back to the start of one that goes on, or of the review.
    pub(super) fn review_game(&mut self, now: Timestamp) -> Vec<LineEffect> {
        if self.desk.finished().is_some() && !self.is_review() {
            return self.handle(DeskRequest::ReviewGame, now);
        }
        let mut effects = Vec::new();
        if !self.is_review() {
            let sentence =
                "Looking back at your game. Enter goto end to return to where it stands.";
            effects.extend(say("review", vec![sentence.to_owned()]));
        }
        effects.extend(self.request(GameRequest::GoTo(Target::Start), now));
        if !self.is_review() {
            self.is_looking_back = self.table().session().record().cursor().next().is_some();
        }
        effects
    }

    /// Reviews a save.
    pub(crate) fn open_save(
        &mut self,
        name: SaveName,
        game: Result<SavedGame, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        match game {
            Ok(game) => {
                let origin = Origin::Save(name, game.players);
                self.start_review(game.session.publish(), origin, now)
            }
            Err(error) => refuse("file", error.to_string()),
        }
    }

    /// Returns to the game. If a review would be lost, asks first.
    pub(super) fn go_back(&mut self, now: Timestamp) -> Vec<LineEffect> {
        if self.is_review() {
            let asked = self.ask_unless_saved(&Step::CloseReview, Discard::Review, now);
            return asked.unwrap_or_else(|| self.leave_review(now));
        }
        if self.is_looking_back {
            return self.request(GameRequest::GoTo(Target::End), now);
        }
        refuse("no_review", "This is your game; nothing else is looked at.")
    }

    /// Puts the game back in front.
    pub(super) fn leave_review(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let mut effects = say("back", vec!["Back in your game.".to_owned()]);
        effects.extend(self.handle(DeskRequest::CloseReview, now));
        effects
    }

    /// Handles the result of writing the game back into its file.
    pub(crate) fn put_back(&mut self, result: Result<(Written, Extent), GameFileError>) -> Reply {
        let result = result.map(|(written, new_extent)| {
            if let Some(Origin::File { extent, .. }) = self.desk.source_of_review() {
                *extent = Some(new_extent);
            }
            written
        });
        self.written(TextForm::Pgn, result)
    }
}

/// What is under review, and how to get back.
pub(super) fn introduction(record: &Record) -> String {
    let tag = |name: &str| {
        let value = record.tags().get(name).unwrap_or_default();
        Some(value.to_owned()).filter(|value| !value.is_empty() && !value.starts_with('?'))
    };
    let players = match (tag("White"), tag("Black")) {
        (None, None) => "a game".to_owned(),
        (white, black) => {
            let shown = |name: Option<String>| name.unwrap_or_else(|| "?".to_owned());
            format!("{} – {}", shown(white), shown(black))
        }
    };
    let about: Vec<String> = [Some(players), tag("Event"), tag("Date"), tag("Result")]
        .into_iter()
        .flatten()
        .filter(|part| part != "*")
        .collect();
    let what = about.join(", ");
    format!("Reviewing {what}. Enter back to return to your game.")
}
