//! The UCI options of the engine: declared, checked and applied in one place.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tabiya_rules::CastlingMode;
use tabiya_uci::{
    MAX_MULTI_PV, OptionDeclaration, OptionError, OptionKind, OptionValue, SetOption,
};

use crate::evaluation::network::{Network, NetworkError};
use crate::level::Level;
use crate::params::SearchParams;

/// The largest table, in MiB.
const MAX_HASH: i64 = 65_536;
/// The most threads.
const MAX_THREADS: i64 = 256;
/// The largest seed: many programs keep spin values in signed 32 bits.
const MAX_SEED: i64 = i32::MAX as i64;

/// The values of all options.
///
/// ```
/// use tabiya_engine::{Level, Settings};
///
/// let settings = Settings::new().with_hash(64).with_level(Level::FIRST);
/// assert_eq!((settings.hash, settings.threads), (64, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The size of the transposition table, in MiB.
    pub hash: usize,
    /// The number of search threads.
    pub threads: usize,
    /// The number of principal variations to report.
    pub multi_pv: usize,
    /// Whether the interface may use `go ponder`.
    pub ponder: bool,
    /// The time each move loses between the engine and the clock.
    pub move_overhead: Duration,
    /// How castling moves are written.
    pub castling_mode: CastlingMode,
    /// Whether win, draw and loss probabilities (WDL) are reported with scores.
    pub show_wdl: bool,
    /// Whether to play at the rating of `elo`.
    pub limit_strength: bool,
    /// The rating for `limit_strength`.
    pub elo: u32,
    /// The level to play at, for programs that contain the engine; it takes precedence over a rating.
    pub level: Option<Level>,
    /// Determines what a player of limited strength misjudges and overlooks: the same seed plays the same. Without one, a
    /// UCI server chooses a new seed in each session.
    pub seed: Option<u64>,
    /// The network to evaluate positions with at full strength, in place of the built-in one.
    pub network: Option<Arc<Network>>,
    /// The tunable parameters of the search at full strength.
    #[doc(hidden)]
    pub params: SearchParams,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            castling_mode: CastlingMode::Standard,
            show_wdl: false,
            limit_strength: false,
            elo: 1500,
            level: None,
            seed: None,
            network: None,
            params: SearchParams::default(),
        }
    }
}

tabiya_uci::setters!(Settings {
    /// The size of the transposition table, in MiB.
    with_hash(hash: usize);
    /// The number of search threads.
    with_threads(threads: usize);
    /// The number of principal variations to report.
    with_multi_pv(multi_pv: usize);
    /// The time each move loses between the engine and the clock.
    with_move_overhead(move_overhead: Duration);
    /// How castling moves are written.
    with_castling_mode(castling_mode: CastlingMode);
    /// The level to play at.
    with_level(level: impl Into<Option<Level>>);
    /// The same seed plays the same.
    with_seed(seed: impl Into<Option<u64>>);
    /// The network to evaluate positions with at full strength.
    with_network(network: impl Into<Option<Arc<Network>>>);
});

impl Settings {
    /// Full strength on one thread.
    #[must_use]
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Plays at about this Elo rating.
    #[must_use]
    pub fn with_elo(mut self, elo: u32) -> Settings {
        self.limit_strength = true;
        self.elo = elo;
        self
    }

    /// Reports win, draw and loss probabilities (WDL) with scores.
    #[must_use]
    pub fn with_wdl(mut self) -> Settings {
        self.show_wdl = true;
        self
    }
}

/// What setting an option did, or asks the server to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetOptionEffect {
    ValueSet,
    ClearHash,
}

/// Why an option could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SetOptionError {
    /// There is no option of this name.
    UnknownOption(String),
    BadValue(OptionError),
    /// The file given for the network is not a network.
    BadNetwork(NetworkError),
}

impl fmt::Display for SetOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetOptionError::UnknownOption(name) => write!(f, "no such option: '{name}'"),
            SetOptionError::BadValue(error) => error.fmt(f),
            SetOptionError::BadNetwork(error) => write!(f, "EvalFile is not used: {error}"),
        }
    }
}

