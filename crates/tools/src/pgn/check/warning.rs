//! The warnings about a readable game: their kinds, their counts, and the tag names seen.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tabiya_game::GameResult;
use thiserror::Error;

/// A warning with its details.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Warning {
    #[error("The Result tag says {tag}, but {moves} follows the moves.")]
    ResultMismatch { tag: GameResult, moves: GameResult },
    #[error("The game ends with {}, so its result is {board}, not {stated}.", ending(*.board))]
    FinalPosition {
        board: GameResult,
        stated: GameResult,
    },
    #[error("A null move is in the main line.")]
    NullMove,
    #[error("No result follows the moves.")]
    MissingTermination,
    #[error("The Result tag '{0}' is none of 1-0, 0-1, 1/2-1/2 and *.")]
    ImpossibleResult(Box<str>),
    #[error("The tag {0} occurs twice.")]
    DuplicateTag(Box<str>),
    #[error("'{0}' is outside all games.")]
    StrayText(Box<str>),
}

/// Defines the kinds of warnings with their names in the output. One list, so that none is forgotten in `ALL`. A kind
/// has the name of its variant of [`Warning`].
macro_rules! warning_kinds {
    ($($kind:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum WarningKind { $($kind,)* }

        impl WarningKind {
            const ALL: [WarningKind; [$($name),*].len()] = [$(WarningKind::$kind),*];

            pub(super) const fn name(self) -> &'static str {
                match self { $(WarningKind::$kind => $name,)* }
            }
        }

        impl Warning {
            pub(super) fn kind(&self) -> WarningKind {
                match self { $(Warning::$kind { .. } => WarningKind::$kind,)* }
            }
        }
    };
}

warning_kinds! {
    ResultMismatch = "result_mismatch",
    FinalPosition = "final_position",
    NullMove = "null_move",
    MissingTermination = "missing_termination",
    ImpossibleResult = "impossible_result",
    DuplicateTag = "doubled_tag",
    StrayText = "stray_text",
}

/// What ends a game with this result on the board.
fn ending(result: GameResult) -> &'static str {
    match result {
        GameResult::Draw => "stalemate",
        GameResult::WhiteWins | GameResult::BlackWins | GameResult::Unknown => "mate",
    }
}

/// How many warnings of each kind there were, by name in JSON. As text, only the kinds that occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "BTreeMap<&'static str, u64>")]
pub(super) struct WarningCounts([u64; WarningKind::ALL.len()]);

impl WarningCounts {
    pub(super) fn count(&mut self, kind: WarningKind) {
        self.0[kind as usize] += 1;
    }

    pub(super) fn add(&mut self, other: &WarningCounts) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl From<WarningCounts> for BTreeMap<&'static str, u64> {
    fn from(counts: WarningCounts) -> BTreeMap<&'static str, u64> {
        let names = WarningKind::ALL.into_iter().map(WarningKind::name);
        names.zip(counts.0).collect()
    }
}

impl fmt::Display for WarningCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = WarningKind::ALL
            .into_iter()
            .zip(self.0)
            .filter(|&(_, count)| count > 0)
            .map(|(kind, count)| format!("{count} {}", kind.name()))
            .collect();
        write!(f, "warnings: {}", counts.join(", "))
    }
}

/// The tag names of a game.
#[derive(Debug, Default)]
pub(super) struct TagNames {
    /// A bit for each of the common names.
    common: u32,
    /// The others one after another, each preceded by its length.
    rare: Vec<u8>,
}

impl TagNames {
    pub(super) fn clear(&mut self) {
        self.common = 0;
        self.rare.clear();
    }

    /// Adds a name. Returns whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, name: &[u8]) -> bool {
        let bit = match name {
            b"Event" => 1 << 0,
            b"Site" => 1 << 1,
            b"Date" => 1 << 2,
            b"Round" => 1 << 3,
            b"White" => 1 << 4,
            b"Black" => 1 << 5,
            b"Result" => 1 << 6,
            b"ECO" => 1 << 7,
            b"WhiteElo" => 1 << 8,
            b"BlackElo" => 1 << 9,
            b"EventDate" => 1 << 10,
            b"UTCDate" => 1 << 11,
            b"UTCTime" => 1 << 12,
            b"Opening" => 1 << 13,
            b"TimeControl" => 1 << 14,
            b"Termination" => 1 << 15,
            b"WhiteTitle" => 1 << 16,
            b"BlackTitle" => 1 << 17,
            b"PlyCount" => 1 << 18,
            b"FEN" => 1 << 19,
            b"SetUp" => 1 << 20,
            b"Variant" => 1 << 21,
            _ => return self.insert_rare(name),
        };
        let is_new = self.common & bit == 0;
        self.common |= bit;
        is_new
    }

    /// Adds a name that has no bit. Returns whether it is new.
    fn insert_rare(&mut self, name: &[u8]) -> bool {
        let mut rest = &self.rare[..];
        while let [length, after @ ..] = rest {
            let (known, next) = after.split_at(usize::from(*length));
            if known == name {
                return false;
            }
            rest = next;
        }
        // The reader passes on no name longer than 255 bytes.
        if let Ok(length) = u8::try_from(name.len()) {
            self.rare.push(length);
            self.rare.extend_from_slice(name);
        }
        true
    }
}
