//! The engines that are known by name: those of the config, and well-known ones that are installed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tabiya_uci::{EngineCommand, find_program};

use crate::players::Directory;

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

/// Folders where a system or its administrator puts programs. A well-known engine that a file names is looked for only
/// in these and among the games, never on PATH.
const PROGRAM_FOLDERS: [&str; 3] = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

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
    /// How it is started where a file names it; `None` if no file may start it.
    for_file: Option<EngineCommand>,
    /// Where it is known from.
    pub source: Source,
}

/// All engines with a name; those of the config first. What is cloned knows the same engines, also after they were
/// read again.
#[derive(Clone, Debug, Default)]
pub struct KnownEngines {
    all: Arc<RwLock<Vec<KnownEngine>>>,
    /// What files may start as well, by the name or path in the file, because a flag says so.
    allowed: Arc<[(String, EngineCommand)]>,
}

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
        let installed = |name: &str| Installed {
            called: find_program(name).or_else(|| within(&GAME_FOLDERS, name)),
            for_file: within(&GAME_FOLDERS, name).or_else(|| within(&PROGRAM_FOLDERS, name)),
        };
        let found = among(configured, installed);
        *self.all.write().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// The same engines, and those that a flag lets files start, by the name or path in the file.
    #[must_use]
    pub fn allowing(self, allowed: Vec<(String, EngineCommand)>) -> KnownEngines {
        KnownEngines {
            allowed: allowed.into(),
            ..self
        }
    }

    /// Whether a file that names an engine so may start it.
    pub fn admits(&self, target: &str) -> bool {
        self.command_for_file(target).is_some()
    }

    /// Whether the config has this engine, but by a path that is another program in another folder, so that no file may
    /// start it.
    pub fn has_relative_path(&self, target: &str) -> bool {
        self.all().iter().any(|engine| {
            let is_meant = engine.name == target || engine.command.program == Path::new(target);
            is_meant && engine.source == Source::Config && engine.for_file.is_none()
        })
    }

    /// All of them.
    pub fn all(&self) -> Vec<KnownEngine> {
        self.all
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Directory for KnownEngines {
    fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|engine| engine.name).collect()
    }

    fn command(&self, name: &str) -> Option<EngineCommand> {
        let mut all = self.all().into_iter();
        all.find(|engine| engine.name == name)
            .map(|engine| engine.command)
    }

    /// By its name, or by the path it is started from: the engines of the config with what the config says about them,
    /// and well-known ones where systems put programs.
    fn command_for_file(&self, target: &str) -> Option<EngineCommand> {
        let allowed = self.allowed.iter().find(|(named, _)| named == target);
        if let Some((_, command)) = allowed {
            return Some(command.clone());
        }
        let is_meant = |name: &str, command: &EngineCommand| {
            name == target || command.program.is_absolute() && command.program == Path::new(target)
        };
        self.all().into_iter().find_map(|engine| {
            let command = engine.for_file?;
            is_meant(&engine.name, &command).then_some(command)
        })
    }
}

/// Where a well-known engine is installed.
struct Installed {
    /// For calling it by its name.
    called: Option<PathBuf>,
    /// For a file that names it.
    for_file: Option<PathBuf>,
}

fn among(
    configured: Vec<(String, EngineCommand)>,
    installed: impl Fn(&str) -> Installed,
) -> Vec<KnownEngine> {
    let mut all: Vec<KnownEngine> = Vec::new();
    let mut add = |name: String, command, for_file, source| {
        // The first of a name is the one that is meant: the config comes before what is installed.
        if all.iter().all(|engine| engine.name != name) {
            all.push(KnownEngine {
                name,
                command,
                for_file,
                source,
            });
        }
    };
    for (name, command) in configured {
        let for_file = (!depends_on_folder(&command.program)).then(|| command.clone());
        add(name, command, for_file, Source::Config);
    }
    for (name, arguments) in WELL_KNOWN {
        let started = |program| {
            let mut command = EngineCommand::new(program);
            command.arguments = arguments.iter().map(Into::into).collect();
            command
        };
        let Installed { called, for_file } = installed(name);
        if let Some(program) = called.or_else(|| for_file.clone()) {
            // It runs where it lies: no file in the working folder, which may have come with the save, is found by it.
            let for_file = for_file.map(|program| {
                let folder = program.parent().map(Path::to_owned);
                started(program).with_folder(folder)
            });
            add(
                name.to_owned(),
                started(program),
                for_file,
                Source::Installed,
            );
        }
    }
    all
}

/// Would it be another program in another working directory? A bare name is looked up on PATH.
fn depends_on_folder(program: &Path) -> bool {
    program.is_relative() && program.components().count() > 1
}

/// A program in one of these folders.
fn within(folders: &[&str], name: &str) -> Option<PathBuf> {
    let mut paths = folders.iter().map(|folder| Path::new(folder).join(name));
    paths.find(|path| path.is_file())
}

#[cfg(test)]
mod tests;
