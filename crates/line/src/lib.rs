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

use game::{Ask, FileOutput, LineEffect, LineGame, LineSaveEffect, TextForm, saves};
use input::{Input, News, NewsSender, Taken};
use screen::Screen;
use tabiya_front::explorer::{ExplorerQuery, Library};
use tabiya_front::failure::Failure;
use tabiya_front::matches::{self, MatchError, MatchOrder, Report};
use tabiya_front::setup::{First, SAVE_AGAIN, Setup, is_interactive};
use tabiya_front::wording::{Reply, resume_command};
use tabiya_front::{config, game_file, saved};
use tabiya_game::Timestamp;
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
    let chance = SplitMix64::new(setup.random.next_u64());
    let settings = &setup.config.settings;
    let screen = Screen::new(form, setup.color);
    let (input, news) = Input::new(&screen)?;
    let engine_news = news.clone();
    let heard = move |seat, event| {
        engine_news.send(News::EngineEvent(seat, event));
    };
    let study_news = news.clone();
    let studied = move |report| study_news.send(News::Studied(report));
    let mut opponents = Opponents::new(setup.players);
    opponents.set_manners(settings.manners.into());
    opponents.set_person_name(settings.player());
    opponents.set_known_engines(setup.engines.clone());
    let mut line_loop = LineLoop {
        screen,
        input,
        thinker: StudyWorker::new(setup.engines.clone(), Arc::new(studied)),
        engines: setup.engines.clone(),
        contest: None,
        library: Arc::default(),
        news,
        players: RunningEngines::new(setup.engines, chance, Arc::new(heard)),
        game: LineGame::new(setup.random, opponents),
        autosaver: setup.autosaver,
        released: None,
        above: String::new(),
        begun: Instant::now(),
        stalled: Duration::ZERO,
        announces_flags: false,
        server: setup.server,
    };
    if let Some(server) = &mut line_loop.server {
        server.listen(line_loop.input.server_listener(line_loop.news.clone()));
    }
    line_loop.players.set_book(setup.book);
    line_loop.game.configure(settings, is_interactive());
    line_loop
        .game
        .set_saves_changes(line_loop.autosaver.saves_changes());
    if let Some(greeting) = line_loop.screen.greeting() {
        line_loop.print(&format!("{greeting}\n"))?;
    }
    let now = line_loop.now();
    let (mut effects, is_new) = match setup.first {
        First::Resumed(save, _) => (line_loop.game.resume_game(&save, now), false),
        First::Joined(joined) => (line_loop.game.join(*joined, now), false),
        First::Home
        | First::Board
        | First::Save(..)
        | First::File(_)
        | First::Position(_)
        | First::Train(_) => (line_loop.game.begin(setup.game, now), true),
    };
    let introduced = line_loop
        .screen
        .greeting()
        .and(line_loop.game.introduction(is_new));
    effects.splice(0..0, introduced);
    line_loop.play(effects)
}

