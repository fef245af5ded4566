//! The only part of the full screen that acts: it reads keys and signals, draws, copies, writes files, and restores the
//! terminal however the program ends.

mod autosavers;
mod backend;
mod engine_options;
mod explorer;
mod files;
mod input;
mod match_file;
mod matches;
mod pictures;
mod reports;
mod terminal;
mod terminal_queries;
mod train;

use std::convert::Infallible;
use std::path::MAIN_SEPARATOR;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(debug_assertions)]
use crossterm::event::KeyCode;
use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::layout::{Position as Cell, Size};
use tabiya_front::appearance::Graphics;
use tabiya_front::book_file;
use tabiya_front::color::{ColorChoice, Depth};
use tabiya_front::commands;
use tabiya_front::config::file::{ConfigError, write_setting};
use tabiya_front::config::settings;
use tabiya_front::failure::Failure;
use tabiya_front::game_file;
use tabiya_front::output::{self, say};
use tabiya_front::review::Origin;
use tabiya_front::setup::{First, Setup, is_interactive};
use tabiya_front::signals::{self, Heard, Signal};
use tabiya_front::wording::resume_command;
use tabiya_game::{Record, Timestamp};
use tabiya_play::desk::Saving;
use tabiya_play::engines::KnownEngines;
use tabiya_play::opponents::{EngineEvent, RunningEngines, Seat};
use tabiya_play::remote::ServerLink;
use tabiya_play::study::StudyWorker;
use tabiya_rules::SplitMix64;
use tabiya_store::paths;
use tabiya_store::text_file::{self, NotWritten};

use crate::app::{self, App, Drawn};
use crate::message::{
    Contents, Effect, EngineEffect, EngineMessage, FileEffect, FileMessage, Input, MatchEffect,
    MatchMessage, Message, SaveEffect, SettingChange,
};
use crate::tui::charset::Charset;
use crate::tui::graphics::{coarser, finest, sample};
use autosavers::Autosavers;
use explorer::QueryThread;
use files::Files;
use matches::Matches;
use reports::{Report, Reports};
use terminal::FullScreen;
use train::TrainingRecord;

/// What arrives from other threads.
#[derive(Debug)]
enum Incoming {
    Message(Message),
    /// A mouse event. What is under it is determined when it is handled.
    Mouse(MouseEvent),
    /// There are new reports of engines.
    Reports,
    Signal(Signal),
    /// The input has ended, or the thread that reads it has panicked.
    InputEnded(thread::Result<()>),
}

/// The shortest time between two frames that only show reports of engines.
const BETWEEN_REPORTS: Duration = Duration::from_millis(33);

/// Whether there is a terminal to draw on.
pub fn has_screen() -> bool {
    is_interactive() && !output::is_dumb()
}

/// Plays on the full screen until the user leaves.
pub fn run(mut setup: Setup) -> Result<(), Failure> {
    let depth = Depth::detect(setup.color, |name| std::env::var(name).ok());
    let (sender, incoming) = mpsc::sync_channel(1024);
    // Signals come first, so that none can end the program while it has the terminal.
    watch_signals(sender.clone())?;
    let mut screen = FullScreen::enter()
        .map_err(|error| Failure::system("the terminal cannot be used", &error))?;
    let reports = Arc::new(Reports::default());
    let players = new_players(&mut setup, sender.clone(), Arc::clone(&reports));
    let mut app = new_app(&setup, depth, screen.size()?);
    if !setup.config.settings.mouse {
        screen.capture_mouse(false)?;
    }
    let training_options = match &setup.first {
        First::Train(options) => Some(*options),
        First::Home
        | First::Board
        | First::Resumed(..)
        | First::Save(..)
        | First::Joined(_)
        | First::File(_)
        | First::Position(_) => None,
    };
    show_first(&mut app, setup.first);
    app.configure(setup.config, setup.color == ColorChoice::Auto);
    let drawn = first_frame(&mut app, &mut screen, &sender)?;
    app.desk.set_saving(Saving::EveryChange);
    if let Some(server) = &mut setup.server {
        let sender = sender.clone();
        server.listen(Arc::new(move |event| sender.send(event.into()).is_ok()));
    }
    let autosavers = Autosavers::new(setup.autosaver, sender.clone());
    autosavers.look_for_a_game();
    autosavers.look_for_a_review();
    let training = TrainingRecord::new(sender.clone());
    match training_options {
        // The settings name the player.
        Some(options) => app.open_training(options),
        None => training.count_due(app.settings.learner()),
    }
    let ended = Loop {
        app,
        screen,
        drawn,
        drawn_at: Instant::now(),
        owes_frame: false,
        reports,
        players,
        incoming,
        begun: Instant::now(),
        stalled: Duration::ZERO,
        files: Files::new(sender.clone()),
        matches: Matches::new(sender.clone(), setup.engines.clone()),
        explorer: QueryThread::new(sender.clone()),
        training,
        judge: new_judge(setup.engines.clone(), sender.clone()),
        engines: setup.engines,
        sender,
        autosavers,
        server: setup.server,
    }
    .run();
    ended.into_result()
}

