//! The engines that are known by name: those of the config, and well-known ones that are installed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tabiya_uci::{EngineCommand, find_program};

/// Programs that speak UCI and are often installed, with the arguments they need for it.
const WELL_KNOWN: [(&str, &[&str]); 20] = [
    ("stockfish", &[]),
    ("lc0", &[]),
    ("berserk", &[]),
    ("caissa", &[]),
    ("clover", &[]),
    ("ethereal", &[]),
    ("fairy-stockfish", &[]),
    ("fruit", &[]),
    ("glaurung", &[]),
    ("gnuchess", &["--uci"]),
    ("igel", &[]),
    ("integral", &[]),
    ("koivisto", &[]),
    ("obsidian", &[]),
    ("plentychess", &[]),
    ("rubichess", &[]),
    ("stormphrax", &[]),
    ("toga2", &[]),
    ("viridithas", &[]),
    ("weiss", &[]),
];

/// Folders where systems put games, which are not always on PATH.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Where an engine is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The user's config names it.
    Config,
    /// It is installed.
    Installed,
}

/// An engine with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownEngine {
    /// What it is called.
    pub name: String,
    /// How it is started.
    pub command: EngineCommand,
    /// Where it is known from.
    pub source: Source,
}

/// All engines with a name; those of the config first. What is cloned knows the same engines, also after they were
/// read again.
#[derive(Clone, Debug, Default)]
pub struct KnownEngines(Arc<RwLock<Vec<KnownEngine>>>);

impl KnownEngines {
    /// Those that the user's config names, and the well-known ones that are installed.
    #[must_use]
    pub fn new(configured: Vec<(String, EngineCommand)>) -> KnownEngines {
        let known = KnownEngines::default();
        known.replace(configured);
        known
    }

    /// Looks for them again, because the config has changed.
    pub fn replace(&self, configured: Vec<(String, EngineCommand)>) {
        let found = among(configured, |name| find_program(name).or_else(|| game(name)));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// How the engine of a name is started.
    pub fn command(&self, name: &str) -> Option<EngineCommand> {
        let mut all = self.all().into_iter();
        all.find(|engine| engine.name == name)
            .map(|engine| engine.command)
    }

    /// All of them.
    pub fn all(&self) -> Vec<KnownEngine> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn among(
    configured: Vec<(String, EngineCommand)>,
    installed: impl Fn(&str) -> Option<PathBuf>,
) -> Vec<KnownEngine> {
    let mut all: Vec<KnownEngine> = Vec::new();
    let mut add = |name: String, command, source| {
        // The first of a name is the one that is meant: the config comes before what is installed.
        if all.iter().all(|engine| engine.name != name) {
            all.push(KnownEngine {
                name,
                command,
                source,
            });
        }
    };
    for (name, command) in configured {
        add(name, command, Source::Config);
    }
    for (name, arguments) in WELL_KNOWN {
        if let Some(program) = installed(name) {
            let mut command = EngineCommand::new(program);
            command.arguments = arguments.iter().map(Into::into).collect();
            add(name.to_owned(), command, Source::Installed);
        }
    }
    all
}

fn game(name: &str) -> Option<PathBuf> {
    let mut paths = GAME_FOLDERS
        .iter()
        .map(|folder| Path::new(folder).join(name));
    paths.find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    //! The config comes first, and what is not installed is not known.

    use super::*;

    #[test]
    fn the_config_comes_before_what_is_installed() {
        let mine = EngineCommand::new("/opt/mine");
        let configured = vec![("stockfish".to_owned(), mine.clone())];
        let installed = |name: &str| {
            let there = matches!(name, "stockfish" | "gnuchess");
            there.then(|| Path::new("/usr/games").join(name))
        };
        let known = KnownEngines(Arc::new(RwLock::new(among(configured, installed))));
        assert_eq!(known.command("stockfish"), Some(mine));
        let gnuchess = known.command("gnuchess").expect("it is installed");
        assert_eq!(gnuchess.arguments, ["--uci"]);
        assert_eq!(known.command("toga2"), None);
        let names: Vec<String> = known.all().into_iter().map(|engine| engine.name).collect();
        assert_eq!(names, ["stockfish", "gnuchess"]);
    }
}
