//! Reviewing: a game that is looked at instead of played, and what is written about it.

use std::path::PathBuf;

use tabiya_game::{
    Arrow, Command, GameResult, GoTo, Node, NodeId, Record, Session, SquareMark, Tags, pgn,
};
use tabiya_play::outcome::Refused;
use tabiya_play::request::GameRequest;
use tabiya_play::study::Study;
use tabiya_play::variations::{self, Variation};
use tabiya_rules::Position;
use tabiya_store::text_file::{self, Written};
use tabiya_store::{SaveName, paths};

use super::act::{Act, Replacement};
use super::boards::Front;
use super::overlay::dialog::{Choice, Dialog};
use super::watch::Watch;
use super::{App, Screen};
use crate::commands::Reviewed;
use crate::game_file::{Extent, GameFileError};
use crate::message::{Done, Effect, Existing, NotDone, StoreEffect};
use crate::tui::board::Mark;
use crate::wording::refusals;

/// Where a review comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A game of a file, by its number from 1 on.
    File {
        path: PathBuf,
        number: usize,
    },
    /// The game that is being played.
    Game,
    Save(SaveName),
    /// A game of the match, by its number.
    Match(u32),
    /// A position or a game that was typed or pasted.
    Text,
}

/// What makes a table one for reviewing.
#[derive(Clone, Debug)]
pub(crate) struct Review {
    pub(crate) origin: Origin,
    tags: Tags,
    pub(crate) result: GameResult,
    /// What an engine says about the game.
    pub(crate) study: Option<Study>,
    /// Whether something was written that is in no file.
    pub(crate) changed: bool,
    /// Whether a file is being written with everything in it.
    pub(super) saving: bool,
    /// Where its text is in the file it came from, if it can be put back there.
    pub(super) extent: Option<Extent>,
}

impl Review {
    pub(super) fn new(record: &Record, origin: Origin) -> Review {
        Review {
            origin,
            tags: record.tags().stored().clone(),
            result: record.result(),
            study: None,
            changed: false,
            saving: false,
            extent: None,
        }
    }

    /// The reviewed game with everything that was added to it.
    pub(crate) fn record(&self, session: &Session) -> Record {
        let mut record = session.record().clone();
        *record.tags_mut() = self.tags.clone();
        record.set_result(self.result);
        record
    }
}

impl App {
    /// Opens a game to be looked at, unless another review would be lost by it: then it is asked first. Returns whether
    /// it was opened.
    pub(crate) fn open_review(&mut self, record: Record, origin: Origin) -> bool {
        if self.table.is_under_work(&origin) {
            self.overlay = None;
            self.show_board(Front::Review);
            return false;
        }
        if self.table.has_unsaved_review() {
            let open = Act::OpenReview(Box::new(record), origin);
            self.open(Dialog::forget(
                "The review has changes that no file has. Forget them?",
                open,
            ));
            return false;
        }
        self.replace_review(record, origin);
        true
    }

    /// Puts a game on the table to be looked at, from its start. What was changed in another review is forgotten.
    pub(super) fn replace_review(&mut self, record: Record, origin: Origin) {
        if self.table.has_unsaved_review() {
            self.forget_review();
        }
        self.put_review(record, origin);
    }

    /// Goes on with a review that was cut off, whose changes are in no file.
    pub(super) fn go_on_with_review(&mut self, record: Record) {
        self.put_review(record, Origin::Text);
        if let Some(review) = &mut self.table.reviewed {
            review.changed = true;
        }
    }

    fn put_review(&mut self, record: Record, origin: Origin) {
        self.table.open_review(record, origin, self.now);
        self.overlay = None;
        self.screen = Screen::Game;
    }

    pub(crate) fn review_position(&mut self, position: &Position) {
        self.open_review(Record::new(*position), Origin::Text);
    }

    /// Looks back at the game that is being played, or at the one that was.
    pub(super) fn review_game(&mut self) {
        if self.table.is_review() {
            self.screen = Screen::Game;
            return;
        }
        self.open_review(self.table.session.publish(), Origin::Game);
    }

    /// Looks at a file, a save or a position, or back at the game.
    pub(super) fn review(&mut self, what: Option<Reviewed>) {
        match what {
            None => self.review_game(),
            Some(Reviewed::Position(position)) => self.review_position(&position),
            Some(Reviewed::File(path)) => self.open_file(&path),
            Some(Reviewed::Save(name)) => self.effects.push(StoreEffect::Read(name)),
        }
    }