/// Sends the signals of the system to the loop.
fn watch_signals(sender: SyncSender<Incoming>) -> Result<(), Failure> {
    signals::watch(Heard::All, move |signal| {
        sender.send(Incoming::Signal(signal)).is_ok()
    })
    .map_err(|error| Failure::Unusable(signals::unusable(&error)))
}

/// The engines that play and advise. None is running yet.
fn new_players(
    setup: &mut Setup,
    sender: SyncSender<Incoming>,
    reports: Arc<Reports>,
) -> RunningEngines {
    let random = SplitMix64::new(setup.random.next_u64());
    let listener = move |seat, event| forward_engine_event(&sender, &reports, seat, event);
    let mut players = RunningEngines::new(setup.engines.clone(), random, Arc::new(listener));
    players.set_book(setup.book.take());
    players
}

/// The engine that judges games and tries at mistakes.
fn new_judge(engines: KnownEngines, sender: SyncSender<Incoming>) -> StudyWorker {
    let listener = move |report| sender.send(EngineMessage::Studied(report).into()).is_ok();
    StudyWorker::new(engines, Arc::new(listener))
}

/// The state of the screen before its first frame, without most settings.
fn new_app(setup: &Setup, depth: Depth, size: Size) -> App {
    let mut app = App::new(setup.game.clone(), setup.random.clone(), depth, size);
    app.look.charset = Charset::detect(|name| std::env::var(name).ok());
    let engines = setup.engines.all().into_iter().map(|engine| engine.name);
    app.seat(setup.players.clone(), engines.collect());
    app.desk.set_known_engines(setup.engines.clone());
    // A game that begins at once needs the player's name before the other settings are applied.
    let settings = &setup.config.settings;
    app.desk.set_player(settings.player());
    app.reminders.asks_name = settings.name.is_none() && setup.config.warnings.is_empty();
    app
}

/// Draws the first frame, asks the terminal about its features, and starts to read keys.
fn first_frame(
    app: &mut App,
    screen: &mut FullScreen,
    sender: &SyncSender<Incoming>,
) -> Result<Drawn, Failure> {
    let mut drawn = screen.draw(app)?;
    let typed = ask_terminal(app, screen);
    if app.look.has_pictures || app.look.backdrop.is_some() || screen.is_overwritten() {
        drawn = screen.draw(app)?;
    }
    for key in typed {
        // The channel has room for what can be typed in half a second.
        let _ = sender.try_send(Input::Key(key).into());
    }
    input::watch(sender.clone())
        .map_err(|error| Failure::system("the keys cannot be read", &error))?;
    Ok(drawn)
}

