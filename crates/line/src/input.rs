//! The source of lines: a pipe, or a person at a terminal.
//!
//! Either is read by its own thread, so that a flag can fall while nothing is typed.

mod editor;

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use tabiya_front::explorer::{ExplorerError, Found};
use tabiya_front::failure::Failure;
use tabiya_front::training::mining::MiningEvent;
use tabiya_play::contest;
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::remote::{ServerEvent, ServerListener};
use tabiya_play::study::StudyReport;
use tabiya_play::threads;
use tabiya_store::Store;

use crate::screen::Screen;
use editor::{EditorHelper, LineRequest, LiveLine, Printer};

/// The longest accepted line, in bytes. A longer one is refused as a whole.
const MAX_LINE_LENGTH: u64 = 1 << 16;

/// What the loop of the line mode waits for.
#[derive(Debug)]
pub(crate) enum InputEvent {
    Line(String),
    /// A line that is too long. It was read to its end and dropped.
    LineTooLong,
    /// Something other than typed input.
    Background(BackgroundEvent),
    /// Nothing came in time.
    TimedOut,
    /// There will be no more lines.
    Ended,
    /// Reading failed.
    Failed(io::Error),
}

/// An event that was not typed.
#[derive(Debug)]
pub(crate) enum BackgroundEvent {
    /// An event of an engine that plays or advises.
    Engine(Seat, EngineEvent),
    /// An event of the engine that judges the game.
    Study(StudyReport),
    /// An event of the match.
    Match(Box<contest::Event>),
    /// A database answered.
    Explored(Box<Result<Found, ExplorerError>>),
    /// An event of the game's server.
    Server(Box<ServerEvent>),
    /// An event of the search for exercises.
    Mining(MiningEvent),
    /// The game could not be saved, and it is time to save it again.
    SaveAgain,
}

/// How many events of a server may wait for the loop. A server that sends more has to wait, so that its events can
/// neither fill the memory nor keep typed lines away.
const MAX_SERVER_EVENTS: usize = 16;

/// Sends background events to the loop.
#[derive(Clone)]
pub(crate) struct BackgroundSender(Sender<InputEvent>);

impl BackgroundSender {
    /// Sends an event. Returns whether anybody receives it: nobody does if the program is about to exit.
    pub(crate) fn send(&self, event: BackgroundEvent) -> bool {
        self.0.send(InputEvent::Background(event)).is_ok()
    }
}

/// The lines in order, and the events between them.
pub(crate) struct Input {
    events: Receiver<InputEvent>,
    /// A semaphore for the events of the server: each takes a slot before it is sent, and frees it when it is received.
    free_slot: Receiver<()>,
    take_slot: SyncSender<()>,
    source: Source,
    /// Input that came too early, until the game waits for it. No more is read meanwhile.
    pub(crate) early: Option<InputEvent>,
}

enum Source {
    Pipe {
        /// Permits the next line to be read. A player who is ahead of the game waits, so that input cannot fill the
        /// memory.
        permits: SyncSender<()>,
        /// Whether a line was taken since the last permit.
        used: bool,
    },
    Editor {
        requests: SyncSender<LineRequest>,
        printer: Printer,
        line: Arc<LiveLine>,
        /// Whether a line was requested and has not come yet.
        is_requested: bool,
    },
}

impl Input {
    /// Starts to read. Returns the sender for background events.
    pub(crate) fn new(screen: &Screen) -> Result<(Input, BackgroundSender), Failure> {
        let (sender, events) = channel();
        let (take_slot, free_slot) = sync_channel(MAX_SERVER_EVENTS);
        let background = BackgroundSender(sender.clone());
        let source = if screen.wants_editor() {
            let (requests, receiver) = sync_channel(1);
            let printer = editor::start(receiver, sender)?;
            Source::Editor {
                requests,
                printer,
                line: Arc::default(),
                is_requested: false,
            }
        } else {
            let (permits, permitted) = sync_channel(1);
            let reading = threads::spawn(move || {
                let mut stdin = io::stdin().lock();
                while sender.send(next_line(&mut stdin)).is_ok() && permitted.recv().is_ok() {}
            });
            reading.map_err(|none| Failure::system("stdin cannot be read", &none.into()))?;
            Source::Pipe {
                permits,
                used: false,
            }
        };
        let input = Input {
            events,
            free_slot,
            take_slot,
            source,
            early: None,
        };
        Ok((input, background))
    }

    /// The listener for the events of a server. It blocks while [`MAX_SERVER_EVENTS`] wait for the loop.
    pub(crate) fn server_listener(&self, background: BackgroundSender) -> ServerListener {
        let take_slot = self.take_slot.clone();
        Arc::new(move |event| {
            let event = BackgroundEvent::Server(Box::new(event));
            take_slot.send(()).is_ok() && background.send(event)
        })
    }

