//! Reads the games of a source one after another.

use core::ops::ControlFlow;

use super::movetext::Parser;
use super::outside;
use super::source::{Buffer, ErasedSource, Fill, Source, SourceFailed, Window};
use super::text_position::TextPosition;
use super::visitor::{Flow, Halt, ReadError, Silent, Visitor};

/// Reads games from a [`Source`] and shows them to a [`Visitor`].
///
/// It makes one pass, in linear time. The only memory is one buffer of 64 KiB, which grows to at most 2 MiB for a
/// long tag or comment. A game ends with its result, where the tags of another begin, or where its first move
/// follows an empty line. Errors are shown to the visitor and never stop the reader.
///
/// The reader knows no rules: use a [`Replay`](super::Replay) to have every move checked, or
/// [`games`](super::games()) to get whole records.
///
/// ```
/// use std::convert::Infallible;
/// use std::ops::ControlFlow;
/// use tabiya_game::pgn::{Reader, Response, Visitor};
///
/// /// Counts the moves of a game, variations included.
/// #[derive(Default)]
/// struct Moves(u32);
///
/// impl Visitor for Moves {
///     type Output = u32;
///     type Stop = Infallible;
///
///     fn san(&mut self, _: &[u8]) -> Response<Infallible> {
///         self.0 += 1;
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self) -> u32 {
///         std::mem::take(&mut self.0)
///     }
/// }
///
/// let mut reader = Reader::new(&b"1. e4 e5 (1... c5) 2. Nf3 *"[..]);
/// assert_eq!(reader.read_game(&mut Moves::default())?, Some(4));
/// assert_eq!(reader.read_game(&mut Moves::default())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<S> {
    source: S,
    progress: Progress,
}

impl<S: Source> Reader<S> {
    /// Creates a reader at the beginning of a source.
    pub fn new(source: S) -> Reader<S> {
        Reader::starting_at(source, TextPosition::START)
    }

    /// Creates a reader of a part of a longer text: positions of errors and offsets of games are counted from
    /// `start`.
    pub fn starting_at(source: S, start: TextPosition) -> Reader<S> {
        Reader {
            source,
            progress: Progress {
                window: Window::new(start),
                left: None,
            },
        }
    }

    /// Reads the next game and returns the visitor's output; `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the source fails or the visitor stops.
    pub fn read_game<V: Visitor>(
        &mut self,
        visitor: &mut V,
    ) -> Result<Option<V::Output>, EarlyEnd<S, V>> {
        self.read_with(|progress, source| progress.read_game(source, visitor))
    }

    /// Reads without knowing what the source is, and gives errors their type again.
    pub(super) fn read_with<T, B>(
        &mut self,
        read: impl FnOnce(&mut Progress, &mut dyn Fill) -> Result<T, ReadError<SourceFailed, B>>,
    ) -> Result<T, ReadError<S::Error, B>> {
        let mut erased = ErasedSource::new(&mut self.source);
        read(&mut self.progress, &mut erased).map_err(|halt| match halt {
            ReadError::Stopped(stop) => ReadError::Stopped(stop),
            // Only a fill that fails returns it, and keeps its error first.
            ReadError::Source(SourceFailed) => {
                ReadError::Source(erased.into_error().expect("the error of a failed source"))
            }
        })
    }

    /// Reads all remaining games and returns their number.
    ///
    /// # Errors
    /// Fails if the source fails or the visitor stops.
    pub fn read_all<V: Visitor>(&mut self, visitor: &mut V) -> Result<u64, EarlyEnd<S, V>> {
        let mut count = 0;
        while self.read_game(visitor)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    /// Returns the position of the last game read.
    pub fn game_place(&mut self) -> TextPosition {
        self.progress.window.game_place()
    }

    /// Returns the number of bytes of the input that have been parsed.
    pub fn offset(&self) -> u64 {
        self.progress.window.offset()
    }

    /// Returns the source. Up to one buffer beyond the parsed text has been read from it.
    pub fn into_source(self) -> S {
        self.source
    }
}

/// Why reading a game ended early, for a source and a visitor.
type EarlyEnd<S, V> = ReadError<<S as Source>::Error, <V as Visitor>::Stop>;

/// How far a text has been read. It is the same for all sources.
#[derive(Debug)]
pub(super) struct Progress {
    window: Window,
    /// Where the game is that a visitor stopped, whose rest has to be skipped.
    left: Option<Left>,
}

impl Progress {
    /// Like [`Reader::read_game`].
    pub(super) fn read_game<V: Visitor>(
        &mut self,
        source: &mut dyn Fill,
        visitor: &mut V,
    ) -> Result<Option<V::Output>, Halt<V>> {
        if let Some(left) = self.left {
            self.pass_over(source, left)?;
        }
        let mut buffer = Buffer {
            window: &mut self.window,
            source,
        };
        if !outside::find_game(&mut buffer, visitor)? {
            return Ok(None);
        }
        buffer.begin_game();
        let skipped = match visitor.begin_game(buffer.offset()) {
            ControlFlow::Continue(flow) => flow == Flow::Skip,
            ControlFlow::Break(stop) => {
                self.left = Some(Left::Tags);
                return Err(ReadError::Stopped(stop));
            }
        };
        let mut game = Parser::new(buffer, visitor, skipped);
        let mut left = Some(Left::Tags);
        match read(&mut game, &mut left) {
            Ok(()) => Ok(Some(visitor.end_game())),
            Err(halt) => {
                if let ReadError::Stopped(_) = halt {
                    self.left = left;
                }
                Err(halt)
            }
        }
    }

    /// Skips the rest of a game that a visitor stopped.
    #[cold]
    fn pass_over(&mut self, source: &mut dyn Fill, left: Left) -> Result<(), SourceFailed> {
        let mut silent = Silent;
        let buffer = Buffer {
            window: &mut self.window,
            source,
        };
        let mut rest = Parser::new(buffer, &mut silent, true);
        let mut still_left = Some(left);
        let passed = match left {
            Left::Tags => read(&mut rest, &mut still_left),
            Left::Moves { depth } => {
                rest.skip_rest(depth);
                rest.movetext()
            }
        };
        // If the source fails here, the rest still has to be skipped.
        self.left = passed.as_ref().err().and(still_left);
        passed.map_err(ReadError::into_source_error)
    }
}

/// Where in a game reading was stopped.
#[derive(Clone, Copy, Debug)]
enum Left {
    Tags,
    /// Inside this many variations.
    Moves {
        depth: usize,
    },
}

/// Reads a game, and says where it was if it does not reach the end.
fn read<V: Visitor>(game: &mut Parser<'_, V>, left: &mut Option<Left>) -> Result<(), Halt<V>> {
    let has_moves = game.tags()?;
    *left = has_moves.then_some(Left::Moves { depth: 0 });
    let is_skipped = game.silent
        || match game.visitor.end_tags() {
            ControlFlow::Continue(flow) => flow == Flow::Skip,
            ControlFlow::Break(stop) => return Err(ReadError::Stopped(stop)),
        };
    if is_skipped {
        game.skip_moves();
    }
    if !has_moves {
        return Ok(());
    }
    let outcome = game.movetext();
    if outcome.is_err() {
        *left = Some(Left::Moves { depth: game.depth });
    }
    outcome
}
