//! Reading PGN: Tabiya's reader against `pgn-reader`, which uses shakmaty for
//! the rules, on the two kinds of games that come in its package.

use std::{convert::Infallible, io, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, Reader as PeerReader, SanPlus, Skip, Visitor as PeerVisitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use tabiya_game::{
    Step,
    pgn::{Flow, PgnError, ReadError, Reader, Replay, Response, Text, Visitor},
};
use tabiya_rules::Position;

/// What is done with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workload {
    /// Finding the tags, moves and comments, and nothing else.
    Tokens,
    /// Playing every move of the main lines by the rules.
    Validation,
}

/// What a reader found: games, tags, moves, comments, errors. Validation counts
/// neither tags nor comments.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Found {
    /// Games.
    pub games: u64,
    /// Tags.
    pub tags: u64,
    /// Moves.
    pub moves: u64,
    /// Comments.
    pub comments: u64,
    /// Moves that cannot be played, and whatever else is wrong.
    pub errors: u64,
}

/// A reader that takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entrant {
    /// This project's.
    Tabiya,
    /// The peer.
    PgnReader,
}

impl Entrant {
    /// All that take part.
    pub const ALL: [Self; 2] = [Self::Tabiya, Self::PgnReader];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tabiya => "tabiya",
            Self::PgnReader => "pgn-reader",
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// What the peer's reader reports; reading from memory cannot fail.
    pub fn read(self, task: Workload, text: &[u8]) -> io::Result<Found> {
        match (self, task) {
            (Self::Tabiya, Workload::Tokens) => {
                let mut count = Count(Found::default());
                never(Reader::new(text).read_all(&mut count));
                Ok(count.0)
            }
            (Self::Tabiya, Workload::Validation) => {
                let mut replay = Replay::new(Check(Found::default()));
                never(Reader::new(text).read_all(&mut replay));
                Ok(replay.into_visitor().0)
            }
            (Self::PgnReader, Workload::Tokens) => {
                let mut count = Count(Found::default());
                PeerReader::new(text).visit_all_games(&mut count)?;
                Ok(count.0)
            }
            (Self::PgnReader, Workload::Validation) => {
                let mut check = Check(Found::default());
                PeerReader::new(text).visit_all_games(&mut check)?;
                Ok(check.0)
            }
        }
    }
}

fn never<T>(outcome: Result<T, ReadError<Infallible, Infallible>>) -> T {
    let Ok(value) = outcome;
    value
}

/// Counts tokens.
struct Count(Found);

/// Plays the main lines.
struct Check(Found);

impl Visitor for Count {
    type Output = ();
    type Stop = Infallible;

    fn tag(&mut self, _: &[u8], _: Text<'_>) -> Response<Infallible> {
        self.0.tags += 1;
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &[u8]) -> Response<Infallible> {
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: Text<'_>) -> Response<Infallible> {
        self.0.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn error(&mut self, _: PgnError) {
        self.0.errors += 1;
    }

    fn end_game(&mut self) {
        self.0.games += 1;
    }
}

impl Visitor for Check {
    type Output = ();
    type Stop = Infallible;

    fn step(&mut self, _: &Position, _: Step, _: &Position) -> Response<Infallible> {
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn error(&mut self, _: PgnError) {
        self.0.errors += 1;
    }

    fn end_game(&mut self) {
        self.0.games += 1;
    }
}

impl PeerVisitor for Count {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        self.0.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), _: RawComment<'_>) -> ControlFlow<()> {
        self.0.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (): ()) {
        self.0.games += 1;
    }
}

impl PeerVisitor for Check {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<()> {
        if name == b"FEN" {
            *start = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                self.0.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => {
                self.0.errors += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Chess) {
        self.0.games += 1;
    }
}
