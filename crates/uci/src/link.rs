//! A typed channel to an engine: one search at a time, a deadline on everything, and every move checked.
//!
//! The owner of an [`Engine`] calls it from one thread, which may block; other threads hold an [`EngineHandle`].
//! Before each search the engine is asked whether it is ready, so that leftover output of the last search is discarded.
//! A failure ends the process and its whole group before it is reported; after that, every call returns the same
//! failure.

mod error;
mod search;
mod watch;
mod worker;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_rules::{CastlingMode, Move, MoveHistory};

pub use error::{EngineError, ExitNote, Phase};
pub use search::{Notice, SearchEvent, SearchInfo};
pub use watch::Overrun;
pub use worker::{Worker, WorkerEvent};

use crate::command::{Go, PositionCommand, UciCommand};
use crate::option::{OptionDeclaration, SetOption};
use crate::process::{End, EngineCommand, Inbox, LinkRequest, Process, Waited, start_problem};
use crate::reply::{BestMove, Reply};
use search::Search;

/// The most options that an engine may declare.
const MAX_OPTIONS: usize = 1000;
/// The most notices kept for the caller.
const MAX_NOTICES: usize = 64;
/// How long an engine that closed a pipe may take to exit, so that its exit status can be reported.
const EXIT_GRACE: Duration = Duration::from_millis(300);
/// How often a silent engine is checked: it may have exited while one of its children holds the pipe.
const LIVENESS_INTERVAL: Duration = Duration::from_millis(50);

/// How long an engine may take.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci::Deadlines;
///
/// let patient = Deadlines::new().with_handshake(Duration::from_secs(60));
/// assert_eq!(patient.ready, Deadlines::default().ready);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Deadlines {
    /// From the start to `uciok`.
    pub handshake: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// How long a search may exceed its time before it is told to stop.
    pub overtime: Duration,
    /// From the last report of a search without a time limit until it is told to stop; longer if it has been searching
    /// for long.
    pub silence: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the exit of the process; after that it gets a signal to terminate.
    pub quit: Duration,
    /// From that signal to the exit of the process; after that it is killed.
    pub terminate: Duration,
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines {
            handshake: Duration::from_secs(10),
            ready: Duration::from_secs(5),
            overtime: Duration::from_secs(2),
            silence: Duration::from_secs(60),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(2),
            terminate: Duration::from_secs(1),
        }
    }
}

crate::setters!(Deadlines {
    /// Sets the time from the start to `uciok`.
    with_handshake(handshake: Duration);
    /// Sets the time from `isready` to `readyok`.
    with_ready(ready: Duration);
    /// Sets how long a search may exceed its time.
    with_overtime(overtime: Duration);
    /// Sets how long a search without a time limit may be silent.
    with_silence(silence: Duration);
    /// Sets the time from `stop` to `bestmove`.
    with_stop(stop: Duration);
    /// Sets the time from `quit` to the exit.
    with_quit(quit: Duration);
    /// Sets the time from the signal to terminate to the exit.
    with_terminate(terminate: Duration);
});

impl Deadlines {
    /// Creates deadlines that suit most engines: a few seconds each, so that a program that is not an engine is
    /// noticed soon.
    #[must_use]
    pub fn new() -> Deadlines {
        Deadlines::default()
    }
}

/// An engine in its own process. Dropping it kills it; [`Engine::quit`] asks it to exit first.
///
/// ```no_run
/// use std::time::Duration;
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{Deadlines, Engine, EngineCommand, Go};
///
/// let mut engine = Engine::start(&EngineCommand::new("stockfish"), Deadlines::default())?;
/// let go = Go::new().with_move_time(Duration::from_millis(100));
/// let reply = engine.think(&MoveHistory::default(), go, |info| println!("{:?}", info.info.score))?;
/// println!("{} plays {:?}", engine.name(), reply.best);
/// engine.quit();
/// # Ok::<(), tabiya_uci::EngineError>(())
/// ```
#[doc(alias = "stockfish")]
#[doc(alias = "SimpleEngine")]
#[derive(Debug)]
pub struct Engine {
    process: Process,
    deadlines: Deadlines,
    name: Option<String>,
    author: Option<String>,
    options: Vec<OptionDeclaration>,
    /// The castling mode that the engine was told last.
    mode: CastlingMode,
    search: Option<Search>,
    notices: VecDeque<Notice>,
    failure: Option<EngineError>,
}

