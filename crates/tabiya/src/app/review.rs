//! Reviews: a game that is looked at instead of played, and its annotations.

use tabiya_game::{Record, pgn};
use tabiya_rules::Position;
use tabiya_store::text_file::{self, Written};
use tabiya_store::{SaveName, paths};

use super::action::Action;
use super::boards::BoardId;
use super::overlay::dialog::{Choice, Dialog};
use super::watch::Watch;
use super::{App, Screen};
use crate::game_file::{Extent, GameFileError};
use crate::message::{Contents, Effect, Existing, FileEffect, FileText, NotDone, StoreEffect};
use crate::review::{Origin, Review};
use crate::saved;
use crate::wording::{NOT_SAVED, REVIEW_CHANGED};

impl App {
    /// Opens a game for review. If another review would be lost, asks first. Returns whether it was opened.
    pub(crate) fn open_review(&mut self, record: Record, origin: Origin) -> bool {
        if self.boards.is_under_work(&origin) {
            self.overlay = None;
            self.show_board(BoardId::Review);
            return false;
        }
        if self.boards.has_unsaved_review() {
            let title = format!("{REVIEW_CHANGED} Discard them?");
            let open = Action::OpenReview(Box::new(record), origin);
            self.open(Dialog::confirmation(title, open));
            return false;
        }
        self.replace_review(record, origin);
        true
    }

    /// Puts a game under review, at its start. Changes in another review are discarded.
    pub(super) fn replace_review(&mut self, record: Record, origin: Origin) {
        if self.boards.has_unsaved_review() {
            self.save_state.discard_review(&mut self.effects);
        }
        self.put_review(record, origin);
    }

    pub(super) fn put_review(&mut self, record: Record, origin: Origin) {
        let player = self.settings.player();
        let outcomes = self.boards.open_review(record, origin, player, self.now);
        self.overlay = None;
        self.screen = Screen::Game;
        self.show_outcomes(BoardId::Review, outcomes);
    }

    /// Reviews the game being played, or the last one.
    pub(super) fn review_game(&mut self) {
        if self.board().is_review() {
            self.screen = Screen::Game;
            return;
        }
        let players = saved::written(self.board().opponents().specs());
        self.open_review(self.board().session().publish(), Origin::Game(players));
    }

    /// Brings one of the boards to the front.
    pub(super) fn show_board(&mut self, id: BoardId) {
        let outcomes = self.boards.show(id, self.now);
        self.screen = Screen::Game;
        self.show_outcomes(id, outcomes);
    }

    /// Saves under a name: the game being played, or a copy of the one under review.
    pub(super) fn save(&mut self, name: Option<SaveName>) {
        if !self.board().has_begun() {
            self.show_result(Err(NotDone::NothingToSave));
            return;
        }
        let Some(review) = &self.board().reviewed else {
            let game = self.board().game_to_save();
            self.effects.push(StoreEffect::SaveAs { name, game });
            return;
        };
        if let Origin::Save(own, _) = &review.origin
            && name.as_ref().is_none_or(|name| name == own)
        {
            let title = format!("Put the review in the place of the save '{own}'?");
            let over = Action::SaveOver(own.clone());
            self.open(Dialog::confirmation(title, over));
        } else if let Some(name) = name {
            let game = review.game(self.board().session());
            self.effects.push(StoreEffect::SaveCopy { name, game });
        } else {
            let sentence = "A review is saved under a name of its own: save NAME.";
            self.board_mut().refuse(sentence);
        }
    }

    /// Handles the result of writing the game back into its file. The games after it have moved, so the file is listed
    /// again.
    pub(super) fn handle_put_back(&mut self, result: Result<(Written, Extent), GameFileError>) {
        let extent = result.as_ref().ok().map(|(_, extent)| *extent);
        if let (Some(review), Some(_)) = (&mut self.board_mut().reviewed, extent) {
            review.extent = extent;
        }
        let written = result.map(|(written, _)| written.into());
        self.handle_written(Contents::Review, written.map_err(NotDone::from));
        if extent.is_some()
            && let Some(old) = self.picker.take()
        {
            self.list(old.again());
        }
    }

    /// Opens a pasted position or game.
    pub(super) fn paste_to_review(&mut self, text: &str) -> bool {
        if let Ok(position) = Position::from_fen(text.trim()) {
            self.open_review(Record::new(position), Origin::Text);
            return true;
        }
        let game = pgn::games(text.as_bytes()).next();
        let Some(game) = game.filter(|game| game.record.len() > 1) else {
            return false;
        };
        if self.open_review(game.record, Origin::Text)
            && let Some(error) = game.errors.first()
        {
            self.board_mut().refuse(error.to_string());
        }
        true
    }

    /// Exits, unless something would be lost.
    pub(super) fn leave_or_ask(&mut self) {
        match at_risk(self) {
            Some(sentence) => {
                let title = format!("{sentence} Leave anyway?");
                self.open(Dialog::confirmation(title, Action::Effect(Effect::Leave)));
            }
            None => self.effects.push(Effect::Leave),
        }
    }
}

/// Asks what to do with an existing file of the requested name, given the review in front.
pub(super) fn ask_to_replace(review: Option<&Review>, file: FileText, about: Existing) -> Dialog {
    let place = review.and_then(|review| {
        let Origin::File { number, .. } = review.origin else {
            return None;
        };
        Some((number, review.extent.filter(|_| about.is_source)?))
    });
    let games = about.games;
    let Some((number, extent)) = place.filter(|_| games > 1) else {
        let question = text_file::question(&file.path, games);
        return Dialog::confirmation(question, Action::effect(FileEffect::Replace(file)));
    };
    let title = format!("{} holds {games} games.", paths::shown(&file.path));
    let put = Action::effect(FileEffect::PutBack {
        path: file.path.clone(),
        extent,
        text: file.text.clone(),
    });
    let replace = Action::effect(FileEffect::Replace(file));
    let all = format!("Replace the file and lose {} others", games - 1);
    let choices = vec![
        Choice::new('p', format!("Put it in the place of game {number}"), put),
        Choice::new('r', all, replace),
        Choice::new('n', "Neither", Action::Close),
    ];
    Dialog::new(title, choices)
}

/// What would be lost if the program exited now.
pub(super) fn at_risk(app: &App) -> Option<&'static str> {
    if app.save_state.save_failed || app.save_state.is_unsaved {
        Some(NOT_SAVED)
    } else if app.boards.has_unsaved_review() {
        Some(REVIEW_CHANGED)
    } else if app.watch.as_ref().is_some_and(Watch::has_unsaved_games) {
        Some("The match has unsaved games.")
    } else if app.watch.as_ref().is_some_and(|watch| !watch.is_over()) {
        Some("The match is not over; its games so far are saved.")
    } else {
        None
    }
}
