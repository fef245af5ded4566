//! A line editor for a person at a terminal, with history and completion from the command table.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::completion::Completer;
use rustyline::config::{BellStyle, ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, ExternalPrinter, Helper};
use tabiya_front::commands;
use tabiya_front::failure::Failure;
use tabiya_front::signals::{self, Heard, Signal};
use tabiya_play::threads;
use tabiya_rules::text::clean_lines;
use tabiya_store::Store;
use tabiya_store::disk;
use tabiya_store::paths;

use super::InputEvent;

/// The settings that the line mode completes after `set`; the others are for the full screen.
const SETTINGS: [&str; 3] = ["board", "pieces", "draws"];

/// A request for a line.
#[derive(Debug)]
pub(crate) struct LineRequest {
    pub(crate) prompt: String,
    pub(crate) helper: EditorHelper,
}

/// Prints above the line being typed.
pub(crate) struct Printer(pub(super) Box<dyn ExternalPrinter + Send>);

impl Printer {
    pub(crate) fn print(&mut self, text: &str) {
        // If printing fails, the next prompt shows the state of the game.
        let _ = self.0.print(format!("{}\n", clean_lines(text)));
    }
}

/// The line being typed, as the loop and the thread of the editor share it. An engine's move changes the prompt and the
/// completions while the user types.
#[derive(Debug, Default)]
pub(crate) struct LiveLine {
    /// The prompt. All its texts have the same width, because the editor measures only the first.
    prompt: Mutex<String>,
    /// The moves that can be typed.
    moves: Mutex<Vec<String>>,
    /// Whether something is typed.
    is_begun: AtomicBool,
}

impl LiveLine {
    /// Changes the prompt and the completions.
    pub(crate) fn update(&self, prompt: &str, moves: Vec<String>) {
        *lock(&self.prompt) = prompt.to_owned();
        *lock(&self.moves) = moves;
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun.load(Ordering::Relaxed)
    }
}

fn lock<T>(text: &Mutex<T>) -> MutexGuard<'_, T> {
    // Texts are replaced as a whole.
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The completions of the editor, and its prompt.
#[derive(Debug)]
pub(crate) struct EditorHelper {
    pub(crate) line: Arc<LiveLine>,
    /// The folder of the saves, if there is one.
    pub(crate) store: Option<Store>,
}

impl Completer for EditorHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let line = line.get(..at).unwrap_or(line);
        Ok(match commands::file_begun(line) {
            Some((begin, text)) => {
                let mut found = paths::beginning_with(text);
                found.extend(commands::instead_of_file(line));
                (begin, found)
            }
            None => {
                let moves = || lock(&self.line.moves).clone();
                let saves = || self.store.as_ref().map_or_else(Vec::new, Store::names);
                let (begin, mut found) = commands::complete(line, moves, saves);
                if commands::entry_of(line).is_some_and(|entry| entry.name == "set") {
                    found.retain(|key| SETTINGS.contains(&key.as_str()));
                }
                (begin, found)
            }
        })
    }
}

impl Hinter for EditorHelper {
    type Hint = String;

    /// Gives no hint, but is told of every change of the line.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        let is_begun = !line.trim().is_empty();
        self.line.is_begun.store(is_begun, Ordering::Relaxed);
        None
    }
}

impl Highlighter for EditorHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(
        &'s self,
        prompt: &'p str,
        default: bool,
    ) -> Cow<'b, str> {
        if default {
            Cow::Owned(lock(&self.line.prompt).clone())
        } else {
            Cow::Borrowed(prompt)
        }
    }
}

impl Validator for EditorHelper {}
impl Helper for EditorHelper {}

