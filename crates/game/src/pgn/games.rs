//! Whole games: puts everything that the reader shows into a [`Record`].

use core::convert::Infallible;
use core::mem;
use core::ops::ControlFlow;
use std::io::Read;

use tabiya_rules::{CastlingMode, Position};

use super::commands::take_commands;
use super::error::{PgnError, PgnErrorKind};
use super::reader::{Progress, Reader};
use super::replay::Replay;
use super::shape::parse_result;
use super::source::{Fill, ReadSource, Source};
use super::text::Text;
use super::visitor::{Flow, Halt, Interrupt, Response, Visitor};
use super::{MAX_ANNOTATIONS, MAX_ERRORS, MAX_NODES, MAX_TAGS, MAX_TEXT};
use crate::annotation::{Annotation, Comment, Glyph};
use crate::outcome::GameResult;
use crate::record::{Node, NodeId, Record, Step};

/// A game from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PgnGame {
    /// The game as far as it could be read, with the cursor at its start.
    ///
    /// Its result is that of the `Result` tag, or the one after the moves if the tag states none.
    pub record: Record,
    /// Its errors, in the order of the text; at most [`MAX_ERRORS`](super::MAX_ERRORS).
    pub errors: Vec<PgnError>,
    /// Its byte offset in the input.
    pub offset: u64,
}

/// Returns the games in a text, whole and checked.
///
/// ```
/// use tabiya_game::pgn;
///
/// let text = b"[White \"Ann\"]\n\n1. e4 e5 (1... c5 {sharper}) 2. Nf3 *";
/// for game in pgn::games(text) {
///     for node in game.record.cursor_line() {
///         println!("{}", node.position().fen());
///     }
///     assert_eq!(game.record.tags().get("White"), Some("Ann"));
///     assert!(game.errors.is_empty());
/// }
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games {
        reader: RecordReader::new(text),
    }
}

/// An iterator over the games in a text, created by [`games`].
#[derive(Debug)]
pub struct Games<'a> {
    reader: RecordReader<&'a [u8]>,
}

impl Iterator for Games<'_> {
    type Item = PgnGame;

    fn next(&mut self) -> Option<PgnGame> {
        let game: Result<_, Infallible> = self.reader.read();
        match game {
            Ok(game) => game,
        }
    }
}

/// Reads games from a [`Source`] one by one, each as a whole [`PgnGame`].
///
/// It holds only one game at a time, and of that one no more than [`MAX_NODES`](super::MAX_NODES) moves,
/// [`MAX_ANNOTATIONS`](super::MAX_ANNOTATIONS) annotations and [`MAX_TEXT`](super::MAX_TEXT) bytes of comments.
/// A longer game gets an error and is truncated.
///
/// It is also an iterator, which ends after the first error of its source.
#[derive(Debug)]
pub struct RecordReader<S> {
    reader: Reader<S>,
    replay: Replay<Builder>,
    has_failed: bool,
}

impl<R: Read> RecordReader<ReadSource<R>> {
    /// Creates a reader of a file, a pipe, or anything else that implements [`Read`].
    ///
    /// ```
    /// use tabiya_game::pgn::RecordReader;
    ///
    /// let text = &b"1. e4 e5 1-0 1. d4 *"[..];
    /// let games: Result<Vec<_>, _> = RecordReader::from_read(text).collect();
    /// assert_eq!(games?.len(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_read(reader: R) -> RecordReader<ReadSource<R>> {
        RecordReader::new(ReadSource::new(reader))
    }
}

impl<S: Source> RecordReader<S> {
    /// Creates a reader at the beginning of a source.
    pub fn new(source: S) -> RecordReader<S> {
        RecordReader::from_reader(Reader::new(source))
    }

    /// Creates a reader that continues where another one stopped.
    pub fn from_reader(reader: Reader<S>) -> RecordReader<S> {
        RecordReader {
            reader,
            replay: Replay::new(Builder::new()),
            has_failed: false,
        }
    }

