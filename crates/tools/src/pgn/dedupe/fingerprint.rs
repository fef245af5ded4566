//! The fingerprint of a game: a small record by which it is recognized.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use tabiya_front::ranges::words;
use tabiya_game::Step;
use tabiya_game::pgn::{Flow, PgnError, Response, Text, Visitor};
use tabiya_rules::Position;

use crate::pgn::criteria::date_of;

/// Games with fewer plies are short: their moves alone say little.
pub(super) const SHORT: u32 = 20;

/// The plies after which further hashes of the moves are stored.
const MARKS: [u32; 5] = [30, 40, 60, 80, 120];

/// How many characters of a name are stored.
const MAX_NAME_LENGTH: usize = 80;

/// The fingerprint of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprint {
    /// The names, which fingerprints may share.
    pub(super) white: Arc<str>,
    pub(super) black: Arc<str>,
    /// The date, as far as it is known.
    pub(super) date: [u8; 10],
    pub(super) plies: u32,
    /// Hashes of the start and all moves, and of those before [`SHORT`] plies.
    pub(super) moves: u64,
    pub(super) beginning: u64,
    /// Half of each hash after [`MARKS`] plies.
    marks: [u32; MARKS.len()],
    /// How much there is besides the moves.
    pub(super) richness: u32,
}

impl Fingerprint {
    /// Whether this game may be the beginning of a longer one.
    pub(super) fn may_begin(&self, longer: &Fingerprint) -> bool {
        let passed = MARKS.iter().filter(|&&mark| mark <= self.plies).count();
        self.plies < longer.plies && self.marks[..passed] == longer.marks[..passed]
    }

    /// Whether two games may be the same by their players and, if they are short, by their dates.
    pub(super) fn is_like(&self, other: &Fingerprint) -> bool {
        let short = self.plies.min(other.plies) < SHORT;
        are_like(&self.white, &other.white)
            && are_like(&self.black, &other.black)
            && (!short || dates_agree(&self.date, &other.date))
    }
}

/// Whether two names may be the same player's: every word of the shorter name is a prefix of a word of the other, or
/// the other way round, and the longest words are equal. A name without words, such as `?`, may be anyone's.
pub(super) fn are_like(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let (mut few, mut many): (Vec<&str>, Vec<&str>) =
        (words(&one).collect(), words(&other).collect());
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    if few.is_empty() {
        return true;
    }
    let alike = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    // An initial matches any name that begins with it, so something longer must match too.
    few.iter()
        .any(|word| word.chars().count() > 1 && many.contains(word))
        && few
            .iter()
            .all(|word| many.iter().any(|other| alike(word, other)))
}

/// Whether two dates may be the same, with `?` for unknown digits.
fn dates_agree(one: &[u8; 10], other: &[u8; 10]) -> bool {
    let agrees = |(one, other): (&u8, &u8)| one == other || *one == b'?' || *other == b'?';
    one.iter().zip(other).all(agrees)
}

/// What was read of a game.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) fingerprint: Fingerprint,
    pub(super) offset: u64,
    pub(super) errors: u64,
}

/// Makes the fingerprint of each game.
#[derive(Debug, Default)]
pub(super) struct FingerprintReader {
    read: Read,
    white: String,
    black: String,
    date: String,
    utc_date: String,
    /// How many variations are open.
    depth: u32,
}

impl Visitor for FingerprintReader {
    type Output = Read;
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        *self = FingerprintReader::default();
        self.read.offset = offset;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let value = value.decode();
        let value = value.trim();
        let is_known = !value.is_empty() && !value.starts_with('?') && value != "-";
        self.read.fingerprint.richness += u32::from(is_known);
        let place = match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Date" => &mut self.date,
            b"UTCDate" => &mut self.utc_date,
            _ => return ControlFlow::Continue(()),
        };
        place.clear();
        place.extend(value.chars().take(MAX_NAME_LENGTH));
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.read.fingerprint.moves = mix(0, position.key());
        self.read.fingerprint.beginning = self.read.fingerprint.moves;
    }

    fn step(&mut self, _: &Position, step: Step, _: &Position) -> Response<Infallible> {
        let fingerprint = &mut self.read.fingerprint;
        if self.depth > 0 {
            fingerprint.richness = fingerprint.richness.saturating_add(1);
            return ControlFlow::Continue(());
        }
        let step = match step {
            Step::Move(played) => {
                let promotion = played.promotion().map_or(0, |role| role as u64 + 1);
                let (from, to) = (played.from() as u64, played.to() as u64);
                1 + from + (to << 6) + (promotion << 12)
            }
            Step::Null => 0,
        };
        fingerprint.plies = fingerprint.plies.saturating_add(1);
        fingerprint.moves = mix(fingerprint.moves, step);
        if fingerprint.plies <= SHORT {
            fingerprint.beginning = fingerprint.moves;
        }
        if let Some(at) = MARKS.iter().position(|&mark| mark == fingerprint.plies) {
            fingerprint.marks[at] = fingerprint.moves as u32;
        }
        ControlFlow::Continue(())
    }

    fn glyph(&mut self, _: u8) -> Response<Infallible> {
        self.read.fingerprint.richness = self.read.fingerprint.richness.saturating_add(1);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: Text<'_>) -> Response<Infallible> {
        self.read.fingerprint.richness = self.read.fingerprint.richness.saturating_add(1);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        self.depth += 1;
        ControlFlow::Continue(Flow::Read)
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn error(&mut self, _: PgnError) {
        self.read.errors += 1;
    }

    fn end_game(&mut self) -> Read {
        let mut read = std::mem::take(&mut self.read);
        let fingerprint = &mut read.fingerprint;
        fingerprint.white = self.white.as_str().into();
        fingerprint.black = self.black.as_str().into();
        fingerprint.date = [b'?'; 10];
        let date = date_of(&self.date, &self.utc_date);
        for (place, byte) in fingerprint.date.iter_mut().zip(date.bytes()) {
            *place = byte;
        }
        read
    }
}

/// Mixes more data into a hash.
fn mix(hash: u64, more: u64) -> u64 {
    let mixed = (hash ^ more).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ (mixed >> 32)
}

#[cfg(test)]
mod tests;
