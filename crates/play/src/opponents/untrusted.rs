//! An engine that only a file names: the user is asked before it is started.

use tabiya_rules::{ByColor, Color, text};

use crate::engines::KnownEngines;
use crate::players::{EngineSpec, PlayerSpec};

/// The longest engine text that can be allowed. A longer one could not be shown in full.
const MAX_SHOWN_LENGTH: usize = 300;

/// Why a file may not start an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// Neither the config nor the list of well-known engines has it.
    Unknown,
    /// The config gives a relative path, which names another program in another folder.
    RelativePath,
}

/// A player that a file names and may not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntrustedEngine {
    /// The side it plays.
    pub color: Color,
    /// What the file says.
    pub engine: EngineSpec,
    /// Why the file may not start it.
    pub reason: NotAllowed,
}

impl UntrustedEngine {
    /// The first such engine among the players.
    #[must_use]
    pub fn among(players: &ByColor<PlayerSpec>, known: &KnownEngines) -> Option<UntrustedEngine> {
        players.iter().find_map(|(color, player)| {
            let PlayerSpec::Named(engine) = player else {
                return None;
            };
            (!known.allows(&engine.target)).then(|| UntrustedEngine {
                color,
                engine: engine.clone(),
                reason: match known.has_relative_path(&engine.target) {
                    true => NotAllowed::RelativePath,
                    false => NotAllowed::Unknown,
                },
            })
        })
    }

    /// The text of the file in full, unless it is too long to read.
    #[must_use]
    pub fn shown(&self) -> Option<String> {
        let whole = self.engine.to_string();
        (whole.chars().count() <= MAX_SHOWN_LENGTH).then(|| text::clean(&whole).into_owned())
    }

    /// What the user reads before the question whether to start it.
    #[must_use]
    pub fn introduction(&self) -> String {
        let color = self.color;
        match self.shown() {
            Some(shown) => {
                let options = if self.engine.options.is_empty() {
                    ""
                } else {
                    " Its options are not set."
                };
                let reason = match self.reason {
                    NotAllowed::Unknown => "config.toml does not name",
                    NotAllowed::RelativePath => {
                        "config.toml names by a path that depends on the working folder"
                    }
                };
                format!(
                    "The save wants this program to play {color}, which {reason}: {shown}.{options}"
                )
            }
            None => format!(
                "The save wants a program to play {color} whose name is too long to be shown ({}…): it is not started.",
                text::excerpt(&self.engine.to_string())
            ),
        }
    }

    /// Why it is not started if there is no user to ask, and how to allow it.
    #[must_use]
    pub fn refusal(&self) -> String {
        let introduction = self.introduction();
        if self.shown().is_none() {
            return introduction;
        }
        let quoted = text::clean(&self.engine.target).replace('\'', r"'\''");
        format!(
            "{introduction} It is not started. To allow it: tabiya play --allow-engine '{quoted}'"
        )
    }
}
