//! The state of the full screen, and the one function that changes it.
//!
//! [`update`] takes a message from outside and returns the effects to perform; it reads no clock, prints nothing and
//! touches no file. Drawing reads the state and never changes it. A game changes only through
//! [`Table::handle`](tabiya_play::table::Table::handle).

mod action;
mod appearance;
mod board;
mod canvas;
mod draw;
mod explorer;
mod game;
mod home;
mod mouse;
mod outcomes;
pub(crate) mod overlay;
mod perform;
mod picker;
mod press;
mod review;
mod saving;
mod settings;
mod sound;
mod text_line;
pub(crate) mod train;
mod watch;

use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind, KeyModifiers};
use ratatui_core::layout::Size;
use tabiya_front::cells::width;
use tabiya_front::color::Depth;
use tabiya_front::config::settings::Settings;
use tabiya_front::key_map::{KeyAction, Keys};
use tabiya_front::opening_names;
use tabiya_front::review::Desk;
use tabiya_front::wording::LEAVE_AGAIN;
use tabiya_game::{NewGame, Timestamp};
use tabiya_play::advice::LINES;
use tabiya_play::desk::{BoardId, DeskRequest};
use tabiya_play::opponents::Opponents;
use tabiya_play::players::PlayerSpec;
use tabiya_play::remote::Joined;
use tabiya_play::table::{Display, Permission, Table};
use tabiya_rules::{ByColor, SplitMix64};

use crate::message::{Effect, Effects, EngineMessage, FileMessage, Input, Message};
use crate::tui::geometry::{Curve, GameLayout};

use action::Action;
use appearance::Appearance;
use board::{Board, View, Views};
pub(crate) use draw::{Drawn, draw};
use explorer::ExplorerPanel;
use home::Home;
use overlay::dialog::Dialog;
use overlay::name::NameForm;
use overlay::sheet::Sheet;
use overlay::{Component, Overlay, Response};
use picker::Picker;
use press::{Edit, Press};
use saving::SaveState;
use sound::LowTime;
use train::TrainScreen;
use watch::Watch;

/// How often the spinner turns while an engine is thinking.
const SPIN: Duration = Duration::from_millis(150);

/// The screen that the player is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    Home,
    /// The board, with a game being played or under review.
    Game,
    /// The games of a file.
    Picker,
    /// A match being watched.
    Match,
    /// A training session.
    Train,
}

/// The screens, and which of them is in front.
#[derive(Debug)]
pub(crate) struct Screens {
    pub(crate) front: Screen,
    pub(crate) home: Home,
    /// The file whose games are listed.
    pub(crate) picker: Option<Picker>,
    /// How many files have been listed.
    lists: u64,
    /// The match being watched, or the last one.
    pub(crate) watch: Option<Watch>,
    /// The training session.
    pub(crate) train: Option<TrainScreen>,
    /// How many exercises the day still has; `None` if there are none at all.
    pub(crate) due: Option<usize>,
    /// The explorer beside the board.
    pub(crate) explorer: ExplorerPanel,
}

/// What the player is asked or told once.
#[derive(Debug, Default)]
pub(crate) struct Reminders {
    /// Whether the player has yet to be asked for a name.
    pub(crate) asks_name: bool,
    /// Which sides have been warned that their time is short.
    low_time: LowTime,
    /// Whether it was said that another Ctrl-C exits.
    leaving: bool,
}

/// The whole state of the full screen.
#[derive(Debug)]
pub(crate) struct App {
    /// The time of the last message, for the clocks.
    pub(crate) now: Timestamp,
    pub(crate) screens: Screens,
    pub(crate) overlay: Option<Overlay>,
    /// The game being played, and the review beside it.
    pub(crate) desk: Desk,
    /// How their boards are shown.
    pub(crate) views: Views,
    /// The effects to perform.
    effects: Effects,
    /// The names of the engines to choose from.
    pub(crate) engines: Vec<String>,
    pub(crate) look: Appearance,
    pub(crate) keys: Keys,
    /// The user's settings. What is shown may differ from them until the program exits.
    pub(crate) settings: Settings,
    /// What is saved and what is not.
    pub(crate) save_state: SaveState,
    pub(crate) reminders: Reminders,
}