/// Starts the thread that edits a line for each request.
pub(crate) fn start(
    requests: Receiver<LineRequest>,
    events: Sender<InputEvent>,
) -> Result<Printer, Failure> {
    let unusable = |error: ReadlineError| {
        Failure::Unusable(format!("the terminal cannot be used: {}", why(error)))
    };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .bell_style(BellStyle::None)
        .auto_add_history(true)
        // The prompt can change only while highlighting is on, so it is on even without colors.
        .color_mode(ColorMode::Forced)
        .build();
    let history = MemHistory::with_config(&config);
    let mut editor: Editor<EditorHelper, MemHistory> =
        Editor::with_history(config, history).map_err(unusable)?;
    let printer = editor.create_external_printer().map_err(unusable)?;
    let signal_printer = Printer(Box::new(
        editor.create_external_printer().map_err(unusable)?,
    ));
    restore_on_signals(signal_printer)
        .map_err(|error| Failure::Unusable(signals::unusable(&error)))?;
    let editing = threads::spawn(move || {
        let mut pasted = VecDeque::new();
        while let Ok(request) = requests.recv() {
            let event = match pasted.pop_front() {
                Some(line) => InputEvent::Line(line),
                None => {
                    editor.set_helper(Some(request.helper));
                    first_line(edit(&mut editor, &request.prompt), &mut pasted)
                }
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
    editing.map_err(|none| Failure::system("the terminal cannot be read", &none.into()))?;
    Ok(Printer(Box::new(printer)))
}

/// Keeps the first of several lines that were pasted at once. The others are handed out one by one afterwards.
fn first_line(event: InputEvent, pasted: &mut VecDeque<String>) -> InputEvent {
    let InputEvent::Line(text) = event else {
        return event;
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().to_owned();
    pasted.extend(lines.map(str::to_owned));
    InputEvent::Line(first)
}

/// Restores the terminal if a signal ends or stops the program while a line is being edited: the editor has it in raw
/// mode then. What was played is already on disk. After a stop, the line is shown again below a sentence.
#[cfg(unix)]
fn restore_on_signals(mut printer: Printer) -> io::Result<()> {
    use crossterm::event::DisableBracketedPaste;
    use crossterm::execute;
    use crossterm::style::Print;
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let before = tcgetattr(io::stdin())?;
    let restore = move || tcsetattr(io::stdin(), OptionalActions::Now, &before);
    signals::watch(Heard::EndsAndStop, move |signal| {
        match signal {
            Signal::End(number) => {
                let _ = execute!(io::stdout(), DisableBracketedPaste, Print("\n"));
                let _ = restore();
                let _ = signals::die_by(number);
            }
            Signal::Suspend => {
                let editing = tcgetattr(io::stdin());
                let _ = restore();
                let _ = signals::stop();
                // An editor that has not gone back to raw mode yet does so by itself.
                let is_raw = |modes: &LocalModes| !modes.contains(LocalModes::ICANON);
                if let Some(raw) = editing.ok().filter(|now| is_raw(&now.local_modes)) {
                    let _ = tcsetattr(io::stdin(), OptionalActions::Now, &raw);
                }
                printer.print("You are back in the game.");
            }
            Signal::Continued | Signal::Resized => {}
        }
        true
    })
}

/// There are no signals.
#[cfg(not(unix))]
fn restore_on_signals(_: Printer) -> io::Result<()> {
    Ok(())
}

/// The sentence about an error of the editor. The system's errors have sentences of our own.
fn why(error: ReadlineError) -> String {
    match error {
        ReadlineError::Io(error) => disk::why(&error).to_string(),
        #[cfg(unix)]
        ReadlineError::Errno(error) => disk::why(&error.into()).to_string(),
        error => error.to_string(),
    }
}

/// Edits one line. Ctrl-C discards the typed text, and a second one in a row exits.
fn edit(editor: &mut Editor<EditorHelper, MemHistory>, prompt: &str) -> InputEvent {
    let mut interrupted = false;
    loop {
        return match editor.readline(prompt) {
            Ok(line) => InputEvent::Line(line),
            Err(ReadlineError::Interrupted) if !interrupted => {
                interrupted = true;
                continue;
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => InputEvent::Ended,
            Err(ReadlineError::Io(error)) => InputEvent::Failed(error),
            Err(error) => InputEvent::Failed(io::Error::other(error.to_string())),
        };
    }
}