/// The loop of the line mode: the game, and everything that acts for it.
struct LineLoop {
    screen: Screen,
    input: Input,
    players: RunningEngines,
    /// The engine that judges games.
    thinker: StudyWorker,
    engines: KnownEngines,
    /// The running match.
    contest: Option<Contest>,
    /// The databases.
    library: Arc<Mutex<Library>>,
    /// Sends the loop everything that is not typed.
    news: NewsSender,
    game: LineGame,
    autosaver: Autosaver,
    /// The save of the last game on the board.
    released: Option<Released>,
    /// What is to be printed above the line being typed.
    above: String,
    begun: Instant,
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
        let played = self.begun.elapsed().saturating_sub(self.stalled);
        Timestamp::from_millis(played.as_millis() as u64)
    }

    fn play(&mut self, mut effects: Vec<LineEffect>) -> Result<(), Failure> {
        let mut asks = true;
        loop {
            if self.input.is_typing() {
                // The line was begun while an engine was thinking, so the prompt and the moves to complete have
                // changed.
                let prompt = prompt(self.game.ask(self.now()));
                self.input.update_line(&prompt, self.game.moves());
            }
            if self.perform(effects)?.is_break() {
                self.print_above();
                return self.screen.finish();
            }
            if asks {
                self.ask()?;
            }
            self.print_above();
            let taken = self.take()?;
            let quiet = matches!(taken, Taken::News(_));
            let waited = self.game.is_waiting();
            effects = self.answer(taken)?;
            // Players may have arrived, or a server may have answered, without anything to print.
            let goes_on = waited && !self.game.is_waiting();
            asks = !quiet || !effects.is_empty() || goes_on;
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
            LineEffect::Leave => {
                if let Some(game) = self.clock_to_save() {
                    self.say_notice(|autosaver| autosaver.save(&game))?;
                }
                return self.perform_save(LineSaveEffect::Release { is_whole: true });
            }
            LineEffect::Say(Reply::Goodbye) => {
                self.say_where_it_is()?;
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
                let reply = self.game.was_written(output.form, written);
                self.say(&reply)?;
            }
            LineEffect::PutBack(output, extent) => {
                let done = game_file::put_back(&output.path, extent, &output.text);
                let reply = self.game.put_back(done);
                self.say(&reply)?;
            }
            LineEffect::Open(path) => {
                let path = paths::from_home(&path);
                let opened = game_file::open_at(&path, 0);
                let others = opened.is_ok().then(|| self.other_games(&path)).flatten();
                let mut effects = self.game.open(path, opened, self.now());
                effects.extend(others);
                return Ok(effects);
            }
            LineEffect::Order(order) => {
                if let Some((seat, failure)) = self.players.carry_out(order) {
                    self.news.send(News::EngineEvent(seat, failure));
                }
            }
            LineEffect::Study(task) => self.thinker.begin(*task),
            LineEffect::Server(request, ply) => {
                if let Some(server) = &mut self.server {
                    server.ask(request, ply);
                }
            }
            LineEffect::Match(order) => {
                let started = self.start_match(*order);
                return Ok(self.game.match_started(started));
            }
            LineEffect::Remember(level) => {
                let number = level.number().to_string();
                if let Err(error) = config::file::write_setting("game.level", &number) {
                    self.say(&Reply::refusal("setting", error.to_string()))?;
                }
            }
            LineEffect::Explore(query) => self.explore(query),
            LineEffect::Save(effect) => {
                let begun = Instant::now();
                let more = self.perform_save(effect)?;
                self.stalled += begun.elapsed();
                return Ok(more);
            }
        }
        Ok(Vec::new())
    }

    /// Tells a person that a file has more games than the one that is opened.
    fn other_games(&self, path: &Path) -> Option<LineEffect> {
        if !self.game.asks {
            return None;
        }
        let games = match game_file::count(path, MAX_GAMES_TOLD).ok()? {
            0 | 1 => return None,
            MAX_GAMES_TOLD => format!("{MAX_GAMES_TOLD} games or more"),
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
        let (library, news) = (Arc::clone(&self.library), self.news.clone());
        threads::spawn_or_run(move || {
            let mut library = library.lock().unwrap_or_else(PoisonError::into_inner);
            news.send(News::Explored(Box::new(library.answer(&query))));
        });
    }

    /// Starts a match whose events arrive as news.
    fn start_match(&mut self, order: MatchOrder) -> Result<Report, MatchError> {
        let plan = matches::plan(order, &self.engines)?;
        let report = Report::new(&plan);
        let news = self.news.clone();
        let contest = Contest::start(plan, move |event| {
            news.send(News::Match(Box::new(event)));
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
                self.game.was_written(output.form, written)
            }
        };
        self.say(&reply)
    }

    /// Performs an effect about saves. Returns the effects that follow.
    fn perform_save(&mut self, effect: LineSaveEffect) -> Result<Vec<LineEffect>, Failure> {
        let autosaver = &mut self.autosaver;
        if let LineSaveEffect::Load(name) = &effect
            && !self.game.asks
            && let Some(untrusted) = saved::untrusted_engine(autosaver, name, &self.engines)
        {
            self.say(&Reply::refusal("engine", untrusted.refusal()))?;
            return Ok(Vec::new());
        }
        let said = match effect {
            LineSaveEffect::Autosave(game) => autosaver.save(&game).map(|remark| {
                self.game
                    .set_unsaved(!matches!(remark, SaveNotice::Remark(_)));
                saves::remark(remark)
            }),
            LineSaveEffect::Release { is_whole } => {
                let name = autosaver.name().cloned();
                self.released = name.map(|name| Released { name, is_whole });
                autosaver.release().map(saves::remark)
            }
            LineSaveEffect::Save(name, game) => {
                let saved = autosaver.save_as(name.as_ref(), &game);
                Some(self.game.was_saved(saved))
            }
            LineSaveEffect::SaveCopy(name, game) => {
                let saved = autosaver.save_copy(&name, &game);
                Some(self.game.was_saved(saved))
            }
            LineSaveEffect::SaveJudgment(name, game) => {
                // A game without a save is not saved for its judgment.
                let released = || self.released.as_ref().map(|save| save.name.clone());
                let name = name.or_else(released);
                let done = name.map(|name| autosaver.save_over(&name, &game));
                let failed = done.and_then(Result::err);
                failed.map(|error| Reply::refusal("save", error.to_string()))
            }
            LineSaveEffect::List => Some(saves::list(autosaver)),
            LineSaveEffect::AskToDelete(name) => Some(match autosaver.can_delete(&name) {
                Ok(()) => self.game.ask_to_delete(name),
                Err(error) => Reply::refusal("save", error.to_string()),
            }),
            LineSaveEffect::Delete(name) => Some(saves::done("delete", autosaver.delete(&name))),
            LineSaveEffect::Review(name) => {
                let looked = autosaver.look(&name);
                let now = self.now();
                return Ok(self.game.open_save(name, looked, now));
            }
            LineSaveEffect::Load(name) => match autosaver.open(&name) {
                Ok(game) => {
                    let now = self.now();
                    self.game.set_saves_changes(self.autosaver.saves_changes());
                    return Ok(self.game.resume_game(&game, now));
                }
                Err(error) => Some(Reply::refusal("save", error.to_string())),
            },
        };
        self.game.set_saves_changes(self.autosaver.saves_changes());
        if let Some(reply) = said {
            self.say(&reply)?;
        }
        Ok(Vec::new())
    }

    /// Says where the game is saved, if all of it is, when the user leaves it.
    fn say_where_it_is(&mut self) -> Result<(), Failure> {
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
            self.above += &anstream::adapter::strip_str(text).to_string();
            return Ok(());
        }
        self.screen.print(text)
    }

    fn print_above(&mut self) {
        let text = std::mem::take(&mut self.above);
        if !text.is_empty() {
            self.input.print_above(text.trim_end_matches('\n'));
        }
    }

    fn ask(&mut self) -> Result<(), Failure> {
        let ask = self.game.ask(self.now());
        let text = ask.map_or(String::new(), |ask| self.screen.prompt_text(&ask));
        self.print(&text)
    }

    /// The next event that can be handled now.
    fn take(&mut self) -> Result<Taken, Failure> {
        loop {
            let game = &self.game;
            if let Some(held) = self.input.held.take_if(|held| !is_early(held, game)) {
                return Ok(held);
            }
            let now = self.now();
            let waits = self.announces_flags || self.game.is_thinking();
            let flag = self.game.flag_in(now).filter(|_| waits);
            let clock = (self.saves_clock() && self.game.runs_clock(now)).then_some(CLOCK_INTERVAL);
            let again = self.autosaver.has_failed().then_some(SAVE_AGAIN);
            let patience = flag.into_iter().chain(clock.or(again)).min();
            let prompt = prompt(self.game.ask(now));
            let (game, autosaver) = (&self.game, &self.autosaver);
            let words = || (game.moves(), autosaver.store().ok().cloned());
            let mut taken = self.input.take(&prompt, words, patience);
            if matches!(taken, Taken::TooLate) && patience != flag {
                match self.clock_to_save() {
                    Some(game) => {
                        self.say_notice(|autosaver| autosaver.save_clock(&game))?;
                        continue;
                    }
                    None => taken = Taken::News(News::SaveAgain),
                }
            }
            if !(self.input.is_pipe() && is_early(&taken, &self.game)) {
                return Ok(taken);
            }
            self.input.held = Some(taken);
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

    /// Saves something while the clocks stand, and prints what there is to say about it.
    fn say_notice(
        &mut self,
        save: impl FnOnce(&mut Autosaver) -> Option<SaveNotice>,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        let notice = save(&mut self.autosaver);
        self.stalled += begun.elapsed();
        if let Some(notice) = notice {
            self.game
                .set_unsaved(!matches!(notice, SaveNotice::Remark(_)));
            self.say(&saves::remark(notice))?;
            self.print_above();
        }
        Ok(())
    }

    fn answer(&mut self, taken: Taken) -> Result<Vec<LineEffect>, Failure> {
        if !matches!(taken, Taken::News(_)) {
            self.screen.end_prompt_line()?;
        }
        let now = self.now();
        Ok(match taken {
            Taken::Line(line) => {
                self.announces_flags = true;
                self.game.submit(&line, now)
            }
            Taken::News(News::EngineEvent(seat, event)) => {
                self.game.handle_engine_event(seat, event, now)
            }
            Taken::News(News::Studied(report)) => self.game.handle_study_report(report, now),
            Taken::News(News::Explored(found)) => self.game.explored(*found),
            Taken::News(News::Server(event)) => self.game.handle_server_event(*event, now),
            Taken::News(News::SaveAgain) => {
                let notice = self.autosaver.save_again();
                if matches!(notice, Some(SaveNotice::Remark(_))) {
                    self.game.set_unsaved(false);
                }
                let said = notice.map(|notice| LineEffect::Say(saves::remark(notice)));
                said.into_iter().collect()
            }
            Taken::News(News::Match(event)) => {
                if matches!(*event, contest::Event::Over(_)) {
                    self.contest = None;
                }
                self.game.match_event(*event)
            }
            Taken::TooLate => {
                self.announces_flags = false;
                let effects = self.game.tick(now);
                // A line that was begun belonged to the game that has ended.
                let is_begun = self.input.is_pipe() || self.input.is_line_begun();
                if !effects.is_empty() && is_begun {
                    self.game.is_late = true;
                }
                effects
            }
            Taken::TooLong => vec![LineEffect::Say(Reply::refusal(
                "too_long",
                input::too_long(),
            ))],
            Taken::End => self.game.input_ended(self.now()),
            Taken::Broken(error) => return Err(Failure::system("stdin", &error)),
        })
    }
}

/// Whether what came from a pipe has to wait for the next prompt.
fn is_early(taken: &Taken, game: &LineGame) -> bool {
    game.is_waiting()
        && match taken {
            Taken::Line(line) => !game.is_urgent(line) && !game.is_for_others(line),
            Taken::End => game.owes_answer() || !game.awaits_people(),
            Taken::TooLong | Taken::News(_) | Taken::TooLate | Taken::Broken(_) => false,
        }
}

/// The prompt of the line editor. All its texts have the same width, so that it can change while the user types.
fn prompt(ask: Option<Ask>) -> String {
    let wait = "Wait, or enter command: ".to_owned();
    format!("{:WIDTH$}", ask.map_or(wait, |ask| ask.prompt))
}

/// How many games of a file are counted when it is opened, so that a large one does not delay it.
const MAX_GAMES_TOLD: usize = 1000;

/// How many games of a file are counted for the question whether to replace it.
const MAX_GAMES_COUNTED: usize = 2_000_000;

/// The width of the prompt for a move.
const WIDTH: usize = "White's turn. Enter move: ".len();