/// Asks the terminal about its features, and returns the keys typed meanwhile. A terminal that reports neither the size
/// of its pixels nor its name is not asked, unless the user wants pictures: it might not answer at all.
fn ask_terminal(app: &mut App, screen: &mut FullScreen) -> Vec<KeyEvent> {
    let cell = screen.cell();
    let is_named = std::env::var_os("TERM_PROGRAM").is_some_and(|name| !name.is_empty());
    if cell.is_none() && !is_named && app.settings.graphics != Graphics::On {
        return Vec::new();
    }
    // A terminal that cannot be asked gets the board drawn in cells.
    let Ok(answers) = terminal_queries::ask() else {
        return Vec::new();
    };
    app.look.backdrop = answers.background;
    if let (Some(protocol), Some(cell)) = (answers.protocol(), cell) {
        screen.show_pictures(protocol, cell);
        app.look.has_pictures = true;
    }
    let mut typed = answers.typed;
    let named = answers.name.as_deref();
    app.look.finest = finest(named, |name| std::env::var(name).ok());
    // Cells under pictures are not seen, and trying them would have all pictures sent again.
    let is_seen = !app.look.has_pictures || app.settings.graphics == Graphics::Off;
    while let Some(symbol) = sample(app.look.finest).filter(|_| is_seen) {
        let (is_shown, more) = terminal_queries::is_one_column_wide(symbol).unwrap_or_default();
        typed.extend(more);
        screen.set_overwritten();
        if is_shown {
            break;
        }
        app.look.finest = coarser(app.look.finest);
    }
    terminal_queries::keys(&typed)
}

/// Shows the first screen.
fn show_first(app: &mut App, first: First) {
    match first {
        First::Home => {}
        First::Board => app.begin(),
        First::Resumed(game, warning) => {
            app.resume_game(&game);
            if let Some(warning) = warning {
                app.view_mut().refuse(warning.to_string());
            }
        }
        First::Save(name, game) => {
            app.open_review(game.session.publish(), Origin::Save(name, game.players));
        }
        First::Joined(joined) => app.join(*joined),
        First::File(path) => app.open_file(&path),
        First::Train(_) => {}
        First::Position(position) => {
            app.open_review(Record::new(*position), Origin::Text);
        }
    }
}

/// Forwards an engine's event to the loop.
fn forward_engine_event(
    sender: &SyncSender<Incoming>,
    reports: &Reports,
    seat: Seat,
    event: EngineEvent,
) {
    let incoming = match event {
        EngineEvent::Report(number, info) => {
            let report = Report { seat, number, info };
            if !reports.put(report) {
                return;
            }
            Incoming::Reports
        }
        event @ (EngineEvent::Move(..) | EngineEvent::Failed(_)) => {
            EngineMessage::Event(seat, event).into()
        }
    };
    // Nobody receives it if the program is about to exit.
    let _ = sender.send(incoming);
}

/// Why the loop ended.
enum Ended {
    Left,
    /// By this signal.
    Signaled(i32),
    Failed(Failure),
}

impl Ended {
    /// The result of the program. A signal that ended the loop ends the program in the usual way.
    fn into_result(self) -> Result<(), Failure> {
        match self {
            Ended::Left => Ok(()),
            Ended::Failed(failure) => Err(failure),
            Ended::Signaled(signal) => {
                signals::die_by(signal)?;
                // Reached only where a program cannot end itself by a signal.
                Err(Failure::Unusable(format!("ended by signal {signal}")))
            }
        }
    }
}

impl<E: Into<Failure>> From<E> for Ended {
    fn from(error: E) -> Ended {
        Ended::Failed(error.into())
    }
}

struct Loop {
    /// First, so that it is dropped first: senders that wait for room in the channel then fail and end, and whoever
    /// joins their threads does not hang.
    incoming: Receiver<Incoming>,
    app: App,
    screen: FullScreen,
    /// The last frame, and its time.
    drawn: Drawn,
    drawn_at: Instant,
    /// Whether something has changed that is not drawn yet.
    owes_frame: bool,
    reports: Arc<Reports>,
    players: RunningEngines,
    begun: Instant,
    /// How long the players have waited for the disk. A move must be on disk before it is shown, so the loop waits for
    /// every sync, and the clocks do not run meanwhile. Keys wait in the channel.
    ///
    /// Syncing in another thread would let keys be handled, but their effects could not be shown before the sync is
    /// done either, and the order of events would no longer be the order on disk.
    stalled: Duration,
    files: Files,
    matches: Matches,
    explorer: QueryThread,
    training: TrainingRecord,
    judge: StudyWorker,
    autosavers: Autosavers,
    engines: KnownEngines,
    sender: SyncSender<Incoming>,
    server: Option<Box<dyn ServerLink>>,
}

