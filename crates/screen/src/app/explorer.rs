//! The explorer: what databases know about the position on the screen, beside the board and on the home screen.
//!
//! It follows the board by itself. A key gives it the focus; only then Enter plays a move, Tab goes to its games, and
//! letters filter. A click always plays. Its results come from another thread, as soon as they are ready.

mod draw;

use crossterm::event::{KeyEvent, KeyModifiers};
use tabiya_db::Effort;
use tabiya_front::explorer::{
    DatabaseKind, Explorer, ExplorerCommand, ExplorerError, ExplorerQuery, Found, GameFilter,
};
use tabiya_front::key_map::KeyAction;
use tabiya_front::review::Origin;
use tabiya_front::wording::explorer::{NO_BOARD, NO_ROOM};
use tabiya_game::{MoveInput, Node, Record};
use tabiya_rules::{Color, Move, Position};

use super::action::Action;
use super::press::{ENTER, ESC, Edit, KeyLabel, Press, TAB, moved};
use super::text_line::TextLine;
use super::{App, Screen};
use crate::message::{ExplorerEffect, ExplorerList as List, ExplorerMessage};
use crate::tui::geometry::ExplorerRoom;

pub(super) use draw::{draw, draw_beside};

/// How many games are queried.
const GAMES: usize = 8;

/// The explorer as it is on the screen.
#[derive(Debug, Default)]
pub(crate) struct ExplorerPanel {
    asked: Explorer,
    /// The filter as it is being typed.
    line: TextLine,
    /// The list that has the focus.
    focus: Option<List>,
    chosen: usize,
    /// Whether it is shown on the home screen, if the player has chosen.
    at_home: Option<bool>,
    number: u64,
    last_query: Option<ExplorerQuery>,
    /// The result of the query; `None` while it is running.
    found: Option<Result<Box<Found>, ExplorerError>>,
}

impl ExplorerPanel {
    /// Whether the explorer has the focus.
    pub(super) fn has_focus(&self) -> bool {
        self.focus.is_some()
    }

    /// The keys while the explorer has the focus, most important first.
    pub(super) fn keys(&self) -> [(KeyLabel, &'static str); 6] {
        let (enter, tab) = match self.focus {
            None | Some(List::Moves) => ("play", "games"),
            Some(List::Games) => ("open", "moves"),
        };
        let enter = if self.is_typing() { "filter" } else { enter };
        [
            (ENTER, enter),
            (TAB, tab),
            (KeyLabel::Several("letters"), "filter"),
            (KeyLabel::Control('o'), "own games"),
            (KeyLabel::Several("← →"), "walk"),
            (ESC, "board"),
        ]
    }

    /// Gives the focus back to the board. Returns whether the explorer had it.
    pub(super) fn give_up_focus(&mut self) -> bool {
        self.line.set(self.asked.typed());
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
        self.line.text().trim() != self.asked.typed()
    }

    /// What the query has found, unless it is running or has failed.
    fn found_answer(&self) -> Option<&Found> {
        self.found.as_ref()?.as_ref().ok().map(AsRef::as_ref)
    }

    /// The length of the list that has the focus.
    fn count(&self) -> usize {
        let answer = self.found_answer().map(|found| &found.answer);
        answer.map_or(0, |answer| match self.focus {
            None | Some(List::Moves) => answer.moves.len(),
            Some(List::Games) => answer.games.len(),
        })
    }

    fn move_choice(&mut self, steps: isize) {
        self.chosen = moved(self.chosen, self.count(), steps);
    }

    /// Goes from the moves to the games, or back.
    fn switch_list(&mut self) {
        self.focus = self.focus.map(|list| match list {
            List::Moves => List::Games,
            List::Games => List::Moves,
        });
        self.chosen = 0;
    }

    /// Handles a key while the explorer has the focus.
    pub(super) fn key(&mut self, key: KeyEvent, app: &App) -> Option<Action> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match Press::from(key) {
            Press::Esc if self.is_typing() => self.line.set(self.asked.typed()),
            Press::Esc => drop(self.give_up_focus()),
            Press::Enter if self.is_typing() => return self.apply_filter(app),
            Press::Enter => return self.click(self.focus.map(|list| (list, self.chosen)), app),
            Press::Tab | Press::BackTab => self.switch_list(),
            Press::Up => self.move_choice(-1),
            Press::Down => self.move_choice(1),
            Press::PageUp => self.move_choice(-10),
            Press::PageDown => self.move_choice(10),
            Press::Edit(Edit::Left) if self.line.is_empty() => return walk(-1, app),
            Press::Edit(Edit::Right) if self.line.is_empty() => return walk(1, app),
            Press::Edit(Edit::Char('o')) if control => {
                return self.switch_source(app);
            }
            Press::Edit(_) => drop(self.line.edit(key)),
        }
        None
    }