/// A handle to stop or kill an engine from another thread.
///
/// ```no_run
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{Deadlines, Engine, EngineCommand, Go};
///
/// let mut engine = Engine::start(&EngineCommand::new("stockfish"), Deadlines::default())?;
/// let handle = engine.handle();
/// std::thread::spawn(move || {
///     std::thread::sleep(std::time::Duration::from_secs(1));
///     handle.stop();
/// });
/// let best = engine.think(&MoveHistory::default(), Go::infinite(), |_| {})?;
/// # Ok::<(), tabiya_uci::EngineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EngineHandle(Arc<Inbox>);

impl EngineHandle {
    /// Stops the search; the engine answers with its best move so far. Does nothing if there is no search.
    pub fn stop(&self) {
        self.0.request(LinkRequest::Stop);
    }

    /// Tells the engine that the expected move was played. Does nothing if it is not pondering.
    pub fn ponder_hit(&self) {
        self.0.request(LinkRequest::PonderHit);
    }

    /// Kills the engine; a thread that waits for it gets [`EngineError::Aborted`].
    pub fn abort(&self) {
        self.0.request(LinkRequest::Abort);
    }

    /// Wakes the waiting thread, which handles this before the next event.
    pub(super) fn wake(&self) {
        self.0.request(LinkRequest::Wake);
    }
}

/// How long to wait for an event where the caller would only wait again.
const EVENT_WAIT: Duration = Duration::from_secs(1);

impl Engine {
    /// Starts an engine, performs the handshake, sets the command's options, and waits until it is ready.
    ///
    /// # Errors
    /// Fails if it cannot be started, does not speak the protocol in time, or does not have the options.
    pub fn start(command: &EngineCommand, deadlines: Deadlines) -> Result<Engine, EngineError> {
        Engine::start_with(command, deadlines, |_| {})
    }

    /// Like [`Engine::start`], but hands out an [`EngineHandle`] first, so that starting can be aborted.
    ///
    /// # Errors
    /// Fails if it cannot be started, does not speak the protocol in time, or does not have the options.
    pub fn start_with(
        command: &EngineCommand,
        deadlines: Deadlines,
        started: impl FnOnce(EngineHandle),
    ) -> Result<Engine, EngineError> {
        let process = Process::start(command).map_err(|error| EngineError::Start {
            program: command.program.clone(),
            problem: start_problem(&command.program, &error),
        })?;
        let mut engine = Engine {
            process,
            deadlines,
            name: None,
            author: None,
            options: Vec::new(),
            mode: CastlingMode::Standard,
            search: None,
            notices: VecDeque::new(),
            failure: None,
        };
        started(engine.handle());
        engine.introduce()?;
        for option in &command.options {
            engine.set_option(option)?;
        }
        engine.ready()?;
        Ok(engine)
    }

