//! Reviews beside the game being played, and the game that has just ended.
//!
//! A review is a separate table. The game waits meanwhile, paused if a player would otherwise move or lose time, and
//! comes back with `back`.

use std::fmt;
use std::path::PathBuf;

use tabiya_game::{Record, Session, Timestamp};
use tabiya_play::outcome::{Outcome, Outcomes};
use tabiya_play::request::{GameRequest, Request, StudyRequest, Target};
use tabiya_play::study::copy_judgment;
use tabiya_play::table::{Display, Table};
use tabiya_rules::{ByColor, Color};
use tabiya_store::SaveName;
use tabiya_store::text_file::Written;

use super::saves::{self, Confirmation, Then};
use super::unsaved::Loss;
use super::{Effect, LineGame, Reply, SaveEffect, refuse, say};
use crate::commands::Command;
use crate::game_file::{Extent, GameFileError, Opened};
use crate::saved;

/// The game that waits during a review.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) table: Table,
    is_menu_open: bool,
    /// Whether it has unsaved changes.
    is_unsaved: bool,
    /// Whether it was paused for the review, and resumes afterwards.
    resumes: bool,
}

/// The game that ended before the current one began.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) game: Box<tabiya_store::SavedGame>,
    /// The side of the only person in it.
    player: Option<Color>,
}

/// A save under review.
#[derive(Debug)]
pub(super) struct LookedAt {
    name: SaveName,
    /// The game as the save has it, with its end.
    game: Box<tabiya_store::SavedGame>,
}

impl LineGame {
    /// Whether a game is under review.
    pub(super) fn is_review(&self) -> bool {
        self.waiting.is_some()
    }

    /// Whether the game that is played, not the one under review, has ended.
    pub(crate) fn is_over(&self) -> bool {
        let waiting = self.waiting.as_ref().map(|waiting| &waiting.table);
        let table = waiting.unwrap_or(&self.table);
        table.session().outcome().is_some()
    }

    /// The game that has ended, until the first move of the next.
    pub(super) fn finished_game(&self) -> Finished {
        Finished {
            game: self.game_to_save(),
            player: self.table.opponents().person(),
        }
    }

    /// The game that files are about: the one that has just ended, otherwise the one on the board.
    pub(super) fn filed(&self) -> &Session {
        match &self.finished {
            Some(finished) if !self.is_review() => &finished.game.session,
            Some(_) | None => self.table.session(),
        }
    }

