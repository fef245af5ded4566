//! A game as one line of text.
//!
//! Its fields are separated by tabs: the FEN of its start; its result for White, `w`, `d` or `l`; and each move in UCI
//! notation with its score, separated by spaces. A score is in centipawns for the side to move; 32000 − k stands for
//! mate in k moves, and −32000 + k for being mated in k moves.

use std::fmt;
use std::str::FromStr;

use tabiya_rules::{Color, Move, Position};

/// The score of a mate on the board.
pub const MATE: i32 = 32_000;
/// The highest score that is not a mate.
pub const MAX_SCORE: i32 = 30_000;

/// The first ply after the random ones that is learned from. Before it, the engine has not yet dealt with their
/// consequences.
pub const FIRST_PLY: usize = 4;
/// Positions with higher scores teach nothing about evaluation.
pub const HIGHEST_SCORE: i32 = 2500;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// One side won.
    Won(Color),
    /// The game was drawn.
    Drawn,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Color::White) => "w",
            GameResult::Drawn => "d",
            GameResult::Won(Color::Black) => "l",
        })
    }
}

/// A move with its score for the side that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub played: Move,
    /// The score that the engine gave the position, for the side to move.
    pub score: i32,
}

/// A game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position after the random plies.
    pub start: Position,
    /// How the game ended.
    pub result: GameResult,
    /// Its moves with their scores; each is legal after the ones before it.
    pub plies: Vec<Ply>,
}

impl Game {
    /// Returns each ply with the position before it.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Ply)> {
        self.plies.iter().scan(self.start, |position, &ply| {
            let before = *position;
            *position = before.play_unchecked(ply.played);
            Some((before, ply))
        })
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}", self.start, self.result)?;
        for (i, (position, ply)) in self.positions().enumerate() {
            let separator = if i == 0 { '\t' } else { ' ' };
            write!(f, "{separator}{} {}", position.uci(ply.played), ply.score)?;
        }
        Ok(())
    }
}

/// Returns whether a move captures or promotes. The network does not learn from positions whose best move does,
/// because a search resolves them before it evaluates.
pub fn is_tactical(position: &Position, m: Move) -> bool {
    m.promotion().is_some() || position.captured(m).is_some()
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineError {
    /// A field is missing.
    Field(&'static str),
    /// The start is not a valid position.
    Fen(String),
    /// The result is not valid.
    Result(String),
    /// A move is not legal where it is played.
    Move(String),
    /// A score is not a number.
    Score(String),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Field(name) => write!(f, "there is no {name}"),
            LineError::Fen(text) => write!(f, "'{text}' is not a position"),
            LineError::Result(text) => write!(f, "'{text}' is not a result: expected w, d or l"),
            LineError::Move(text) => write!(f, "'{text}' is not a legal move there"),
            LineError::Score(text) => write!(f, "'{text}' is not a score"),
        }
    }
}

impl FromStr for Game {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Game, LineError> {
        let mut fields = line.split('\t');
        let fen = fields.next().unwrap_or_default();
        let start: Position = fen.parse().map_err(|_| LineError::Fen(fen.to_owned()))?;
        let result = match fields.next().ok_or(LineError::Field("result"))? {
            "w" => GameResult::Won(Color::White),
            "d" => GameResult::Drawn,
            "l" => GameResult::Won(Color::Black),
            other => return Err(LineError::Result(other.to_owned())),
        };
        let mut words = fields
            .next()
            .ok_or(LineError::Field("list of moves"))?
            .split_ascii_whitespace();
        let (mut position, mut plies) = (start, Vec::new());
        while let Some(text) = words.next() {
            let played = position
                .parse_uci(text)
                .map_err(|_| LineError::Move(text.to_owned()))?;
            let text = words
                .next()
                .ok_or(LineError::Field("score behind the last move"))?;
            let score = text
                .parse()
                .map_err(|_| LineError::Score(text.to_owned()))?;
            plies.push(Ply { played, score });
            position = position.play_unchecked(played);
        }
        Ok(Game {
            start,
            result,
            plies,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tw\te2e4 20 e7e5 -20 g1f3 30";

    #[test]
    fn lines_are_read_and_written_alike() {
        let game: Game = LINE.parse().expect("a game");
        assert_eq!(game.plies.len(), 3);
        assert_eq!(game.to_string(), LINE);
    }

    #[test]
    fn the_error_names_the_wrong_field() {
        let error = |line: &str| line.parse::<Game>().expect_err("refused").to_string();
        assert_eq!(error("nonsense"), "'nonsense' is not a position");
        assert_eq!(
            error(&LINE.replace("\tw\t", "\tx\t")),
            "'x' is not a result: expected w, d or l"
        );
        assert_eq!(
            error(&LINE.replace("g1f3", "g1f4")),
            "'g1f4' is not a legal move there"
        );
        assert_eq!(
            error(LINE.trim_end_matches(" 30")),
            "there is no score behind the last move"
        );
    }
}