impl std::error::Error for SetOptionError {}

/// An option: its type, and what it sets.
enum Setter {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Settings, i64),
    },
    /// All are off by default.
    Check {
        set: fn(&mut Settings, bool),
    },
    /// The path of a network, or nothing for the built-in one.
    EvalFile,
    ClearHash,
}

/// All options with their names. The ranges of spins fit the types that they are converted to.
fn options() -> Vec<(&'static str, Setter)> {
    let start = Settings::default();
    let spin = |default, min, max, set| Setter::Spin {
        default,
        min,
        max,
        set,
    };
    let check = |set| Setter::Check { set };
    let overhead = i64::try_from(start.move_overhead.as_millis()).unwrap_or(0);
    let (min_elo, max_elo) = (Level::FIRST.elo().into(), Level::FULL.elo().into());
    vec![
        (
            "Hash",
            spin(start.hash as i64, 1, MAX_HASH, |s, value| {
                s.hash = value as usize;
            }),
        ),
        (
            "Threads",
            spin(start.threads as i64, 1, MAX_THREADS, |s, value| {
                s.threads = value as usize;
            }),
        ),
        (
            "MultiPV",
            spin(
                start.multi_pv as i64,
                1,
                i64::from(MAX_MULTI_PV),
                |s, value| s.multi_pv = value as usize,
            ),
        ),
        ("Ponder", check(|s, on| s.ponder = on)),
        (
            "Move Overhead",
            spin(overhead, 0, 5000, |s, value| {
                s.move_overhead = Duration::from_millis(value.unsigned_abs());
            }),
        ),
        (
            "UCI_Chess960",
            check(|s, on| {
                s.castling_mode = if on {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                };
            }),
        ),
        ("UCI_ShowWDL", check(|s, on| s.show_wdl = on)),
        ("UCI_LimitStrength", check(|s, on| s.limit_strength = on)),
        (
            "UCI_Elo",
            spin(i64::from(start.elo), min_elo, max_elo, |s, value| {
                s.elo = value as u32;
            }),
        ),
        (
            // In the protocol 0 stands for no seed.
            "Seed",
            spin(0, 0, MAX_SEED, |s, value| {
                s.seed = Some(value.unsigned_abs()).filter(|&seed| seed > 0);
            }),
        ),
        ("EvalFile", Setter::EvalFile),
        ("Clear Hash", Setter::ClearHash),
    ]
}

fn declaration(name: &str, setter: &Setter) -> OptionDeclaration {
    let kind = match *setter {
        Setter::Spin {
            default, min, max, ..
        } => OptionKind::Spin { default, min, max },
        Setter::Check { .. } => OptionKind::Check { default: false },
        Setter::EvalFile => OptionKind::Text {
            default: String::new(),
        },
        Setter::ClearHash => OptionKind::Button,
    };
    OptionDeclaration::new(name, kind)
}

impl Settings {
    /// The declarations of all options; the defaults are those of [`Settings::default`].
    pub(crate) fn declarations() -> Vec<OptionDeclaration> {
        let options = options();
        let declare = |(name, setter): &(&str, Setter)| declaration(name, setter);
        options.iter().map(declare).collect()
    }

    /// Sets one option. A bad value changes nothing.
    pub(crate) fn set(&mut self, option: &SetOption) -> Result<SetOptionEffect, SetOptionError> {
        for (name, setter) in options() {
            let declared = declaration(name, &setter);
            if !declared.is_named(&option.name) {
                continue;
            }
            let text = option.value.as_deref();
            let value = match setter {
                Setter::EvalFile => declared.check(text),
                Setter::Spin { .. } | Setter::Check { .. } | Setter::ClearHash => {
                    declared.check(text.map(excerpt))
                }
            };
            let value = value.map_err(SetOptionError::BadValue)?;
            // A checked value has the type of its option.
            match setter {
                Setter::Spin { set, .. } => {
                    if let OptionValue::Spin(value) = value {
                        set(self, value);
                    }
                }
                Setter::Check { set } => {
                    if let OptionValue::Check(on) = value {
                        set(self, on);
                    }
                }
                Setter::EvalFile => {
                    if let OptionValue::Text(path) = value {
                        self.network = open_network(&path)?;
                    }
                }
                Setter::ClearHash => return Ok(SetOptionEffect::ClearHash),
            }
            return Ok(SetOptionEffect::ValueSet);
        }
        let name = excerpt(&option.name).to_owned();
        Err(SetOptionError::UnknownOption(name))
    }
}