    /// Reviews a game from a file or a save, from its start.
    pub(crate) fn open(
        &mut self,
        path: PathBuf,
        opened: Result<Opened, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return refuse("file", error.to_string()),
        };
        let mut effects = self.look_into(opened.record, None, now);
        self.source = opened.extent.map(|extent| (path, extent));
        let problem = opened.problem.map(|why| Reply::refusal("pgn", why));
        effects.extend(problem.map(Effect::Say));
        effects
    }

    /// Puts a game under review, with its clocks stopped, and says how to get back.
    pub(super) fn look_into(
        &mut self,
        record: Record,
        player: Option<Color>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let said = introduction(&record);
        let mut review = Table::review(record, Display::Text, now);
        review.set_player(player);
        let mut effects: Vec<Effect> = orders(self.table.hand_over(&mut review, now)).collect();
        let mut table = std::mem::replace(&mut self.table, review);
        if self.waiting.is_none() {
            let session = table.session();
            let is_running = session.outcome().is_none() && !session.is_paused();
            let resumes = is_running && !table.is_remote();
            if resumes {
                effects.extend(orders(table.handle(GameRequest::Pause.into(), now)));
            }
            self.waiting = Some(Box::new(Waiting {
                table,
                is_menu_open: self.is_menu_open,
                is_unsaved: self.is_unsaved,
                resumes,
            }));
        }
        self.is_menu_open = false;
        self.source = None;
        self.looked_at = None;
        self.is_unsaved = false;
        effects.extend(say("review", vec![said]));
        effects.extend(self.request(GameRequest::GoTo(Target::Start), now));
        effects
    }

    /// Judges the game that has just ended, which puts it under review.
    pub(super) fn study_finished(&mut self, request: StudyRequest, now: Timestamp) -> Vec<Effect> {
        let Some(finished) = self.finished.as_ref().filter(|_| !self.is_review()) else {
            return self.request(request, now);
        };
        let (record, player) = (finished.game.session.publish(), finished.player);
        let mut effects = self.look_into(record, player, now);
        effects.extend(self.request(request, now));
        effects
    }

    /// Copies the judgment to the game that has just ended, and to its save; or to the save under review, unless its
    /// game goes on or the user has written something as well.
    pub(super) fn save_judgment(&mut self) -> Option<Effect> {
        let is_unsaved = self.is_unsaved;
        let judged = self.table.session().record();
        // The judgment of another game changes nothing.
        let judge = |game: &mut Box<tabiya_store::SavedGame>| {
            let events = copy_judgment(judged, &mut game.session, Timestamp::ORIGIN);
            (!events.is_empty()).then(|| game.clone())
        };
        let (name, game) = match &mut self.looked_at {
            Some(looked_at) => {
                let is_over = looked_at.game.session.outcome().is_some();
                let game = Some(&mut looked_at.game).filter(|_| is_over && !is_unsaved);
                (Some(looked_at.name.clone()), game.and_then(judge)?)
            }
            None => (None, judge(&mut self.finished.as_mut()?.game)?),
        };
        Some(SaveEffect::SaveJudgment(name, game).into())
    }

    /// Reviews a save.
    pub(crate) fn open_save(
        &mut self,
        name: SaveName,
        looked: Result<Record, impl fmt::Display>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let record = match looked {
            Ok(record) => record,
            Err(error) => return refuse("file", error.to_string()),
        };
        let session = Session::restore(record.clone());
        let effects = self.look_into(record, None, now);
        let game = saved::game(session, &ByColor::default());
        self.looked_at = Some(LookedAt { name, game });
        effects
    }

    /// Returns to the game. If a review would be lost, asks first.
    pub(super) fn go_back(&mut self, now: Timestamp) -> Vec<Effect> {
        if self.looks_back {
            return self.request(GameRequest::GoTo(Target::End), now);
        }
        if !self.is_review() {
            return refuse("no_review", "This is your game; nothing else is looked at.");
        }
        let asked = self.ask_unless_saved(Loss::Review);
        asked.unwrap_or_else(|| self.leave_review(now))
    }

    /// Puts the waiting game back on the board.
    pub(super) fn leave_review(&mut self, now: Timestamp) -> Vec<Effect> {
        let Some(waiting) = self.waiting.take() else {
            return Vec::new();
        };
        let Waiting {
            mut table,
            is_menu_open,
            is_unsaved,
            resumes,
        } = *waiting;
        let mut effects: Vec<Effect> = orders(self.table.hand_over(&mut table, now)).collect();
        self.table = table;
        self.is_menu_open = is_menu_open;
        self.source = None;
        self.looked_at = None;
        self.is_unsaved = is_unsaved;
        effects.extend(say("back", vec!["Back in your game.".to_owned()]));
        if resumes {
            effects.extend(self.toggle_clock(now));
        }
        effects
    }

    /// Leaves the review for a command that starts another game.
    pub(super) fn leave_review_for(&mut self, command: &Command, now: Timestamp) -> Vec<Effect> {
        if !command.begins_game() || !self.is_review() {
            return Vec::new();
        }
        let effects = self.leave_review(now);
        let is_order = |effect: &Effect| matches!(effect, Effect::Order(_));
        effects.into_iter().filter(is_order).collect()
    }

    /// Whether the waiting game has unsaved changes.
    pub(super) fn has_unsaved_game(&self) -> bool {
        self.waiting
            .as_ref()
            .is_some_and(|waiting| waiting.is_unsaved)
    }

    /// Handles the result of writing the game back into its file.
    pub(crate) fn put_back(&mut self, done: Result<(Written, Extent), GameFileError>) -> Reply {
        let done = done.map(|(written, extent)| {
            if let Some((_, place)) = &mut self.source {
                *place = extent;
            }
            written
        });
        self.was_written("pgn", done)
    }

    /// Asks before a move from the position being viewed rewrites the game.
    pub(super) fn ask_to_take_back(&mut self, command: &Command) -> Option<Vec<Effect>> {
        let Command::Table(Request::Game(GameRequest::Play(input))) = command else {
            return None;
        };
        if !self.asks || self.table.would_take_back(input).is_none() {
            return None;
        }
        let what = "That takes your game back to this place; what followed stays as a variation. Go on from here?";
        let stays = "Your game stays as it is.".to_owned();
        self.confirmation = Some(Confirmation {
            then: Then::Play(Box::new(command.clone())),
            declined: Reply::text("goto", vec![stays]),
        });
        Some(vec![Effect::Say(saves::careful_question("goto", what))])
    }
}

/// What engines and the server have to do after a change of the waiting game. Nothing else of it is shown.
pub(super) fn orders(outcomes: Outcomes) -> impl Iterator<Item = Effect> {
    outcomes.into_iter().filter_map(|outcome| {
        if let Outcome::Order(order) = outcome {
            Some(Effect::Order(order))
        } else if let Outcome::Server(request) = outcome {
            Some(Effect::Server(request, 0))
        } else {
            None
        }
    })
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