impl Loop {
    /// Runs until the user leaves, saves what has to be saved whatever the reason, and reports what could not be saved.
    fn run(mut self) -> Ended {
        let Err(ended) = self.event_loop();
        let app = &self.app;
        if let Some(last) = app.save_state.last_save(&app.desk, app.now) {
            self.autosavers.perform_save(last);
        }
        let unfinished = self
            .autosavers
            .saved_as()
            .filter(|_| self.app.game_board().is_unfinished());
        let released = self.autosavers.release();
        self.autosavers.release_review();
        // The engines of a match may take a while to stop, and the terminal need not wait for them.
        drop(self.screen);
        self.matches.end();
        for incoming in self.incoming.try_iter() {
            if let Incoming::Message(Message::Match(
                message @ (MatchMessage::Event(_) | MatchMessage::Stored { .. }),
            )) = incoming
            {
                self.app.handle_match(message);
            }
        }
        match (released, unfinished) {
            (Some(notice), _) => say(&format!("tabiya: {notice}")),
            (_, Some(name)) if matches!(ended, Ended::Left) => {
                say(&format!("The game is saved: {}", resume_command(&name)));
            }
            _ => {}
        }
        if let Some(watch) = &self.app.screens.watch {
            for answer in self.matches.store(&watch.unfinished()) {
                if let Message::Match(MatchMessage::File(Err(error))) = answer {
                    say(&format!("tabiya: The match is not saved: {error}"));
                }
            }
        }
        ended
    }

    /// Handles what arrives, and draws, until the user leaves.
    fn event_loop(&mut self) -> Result<Infallible, Ended> {
        // An engine may have the first move.
        self.update(Message::Tick)?;
        loop {
            let first = match self.wait() {
                Ok(incoming) => incoming,
                Err(RecvTimeoutError::Timeout) => Incoming::Message(Message::Tick),
                Err(RecvTimeoutError::Disconnected) => return Err(Ended::Left),
            };
            for message in self.autosavers.save_again() {
                self.update(message)?;
            }
            // Everything that has arrived is handled before the next frame, so that drawing never lags behind.
            let mut next = Some(first);
            let mut budget = 256;
            let mut only_reports = true;
            while let Some(incoming) = next.take() {
                only_reports &= matches!(incoming, Incoming::Reports);
                self.handle(incoming)?;
                budget -= 1;
                if budget > 0 {
                    next = self.incoming.try_recv().ok();
                }
            }
            // An engine may report more than anyone can read.
            self.owes_frame = only_reports && self.drawn_at.elapsed() < BETWEEN_REPORTS;
            if !self.owes_frame {
                self.read_reports()?;
                self.fit_to_terminal()?;
                self.drawn = self.screen.draw(&self.app)?;
                self.drawn_at = Instant::now();
            }
        }
    }

    /// Handles the reports of engines.
    fn read_reports(&mut self) -> Result<(), Ended> {
        for report in self.reports.take() {
            let event = EngineEvent::Report(report.number, report.info);
            self.update(EngineMessage::Event(report.seat, event))?;
        }
        Ok(())
    }

    /// Waits for the next event, until something on the screen changes by itself.
    fn wait(&mut self) -> Result<Incoming, RecvTimeoutError> {
        let owed = BETWEEN_REPORTS.saturating_sub(self.drawn_at.elapsed());
        let owed = self.owes_frame.then_some(owed);
        let again = self.autosavers.save_again_in();
        let times = [self.app.next_tick(), owed, again];
        match times.into_iter().flatten().min() {
            None => Ok(self.incoming.recv()?),
            Some(time) => self.incoming.recv_timeout(time),
        }
    }

    /// The time of the game: time spent on waiting for the disk does not count.
    fn now(&self) -> Timestamp {
        let played = self.begun.elapsed().saturating_sub(self.stalled);
        Timestamp::from_millis(played.as_millis() as u64)
    }

