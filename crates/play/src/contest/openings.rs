//! Where the games of a match begin: positions from a file, moves from a book, or random starts that the engine
//! considers balanced.

use tabiya_engine::Settings;
use tabiya_game::pgn;
use tabiya_rules::text::excerpt;
use tabiya_rules::{Epd, Move, MoveHistory, Position, Score, SetupError, SplitMix64};
use tabiya_uci::Go;
use thiserror::Error;

use crate::players::{BlockingPlayer, BookUnreadable, PlayerConfig, SharedBook, StopHandle};

/// The largest number of openings read from a file.
const MAX_OPENINGS: usize = 100_000;
/// How many plies a random opening has.
const RANDOM_PLIES: usize = 8;
/// A random move is accepted if a search of this many nodes gives neither side more than this advantage.
const ROUGH: (u64, i32) = (400, 120);
/// An opening is accepted if a search of this many nodes gives neither side more than this advantage.
const FINE: (u64, i32) = (8000, 50);

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The starting position.
    pub start: Position,
    /// The moves that are played for the players.
    pub moves: Vec<Move>,
}

/// Where the games of a match begin.
#[derive(Clone, Debug)]
pub enum Openings {
    /// From balanced positions reached by random moves.
    Random,
    /// From these in turn, starting over when all have been played.
    Listed(Vec<Opening>),
    /// From moves of a book, picked by weight.
    Book {
        /// The book.
        book: SharedBook,
        /// How many plies an opening has at most.
        plies: usize,
    },
}

impl Openings {
    /// Shuffles a list of openings with a seed.
    pub fn shuffle(&mut self, seed: u64) {
        if let Openings::Listed(list) = self {
            let mut random = SplitMix64::new(seed);
            for last in (1..list.len()).rev() {
                list.swap(last, random.below(last + 1));
            }
        }
    }
}

/// Finds the openings of a match. Each thread that plays has its own.
#[derive(Debug)]
pub(super) struct OpeningPicker {
    player: BlockingPlayer,
}

impl OpeningPicker {
    /// Starts the engine that looks for balanced openings; `None` if it cannot start.
    pub(super) fn new() -> Option<OpeningPicker> {
        // It clears the table before each short search, so a small table is fastest.
        let settings = Settings::new().with_hash(1);
        let player = BlockingPlayer::start(&PlayerConfig::Bot(settings.into())).ok()?;
        Some(OpeningPicker { player })
    }

    /// The opening of a pair of games; `None` if the search was stopped. It depends only on the seed and the number of
    /// the pair.
    ///
    /// # Errors
    /// The book cannot be read.
    pub(super) fn find(
        &mut self,
        openings: &Openings,
        seed: u64,
        pair: u32,
        stop: &StopHandle,
    ) -> Result<Option<Opening>, BookUnreadable> {
        let mut random = SplitMix64::new(seed ^ SplitMix64::new(u64::from(pair)).next_u64());
        match openings {
            Openings::Listed(list) => {
                let at = usize::try_from(pair).unwrap_or(usize::MAX);
                let at = at.checked_rem(list.len());
                Ok(at.and_then(|at| list.get(at)).cloned())
            }
            Openings::Book { book, plies } => from_book(book, *plies, &mut random).map(Some),
            Openings::Random => loop {
                if stop.is_asked() {
                    return Ok(None);
                }
                if let Some(opening) = self.try_random_opening(&mut random, stop) {
                    return Ok(Some(opening));
                }
            },
        }
    }

    /// Plays random moves. Returns `None` if they lead to no balanced position.
    fn try_random_opening(
        &mut self,
        random: &mut SplitMix64,
        stop: &StopHandle,
    ) -> Option<Opening> {
        let mut played = MoveHistory::default();
        for _ in 0..RANDOM_PLIES {
            let mut moves = played.current().legal_moves().to_vec();
            loop {
                if moves.is_empty() {
                    return None;
                }
                let chosen = moves.swap_remove(random.below(moves.len()));
                let mut next = played.clone();
                if next.push(chosen).is_err() {
                    continue;
                }
                if self.is_balanced(&next, ROUGH, stop) {
                    played = next;
                    break;
                }
            }
        }
        self.is_balanced(&played, FINE, stop).then(|| Opening {
            start: *played.start(),
            moves: played.moves().to_vec(),
        })
    }