    /// Shows one of the boards.
    pub(super) fn show_board(&mut self, front: Front) {
        self.table.show(front);
        self.screen = Screen::Game;
    }

    /// Does something with the game that is played, also while a review is looked at. If that asks something, the game
    /// comes to the front.
    pub(super) fn with_game(&mut self, act: impl FnOnce(&mut App)) {
        let before = self.table.show(Front::Game);
        let overlay = match before {
            Front::Game => return act(self),
            Front::Review => self.overlay.take(),
        };
        act(self);
        if self.overlay.is_some() {
            self.screen = Screen::Game;
        } else {
            self.table.show(before);
            self.overlay = overlay;
        }
    }

    /// Saves the game on the table under a name: the one that is played, or a copy of the one that is reviewed.
    pub(super) fn save(&mut self, name: Option<SaveName>) {
        if !self.table.begun {
            self.tell(Err(NotDone::NothingToSave));
            return;
        }
        let Some(review) = &self.table.reviewed else {
            self.keeping.naming = true;
            let game = self.game_to_keep();
            self.effects.push(StoreEffect::SaveAs { name, game });
            return;
        };
        let own = match &review.origin {
            Origin::Save(own) => Some(own),
            _ => None,
        };
        match (name, own) {
            (Some(name), own) if own != Some(&name) => {
                let game = self.table.reviewed_game();
                self.table.saving();
                self.effects.push(StoreEffect::SaveCopy { name, game });
            }
            (_, Some(own)) => {
                let title = format!("Put the review in the place of the save '{own}'?");
                let over = Act::SaveOver(own.clone());
                self.open(Dialog::yes_or_no(title, over).at_no());
            }
            (_, None) => {
                let sentence = "A review is saved under a name of its own: save NAME.";
                self.table.refuse(sentence.to_owned());
            }
        }
    }

    /// Asks what is to become of a file that is in the place of the one that was to be written, and holds so many games.
    pub(super) fn file_exists(&mut self, path: PathBuf, text: String, about: &Existing) {
        let place = self.table.reviewed.as_ref().and_then(|review| {
            let Origin::File { number, .. } = &review.origin else {
                return None;
            };
            review
                .extent
                .filter(|_| about.is_source)
                .map(|extent| (*number, extent))
        });
        let review = self.table.reviewed.as_mut();
        let replacement = Replacement {
            is_review: review.is_some_and(|review| std::mem::take(&mut review.saving)),
            path,
            text,
        };
        let Some((number, extent)) = place.filter(|_| about.games > 1) else {
            let title = text_file::question(&replacement.path, about.games);
            let replace = Act::Replace(Box::new(replacement));
            self.open(Dialog::yes_or_no(title, replace).at_no());
            return;
        };
        let (name, games) = (paths::shown(&replacement.path), about.games);
        let others = games - 1;
        let put = Act::PutBack(Box::new(replacement.clone()), extent);
        let all = format!("Replace the file and lose {others} others");
        let choices = vec![
            Choice::new('p', format!("Put it in the place of game {number}"), put),
            Choice::new('r', all, Act::Replace(Box::new(replacement))),
            Choice::new('n', "Neither", Act::Close),
        ];
        let title = format!("{name} holds {games} games.");
        self.open(Dialog::new(title, choices));
    }

    /// The game is back in its file, or why not. The games behind it have other places now, so the file is listed again.
    pub(super) fn was_put_back(&mut self, answer: Result<(Written, Extent), GameFileError>) {
        let (answer, extent) = match answer {
            Ok((written, extent)) => (Ok(Done::Written(written)), Some(extent)),
            Err(error) => (Err(error.into()), None),
        };
        let is_done = answer.is_ok();
        if let Some(review) = self.table.reviewed.as_mut().filter(|_| is_done) {
            review.extent = extent;
        }
        self.written(answer);
        if is_done {
            self.list_again();
        }
    }

    /// Writes a mark into the game, or takes it out again.
    pub(super) fn keep_mark(&mut self, mark: Mark) {
        let annotation = self.table.node().annotation();
        let (mut squares, mut arrows) = (annotation.squares.clone(), annotation.arrows.clone());
        match mark {
            Mark::Square(square, color) => {
                let before = squares.len();
                squares.retain(|known| known.square != square);
                if squares.len() == before {
                    squares.push(SquareMark { color, square });
                }
            }
            Mark::Arrow(from, to, color) => {
                let before = arrows.len();
                arrows.retain(|known| (known.from, known.to) != (from, to));
                if arrows.len() == before {
                    arrows.push(Arrow { color, from, to });
                }
            }
        }
        let node = Some(self.table.node().id());
        self.apply(Command::Marks {
            node,
            squares,
            arrows,
        });
    }