impl App {
    /// Creates the state with the home screen, and `game` ready to begin.
    pub(crate) fn new(game: NewGame, random: SplitMix64, depth: Depth, size: Size) -> App {
        let mut table = Table::new(game, Display::Board, Opponents::default(), random);
        table.set_openings(opening_names::known());
        App {
            now: Timestamp::ORIGIN,
            screens: Screens {
                front: Screen::Home,
                home: Home::default(),
                picker: None,
                lists: 0,
                watch: None,
                train: None,
                due: None,
                explorer: ExplorerPanel::default(),
            },
            overlay: None,
            desk: Desk::new(table),
            views: Views::default(),
            effects: Effects::default(),
            engines: Vec::new(),
            look: Appearance::new(depth, size),
            keys: Keys::default(),
            settings: Settings::default(),
            save_state: SaveState::default(),
            reminders: Reminders::default(),
        }
    }

    /// The board in front.
    pub(crate) fn board(&self) -> Board<'_> {
        self.board_of(self.desk.front_id())
    }

    /// The board of the game being played.
    pub(crate) fn game_board(&self) -> Board<'_> {
        self.board_of(BoardId::Game)
    }

    /// A board of the desk, with its view.
    fn board_of(&self, id: BoardId) -> Board<'_> {
        Board {
            table: self.desk.at(id),
            reviewed: self.desk.review().filter(|_| id == BoardId::Review),
            view: self.views.of(id),
        }
    }

    /// The board in front, to change its view.
    pub(crate) fn board_mut(&mut self) -> Board<'_, &mut View> {
        let id = self.desk.front_id();
        self.views.board(&self.desk, id)
    }

    /// The view of the board in front.
    pub(crate) fn view_mut(&mut self) -> &mut View {
        self.views.of_mut(self.desk.front_id())
    }

    /// Seats the players of the command line before the game begins.
    pub(crate) fn seat(&mut self, specs: ByColor<PlayerSpec>, engines: Vec<String>) {
        self.desk.seat_players(specs);
        self.engines = engines;
        if let Some(person) = self.desk.game().opponents().person() {
            self.look.bottom = person;
        }
    }

    /// Goes to the board and begins the game.
    pub(crate) fn begin(&mut self) {
        self.show_board(BoardId::Game);
        let is_against_engine = self.desk.game().opponents().person().is_some();
        if is_against_engine && self.reminders.asks_name {
            return self.open(NameForm::before(Action::BeginPrepared));
        }
        self.view_mut().cursor = board::first_cursor(self.look.bottom);
        self.request(DeskRequest::Begin);
    }

    /// Joins a game on a server.
    pub(crate) fn join(&mut self, joined: Joined) {
        self.show_board(BoardId::Game);
        self.request(DeskRequest::Join(Box::new(joined)));
        self.view_mut().cursor = board::first_cursor(self.look.bottom);
    }

    /// The layout of the game screen, if it fits.
    pub(crate) fn layout(&self) -> Option<GameLayout> {
        let mut layout = GameLayout::new(self.look.size, self.look.bottom)?;
        if !self.settings.key_line {
            layout = layout.without_hints();
        }
        let board = self.board();
        let lines = u16::from(board.adviser().shows_lines()) * LINES as u16;
        // A judged review has its own curve.
        let curve = match board.is_judged() {
            true => Curve::Unwanted,
            false => Curve::Wanted,
        };
        let is_a_curve = || {
            board
                .evaluation_history()
                .is_a_curve(board.session().record())
        };
        if lines > 0 || (curve == Curve::Wanted && is_a_curve()) {
            layout = layout.with_advice(lines, curve);
        }
        Some(layout.with_explorer(explorer::room(self)))
    }

    /// How long until something on the screen changes by itself.
    pub(crate) fn next_tick(&self) -> Option<Duration> {
        let board = self.game_board();
        if !board.has_begun() {
            return None;
        }
        let spin = board.opponents().thinking().map(|_| SPIN);
        let clock = board.next_second(self.now);
        clock.into_iter().chain(spin).min()
    }
}

