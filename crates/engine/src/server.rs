//! The UCI server: obeys while it searches.
//!
//! One thread reads lines, one decides, one thinks, one writes. The one that decides never waits for a search that may go
//! on, so that it obeys at any time; for one that is ending it waits a moment, and before `readyok` for the memory that an
//! option asked for. A `go` makes exactly one `bestmove`, said
//! by the thread that thinks, or by the one that decides when it is told to stop. The thread that called [`serve`] only
//! waits for the end: when the input ends, the others get a moment to finish and are left behind, because one of them
//! may be stuck in a pipe that nobody reads.

pub(crate) mod job;
mod output;
mod thinker;
mod voice;

use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_uci::{
    Command, DebugMode, Go, Info, Line, LineReader, Played, PositionCommand, Reply, Skipped,
    wait_until_closed,
};

pub use output::SharedBuffer;

use crate::local::request;
use crate::options::{Effect, Settings};
use crate::searcher::{Control, Searcher};
use crate::time::{Budget, FALLBACK, budget};
use job::{Job, Task};
use output::Output;
use thinker::{Preparation, Thinker};
use voice::Voice;

/// How long `stop` waits for a search that has no move yet, before one is chosen at a glance.
const HURRY: Duration = Duration::from_millis(10);
/// How long a search may take to end when the server does.
const GRACE: Duration = Duration::from_millis(250);
/// How long the last lines may take on their way at least.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How long the server itself may take: it may be stuck in a pipe that nobody reads.
const LAST_GRACE: Duration = Duration::from_millis(350);

/// What happens to the server.
#[derive(Debug)]
pub(crate) enum Event {
    Line(Line),
    OutputClosed,
}

/// Why there is nothing left to do.
enum Over {
    Served,
    InputEnded,
}

/// Serves an interface until it says `quit`, its input ends, or nobody reads the output.
///
/// Threads that are stuck in the reader or the writer then are left behind.
pub fn serve(
    reader: impl Read + Send + 'static,
    writer: impl Write + Send + 'static,
    searcher: impl Searcher,
) {
    Wires::new().serve(reader, writer, Box::new(searcher));
}

/// Serves on the standard input and output of this process. A closed output is noticed even while nothing is written.
pub fn serve_stdio(searcher: impl Searcher) {
    Wires::new().serve_stdio(Box::new(searcher));
}

/// The same, and ends as well when `asked` returns. It waits in a thread of its own: for a signal, say.
pub fn serve_stdio_until(searcher: impl Searcher, asked: impl FnOnce() + Send + 'static) {
    let wires = Wires::new();
    let (over, events) = (wires.over.clone(), wires.events.clone());
    thread::spawn(move || {
        asked();
        // The server may have ended.
        let _ = over.send(Over::InputEnded);
        let _ = events.send(Event::Line(Line::End));
    });
    wires.serve_stdio(Box::new(searcher));
}

/// What runs between the threads.
struct Wires {
    events: SyncSender<Event>,
    inbox: Receiver<Event>,
    over: Sender<Over>,
    waiting: Receiver<Over>,
}

impl Wires {
    fn new() -> Wires {
        let (events, inbox) = sync_channel(256);
        let (over, waiting) = channel();
        Wires {
            events,
            inbox,
            over,
            waiting,
        }
    }

    fn serve_stdio(self, searcher: Box<dyn Searcher>) {
        let closing = self.events.clone();
        thread::spawn(move || {
            if wait_until_closed(std::io::stdout()).is_ok() {
                // The server may have ended.
                let _ = closing.send(Event::OutputClosed);
            }
        });
        self.serve(std::io::stdin(), std::io::stdout(), searcher);
    }

    fn serve(
        self,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        searcher: Box<dyn Searcher>,
    ) {
        let Wires {
            events,
            inbox,
            over,
            waiting,
        } = self;
        let output = Output::new(writer, events.clone());
        let ended = over.clone();
        thread::spawn(move || {
            read_lines(reader, &events, || {
                // Nobody waits any more if the server has ended.
                let _ = ended.send(Over::InputEnded);
            });
        });
        thread::spawn(move || {
            Server::new(output, searcher).run(&inbox);
            let _ = over.send(Over::Served);
        });
        if let Ok(Over::InputEnded) = waiting.recv() {
            let _ = waiting.recv_timeout(LAST_GRACE);
        }
    }
}

