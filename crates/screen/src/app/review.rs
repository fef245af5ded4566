//! Reviews: a game that is looked at instead of played, and its annotations.

use tabiya_game::{Record, pgn};
use tabiya_rules::Position;
use tabiya_store::text_file::{self, Written};
use tabiya_store::{SaveName, paths};

use super::action::Action;
use super::overlay::dialog::{Choice, Dialog};
use super::watch::Watch;
use super::{App, Screen};
use crate::message::{Contents, Effect, Existing, FileEffect, FileText, NotDone, StoreEffect};
use tabiya_front::game_file::{Extent, GameFileError};
use tabiya_front::review::{Origin, Review, filed_game, reviewed_game};
use tabiya_front::wording;
use tabiya_front::wording::{NOT_SAVED, REVIEW_CHANGED};
use tabiya_play::desk::{BoardId, DeskRequest, Step};
use tabiya_play::review::DeskSource;

impl App {
    /// Opens a game for review. If another review would be lost, asks first. Returns whether it was opened.
    pub(crate) fn open_review(&mut self, record: Record, origin: Origin) -> bool {
        if let Some(question) = self.question_before(&Step::Review(Some(&origin))) {
            let open = Action::OpenReview(Box::new(record), origin);
            self.open(Dialog::confirmation(question, open));
            return false;
        }
        let was_open = self
            .desk
            .review()
            .is_some_and(|review| review.is_unsaved() && review.source().is_same_stored(&origin));
        self.replace_review(record, origin);
        !was_open
    }

    /// Puts a game under review, at its start. Changes in another review are discarded.
    pub(super) fn replace_review(&mut self, record: Record, origin: Origin) {
        self.request(DeskRequest::Review(Box::new(record), origin));
        self.overlay = None;
        self.screens.front = Screen::Game;
    }

    /// Reviews the game being played. If another review would be lost, asks first.
    pub(super) fn review_game(&mut self) {
        self.screens.front = Screen::Game;
        if self.board().is_review() {
            return;
        }
        let review = DeskRequest::ReviewGame;
        if let Some(question) = self.question_before(&Step::Review(None)) {
            return self.open(Dialog::confirmation(question, Action::request(review)));
        }
        self.request(review);
        self.overlay = None;
    }

    /// Brings one of the boards to the front.
    pub(super) fn show_board(&mut self, id: BoardId) {
        self.request(DeskRequest::Show(id));
        self.screens.front = Screen::Game;
    }

    /// The question before a step that loses something.
    pub(super) fn question_before(&self, step: &Step<'_, Origin>) -> Option<String> {
        let question = self.desk.question_before(step, self.now)?;
        Some(wording::question(question, step, self.board().position()))
    }

    /// Saves under a name: the game being played, or a copy of the one under review.
    pub(super) fn save(&mut self, name: Option<SaveName>) {
        if !self.board().has_begun() {
            self.show_result(Err(NotDone::NothingToSave));
            return;
        }
        let Some(review) = self.board().reviewed else {
            let game = filed_game(self.desk.filed());
            self.effects.push(StoreEffect::SaveAs { name, game });
            return;
        };
        if let Origin::Save(own, _) = review.source()
            && name.as_ref().is_none_or(|name| name == own)
        {
            let title = format!("Replace the save '{own}' with the review?");
            let over = Action::SaveOver(own.clone());
            self.open(Dialog::confirmation(title, over));
        } else if let Some(name) = name {
            let game = reviewed_game(review);
            self.effects.push(StoreEffect::SaveCopy { name, game });
        } else {
            let sentence = "A review is saved under a name of its own: save NAME.";
            self.view_mut().refuse(sentence);
        }
    }

    /// Handles the result of writing the game back into its file. The games after it have moved, so the file is listed
    /// again.
    pub(super) fn handle_put_back(&mut self, result: Result<(Written, Extent), GameFileError>) {
        let place = result.as_ref().ok().map(|(_, extent)| *extent);
        if let (Some(Origin::File { extent, .. }), Some(_)) = (self.desk.source_of_review(), place)
        {
            *extent = place;
        }
        let written = result.map(|(written, _)| written.into());
        self.handle_written(Contents::Review, written.map_err(NotDone::from));
        if place.is_some()
            && let Some(old) = self.screens.picker.take()
        {
            self.list(old.listing_again());
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
            self.view_mut().refuse(error.to_string());
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
        let &Origin::File { number, extent, .. } = review.source() else {
            return None;
        };
        Some((number, extent.filter(|_| about.is_source)?))
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
    if app.save_state.save_failed || app.desk.has_unsaved_game() {
        Some(NOT_SAVED)
    } else if app.desk.has_unsaved_review() {
        Some(REVIEW_CHANGED)
    } else if app
        .screens
        .watch
        .as_ref()
        .is_some_and(Watch::has_unsaved_games)
    {
        Some("The match has unsaved games.")
    } else if app
        .screens
        .watch
        .as_ref()
        .is_some_and(|watch| !watch.is_over())
    {
        Some("The match is not over; its games so far are saved.")
    } else {
        None
    }
}
