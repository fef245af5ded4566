//! The state of the full screen, and the one function that changes it.
//!
//! [`update`] takes what happened outside and returns what is to be done outside; it reads no clock, prints nothing
//! and touches no file. Drawing reads the state and never changes it. A game changes only through
//! [`Session::apply`](tabiya_game::Session::apply).

pub(crate) mod dialog;
pub(crate) mod engine_options;
mod engines;
pub(crate) mod form;
pub(crate) mod help;
mod home;
mod keeping;
pub(crate) mod keys;
mod mouse;
pub(crate) mod moves;
pub(crate) mod palette;
mod perform;
pub(crate) mod picker;
mod play;
pub(crate) mod review;
pub(crate) mod saves;
pub(crate) mod settings;
mod settle;
pub(crate) mod sheet;
mod strangers;
mod study;
pub(crate) mod table;
pub(crate) mod text_line;
pub(crate) mod typing;
pub(crate) mod watch;
mod words;

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Size;
use tabiya_game::{Command, NewGame, Timestamp};
use tabiya_play::advice::{Adviser, LINES};
use tabiya_play::opponents::Opponents;
use tabiya_rules::{Color, SplitMix64};

use crate::config::settings::Settings;
use crate::message::{Effect, Effects, EngineMessage, FileMessage, Input, Message};
use crate::tui::charset::Charset;
use crate::tui::color::{Depth, Rgb};
use crate::tui::geometry::{Curve, GameLayout};
use crate::tui::palette::Palette;
use crate::tui::pieces::PieceStyle;
use crate::tui::text::width;
use crate::tui::theme::{THEMES, Theme};

use crate::key_map::{Does, Keys};
use dialog::Dialog;
use engine_options::EnginesForm;
use form::Form;
use help::Help;
use keeping::Keeping;
use palette::CommandPalette;
use picker::Picker;
use saves::Saves;
use settings::SettingsForm;
use sheet::Sheet;
use table::Table;
use watch::Watch;

/// How often a sign turns that shows that an engine is thinking.
const SPIN: Duration = Duration::from_millis(150);

/// Where the player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    Home,
    /// The board: a game that is played, or one that is reviewed.
    Game,
    /// The games of a file.
    Picker,
    /// A match that is watched.
    Match,
}

/// What lies over the screen and has the keys.
#[derive(Clone, Debug)]
pub(crate) enum Overlay {
    Dialog(Dialog),
    Palette(CommandPalette),
    Help(Help),
    /// A text to be read.
    Text(Sheet),
    Form(Form),
    Settings(SettingsForm),
    Engines(EnginesForm),
    Saves(Box<Saves>),
}

/// How everything is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) theme: Theme,
    pub(crate) depth: Depth,
    /// The terminal's own background, where it has told.
    pub(crate) backdrop: Option<Rgb>,
    pub(crate) charset: Charset,
    pub(crate) pieces: PieceStyle,
    /// Whose side is at the bottom.
    pub(crate) bottom: Color,
    pub(crate) blindfold: bool,
    pub(crate) mouse: bool,
}

/// The whole state.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) size: Size,
    /// The moment of the last message, for the clocks.
    pub(crate) now: Timestamp,
    pub(crate) screen: Screen,
    pub(crate) overlay: Option<Overlay>,
    /// The table in front: the one of the game that is played, or of the review.
    pub(crate) table: Table,
    /// The other one.
    pub(crate) aside: Option<Table>,
    /// The file whose games are listed.
    pub(crate) picker: Option<Picker>,
    /// How many files were listed.
    lists: u64,
    /// How many times an engine was asked to judge something.
    studies: u64,
    /// What is to be done outside.
    effects: Effects,
    /// The match that is watched, or was.
    pub(crate) watch: Option<Watch>,
    /// What was last said about it.
    pub(crate) said_in_match: Option<String>,
    /// Who plays, and who is asked for advice.
    pub(crate) opponents: Opponents,
    pub(crate) adviser: Adviser,
    /// The names of the engines that can be chosen.
    pub(crate) engines: Vec<String>,
    pub(crate) look: Look,
    pub(crate) keys: Keys,
    /// The keys that the user bound, by the names of what they do.
    own_keys: Vec<(&'static str, char)>,
    /// What the user has settled; what is shown may differ from it until the program is left.
    pub(crate) settings: Settings,
    /// What the terminal says about its colors.
    detected: Depth,
    /// What is to be brought to the disk.
    keeping: Keeping,
    /// The chosen line of the home screen.
    pub(crate) home: usize,
    /// Whether another Ctrl-C leaves.
    leaving: bool,
    random: SplitMix64,
}

