//! The line mode: a game as text, line by line.
//!
//! [`LineGame`] decides what happens and what is said; this file reads lines, prints, and performs the effects. All output
//! is either fixed text or, with `--json`, one object per line.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod game;
mod input;
mod screen;
pub mod train;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{FileOutput, LineEffect, LineGame, LineSaveEffect, Prompt, TextForm, saves};
use input::{BackgroundEvent, BackgroundSender, Input, InputEvent};
use screen::Screen;
use tabiya_front::explorer::{ExplorerQuery, Library};
use tabiya_front::failure::Failure;
use tabiya_front::matches::{self, MatchError, MatchOrder, Report};
use tabiya_front::setup::{First, SAVE_AGAIN, Setup, is_interactive};
use tabiya_front::wording::{Reply, resume_command};
use tabiya_front::{config, game_file, saved};
use tabiya_game::{NewGame, Timestamp};
use tabiya_play::contest::{self, Contest};
use tabiya_play::engines::KnownEngines;
use tabiya_play::opponents::{Opponents, RunningEngines};
use tabiya_play::remote::ServerLink;
use tabiya_play::study::StudyWorker;
use tabiya_play::threads;
use tabiya_rules::SplitMix64;
use tabiya_store::text_file::{self, NotWritten};
use tabiya_store::{Autosaver, CLOCK_INTERVAL, SaveName, SaveNotice, SavedGame, paths};

pub use screen::Form;

/// Plays until the user leaves.
pub fn run(mut setup: Setup, form: Form) -> Result<(), Failure> {
    let bot_random = SplitMix64::new(setup.random.next_u64());
    let screen = Screen::new(form, setup.color);
    let (input, background) = Input::new(&screen)?;
    let settings = &setup.config.settings;
    let mut opponents = Opponents::new(setup.players);
    opponents.set_manners(settings.manners.into());
    opponents.set_person_name(settings.player());
    opponents.set_known_engines(setup.engines.clone());
    let mut game = LineGame::new(setup.random, opponents);
    game.configure(settings, is_interactive());
    game.set_saves_changes(setup.autosaver.saves_changes());
    let mut server = setup.server;
    if let Some(server) = &mut server {
        server.listen(input.server_listener(background.clone()));
    }
    let mut running_engines = running_engines(&setup.engines, bot_random, &background);
    running_engines.set_book(setup.book);
    let mut line_loop = LineLoop {
        screen,
        input,
        running_engines,
        study_worker: study_worker(&setup.engines, &background),
        engines: setup.engines,
        contest: None,
        library: Arc::default(),
        background,
        game,
        autosaver: setup.autosaver,
        released: None,
        text_above: String::new(),
        started: Instant::now(),
        stalled: Duration::ZERO,
        announces_flags: false,
        server,
    };
    if let Some(greeting) = line_loop.screen.greeting() {
        line_loop.print(&format!("{greeting}\n"))?;
    }
    let effects = line_loop.begin(setup.first, setup.game);
    line_loop.play(effects)
}

/// The engines that play and advise. Their events go to the loop.
fn running_engines(
    engines: &KnownEngines,
    random: SplitMix64,
    background: &BackgroundSender,
) -> RunningEngines {
    let background = background.clone();
    let send = move |seat, event| {
        background.send(BackgroundEvent::Engine(seat, event));
    };
    RunningEngines::new(engines.clone(), random, Arc::new(send))
}

/// The engine that judges games. Its reports go to the loop.
fn study_worker(engines: &KnownEngines, background: &BackgroundSender) -> StudyWorker {
    let background = background.clone();
    let send = move |report| background.send(BackgroundEvent::Study(report));
    StudyWorker::new(engines.clone(), Arc::new(send))
}

/// The loop of the line mode: the game, and everything that acts for it.
struct LineLoop {
    screen: Screen,
    input: Input,
    /// The engines that play and advise.
    running_engines: RunningEngines,
    /// The engine that judges games.
    study_worker: StudyWorker,
    engines: KnownEngines,
    /// The running match.
    contest: Option<Contest>,
    /// The databases.
    library: Arc<Mutex<Library>>,
    /// Sends the loop everything that is not typed.
    background: BackgroundSender,
    game: LineGame,
    autosaver: Autosaver,
    /// The save of the last game on the board.
    released: Option<Released>,
    /// What is to be printed above the line being typed.
    text_above: String,
    started: Instant,
    /// How long the players have waited for the disk. The clocks do not run during that time.
    stalled: Duration,
    /// Whether a fallen flag is announced while nothing is typed. In a game where nothing has been typed yet it is not,
    /// so that an idle program does not start one game after another.
    announces_flags: bool,
    server: Option<Box<dyn ServerLink>>,
}

