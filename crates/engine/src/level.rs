//! Levels: players from a beginner to the engine at full strength.
//!
//! A level is weak in three ways, none of which depends on the machine or its clock. It searches few nodes; it misjudges
//! positions; and it overlooks moves, its own and its opponent's, so that it leaves pieces hanging. Captures are
//! overlooked less often the more valuable the captured piece is. During one search, a position is always misjudged in
//! the same way and a move is either always overlooked or never; for the next move both are drawn again, from the seed
//! and the position. A level never plays a move that it considers bad.

use std::fmt;

use tabiya_rules::{Move, Position, SplitMix64};

/// A playing strength from 1, a player who has just learned the rules, to 10, the full strength of the engine.
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
    /// The strongest level, without any handicap.
    pub const FULL: Level = Level(10);

    /// The level with this number; `None` unless it is from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        match number {
            1..=10 => Some(Level(number)),
            _ => None,
        }
    }

    /// The number of the level, from 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// A word for a player of this strength.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.params().name
    }

    /// The approximate Elo rating of the level, on the scale of `UCI_Elo`; see [`Level::rating_list`].
    #[must_use]
    pub const fn elo(self) -> u32 {
        self.params().elo
    }

    /// The public rating list on whose scale the rating was measured; `None` for the levels below full strength, which are
    /// rated among themselves.
    #[must_use]
    pub const fn rating_list(self) -> Option<&'static str> {
        match self.is_limited() {
            true => None,
            false => Some("CCRL Blitz"),
        }
    }

    /// The number of nodes the level searches for a move; `None` for as many as its time allows.
    #[must_use]
    pub const fn nodes(self) -> Option<u64> {
        self.params().nodes
    }

    /// Whether the level has a node limit, however much time it has.
    #[must_use]
    pub const fn is_limited(self) -> bool {
        self.nodes().is_some()
    }

    const fn params(self) -> &'static LevelParams {
        &LEVELS[self.0 as usize - 1]
    }
}

impl Default for Level {
    /// A level that most people can beat, but not all.
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

/// A text that is not a level.
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

/// The parameters of a level.
#[derive(Debug)]
struct LevelParams {
    name: &'static str,
    elo: u32,
    nodes: Option<u64>,
    /// The largest error of an evaluation, in centipawns.
    noise: u32,
    /// The share of moves that are overlooked, in 1024ths; less for captures, see [`OVERLOOKED_CAPTURES`].
    overlooked: u32,
}

/// The parameters of a level, for a table.
const fn level(
    name: &'static str,
    elo: u32,
    nodes: Option<u64>,
    noise: u32,
    overlooked: u32,
) -> LevelParams {
    LevelParams {
        name,
        elo,
        nodes,
        noise,
        overlooked,
    }
}

/// The ratings come from the matches in `docs/engine.md`: those of levels 1 to 9 from matches among themselves, rounded to
/// about 50, that of full strength from a match with a clock against an engine of the CCRL Blitz list.
static LEVELS: [LevelParams; 10] = [
    level("Newcomer", 500, Some(23), 155, 720),
    level("Beginner", 850, Some(90), 118, 536),
    level("Casual", 1200, Some(370), 87, 328),
    level("Improver", 1450, Some(530), 63, 174),
    level("Club", 1800, Some(1_010), 45, 79),
    level("Strong club", 2100, Some(1_780), 32, 26),
    level("Expert", 2450, Some(3_400), 22, 7),
    level("Master", 2750, Some(10_000), 13, 1),
    level("Grandmaster", 2950, Some(24_500), 4, 0),
    level("Full strength", 3470, None, 0, 0),
];

/// In the first moves of a game every level misjudges by this much at least, so that its openings vary.
const OPENING_MOVES: u32 = 6;
const OPENING_NOISE: u32 = 8;
/// Quarters of the share of overlooked moves that apply to captures, by captured role: the more valuable, the more obvious.
/// (A king is never captured.)
const OVERLOOKED_CAPTURES: [u32; 6] = [4, 3, 3, 2, 1, 0];
const QUARTERS: u32 = 4;
/// The node count of full strength when ratings are interpolated: about what it searches for a move with the clock that it
/// was rated with.
const FULL_STRENGTH_NODES: u64 = 400_000;

/// How a search is weakened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    pub(crate) nodes: Option<u64>,
    noise: u32,
    overlooked: u32,
    /// Different for every seed and every root position.
    seed: u64,
}

