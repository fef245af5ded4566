//! What a build sorts: a position of a game and the move played there, in 32 bytes.

use tabiya_game::GameResult;

use crate::facts::{Facts, Speed};
use crate::key::PositionKey;
use crate::move_code::MoveCode;

/// A position of a game, the move played there, and the facts of the game.
///
/// The order of the words is the sort order: by position, move and game, and copies of a game by when they were read. From
/// the highest bit on, the first word has the hash of the position; the second its check (16 bits), the move (16), and the
/// beginning of the game's ID (32); the third the rest of the ID (32), and the beginning of the sequence number (32); and
/// the last the rest of the number (8), the ply (16), the year (14), the rating (14), the result (8) and the speed (4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry([u64; 4]);

/// The bits of a sequence number, which counts games in the order of reading.
const SEQUENCE: u64 = (1 << 40) - 1;

/// Where the fields of the last word begin, counted from the lowest bit.
const PLY_SHIFT: u32 = 40;
const YEAR_SHIFT: u32 = 26;
const RATING_SHIFT: u32 = 12;
const RESULT_SHIFT: u32 = 4;

/// The bits of a year or a rating, which is stored with 1 added; 0 stands for an unknown one.
const NUMBER: u64 = 0x3fff;

/// Stands for an unknown speed.
const NO_SPEED: u64 = 7;

impl Entry {
    pub(crate) const BYTES: usize = 32;

    /// An entry. The sequence number has 40 bits.
    pub(crate) fn new(
        key: PositionKey,
        code: MoveCode,
        game: u64,
        sequence: u64,
        ply: u16,
        facts: &Facts,
    ) -> Entry {
        let result = match facts.result {
            GameResult::Unknown => 0,
            GameResult::WhiteWins => 1,
            GameResult::Draw => 2,
            GameResult::BlackWins => 3,
        };
        let speed = facts.speed.map_or(NO_SPEED, |speed| speed as u64);
        let year = facts.year.map_or(0, |year| u64::from(year) + 1) & NUMBER;
        let rating = facts.rating.map_or(0, |rating| u64::from(rating) + 1) & NUMBER;
        let sequence = sequence & SEQUENCE;
        Entry([
            key.hash,
            u64::from(key.check) << 48 | u64::from(code.0) << 32 | game >> 32,
            game << 32 | sequence >> 8,
            sequence << 56
                | u64::from(ply) << PLY_SHIFT
                | year << YEAR_SHIFT
                | rating << RATING_SHIFT
                | result << RESULT_SHIFT
                | speed,
        ])
    }

    pub(crate) fn key(&self) -> PositionKey {
        PositionKey {
            hash: self.0[0],
            check: (self.0[1] >> 48) as u16,
        }
    }

    pub(crate) fn code(&self) -> MoveCode {
        MoveCode((self.0[1] >> 32) as u16)
    }

    pub(crate) fn game(&self) -> u64 {
        self.0[1] << 32 | self.0[2] >> 32
    }

    pub(crate) fn ply(&self) -> u16 {
        (self.0[3] >> PLY_SHIFT) as u16
    }

    /// The facts of the game, as far as they are stored.
    pub(crate) fn facts(&self) -> Facts {
        let number = |shift: u32| {
            let bits = self.0[3] >> shift & NUMBER;
            (bits as u16).checked_sub(1)
        };
        Facts {
            result: match self.0[3] >> RESULT_SHIFT & 3 {
                1 => GameResult::WhiteWins,
                2 => GameResult::Draw,
                3 => GameResult::BlackWins,
                _ => GameResult::Unknown,
            },
            year: number(YEAR_SHIFT),
            rating: number(RATING_SHIFT),
            speed: Speed::ALL.get((self.0[3] & 7) as usize).copied(),
        }
    }

    /// The same entry with a sequence number that is greater by `offset`.
    pub(crate) fn with_sequence_offset(self, offset: u64) -> Entry {
        let sequence = self.0[2] << 8 & SEQUENCE | self.0[3] >> 56;
        let sequence = (sequence + offset) & SEQUENCE;
        let mut words = self.0;
        words[2] = words[2] & !0xffff_ffff | sequence >> 8;
        words[3] = words[3] & !(0xff << 56) | sequence << 56;
        Entry(words)
    }

    pub(crate) fn to_bytes(self) -> [u8; Entry::BYTES] {
        let mut bytes = [0; Entry::BYTES];
        for (place, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Entry::BYTES]) -> Entry {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Entry(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_gives_back_what_it_was_made_of() {
        let facts = Facts {
            result: GameResult::BlackWins,
            year: Some(2021),
            speed: Some(Speed::Rapid),
            rating: Some(2487),
        };
        let key = PositionKey {
            hash: 0xfedc_ba98_7654_3210,
            check: 0xbeef,
        };
        let entry = Entry::new(
            key,
            MoveCode(0x4abc),
            0x0123_4567_89ab_cdef,
            300,
            65_535,
            &facts,
        );
        for entry in [entry, Entry::from_bytes(&entry.to_bytes())] {
            assert_eq!((entry.key(), entry.code()), (key, MoveCode(0x4abc)));
            assert_eq!((entry.game(), entry.ply()), (0x0123_4567_89ab_cdef, 65_535));
            assert_eq!(entry.facts(), facts);
        }
        let nothing = Facts::default();
        assert_eq!(
            Entry::new(key, MoveCode::NONE, 1, 0, 0, &nothing).facts(),
            nothing
        );
        assert_eq!(
            entry.with_sequence_offset(1 << 20),
            Entry::new(
                key,
                MoveCode(0x4abc),
                0x0123_4567_89ab_cdef,
                300 + (1 << 20),
                65_535,
                &facts
            )
        );
    }
}
