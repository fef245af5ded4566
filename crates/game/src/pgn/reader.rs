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
                stopped_in: None,
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
    /// Where a visitor stopped inside a game. The rest of that game is skipped first.
    stopped_in: Option<StoppedIn>,
}

impl Progress {
    /// Like [`Reader::read_game`].
    pub(super) fn read_game<V: Visitor>(
        &mut self,
        source: &mut dyn Fill,
        visitor: &mut V,
    ) -> Result<Option<V::Output>, Halt<V>> {
        if let Some(stopped_in) = self.stopped_in {
            self.skip_stopped_game(source, stopped_in)?;
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
                self.stopped_in = Some(StoppedIn::Tags);
                return Err(ReadError::Stopped(stop));
            }
        };
        let mut game = Parser::new(buffer, visitor, skipped);
        let mut place = Some(StoppedIn::Tags);
        match read(&mut game, &mut place) {
            Ok(()) => Ok(Some(visitor.end_game())),
            Err(halt) => {
                if let ReadError::Stopped(_) = halt {
                    self.stopped_in = place;
                }
                Err(halt)
            }
        }
    }

    /// Skips the rest of a game that a visitor stopped.
    #[cold]
    fn skip_stopped_game(
        &mut self,
        source: &mut dyn Fill,
        stopped_in: StoppedIn,
    ) -> Result<(), SourceFailed> {
        let mut silent = Silent;
        let buffer = Buffer {
            window: &mut self.window,
            source,
        };
        let mut rest = Parser::new(buffer, &mut silent, true);
        let mut place = Some(stopped_in);
        let skipped = match stopped_in {
            StoppedIn::Tags => read(&mut rest, &mut place),
            StoppedIn::Moves { depth } => {
                rest.skip_rest(depth);
                rest.movetext()
            }
        };
        // If the source fails here, the rest still has to be skipped.
        self.stopped_in = skipped.as_ref().err().and(place);
        skipped.map_err(ReadError::into_source_error)
    }
}

/// Where in a game a visitor stopped.
#[derive(Clone, Copy, Debug)]
enum StoppedIn {
    Tags,
    /// Inside this many variations.
    Moves {
        depth: usize,
    },
}

/// Reads a game. If it does not reach the end, `place` is where it was.
fn read<V: Visitor>(
    game: &mut Parser<'_, V>,
    place: &mut Option<StoppedIn>,
) -> Result<(), Halt<V>> {
    let has_moves = game.tags()?;
    *place = has_moves.then_some(StoppedIn::Moves { depth: 0 });
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
        *place = Some(StoppedIn::Moves { depth: game.depth });
    }
    outcome
}