impl App {
    /// The home screen, with a game laid out that `game` describes.
    pub(crate) fn new(game: NewGame, random: SplitMix64, depth: Depth, size: Size) -> App {
        App {
            size,
            now: Timestamp::ORIGIN,
            screen: Screen::Home,
            overlay: None,
            table: Table::new(game),
            aside: None,
            picker: None,
            lists: 0,
            studies: 0,
            effects: Effects::default(),
            watch: None,
            said_in_match: None,
            opponents: Opponents::default(),
            adviser: Adviser::default(),
            engines: Vec::new(),
            look: Look {
                theme: THEMES[0],
                depth,
                backdrop: None,
                charset: Charset::Unicode,
                pieces: PieceStyle::Drawn,
                bottom: Color::White,
                blindfold: false,
                mouse: true,
            },
            keys: Keys::default(),
            own_keys: Vec::new(),
            settings: Settings::default(),
            detected: depth,
            keeping: Keeping::default(),
            home: 0,
            leaving: false,
            random,
        }
    }

    /// Goes to the board at once.
    pub(crate) fn begin(&mut self) {
        self.front_game();
        self.screen = Screen::Game;
        self.table.cursor = table::first_cursor(self.look.bottom);
        self.table.begun = true;
        // The clocks begin with the first command.
        let _ = self.table.session.apply(Command::Tick, self.now);
    }

    pub(crate) fn palette(&self) -> Palette {
        Palette::new(self.look.theme, self.look.depth, self.look.backdrop)
    }

    /// How pieces are shown, as far as the terminal can.
    pub(crate) fn pieces(&self) -> PieceStyle {
        match self.look.charset {
            Charset::Unicode => self.look.pieces,
            Charset::Ascii => PieceStyle::Letters,
        }
    }

    /// The layout of the game screen, if it fits.
    pub(crate) fn layout(&self) -> Option<GameLayout> {
        let layout = GameLayout::new(self.size, self.look.bottom)?;
        let lines = if self.adviser.shows_lines() {
            LINES as u16
        } else {
            0
        };
        // A judged review has a curve of its own.
        let judged = self.table.is_judged();
        let is_a_curve = || self.table.course.is_a_curve(self.table.session.record());
        if lines == 0 && (judged || !is_a_curve()) {
            return Some(layout);
        }
        let curve = if judged {
            Curve::Unwanted
        } else {
            Curve::Wanted
        };
        Some(layout.with_advice(lines, curve))
    }

    /// When a clock on the screen shows something else, if one runs.
    pub(crate) fn next_tick(&self) -> Option<Duration> {
        let table = self.game_table();
        if !table.begun {
            return None;
        }
        match (self.next_second(), self.opponents.thinking()) {
            (clock, None) => clock,
            (clock, Some(_)) => Some(clock.map_or(SPIN, |clock| clock.min(SPIN))),
        }
    }

    /// When a clock shows something else.
    fn next_second(&self) -> Option<Duration> {
        let face = self.game_table().session.clock(self.now);
        let left = face.left[face.running?]?;
        let step = if left < Duration::from_secs(20) {
            100
        } else {
            1000
        };
        let rest = u64::try_from(left.as_millis() % step).unwrap_or(0);
        Some(Duration::from_millis(rest + 1).min(face.flag_in()?.max(Duration::from_millis(1))))
    }
}

/// Lets something happen. Returns what is to be done outside, in order.
pub(crate) fn update(app: &mut App, message: impl Into<Message>, now: Timestamp) -> Vec<Effect> {
    app.now = now;
    if app.game_table().begun {
        app.with_game(App::pass_time);
    }
    match message.into() {
        Message::Tick => {}
        Message::Input(input) => app.take_input(input),
        Message::File(message) => app.take_file(message),
        Message::Engine(message) => app.take_engine(message),
        Message::Match(message) => app.take_match(message),
        Message::Store(message) => app.take_store(message),
    }
    app.offer_review();
    app.attend();
    app.effects.take()
}