    /// Makes sure that the state has the size it will be drawn at.
    fn fit_to_terminal(&mut self) -> Result<(), Ended> {
        let size: Size = self.screen.size()?;
        if size != self.app.look.size {
            self.update(Input::Resize(size))?;
        }
        Ok(())
    }

    /// Handles what another thread has sent.
    fn handle(&mut self, incoming: Incoming) -> Result<(), Ended> {
        match incoming {
            // They are read when a frame is due.
            Incoming::Reports => Ok(()),
            Incoming::Message(message @ Message::Engine(EngineMessage::Event(..))) => {
                // Reports that came before a move are handled before the move.
                self.read_reports()?;
                self.update(message)
            }
            Incoming::Message(message) => {
                #[cfg(debug_assertions)]
                if matches!(&message, Message::Input(Input::Key(key)) if key.code == KeyCode::F(12))
                {
                    input::rehearse("main");
                    if input::is_rehearsed("error") {
                        return Err(Failure::Unusable("a rehearsed error".to_owned()).into());
                    }
                }
                self.update(message)
            }
            Incoming::Mouse(event) => {
                let at = Cell::new(event.column, event.row);
                let hit = self.drawn.hit(&self.app, at);
                self.update(Input::Mouse(event, hit))
            }
            Incoming::InputEnded(Ok(())) => Err(Ended::Left),
            Incoming::InputEnded(Err(_)) => {
                let sentence = "the keys can no longer be read".to_owned();
                Err(Failure::Unusable(sentence).into())
            }
            Incoming::Signal(Signal::Suspend) => Ok(self.screen.suspend()?),
            Incoming::Signal(Signal::Continued) => Ok(self.screen.enter_again()?),
            // Every frame is fitted to the current size of the terminal.
            Incoming::Signal(Signal::Resized) => Ok(()),
            Incoming::Signal(Signal::End(number)) => Err(Ended::Signaled(number)),
        }
    }

    /// Updates the state, and performs the effects and those that follow from their answers.
    fn update(&mut self, message: impl Into<Message>) -> Result<(), Ended> {
        let now = self.now();
        let mut effects = app::update(&mut self.app, message, now);
        while !effects.is_empty() {
            let mut more = Vec::new();
            for effect in effects {
                for answer in self.perform(effect)? {
                    more.extend(app::update(&mut self.app, answer, now));
                }
            }
            effects = more;
        }
        Ok(())
    }

    /// Performs one effect, and returns the answers that are known at once.
    fn perform(&mut self, effect: Effect) -> Result<Vec<Message>, Ended> {
        let begun = Instant::now();
        let mut answers = Vec::new();
        match effect {
            Effect::Leave => {
                // A user who leaves was asked about unsaved games. A signal asks no questions.
                self.autosavers.perform_save(SaveEffect::DiscardReview);
                return Err(Ended::Left);
            }
            Effect::Suspend => self.screen.suspend()?,
            Effect::Copy(text) => self.screen.copy(&text)?,
            Effect::Ring => self.screen.ring()?,
            Effect::Server(request, ply) => {
                if let Some(server) = &mut self.server {
                    server.ask(request, ply);
                }
            }
            Effect::CaptureMouse(captured) => self.screen.capture_mouse(captured)?,
            Effect::Engine(effect) => answers.extend(self.perform_engine(effect)),
            Effect::File(effect) => answers.extend(self.perform_file(effect)),
            Effect::Match(effect) => answers = self.perform_match(effect),
            Effect::Explorer(effect) => answers.extend(self.explorer.perform(effect)),
            Effect::Train(effect) => {
                answers.extend(self.training.perform(effect));
                self.stalled += begun.elapsed();
            }
            Effect::Save(effect) => {
                answers = self.autosavers.perform_save(effect);
                self.stalled += begun.elapsed();
            }
            Effect::Store(effect) => {
                answers = self.autosavers.perform_store(effect);
                self.stalled += begun.elapsed();
            }
        }
        Ok(answers)
    }