    /// Reads the next game; `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the source fails.
    pub fn read(&mut self) -> Result<Option<PgnGame>, S::Error> {
        let replay = &mut self.replay;
        let game = self
            .reader
            .read_with(|progress, source| read_record(progress, source, replay));
        game.map_err(|error| {
            // What has been read of the game is discarded.
            *self.replay.visitor_mut() = Builder::new();
            error.into_source_error()
        })
    }

    /// Returns the number of bytes of the input that have been read.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }
}

impl<S: Source> Iterator for RecordReader<S> {
    type Item = Result<PgnGame, S::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let game = self.read().transpose();
        self.has_failed = matches!(game, Some(Err(_)));
        game
    }
}

/// Reads the next game of any source. Not generic, so that it is compiled here, once, and not in every crate that reads games.
fn read_record(
    progress: &mut Progress,
    source: &mut dyn Fill,
    replay: &mut Replay<Builder>,
) -> Result<Option<PgnGame>, Halt<Replay<Builder>>> {
    progress.read_game(source, replay)
}

/// The answer to anything that a record from a file has no room for.
const TOO_LONG: Response<Infallible> =
    ControlFlow::Break(Interrupt::Error(PgnErrorKind::GameTooLong));

/// The tags that a game may be written with besides those of its record: the seven of the roster, `Variant`, `SetUp`
/// and `FEN`. With room for them, what is written of any record is read again.
const ALWAYS_WRITTEN: usize = 10;

/// Puts the events of one game into a record.
#[derive(Debug)]
struct Builder {
    game: PgnGame,
    /// The node of the last step.
    at: NodeId,
    /// The open variations.
    open: Vec<Variation>,
    /// The first node of the variation that just ended, for the comments that follow it.
    ended: Option<NodeId>,
    /// What stands in a variation before its first move. It belongs to that move.
    waiting: Option<Annotation>,
    tagged_result: GameResult,
    nodes: usize,
    annotations: usize,
    text: usize,
}

/// A variation being read.
#[derive(Debug)]
struct Variation {
    /// The last node of the line that it interrupts.
    outer: NodeId,
    first: Option<NodeId>,
}

impl Builder {
    fn new() -> Builder {
        let record = Record::new(Position::start());
        Builder {
            game: PgnGame {
                record,
                errors: Vec::new(),
                offset: 0,
            },
            at: NodeId::ROOT,
            open: Vec::new(),
            ended: None,
            waiting: None,
            tagged_result: GameResult::Unknown,
            nodes: 0,
            annotations: 0,
            text: 0,
        }
    }

    /// Counts another annotation of this length, if there is room for it.
    fn make_room(&mut self, text: usize) -> Response<Infallible> {
        self.annotations += 1;
        self.text += text;
        if self.annotations > MAX_ANNOTATIONS || self.text > MAX_TEXT {
            return TOO_LONG;
        }
        ControlFlow::Continue(())
    }

    /// Returns the annotation for something at this place.
    fn annotation(&mut self) -> Option<&mut Annotation> {
        match &mut self.waiting {
            Some(waiting) => Some(waiting),
            None => self.game.record.annotation_mut(self.at),
        }
    }

    /// Returns the list for a comment that follows the end of a variation.
    fn comments_after_variation(&mut self) -> Option<&mut Vec<Comment>> {
        let first = self.game.record.node(self.ended?)?;
        // A variation that repeats its parent line is part of that line.
        let is_main = first.parent()?.next()?.id() == first.id();
        let id = first.id();
        if is_main {
            return None;
        }
        let annotation = self.game.record.annotation_mut(id)?;
        Some(&mut annotation.after)
    }

    /// Adds what was written before the first move of a variation to that move.
    fn attach(&mut self, waiting: Annotation) {
        if waiting.is_empty() {
            return;
        }
        if let Some(annotation) = self.game.record.annotation_mut(self.at) {
            *annotation = waiting;
        }
    }