impl App {
    fn take_input(&mut self, input: Input) {
        match input {
            Input::Resize(size) => self.size = size,
            Input::Key(key) if key.kind == KeyEventKind::Release => {}
            Input::Key(key) => self.key(key),
            Input::Mouse(event, under) => self.mouse(event, under),
            Input::Paste(text) => self.paste(&text),
        }
    }

    fn take_file(&mut self, message: FileMessage) {
        match message {
            FileMessage::Listed { number, batch } => self.listed(number, batch),
            FileMessage::ListEnded { number, how } => self.list_ended(number, how),
            FileMessage::Opened { number, game } => self.opened(number, game),
            FileMessage::Named { line, found } => self.name_files(&line, &found),
            FileMessage::Exists { path, text, about } => self.file_exists(path, text, &about),
            FileMessage::PutBack(answer) => self.was_put_back(answer),
            FileMessage::Written(answer) => self.written(answer),
        }
    }

    fn take_engine(&mut self, message: EngineMessage) {
        match message {
            EngineMessage::Event(seat, told) => self.told(seat, told),
            EngineMessage::Studied(studied) => self.studied(studied),
            EngineMessage::Asked { name, answer } => self.engine_asked(&name, answer),
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('z') {
            self.effects.push(Effect::Suspend);
            return;
        }
        if control && key.code == KeyCode::Char('c') {
            return self.control_c();
        }
        self.leaving = false;
        // Keys that stand for arrows do so wherever arrows are of use, unless they are letters.
        let key = match self.keys.find(key) {
            Some((pressed, shortcut)) if !pressed.is_plain() => match shortcut.does {
                Does::Arrow(arrow) => KeyEvent::new(arrow, KeyModifiers::NONE),
                _ => key,
            },
            _ => key,
        };
        match self.overlay.take() {
            Some(Overlay::Dialog(dialog)) => self.dialog_key(dialog, key),
            Some(Overlay::Palette(palette)) => self.palette_key(palette, key),
            Some(Overlay::Help(help)) => self.help_key(help, key),
            Some(Overlay::Text(sheet)) => self.sheet_key(sheet, key),
            Some(Overlay::Form(form)) => self.form_key(form, key),
            Some(Overlay::Settings(form)) => self.settings_key(form, key),
            Some(Overlay::Engines(form)) => self.engines_key(form, key),
            Some(Overlay::Saves(saves)) => self.saves_key(saves, key),
            None => match self.screen {
                Screen::Home => self.home_key(key),
                Screen::Game => self.game_key(key),
                Screen::Picker => self.picker_key(key),
                Screen::Match => self.match_key(key),
            },
        }
    }

    /// Gives up what is being done; when nothing is, asks once and then leaves.
    fn control_c(&mut self) {
        if self.leaving {
            self.effects.push(Effect::Leave);
            return;
        }
        let busy = self.overlay.take().is_some() || !self.table.typing.is_empty();
        self.table.typing.clear();
        self.table.held = None;
        if !busy {
            self.leaving = true;
            let risk = self
                .at_risk()
                .map_or(String::new(), |risk| format!("{risk} "));
            let sentence = format!("{risk}Press Ctrl-C again to leave.");
            self.say_in_match(&sentence);
            self.table.say(sentence);
        }
    }

    /// Whether the next Ctrl-C leaves.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving
    }