    /// A click plays a move or opens a game, even without the focus.
    pub(super) fn click(&mut self, hit: Option<(List, usize)>, app: &App) -> Option<Action> {
        match hit {
            Some((List::Moves, at)) => self.play_move_at(at, &explored_position(app)),
            Some((List::Games, at)) => self.open_game_at(at),
            None => {
                self.focus.get_or_insert(List::Moves);
                None
            }
        }
    }

    /// Plays a move of the list, unless the board has changed since it was drawn.
    fn play_move_at(&self, at: usize, position: &Position) -> Option<Action> {
        let found = self
            .found_answer()
            .filter(|found| found.position == *position)?;
        let stats = found.answer.moves.get(at)?;
        Some(Action::PlayExplored(stats.m))
    }

    /// Opens a game of the list.
    fn open_game_at(&self, at: usize) -> Option<Action> {
        let found = self.found_answer()?;
        let (_, game) = found.answer.games.get(at)?;
        Some(Action::effect(ExplorerEffect::Open {
            source: self.last_query.as_ref()?.selection.source().clone(),
            id: game.id,
            position: Box::new(found.position),
        }))
    }

    /// Applies the typed filter, or says what is wrong with it.
    fn apply_filter(&mut self, app: &App) -> Option<Action> {
        match self.line.text().trim().parse() {
            Ok(filter) => self.select_games(None, Some(filter), app),
            Err(error) => Some(show_error(&ExplorerError::Filter(error))),
        }
    }

    /// Switches between the player's own games and all games.
    fn switch_source(&mut self, app: &App) -> Option<Action> {
        let other = match self.asked.which(&app.settings.game_sources()) {
            DatabaseKind::Games => DatabaseKind::Own,
            DatabaseKind::Own => DatabaseKind::Games,
        };
        self.select_games(Some(other), None, app)
    }

    /// Selects the games that are queried, or says why not.
    fn select_games(
        &mut self,
        which: Option<DatabaseKind>,
        filter: Option<GameFilter>,
        app: &App,
    ) -> Option<Action> {
        let is_filter = filter.is_some();
        let sources = app.settings.game_sources();
        if let Err(error) = self.asked.turn_to(which, filter, &sources) {
            return Some(show_error(&error));
        }
        self.chosen = 0;
        if is_filter {
            self.line.set(self.asked.typed());
        }
        None
    }
}

/// Steps through the game on the board.
fn walk(plies: i64, app: &App) -> Option<Action> {
    (app.screens.front == Screen::Game).then_some(Action::Key(KeyAction::Walk(plies)))
}

/// Shows why a query failed.
fn show_error(error: &ExplorerError) -> Action {
    Action::Show("Explorer", error.to_string())
}

/// Whether the explorer is on the screen.
pub(super) fn is_shown(app: &App) -> bool {
    let has_source = || app.settings.game_sources().is_any();
    match app.screens.front {
        Screen::Home => app.screens.explorer.at_home.unwrap_or_else(has_source),
        Screen::Game => {
            let seats = app.desk.front().opponents();
            let is_bot = |color| !seats.is_human(color);
            // Against a bot it would be unwanted help.
            let is_help = !app.desk.front().is_review() && Color::ALL.into_iter().any(is_bot);
            let shown = app.board().view.explored;
            shown.unwrap_or_else(|| has_source() && !is_help)
        }
        Screen::Picker | Screen::Match | Screen::Train => false,
    }
}

/// How much room the explorer takes beside the board.
pub(super) fn room(app: &App) -> ExplorerRoom {
    match (is_shown(app), app.screens.explorer.has_focus()) {
        (false, _) => ExplorerRoom::Nothing,
        (true, false) => ExplorerRoom::Half,
        (true, true) => ExplorerRoom::Most,
    }
}