/// Handles a message. Returns the effects to perform, in order.
pub(crate) fn update(app: &mut App, message: impl Into<Message>, now: Timestamp) -> Vec<Effect> {
    app.now = now;
    let outcomes = app.desk.tick(now);
    app.show_outcomes(outcomes);
    app.save_state.save_clock(&app.desk, now, &mut app.effects);
    if app.reminders.low_time.just_became_low(app.desk.game(), now) {
        app.ring();
    }
    match message.into() {
        Message::Tick => {}
        Message::Input(Input::Resize(size)) => app.look.size = size,
        Message::Input(Input::Key(key)) if key.kind == KeyEventKind::Release => {}
        Message::Input(Input::Key(key)) => app.key(key),
        Message::Input(Input::Mouse(event, hit)) => app.mouse(event, hit.as_ref()),
        Message::Input(Input::Paste(text)) => app.paste(&text),
        Message::File(message) => app.handle_file(message),
        Message::Engine(message) => app.handle_engine(message),
        Message::Match(message) => app.handle_match(message),
        Message::Store(message) => app.handle_store(message),
        Message::Explorer(message) => app.handle_explorer(message),
        Message::Train(message) => app.handle_train(message),
        Message::Written { contents, result } => app.handle_written(contents, result),
        Message::Server(event) => {
            let outcomes = app.desk.handle_server_event(event, now);
            app.show_outcomes(outcomes);
        }
    }
    app.offer_review();
    app.ask_about_untrusted();
    app.explore();
    app.effects.take()
}

impl App {
    /// Asks about engines that only a save names, while its game is in front.
    fn ask_about_untrusted(&mut self) {
        while self.overlay.is_none()
            && self.screens.front == Screen::Game
            && !self.board().is_review()
            && self.board().session().outcome().is_none()
            && let Some(untrusted) = self.board().opponents().untrusted_engine()
        {
            // A player who resumed the game with a key has not read the question yet.
            let dialog = Dialog::untrusted(&untrusted).appeared_by_itself(Some(self.now));
            if untrusted.shown().is_some() && dialog.fits(self) {
                return self.open(dialog);
            }
            let sentence = untrusted.refusal();
            self.request(DeskRequest::AnswerUntrusted(
                Box::new(untrusted),
                Permission::Deny,
            ));
            self.show("Saves", vec![sentence]);
        }
    }

    fn handle_file(&mut self, message: FileMessage) {
        match message {
            FileMessage::Listed { number, batch } => {
                let picker = self.screens.picker.as_mut();
                if let Some(picker) = picker.filter(|picker| picker.is_reading(number)) {
                    picker.add_games(batch);
                }
            }
            FileMessage::ListEnded { number, how } => {
                let picker = self.screens.picker.as_mut();
                let picker = picker.filter(|picker| picker.is_reading(number));
                if picker.is_some_and(|picker| picker.end_reading(how))
                    && self.screens.front == Screen::Picker
                {
                    self.with_screen(|screen, app| screen.click_row(0, app));
                }
            }
            FileMessage::Opened { number, game } => self.handle_opened(number, game),
            FileMessage::FileNames { line, found } => {
                if let Some(Overlay::CommandPalette(command_palette)) = &mut self.overlay {
                    command_palette.offer_file_names(&line, &found);
                }
            }
            FileMessage::Exists { file, about } => {
                let review = self.board().reviewed;
                self.open(review::ask_to_replace(review, file, about));
            }
            FileMessage::PutBack(answer) => self.handle_put_back(answer),
        }
    }

    fn handle_engine(&mut self, message: EngineMessage) {
        match message {
            EngineMessage::Event(seat, event) => self.handle_engine_event(seat, event),
            EngineMessage::Studied(report) => self.handle_study_report(report),
            EngineMessage::Asked { name, answer } => {
                if let Some(Overlay::Settings(form)) = &mut self.overlay {
                    form.show_options(&name, answer);
                }
            }
        }
    }