    fn paste(&mut self, text: &str) {
        // A clipboard may hold anything, and as much of it as it likes.
        if self.overlay.is_none() && self.screen == Screen::Home {
            self.paste_to_review(text);
            return;
        }
        let text: String = text.chars().take(400).collect();
        let text = text.trim();
        match &mut self.overlay {
            Some(Overlay::Palette(palette)) => palette.insert(text),
            Some(Overlay::Help(help)) => help.insert(text),
            Some(Overlay::Form(form)) => form.insert(text),
            Some(Overlay::Settings(form)) => form.insert(text),
            Some(Overlay::Engines(form)) => form.insert(text),
            Some(Overlay::Saves(saves)) => saves.insert(text),
            Some(Overlay::Dialog(_) | Overlay::Text(_)) => {}
            None if self.screen == Screen::Game => {
                self.table.typing.edited();
                self.table.typing.line.insert(text);
            }
            None if self.screen == Screen::Picker => self.picker_paste(text),
            None => {}
        }
    }

    fn sheet_key(&mut self, mut sheet: Sheet, key: KeyEvent) {
        let size = self.size;
        match key.code {
            KeyCode::Up => sheet.scroll_by(-1, size),
            KeyCode::Down => sheet.scroll_by(1, size),
            KeyCode::PageUp => sheet.scroll_by(-10, size),
            KeyCode::PageDown | KeyCode::Char(' ') => sheet.scroll_by(10, size),
            KeyCode::Home => sheet.scroll = 0,
            KeyCode::End => sheet.scroll_by(isize::MAX, size),
            // Whoever types on has read it; a letter may begin a move.
            KeyCode::Char(letter) if letter != 'q' => return self.key(key),
            KeyCode::Char(_) | KeyCode::Esc | KeyCode::Enter => return,
            _ => {}
        }
        self.overlay = Some(Overlay::Text(sheet));
    }

    /// Shows a few lines as a message, and more or longer ones on a sheet.
    fn show(&mut self, title: &'static str, lines: Vec<String>) {
        let room = self.layout().map_or(0, |layout| layout.messages.width);
        let wide = lines.iter().any(|line| width(line) + 3 > room);
        if lines.len() <= 2 && !wide && self.screen == Screen::Game {
            for line in lines {
                self.table.say(line);
            }
        } else if !lines.is_empty() {
            self.overlay = Some(Overlay::Text(Sheet {
                title,
                lines,
                scroll: 0,
            }));
        }
    }

    fn set_blindfold(&mut self, blindfold: bool) {
        self.look.blindfold = blindfold;
        let key = self.keys.of_command("blindfold");
        let sentence = match (blindfold, key) {
            (true, Some(key)) => {
                format!("Blindfold: the pieces are hidden. {key} shows them again.")
            }
            (true, None) => "Blindfold: the pieces are hidden.".to_owned(),
            (false, _) => "The pieces are shown again.".to_owned(),
        };
        self.table.say(sentence);
    }

    fn set_pieces(&mut self, style: PieceStyle) {
        self.look.pieces = style;
        let sentence = match (style, self.pieces()) {
            (PieceStyle::Drawn | PieceStyle::Fine | PieceStyle::Figures, PieceStyle::Letters) => {
                "This terminal can show pieces as letters only.".to_owned()
            }
            (PieceStyle::Drawn | PieceStyle::Fine, _) if !self.draws_pieces() => {
                "Pieces: drawn where squares are large enough and have colors; here they are figures."
                    .to_owned()
            }
            (style, _) => format!("Pieces: {}.", style.name()),
        };
        self.table.say(sentence);
    }

    /// Whether the squares are large enough for pictures, and in color.
    fn draws_pieces(&self) -> bool {
        let large = self
            .layout()
            .is_some_and(|layout| layout.board.cell.height > 1);
        large && self.look.depth != Depth::Mono
    }

    fn next_theme(&mut self) {
        let at = THEMES
            .iter()
            .position(|theme| theme.name == self.look.theme.name);
        let next = at.map_or(0, |at| (at + 1) % THEMES.len());
        if let Some(theme) = THEMES.get(next) {
            self.set_theme(*theme);
        }
    }

    fn set_theme(&mut self, theme: Theme) {
        self.look.theme = theme;
        let sentence = match self.look.depth {
            Depth::Mono => "There are no colors in this terminal, so themes look alike.".to_owned(),
            Depth::Sixteen => "A terminal of 16 colors has one theme: terminal.".to_owned(),
            _ => format!("Theme: {}.", theme.name),
        };
        self.table.say(sentence);
    }
}

#[cfg(test)]
pub(crate) mod tests;
