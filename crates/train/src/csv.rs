//! Files of puzzles in the form of Lichess: comma-separated values, one puzzle a line, columns by the names in the first line.
//!
//! A row is text; [`Puzzle::try_from`](crate::puzzle::Puzzle) checks its moves. Nothing here needs more memory than a line.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// The longest solution that is read, with the opponent's moves and the one before it.
pub(crate) const MAX_MOVES: usize = 80;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 16 << 10;

/// The first line of a file that is written.
pub const HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// The columns that are read.
const COLUMNS: [&str; 7] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Themes",
    "GameUrl",
];

/// A row: text whose moves have not been tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleRow {
    /// Its name in the source.
    pub id: String,
    /// The position before the opponent's move.
    pub fen: String,
    /// The opponent's move, then the solution, in UCI notation.
    pub moves: Vec<String>,
    /// The rating that it got from the people who tried it.
    pub rating: Option<u32>,
    /// The deviation of that rating.
    pub rd: Option<u32>,
    /// What it is about, by names such as `mateIn2`.
    pub themes: Vec<String>,
    /// Where its game is on the web.
    pub url: String,
}

impl PuzzleRow {
    /// The line of this row under [`HEADER`], without its end.
    #[must_use]
    pub fn line(&self) -> String {
        let number = |number: Option<u32>| number.map_or(String::new(), |it| it.to_string());
        let fields = [
            self.id.clone(),
            self.fen.clone(),
            self.moves.join(" "),
            number(self.rating),
            number(self.rd),
            // Nobody has tried it here, and nobody has named its opening.
            String::new(),
            String::new(),
            self.themes.join(" "),
            self.url.clone(),
            String::new(),
        ];
        fields.map(|field| quoted(&field)).join(",")
    }
}

/// A field, in quotes if it has to be.
fn quoted(field: &str) -> String {
    // A line has one row, whatever is in it.
    let field = field.replace(['\r', '\n'], " ");
    match field.contains([',', '"']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field,
    }
}

/// Why a row is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PuzzleFault {
    /// It is too long, not text, or has a quote in the wrong place.
    #[error("the row is too long, not text, or has a quote in the wrong place")]
    Row,
    /// It has no position, or no moves.
    #[error("the position or the moves are missing")]
    Columns,
    /// The position is not valid.
    #[error("the position is not valid")]
    Position,
    /// The moves are those of the opponent and the player in turn, and the player has the last one.
    #[error("there must be an even number of moves, at least 2 and at most {MAX_MOVES}")]
    Length,
    /// A move is not legal.
    #[error("move {0} is not legal")]
    Move(usize),
}

/// Why a file has no rows, or no more.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CsvError {
    /// The first line does not name the columns.
    #[error("this is no file of puzzles: its first line does not name the columns FEN and Moves")]
    Header,
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What a line turned out to be, with its number from 1.
pub type NumberedRow = (u64, Result<PuzzleRow, PuzzleFault>);

/// Reads the rows of a file one after another.
#[derive(Debug)]
pub struct Rows<R> {
    input: R,
    /// Where each of [`COLUMNS`] is.
    places: [Option<usize>; COLUMNS.len()],
    line: Vec<u8>,
    /// Whether the end of a line that is too long is still to come.
    is_inside: bool,
    number: u64,
}

impl<R: BufRead> Rows<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// It does not name the columns of the position and the moves, or cannot be read.
    pub fn new(input: R) -> Result<Rows<R>, CsvError> {
        let mut rows = Rows {
            input,
            places: [None; COLUMNS.len()],
            line: Vec::new(),
            is_inside: false,
            number: 0,
        };
        // One that is too long is not read to its end: it may have none.
        if rows.read_line()? == Some(false) {
            return Err(CsvError::Header);
        }
        let line = rows
            .line
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&rows.line);
        let names = fields(line).ok_or(CsvError::Header)?;
        rows.places = COLUMNS.map(|column| {
            let mut names = names.iter();
            names.position(|name| name.trim().eq_ignore_ascii_case(column))
        });
        match rows.places {
            [_, Some(_), Some(_), ..] => Ok(rows),
            _ => Err(CsvError::Header),
        }
    }

    /// Reads a line without its end. Returns `None` at the end of the file, and whether the line was short enough.
    fn read_line(&mut self) -> io::Result<Option<bool>> {
        self.line.clear();
        if std::mem::take(&mut self.is_inside) {
            self.input.skip_until(b'\n')?;
        }
        let mut limited = (&mut self.input).take(MAX_LINE as u64 + 1);
        if limited.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.is_inside = self.line.last() != Some(&b'\n') && self.line.len() > MAX_LINE;
        while let Some(b'\n' | b'\r') = self.line.last() {
            self.line.pop();
        }
        Ok(Some(!self.is_inside))
    }

    /// The row of the current line.
    fn row(&self) -> Result<PuzzleRow, PuzzleFault> {
        let fields = fields(&self.line).ok_or(PuzzleFault::Row)?;
        let [id, fen, moves, rating, rd, themes, url] = self.places.map(|place| {
            let field = place.and_then(|place| fields.get(place));
            field.map_or("", |field| field.trim())
        });
        if fen.is_empty() || moves.is_empty() {
            return Err(PuzzleFault::Columns);
        }
        let words = |field: &str| field.split_whitespace().map(str::to_owned).collect();
        Ok(PuzzleRow {
            id: id.to_owned(),
            fen: fen.to_owned(),
            moves: words(moves),
            rating: rating.parse().ok(),
            rd: rd.parse().ok(),
            themes: words(themes),
            url: url.to_owned(),
        })
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = io::Result<NumberedRow>;

    fn next(&mut self) -> Option<io::Result<NumberedRow>> {
        loop {
            return match self.read_line() {
                Err(error) => Some(Err(error)),
                Ok(None) => None,
                Ok(Some(false)) => Some(Ok((self.number, Err(PuzzleFault::Row)))),
                Ok(Some(true)) if self.line.is_empty() => continue,
                Ok(Some(true)) => Some(Ok((self.number, self.row()))),
            };
        }
    }
}

/// The fields of a line; `None` if it is not text, or has a quote in the wrong place.
fn fields(line: &[u8]) -> Option<Vec<String>> {
    let mut rest = std::str::from_utf8(line).ok()?;
    let mut fields = Vec::new();
    loop {
        let Some(mut quoted) = rest.strip_prefix('"') else {
            let (field, left) = rest
                .split_once(',')
                .map_or((rest, None), |(a, b)| (a, Some(b)));
            fields.push(field.to_owned());
            match left {
                Some(left) => rest = left,
                None => return Some(fields),
            }
            continue;
        };
        let mut field = String::new();
        loop {
            let (part, left) = quoted.split_once('"')?;
            field.push_str(part);
            // Two quotes stand for one.
            match left.strip_prefix('"') {
                Some(left) => {
                    field.push('"');
                    quoted = left;
                }
                None => {
                    quoted = left;
                    break;
                }
            }
        }
        fields.push(field);
        match quoted.strip_prefix(',') {
            Some(left) => rest = left,
            None if quoted.is_empty() => return Some(fields),
            None => return None,
        }
    }
}