    /// Passes a key to the overlay, the explorer or the screen in front.
    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let press = Press::from(key);
        if control && press == Press::Edit(Edit::Char('z')) {
            return self.effects.push(Effect::Suspend);
        }
        if control && press == Press::Edit(Edit::Char('c')) {
            return self.control_c();
        }
        self.reminders.leaving = false;
        // Keys that stand for arrows do so everywhere, unless they are letters.
        let key = if let Some((pressed, shortcut)) = self.keys.find(key)
            && !pressed.is_plain()
            && let KeyAction::Arrow(arrow) = shortcut.action
        {
            arrow.into()
        } else {
            key
        };
        if self.with_overlay(|overlay, app| overlay.key(key, app)) {
            return;
        }
        if self.screens.explorer.has_focus() {
            return self.with_explorer(|explorer, app| explorer.key(key, app));
        }
        if !self.with_screen(|screen, app| screen.key(key, app)) {
            self.game_key(key);
        }
    }

    /// Passes input to the home screen, the list of games or the match. Returns whether one of them is in front.
    fn with_screen(&mut self, input: impl FnOnce(&mut dyn Component, &App) -> Response) -> bool {
        let response = match self.screens.front {
            Screen::Home => {
                let mut home = self.screens.home;
                let response = input(&mut home, self);
                self.screens.home = home;
                response
            }
            Screen::Picker => self.with_component(|app| &mut app.screens.picker, input),
            Screen::Match => self.with_component(|app| &mut app.screens.watch, input),
            Screen::Train => self.with_component(|app| &mut app.screens.train, input),
            Screen::Game => return false,
        };
        match response {
            Response::Stay => {}
            Response::Close => {
                self.screens.front = Screen::Home;
                self.screens.home.chosen = 0;
            }
            Response::Do(act) | Response::CloseAndDo(act) => self.perform(act),
        }
        if self.screens.front == Screen::Match {
            self.read_match();
        }
        true
    }

    /// Passes input to a component of the state, which may read the rest of the state.
    fn with_component<C: Component>(
        &mut self,
        place: fn(&mut App) -> &mut Option<C>,
        input: impl FnOnce(&mut dyn Component, &App) -> Response,
    ) -> Response {
        let Some(mut component) = place(self).take() else {
            return Response::Close;
        };
        let response = input(&mut component, self);
        *place(self) = Some(component);
        response
    }

    /// Cancels what the player is doing. If there is nothing to cancel, asks once and then exits.
    fn control_c(&mut self) {
        if self.reminders.leaving {
            self.effects.push(Effect::Leave);
            return;
        }
        let busy = self.overlay.take().is_some()
            || !self.board().view.typing.is_empty()
            || self.screens.explorer.give_up_focus();
        self.view_mut().typing.clear();
        self.view_mut().held = None;
        if !busy {
            self.reminders.leaving = true;
            let risk = review::at_risk(self).map_or(String::new(), |risk| format!("{risk} "));
            let sentence = format!("{risk}{LEAVE_AGAIN}");
            if let Some(watch) = &mut self.screens.watch {
                watch.say(&sentence);
            }
            if let Some(train) = &mut self.screens.train {
                train.say(&sentence);
            }
            self.view_mut().say(sentence);
        }
    }

    /// Opens a pasted game or position, or passes the text to where text is typed.
    fn paste(&mut self, text: &str) {
        // The clipboard may hold any amount of anything.
        if self.overlay.is_none() && !self.screens.explorer.has_focus() {
            let opens = match self.screens.front {
                Screen::Home => true,
                // A pasted move counts as typed.
                Screen::Game => is_game_or_position(text),
                Screen::Picker | Screen::Match | Screen::Train => false,
            };
            if opens && self.paste_to_review(text) {
                return;
            }
            if self.screens.front == Screen::Home {
                let sentence = "What was pasted is neither a FEN nor a PGN.";
                return self.show("Tabiya", vec![sentence.to_owned()]);
            }
        }
        let text: String = text.chars().take(400).collect();
        let text = text.trim();
        let paste = |component: &mut dyn Component, _: &App| {
            component.paste(text);
            Response::Stay
        };
        if !self.with_overlay(paste)
            && !self.screens.explorer.paste(text)
            && !self.with_screen(paste)
        {
            self.view_mut().typing.insert(text);
        }
    }

    /// Shows a few lines as a message, and more or longer ones on a sheet.
    fn show(&mut self, title: &'static str, lines: Vec<String>) {
        let room = self.layout().map_or(0, |layout| layout.messages.width);
        let wide = lines.iter().any(|line| width(line) + 3 > room);
        if lines.len() <= 2 && !wide && self.screens.front == Screen::Game {
            for line in lines {
                self.view_mut().say(line);
            }
        } else if !lines.is_empty() {
            self.open(Sheet::new(title, lines));
        }
    }
}

/// Whether a text pasted on the board is more than a move.
fn is_game_or_position(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('[') || text.split_whitespace().nth(2).is_some()
}

#[cfg(test)]
pub(crate) mod tests;
