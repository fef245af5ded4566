//! Reading the games of a source one after the other.

use super::movetext::Parser;
use super::outside;
use super::source::{Buffer, Source};
use super::text_position::TextPosition;
use super::visitor::{Flow, Visitor};

/// Reads games from a [`Source`] and shows them to a [`Visitor`].
///
/// One pass, in time linear in the input; the only memory is one buffer of 64 KiB, which grows to at most
/// 2 MiB for a long tag or comment. A game ends with its result, where the tags of another begin, or where its first
/// move follows an empty line. Errors are shown to the visitor and never end the reading.
///
/// The reader knows no rules: give it a [`Replay`](super::Replay) to have every move checked, or use
/// [`games`](super::games()) to get whole records.
#[derive(Debug)]
pub struct Reader<S> {
    buffer: Buffer<S>,
}

impl<S: Source> Reader<S> {
    /// A reader at the beginning of a source.
    pub fn new(source: S) -> Reader<S> {
        Reader::starting_at(source, TextPosition::START)
    }

    /// A reader of a source that is itself a part of something longer: places of errors and offsets of games are
    /// counted from there.
    pub fn starting_at(source: S, start: TextPosition) -> Reader<S> {
        Reader {
            buffer: Buffer::new(source, start),
        }
    }

    /// Reads the next game. Returns whether there was one.
    ///
    /// # Errors
    /// What the source reports. The game is then left unfinished, and reading may be tried again.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, S::Error> {
        if !outside::find_game(&mut self.buffer, visitor)? {
            return Ok(false);
        }
        self.buffer.begin_game();
        let skipped = visitor.begin_game(self.buffer.offset()) == Flow::Skip;
        let mut game = Parser::new(&mut self.buffer, visitor, skipped);
        let has_moves = game.tags()?;
        if game.silent || game.visitor.end_tags() == Flow::Skip {
            game.skip_moves();
        }
        if has_moves {
            game.movetext()?;
        }
        if !game.silent {
            game.visitor.end_game();
        }
        Ok(true)
    }

    /// Reads all games that are left and returns how many there were.
    ///
    /// # Errors
    /// What the source reports.
    pub fn read_all<V: Visitor>(&mut self, visitor: &mut V) -> Result<u64, S::Error> {
        let mut count = 0;
        while self.read_game(visitor)? {
            count += 1;
        }
        Ok(count)
    }

    /// Where the game begins that was read last.
    pub fn game_place(&mut self) -> TextPosition {
        self.buffer.game_place()
    }

    /// How many bytes of the input were read.
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The source, from which up to a buffer more was taken than was read.
    pub fn into_source(self) -> S {
        self.buffer.into_source()
    }
}
