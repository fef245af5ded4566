//! Reviews beside the game being played, and the game that has just ended.
//!
//! A review is a separate table. The game waits meanwhile, paused if a player would otherwise move or lose time, and
//! comes back with `back`.

use std::fmt;
use std::path::{Path, PathBuf};

use tabiya_game::{Record, Session, Timestamp};
use tabiya_play::outcome::{Outcome, Outcomes};
use tabiya_play::request::{GameRequest, Request, StudyRequest, Target};
use tabiya_play::study::copy_judgment;
use tabiya_play::table::{Display, Table};
use tabiya_store::text_file::Written;
use tabiya_store::{SaveName, SavedGame};

use super::saves::{self, Confirmation, Then};
use super::unsaved::Discard;
use super::{LineEffect, LineGame, LineSaveEffect, Reply, TextForm, refuse, say};
use crate::commands::Command;
use crate::game_file::{Extent, GameFileError, Opened};
use crate::review::{JudgedGame, Origin, Review, side_of};
use crate::wording::take_back_question;

/// A game under review.
#[derive(Debug)]
pub(super) struct LineReview {
    pub(super) table: Table,
    pub(super) about: Review,
    /// Whether the game was paused for the review, and resumes afterwards.
    resumes: bool,
}

impl LineGame {
    /// Whether a game is under review.
    pub(super) fn is_review(&self) -> bool {
        self.review.is_some()
    }