/// The save of a game that is no longer on the board.
struct Released {
    name: SaveName,
    /// Whether it has the whole game.
    is_whole: bool,
}

impl LineLoop {
    fn now(&self) -> Timestamp {
        let played = self.started.elapsed().saturating_sub(self.stalled);
        Timestamp::from_millis(played.as_millis() as u64)
    }

    /// Begins with the first game, which is introduced to a person.
    fn begin(&mut self, first: First, game: NewGame) -> Vec<LineEffect> {
        let now = self.now();
        let (effects, is_new) = match first {
            First::Resumed(save, _) => (self.game.resume_game(&save, now), false),
            First::Joined(joined) => (self.game.join(*joined, now), false),
            First::Home
            | First::Board
            | First::Save(..)
            | First::File(_)
            | First::Position(_)
            | First::Train(_) => (self.game.begin(game, now), true),
        };
        let introduction = self.game.introduction(is_new);
        let introduction = introduction.filter(|_| self.screen.greeting().is_some());
        introduction.into_iter().chain(effects).collect()
    }

    fn play(&mut self, mut effects: Vec<LineEffect>) -> Result<(), Failure> {
        let mut needs_prompt = true;
        loop {
            if self.input.is_typing() {
                // The line was begun while an engine was thinking, so the prompt and the moves to complete have
                // changed.
                let prompt = editor_prompt(self.game.prompt(self.now()));
                self.input.update_line(&prompt, self.game.moves());
            }
            if self.perform(effects)?.is_break() {
                self.print_above();
                return self.screen.finish();
            }
            if needs_prompt {
                self.print_prompt()?;
            }
            self.print_above();
            let event = self.next_event()?;
            let is_typed = !matches!(event, InputEvent::Background(_));
            let was_waiting = self.game.is_waiting();
            effects = self.handle_event(event)?;
            // Players may have arrived, or a server may have answered, without anything to print.
            let has_resumed = was_waiting && !self.game.is_waiting();
            needs_prompt = is_typed || !effects.is_empty() || has_resumed;
        }
    }