/// The position that the explorer is about: the one on the board, or the start on the home screen.
fn explored_position(app: &App) -> Position {
    match app.screens.front {
        Screen::Game => *app.desk.front().position(),
        Screen::Home | Screen::Picker | Screen::Match | Screen::Train => Position::start(),
    }
}

impl App {
    /// Passes input to the explorer.
    pub(super) fn with_explorer(
        &mut self,
        input: impl FnOnce(&mut ExplorerPanel, &App) -> Option<Action>,
    ) {
        let mut explorer = std::mem::take(&mut self.screens.explorer);
        let act = input(&mut explorer, self);
        self.screens.explorer = explorer;
        self.perform(act.unwrap_or_default());
    }

    /// Queries the position on the board, unless that is done or running.
    pub(super) fn explore(&mut self) {
        if !is_shown(self) {
            self.screens.explorer.give_up_focus();
            return;
        }
        let start = Record::new(explored_position(self));
        let node = match self.screens.front {
            Screen::Game => self.desk.front().node(),
            Screen::Home | Screen::Picker | Screen::Match | Screen::Train => start.root(),
        };
        let asked = &self.screens.explorer.asked;
        let selection = asked.selection(&self.settings.game_sources());
        let query = selection.map(|games| ExplorerQuery::at(games, node, GAMES, Effort::Tables));
        let panel = &mut self.screens.explorer;
        match query {
            Ok(query) if panel.last_query.as_ref() == Some(&query) => {}
            Ok(query) => {
                panel.number += 1;
                panel.chosen = 0;
                panel.found = None;
                panel.last_query = Some(query.clone());
                self.effects.push(ExplorerEffect::Ask {
                    number: panel.number,
                    query: Box::new(query),
                });
            }
            Err(error) => {
                panel.last_query = None;
                panel.found = Some(Err(error));
            }
        }
    }

    /// Handles a result of a database.
    pub(super) fn handle_explorer(&mut self, message: ExplorerMessage) {
        match message {
            ExplorerMessage::Found { number, found } if number == self.screens.explorer.number => {
                self.screens.explorer.found = Some(found);
            }
            // Another query has replaced it.
            ExplorerMessage::Found { .. } => {}
            ExplorerMessage::Game {
                game: Err(error), ..
            } => self.perform(show_error(&error)),
            ExplorerMessage::Game {
                position,
                game: Ok(record),
            } => {
                let is_meant = |node: &Node<'_>| *node.position() == *position;
                let node = record.main_line().find(is_meant);
                let ply = node.map_or(0, |node| i64::from(node.ply()));
                self.screens.explorer.give_up_focus();
                if self.open_review(*record, Origin::Database) {
                    self.walk(ply);
                }
            }
        }
    }

    /// Performs the command.
    pub(super) fn explorer_command(&mut self, command: ExplorerCommand) {
        let (shown, focus) = match command {
            ExplorerCommand::Off => (false, None),
            ExplorerCommand::Show { which, filter } => {
                let mut panel = std::mem::take(&mut self.screens.explorer);
                let refused = panel.select_games(which, filter, self);
                self.screens.explorer = panel;
                if let Some(refused) = refused {
                    return self.perform(refused);
                }
                (true, Some(List::Moves))
            }
        };
        match self.screens.front {
            Screen::Home => self.screens.explorer.at_home = Some(shown),
            Screen::Game => self.view_mut().explored = Some(shown),
            Screen::Picker | Screen::Match | Screen::Train => {
                return self.show("Explorer", vec![NO_BOARD.to_owned()]);
            }
        }
        self.view_mut().typing.clear();
        self.view_mut().held = None;
        self.screens.explorer.focus = focus;
        self.screens.explorer.chosen = 0;
        if shown && !draw::has_room(self) {
            self.screens.explorer.focus = None;
            self.show("Explorer", vec![NO_ROOM.to_owned()]);
        }
    }

    /// Plays a move of the explorer on the board, or in a new review on the home screen.
    pub(super) fn play_explored(&mut self, played: Move) {
        if self.screens.front == Screen::Game {
            self.view_mut().typing.clear();
            self.view_mut().held = None;
            self.request_move(MoveInput::Move(played));
            return;
        }
        let mut record = Record::new(explored_position(self));
        let root = record.root().id();
        if record.add(root, played).is_ok() && self.open_review(record, Origin::Text) {
            self.walk(1);
        }
    }
}