    /// Whether the game that is played, not the one under review, has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.game.session().outcome().is_some()
    }

    /// Whether the review has unsaved changes.
    pub(super) fn has_unsaved_review(&self) -> bool {
        let review = self.review.as_ref();
        review.is_some_and(|review| review.about.changed)
    }

    /// Whether what is in front has unsaved changes.
    pub(super) fn unsaved_mut(&mut self) -> &mut bool {
        match &mut self.review {
            Some(review) => &mut review.about.changed,
            None => &mut self.is_unsaved,
        }
    }

    /// The file of the review, and where its text is there, if it can be written back.
    pub(crate) fn source(&self) -> Option<(&Path, Extent)> {
        let review = &self.review.as_ref()?.about;
        let Origin::File { path, .. } = &review.origin else {
            return None;
        };
        Some((path, review.extent?))
    }

    /// The game that its text and its save are about: the one under review, or the one that has just ended, otherwise the
    /// one on the board.
    pub(super) fn filed(&self) -> (&Session, Option<&Review>) {
        match (&self.review, &self.finished) {
            (Some(review), _) => (review.table.session(), Some(&review.about)),
            (None, Some(finished)) => (&finished.session, None),
            (None, None) => (self.game.session(), None),
        }
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
        let origin = Origin::File { path, number: 1 };
        let mut effects = self.look_into(opened.record, origin, now);
        if let Some(review) = &mut self.review {
            review.about.extent = opened.extent;
        }
        let problem = opened.problem.map(|why| Reply::refusal("pgn", why));
        effects.extend(problem.map(LineEffect::Say));
        effects
    }

    /// Puts a game under review, and says how to get back.
    pub(super) fn look_into(
        &mut self,
        record: Record,
        origin: Origin,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let said = introduction(&record);
        let (about, mut table) = Review::open(record, origin, &self.name, Display::Text, now);
        let handed = self.table_mut().hand_over(&mut table, now);
        let mut effects = self.orders(handed);
        let session = self.game.session();
        let is_running = session.outcome().is_none() && !session.is_paused();
        let resumes = match &self.review {
            Some(before) => before.resumes,
            None if is_running && !self.game.is_remote() => {
                effects.extend(self.toggle_clock(now));
                true
            }
            None => false,
        };
        self.review = Some(Box::new(LineReview {
            table,
            about,
            resumes,
        }));
        effects.extend(say("review", vec![said]));
        effects.extend(self.request(GameRequest::GoTo(Target::Start), now));
        effects
    }

    /// Judges the game that has just ended, which puts it under review.
    pub(super) fn study_finished(
        &mut self,
        request: StudyRequest,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let mut effects = match self.is_review() {
            true => Vec::new(),
            false => {
                let finished = self.review_finished(now);
                let finished = finished.or_else(|| self.review_joined(now));
                finished.unwrap_or_default()
            }
        };
        if !self.is_review() {
            let tags = self.game.session().record().tags().stored();
            let player = self.game.opponents().person();
            self.game
                .set_player(player.or_else(|| side_of(tags, &self.name)));
        }
        effects.extend(self.request(request, now));
        effects
    }

    /// Puts the game that has just ended under review, if there is one.
    pub(super) fn review_finished(&mut self, now: Timestamp) -> Option<Vec<LineEffect>> {
        let finished = self.finished.as_ref()?;
        let players = Origin::Game(finished.players.clone());
        Some(self.look_into(finished.session.publish(), players, now))
    }

    /// Puts a joined game that is over under review: the game itself belongs to the server.
    fn review_joined(&mut self, now: Timestamp) -> Option<Vec<LineEffect>> {
        let is_over = self.game.session().outcome().is_some();
        if !(is_over && self.game.is_remote()) {
            return None;
        }
        let players = Origin::Game(self.game_to_save().players);
        Some(self.look_into(self.game.session().publish(), players, now))
    }

    /// Copies the judgment to the game that has just ended, and to its save; or to the save under review, unless the
    /// user has written something as well.
    pub(super) fn save_judgment(&mut self) -> Option<LineEffect> {
        let review = self.review.as_ref()?;
        let session = review.table.session();
        let (name, game) = match review.about.judged_game()? {
            JudgedGame::Saved(_) if review.about.changed => return None,
            JudgedGame::Saved(name) => (Some(name), review.about.game(session)),
            JudgedGame::Played => {
                let finished = self.finished.as_mut()?;
                let now = Timestamp::ORIGIN;
                if copy_judgment(session.record(), &mut finished.session, now).is_empty() {
                    return None;
                }
                (None, finished.clone())
            }
        };
        Some(LineSaveEffect::SaveJudgment(name, game).into())
    }

    /// Reviews a save.
    pub(crate) fn open_save(
        &mut self,
        name: SaveName,
        looked: Result<SavedGame, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        match looked {
            Ok(game) => {
                let origin = Origin::Save(name, game.players);
                self.look_into(game.session.publish(), origin, now)
            }
            Err(error) => refuse("file", error.to_string()),
        }
    }

    /// Returns to the game. If a review would be lost, asks first.
    pub(super) fn go_back(&mut self, now: Timestamp) -> Vec<LineEffect> {
        if self.is_review() {
            let asked = self.ask_unless_saved(Discard::Review);
            return asked.unwrap_or_else(|| self.leave_review(now));
        }
        if self.looks_back {
            return self.request(GameRequest::GoTo(Target::End), now);
        }
        refuse("no_review", "This is your game; nothing else is looked at.")
    }

    /// Puts the game back in front.
    pub(super) fn leave_review(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let Some(mut review) = self.review.take() else {
            return Vec::new();
        };
        let handed = review.table.hand_over(&mut self.game, now);
        let mut effects = self.orders(handed);
        effects.extend(say("back", vec!["Back in your game.".to_owned()]));
        if review.resumes {
            effects.extend(self.toggle_clock(now));
        }
        effects
    }

    /// Leaves the review for a command that starts another game.
    pub(super) fn leave_review_for(
        &mut self,
        command: &Command,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        if !command.begins_game() || !self.is_review() {
            return Vec::new();
        }
        let effects = self.leave_review(now);
        let is_order = |effect: &LineEffect| matches!(effect, LineEffect::Order(_));
        effects.into_iter().filter(is_order).collect()
    }

    /// Handles the result of writing the game back into its file.
    pub(crate) fn put_back(&mut self, done: Result<(Written, Extent), GameFileError>) -> Reply {
        let done = done.map(|(written, extent)| {
            if let Some(review) = &mut self.review {
                review.about.extent = Some(extent);
            }
            written
        });
        self.was_written(TextForm::Pgn, done)
    }

    /// What engines and the server have to do after a change of the game. Nothing else of it is shown.
    pub(super) fn orders(&self, outcomes: Outcomes) -> Vec<LineEffect> {
        let ply = self.game.session().ply();
        let order = |outcome| match outcome {
            Outcome::Order(order) => Some(LineEffect::Order(order)),
            Outcome::Server(request) => Some(LineEffect::Server(request, ply)),
            Outcome::Happened(_)
            | Outcome::Refused(_)
            | Outcome::Answer(_)
            | Outcome::ServerNews(_)
            | Outcome::Study(_)
            | Outcome::ReadAs { .. }
            | Outcome::Premove(_)
            | Outcome::PremoveDropped(_)
            | Outcome::Seated { .. }
            | Outcome::TookSide(_)
            | Outcome::EngineFailed { .. }
            | Outcome::BraceReplaced
            | Outcome::Judging
            | Outcome::Judged(_)
            | Outcome::AllJudged
            | Outcome::TryEnded
            | Outcome::Retry(_)
            | Outcome::Tried(_)
            | Outcome::VariationMoved(_) => None,
        };
        outcomes.into_iter().filter_map(order).collect()
    }

    /// Asks before a move from the position being viewed rewrites the game.
    pub(super) fn ask_to_take_back(
        &mut self,
        command: &Command,
        now: Timestamp,
    ) -> Option<Vec<LineEffect>> {
        let Command::Table(Request::Game(GameRequest::Play(input))) = command else {
            return None;
        };
        if !self.asks {
            return None;
        }
        let played = self.table().would_take_back(input, now)?;
        let what = take_back_question(played, self.position());
        let stays = "Your game stays as it is.".to_owned();
        self.confirmation = Some(Confirmation {
            then: Then::Play(Box::new(command.clone())),
            declined: Reply::text("goto", vec![stays]),
        });
        Some(vec![LineEffect::Say(saves::careful_question(
            "goto", &what,
        ))])
    }
}

/// What is under review, and how to get back.
fn introduction(record: &Record) -> String {
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
