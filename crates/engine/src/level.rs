//! Levels: players from a beginner to the engine at full strength.
//!
//! A level is weak in three ways that do not depend on the machine or its clock. It looks at few positions; it misjudges
//! them; and it overlooks moves, its own and its opponent's, so that it leaves pieces where they can be taken because it
//! did not see that; what is in danger is seen the more often, the more it is worth. While it thinks about one move, a
//! position is always misjudged in the same way and a move always overlooked; for the next move both are drawn anew, from
//! the seed and the position. It never chooses a move that it thinks is bad.

use std::fmt;

use tabiya_rules::{Move, Position, SplitMix64};

/// A playing strength from 1, somebody who just learned the rules, to 10, everything the engine has.
///
/// ```
/// use tabiya_engine::Level;
///
/// let level = Level::new(3).expect("there are ten");
/// assert_eq!((level.number(), level.name()), (3, "Casual"));
/// assert_eq!(Level::new(11), None);
/// assert_eq!("10".parse(), Ok(Level::FULL));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 10] = [
        Level(1),
        Level(2),
        Level(3),
        Level(4),
        Level(5),
        Level(6),
        Level(7),
        Level(8),
        Level(9),
        Level(10),
    ];
    /// The weakest level.
    pub const FIRST: Level = Level(1);
    /// The strongest level, which holds nothing back.
    pub const FULL: Level = Level(10);

    /// The level of a number from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        match number {
            1..=10 => Some(Level(number)),
            _ => None,
        }
    }

    /// From 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// A word for a player of this strength.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// About the Elo rating that the level has, on the scale of `UCI_Elo`.
    #[must_use]
    pub const fn elo(self) -> u32 {
        self.row().elo
    }

    /// How many positions the level looks at for a move; `None` for as many as its time allows.
    #[must_use]
    pub const fn nodes(self) -> Option<u64> {
        self.row().nodes
    }

    /// Whether it looks at so many positions and no more, whatever time it has.
    #[must_use]
    pub const fn is_limited(self) -> bool {
        self.nodes().is_some()
    }

    const fn row(self) -> &'static Row {
        &ROWS[self.0 as usize - 1]
    }
}

impl Default for Level {
    /// One that most people can beat, and not all.
    fn default() -> Level {
        Level(3)
    }
}

impl fmt::Display for Level {
    /// `3 (Casual)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.name())
    }
}

/// Why a text is no level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is a number from 1 to 10")
    }
}

impl std::error::Error for ParseLevelError {}

impl std::str::FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let number = text.parse().map_err(|_| ParseLevelError)?;
        Level::new(number).ok_or(ParseLevelError)
    }
}

/// What makes a level.
#[derive(Debug)]
struct Row {
    name: &'static str,
    elo: u32,
    nodes: Option<u64>,
    /// The most a position is misjudged by, in hundredths of a pawn.
    noise: u32,
    /// The share of moves that are overlooked, in 1024ths; of captures less, see [`LEFT_OF_OVERSIGHT`].
    overlooked: u32,
}

const fn row(name: &'static str, elo: u32, nodes: u64, noise: u32, overlooked: u32) -> Row {
    Row {
        name,
        elo,
        nodes: if nodes == 0 { None } else { Some(nodes) },
        noise,
        overlooked,
    }
}

/// The ratings are measured, to about the nearest 50, by the matches in `docs/engine.md`; full strength with a clock.
static ROWS: [Row; 10] = [
    row("Newcomer", 500, 50, 155, 720),
    row("Beginner", 850, 146, 118, 536),
    row("Casual", 1200, 485, 87, 328),
    row("Improver", 1450, 1_360, 63, 174),
    row("Club", 1800, 3_050, 45, 79),
    row("Strong club", 2100, 6_700, 32, 26),
    row("Expert", 2450, 14_700, 22, 7),
    row("Master", 2750, 39_500, 13, 1),
    row("Grandmaster", 2950, 116_000, 4, 0),
    row("Full strength", 3300, 0, 0, 0),
];