impl Handicap {
    /// Full strength.
    pub(crate) const NONE: Handicap = Handicap {
        nodes: None,
        noise: 0,
        overlooked: 0,
        seed: 0,
    };

    /// The handicap of a level for one root position. At full strength only the openings vary a little.
    pub(crate) fn of_level(level: Level, seed: u64, root: &Position) -> Handicap {
        let params = level.params();
        Handicap {
            nodes: params.nodes,
            noise: params.noise.max(opening_noise(root)),
            overlooked: params.overlooked,
            seed: hash(seed ^ hash(root.key())),
        }
    }

    /// The handicap for a rating, interpolated between the two nearest levels.
    pub(crate) fn of_elo(elo: u32, seed: u64, root: &Position) -> Handicap {
        let above = LEVELS.iter().position(|level| level.elo >= elo);
        let (low, high) = match above {
            None => return Handicap::NONE,
            _ if elo >= Level::FULL.elo() => return Handicap::NONE,
            Some(0) => (&LEVELS[0], &LEVELS[0]),
            Some(i) => (&LEVELS[i - 1], &LEVELS[i]),
        };
        let span = (high.elo - low.elo).max(1);
        let above_low = elo.saturating_sub(low.elo).min(span);
        let interpolate = |a: u64, b: u64| {
            (a * u64::from(span - above_low) + b * u64::from(above_low)) / u64::from(span)
        };
        // Between two 32-bit numbers.
        let interpolate_u32 = |a: u32, b: u32| interpolate(a.into(), b.into()) as u32;
        Handicap {
            nodes: low.nodes.map(|nodes| match high.nodes {
                Some(more) => interpolate(nodes, more),
                // There are several doublings up to full strength, each of which is worth about the same.
                None => from_linear_log2(interpolate(
                    linear_log2(nodes),
                    linear_log2(FULL_STRENGTH_NODES),
                )),
            }),
            noise: interpolate_u32(low.noise, high.noise).max(opening_noise(root)),
            overlooked: interpolate_u32(low.overlooked, high.overlooked),
            seed: hash(seed ^ hash(root.key())),
        }
    }

    /// The evaluation with this player's error added.
    #[inline]
    pub(crate) fn misjudge(&self, score: i32, key: u64) -> i32 {
        if self.noise == 0 {
            return score;
        }
        // The difference of two random numbers, so that small errors are more frequent than large ones.
        let bits = hash(key ^ self.seed);
        let noise = i64::from(self.noise);
        let uniform = |bits: u64| (bits as i64 * (noise + 1)) >> 32;
        let error = uniform(bits & 0xffff_ffff) - uniform(bits >> 32);
        score + error as i32
    }

    /// Does this player overlook a move?
    #[inline]
    pub(crate) fn overlooks(&self, position: &Position, m: Move) -> bool {
        if self.overlooked == 0 {
            return false;
        }
        let captured = position.captured_role(m);
        let quarters = captured.map_or(QUARTERS, |role| OVERLOOKED_CAPTURES[role as usize]);
        let move_bits = u64::from(m.bits()) | (position.turn() as u64) << 16;
        hash(self.seed ^ move_bits) % 1024 < u64::from(self.overlooked * quarters / QUARTERS)
    }
}

/// The least noise, which makes openings vary.
fn opening_noise(root: &Position) -> u32 {
    if root.fullmove_number() <= OPENING_MOVES {
        OPENING_NOISE
    } else {
        0
    }
}

/// The number of bits after the point of a [`linear_log2`]: enough to tell any two node counts of levels apart.
const FRACTION_BITS: u32 = 32;

/// The binary logarithm in fixed point, linear between powers of two, so that it is the same on every machine.
fn linear_log2(number: u64) -> u64 {
    let whole = number.max(1).ilog2();
    let above = number.max(1) - (1 << whole);
    (u64::from(whole) << FRACTION_BITS) + ((above << FRACTION_BITS) >> whole)
}

/// The number with this [`linear_log2`], rounded down.
fn from_linear_log2(log: u64) -> u64 {
    let whole = log >> FRACTION_BITS;
    let fraction = log & ((1 << FRACTION_BITS) - 1);
    (1 << whole) + ((fraction << whole) >> FRACTION_BITS)
}

/// A hash that depends on every bit of the number.
fn hash(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests;