/// Hands on the lines, and tells as soon as there are no more, though the server may be busy with earlier ones.
fn read_lines(reader: impl Read, events: &SyncSender<Event>, ended: impl FnOnce()) {
    let mut lines = LineReader::new(reader);
    loop {
        match lines.next_line().unwrap_or(Line::End) {
            Line::End => {
                ended();
                let _ = events.send(Event::Line(Line::End));
                return;
            }
            line => {
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}

/// Whether the server goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    More,
    Quit,
}

struct Server {
    output: Output,
    settings: Settings,
    /// The seed where none was set: a player of limited strength overlooks something else in each session.
    seed: u64,
    /// The last good position.
    played: Played,
    thinker: Thinker,
    /// The last search. It may have ended.
    running: Option<Running>,
    /// Whether the searcher should forget the last game before it thinks again.
    forget: bool,
    debug: DebugMode,
}

/// What the thinker was told last.
struct Running {
    control: Arc<Control>,
    /// What it answers with, if it is a search.
    voice: Option<Arc<Voice>>,
    /// While pondering: how long to think after `ponderhit`.
    pondering: Option<Pondering>,
    /// Whether its deadline has been looked after.
    timed_out: bool,
}

impl Running {
    /// Whether nothing more is to come of it.
    fn is_ending(&self) -> bool {
        match &self.voice {
            Some(voice) => voice.has_answered(),
            None => self.control.should_stop(),
        }
    }
}

/// What `ponderhit` starts.
struct Pondering {
    budget: Option<Budget>,
    endless: bool,
}

impl Server {
    fn new(output: Output, searcher: Box<dyn Searcher>) -> Server {
        Server {
            thinker: Thinker::start(searcher, output.clone()),
            output,
            settings: Settings::default(),
            seed: RandomState::new().hash_one(0),
            played: Played::default(),
            running: None,
            forget: false,
            debug: DebugMode::Off,
        }
    }

    fn run(mut self, inbox: &Receiver<Event>) {
        loop {
            let event = match self.deadline() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Line(Line::Whole(line))) => {
                    if self.obey(&line) == Next::Quit {
                        break;
                    }
                }
                Ok(Event::Line(Line::TooLong)) => self.complain("ignored a line that is too long"),
                Err(RecvTimeoutError::Timeout) => self.time_is_up(),
                Ok(Event::Line(Line::End) | Event::OutputClosed)
                | Err(RecvTimeoutError::Disconnected) => break,
            }
            self.output.write_now();
            if self.output.is_closed() {
                break;
            }
        }
        self.finish();
    }

    fn obey(&mut self, line: &[u8]) -> Next {
        let mut skipped = None;
        let command = Command::parse_noting(line, |what| {
            skipped.get_or_insert(what);
        });
        let command = match command {
            Ok(command) => command,
            Err(error) => {
                self.complain(error);
                return Next::More;
            }
        };
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(mode) => self.debug = mode,
            Command::IsReady => self.get_ready(),
            Command::SetOption(option) => match self.settings.set(&option) {
                Ok(Effect::Kept) => {}
                Ok(Effect::ClearHash) => self.forget = true,
                Err(error) => self.complain(error),
            },
            // There is nothing to register.
            Command::Register(_) => {}
            Command::NewGame => {
                self.stop();
                self.forget = true;
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, skipped.as_ref()),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Next::Quit,
            Command::Display => self.display(),
            Command::Bench => self.start(Task::Bench, Control::new(), None),
            Command::Unknown(text) if text.is_empty() => {}
            Command::Unknown(text) => {
                let start: String = text.chars().take(40).collect();
                self.complain(format_args!("unknown command: '{start}'"));
            }
        }
        Next::More
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.say(Reply::Name(format!("Tabiya {version}")));
        self.output.say(Reply::Author("the Tabiya authors".into()));
        for option in Settings::declarations() {
            self.output.say(Reply::Option(option));
        }
        self.output.say(Reply::UciOk);
    }

    /// While it thinks it is ready at once, and settings wait for the next search. A search that has said its move is
    /// about to end, and is waited for: otherwise the next one would spend its time on a table to be cleared.
    fn get_ready(&mut self) {
        let ending = self.running.as_ref().is_some_and(Running::is_ending);
        let patience = if ending { GRACE } else { Duration::ZERO };
        if self.thinker.is_idle_within(patience) {
            let preparation = self.preparation();
            self.thinker.prepare(preparation);
        }
        self.output.say(Reply::ReadyOk);
    }

    fn preparation(&mut self) -> Preparation {
        Preparation {
            settings: self.settings.clone(),
            forget: std::mem::take(&mut self.forget),
        }
    }

    /// A position that is none leaves the last good one in place.
    fn set_position(&mut self, position: &PositionCommand) {
        match position.play(self.settings.castling_mode) {
            Ok(played) => self.played = played,
            Err(error) => self.complain(format_args!("position not set: {error}")),
        }
    }

    fn go(&mut self, go: &Go, skipped: Option<&Skipped>) {
        if let Some(what) = skipped {
            self.complain(what);
        }
        if let Some(depth) = go.perft {
            let position = *self.played.current();
            return self.start(Task::Perft { position, depth }, Control::new(), None);
        }
        let turn = self.played.current().turn();
        let budget = budget(go, turn, self.settings.move_overhead);
        let bounded =
            budget.is_some() || go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let endless = go.infinite || (!bounded && !go.has_limit() && skipped.is_none());
        let budget = match (endless, bounded) {
            (true, _) => None,
            (false, true) => budget,
            (false, false) => Some(FALLBACK),
        };
        if self.debug == DebugMode::On {
            let time = budget.map_or("without a time limit".into(), |time| {
                format!("for {:?} at most", time.most)
            });
            self.complain(format_args!("thinking {time}"));
        }
        let (control, pondering) = if go.ponder {
            (Control::held(), Some(Pondering { budget, endless }))
        } else if endless {
            (Control::held(), None)
        } else {
            let control = Control::new();
            if let Some(budget) = budget {
                control.think_for(budget);
            }
            (control, None)
        };
        let mut request = request(&self.settings, &self.played, go);
        if request.seed == 0 {
            request.seed = self.seed;
        }
        let job = Job {
            request,
            show_wdl: self.settings.show_wdl,
        };
        let position = *self.played.current();
        let voice = Voice::new(position, job.request.moves.clone(), self.output.clone());
        let task = Task::Search(Box::new(job), Arc::new(voice));
        self.start(task, control, pondering);
    }

    /// Gives the thinker something to do. A search that is still going on is ended first and says its move.
    fn start(&mut self, task: Task, control: Control, pondering: Option<Pondering>) {
        self.stop();
        let control = Arc::new(control);
        self.running = Some(Running {
            control: Arc::clone(&control),
            voice: match &task {
                Task::Search(_, voice) => Some(Arc::clone(voice)),
                Task::Perft { .. } | Task::Bench => None,
            },
            pondering,
            timed_out: false,
        });
        let preparation = self.preparation();
        self.thinker.work(preparation, task, control);
    }

    /// Ends the search. Its move was said afterwards.
    fn stop(&mut self) {
        let Some(running) = &self.running else {
            return;
        };
        running.control.stop();
        if let Some(voice) = &running.voice
            && !voice.answer()
        {
            self.thinker.is_idle_within(HURRY);
            voice.answer_anyhow();
        }
    }

    /// When the search that is going on has to end.
    fn deadline(&self) -> Option<Instant> {
        let running = self.running.as_ref().filter(|running| !running.timed_out)?;
        running.control.deadline()
    }

    /// Says the move in time, though the thread that thinks may have to wait for a processor. Without a move so far,
    /// that thread says it a moment later: it is the one that knows how to choose.
    fn time_is_up(&mut self) {
        if let Some(running) = &mut self.running {
            running.timed_out = true;
            running.control.stop();
            if let Some(voice) = &running.voice {
                voice.answer();
            }
        }
    }

    fn ponder_hit(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        if let Some(pondering) = running.pondering.take()
            && !pondering.endless
        {
            if let Some(budget) = pondering.budget {
                running.control.think_for(budget);
            }
            running.control.release();
        }
    }

    /// The end: a search gets a moment to say its move, and the output one to be read.
    fn finish(&mut self) {
        let end = Instant::now() + GRACE;
        if let Some(running) = &self.running {
            running.control.stop();
            self.thinker.is_idle_within(GRACE);
        }
        let left = end.saturating_duration_since(Instant::now());
        self.output.finish(left.max(LAST_WORDS));
    }

    fn display(&self) {
        let position = self.played.current();
        let text = format!(
            "{}\nFen: {position}\nKey: {:016X}",
            position.board().diagram(),
            position.polyglot_key()
        );
        text.lines().for_each(|line| self.output.say(line));
    }

    /// Tells whoever watches what was ignored, in one line.
    fn complain(&self, what: impl std::fmt::Display) {
        self.output.say(Info::message(what));
    }
}