    /// Returns the name of the engine; "engine" if it gave none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("engine")
    }

    /// Returns the author of the engine.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// Returns the options that the engine declared.
    #[must_use]
    pub fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// Returns the option with this name, ignoring case.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// Returns the ID of its process, which is also that of its process group.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Returns a handle to stop or kill the engine from other threads.
    #[must_use]
    pub fn handle(&self) -> EngineHandle {
        EngineHandle(Arc::clone(self.process.inbox()))
    }

    /// Returns whether it is searching.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Sets an option that the engine declared to a valid value. Only between searches.
    ///
    /// # Errors
    /// Fails if there is no such option, the value is not valid, the engine is searching, or it has failed.
    pub fn set_option(&mut self, option: &SetOption) -> Result<(), EngineError> {
        self.ensure_idle()?;
        let Some(declared) = self.option(&option.name) else {
            return Err(EngineError::NoSuchOption {
                name: option.name.clone(),
            });
        };
        let value = declared
            .check(option.value.as_deref())
            .map_err(EngineError::Option)?;
        let mode = match (&value, declared.is_named("UCI_Chess960")) {
            (crate::OptionValue::Check(true), true) => CastlingMode::Chess960,
            (crate::OptionValue::Check(false), true) => CastlingMode::Standard,
            _ => self.mode,
        };
        let text = value.to_string();
        let name = declared.name.clone();
        let value = (value != crate::OptionValue::Button).then_some(text);
        self.send(&UciCommand::SetOption(SetOption { name, value }))?;
        self.mode = mode;
        Ok(())
    }

    /// Tells the engine that another game follows, and waits until it is ready.
    ///
    /// # Errors
    /// Fails if it is searching, has failed, or is not ready in time.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.ensure_idle()?;
        self.send(&UciCommand::NewGame)?;
        self.ready()
    }

    /// Waits until the engine has carried out every command so far (`isready`). Its output meanwhile is ignored.
    ///
    /// # Errors
    /// Fails if it is searching, has failed, or is not ready in time.
    pub fn ready(&mut self) -> Result<(), EngineError> {
        self.ensure_idle()?;
        self.send(&UciCommand::IsReady)?;
        let until = Instant::now() + self.deadlines.ready;
        loop {
            match self.receive(Phase::Ready, until, self.deadlines.ready)? {
                Reply::ReadyOk => return Ok(()),
                reply => self.handle_unasked_reply(&reply),
            }
        }
    }

    /// Starts a search. The engine gets the whole game, so that it knows about repetitions.
    ///
    /// # Errors
    /// Fails if it is searching, has failed, is not ready in time, or does not support Chess960 and the position needs
    /// it.
    pub fn go(&mut self, game: &MoveHistory, go: Go) -> Result<(), EngineError> {
        self.ensure_idle()?;
        self.set_mode(game.current().castling_mode())?;
        self.send(&UciCommand::Position(PositionCommand::from(game)))?;
        self.ready()?;
        self.process.inbox().drop_search_requests();
        let search = Search::new(*game.current(), &go, &self.deadlines, self.process.inbox());
        self.send(&UciCommand::Go(Box::new(go)))?;
        self.search = Some(search);
        Ok(())
    }

    /// Tells the engine how castling is written, if that has changed.
    fn set_mode(&mut self, mode: CastlingMode) -> Result<(), EngineError> {
        if mode == self.mode {
            return Ok(());
        }
        let option = SetOption {
            name: "UCI_Chess960".into(),
            value: Some((mode == CastlingMode::Chess960).to_string()),
        };
        match self.set_option(&option) {
            Err(EngineError::NoSuchOption { .. }) => Err(EngineError::NoChess960),
            result => result,
        }
    }

    /// Searches until there is a move, and hands out the reports meanwhile.
    ///
    /// # Errors
    /// Same as [`Engine::go`] and [`Engine::next_event`].
    pub fn think(
        &mut self,
        game: &MoveHistory,
        go: Go,
        mut report: impl FnMut(&SearchInfo),
    ) -> Result<BestMove, EngineError> {
        self.go(game, go)?;
        loop {
            match self.next_event(EVENT_WAIT)? {
                Some(SearchEvent::BestMove(reply)) => return Ok(reply),
                Some(SearchEvent::Info(info)) => report(&info),
                Some(SearchEvent::Notice(_)) | None => {}
            }
        }
    }

    /// Tells the engine to stop; the best move comes as an event. Does nothing without a search.
    ///
    /// # Errors
    /// Fails if it has failed.
    pub fn stop(&mut self) -> Result<(), EngineError> {
        let limit = self.deadlines.stop;
        match &mut self.search {
            Some(search) if search.must_answer_at.is_none() => {
                search.stop(limit);
                self.send(&UciCommand::Stop)
            }
            _ => Ok(()),
        }
    }

    /// Tells the engine that the expected move was played. Does nothing if it is not pondering.
    ///
    /// # Errors
    /// Fails if it has failed.
    pub fn ponder_hit(&mut self) -> Result<(), EngineError> {
        match &mut self.search {
            Some(search) if search.is_pondering() => {
                search.ponder_hit();
                self.send(&UciCommand::PonderHit)
            }
            _ => Ok(()),
        }
    }

    /// Waits for the next event; `None` after `limit`. Deadlines are checked here, so call this until the move
    /// arrives.
    ///
    /// # Errors
    /// Fails if the engine has exited, is silent, floods its output, or answers with an illegal move. It is then gone.
    pub fn next_event(&mut self, limit: Duration) -> Result<Option<SearchEvent>, EngineError> {
        let until = Instant::now() + limit;
        loop {
            self.ensure_alive()?;
            if let Some(notice) = self.notices.pop_front() {
                return Ok(Some(SearchEvent::Notice(notice)));
            }
            if let Some(reply) = self.search.as_mut().and_then(Search::take_early) {
                self.search = None;
                return Ok(Some(SearchEvent::BestMove(reply)));
            }
            let now = Instant::now();
            self.enforce_deadlines(now)?;
            let next = self.search.as_ref().and_then(Search::next_deadline);
            let wake = next
                .unwrap_or(until)
                .min(until)
                .min(now + LIVENESS_INTERVAL);
            match self.process.inbox().wait(wake) {
                Waited::Reply(reply) => {
                    if let Some(event) = self.handle_reply(reply)? {
                        return Ok(Some(event));
                    }
                }
                Waited::Request(LinkRequest::Stop) => self.stop()?,
                Waited::Request(LinkRequest::PonderHit) => self.ponder_hit()?,
                Waited::Request(LinkRequest::Abort) => return Err(self.fail(EngineError::Aborted)),
                Waited::Request(LinkRequest::Wake) => return Ok(None),
                Waited::Ended(end) => return Err(self.closed_error(end, self.phase())),
                Waited::TimedOut if self.process.has_ended() => {
                    return Err(self.closed_error(End::OutputClosed, self.phase()));
                }
                Waited::TimedOut => {}
            }
            if Instant::now() >= until && self.notices.is_empty() {
                return Ok(None);
            }
        }
    }

    /// Sends any command verbatim. The engine's state is not tracked, so use this only for what the other methods do
    /// not cover.
    ///
    /// # Errors
    /// Fails if it has failed, or does not read what it is sent.
    pub fn send(&mut self, command: &UciCommand) -> Result<(), EngineError> {
        self.ensure_alive()?;
        match self.process.outbox().send(&command.to_string()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.fail(EngineError::NotReading)),
        }
    }

    /// Asks the engine to exit, then sends a signal, then kills it. Its whole process group is gone afterwards.
    pub fn quit(mut self) -> ExitNote {
        // An engine that accepts no more commands is not asked.
        let _ = self.process.outbox().send(&UciCommand::Quit.to_string());
        self.process.outbox().close();
        let asked = self.process.wait_for_end(self.deadlines.quit);
        if !asked {
            self.process.terminate();
            if !self.process.wait_for_end(self.deadlines.terminate) {
                self.process.kill();
                return ExitNote::Killed;
            }
        }
        let status = self.process.kill();
        if asked {
            ExitNote::of(status)
        } else {
            ExitNote::Terminated
        }
    }

    /// Sends `uci`, and collects what the engine says about itself up to `uciok`.
    fn introduce(&mut self) -> Result<(), EngineError> {
        self.send(&UciCommand::Uci)?;
        let until = Instant::now() + self.deadlines.handshake;
        loop {
            let reply = self.receive(Phase::Handshake, until, self.deadlines.handshake);
            if self.process.inbox().is_binary() {
                return Err(self.fail(EngineError::NotText));
            }
            match reply? {
                Reply::UciOk => return Ok(()),
                Reply::Name(name) => self.name = Some(name),
                Reply::Author(author) => self.author = Some(author),
                Reply::Option(_) if self.options.len() >= MAX_OPTIONS => {
                    return Err(self.fail(EngineError::Flood));
                }
                Reply::Option(option) => self.options.push(option),
                _ => {}
            }
        }
    }

    /// Waits for the next reply outside a search.
    fn receive(
        &mut self,
        phase: Phase,
        until: Instant,
        limit: Duration,
    ) -> Result<Reply, EngineError> {
        loop {
            self.ensure_alive()?;
            let now = Instant::now();
            if now >= until {
                return Err(self.fail(EngineError::Silent { phase, limit }));
            }
            match self
                .process
                .inbox()
                .wait(until.min(now + LIVENESS_INTERVAL))
            {
                Waited::Reply(reply) => return Ok(reply),
                Waited::Request(LinkRequest::Abort) => return Err(self.fail(EngineError::Aborted)),
                Waited::Request(_) => {}
                Waited::Ended(end) => return Err(self.closed_error(end, phase)),
                Waited::TimedOut if self.process.has_ended() => {
                    return Err(self.closed_error(End::OutputClosed, phase));
                }
                Waited::TimedOut => {}
            }
        }
    }

    /// What the engine is doing, for errors.
    fn phase(&self) -> Phase {
        match self.search {
            Some(_) => Phase::Search,
            None => Phase::Idle,
        }
    }

    /// Ends an engine whose pipe is closed or useless, and returns the error.
    fn closed_error(&mut self, end: End, phase: Phase) -> EngineError {
        let error = match end {
            End::LineTooLong => EngineError::LineTooLong,
            End::Flood => EngineError::Flood,
            End::OutputClosed | End::InputClosed => {
                if self.process.wait_for_end(EXIT_GRACE) {
                    let status = self.process.kill();
                    EngineError::Ended {
                        phase,
                        exit: ExitNote::of(status),
                        last_words: self.process.last_error_line(),
                    }
                } else if end == End::OutputClosed {
                    EngineError::OutputClosed { phase }
                } else {
                    EngineError::InputClosed { phase }
                }
            }
        };
        self.fail(error)
    }

    /// Ends the engine for good because of an error, and returns it; after an earlier error, that one.
    fn fail(&mut self, error: EngineError) -> EngineError {
        self.process.kill();
        self.search = None;
        self.failure.get_or_insert(error).clone()
    }

    /// Fails if the engine has failed before.
    fn ensure_alive(&self) -> Result<(), EngineError> {
        match &self.failure {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Fails if the engine is searching, or has failed before.
    fn ensure_idle(&self) -> Result<(), EngineError> {
        self.ensure_alive()?;
        match self.search {
            Some(_) => Err(EngineError::Busy),
            None => Ok(()),
        }
    }

    /// Adds a notice to be handed out as an event, unless too many wait.
    fn add_notice(&mut self, notice: Notice) {
        if self.notices.len() < MAX_NOTICES {
            self.notices.push_back(notice);
        }
    }

    /// Handles a reply that nothing waits for. A move is not played, but it is reported.
    fn handle_unasked_reply(&mut self, reply: &Reply) {
        if matches!(reply, Reply::BestMove(_) | Reply::BadBestMove(_)) {
            self.add_notice(Notice::UnaskedBestMove(reply.to_string()));
        }
    }

    /// Returns the move that the engine would like to ponder on, if it is legal. It is only a suggestion.
    fn legal_ponder(
        search: &Search,
        best: Move,
        ponder: Option<tabiya_rules::UciMove>,
    ) -> Option<Move> {
        let after = search.position.play_unchecked(best);
        after.resolve_uci(ponder?).ok()
    }
}

#[cfg(test)]
mod tests;
