//! The UCI server: it handles commands while it searches.
//!
//! There are four threads: the reader, the server, the worker, which searches, and the writer; on stdin and stdout,
//! others wait for a closed output and for the end. The server never waits for a running search, so that it can handle a
//! command at any time; it only waits a moment for a search that is ending, and before `readyok` for memory that an option asked
//! for. Each `go` leads to exactly one `bestmove`, sent by the worker, or by the server when the search is stopped. The
//! thread that called [`serve`] only waits for the end: when the input ends, the others get a moment to finish and are
//! then left behind, because one of them may be stuck writing to a full pipe. Only
//! `go perft` and `bench` run to their end first, as long as the output is open.

mod input;
mod job;
mod output;
mod responder;
mod worker;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tabiya_rules::MoveHistory;
use tabiya_uci::{
    DebugMode, Go, Info, PositionCommand, Reply, Skipped, UciCommand, wait_until_closed,
};

pub use output::SharedBuffer;

use crate::options::{SetOptionEffect, Settings};
use crate::perft;
use crate::searcher::{Control, Request, Searcher};
use crate::threads::{LOW_MEMORY, ThreadSpawner};
use crate::time::{Budget, SearchTime};
use input::{Event, EventReceiver, EventSender, event_channel, read_commands};
use job::{Job, SearchJob};
use output::Output;
use responder::Responder;
use worker::{Preparation, Worker};

/// How long `stop` waits for a search that has no move yet, before one is chosen without it.
const STOP_PATIENCE: Duration = Duration::from_millis(10);
/// How long the server waits for a job that is about to end: a search that was stopped or has sent its move, or a short
/// count before `quit`.
const ENDING_PATIENCE: Duration = Duration::from_millis(250);
/// The least time for writing the last lines.
const MIN_FLUSH_TIME: Duration = Duration::from_millis(50);
/// How often perft and bench check, after the input has ended, whether the output is still open.
const COUNT_POLL: Duration = Duration::from_millis(20);
/// How long the server may take to end after its input: it may be stuck writing to a full pipe.
const SERVER_GRACE: Duration = Duration::from_millis(350);

/// What the thread that called [`serve`] waits for.
enum Ended {
    Server,
    /// The input, or the program was told to end: the server is about to end too.
    Input,
    /// The input, but the server first finishes a count.
    InputBeforeCount,
}

/// Serves an interface until it sends `quit`, its input ends, or its output is closed.
///
/// Threads that are then stuck in the reader or the writer are left behind.
///
/// # Errors
/// A thread cannot be created.
pub fn serve(
    reader: impl Read + Send + 'static,
    writer: impl Write + Send + 'static,
    searcher: impl Searcher,
) -> io::Result<()> {
    Channels::new().serve(reader, writer, Box::new(searcher))
}

/// Serves on stdin and stdout. A closed output is noticed even while nothing is written.
///
/// # Errors
/// A thread cannot be created.
pub fn serve_stdio(searcher: impl Searcher) -> io::Result<()> {
    Channels::new().serve_stdio(Box::new(searcher))
}

/// Like [`serve_stdio`], and also ends when `wait_for_end` returns, which runs in a thread of its own. It may wait for a
/// signal, for example.
///
/// # Errors
/// A thread cannot be created.
pub fn serve_stdio_until(
    searcher: impl Searcher,
    wait_for_end: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let mut channels = Channels::new();
    let (end_sender, events) = (channels.end_sender.clone(), channels.events.clone());
    channels.spawner.spawn(move || {
        wait_for_end();
        // The server may have ended.
        let _ = end_sender.send(Ended::Input);
        events.send(Event::Terminated);
    })?;
    channels.serve_stdio(Box::new(searcher))
}

/// The channels between the threads.
struct Channels {
    spawner: ThreadSpawner,
    events: EventSender,
    inbox: EventReceiver,
    end_sender: Sender<Ended>,
    end_receiver: Receiver<Ended>,
}

impl Channels {
    fn new() -> Channels {
        let (events, inbox) = event_channel();
        let (end_sender, end_receiver) = channel();
        Channels {
            spawner: ThreadSpawner::new(),
            events,
            inbox,
            end_sender,
            end_receiver,
        }
    }

