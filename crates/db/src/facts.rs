//! What games are counted by: result, year, speed and rating.

use std::fmt;
use std::str::FromStr;

use tabiya_game::{Bonus, GameResult, TimeControl};

/// The width of a band of ratings.
pub const RATING_BAND: u16 = 200;

/// What a game counts by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// How it ended.
    pub result: GameResult,
    /// The year in which it was played, if known.
    pub year: Option<u16>,
    /// The speed, if known.
    pub speed: Option<Speed>,
    /// The mean of the players' ratings, or the only one known.
    pub rating: Option<u16>,
}

impl Facts {
    /// The lower end of the band of the rating.
    #[must_use]
    pub fn band(&self) -> Option<u16> {
        self.rating.map(|rating| rating - rating % RATING_BAND)
    }

    /// Orders games by how much they are worth showing, by rating, year and ID: the highest is the best.
    pub(crate) fn rank(&self, id: u64) -> (u16, u16, u64) {
        (
            self.rating.unwrap_or_default(),
            self.year.unwrap_or_default(),
            id,
        )
    }
}

/// How much time the players had, in the classes of the large servers: the time of the first period plus forty times the
/// increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// Less than half a minute.
    UltraBullet,
    /// Less than three minutes.
    Bullet,
    /// Less than eight minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// Anything longer.
    Classical,
    /// Days for each move, or no clock.
    Correspondence,
}

impl Speed {
    /// All speeds, the fastest first.
    pub const ALL: [Speed; 6] = [
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// Its name in the tables and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultraBullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The speed of a time control, given as the value of a `TimeControl` tag.
    ///
    /// ```
    /// use tabiya_db::Speed;
    ///
    /// assert_eq!(Speed::from_pgn("180+2"), Some(Speed::Blitz));
    /// assert_eq!(Speed::from_pgn("40/7200:3600"), Some(Speed::Classical));
    /// assert_eq!(Speed::from_pgn("?"), None);
    /// ```
    #[must_use]
    pub fn from_pgn(text: &str) -> Option<Speed> {
        let control = TimeControl::from_pgn(text).ok()?;
        let Some(first) = control.stages().first() else {
            return Some(Speed::Correspondence);
        };
        let bonus = match first.bonus {
            Bonus::None => 0,
            Bonus::Increment(time) | Bonus::Delay(time) | Bonus::Bronstein(time) => time.as_secs(),
        };
        // PGN writes correspondence games as one move in a day or more.
        if first.moves.is_some_and(|moves| moves.get() == 1) && first.time.as_secs() >= 43_200 {
            return Some(Speed::Correspondence);
        }
        Some(match first.time.as_secs().saturating_add(bonus * 40) {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        })
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text is not a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a speed is one of ultraBullet, bullet, blitz, rapid, classical, correspondence")]
pub struct ParseSpeedError;

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Speed, ParseSpeedError> {
        Speed::ALL
            .into_iter()
            .find(|speed| speed.word().eq_ignore_ascii_case(text))
            .ok_or(ParseSpeedError)
    }
}
