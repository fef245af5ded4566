//! Names by position: the standard table, a user's own lines, or both.

use core::fmt;

use tabiya_rules::{Move, Position};

use crate::tsv::{self, Line, TableError};
use crate::{Eco, standard};

/// The name of an opening.
///
/// It is displayed as `Family: Variation`.
///
/// ```
/// use tabiya_openings::Openings;
/// use tabiya_rules::Position;
///
/// let mut position = Position::start();
/// for text in ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"] {
///     position = position.play(position.parse_san(text)?)?;
/// }
/// let opening = Openings::standard().lookup(&position).expect("a named position");
/// assert_eq!(opening.eco.to_string(), "B90");
/// assert_eq!(opening.family, "Sicilian Defense");
/// assert_eq!(opening.variation, Some("Najdorf Variation"));
/// assert_eq!(opening.to_string(), "Sicilian Defense: Najdorf Variation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opening<'a> {
    /// Its code.
    pub eco: Eco,
    /// The part of the name before the colon.
    pub family: &'a str,
    /// The part of the name after the colon, if there is one.
    pub variation: Option<&'a str>,
}

impl fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variation {
            Some(variation) => write!(f, "{}: {variation}", self.family),
            None => f.write_str(self.family),
        }
    }
}

/// A table of openings, looked up by position, so that the order of the moves does not matter.
///
/// The standard table is part of the binary and costs nothing to create. The user's own lines take precedence over it.
///
/// ```
/// use tabiya_openings::Openings;
/// use tabiya_rules::Position;
///
/// let mut openings = Openings::standard().clone();
/// openings.add_tsv(b"A00\tThe Club's Own Opening\t1. a4 e5 2. h4\n")?;
/// let mut moves = Vec::new();
/// let mut position = Position::start();
/// for text in ["h4", "e5", "a4", "d5"] {
///     let m = position.parse_san(text)?;
///     position = position.play(m)?;
///     moves.push(m);
/// }
/// // In another move order, and a ply before the end of the game.
/// let opening = openings.of_game(&Position::start(), moves).expect("a name");
/// assert_eq!(opening.family, "The Club's Own Opening");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Openings {
    base: Base,
    /// Sorted by key, without duplicates.
    own: Vec<Line>,
}

/// What a table has besides the user's own lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Base {
    #[default]
    Nothing,
    Standard,
}

impl Line {
    fn opening(&self) -> Opening<'_> {
        Opening {
            eco: self.eco,
            family: &self.family,
            variation: self.variation.as_deref(),
        }
    }
}

impl Openings {
    /// The table that comes with the crate. Clone it to add your own lines.
    #[must_use]
    pub const fn standard() -> &'static Openings {
        static STANDARD: Openings = Openings {
            base: Base::Standard,
            own: Vec::new(),
        };
        &STANDARD
    }

    /// An empty table.
    #[must_use]
    pub const fn empty() -> Openings {
        Openings {
            base: Base::Nothing,
            own: Vec::new(),
        }
    }

    /// A table with only the lines of a TSV file; see [`Openings::add_tsv`] for the format.
    ///
    /// # Errors
    /// The first line that is not an opening, and why.
    pub fn from_tsv(tsv: &[u8]) -> Result<Openings, TableError> {
        let mut openings = Openings::empty();
        openings.add_tsv(tsv)?;
        Ok(openings)
    }

    /// Adds the lines of a TSV file: an ECO code, a name and the moves from the start of a game in SAN, with tabs
    /// between them. A line replaces an earlier one for the same position.
    ///
    /// Move numbers are optional. Further columns, empty lines, lines that begin with `#` and a heading `eco name pgn` are
    /// ignored. The name of a family ends at the first colon.
    ///
    /// # Errors
    /// The first line that is not an opening, and why; nothing is added then. The limits are [`MAX_LINES`],
    /// [`MAX_NAME_BYTES`] and [`MAX_PLIES`].
    ///
    /// [`MAX_LINES`]: crate::MAX_LINES
    /// [`MAX_NAME_BYTES`]: crate::MAX_NAME_BYTES
    /// [`MAX_PLIES`]: crate::MAX_PLIES
    pub fn add_tsv(&mut self, tsv: &[u8]) -> Result<(), TableError> {
        let mut lines = tsv::read(tsv)?;
        lines.append(&mut self.own);
        // The sort is stable, so the newest line of a position comes first; in a file, the last line is the newest.
        lines.sort_by_key(|line| line.key);
        lines.dedup_by_key(|line| line.key);
        self.own = lines;
        Ok(())
    }

    /// The opening of this position, if the position has a name.
    #[must_use]
    pub fn lookup(&self, position: &Position) -> Option<Opening<'_>> {
        self.by_key(position.key())
    }

    /// The name of the deepest named position of a game: its start and its moves. A move that is not legal ends the game.
    #[must_use]
    pub fn of_game(
        &self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Option<Opening<'_>> {
        let mut position = *start;
        let mut found = self.lookup(&position);
        for m in moves {
            let Ok(next) = position.play(m) else {
                break;
            };
            position = next;
            found = self.lookup(&position).or(found);
        }
        found
    }

    /// The name of the last of these positions that has one.
    #[must_use]
    pub fn of_positions<'p>(
        &self,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> Option<Opening<'_>> {
        positions
            .into_iter()
            .filter_map(|position| self.lookup(position))
            .last()
    }

    /// All openings, the user's own first. A position that both tables name comes once.
    pub fn iter(&self) -> impl Iterator<Item = Opening<'_>> {
        let own = self.own.iter().map(Line::opening);
        let base = match self.base {
            Base::Nothing => None,
            Base::Standard => Some(standard::iter()),
        };
        let base = base.into_iter().flatten();
        own.chain(base.filter_map(|(key, opening)| self.own_line(key).is_none().then_some(opening)))
    }

    /// The opening of a position: the user's own first.
    fn by_key(&self, key: u64) -> Option<Opening<'_>> {
        let base = || match self.base {
            Base::Nothing => None,
            Base::Standard => standard::lookup(key),
        };
        self.own_line(key).map(Line::opening).or_else(base)
    }

    /// The user's own opening of a position.
    fn own_line(&self, key: u64) -> Option<&Line> {
        let place = self.own.binary_search_by_key(&key, |line| line.key).ok()?;
        self.own.get(place)
    }
}
