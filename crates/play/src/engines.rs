//! Engines known by name: those of the config, and well-known ones that are installed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tabiya_uci::{EngineCommand, find_program};

/// UCI programs that are often installed, with the arguments they need.
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

/// Folders where systems install games, which are not always on PATH.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Folders where a system or its administrator installs programs. A well-known engine that a file names is looked for
/// only here and among the games, never on PATH.
const PROGRAM_FOLDERS: [&str; 3] = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/// How the program knows an engine.
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
    /// Its name.
    pub name: String,
    /// The command that starts it.
    pub command: EngineCommand,
    /// The command that starts it if a file names it; `None` if no file may start it.
    for_file: Option<EngineCommand>,
    /// How it is known.
    pub source: Source,
}

/// All engines with a name, those of the config first. Clones share the list, also after it was read again.
#[derive(Clone, Debug, Default)]
pub struct KnownEngines {
    all: Arc<RwLock<Vec<KnownEngine>>>,
    /// Further engines that a flag allows files to start, by the name or path in the file.
    allowed: Arc<[(String, EngineCommand)]>,
}

impl KnownEngines {
    /// Knows the engines of the user's config, and the well-known ones that are installed.
    #[must_use]
    pub fn new(configured: Vec<(String, EngineCommand)>) -> KnownEngines {
        let known = KnownEngines::default();
        known.replace(configured);
        known
    }

    /// Reads the list again after the config has changed.
    pub fn replace(&self, configured: Vec<(String, EngineCommand)>) {
        let installed = |name: &str| Installed {
            called: find_program(name).or_else(|| within(&GAME_FOLDERS, name)),
            for_file: within(&GAME_FOLDERS, name).or_else(|| within(&PROGRAM_FOLDERS, name)),
        };
        let found = among(configured, installed);
        *self.all.write().unwrap_or_else(PoisonError::into_inner) = found;
    }

    /// Also knows engines that a flag allows files to start, by the name or path in the file.
    #[must_use]
    pub fn allowing(self, allowed: Vec<(String, EngineCommand)>) -> KnownEngines {
        KnownEngines {
            allowed: allowed.into(),
            ..self
        }
    }

    /// Whether a file that names this engine may start it.
    pub fn allows(&self, target: &str) -> bool {
        self.command_for_file(target).is_some()
    }

    /// Whether the config has this engine by a relative path. Such a path means another program in another folder, so
    /// no file may start it.
    pub fn has_relative_path(&self, target: &str) -> bool {
        self.all().iter().any(|engine| {
            let is_meant = engine.name == target || engine.command.program == Path::new(target);
            is_meant && engine.source == Source::Config && engine.for_file.is_none()
        })
    }

    /// Returns all known engines.
    pub fn all(&self) -> Vec<KnownEngine> {
        self.all
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The names of the engines.
    pub fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|engine| engine.name).collect()
    }

    /// The command that starts the engine of this name.
    pub fn command(&self, name: &str) -> Option<EngineCommand> {
        let mut all = self.all().into_iter();
        all.find(|engine| engine.name == name)
            .map(|engine| engine.command)
    }

    /// The command that starts an engine that a file names, if the file may start it. Nothing in the command comes from
    /// the file. The engine is looked up by its name, or by the path of its program: the engines of the config as
    /// configured, and well-known ones in the folders where systems install programs.
    pub fn command_for_file(&self, target: &str) -> Option<EngineCommand> {
        let allowed = self.allowed.iter().find(|(named, _)| named == target);
        if let Some((_, command)) = allowed {
            return Some(command.clone());
        }
        self.all().into_iter().find_map(|engine| {
            let command = engine.for_file?;
            let is_path = command.program.is_absolute() && command.program == Path::new(target);
            (engine.name == target || is_path).then_some(command)
        })
    }
}

/// Where a well-known engine is installed.
struct Installed {
    /// The program that its name starts.
    called: Option<PathBuf>,
    /// The program that it starts if a file names it.
    for_file: Option<PathBuf>,
}

/// The engines of the config, followed by the installed ones.
fn among(
    configured: Vec<(String, EngineCommand)>,
    installed: impl Fn(&str) -> Installed,
) -> Vec<KnownEngine> {
    let mut all: Vec<KnownEngine> = Vec::new();
    let mut add = |name: String, command, for_file, source| {
        // The first engine of a name counts, so the config takes precedence over what is installed.
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
            // It runs in its own folder, so that it finds no file in the working folder, which may have come with the
            // save.
            let for_file = for_file.map(|program| {
                let folder = program.parent().map(Path::to_owned);
                started(program).with_folder(folder)
            });
            let command = started(program);
            add(name.to_owned(), command, for_file, Source::Installed);
        }
    }
    all
}

/// Whether the path means another program in another working directory. A bare name is looked up on PATH.
fn depends_on_folder(program: &Path) -> bool {
    program.is_relative() && program.components().count() > 1
}

/// Looks for a program in these folders.
fn within(folders: &[&str], name: &str) -> Option<PathBuf> {
    let mut paths = folders.iter().map(|folder| Path::new(folder).join(name));
    paths.find(|path| path.is_file())
}

#[cfg(test)]
mod tests;
