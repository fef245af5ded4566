//! An engine with its own thread, for programs that must never block: every call returns at once, and events go
//! to a function.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::{
    Deadlines, EVENT_WAIT, Engine, EngineError, EngineHandle, ExitNote, Notice, SearchEvent,
    SearchInfo,
};
use crate::command::Go;
use crate::option::{OptionDeclaration, SetOption};
use crate::process::EngineCommand;
use crate::reply::BestMove;
use tabiya_rules::MoveHistory;

/// What a worker reports, in order. Each search has the number given in the request.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new event needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEvent {
    /// The engine is running.
    Started {
        /// Its name.
        name: String,
        /// Its options.
        options: Vec<OptionDeclaration>,
    },
    /// A report of a search.
    Info(u64, SearchInfo),
    /// The end of a search; the move is legal. A search replaced by another one does not report it.
    BestMove(u64, BestMove),
    /// The engine does something wrong but harmless.
    Notice(Notice),
    /// A request was refused; the engine is still running.
    Refused(EngineError),
    /// The engine has failed and is gone. No event follows.
    Failed(EngineError),
    /// The engine was asked to quit and is gone. No event follows.
    Ended(ExitNote),
}

/// An engine in its own process and thread. Dropping it kills the engine.
///
/// ```no_run
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{Deadlines, EngineCommand, Go, Worker, WorkerEvent};
///
/// let (sender, events) = std::sync::mpsc::channel();
/// let command = EngineCommand::new("stockfish");
/// let worker = Worker::start(command, Deadlines::default(), move |event| drop(sender.send(event)));
/// worker.think(1, MoveHistory::default(), Go::new().with_depth(8));
/// for event in events {
///     if let WorkerEvent::BestMove(1, reply) = event {
///         println!("{:?}", reply.best);
///         worker.quit();
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Worker {
    requests: Sender<Request>,
    link: Arc<Mutex<Link>>,
    thread: Option<JoinHandle<()>>,
}

/// The connection to an engine that may not have been started yet.
#[derive(Default, Debug)]
struct Link {
    handle: Option<EngineHandle>,
    aborted: bool,
}

#[derive(Debug)]
enum Request {
    Think(u64, Box<MoveHistory>, Box<Go>),
    SetOption(SetOption),
    NewGame,
    /// Queued like every other request, so that it applies to the search it was meant for.
    Stop,
    PonderHit,
    Quit,
}

impl Worker {
    /// Starts the thread, which starts the engine.
    pub fn start(
        command: EngineCommand,
        deadlines: Deadlines,
        mut emit: impl FnMut(WorkerEvent) + Send + 'static,
    ) -> Worker {
        let (requests, inbox) = channel();
        let link = Arc::new(Mutex::new(Link::default()));
        let shared = Arc::clone(&link);
        // The thread takes it later; without a thread it stays here.
        let (give, given) = channel::<Box<dyn FnMut(WorkerEvent) + Send>>();
        let program = command.program.clone();
        let thread = thread::Builder::new().spawn(move || {
            let Ok(emit) = given.recv() else { return };
            let mut work = WorkerThread {
                inbox,
                waiting: VecDeque::new(),
                options: VecDeque::new(),
                emit,
            };
            let event = match work.run(&command, deadlines, &shared) {
                Ok(exit) => WorkerEvent::Ended(exit),
                Err(error) => WorkerEvent::Failed(error),
            };
            (work.emit)(event);
        });
        match &thread {
            Ok(_) => drop(give.send(Box::new(emit))),
            Err(error) => emit(WorkerEvent::Failed(EngineError::Start {
                program,
                problem: error.to_string(),
            })),
        }
        Worker {
            requests,
            link,
            thread: thread.ok(),
        }
    }

    /// Starts a search under a new number. A running search is stopped first, and its move is not reported.
    pub fn think(&self, number: u64, game: MoveHistory, go: Go) {
        self.send_request(Request::Think(number, Box::new(game), Box::new(go)));
    }

    /// Sets an option; during a search, after the search.
    pub fn set_option(&self, option: SetOption) {
        self.send_request(Request::SetOption(option));
    }

    /// Tells the engine that another game follows.
    pub fn new_game(&self) {
        self.send_request(Request::NewGame);
    }

    /// Stops the search, which then reports its best move. Does nothing without a search.
    pub fn stop(&self) {
        self.send_request(Request::Stop);
    }

    /// Tells the engine that the expected move was played. Does nothing if it is not pondering.
    pub fn ponder_hit(&self) {
        self.send_request(Request::PonderHit);
    }

