//! Who plays a side, as people type it: `human`, `bot`, `bot:4`, `uci:stockfish`, `uci:/path/engine --fast?Hash=64`. A
//! space works as well as the colon.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use tabiya_engine::Level;
use tabiya_uci::SetOption;
use thiserror::Error;

/// The player of a side.
///
/// ```
/// use tabiya_play::players::PlayerSpec;
///
/// let player: PlayerSpec = "bot:5".parse()?;
/// assert!(matches!(player, PlayerSpec::Bot(Some(level)) if level.number() == 5));
/// assert_eq!(player.to_string(), "bot:5");
/// # Ok::<(), tabiya_play::players::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum PlayerSpec {
    /// A person.
    #[default]
    Human,
    /// The built-in engine. Without a level it plays at full strength, and always the same moves.
    Bot(Option<Level>),
    /// An external engine that a person, a flag or the config asked for.
    Uci(EngineSpec),
    /// An engine that a file names. It is never started as the file says: it is looked up among the known engines, and
    /// the file's options are not set.
    Named(EngineSpec),
    /// A remote player, by name, whose moves come from the server of the game. There is no text for it.
    Remote(String),
}

/// An engine by its name, path or command line, with options to set.
///
/// The text is `TARGET[?NAME=VALUE[&NAME=VALUE]…]`; a button is a name without a value. [`resolve`](super::resolve())
/// decides what the target means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// A name, a path, or a path with arguments.
    pub target: String,
    /// The options, in the order in which they are set.
    pub options: Vec<SetOption>,
}

/// Why a text does not name a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// It begins with none of the known words.
    #[error(
        "a player is human, bot, bot:LEVEL with a level from 1 to 10, or uci:NAME with an engine's name or path"
    )]
    Unknown,
    /// It is a person, but a program must play.
    #[error(
        "a match is played by bots and engines: bot, bot:LEVEL with a level from 1 to 10, or uci:NAME with an \
         engine's name or path"
    )]
    NoProgram,
    /// There is no such level.
    #[error("a level is a number from 1 to 10, not '{0}'")]
    Level(String),
    /// `uci:` has no name after it.
    #[error(
        "an engine's name or path must follow, such as uci:stockfish or uci:/usr/games/stockfish"
    )]
    NoEngine,
    /// An option has no name.
    #[error("an option is written Name=Value, such as uci:stockfish?Skill Level=3, not '{0}'")]
    NamelessOption(String),
}

impl PlayerSpec {
    /// Reads a player from a file. A person replaces one that is not available.
    #[must_use]
    pub fn from_file(text: &str) -> PlayerSpec {
        match text.parse() {
            Ok(PlayerSpec::Uci(engine)) => PlayerSpec::Named(engine),
            Ok(other @ (PlayerSpec::Human | PlayerSpec::Bot(_) | PlayerSpec::Named(_))) => other,
            Ok(PlayerSpec::Remote(_)) | Err(_) => PlayerSpec::Human,
        }
    }

    /// Whether the player is an engine of this program.
    #[must_use]
    pub fn is_engine(&self) -> bool {
        match self {
            PlayerSpec::Bot(_) | PlayerSpec::Uci(_) | PlayerSpec::Named(_) => true,
            PlayerSpec::Human | PlayerSpec::Remote(_) => false,
        }
    }

    /// A shorter form of the name, without the title of a level.
    pub fn short_name(&self) -> Option<String> {
        if let PlayerSpec::Bot(Some(level)) = self {
            Some(format!("Bot {}", level.number()))
        } else {
            self.name()
        }
    }

    /// The default name of a player; `None` for a person.
    pub fn name(&self) -> Option<String> {
        match self {
            PlayerSpec::Human => None,
            PlayerSpec::Remote(name) => Some(name.clone()),
            PlayerSpec::Bot(None) => Some("Bot".to_owned()),
            PlayerSpec::Bot(Some(level)) => {
                Some(format!("Bot {} «{}»", level.number(), level.name()))
            }
            PlayerSpec::Uci(engine) | PlayerSpec::Named(engine) => {
                let target = engine.target.split_whitespace().next().unwrap_or("engine");
                let file = Path::new(target).file_name().and_then(OsStr::to_str);
                Some(file.unwrap_or(target).to_owned())
            }
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    /// Reads a player. A level, a name or a path follows a colon or a space.
    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let is_end = |sign: char| sign == ':' || sign.is_whitespace();
        let (kind, rest) = match text.split_once(is_end) {
            Some((kind, rest)) => (kind, Some(rest.trim_start())),
            None => (text, None),
        };
        match (kind.to_ascii_lowercase().as_str(), rest) {
            ("human", None) => Ok(PlayerSpec::Human),
            ("bot", None) => Ok(PlayerSpec::Bot(None)),
            ("bot", Some(level)) => {
                let refused = |_| SpecError::Level(level.to_owned());
                Ok(PlayerSpec::Bot(Some(level.parse().map_err(refused)?)))
            }
            ("uci", None) => Err(SpecError::NoEngine),
            ("uci", Some(engine)) => Ok(PlayerSpec::Uci(engine.parse()?)),
            _ => Err(SpecError::Unknown),
        }
    }
}

/// Reads a player for a match, who cannot be a person.
pub fn entrant(text: &str) -> Result<PlayerSpec, SpecError> {
    match text.parse() {
        Ok(PlayerSpec::Human) | Err(SpecError::Unknown) => Err(SpecError::NoProgram),
        known => known,
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let (target, options) = text.split_once('?').unwrap_or((text, ""));
        if target.trim().is_empty() {
            return Err(SpecError::NoEngine);
        }
        let options = options.split('&').filter(|option| !option.is_empty());
        let options = options.map(|option| {
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
                None => (option.trim(), None),
            };
            if name.is_empty() {
                return Err(SpecError::NamelessOption(option.to_owned()));
            }
            let name = name.to_owned();
            Ok(SetOption { name, value })
        });
        Ok(EngineSpec {
            target: target.trim().to_owned(),
            options: options.collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Display for PlayerSpec {
    /// Writes it as people type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Human => f.write_str("human"),
            PlayerSpec::Remote(_) => f.write_str("remote"),
            PlayerSpec::Bot(None) => f.write_str("bot"),
            PlayerSpec::Bot(Some(level)) => write!(f, "bot:{}", level.number()),
            PlayerSpec::Uci(engine) | PlayerSpec::Named(engine) => write!(f, "uci:{engine}"),
        }
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.target)?;
        for (at, option) in self.options.iter().enumerate() {
            let before = if at == 0 { '?' } else { '&' };
            write!(f, "{before}{}", option.name)?;
            if let Some(value) = &option.value {
                write!(f, "={value}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