    /// Serves on stdin and stdout, and notices a closed output.
    fn serve_stdio(mut self, searcher: Box<dyn Searcher>) -> io::Result<()> {
        let closing = self.events.clone();
        self.spawner.spawn(move || {
            if wait_until_closed(io::stdout()).is_ok() {
                closing.send(Event::OutputClosed);
            }
        })?;
        self.serve(io::stdin(), io::stdout(), searcher)
    }

    /// Starts the threads, and waits for the end.
    fn serve(
        self,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        searcher: Box<dyn Searcher>,
    ) -> io::Result<()> {
        let Channels {
            mut spawner,
            events,
            inbox,
            end_sender,
            end_receiver,
        } = self;
        let output = Output::new(writer, events.clone(), &mut spawner)?;
        let worker = Worker::start(searcher, output.clone(), &mut spawner)?;
        let input_end_sender = end_sender.clone();
        spawner.spawn(move || {
            Server::new(output, worker).run(&inbox, &end_sender);
            let _ = end_sender.send(Ended::Server);
        })?;
        // The last: commands are only read once all threads are there.
        spawner.spawn(move || {
            read_commands(reader, &events, || {
                // Nobody waits any more if the server has ended.
                let _ = input_end_sender.send(Ended::Input);
            });
        })?;
        spawner.release_reserve_below(LOW_MEMORY);
        wait_for_server(&end_receiver);
        Ok(())
    }
}

/// Waits until the server has ended, or has had its time to.
fn wait_for_server(end_receiver: &Receiver<Ended>) {
    let mut deadline: Option<Instant> = None;
    loop {
        let event = match deadline {
            None => end_receiver.recv().ok(),
            Some(at) => {
                let left = at.saturating_duration_since(Instant::now());
                end_receiver.recv_timeout(left).ok()
            }
        };
        match event {
            // A `quit` and the end of the input are announced one by one.
            Some(Ended::Input) => {
                deadline.get_or_insert_with(|| Instant::now() + SERVER_GRACE);
            }
            Some(Ended::InputBeforeCount) => deadline = None,
            Some(Ended::Server) | None => return,
        }
    }
}

/// Whether the server continues after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

struct Server {
    output: Output,
    settings: Settings,
    /// The seed if none is set: a player of limited strength plays differently in each session.
    session_seed: u64,
    /// The game of the last valid `position`.
    game: MoveHistory,
    worker: Worker,
    /// The last job. It may have ended.
    running: Option<Running>,
    /// Whether the searcher should forget the last game before the next job.
    new_game: bool,
    debug: DebugMode,
}

/// A job given to the worker.
struct Running {
    control: Arc<Control>,
    /// Sends the `bestmove`, if the job is a search.
    responder: Option<Arc<Responder>>,
    /// While pondering: the limits after `ponderhit`.
    pondering: Option<Pondering>,
    /// Whether its deadline has been handled.
    timed_out: bool,
}

impl Running {
    /// Whether it is a count that nobody has stopped.
    fn is_counting(&self) -> bool {
        self.responder.is_none() && !self.control.should_stop()
    }

    /// Whether its move is sent, or it is a count that was stopped: nothing more is sent.
    fn is_ending(&self) -> bool {
        match &self.responder {
            Some(responder) => responder.has_responded(),
            None => self.control.should_stop(),
        }
    }
}

/// The limits that begin with `ponderhit`.
struct Pondering {
    budget: Option<Budget>,
    infinite: bool,
}

impl Server {
    fn new(output: Output, worker: Worker) -> Server {
        Server {
            worker,
            output,
            settings: Settings::default(),
            session_seed: RandomState::new().hash_one(0),
            game: MoveHistory::default(),
            running: None,
            new_game: false,
            debug: DebugMode::Off,
        }
    }

    /// Handles events until the server has to end, and ends it.
    fn run(mut self, inbox: &EventReceiver, end_sender: &Sender<Ended>) {
        loop {
            match inbox.receive_until(self.deadline()) {
                Ok(Event::Line { line, arrived }) => {
                    if self.execute(&line, arrived) == Flow::Quit {
                        if self.is_counting() {
                            self.worker.wait_until_idle(ENDING_PATIENCE);
                        }
                        break;
                    }
                }
                Ok(Event::LineTooLong) => self.info_string("ignored a line that is too long"),
                Ok(Event::QueueFull) => {
                    self.info_string("ignored commands: too many were waiting");
                }
                Err(RecvTimeoutError::Timeout) => self.time_is_up(),
                Ok(Event::InputEnded) => {
                    self.finish_count(inbox, end_sender);
                    break;
                }
                Ok(Event::Terminated | Event::OutputClosed)
                | Err(RecvTimeoutError::Disconnected) => break,
            }
            self.output.flush();
            if self.output.is_closed() {
                break;
            }
        }
        self.finish();
    }

