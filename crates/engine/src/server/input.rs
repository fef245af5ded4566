//! The server's input: events in the order in which they arrive, from several threads and within bounded memory.
//!
//! The reader never waits for the server, which may itself be waiting for its output to be read; otherwise a `quit` or
//! the end of the input would go unnoticed.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_uci::{Line, LineReader, UciCommand};

/// The most bytes of commands that may wait. Later commands are ignored. An interface that reads our output never gets
/// here.
const MAX_QUEUED: usize = 8 << 20;
/// What a queued line costs beyond its bytes.
const LINE_COST: usize = 128;
/// How often a non-blocking input is tried again.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// What the server reacts to.
#[derive(Debug)]
pub(super) enum Event {
    Line {
        line: Vec<u8>,
        arrived: Instant,
    },
    LineTooLong,
    /// Commands were ignored because too many were waiting.
    QueueFull,
    InputEnded,
    OutputClosed,
    /// The program was told to end.
    Terminated,
}

#[derive(Clone)]
pub(super) struct EventSender {
    sender: Sender<Event>,
    queued: Arc<AtomicUsize>,
}

pub(super) struct EventReceiver {
    receiver: Receiver<Event>,
    queued: Arc<AtomicUsize>,
}

pub(super) fn event_channel() -> (EventSender, EventReceiver) {
    let (sender, receiver) = channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let events = EventSender {
        sender,
        queued: Arc::clone(&queued),
    };
    (events, EventReceiver { receiver, queued })
}

impl EventSender {
    /// Sends an event, whether or not the server still receives it.
    pub(super) fn send(&self, event: Event) {
        self.queued.fetch_add(cost(&event), Ordering::Relaxed);
        let _ = self.sender.send(event);
    }

    fn is_full(&self) -> bool {
        self.queued.load(Ordering::Relaxed) > MAX_QUEUED
    }
}

impl EventReceiver {
    /// The next event; waits for it until a deadline if there is one.
    pub(super) fn receive_until(
        &self,
        deadline: Option<Instant>,
    ) -> Result<Event, RecvTimeoutError> {
        let event = match deadline {
            None => self
                .receiver
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected)?,
            Some(at) => {
                let left = at.saturating_duration_since(Instant::now());
                self.receiver.recv_timeout(left)?
            }
        };
        self.queued.fetch_sub(cost(&event), Ordering::Relaxed);
        Ok(event)
    }
}

/// How much room an event takes in the queue.
fn cost(event: &Event) -> usize {
    match event {
        Event::Line { line, .. } => line.len() + LINE_COST,
        Event::LineTooLong | Event::QueueFull => LINE_COST,
        Event::InputEnded | Event::OutputClosed | Event::Terminated => 0,
    }
}

/// Sends every line to the server. Calls `ended` as soon as there are no more or one says `quit`, even if the server is
/// busy with earlier ones.
pub(super) fn read_commands(reader: impl Read, events: &EventSender, ended: impl Fn()) {
    let mut lines = LineReader::new(reader);
    let mut ignoring = false;
    loop {
        let (line, last) = match lines.next_line() {
            Ok(Line::Whole(line)) => (Some(line), false),
            Ok(Line::TooLong) => (None, false),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(RETRY_INTERVAL);
                continue;
            }
            // The last line may lack its line feed.
            Ok(Line::End) | Err(_) => (Some(lines.take_unfinished()), true),
        };
        let arrived = Instant::now();
        if last || line.as_deref().is_some_and(is_quit) {
            ended();
        }
        if !events.is_full() {
            ignoring = false;
            events.send(match line {
                Some(line) => Event::Line { line, arrived },
                None => Event::LineTooLong,
            });
        } else if !ignoring {
            ignoring = true;
            events.send(Event::QueueFull);
        }
        if last {
            return events.send(Event::InputEnded);
        }
    }
}

/// Only a line with the word in it is parsed here: a long `position` is parsed once, by the server.
fn is_quit(line: &[u8]) -> bool {
    line.windows(4).any(|word| word == b"quit")
        && matches!(UciCommand::parse(line), Ok(UciCommand::Quit))
}