    /// Whether lines come from a pipe, and so perhaps too early.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.source, Source::Pipe { .. })
    }

    /// Whether a person is typing a line.
    pub(crate) fn is_typing(&self) -> bool {
        match self.source {
            Source::Pipe { .. } => false,
            Source::Editor { is_requested, .. } => is_requested,
        }
    }

    /// Whether the user has typed something of the line that is not entered yet.
    pub(crate) fn is_line_begun(&self) -> bool {
        match &self.source {
            Source::Pipe { .. } => false,
            Source::Editor { line, .. } => self.is_typing() && line.is_begun(),
        }
    }

    /// Waits for the next event, up to `timeout`. The moves and the folder of the saves, for completions, are looked up only
    /// if they are needed.
    pub(crate) fn next_event(
        &mut self,
        prompt: &str,
        completions: impl FnOnce() -> (Vec<String>, Option<Store>),
        timeout: Option<Duration>,
    ) -> InputEvent {
        self.request_line(prompt, completions);
        let event = match timeout {
            None => self.events.recv().map_err(RecvTimeoutError::from),
            Some(timeout) => self.events.recv_timeout(timeout),
        };
        match event {
            Err(RecvTimeoutError::Timeout) => InputEvent::TimedOut,
            Err(RecvTimeoutError::Disconnected) => InputEvent::Ended,
            Ok(event) => {
                self.record_received(&event);
                event
            }
        }
    }

    /// Has the next line read, unless that was requested before or an early one still waits.
    fn request_line(
        &mut self,
        prompt: &str,
        completions: impl FnOnce() -> (Vec<String>, Option<Store>),
    ) {
        match &mut self.source {
            Source::Pipe { permits, used } => {
                if self.early.is_none() && std::mem::take(used) {
                    // A reader that is gone has reported it.
                    let _ = permits.try_send(());
                }
            }
            Source::Editor {
                requests,
                line,
                is_requested,
                ..
            } => {
                if !*is_requested {
                    let (moves, store) = completions();
                    line.update(prompt, moves);
                    let line = Arc::clone(line);
                    let request = LineRequest {
                        prompt: prompt.to_owned(),
                        helper: EditorHelper { line, store },
                    };
                    *is_requested = requests.send(request).is_ok();
                }
            }
        }
    }

    /// Frees what an event has occupied until it was received.
    fn record_received(&mut self, event: &InputEvent) {
        match event {
            InputEvent::Background(BackgroundEvent::Server(_)) => {
                let _ = self.free_slot.try_recv();
            }
            InputEvent::Background(_) | InputEvent::TimedOut => {}
            InputEvent::Line(_)
            | InputEvent::LineTooLong
            | InputEvent::Ended
            | InputEvent::Failed(_) => match &mut self.source {
                Source::Pipe { used, .. } => *used = true,
                Source::Editor { is_requested, .. } => *is_requested = false,
            },
        }
    }

    /// Changes the prompt and the completions of the line being typed. The new prompt appears when something is next
    /// printed above the line.
    pub(crate) fn update_line(&self, prompt: &str, moves: Vec<String>) {
        if let Source::Editor { line, .. } = &self.source {
            line.update(prompt, moves);
        }
    }

    /// Prints above the line being typed.
    pub(crate) fn print_above(&mut self, text: &str) {
        if let Source::Editor { printer, .. } = &mut self.source {
            printer.print(text);
        }
    }
}

/// The message about a line that is too long.
pub(crate) fn too_long() -> String {
    format!("The line is longer than {MAX_LINE_LENGTH} bytes, so nothing was done with it.")
}

/// Reads up to the end of a line, whatever its bytes are.
fn next_line(input: &mut impl BufRead) -> InputEvent {
    let mut line = Vec::new();
    let mut start = input.by_ref().take(MAX_LINE_LENGTH);
    let read = start.read_until(b'\n', &mut line);
    let is_cut = line.len() as u64 == MAX_LINE_LENGTH && !line.ends_with(b"\n");
    let skipped = if is_cut {
        input.skip_until(b'\n')
    } else {
        Ok(0)
    };
    match (read, skipped) {
        (Err(error), _) | (_, Err(error)) => InputEvent::Failed(error),
        (Ok(0), _) => InputEvent::Ended,
        // Nothing follows a line of the greatest length at the end of the input.
        (Ok(_), Ok(0)) => InputEvent::Line(String::from_utf8_lossy(&line).into_owned()),
        (Ok(_), Ok(_)) => InputEvent::LineTooLong,
    }
}

#[cfg(test)]
mod tests;
