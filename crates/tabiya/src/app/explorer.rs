//! The explorer: what databases know about the position on the screen, beside the board and on the home screen.
//!
//! It follows the board by itself. A key gives it the focus; only then Enter plays a move, Tab goes to its games, and
//! letters filter. A click always plays. Its results come from another thread, as soon as they are ready.

mod draw;

use ratatui::crossterm::event::{KeyEvent, KeyModifiers};
use tabiya_game::{MoveInput, Record};
use tabiya_rules::{Color, Position};

use super::press::{Edit, Press};
use super::review::Origin;
use super::text_line::TextLine;
use super::{App, Screen};
use crate::commands::ExplorerCommand;
use crate::explorer::{Bases, ExplorerError, Filter, Found, Question, Which};
use crate::message::{ExplorerEffect, ExplorerHit, ExplorerMessage};
use crate::tui::geometry::ExplorerRoom;
use crate::wording::explorer::{NO_BOARD, NO_ROOM};

pub(super) use draw::{draw, draw_beside};

/// How many games are queried.
const GAMES: usize = 8;

/// The keys while the explorer has the focus, most important first.
pub(super) const KEYS: [(&str, &str); 6] = [
    ("Enter", "play"),
    ("Tab", "games"),
    ("letters", "filter"),
    ("Ctrl-O", "own games"),
    ("← →", "walk"),
    ("Esc", "board"),
];

/// The list that has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Moves,
    Games,
}

/// The state of the explorer.
#[derive(Debug, Default)]
pub(crate) struct Explorer {
    which: Option<Which>,
    /// The filter as it is being typed, and as it was last applied.
    line: TextLine,
    taken: String,
    filter: Filter,
    focus: Option<List>,
    chosen: usize,
    /// Whether it is shown on the home screen, if the player has chosen.
    at_home: Option<bool>,
    number: u64,
    asked: Option<Question>,
    /// The result of the query; `None` while it is running.
    found: Option<Result<Box<Found>, ExplorerError>>,
}

impl Explorer {
    /// Whether the explorer has the focus.
    pub(super) fn has_focus(&self) -> bool {
        self.focus.is_some()
    }

    /// Gives the focus back to the board. Returns whether the explorer had it.
    pub(super) fn leave(&mut self) -> bool {
        self.line.set(&self.taken);
        self.focus.take().is_some()
    }

    /// Pastes text, if the explorer has the focus.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        if self.has_focus() {
            self.line.insert(text);
        }
        self.has_focus()
    }

    /// Whether the typed filter has not been applied yet.
    fn is_typing(&self) -> bool {
        self.line.text().trim() != self.taken
    }

    fn answer(&self) -> Option<&Found> {
        self.found.as_ref()?.as_ref().ok().map(AsRef::as_ref)
    }

    /// The length of the list that has the focus.
    fn count(&self) -> usize {
        let answer = self.answer().map(|found| &found.answer);
        answer.map_or(0, |answer| match self.focus {
            None | Some(List::Moves) => answer.moves.len(),
            Some(List::Games) => answer.games.len(),
        })
    }

    fn choose(&mut self, steps: isize) {
        let last = self.count().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(steps).min(last);
    }

    fn switch_list(&mut self) {
        self.focus = self.focus.map(|list| match list {
            List::Moves => List::Games,
            List::Games => List::Moves,
        });
        self.chosen = 0;
    }
}

impl App {
    fn bases(&self) -> Bases {
        self.settings.bases()
    }

    /// Whether the explorer is on the screen.
    pub(super) fn shows_explorer(&self) -> bool {
        match self.screen {
            Screen::Home => self.explorer.at_home.unwrap_or(self.bases().is_any()),
            Screen::Game => {
                let seats = self.board.opponents();
                let is_bot = |color| !seats.is_human(color);
                // Against a bot it would be unwanted help.
                let is_help = !self.board.is_review() && Color::ALL.into_iter().any(is_bot);
                let shown = self.board.explored;
                shown.unwrap_or(self.bases().is_any() && !is_help)
            }
            Screen::Picker | Screen::Match => false,
        }
    }