    fn is_counting(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_counting)
    }

    /// Waits at the end of the input for a perft or a bench, which says nothing before its end, as long as somebody can
    /// read it.
    fn finish_count(&mut self, inbox: &EventReceiver, end_sender: &Sender<Ended>) {
        if !self.is_counting() || end_sender.send(Ended::InputBeforeCount).is_err() {
            return;
        }
        while !self.worker.wait_until_idle(COUNT_POLL) {
            if let Ok(Event::Terminated | Event::OutputClosed) =
                inbox.receive_until(Some(Instant::now()))
            {
                return;
            }
        }
    }

    /// Carries out a command. The clock of a `go` counts from `arrived`.
    fn execute(&mut self, line: &[u8], arrived: Instant) -> Flow {
        let mut skipped = None;
        let command = UciCommand::parse_with_skipped(line, |what| {
            skipped.get_or_insert(what);
        });
        let command = match command {
            Ok(command) => command,
            Err(error) => {
                self.info_string(error);
                return Flow::Continue;
            }
        };
        match command {
            UciCommand::Uci => self.introduce(),
            UciCommand::Debug(mode) => self.debug = mode,
            UciCommand::IsReady => self.reply_ready(),
            UciCommand::SetOption(option) => match self.settings.set(&option) {
                Ok(SetOptionEffect::ValueSet) => {}
                Ok(SetOptionEffect::ClearHash) => self.new_game = true,
                Err(error) => self.info_string(error),
            },
            // There is nothing to register.
            UciCommand::Register(_) => {}
            UciCommand::NewGame => {
                self.stop();
                self.new_game = true;
            }
            UciCommand::Position(position) => self.set_position(&position),
            UciCommand::Go(go) => self.go(&go, skipped.as_ref(), arrived),
            UciCommand::Stop => self.stop(),
            UciCommand::PonderHit => self.ponder_hit(),
            UciCommand::Quit => return Flow::Quit,
            UciCommand::Display => self.display(),
            UciCommand::Bench => self.start(Job::Bench, Control::new(), None),
            UciCommand::Unknown(text) if text.is_empty() => {}
            UciCommand::Unknown(text) => {
                let start: String = text.chars().take(40).collect();
                self.info_string(format_args!("unknown command: '{start}'"));
            }
        }
        Flow::Continue
    }

    /// Replies to `uci`.
    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.queue(Reply::Name(format!("Tabiya {version}")));
        self.output
            .queue(Reply::Author("the Tabiya authors".into()));
        for option in Settings::declarations() {
            self.output.queue(Reply::Option(option));
        }
        self.output.queue(Reply::UciOk);
    }

    /// Replies to `isready`. During a search it replies at once, and settings wait for the next search. It waits for a
    /// search that has sent its move and is about to end: otherwise the next one would spend its time on clearing the table.
    fn reply_ready(&mut self) {
        let ending = self.running.as_ref().is_some_and(Running::is_ending);
        let patience = if ending {
            ENDING_PATIENCE
        } else {
            Duration::ZERO
        };
        if self.worker.wait_until_idle(patience) {
            let preparation = self.take_preparation();
            self.worker.prepare(preparation);
        }
        self.output.queue(Reply::ReadyOk);
    }

    /// What the searcher has to apply before its next job.
    fn take_preparation(&mut self) -> Preparation {
        Preparation {
            settings: self.settings.clone(),
            new_game: std::mem::take(&mut self.new_game),
        }
    }

    /// Sets the position of the next search. An invalid one leaves the last valid one in place.
    fn set_position(&mut self, position: &PositionCommand) {
        match position.play(self.settings.castling_mode) {
            Ok(game) => self.game = game,
            Err(error) => self.info_string(format_args!("position not set: {error}")),
        }
    }

    /// Starts a search, or a perft count.
    fn go(&mut self, go: &Go, skipped: Option<&Skipped>, arrived: Instant) {
        if let Some(what) = skipped {
            self.info_string(what);
        }
        if let Some(depth) = go.perft {
            let position = *self.game.current();
            let depth = depth.min(perft::MAX_DEPTH);
            return self.start(Job::Perft { position, depth }, Control::new(), None);
        }
        let turn = self.game.current().turn();
        let overhead = self.settings.move_overhead;
        let time = SearchTime::of(go, turn, overhead, skipped.is_some());
        if self.debug == DebugMode::On {
            let time = time.budget().map_or("without a time limit".into(), |time| {
                format!("for {:?} at most", time.hard)
            });
            self.info_string(format_args!("thinking {time}"));
        }
        let (control, pondering) = search_control(go, time, arrived);
        let mut request = Request::from_go(&self.settings, &self.game, go);
        if self.settings.limit_strength {
            request.seed = request.seed.or(Some(self.session_seed));
        }
        let position = *self.game.current();
        let responder = Responder::new(
            position,
            request.moves.first().copied(),
            self.output.clone(),
        );
        let search = SearchJob {
            request,
            show_wdl: self.settings.show_wdl,
        };
        let job = Job::Search(Box::new(search), Arc::new(responder));
        self.start(job, control, pondering);
    }

    /// Starts a job. A search that is still running is stopped first and sends its move.
    fn start(&mut self, job: Job, control: Control, pondering: Option<Pondering>) {
        self.stop();
        let control = Arc::new(control);
        self.running = Some(Running {
            control: Arc::clone(&control),
            responder: match &job {
                Job::Search(_, responder) => Some(Arc::clone(responder)),
                Job::Perft { .. } | Job::Bench => None,
            },
            pondering,
            timed_out: false,
        });
        let preparation = self.take_preparation();
        self.worker.start_job(preparation, job, control);
    }

    /// Stops the search. When this returns, its move has been sent.
    fn stop(&mut self) {
        let Some(running) = &self.running else {
            return;
        };
        running.control.stop();
        if let Some(responder) = &running.responder
            && !responder.respond()
        {
            self.worker.wait_until_idle(STOP_PATIENCE);
            responder.respond_or_fallback();
        }
    }

    /// When the running search must end.
    fn deadline(&self) -> Option<Instant> {
        let running = self.running.as_ref().filter(|running| !running.timed_out)?;
        running.control.deadline()
    }

    /// Sends the move in time even if the worker has to wait for a CPU. If there is no move yet, the worker sends
    /// it a moment later.
    fn time_is_up(&mut self) {
        if let Some(running) = &mut self.running {
            running.timed_out = true;
            running.control.stop();
            if let Some(responder) = &running.responder {
                responder.respond();
            }
        }
    }

    /// Lets the limits begin that a pondering search has from now on.
    fn ponder_hit(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        if let Some(pondering) = running.pondering.take()
            && !pondering.infinite
        {
            if let Some(budget) = pondering.budget {
                running.control.limit_from_now(budget);
            }
            running.control.release();
        }
    }

    /// Ends: a search gets a moment to send its move, and the output one to be read.
    fn finish(&mut self) {
        let end = Instant::now() + ENDING_PATIENCE;
        if let Some(running) = &self.running {
            running.control.stop();
            self.worker.wait_until_idle(ENDING_PATIENCE);
        }
        let left = end.saturating_duration_since(Instant::now());
        self.output.finish(left.max(MIN_FLUSH_TIME));
    }

    /// Replies to `d` with the position, for debugging.
    fn display(&self) {
        let position = self.game.current();
        let text = format!(
            "{}\nFen: {position}\nKey: {:016X}",
            position.board().diagram(),
            position.polyglot_key()
        );
        text.lines().for_each(|line| self.output.queue(line));
    }

    /// Sends an `info string`.
    fn info_string(&self, message: impl std::fmt::Display) {
        self.output.queue(Info::message(message));
    }
}

/// The control of a search, and the limits that begin with `ponderhit`.
fn search_control(go: &Go, time: SearchTime, arrived: Instant) -> (Control, Option<Pondering>) {
    let (budget, infinite) = (time.budget(), time == SearchTime::Infinite);
    if go.ponder {
        return (Control::held(arrived), Some(Pondering { budget, infinite }));
    }
    if infinite {
        return (Control::held(arrived), None);
    }
    let control = Control::started_at(arrived);
    if let Some(budget) = budget {
        control.limit_from_start(budget);
    }
    (control, None)
}
