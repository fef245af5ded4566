//! Reviewing: a game that is looked at instead of played.
//!
//! A review lies on a table of its own, with a session whose clocks stand still, so that everything a player can do on
//! a board can be done in it too. The game that is being played lies aside meanwhile and is not touched.

use std::path::PathBuf;

use tabiya_game::{
    Arrow, Command, Comment, GameResult, GoTo, Node, NodeId, Record, Session, SquareMark, Tags, pgn,
};
use tabiya_play::outcome::Refused;
use tabiya_play::request::GameRequest;
use tabiya_play::study::Study;
use tabiya_play::variations::{self, Variation};
use tabiya_rules::{ByColor, Position};
use tabiya_store::text_file::{self, Written};
use tabiya_store::{SaveName, paths};

use super::dialog::{Act, Choice, Dialog, Replacement};
use super::table::Table;
use super::watch::Watch;
use super::{App, Overlay, Screen};
use crate::commands::Reviewed;
use crate::game_file::{self, Extent, GameFileError};
use crate::message::{Done, Effect, Existing, FileEffect, NotDone, StoreEffect};
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
    saving: bool,
    /// Where its text is in the file it came from, if it can be put back there.
    pub(super) extent: Option<Extent>,
}

impl Review {
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
        if self.is_under_work(&origin) {
            self.overlay = None;
            self.front_review();
            return false;
        }
        if self.has_unsaved_review() {
            let open = Act::OpenReview(Box::new(record), origin);
            self.ask(Dialog::forget(
                "The review has changes that no file has. Forget them?",
                open,
            ));
            return false;
        }
        self.replace_review(record, origin);
        true
    }

    /// Whether a stored game is the one that is reviewed, with changes that are not stored.
    fn is_under_work(&self, origin: &Origin) -> bool {
        let review = self.review_table().and_then(|table| table.review.as_ref());
        let stored = matches!(origin, Origin::File { .. } | Origin::Save(_));
        stored && review.is_some_and(|review| review.changed && review.origin == *origin)
    }

    /// Puts a game on the table to be looked at, from its start. What was changed in another review is forgotten.
    pub(super) fn replace_review(&mut self, record: Record, origin: Origin) {
        if self.has_unsaved_review() {
            self.forget_review();
        }
        self.put_review(record, origin);
    }

    /// Goes on with a review that was cut off, whose changes are in no file.
    pub(super) fn go_on_with_review(&mut self, record: Record) {
        self.put_review(record, Origin::Text);
        if let Some(review) = &mut self.table.review {
            review.changed = true;
        }
    }

    fn put_review(&mut self, record: Record, origin: Origin) {
        // A file of games can be a save, with what only sessions understand in it.
        let record = match record.tags().get("Session") {
            Some(_) => Session::restore(record).publish(),
            None => record,
        };
        let review = Review {
            origin,
            tags: record.tags().stored().clone(),
            result: record.result(),
            study: None,
            changed: false,
            saving: false,
            extent: None,
        };
        let mut bare = record;
        game_file::stop_clocks(&mut bare);
        let mut session = Session::restore(bare);
        // The start is always there to go to.
        let _ = session.apply(Command::GoTo(GoTo::Start), self.now);
        let table = Table::review(session, review);
        let before = std::mem::replace(&mut self.table, table);
        if !before.is_review() {
            self.aside = Some(before);
        }
        self.overlay = None;
        self.screen = Screen::Game;
        self.arrive();
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

    /// Puts the game that is played in front. What is reviewed lies aside then.
    pub(crate) fn front_game(&mut self) {
        if self.table.is_review() {
            self.swap_tables();
        }
    }

    /// Puts the review in front, if there is one.
    pub(super) fn front_review(&mut self) {
        if !self.table.is_review() && self.aside.is_some() {
            self.swap_tables();
        }
        self.screen = Screen::Game;
    }

    fn swap_tables(&mut self) {
        if let Some(other) = &mut self.aside {
            std::mem::swap(&mut self.table, other);
        }
    }

    /// The table of the game that is played, in front or aside.
    pub(crate) fn game_table(&self) -> &Table {
        match &self.aside {
            Some(aside) if self.table.is_review() => aside,
            _ => &self.table,
        }
    }

    /// The review, in front or aside.
    pub(crate) fn review_table(&self) -> Option<&Table> {
        [Some(&self.table), self.aside.as_ref()]
            .into_iter()
            .flatten()
            .find(|table| table.is_review())
    }

    /// Does something with the game that is played, also while a review is looked at. If that asks something, the game
    /// comes to the front.
    pub(super) fn with_game<T>(&mut self, act: impl FnOnce(&mut App) -> T) -> T {
        if !self.table.is_review() {
            return act(self);
        }
        let overlay = self.overlay.take();
        self.swap_tables();
        let answer = act(self);
        if self.overlay.is_some() {
            self.screen = Screen::Game;
        } else {
            self.swap_tables();
            self.overlay = overlay;
        }
        answer
    }

    pub(super) fn has_unsaved_review(&self) -> bool {
        let review = self.review_table().and_then(|table| table.review.as_ref());
        review.is_some_and(|review| review.changed)
    }

    /// The game on the table as it is handed to others: the one that is played, or the one that is reviewed.
    pub(super) fn record(&self) -> Record {
        match &self.table.review {
            Some(review) => review.record(&self.table.session),
            None => self.table.session.publish(),
        }
    }

    pub(super) fn pgn_text(&self) -> String {
        pgn::to_string(&self.record(), pgn::Format::Export)
    }

    /// Saves the game on the table under a name: the one that is played, or a copy of the one that is reviewed.
    pub(super) fn save(&mut self, name: Option<SaveName>) {
        if !self.table.begun {
            self.tell(Err(NotDone::NothingToSave));
            return;
        }
        let Some(review) = &self.table.review else {
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
                let game = self.reviewed_game();
                self.saving();
                self.effects.push(StoreEffect::SaveCopy { name, game });
            }
            (_, Some(own)) => {
                let title = format!("Put the review in the place of the save '{own}'?");
                let over = Act::SaveOver(own.clone());
                self.ask(Dialog::yes_or_no(title, over).at_no());
            }
            (_, None) => {
                let sentence = "A review is saved under a name of its own: save NAME.";
                self.table.refuse(sentence.to_owned());
            }
        }
    }

    /// Puts the review in the place of the save that it came from.
    pub(super) fn save_over(&mut self, name: SaveName) {
        let game = self.reviewed_game();
        self.saving();
        self.effects.push(StoreEffect::SaveOver { name, game });
    }

    /// The game on the table as a save holds it.
    pub(super) fn reviewed_game(&self) -> Box<tabiya_store::Game> {
        Box::new(tabiya_store::Game {
            session: Session::restore(self.record()),
            players: ByColor::default(),
        })
    }

    /// The file that the game on the table came from.
    pub(super) fn source(&self) -> Option<PathBuf> {
        match &self.table.review.as_ref()?.origin {
            Origin::File { path, .. } => Some(path.clone()),
            Origin::Game | Origin::Save(_) | Origin::Match(_) | Origin::Text => None,
        }
    }

    /// Asks what is to become of a file that is in the place of the one that was to be written, and holds so many games.
    pub(super) fn file_exists(&mut self, path: PathBuf, text: String, about: &Existing) {
        let place = self.table.review.as_ref().and_then(|review| {
            let Origin::File { number, .. } = &review.origin else {
                return None;
            };
            review
                .extent
                .filter(|_| about.is_source)
                .map(|extent| (*number, extent))
        });
        let review = self.table.review.as_mut();
        let replacement = Replacement {
            is_review: review.is_some_and(|review| std::mem::take(&mut review.saving)),
            path,
            text,
        };
        let Some((number, extent)) = place.filter(|_| about.games > 1) else {
            let title = text_file::question(&replacement.path, about.games);
            let replace = Act::Replace(Box::new(replacement));
            self.ask(Dialog::yes_or_no(title, replace).at_no());
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
        self.ask(Dialog::new(title, choices));
    }

    /// Puts the reviewed game back into the file that it came from.
    pub(super) fn put_back(&mut self, replacement: &Replacement, extent: Extent) {
        if replacement.is_review {
            self.saving();
        }
        self.effects.push(FileEffect::PutBack {
            path: replacement.path.clone(),
            extent,
            text: replacement.text.clone(),
        });
    }

    /// The game is back in its file, or why not. The games behind it have other places now, so the file is listed again.
    pub(super) fn was_put_back(&mut self, answer: Result<(Written, Extent), GameFileError>) {
        let (answer, extent) = match answer {
            Ok((written, extent)) => (Ok(Done::Written(written)), Some(extent)),
            Err(error) => (Err(error.into()), None),
        };
        let is_done = answer.is_ok();
        if let Some(review) = self.table.review.as_mut().filter(|_| is_done) {
            review.extent = extent;
        }
        self.written(answer);
        if is_done {
            self.list_again();
        }
    }

    pub(super) fn replace_file(&mut self, replacement: &Replacement) {
        if replacement.is_review {
            self.saving();
        }
        self.effects.push(FileEffect::Replace {
            path: replacement.path.clone(),
            text: replacement.text.clone(),
        });
    }

    /// To be called when the game on the table is being written to a file.
    pub(super) fn saving(&mut self) {
        if let Some(review) = &mut self.table.review {
            review.saving = true;
        }
    }

    /// To be called when a file was written, or could not be.
    pub(super) fn saved(&mut self, well: bool) {
        let mut is_saved = false;
        for table in [Some(&mut self.table), self.aside.as_mut()] {
            if let Some(review) = table.and_then(|table| table.review.as_mut())
                && std::mem::take(&mut review.saving)
                && well
            {
                review.changed = false;
                is_saved = true;
            }
        }
        if is_saved {
            self.forget_review();
        }
    }

    /// To be called after a walk in a review: the marks of the position are those that are written there.
    pub(super) fn arrive(&mut self) {
        if self.table.is_review() {
            let annotation = self.table.node().annotation();
            let squares = annotation
                .squares
                .iter()
                .map(|mark| Mark::Square(mark.square, mark.color));
            let arrows = annotation
                .arrows
                .iter()
                .map(|arrow| Mark::Arrow(arrow.from, arrow.to, arrow.color));
            self.table.marks = squares.chain(arrows).collect();
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
        self.arrive();
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
                self.ask(Dialog::yes_or_no(title, Act::Delete(id)));
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
            GameRequest::Claim(_)
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

    /// What can be done in a review.
    pub(super) fn review_menu(&mut self) -> Dialog {
        let node = self.table.node();
        let mut choices = vec![Choice::new('p', "Play on from here…", Act::PlayOn)];
        if node.parent().is_some() {
            choices.push(Choice::new('m', "Mark or comment the move…", Act::Marks));
        }
        if variations::branch(node).is_some() {
            let main = Act::Vary(Variation::Main);
            choices.push(Choice::new('l', "Make this the main line", main));
        }
        if node.parent().is_some() {
            let delete = Act::Vary(Variation::Delete);
            choices.push(Choice::new('d', "Delete from here on", delete));
        }
        if self.table.session.record().len() > 1 {
            let judged = self
                .table
                .review
                .as_ref()
                .is_some_and(|review| review.study.as_ref().is_some_and(|study| study.done));
            choices.push(if judged {
                Choice::new('t', "Try again at the next mistake", Act::Retry)
            } else {
                Choice::new('j', "Judge the game with the engine", Act::Study)
            });
        }
        choices.push(Choice::new('s', "Save as PGN…", Act::Type("pgn ")));
        choices.push(Choice::new('v', "Picture as SVG…", Act::Type("svg ")));
        if self.picker.is_some() {
            choices.push(Choice::new('g', "Other games of the file", Act::Picker));
        }
        choices.push(Choice::new('h', "Home", Act::Home));
        Dialog::new("This review", choices)
    }

    /// Signs and a comment for the move on the screen.
    pub(super) fn open_marks(&mut self) {
        let node = self.table.node();
        let title = match node.san() {
            Some(san) => format!("Mark {san}"),
            None => "Comment the start".to_owned(),
        };
        let mut choices = Vec::new();
        if node.parent().is_some() {
            for (key, sign, what) in [
                ('1', "!", "good"),
                ('2', "?", "a mistake"),
                ('3', "!!", "brilliant"),
                ('4', "??", "a blunder"),
                ('5', "!?", "interesting"),
                ('6', "?!", "dubious"),
            ] {
                let glyph = tabiya_game::Glyph::from_symbol(sign);
                choices.push(Choice::new(
                    key,
                    format!("{sign:<2} {what}"),
                    Act::Glyph(glyph),
                ));
            }
            choices.push(Choice::new('0', "No sign", Act::Glyph(None)));
        }
        choices.push(Choice::new('c', "Comment…", Act::Comment));
        self.ask(Dialog::new(title, choices));
    }

    /// A line for the comment of the move on the screen, with what is written there.
    pub(super) fn type_comment(&mut self) {
        let comments = &self.table.node().annotation().comments;
        let text: Vec<&str> = comments.iter().map(Comment::as_str).collect();
        self.open_palette_with(&format!("comment {}", text.join(" ")));
    }

    /// The form for a game from the position on the screen.
    pub(super) fn play_on(&mut self) {
        let position = *self.table.position();
        self.open_form();
        if let Some(Overlay::Form(form)) = &mut self.overlay {
            form.begin_from(&position);
        }
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
        } else if self.has_unsaved_review() {
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
                self.ask(Dialog::forget(title, Act::Leave));
            }
            None => self.effects.push(Effect::Leave),
        }
    }
}