    /// Asks the engine to exit in its own time.
    pub fn quit(&self) {
        self.send_request(Request::Quit);
    }

    /// Sends a request, and wakes the thread that waits for one.
    fn send_request(&self, request: Request) {
        // An engine that is gone cannot be asked, and has already reported that.
        let _ = self.requests.send(request);
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = &link.handle {
            handle.wake();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        {
            let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
            link.aborted = true;
            if let Some(handle) = &link.handle {
                handle.abort();
            }
        }
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has dropped its engine as well.
            let _ = thread.join();
        }
    }
}

/// What the thread of a worker has.
struct WorkerThread<F> {
    inbox: Receiver<Request>,
    /// Requests that have not been carried out.
    waiting: VecDeque<Request>,
    /// Options set during a search, which are sent after it.
    options: VecDeque<SetOption>,
    emit: F,
}

impl<F: FnMut(WorkerEvent)> WorkerThread<F> {
    /// Starts the engine, and carries out requests until it is asked to exit or fails.
    fn run(
        &mut self,
        command: &EngineCommand,
        deadlines: Deadlines,
        link: &Mutex<Link>,
    ) -> Result<ExitNote, EngineError> {
        let mut engine = Engine::start_with(command, deadlines, |handle| {
            let mut link = link.lock().unwrap_or_else(PoisonError::into_inner);
            if link.aborted {
                handle.abort();
            }
            link.handle = Some(handle);
        })?;
        (self.emit)(WorkerEvent::Started {
            name: engine.name().to_owned(),
            options: engine.options().to_vec(),
        });
        loop {
            let option = self.options.pop_front().map(Request::SetOption);
            let next = match option.or_else(|| self.waiting.pop_front()) {
                Some(request) => Some(request),
                None => self.next_request(&mut engine)?,
            };
            let done = match next {
                None => continue,
                Some(Request::Stop | Request::PonderHit) => continue,
                Some(Request::Quit) => return Ok(engine.quit()),
                Some(Request::NewGame) => engine.new_game(),
                Some(Request::SetOption(option)) => engine.set_option(&option),
                Some(Request::Think(number, game, go)) => {
                    self.think(&mut engine, number, &game, *go)
                }
            };
            match done {
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) => (self.emit)(WorkerEvent::Refused(error)),
                Ok(()) => {}
            }
        }
    }

    /// Waits for a request, and watches the engine meanwhile. Returns `None` now and then.
    fn next_request(&mut self, engine: &mut Engine) -> Result<Option<Request>, EngineError> {
        match self.inbox.try_recv() {
            Ok(request) => return Ok(Some(request)),
            Err(TryRecvError::Disconnected) => return Err(EngineError::Aborted),
            Err(TryRecvError::Empty) => {}
        }
        if let Some(SearchEvent::Notice(notice)) = engine.next_event(EVENT_WAIT)? {
            (self.emit)(WorkerEvent::Notice(notice));
        }
        Ok(None)
    }

    /// Searches, and reports what the engine finds, unless another request replaces the search.
    fn think(
        &mut self,
        engine: &mut Engine,
        number: u64,
        game: &MoveHistory,
        go: Go,
    ) -> Result<(), EngineError> {
        engine.go(game, go)?;
        let mut replaced = false;
        loop {
            // Requests from before the search was watched have not woken the thread, so they come first.
            self.handle_requests(engine, &mut replaced)?;
            match engine.next_event(EVENT_WAIT)? {
                Some(SearchEvent::BestMove(reply)) => {
                    if !replaced {
                        (self.emit)(WorkerEvent::BestMove(number, reply));
                    }
                    return Ok(());
                }
                Some(SearchEvent::Info(info)) if !replaced => {
                    (self.emit)(WorkerEvent::Info(number, info));
                }
                Some(SearchEvent::Notice(notice)) => (self.emit)(WorkerEvent::Notice(notice)),
                Some(SearchEvent::Info(_)) | None => {}
            }
        }
    }

    /// Carries out the requests about a running search, and stops it if another request needs the engine.
    fn handle_requests(
        &mut self,
        engine: &mut Engine,
        replaced: &mut bool,
    ) -> Result<(), EngineError> {
        self.waiting.extend(self.inbox.try_iter());
        while let Some(request) = self.waiting.pop_front() {
            match request {
                Request::Stop => engine.stop()?,
                Request::PonderHit => engine.ponder_hit()?,
                Request::SetOption(option) => self.options.push_back(option),
                Request::Think(..) | Request::Quit | Request::NewGame => {
                    self.waiting.push_front(request);
                    *replaced = true;
                    return engine.stop();
                }
            }
        }
        Ok(())
    }
}