    /// How much room it takes beside the board.
    pub(super) fn explorer_room(&self) -> ExplorerRoom {
        match (self.shows_explorer(), self.explorer.has_focus()) {
            (false, _) => ExplorerRoom::Nothing,
            (true, false) => ExplorerRoom::Half,
            (true, true) => ExplorerRoom::Most,
        }
    }

    /// The position it is about: the one on the board, or the start on the home screen.
    fn explored_position(&self) -> Position {
        match self.screen {
            Screen::Game => *self.board.position(),
            Screen::Home | Screen::Picker | Screen::Match => Position::start(),
        }
    }

    /// Queries the position on the board, unless that is done or running.
    pub(super) fn explore(&mut self) {
        if !self.shows_explorer() {
            self.explorer.leave();
            return;
        }
        let bases = self.bases();
        let base = match bases.find(bases.meant(self.explorer.which)) {
            Ok(base) => base,
            Err(error) => {
                self.explorer.asked = None;
                self.explorer.found = Some(Err(error));
                return;
            }
        };
        let position = self.explored_position();
        let explorer = &self.explorer;
        let is_asked = explorer.asked.as_ref().is_some_and(|asked| {
            asked.position == position && asked.base == base && asked.filter == explorer.filter
        });
        if is_asked {
            return;
        }
        let filter = explorer.filter.clone();
        let question = match self.screen {
            Screen::Game => Question::at(base, self.board.node(), filter, GAMES),
            Screen::Home | Screen::Picker | Screen::Match => {
                let start = Record::new(position);
                Question::at(base, start.root(), filter, GAMES)
            }
        };
        let explorer = &mut self.explorer;
        explorer.number += 1;
        explorer.chosen = 0;
        explorer.found = None;
        explorer.asked = Some(question.clone());
        self.effects.push(ExplorerEffect::Ask {
            number: explorer.number,
            question: Box::new(question),
        });
    }

    /// Handles a result of a database.
    pub(super) fn take_explorer(&mut self, message: ExplorerMessage) {
        match message {
            ExplorerMessage::Found { number, found } if number == self.explorer.number => {
                self.explorer.found = Some(found);
            }
            // Another query has replaced it.
            ExplorerMessage::Found { .. } => {}
            ExplorerMessage::Game { position, game } => match game {
                Err(error) => self.show("Explorer", vec![error.to_string()]),
                Ok(record) => self.review_found(*record, &position),
            },
        }
    }

    /// Opens a game of a database at a position.
    fn review_found(&mut self, record: Record, position: &Position) {
        let ply = record.main_line().find(|node| node.position() == position);
        let ply = ply.map_or(0, |node| i64::from(node.ply()));
        self.explorer.leave();
        if self.open_review(record, Origin::Database) {
            self.walk(ply);
        }
    }

    /// Performs the command.
    pub(super) fn explorer_command(&mut self, command: ExplorerCommand) {
        let (shown, focus) = match command {
            ExplorerCommand::Off => (false, None),
            ExplorerCommand::Show {
                which,
                filter,
                typed,
            } => {
                let bases = self.bases();
                let which = which.or(self.explorer.which);
                if let Err(error) = bases.find(bases.meant(which)) {
                    return self.show("Explorer", vec![error.to_string()]);
                }
                self.explorer.which = which;
                if let Some(filter) = filter {
                    self.explorer.filter = filter;
                    self.explorer.line.set(&typed);
                    self.explorer.taken = typed;
                }
                (true, Some(List::Moves))
            }
        };
        match self.screen {
            Screen::Home => self.explorer.at_home = Some(shown),
            Screen::Game => self.board.explored = Some(shown),
            Screen::Picker | Screen::Match => {
                return self.show("Explorer", vec![NO_BOARD.to_owned()]);
            }
        }
        self.board.typing.clear();
        self.board.held = None;
        self.explorer.focus = focus;
        self.explorer.chosen = 0;
        if shown && !self.has_explorer_room() {
            self.explorer.focus = None;
            self.show("Explorer", vec![NO_ROOM.to_owned()]);
        }
    }

    fn has_explorer_room(&self) -> bool {
        match self.screen {
            Screen::Game => self
                .layout()
                .is_some_and(|layout| layout.explorer.height > 0),
            Screen::Home => draw::has_room_at_home(self),
            Screen::Picker | Screen::Match => false,
        }
    }