/// The network of a file; `None` if no file is named.
fn open_network(path: &str) -> Result<Option<Arc<Network>>, SetOptionError> {
    if path.is_empty() {
        return Ok(None);
    }
    let network = Network::open(Path::new(path)).map_err(SetOptionError::BadNetwork)?;
    Ok(Some(Arc::new(network)))
}

/// The beginning of a text, as much as is worth repeating. No valid number is longer.
fn excerpt(text: &str) -> &str {
    match text.char_indices().nth(60) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    //! Every declared option can be set, and nothing else.

    use super::*;
    use crate::evaluation::network::tests::random_file;

    fn set(
        settings: &mut Settings,
        name: &str,
        value: &str,
    ) -> Result<SetOptionEffect, SetOptionError> {
        settings.set(&SetOption {
            name: name.into(),
            value: Some(value.into()),
        })
    }

    #[test]
    fn every_option_changes_its_setting() {
        let path = std::env::temp_dir().join(format!("tabiya-options-{}.bin", std::process::id()));
        std::fs::write(&path, random_file(1)).expect("written");
        for declared in Settings::declarations() {
            let value = match declared.kind {
                OptionKind::Spin { max, .. } => max.to_string(),
                OptionKind::Check { .. } | OptionKind::Button => "true".into(),
                OptionKind::Text { .. } => path.to_str().expect("a path in UTF-8").to_owned(),
                OptionKind::Combo { .. } => unreachable!("there is none"),
            };
            let mut settings = Settings::default();
            let effect = set(&mut settings, &declared.name.to_uppercase(), &value);
            assert!(effect.is_ok(), "{}", declared.name);
            let changed = settings != Settings::default();
            assert_eq!(
                changed,
                effect == Ok(SetOptionEffect::ValueSet),
                "{}",
                declared.name
            );
        }
        std::fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn a_file_that_is_no_network_is_refused() {
        let mut settings = Settings {
            network: Some(Arc::new(Network::from_bytes(&random_file(2)).expect("one"))),
            ..Settings::default()
        };
        let before = settings.clone();
        let error = set(&mut settings, "EvalFile", "Cargo.toml").expect_err("refused");
        assert_eq!(
            error.to_string(),
            "EvalFile is not used: the file is not a network of this engine"
        );
        assert_eq!(settings, before);
        assert_eq!(
            set(&mut settings, "EvalFile", "<empty>"),
            Ok(SetOptionEffect::ValueSet)
        );
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_seed_of_zero_is_none() {
        let mut settings = Settings::default();
        assert_eq!(
            set(&mut settings, "Seed", "7"),
            Ok(SetOptionEffect::ValueSet)
        );
        assert_eq!(settings.seed, Some(7));
        assert_eq!(
            set(&mut settings, "Seed", "0"),
            Ok(SetOptionEffect::ValueSet)
        );
        assert_eq!(settings.seed, None);
    }

    #[test]
    fn bad_values_change_nothing() {
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("Threads", "x"),
            ("MultiPV", "TRUE"),
            ("Ponder", "1.5"),
            ("UCI_Elo", "/etc/passwd"),
            ("NoSuchOption", "1"),
        ] {
            let mut settings = Settings::default();
            assert!(set(&mut settings, name, value).is_err());
            assert_eq!(settings, Settings::default());
        }
    }
}