    /// Goes to another variation, or changes their order. Deleting asks first.
    pub(super) fn variation(&mut self, wish: Variation) {
        let node = self.table.node();
        match variations::command(node, wish) {
            Err(reason) => {
                let refused = Refused::Variation(reason);
                let said = refusals::refused(&refused, node.position(), refusals::KEYS);
                self.table.refuse(said.lines.join(" "));
            }
            Ok(Command::GoTo(GoTo::Node(there))) => {
                // From where a variation was left, the main line goes on.
                let record = self.table.session.record();
                let main = record.node(there).and_then(Node::next).map(Node::id);
                if let Some(main) = main.filter(|_| wish == Variation::Leave) {
                    self.view(main);
                }
                self.view(there);
            }
            Ok(Command::Delete(id)) => {
                let san = node.san().map_or("--".to_owned(), |san| san.to_string());
                let title = format!("Delete {san} and what follows it?");
                self.open(Dialog::yes_or_no(title, Act::Delete(id)));
            }
            Ok(command) => {
                let moved = variations::branch(node).map(Node::id);
                if self.apply(command) {
                    let record = self.table.session.record();
                    let moved = moved.and_then(|id| record.node(id));
                    if let Some(sentence) = moved.and_then(variations::standing) {
                        self.table.say(sentence);
                    }
                }
            }
        }
    }

    /// Deletes a move and what follows it, seen from the move before it.
    pub(super) fn delete_line(&mut self, node: NodeId) {
        let record = self.table.session.record();
        let parent = record.node(node).and_then(Node::parent).map(Node::id);
        if self.apply(Command::Delete(node)) {
            if let Some(parent) = parent {
                self.view(parent);
            }
            self.table.say("Deleted.".to_owned());
        }
    }

    /// Whether something is only for games that are played. It is refused in a review, and undo and redo walk.
    pub(super) fn perform_in_review(&mut self, request: &GameRequest) -> bool {
        match request {
            GameRequest::Undo(times) => self.walk(-i64::from(*times)),
            GameRequest::Redo(times) => self.walk(i64::from(*times)),
            GameRequest::Claim { .. }
            | GameRequest::Offer(_)
            | GameRequest::Accept(_)
            | GameRequest::Decline(_)
            | GameRequest::Takeback(_)
            | GameRequest::Resign(_)
            | GameRequest::Pause => {
                let sentence = "That is for a game that is played. Press x to play on from here.";
                self.table.refuse(sentence.to_owned());
            }
            GameRequest::Play(_)
            | GameRequest::GoTo(_)
            | GameRequest::New(_)
            | GameRequest::Rematch
            | GameRequest::LoadPosition(_)
            | GameRequest::Draws(_) => return false,
        }
        true
    }

    /// Opens what was pasted where nothing is typed: a position or a game.
    pub(super) fn paste_to_review(&mut self, text: &str) -> bool {
        if let Ok(position) = Position::from_fen(text.trim()) {
            self.review_position(&position);
            return true;
        }
        let game = pgn::games(text.as_bytes()).next();
        match game.filter(|game| game.record.len() > 1) {
            Some(game) => {
                if self.open_review(game.record, Origin::Text)
                    && let Some(error) = game.errors.first()
                {
                    self.table.refuse(error.to_string());
                }
                true
            }
            None => false,
        }
    }

    /// What would be lost if the program ended now.
    pub(super) fn at_risk(&self) -> Option<&'static str> {
        if self.keeping.is_behind || self.keeping.is_unsaved {
            Some("The game is not kept.")
        } else if self.table.has_unsaved_review() {
            Some("The review has changes that no file has.")
        } else if self.watch.as_ref().is_some_and(Watch::has_unsaved_games) {
            Some("The match has games that no file has.")
        } else if self.watch.as_ref().is_some_and(|watch| !watch.is_over()) {
            Some("The match is still going on; its games are kept as far as they got.")
        } else {
            None
        }
    }

    /// Leaves, unless something would be lost by it.
    pub(super) fn leave_or_ask(&mut self) {
        match self.at_risk() {
            Some(sentence) => {
                let title = format!("{sentence} Leave all the same?");
                self.open(Dialog::forget(title, Act::Effect(Effect::Leave)));
            }
            None => self.effects.push(Effect::Leave),
        }
    }
}
