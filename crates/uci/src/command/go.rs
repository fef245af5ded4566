//! `go`: what to search, and for how long.

use std::fmt;
use std::time::Duration;

use tabiya_rules::{ByColor, Color, MAX_MOVES, UciMove};

use super::Skipped;
use crate::text::{number, words};

/// The longest time that is accepted: about 35 years, so that no sum of times overflows.
const MAX_MILLIS: i64 = 1 << 40;

/// What follows the word `go`. Times are whole milliseconds.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci::Go;
///
/// let go = Go::new().with_move_time(Duration::from_millis(100));
/// assert_eq!(go.to_string(), "go movetime 100");
///
/// let clocks = Go::new().with_depth(20).with_time(tabiya_rules::ByColor::new(
///     Some(Duration::from_secs(60)),
///     Some(Duration::from_secs(55)),
/// ));
/// assert_eq!(clocks.to_string(), "go wtime 60000 btime 55000 depth 20");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Go {
    /// Search only these moves; all moves if the list is empty.
    pub search_moves: Vec<UciMove>,
    /// Search on the opponent's time: the last move of the position is the expected one.
    pub ponder: bool,
    /// The time left. A negative number, which some GUIs send after the flag has fallen, is zero.
    pub time: ByColor<Option<Duration>>,
    /// The time that each move adds.
    pub increment: ByColor<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Search to this depth, in plies.
    pub depth: Option<u32>,
    /// Search this many nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Search for exactly this long.
    pub move_time: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Run perft instead, an extension that many engines have.
    pub perft: Option<u32>,
}

crate::setters!(Go {
    /// Searches only these moves.
    with_search_moves(search_moves: Vec<UciMove>);
    /// Sets the time left on the clocks.
    with_time(time: ByColor<Option<Duration>>);
    /// Sets the time that each move adds.
    with_increment(increment: ByColor<Duration>);
    /// Sets the number of moves until the next time control.
    with_moves_to_go(moves_to_go: impl Into<Option<u32>>);
    /// Limits the depth, in plies.
    with_depth(depth: impl Into<Option<u32>>);
    /// Limits the nodes.
    with_nodes(nodes: impl Into<Option<u64>>);
    /// Searches for a mate in this many moves.
    with_mate(mate: impl Into<Option<u32>>);
    /// Searches for exactly this long.
    with_move_time(move_time: impl Into<Option<Duration>>);
    /// Runs perft instead.
    with_perft(perft: impl Into<Option<u32>>);
});

impl Go {
    /// Creates a search without a limit: some engines search until `stop`, others decide for themselves. Set a limit,
    /// or use [`Go::infinite`].
    #[must_use]
    pub fn new() -> Go {
        Go::default()
    }

    /// Makes this a search on the opponent's time: the limits apply from `ponderhit` on.
    #[must_use]
    pub fn pondering(mut self) -> Go {
        self.ponder = true;
        self
    }

    /// Creates a search that lasts until `stop`.
    #[must_use]
    pub fn infinite() -> Go {
        Go {
            infinite: true,
            ..Go::default()
        }
    }

    /// Returns whether any limit here ends the search by itself. Pondering makes no difference: the limits apply from
    /// `ponderhit` on.
    #[must_use]
    pub fn has_limit(&self) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.move_time.is_some()
                || self.time.white.is_some()
                || self.time.black.is_some())
    }

    /// Reads what follows the word `go`. Every `go` is accepted, and unreadable parts are skipped, because the GUI
    /// waits for a `bestmove` in any case.
    pub(crate) fn parse(rest: &str, mut skipped: impl FnMut(Skipped)) -> Go {
        let mut go = Go::default();
        let mut words = words(rest).peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
                        words.next();
                        if go.search_moves.len() < MAX_MOVES && !go.search_moves.contains(&m) {
                            go.search_moves.push(m);
                        }
                    }
                }
                _ => {
                    let Some(key) = KEYS.iter().find(|&&key| key == word) else {
                        skipped(Skipped::Word(word.to_owned()));
                        continue;
                    };
                    // A key right after a key is not taken as its number, so that only one of the two is lost.
                    let text = words.next_if(|word| !is_key(word));
                    let read = text.and_then(number).and_then(|value| go.set(key, value));
                    if read.is_none() {
                        let text = text.map(str::to_owned);
                        skipped(Skipped::Number { key, text });
                    }
                }
            }
        }
        go
    }

    /// Sets one limit, if the number is valid for it.
    fn set(&mut self, key: &str, value: i64) -> Option<()> {
        let time = || {
            // The range was checked, so the conversion is exact.
            Duration::from_millis(u64::try_from(value.clamp(0, MAX_MILLIS)).unwrap_or(0))
        };
        let count = || u32::try_from(value.min(i64::from(u32::MAX))).ok();
        match key {
            "wtime" => self.time.white = Some(time()),
            "btime" => self.time.black = Some(time()),
            "winc" => self.increment.white = time(),
            "binc" => self.increment.black = time(),
            "movetime" if value >= 0 => self.move_time = Some(time()),
            "movestogo" if value > 0 => self.moves_to_go = Some(count()?),
            "depth" if value > 0 => self.depth = Some(count()?),
            "mate" if value > 0 => self.mate = Some(count()?),
            "nodes" => self.nodes = Some(u64::try_from(value).ok()?),
            "perft" if value > 0 => self.perft = Some(count()?),
            _ => return None,
        }
        Some(())
    }
}

/// The words that a number follows.
static KEYS: [&str; 10] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

fn is_key(word: &str) -> bool {
    KEYS.contains(&word) || matches!(word, "infinite" | "ponder" | "searchmoves")
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (color, key) in [(Color::White, "wtime"), (Color::Black, "btime")] {
            if let Some(time) = self.time[color] {
                write!(f, " {key} {}", time.as_millis())?;
            }
        }
        for (color, key) in [(Color::White, "winc"), (Color::Black, "binc")] {
            if !self.increment[color].is_zero() {
                write!(f, " {key} {}", self.increment[color].as_millis())?;
            }
        }
        for (key, value) in [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
            ("perft", self.perft.map(u64::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {key} {value}")?;
            }
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, because some engines read every word after it as a move.
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
            for m in &self.search_moves {
                write!(f, " {m}")?;
            }
        }
        Ok(())
    }
}