    fn perform_engine(&mut self, effect: EngineEffect) -> Option<Message> {
        match effect {
            EngineEffect::Order(order) => {
                let (seat, failure) = self.players.carry_out(order)?;
                return Some(EngineMessage::Event(seat, failure).into());
            }
            EngineEffect::Study(task) => self.judge.begin(*task),
            EngineEffect::Ask(name) => {
                engine_options::ask(name, &self.engines, self.sender.clone());
            }
            EngineEffect::SetOption(change) => {
                let written = engine_options::write_option(&change, &self.engines);
                return Some(Message::written(Contents::Other, written.map(|()| change)));
            }
        }
        None
    }

    /// Opens the book if that is the setting being changed. Bots that are started from now on play from it.
    fn open_book(&mut self, setting: &SettingChange) -> Result<(), ConfigError> {
        if setting.key == settings::BOOK {
            let mut changed = settings::Settings::default();
            settings::known(setting.key)?.set(&mut changed, &setting.value)?;
            let book = changed.book.as_deref().map(book_file::open).transpose()?;
            self.players.set_book(book);
        }
        Ok(())
    }

    fn perform_file(&mut self, effect: FileEffect) -> Option<Message> {
        let write = |change: &SettingChange| write_setting(change.key, &change.value);
        Some(match effect {
            FileEffect::CompleteFileName(line) => {
                let begun = commands::file_begun(&line).map(|(_, text)| text);
                let mut found = begun.map_or_else(Vec::new, paths::beginning_with);
                found.extend(commands::instead_of_file(&line));
                if begun.is_some_and(str::is_empty) {
                    found.extend(match_folder());
                }
                FileMessage::FileNames { line, found }.into()
            }
            FileEffect::WriteSetting(change) => {
                let written = self.open_book(&change).and_then(|()| write(&change));
                Message::written(Contents::Other, written.map(|()| change))
            }
            FileEffect::Remember(change) => Message::Written {
                contents: Contents::Other,
                result: Err(write(&change).err()?.into()),
            },
            FileEffect::Write { file, source } => {
                let result = match text_file::write_new(&file.path, &file.text) {
                    Ok(written) => Ok(written.into()),
                    Err(NotWritten::Because(error)) => Err(error.into()),
                    Err(NotWritten::Exists) => {
                        let about = files::existing(&file.path, source.as_deref());
                        return Some(FileMessage::Exists { file, about }.into());
                    }
                };
                let contents = file.contents;
                Message::Written { contents, result }
            }
            FileEffect::PutBack { path, extent, text } => {
                FileMessage::PutBack(game_file::put_back(&path, extent, &text)).into()
            }
            FileEffect::Replace(file) => {
                Message::written(file.contents, text_file::replace(&file.path, &file.text))
            }
            FileEffect::List { path, number } => self.files.list(&path, number)?.into(),
            FileEffect::Open {
                path,
                offset,
                number,
            } => {
                self.files.open(&path, offset, number);
                return None;
            }
        })
    }

    fn perform_match(&mut self, effect: MatchEffect) -> Vec<Message> {
        match effect {
            MatchEffect::Start(order) => {
                return vec![MatchMessage::Started(self.matches.start(*order)).into()];
            }
            MatchEffect::Pace(pacing) => self.matches.pace(pacing),
            MatchEffect::Stop => self.matches.stop(),
            MatchEffect::Store(games) => return self.matches.store(&games),
            MatchEffect::Read(games) => return self.matches.read(games),
            MatchEffect::Export(export) => {
                let exported = self.matches.export(&export);
                return vec![Message::written(Contents::Match, exported)];
            }
        }
        Vec::new()
    }
}

impl<M: Into<Message>> From<M> for Incoming {
    fn from(message: M) -> Incoming {
        Incoming::Message(message.into())
    }
}

/// The folder of watched matches, if it exists, to show to the user.
fn match_folder() -> Option<String> {
    let folder = match_file::folder().ok().filter(|folder| folder.is_dir())?;
    Some(format!("{}{MAIN_SEPARATOR}", paths::shown(&folder)))
}