    /// Whether a short search gives neither side more than an advantage.
    fn is_balanced(
        &mut self,
        played: &MoveHistory,
        (nodes, most): (u64, i32),
        stop: &StopHandle,
    ) -> bool {
        // What was learned from another line must not change the result, or it would depend on the order of the pairs.
        if self.player.new_game(0).is_err() {
            return false;
        }
        let go = Go::new().with_nodes(nodes);
        let mut score = None;
        let thought = self.player.think(played, go, stop, |info| {
            score = info.info.score.map(|score| score.value);
        });
        let quiet = matches!(score, Some(Score::Centipawns(value)) if value.abs() <= most);
        quiet && thought.is_ok_and(|thought| thought.reply.best.is_some())
    }
}

/// Follows the book from the start as far as it goes. A move that ends the game is not part of an opening.
fn from_book(
    book: &SharedBook,
    plies: usize,
    random: &mut SplitMix64,
) -> Result<Opening, BookUnreadable> {
    let start = Position::start();
    let (mut here, mut moves) = (start, Vec::new());
    while moves.len() < plies
        && let Some(m) = book.pick(&here, random.next_u64())?
    {
        let next = here.play_unchecked(m);
        if !next.has_legal_move() {
            break;
        }
        here = next;
        moves.push(m);
    }
    Ok(Opening { start, moves })
}

/// Why a file has no usable openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningsError {
    /// The file has no openings.
    #[error("there is no opening in it, as PGN or EPD")]
    None,
    /// A line of an EPD file is not a position, or has no legal moves.
    #[error("line {number} is no position to play from: {reason}")]
    Line {
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        reason: LineError,
    },
}

/// Why no game can start from a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// It is not a FEN.
    #[error("'{0}' is neither FEN nor EPD")]
    Unreadable(String),
    /// The position is not valid.
    #[error("{0}")]
    Position(Box<SetupError>),
    /// The position has no legal move.
    #[error("the game is over there")]
    Over,
}

/// Reads openings: one position per line (EPD or FEN), or games (PGN), of which the first plies are used. The first
/// non-empty line decides which it is.
///
/// # Errors
/// The file has no openings, or a line is not a position that can be played from.
pub fn read_openings(bytes: &[u8], plies: usize) -> Result<Vec<Opening>, OpeningsError> {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().map(str::trim).find(|line| is_content(line));
    let list = match first {
        Some(line) if position(line).is_ok() => positions(&text)?,
        _ => games(bytes, plies),
    };
    if list.is_empty() {
        return Err(OpeningsError::None);
    }
    Ok(list)
}

/// Whether a line is neither empty nor a comment.
fn is_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// The position of a line in FEN or EPD.
fn position(line: &str) -> Result<Position, LineError> {
    if let Ok(position) = Position::from_fen(line) {
        return Ok(position);
    }
    let epd: Epd = line
        .parse()
        .map_err(|_| LineError::Unreadable(excerpt(line)))?;
    epd.position()
        .map_err(|error| LineError::Position(Box::new(error)))
}

/// The positions of a file in FEN or EPD, one per line.
fn positions(text: &str) -> Result<Vec<Opening>, OpeningsError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines
        .filter(|(_, line)| is_content(line))
        .take(MAX_OPENINGS);
    lines
        .map(|(number, line)| {
            let refuse = |reason| OpeningsError::Line { number, reason };
            let start = position(line).map_err(refuse)?;
            let moves = Vec::new();
            let opening = start.has_legal_move().then_some(Opening { start, moves });
            opening.ok_or_else(|| refuse(LineError::Over))
        })
        .collect()
}

/// Reads games as far as they are valid. A game from the standard start without moves is not an opening.
fn games(bytes: &[u8], plies: usize) -> Vec<Opening> {
    let openings = pgn::games(bytes).map(|game| {
        let line = game.record.main_line().take(plies);
        let open = line.take_while(|node| node.position().has_legal_move());
        Opening {
            start: *game.record.start(),
            moves: open.map_while(|node| node.step()?.played()).collect(),
        }
    });
    openings
        .filter(|opening| !opening.moves.is_empty() || opening.start != Position::start())
        .take(MAX_OPENINGS)
        .collect()
}

#[cfg(test)]
mod tests;