    /// Passes a key to the explorer, if it has the focus. Returns whether it has.
    pub(super) fn explorer_key(&mut self, key: KeyEvent) -> bool {
        if !self.explorer.has_focus() {
            return false;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let explorer = &mut self.explorer;
        match Press::from(key) {
            Press::Esc if explorer.is_typing() => explorer.line.set(&explorer.taken),
            Press::Esc => drop(explorer.leave()),
            Press::Enter if explorer.is_typing() => self.take_filter(),
            Press::Enter => self.choose_explored(),
            Press::Tab | Press::BackTab => explorer.switch_list(),
            Press::Up => explorer.choose(-1),
            Press::Down => explorer.choose(1),
            Press::PageUp => explorer.choose(-10),
            Press::PageDown => explorer.choose(10),
            Press::Edit(Edit::Left) if explorer.line.is_empty() => self.walk_explored(-1),
            Press::Edit(Edit::Right) if explorer.line.is_empty() => self.walk_explored(1),
            Press::Edit(Edit::Char('o')) if control => self.switch_base(),
            Press::Edit(_) => drop(explorer.line.edit(key)),
        }
        true
    }

    fn walk_explored(&mut self, plies: i64) {
        if self.screen == Screen::Game {
            self.walk(plies);
        }
    }

    /// Applies the typed filter, or says what is wrong with it.
    fn take_filter(&mut self) {
        let text = self.explorer.line.text().trim().to_owned();
        match text.parse() {
            Ok(filter) => {
                self.explorer.filter = filter;
                self.explorer.line.set(&text);
                self.explorer.taken = text;
                self.explorer.chosen = 0;
            }
            Err(error) => self.show("Explorer", vec![ExplorerError::from(error).to_string()]),
        }
    }

    /// Switches between the player's own games and all games.
    fn switch_base(&mut self) {
        let bases = self.bases();
        let other = match bases.meant(self.explorer.which) {
            Which::Games => Which::Own,
            Which::Own => Which::Games,
        };
        match bases.find(other) {
            Ok(_) => self.explorer.which = Some(other),
            Err(error) => self.show("Explorer", vec![error.to_string()]),
        }
    }

    /// Plays the selected move, or opens the selected game.
    fn choose_explored(&mut self) {
        let chosen = self.explorer.chosen;
        match self.explorer.focus {
            None => {}
            Some(List::Moves) => self.play_explored(chosen),
            Some(List::Games) => self.open_explored(chosen),
        }
    }

    /// A click plays a move or opens a game, even without the focus.
    pub(super) fn click_explorer(&mut self, hit: ExplorerHit) {
        match hit {
            ExplorerHit::Move(at) => self.play_explored(at),
            ExplorerHit::Game(at) => self.open_explored(at),
            ExplorerHit::Elsewhere => {
                self.explorer.focus.get_or_insert(List::Moves);
            }
        }
    }

    /// Plays a move on the board, or in a new review on the home screen.
    fn play_explored(&mut self, at: usize) {
        let position = self.explored_position();
        let found = self.explorer.answer();
        // The board may have changed since it was drawn.
        let Some(found) = found.filter(|found| found.position == position) else {
            return;
        };
        let Some(played) = found.answer.moves.get(at).map(|stats| stats.m) else {
            return;
        };
        if self.screen == Screen::Game {
            self.board.typing.clear();
            self.board.held = None;
            self.play_or_wait(MoveInput::Move(played));
            return;
        }
        let mut record = Record::new(position);
        let root = record.root().id();
        if record.add(root, played).is_ok() && self.open_review(record, Origin::Text) {
            self.walk(1);
        }
    }

    fn open_explored(&mut self, at: usize) {
        let found = self.explorer.answer();
        let game = found.and_then(|found| Some((found.position, found.answer.games.get(at)?)));
        let (Some((position, (_, game))), Some(asked)) = (game, &self.explorer.asked) else {
            return;
        };
        self.effects.push(ExplorerEffect::Open {
            base: asked.base.clone(),
            id: game.id,
            position: Box::new(position),
        });
    }
}