/// So many moves at the beginning of a game every level misjudges by this much at least, so that its openings vary.
const OPENING_MOVES: u32 = 6;
const OPENING_NOISE: u32 = 8;
/// The more is captured, the more it strikes the eye: how many quarters of the usual oversight are left for captures of a
/// pawn, a knight, a bishop, a rook and a queen (a king is never captured).
const LEFT_OF_OVERSIGHT: [u32; 6] = [4, 3, 3, 2, 1, 0];
const QUARTERS: u32 = 4;
/// Full strength counts as so many positions where a rating is below it: more than the 200,000 that it was rated with,
/// because its table and what it learned last for a game, and those of a limited player for one move.
const FULL_STRENGTH: u64 = 400_000;

/// How a search is held back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    pub(crate) nodes: Option<u64>,
    noise: u32,
    overlooked: u32,
    /// Different for every seed and every position that is thought about.
    seed: u64,
}

impl Handicap {
    /// Nothing held back.
    pub(crate) const NONE: Handicap = Handicap {
        nodes: None,
        noise: 0,
        overlooked: 0,
        seed: 0,
    };

    /// The handicap of a level for one position. At full strength only the openings vary a little.
    pub(crate) fn of_level(level: Level, seed: u64, root: &Position) -> Handicap {
        let row = level.row();
        Handicap {
            nodes: row.nodes,
            noise: row.noise.max(opening_noise(root)),
            overlooked: row.overlooked,
            seed: mixed(seed ^ mixed(root.key())),
        }
    }

    /// The handicap for a rating: between those of the two levels that are next to it.
    pub(crate) fn of_elo(elo: u32, seed: u64, root: &Position) -> Handicap {
        let above = ROWS.iter().position(|row| row.elo >= elo);
        let (low, high) = match above {
            None => return Handicap::NONE,
            _ if elo >= Level::FULL.elo() => return Handicap::NONE,
            Some(0) => (&ROWS[0], &ROWS[0]),
            Some(i) => (&ROWS[i - 1], &ROWS[i]),
        };
        let span = (high.elo - low.elo).max(1);
        let way = elo.saturating_sub(low.elo).min(span);
        let between =
            |a: u64, b: u64| (a * u64::from(span - way) + b * u64::from(way)) / u64::from(span);
        // Both are numbers of 32 bits, and so is what is between.
        let between_small = |a: u32, b: u32| between(a.into(), b.into()) as u32;
        Handicap {
            nodes: low
                .nodes
                .map(|nodes| between(nodes, high.nodes.unwrap_or(FULL_STRENGTH))),
            noise: between_small(low.noise, high.noise).max(opening_noise(root)),
            overlooked: between_small(low.overlooked, high.overlooked),
            seed: mixed(seed ^ mixed(root.key())),
        }
    }

    /// A score as this player sees it.
    #[inline]
    pub(crate) fn misjudge(&self, score: i32, key: u64) -> i32 {
        if self.noise == 0 {
            return score;
        }
        // Two throws, so that small errors are more frequent than great ones.
        let throws = mixed(key ^ self.seed);
        let noise = i64::from(self.noise);
        let throw = |bits: u64| (bits as i64 * (noise + 1)) >> 32;
        let error = throw(throws & 0xffff_ffff) - throw(throws >> 32);
        score + error as i32
    }

    /// Does this player not see a move?
    #[inline]
    pub(crate) fn overlooks(&self, position: &Position, m: Move) -> bool {
        if self.overlooked == 0 {
            return false;
        }
        let left = match position.board().role_at(m.to()) {
            Some(role) if !m.is_castle() => LEFT_OF_OVERSIGHT[role as usize],
            _ => QUARTERS,
        };
        let what = u64::from(m.bits()) | (position.turn() as u64) << 16;
        mixed(self.seed ^ what) % 1024 < u64::from(self.overlooked * left / QUARTERS)
    }
}

/// The least that a position is misjudged by, for openings to vary.
fn opening_noise(root: &Position) -> u32 {
    match root.fullmove_number() <= OPENING_MOVES {
        true => OPENING_NOISE,
        false => 0,
    }
}

/// A number that depends on every bit of another.
fn mixed(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests;
