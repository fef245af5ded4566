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
use tabiya_play::contest::Event;
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::remote::{ServerEvent, ServerListener};
use tabiya_play::study::StudyReport;
use tabiya_play::threads;
use tabiya_store::Store;

use crate::screen::Screen;
use editor::{EditorHelper, LiveLine, Printer, Question};

/// The longest accepted line, in bytes. A longer one is refused as a whole.
const MAX_LINE_LENGTH: u64 = 1 << 16;

/// The result of waiting for a line.
#[derive(Debug)]
pub(crate) enum Taken {
    Line(String),
    /// A line that is too long. It was read to its end and dropped.
    TooLong,
    /// Something other than a typed line.
    News(News),
    /// The time ran out.
    TooLate,
    /// There will be no more lines.
    End,
    /// Reading failed.
    Broken(io::Error),
}

/// An event that was not typed.
#[derive(Debug)]
pub(crate) enum News {
    /// An engine's event.
    EngineEvent(Seat, EngineEvent),
    /// An event of the engine that judges the game.
    Studied(StudyReport),
    /// An event of the match.
    Match(Box<Event>),
    /// A database answered.
    Explored(Box<Result<Found, ExplorerError>>),
    /// An event of the game's server.
    Server(Box<ServerEvent>),
    /// The game could not be saved, and it is time to save it again.
    SaveAgain,
}

/// How many events of a server may wait for the loop. A server that sends more has to wait, so that its events can
/// neither fill the memory nor keep typed lines away.
const MAX_SERVER_EVENTS: usize = 16;

/// Sends events to the loop.
#[derive(Clone)]
pub(crate) struct NewsSender(Sender<Taken>);

impl NewsSender {
    /// Sends an event. Returns whether anybody receives it: nobody does if the program is about to exit.
    pub(crate) fn send(&self, news: News) -> bool {
        self.0.send(Taken::News(news)).is_ok()
    }
}

/// The lines in order, and the events between them.
pub(crate) struct Input {
    happened: Receiver<Taken>,
    /// One for each event of the server that waits, and the sender for the next.
    waiting: Receiver<()>,
    places: SyncSender<()>,
    source: Source,
    /// Input that came too early, until the game waits for it. No more is read meanwhile.
    pub(crate) held: Option<Taken>,
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
        questions: SyncSender<Question>,
        printer: Printer,
        line: Arc<LiveLine>,
        /// Whether a line was requested and has not come yet.
        asked: bool,
    },
}

impl Input {
    /// Starts to read. Returns the sender for events.
    pub(crate) fn new(screen: &Screen) -> Result<(Input, NewsSender), Failure> {
        let (sender, happened) = channel();
        let (places, waiting) = sync_channel(MAX_SERVER_EVENTS);
        let news = NewsSender(sender.clone());
        let source = if screen.wants_editor() {
            let (questions, receiver) = sync_channel(1);
            let printer = editor::start(receiver, sender)?;
            Source::Editor {
                questions,
                printer,
                line: Arc::default(),
                asked: false,
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
            happened,
            waiting,
            places,
            source,
            held: None,
        };
        Ok((input, news))
    }

    /// The listener for the events of a server, which waits while too many of them wait.
    pub(crate) fn server_listener(&self, news: NewsSender) -> ServerListener {
        let places = self.places.clone();
        Arc::new(move |event| places.send(()).is_ok() && news.send(News::Server(Box::new(event))))
    }

    /// Whether lines come from a pipe, and so perhaps too early.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.source, Source::Pipe { .. })
    }

    /// Whether a person is typing a line.
    pub(crate) fn is_typing(&self) -> bool {
        matches!(self.source, Source::Editor { asked: true, .. })
    }

    /// Whether the user has typed something of the line that is not entered yet.
    pub(crate) fn is_line_begun(&self) -> bool {
        match &self.source {
            Source::Pipe { .. } => false,
            Source::Editor { line, asked, .. } => *asked && line.is_begun(),
        }
    }

    /// Waits for the next event, up to this time. The moves and the folder of the saves, for completions, are looked
    /// up only if they are needed.
    pub(crate) fn take(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> (Vec<String>, Option<Store>),
        patience: Option<Duration>,
    ) -> Taken {
        match &mut self.source {
            Source::Pipe { permits, used } => {
                if self.held.is_none() && std::mem::take(used) {
                    // A reader that is gone has reported it.
                    let _ = permits.try_send(());
                }
            }
            Source::Editor {
                questions,
                line,
                asked,
                ..
            } => {
                if !*asked {
                    let (moves, store) = words();
                    line.set(prompt, moves);
                    let line = Arc::clone(line);
                    let question = Question {
                        prompt: prompt.to_owned(),
                        words: EditorHelper { line, store },
                    };
                    *asked = questions.send(question).is_ok();
                }
            }
        }
        let taken = match patience {
            None => self.happened.recv().map_err(RecvTimeoutError::from),
            Some(patience) => self.happened.recv_timeout(patience),
        };
        match taken {
            Ok(taken @ (Taken::News(_) | Taken::TooLate)) => {
                if let Taken::News(News::Server(_)) = taken {
                    // Its place was taken before it was sent.
                    let _ = self.waiting.try_recv();
                }
                taken
            }
            Ok(taken) => {
                match &mut self.source {
                    Source::Pipe { used, .. } => *used = true,
                    Source::Editor { asked, .. } => *asked = false,
                }
                taken
            }
            Err(RecvTimeoutError::Timeout) => Taken::TooLate,
            Err(RecvTimeoutError::Disconnected) => Taken::End,
        }
    }

    /// Changes what stands around the line being typed. The prompt shows when something is next printed above it.
    pub(crate) fn update_line(&self, prompt: &str, moves: Vec<String>) {
        if let Source::Editor { line, .. } = &self.source {
            line.set(prompt, moves);
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
fn next_line(input: &mut impl BufRead) -> Taken {
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
        (Err(error), _) | (_, Err(error)) => Taken::Broken(error),
        (Ok(0), _) => Taken::End,
        // Nothing follows a line of the greatest length at the end of the input.
        (Ok(_), Ok(0)) => Taken::Line(String::from_utf8_lossy(&line).into_owned()),
        (Ok(_), Ok(_)) => Taken::TooLong,
    }
}

#[cfg(test)]
mod tests;