    /// Keeps what was written in a variation without moves: it goes to the move that the variation would have
    /// replaced.
    fn rescue(&mut self, waiting: Annotation) {
        if waiting.is_empty() {
            return;
        }
        if let Some(annotation) = self.game.record.annotation_mut(self.at) {
            for command in waiting.commands() {
                // It was a valid command before, so it still is.
                let _ = annotation.add_command(command.name(), command.argument());
            }
            annotation.comments.extend(waiting.before);
            annotation.glyphs.extend(waiting.glyphs);
            annotation.squares.extend(waiting.squares);
            annotation.arrows.extend(waiting.arrows);
        }
    }
}

impl Visitor for Builder {
    type Output = PgnGame;
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.game.offset = offset;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        if self.text > MAX_TEXT {
            return ControlFlow::Continue(());
        }
        self.text += value.raw().len();
        if self.text > MAX_TEXT {
            return TOO_LONG;
        }
        if name == b"Result" {
            self.tagged_result = parse_result(value).unwrap_or_default();
        }
        let value = value.decode();
        let name = String::from_utf8_lossy(name);
        let tags = self.game.record.tags_mut();
        // The only tags refused are those that the record derives.
        if tags.set(&name, &value).is_ok() && tags.len() + ALWAYS_WRITTEN > MAX_TAGS {
            tags.remove(&name);
            return ControlFlow::Break(PgnErrorKind::TooManyTags.into());
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, start: &Position) {
        let mut tags = mem::take(self.game.record.tags_mut());
        if start.castling_mode() == CastlingMode::Chess960 {
            // The start position already says it.
            tags.remove("Variant");
        }
        self.game.record = Record::new(*start);
        *self.game.record.tags_mut() = tags;
        self.game.record.set_result(self.tagged_result);
    }

    fn step(&mut self, _: &Position, step: Step, after: &Position) -> Response<Infallible> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return TOO_LONG;
        }
        // The replay has already played the move.
        let Ok(added) = self.game.record.push(self.at, step, *after) else {
            return TOO_LONG;
        };
        self.at = added;
        self.ended = None;
        if let Some(variation) = self.open.last_mut() {
            variation.first.get_or_insert(self.at);
        }
        if let Some(waiting) = self.waiting.take() {
            self.attach(waiting);
        }
        ControlFlow::Continue(())
    }

    fn glyph(&mut self, glyph: u8) -> Response<Infallible> {
        self.make_room(0)?;
        if let Some(annotation) = self.annotation() {
            annotation.glyphs.push(Glyph(glyph));
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, text: Text<'_>) -> Response<Infallible> {
        self.make_room(text.raw().len())?;
        let is_before = self.waiting.is_some();
        let Some(annotation) = self.annotation() else {
            return ControlFlow::Continue(());
        };
        let plain = take_commands(&text.decode(), annotation);
        let Some(comment) = Comment::new(&plain) else {
            return ControlFlow::Continue(());
        };
        if is_before {
            annotation.before.push(comment);
        } else if let Some(after) = self.comments_after_variation() {
            after.push(comment);
        } else if let Some(annotation) = self.annotation() {
            annotation.comments.push(comment);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        let parent = self.game.record.node(self.at).and_then(Node::parent);
        let Some(parent) = parent.map(Node::id) else {
            return ControlFlow::Continue(Flow::Skip);
        };
        self.open.push(Variation {
            outer: self.at,
            first: None,
        });
        self.ended = None;
        self.at = parent;
        self.waiting = Some(Annotation::default());
        ControlFlow::Continue(Flow::Read)
    }

    fn end_variation(&mut self) {
        if let Some(variation) = self.open.pop() {
            self.at = variation.outer;
            self.ended = variation.first;
        }
        if let Some(waiting) = self.waiting.take() {
            self.rescue(waiting);
        }
    }

    fn result(&mut self, result: GameResult) {
        if self.tagged_result == GameResult::Unknown {
            self.game.record.set_result(result);
        }
    }

    fn error(&mut self, error: PgnError) {
        if self.game.errors.len() < MAX_ERRORS {
            self.game.errors.push(error);
        }
    }

    fn end_game(&mut self) -> PgnGame {
        mem::replace(self, Builder::new()).game
    }
}