    /// Performs effects and those that follow from them, until one of them exits.
    fn perform(&mut self, effects: Vec<LineEffect>) -> Result<ControlFlow<()>, Failure> {
        for effect in effects {
            let leaves = matches!(effect, LineEffect::Leave);
            let more = self.perform_one(effect)?;
            if leaves || self.perform(more)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Performs one effect. Returns the effects that follow.
    fn perform_one(&mut self, effect: LineEffect) -> Result<Vec<LineEffect>, Failure> {
        match effect {
            LineEffect::Leave => return self.leave(),
            LineEffect::Say(Reply::Goodbye) => {
                self.say_where_saved()?;
                self.say(&Reply::Goodbye)?;
            }
            LineEffect::Say(reply) => self.say(&reply)?,
            LineEffect::Show(board) => {
                let text = self.screen.board(Some(&board));
                self.print(&text)?;
            }
            LineEffect::Write(output) => self.write(output)?,
            LineEffect::Replace(output) => {
                let written = text_file::replace(&output.path, &output.text);
                let reply = self.game.written(output.form, written);
                self.say(&reply)?;
            }
            LineEffect::PutBack(output, extent) => {
                let written = game_file::put_back(&output.path, extent, &output.text);
                let reply = self.game.put_back(written);
                self.say(&reply)?;
            }
            LineEffect::Open(path) => return Ok(self.open_file(&path)),
            LineEffect::Order(order) => {
                if let Some((seat, failure)) = self.running_engines.carry_out(order) {
                    let event = BackgroundEvent::Engine(seat, failure);
                    self.background.send(event);
                }
            }
            LineEffect::Study(task) => self.study_worker.begin(*task),
            LineEffect::Server(request, ply) => {
                if let Some(server) = &mut self.server {
                    server.ask(request, ply);
                }
            }
            LineEffect::Match(order) => {
                let started = self.start_match(*order);
                return Ok(self.game.match_started(started));
            }
            LineEffect::StoreLevel(level) => {
                let number = level.number().to_string();
                if let Err(error) = config::file::write_setting("game.level", &number) {
                    self.say(&Reply::refusal("setting", error.to_string()))?;
                }
            }
            LineEffect::Explore(query) => self.explore(query),
            LineEffect::Save(effect) => {
                let started = Instant::now();
                let more = self.perform_save(effect)?;
                self.stalled += started.elapsed();
                return Ok(more);
            }
        }
        Ok(Vec::new())
    }

    /// Closes the game's save, with the time that the side to move has used.
    fn leave(&mut self) -> Result<Vec<LineEffect>, Failure> {
        if let Some(game) = self.clock_to_save() {
            self.save_and_report(|autosaver| autosaver.save(&game))?;
        }
        self.perform_save(LineSaveEffect::Release { is_whole: true })
    }

    /// Reviews the first game of a file.
    fn open_file(&mut self, path: &Path) -> Vec<LineEffect> {
        let path = paths::from_home(path);
        let opened = game_file::open_at(&path, 0);
        let hint = opened.is_ok().then(|| self.more_games_hint(&path));
        let mut effects = self.game.open(path, opened, self.now());
        effects.extend(hint.flatten());
        effects
    }

    /// Tells a person that a file has more games than the one that is opened.
    fn more_games_hint(&self, path: &Path) -> Option<LineEffect> {
        if !self.game.is_interactive {
            return None;
        }
        let games = match game_file::count(path, MAX_GAMES_IN_HINT).ok()? {
            0 | 1 => return None,
            MAX_GAMES_IN_HINT => format!("{MAX_GAMES_IN_HINT} games or more"),
            games => format!("{games} games"),
        };
        let sentence = format!(
            "The file has {games}, and this is the first: tabiya review {} lists them all.",
            path.display()
        );
        Some(LineEffect::Say(Reply::text("review", vec![sentence])))
    }

    /// Queries a database. The clocks run on, however long it takes.
    fn explore(&self, query: Box<ExplorerQuery>) {
        let (library, background) = (Arc::clone(&self.library), self.background.clone());
        threads::spawn_or_run(move || {
            let mut library = library.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = library.answer(&query);
            background.send(BackgroundEvent::Explored(Box::new(answer)));
        });
    }

    /// Starts a match, whose events arrive as background events.
    fn start_match(&mut self, order: MatchOrder) -> Result<Report, MatchError> {
        let plan = matches::plan(order, &self.engines)?;
        let report = Report::new(&plan);
        let background = self.background.clone();
        let contest = Contest::start(plan, move |event| {
            background.send(BackgroundEvent::Match(Box::new(event)));
        });
        self.contest = Some(contest?);
        Ok(report)
    }

    /// Writes to a new file. If the file exists, asks first.
    fn write(&mut self, output: FileOutput) -> Result<(), Failure> {
        let reply = match text_file::write_new(&output.path, &output.text) {
            Err(NotWritten::Exists) => {
                let games = game_file::count(&output.path, MAX_GAMES_COUNTED).unwrap_or_default();
                let is_source = |source: &Path| game_file::is_same(source, &output.path);
                let source = self.game.source().filter(|(source, _)| {
                    output.form == TextForm::Pgn && games > 1 && is_source(source)
                });
                match source.map(|(_, extent)| extent) {
                    Some(extent) => self.game.ask_to_put_back(output, extent, games - 1),
                    None => self.game.ask_to_replace(output, games),
                }
            }
            written @ (Ok(_) | Err(NotWritten::Because(_))) => {
                self.game.written(output.form, written)
            }
        };
        self.say(&reply)
    }

    /// Performs an effect about saves. Returns the effects that follow.
    fn perform_save(&mut self, effect: LineSaveEffect) -> Result<Vec<LineEffect>, Failure> {
        let autosaver = &mut self.autosaver;
        let reply = match effect {
            LineSaveEffect::Autosave(game) => autosaver.save(&game).map(|notice| {
                self.game
                    .set_unsaved(!matches!(notice, SaveNotice::Remark(_)));
                saves::notice_reply(notice)
            }),
            LineSaveEffect::Release { is_whole } => {
                let name = autosaver.name().cloned();
                self.released = name.map(|name| Released { name, is_whole });
                autosaver.release().map(saves::notice_reply)
            }
            LineSaveEffect::Save(name, game) => {
                let saved = autosaver.save_as(name.as_ref(), &game);
                Some(self.game.saved(saved))
            }
            LineSaveEffect::SaveCopy(name, game) => {
                let saved = autosaver.save_copy(&name, &game);
                Some(self.game.saved(saved))
            }
            LineSaveEffect::SaveJudgment(name, game) => {
                // A game without a save is not saved for its judgment.
                let released = || self.released.as_ref().map(|save| save.name.clone());
                let name = name.or_else(released);
                let saved = name.map(|name| autosaver.save_over(&name, &game));
                let failed = saved.and_then(Result::err);
                failed.map(|error| Reply::refusal("save", error.to_string()))
            }
            LineSaveEffect::List => Some(saves::list(autosaver)),
            LineSaveEffect::AskToDelete(name) => Some(match autosaver.can_delete(&name) {
                Ok(()) => self.game.ask_to_delete(name),
                Err(error) => Reply::refusal("save", error.to_string()),
            }),
            LineSaveEffect::Delete(name) => {
                Some(saves::result_reply("delete", autosaver.delete(&name)))
            }
            LineSaveEffect::Review(name) => {
                let game = autosaver.look(&name);
                let now = self.now();
                return Ok(self.game.open_save(name, game, now));
            }
            LineSaveEffect::Load(name) => return self.load(&name),
        };
        self.game.set_saves_changes(self.autosaver.saves_changes());
        if let Some(reply) = reply {
            self.say(&reply)?;
        }
        Ok(Vec::new())
    }

    /// Resumes a saved game. Where there is no user to ask, one whose engine may not be started is refused.
    fn load(&mut self, name: &SaveName) -> Result<Vec<LineEffect>, Failure> {
        if !self.game.is_interactive
            && let Some(untrusted) = saved::untrusted_engine(&self.autosaver, name, &self.engines)
        {
            self.say(&Reply::refusal("engine", untrusted.refusal()))?;
            return Ok(Vec::new());
        }
        let opened = self.autosaver.open(name);
        self.game.set_saves_changes(self.autosaver.saves_changes());
        match opened {
            Ok(game) => {
                let now = self.now();
                Ok(self.game.resume_game(&game, now))
            }
            Err(error) => {
                self.say(&Reply::refusal("save", error.to_string()))?;
                Ok(Vec::new())
            }
        }
    }

    /// Says where the game is saved, if all of it is, when the user leaves it.
    fn say_where_saved(&mut self) -> Result<(), Failure> {
        let released = self.released.as_ref().filter(|save| save.is_whole);
        let sentence = match (self.autosaver.name(), released) {
            _ if self.game.has_unsaved_changes() => return Ok(()),
            (Some(name), _) if !self.game.is_over() => {
                let resume = resume_command(name);
                format!("The game is saved as {name}: {resume} continues it.")
            }
            (Some(name), _) | (None, Some(Released { name, .. })) => {
                format!("The game is saved as {name}.")
            }
            (None, None) => return Ok(()),
        };
        self.say(&Reply::text("save", vec![sentence]))
    }

    fn say(&mut self, reply: &Reply) -> Result<(), Failure> {
        let text = self.screen.reply_text(reply);
        self.print(&text)
    }

    /// If the user is typing a line, the text is printed above it, but only with all that follows it: the editor shows
    /// the prompt again after each text, and a screen reader reads it aloud.
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        if self.input.is_typing() {
            // The editor's printer shows escape sequences as text.
            self.text_above += &anstream::adapter::strip_str(text).to_string();
            return Ok(());
        }
        self.screen.print(text)
    }

    fn print_above(&mut self) {
        let text = std::mem::take(&mut self.text_above);
        if !text.is_empty() {
            self.input.print_above(text.trim_end_matches('\n'));
        }
    }

    fn print_prompt(&mut self) -> Result<(), Failure> {
        let Some(prompt) = self.game.prompt(self.now()) else {
            return Ok(());
        };
        self.print(&self.screen.prompt_text(&prompt))
    }

    /// The next event that can be handled now. Until it comes, the time of the running clock is saved now and then.
    fn next_event(&mut self) -> Result<InputEvent, Failure> {
        loop {
            let game = &self.game;
            if let Some(event) = self.input.early.take_if(|event| !is_early(event, game)) {
                return Ok(event);
            }
            let now = self.now();
            let announces_flag = self.announces_flags || self.game.is_thinking();
            let flag = self.game.flag_in(now).filter(|_| announces_flag);
            let timeout = flag.into_iter().chain(self.next_save_in(now)).min();
            let prompt = editor_prompt(self.game.prompt(now));
            let (game, autosaver) = (&self.game, &self.autosaver);
            let completions = || (game.moves(), autosaver.store().ok().cloned());
            let mut event = self.input.next_event(&prompt, completions, timeout);
            if matches!(event, InputEvent::TimedOut) && timeout != flag {
                match self.clock_to_save() {
                    Some(game) => {
                        self.save_and_report(|autosaver| autosaver.save_clock(&game))?;
                        continue;
                    }
                    None => event = InputEvent::Background(BackgroundEvent::SaveAgain),
                }
            }
            if !(self.input.is_pipe() && is_early(&event, &self.game)) {
                return Ok(event);
            }
            self.input.early = Some(event);
        }
    }

    /// How long until the time of the running clock is saved, or a game that could not be saved is saved again.
    fn next_save_in(&self, now: Timestamp) -> Option<Duration> {
        if self.saves_clock() && self.game.runs_clock(now) {
            Some(CLOCK_INTERVAL)
        } else {
            self.autosaver.has_failed().then_some(SAVE_AGAIN)
        }
    }

    /// Whether the game has a save to which its time can be added.
    fn saves_clock(&self) -> bool {
        let autosaver = &self.autosaver;
        autosaver.name().is_some() && autosaver.saves_changes() && !autosaver.has_failed()
    }

    /// The game with the time that the side to move has used, if a clock runs in it and it has a save.
    fn clock_to_save(&self) -> Option<Box<SavedGame>> {
        self.saves_clock()
            .then(|| self.game.clock_to_save(self.now()))?
    }

    /// Saves something while the clocks stand, and prints the notice about it.
    fn save_and_report(
        &mut self,
        save: impl FnOnce(&mut Autosaver) -> Option<SaveNotice>,
    ) -> Result<(), Failure> {
        let started = Instant::now();
        let notice = save(&mut self.autosaver);
        self.stalled += started.elapsed();
        if let Some(notice) = notice {
            self.game
                .set_unsaved(!matches!(notice, SaveNotice::Remark(_)));
            self.say(&saves::notice_reply(notice))?;
            self.print_above();
        }
        Ok(())
    }

    fn handle_event(&mut self, event: InputEvent) -> Result<Vec<LineEffect>, Failure> {
        if !matches!(event, InputEvent::Background(_)) {
            self.screen.end_prompt_line()?;
        }
        let now = self.now();
        Ok(match event {
            InputEvent::Line(line) => {
                self.announces_flags = true;
                self.game.submit(&line, now)
            }
            InputEvent::Background(event) => self.handle_background_event(event, now),
            InputEvent::TimedOut => {
                self.announces_flags = false;
                let effects = self.game.tick(now);
                // A line that was begun belonged to the game that has ended.
                let is_begun = self.input.is_pipe() || self.input.is_line_begun();
                if !effects.is_empty() && is_begun {
                    self.game.is_late = true;
                }
                effects
            }
            InputEvent::LineTooLong => vec![LineEffect::Say(Reply::refusal(
                "too_long",
                input::too_long(),
            ))],
            InputEvent::Ended => self.game.input_ended(now),
            InputEvent::Failed(error) => return Err(Failure::system("stdin", &error)),
        })
    }

    fn handle_background_event(
        &mut self,
        event: BackgroundEvent,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        match event {
            BackgroundEvent::Engine(seat, event) => self.game.handle_engine_event(seat, event, now),
            BackgroundEvent::Study(report) => self.game.handle_study_report(report, now),
            BackgroundEvent::Explored(found) => self.game.explored(*found),
            BackgroundEvent::Server(event) => self.game.handle_server_event(*event, now),
            // Only a training session has such a search.
            BackgroundEvent::Mining(_) => Vec::new(),
            BackgroundEvent::SaveAgain => {
                let notice = self.autosaver.save_again();
                if matches!(notice, Some(SaveNotice::Remark(_))) {
                    self.game.set_unsaved(false);
                }
                let reply = notice.map(|notice| LineEffect::Say(saves::notice_reply(notice)));
                reply.into_iter().collect()
            }
            BackgroundEvent::Match(event) => {
                if matches!(*event, contest::Event::Over(_)) {
                    self.contest = None;
                }
                self.game.match_event(*event)
            }
        }
    }
}

/// Whether what came from a pipe has to wait for the next prompt.
fn is_early(event: &InputEvent, game: &LineGame) -> bool {
    game.is_waiting()
        && match event {
            InputEvent::Line(line) => !game.is_urgent(line) && !game.is_urgent_on_server(line),
            InputEvent::Ended => game.owes_answer() || !game.awaits_people(),
            InputEvent::LineTooLong
            | InputEvent::Background(_)
            | InputEvent::TimedOut
            | InputEvent::Failed(_) => false,
        }
}

/// The prompt of the line editor. All its texts have the same width, so that it can change while the user types.
fn editor_prompt(prompt: Option<Prompt>) -> String {
    let wait = "Wait, or enter command: ".to_owned();
    format!(
        "{:PROMPT_WIDTH$}",
        prompt.map_or(wait, |prompt| prompt.text)
    )
}

/// How many games of a file are counted when it is opened, so that a large one does not delay it.
const MAX_GAMES_IN_HINT: usize = 1000;

/// How many games of a file are counted for the question whether to replace it.
const MAX_GAMES_COUNTED: usize = 2_000_000;

/// The width of the longest prompt, that for a move.
const PROMPT_WIDTH: usize = "White's turn. Enter move: ".len();
