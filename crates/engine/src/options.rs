//! The options of the engine: declared, checked and kept in one place.

use std::time::Duration;

use tabiya_rules::CastlingMode;
use tabiya_uci::{MAX_MULTI_PV, OptionDeclaration, OptionKind, OptionValue, SetOption};

use crate::level::Level;

/// The largest table, in MiB.
const MAX_HASH: i64 = 65_536;
/// The most threads.
const MAX_THREADS: i64 = 256;
/// The largest seed: many programs keep such numbers in 32 bits with a sign.
const MAX_SEED: i64 = i32::MAX as i64;

/// What an interface has set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The size of the table, in MiB.
    pub hash: usize,
    /// How many threads think.
    pub threads: usize,
    /// How many lines are reported.
    pub multi_pv: usize,
    /// Whether the interface will ask it to ponder.
    pub ponder: bool,
    /// What each move loses on its way.
    pub move_overhead: Duration,
    /// How castles are written.
    pub castling_mode: CastlingMode,
    /// Whether chances are reported with scores.
    pub show_wdl: bool,
    /// Whether to play like somebody of that rating.
    pub limit_strength: bool,
    /// The rating.
    pub elo: u32,
    /// The level to play at, for programs that have the engine inside; it counts more than a rating.
    pub level: Option<Level>,
    /// What a player of limited strength misjudges and overlooks depends on it: the same seed plays the same. For a UCI
    /// server 0 stands for another one in each session.
    pub seed: u64,
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
            seed: 0,
        }
    }
}

/// What setting an option asks for beyond keeping the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Kept,
    ClearHash,
}

impl Settings {
    /// The options as they are declared; the defaults are those of [`Settings::default`].
    pub(crate) fn declarations() -> Vec<OptionDeclaration> {
        let start = Settings::default();
        let spin = |name: &str, default: i64, min, max| OptionDeclaration {
            name: name.into(),
            kind: OptionKind::Spin { default, min, max },
        };
        let check = |name: &str| OptionDeclaration {
            name: name.into(),
            kind: OptionKind::Check { default: false },
        };
        let overhead = i64::try_from(start.move_overhead.as_millis()).unwrap_or(0);
        vec![
            spin("Hash", start.hash as i64, 1, MAX_HASH),
            spin("Threads", start.threads as i64, 1, MAX_THREADS),
            spin("MultiPV", start.multi_pv as i64, 1, i64::from(MAX_MULTI_PV)),
            check("Ponder"),
            spin("Move Overhead", overhead, 0, 5000),
            check("UCI_Chess960"),
            check("UCI_ShowWDL"),
            check("UCI_LimitStrength"),
            spin(
                "UCI_Elo",
                i64::from(start.elo),
                Level::FIRST.elo().into(),
                Level::FULL.elo().into(),
            ),
            spin("Seed", start.seed as i64, 0, MAX_SEED),
            OptionDeclaration {
                name: "Clear Hash".into(),
                kind: OptionKind::Button,
            },
        ]
    }

    /// Sets one option. A value that does not fit changes nothing.
    pub(crate) fn set(&mut self, option: &SetOption) -> Result<Effect, String> {
        let all = Settings::declarations();
        let Some(declared) = all.iter().find(|declared| declared.is_named(&option.name)) else {
            return Err(format!("no such option: '{}'", excerpt(&option.name)));
        };
        let value = declared
            .check(option.value.as_deref().map(excerpt))
            .map_err(|error| error.to_string())?;
        // The declared ranges fit the types.
        match (declared.name.as_str(), value) {
            ("Hash", OptionValue::Spin(value)) => self.hash = value as usize,
            ("Threads", OptionValue::Spin(value)) => self.threads = value as usize,
            ("MultiPV", OptionValue::Spin(value)) => self.multi_pv = value as usize,
            ("Ponder", OptionValue::Check(on)) => self.ponder = on,
            ("Move Overhead", OptionValue::Spin(value)) => {
                self.move_overhead = Duration::from_millis(value.unsigned_abs());
            }
            ("UCI_Chess960", OptionValue::Check(on)) => {
                self.castling_mode = if on {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                };
            }
            ("UCI_ShowWDL", OptionValue::Check(on)) => self.show_wdl = on,
            ("UCI_LimitStrength", OptionValue::Check(on)) => self.limit_strength = on,
            ("UCI_Elo", OptionValue::Spin(value)) => self.elo = value as u32,
            ("Seed", OptionValue::Spin(value)) => self.seed = value.unsigned_abs(),
            _ => return Ok(Effect::ClearHash),
        }
        Ok(Effect::Kept)
    }
}

/// The beginning of a text, as long as it can be worth repeating. No number that fits an option is longer.
fn excerpt(text: &str) -> &str {
    text.get(..text.floor_char_boundary(text.len().min(60)))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    //! Every declared option can be set, and nothing else.

    use super::*;

    fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Effect, String> {
        settings.set(&SetOption {
            name: name.into(),
            value: Some(value.into()),
        })
    }

    #[test]
    fn every_option_changes_its_setting() {
        for declared in Settings::declarations() {
            let value = match declared.kind {
                OptionKind::Spin { max, .. } => max.to_string(),
                _ => "true".into(),
            };
            let mut settings = Settings::default();
            let effect = set(&mut settings, &declared.name.to_uppercase(), &value);
            assert!(effect.is_ok(), "{}", declared.name);
            let changed = settings != Settings::default();
            assert_eq!(changed, effect == Ok(Effect::Kept), "{}", declared.name);
        }
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
